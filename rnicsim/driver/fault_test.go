package driver

// Faults: how they are written, and what they lead to.

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/rnicsim"
)

// ParseFault reads what String writes.
func TestParseFault(t *testing.T) {
	for _, s := range []string{
		"drop", "drop:Write:3", "crc:Send:2+", "set=iwarp_ddp.msn/7:SendSE", "flip-header", "flip-payload:ReadResponse:5%",
		"duplicate:any:0.5%/42", "delay=50ms:Terminate", "truncate:Send:1", "reset:Write", "fin:AtomicRequest", "garbage=5",
		"silence:MPAReply", "slow=100:MPARequest", "split=3:any:7+", "drop:Opcode13",
	} {
		f, err := ParseFault(s)
		if err != nil || f.String() != s {
			t.Errorf("%q: %q, %v", s, f, err)
		}
	}
	for s, want := range map[string]string{"delay": "delay=1s", "garbage": "garbage=64", "slow": "slow=1000", "split": "split=1", "drop:any": "drop"} {
		if f, err := ParseFault(s); err != nil || f.String() != want {
			t.Errorf("%q: %q, %v", s, f, err)
		}
	}
	all, err := ParseFaults("drop:Write:1,crc")
	if err != nil || len(all) != 2 || all[1].Action != WrongCRC {
		t.Error(all, err)
	}
}

// Errors say what is wrong and what would be right.
func TestParseFaultErrors(t *testing.T) {
	for s, want := range map[string]string{
		"":                             "unknown action; want one of drop, crc, set=FIELD/VALUE",
		"drip":                         "unknown action",
		"drop=1":                       "drop has no value",
		"drop:Wrote":                   "unknown message; want one of any, MPARequest, MPAReply, Write, ReadRequest",
		"drop:Sned":                    "did you mean Send?",
		"dorp":                         "did you mean drop?",
		"drop:Write:0":                 `"0" is not an occasion`,
		"drop:Write:x":                 "want 3, 3+, 5% or 5%/42",
		"drop:Write:101%":              "more than 0%, at most 100%",
		"drop:Write:NaN%":              "more than 0%, at most 100%",
		"drop:Write:5%/x":              `"x" is not a seed`,
		"set":                          "set needs a value: set=FIELD/VALUE",
		"set=iwarp_ddp.msn":            "want set=FIELD/VALUE",
		"set=iwarp_ddp.msnn/1":         `no header of DDP or RDMAP has a field "iwarp_ddp.msnn"`,
		"set=iwarp_ddp.msn/-1":         `"-1" is not a value`,
		"set=iwarp_ddp.msn/1:MPAReply": "set does not apply to MPA frames",
		"crc:MPARequest":               "crc does not apply to MPA frames",
		"delay=50":                     "want one like 50ms",
		"split=0":                      "want 1 to",
	} {
		_, err := ParseFault(s)
		if !errors.Is(err, ErrFault) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", s, err)
		}
	}
	if _, err := ParseFaults("drop,"); err == nil {
		t.Error("nothing is a fault")
	}
}

// Every action can be listed, with a sentence of its own.
func TestFaultTexts(t *testing.T) {
	seen := map[string]bool{}
	for i, x := range FaultTexts() {
		if x.Action != Action(i) || x.Text == "" || seen[x.Text] || !strings.HasPrefix(x.Form, x.Action.String()) {
			t.Errorf("%d: %+v", i, x)
		}
		seen[x.Text] = true
	}
}

// faultCases are Faults of the Initiator, which then sends four messages of 40 octets, and what the Responder gets.
var faultCases = []struct {
	fault    string
	received int    // Sends that are completed with success
	end      string // what its error contains; "" for none
}{
	{"drop:Send:2", 1, "1/2/03"},
	{"drop:Send:4", 3, ""},
	{"crc:Send:3", 2, "2/0/02"},
	{"set=iwarp_ddp.msn/7:Send:2", 1, "1/2/03"},
	{"set=iwarp_rdma.version/3:Send:1", 0, "0/2/05"},
	{"flip-header:Send:2", 1, "2/0/02"},
	{"flip-payload:Send:2", 1, "2/0/02"},
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

// Each action does what its sentence says.
func TestFaults(t *testing.T) {
	for _, markers := range []bool{false, true} {
		for _, tt := range faultCases {
			t.Run(tt.fault, func(t *testing.T) {
				t.Parallel()
				fault, err := ParseFault(tt.fault)
				if err != nil {
					t.Fatal(err)
				}
				suffer(t, fault, markers, tt.received, tt.end)
			})
		}
	}
}

// suffer sends with a Fault, and checks the consequences.
func suffer(t *testing.T, fault Fault, markers bool, received int, end string) {
	const sends, length = 4, 40
	stream := rnicsim.StreamConfig{Rev: mpa.Rev1, CRC: true, Markers: markers, Timeout: patient}
	s := setup{listen: ListenConfig{Stream: stream}}
	s.device[0].Faults = []Fault{fault}
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
	for range sends {
		if err := a.Post(rnicsim.WorkRequest{Op: rnicsim.OpSend, SGL: []rnicsim.SGE{from}}); err != nil {
			t.Fatal(err)
		}
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
	fault, err := ParseFault("drop:Terminate")
	if err != nil {
		t.Fatal(err)
	}
	s := setup{}
	s.device[1].Faults = []Fault{fault}
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
	fault, err := ParseFault("delay=" + delay.String() + ":Terminate")
	if err != nil {
		t.Fatal(err)
	}
	s := setup{}
	s.device[1].Faults = []Fault{fault}
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

// The same seed selects the same FPDUs, and about as many as were asked for.
func TestChance(t *testing.T) {
	strikes := func(seed uint64) (s string) {
		i := newInjector([]Fault{{Action: Drop, Occasion: Occasion{Share: 0.25, Seed: seed}}})
		for range 1000 {
			if i.faults[0].strikes(OfOpcode(0)) {
				s += "x"
			} else {
				s += "."
			}
		}
		return s
	}
	one := strikes(1)
	if n := strings.Count(one, "x"); n < 200 || n > 300 {
		t.Error(n)
	}
	if one != strikes(1) || one == strikes(2) {
		t.Error("seeds")
	}
}

// A slow sender takes no less time than it should, and a Device with one can be closed at any time.
func TestSlowFault(t *testing.T) {
	s := setup{}
	s.device[0].Faults = []Fault{{Action: Slow, Message: AnyFPDU, Octets: 1000}}
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
