package driver

// What Faults lead to.

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/rnicsim"
	"github.com/iwarpkit/iwarp/rnicsim/fault"
)

// faultCases are Faults of the Initiator, which then sends four messages of 40 octets, and what the Responder gets.
var faultCases = []struct {
	fault    string
	received int    // Sends that are completed with success
	end      string // what its error contains; "" for none
}{
	{"drop:Send:2", 1, "1/2/03"},
	{"drop:Send:4", 3, ""},
	{"crc:Send:3", 2, "2/0/02"},
	{"set=iwarp_ddp.msn=7:Send:2", 1, "1/2/03"},
	{"set=iwarp_rdma.version=3:Send:1", 0, "0/2/05"},
	{"flip-header:Send:2", 1, "2/0/02"},
	{"flip-payload:Send:2", 1, "2/0/02"},
	{"corrupt:Send:2", 4, ""},
	{"shorten=10:Send:2", 4, ""},
	{"set=iwarp_mpa.rev=9:MPARequest", -1, ""},
	{"duplicate:Send:2", 2, "1/2/03"},
	{"delay=20ms:Send:2", 4, ""},
	{"delay=20ms:MPARequest", 4, ""},
	{"truncate:Send:2", 1, "2/0/02"},
	{"reset:Send:3", 2, "reset by the peer"},
	{"fin:Send:3", 2, "closed by the peer in the middle of an FPDU"},
	{"garbage=64:Send:1", 0, "garbage"},
	{"garbage=10:MPARequest", -1, ""},
	{"flip-header:MPARequest", -1, ""},
	{"silence:Send:3", 2, "silent"},
	{"split=1", 4, ""},
	{"split=3:any:2+", 4, ""},
	{"slow=5000", 4, ""},
	{"drop:ReadRequest", 4, ""},
}

// Each action does what its description says.
func TestFaults(t *testing.T) {
	for _, markers := range []bool{false, true} {
		for _, tt := range faultCases {
			t.Run(tt.fault, func(t *testing.T) {
				t.Parallel()
				f, err := fault.Parse(tt.fault)
				if err != nil {
					t.Fatal(err)
				}
				suffer(t, f, markers, tt.received, tt.end)
			})
		}
	}
}

// suffer sends with a Fault, and checks the consequences.
func suffer(t *testing.T, f fault.Fault, markers bool, received int, end string) {
	const sends, length = 4, 40
	stream := rnicsim.StreamConfig{Rev: mpa.Rev1, CRC: true, Markers: markers, Timeout: patient}
	s := setup{listen: ListenConfig{Stream: stream}}
	s.device[0].Faults = []fault.Fault{f}
	s.conn[0].Stream = stream
	if received < 0 {
		if _, err := open(t, s.device[0]).Dial(testContext(t), "tcp", listen(t, open(t, s.device[1]), s.listen).Addr().String(), s.conn[0]); err == nil {
			t.Error("connected")
		}
		return
	}
	a, b := s.connect(t)
	octets := region(t, b, make([]byte, length))
	for i := range uint64(sends) {
		if err := b.PostReceive(rnicsim.WorkRequest{ID: i, SGL: []rnicsim.SGE{octets}}); err != nil {
			t.Fatal(err)
		}
	}
	from := region(t, a, make([]byte, length))
	send := rnicsim.WorkRequest{Op: rnicsim.OpSend, SGL: []rnicsim.SGE{from}}
	if err := a.Post(slices.Repeat([]rnicsim.WorkRequest{send}, sends)...); err != nil { // at once: the peer may answer the first with a Terminate
		t.Fatal(err)
	}
	for i, c := range wait(t, b, received) {
		if c.Status != rnicsim.Success || c.WRID != uint64(i) {
			t.Errorf("%d: %+v", i, c)
		}
	}
	if end == "silent" {
		a.Close()
		select {
		case <-b.Done():
			t.Error("it was told of the end")
		case <-time.After(50 * time.Millisecond):
		}
		return
	}
	if end == "" || end == "garbage" {
		a.Close()
	}
	err := over(t, b)
	switch {
	case end == "" && err != nil, end != "" && err == nil && end != "garbage":
		t.Error(err)
	case end == "garbage": // whatever it looks like
	case end != "" && !strings.Contains(err.Error(), end):
		t.Error(err)
	}
}

// A Terminate that is withheld leaves the peer with a FIN.
func TestWithheldTerminate(t *testing.T) {
	f, err := fault.Parse("drop:Terminate")
	if err != nil {
		t.Fatal(err)
	}
	s := setup{}
	s.device[1].Faults = []fault.Fault{f}
	a, b := s.connect(t)
	a.Post(rnicsim.WorkRequest{Op: rnicsim.OpSend}) // nobody has posted a Receive
	var e *Terminated
	if err := over(t, b); !errors.As(err, &e) || !e.Local {
		t.Error(err)
	}
	if err := over(t, a); errors.As(err, &e) && !e.Local {
		t.Error(err)
	}
}

// A delayed Terminate comes after the delay, and ends the connection at both ends.
func TestDelayedTerminate(t *testing.T) {
	const delay = 60 * time.Millisecond
	f, err := fault.Parse("delay=" + delay.String() + ":Terminate")
	if err != nil {
		t.Fatal(err)
	}
	s := setup{}
	s.device[1].Faults = []fault.Fault{f}
	a, b := s.connect(t)
	begin := time.Now()
	a.Post(rnicsim.WorkRequest{Op: rnicsim.OpSend}) // nobody has posted a Receive
	for _, c := range []*Conn{a, b} {
		var e *Terminated
		if err := over(t, c); !errors.As(err, &e) || e.Local != (c == b) || e.Terminate.Code.String() != "1/2/02" {
			t.Error(err)
		}
	}
	if took := time.Since(begin); took < delay {
		t.Error(took)
	}
}

// A slow sender takes no less time than it should, and a Device with one can be closed at any time.
func TestSlowFault(t *testing.T) {
	s := setup{}
	s.device[0].Faults = []fault.Fault{{Action: fault.Slow, Message: fault.AnyFPDU, Octets: 1000}}
	a, b := s.connect(t)
	into := region(t, b, make([]byte, 100_000))
	begin := time.Now()
	a.Post(rnicsim.WorkRequest{Op: rnicsim.OpWrite, SGL: []rnicsim.SGE{region(t, a, make([]byte, 64))}, Remote: into.STag, RemoteTO: into.TO})
	b.PostReceive(rnicsim.WorkRequest{})
	a.Post(rnicsim.WorkRequest{Op: rnicsim.OpSend})
	wait(t, b, 1)
	if took := time.Since(begin); took < 80*time.Millisecond {
		t.Error(took)
	}
	a.Post(rnicsim.WorkRequest{Op: rnicsim.OpWrite, SGL: []rnicsim.SGE{region(t, a, make([]byte, 100_000))}, Remote: into.STag, RemoteTO: into.TO})
	begin = time.Now()
	a.d.Close()
	if took := time.Since(begin); took > 50*time.Second { // half of what it would take to send all
		t.Error(took)
	}
	over(t, b)
}
