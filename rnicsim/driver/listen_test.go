package driver

// Connections that are never accepted, and those that a limit ends.

import (
	"errors"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/rnicsim"
)

// A Listener reports each connection whose start-up fails.
func TestListenerFailed(t *testing.T) {
	request := func(f mpa.Frame) string {
		b, _ := f.AppendBinary(nil)
		return string(b)
	}
	for _, tt := range []struct {
		name, octets string
		config       Config
		timeout      time.Duration // less than patient: the peer waits for it
		want         error
	}{
		{"nothing", "", Config{}, patient, rnicsim.ErrCut},
		{"silence", "", Config{}, 50 * time.Millisecond, rnicsim.ErrTimeout},
		{"HTTP", "GET / HTTP/1.1\r\n\r\n", Config{}, patient, rnicsim.ErrKey},
		{"half a Request", "MPA ID Req", Config{}, patient, rnicsim.ErrCut},
		{"revision 0", request(mpa.Frame{M: true, C: true}), Config{}, patient, rnicsim.ErrRev},
		{"revision 2", request(mpa.Frame{Rev: mpa.Rev2}), Config{}, patient, rnicsim.ErrRev},
		{"too many", "", Config{MaxConns: -1}, patient, ErrCrowded},
	} {
		t.Run(tt.name, func(t *testing.T) {
			failures := make(chan Failure, 2)
			d := open(t, tt.config)
			stream := rnicsim.StreamConfig{Rev: mpa.Rev1, CRC: true, Timeout: tt.timeout}
			l := listen(t, d, ListenConfig{Stream: stream, Failed: func(f Failure) { failures <- f }})
			if nc, err := net.Dial("tcp", l.Addr().String()); err == nil { // it may be reset at once
				defer nc.Close()
				nc.Write([]byte(tt.octets))
				if tt.timeout == patient {
					nc.(*net.TCPConn).CloseWrite()
				}
			}
			f := <-failures
			if !errors.Is(f.Err, tt.want) || f.Serial != 0 || f.Remote == nil || f.Local.String() != l.Addr().String() {
				t.Errorf("%+v", f)
			}
			gone(t, d)
			if len(failures) > 0 {
				t.Errorf("and again %+v", <-failures)
			}
		})
	}
}

// It does not report connections that Accept has returned, nor those that wait when it is closed.
func TestListenerFailedIsNotForOthers(t *testing.T) {
	s := setup{listen: ListenConfig{Failed: func(f Failure) { t.Errorf("%+v", f) }}}
	a, b := s.connect(t)
	a.Abort()
	over(t, b)
	for range 50 { // sometimes the connection is being taken in when the Listener is closed
		l := listen(t, b.d, s.listen)
		nc, err := net.Dial("tcp", l.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		l.Close()
		nc.Close()
	}
}

// A Request whose ORD exceeds the IRD of the Listener is rejected, and both ends know why.
func TestRejectsForIRD(t *testing.T) {
	server, client := open(t, Config{}), open(t, Config{})
	l := listen(t, server, ListenConfig{Stream: enhanced(mpa.Enhanced{IRD: 2, ORD: 5})})
	ctx := testContext(t)
	accepted := make(chan error, 1)
	go func() {
		r, err := l.Accept(ctx)
		if err == nil {
			_, err = r.Accept(ctx, ConnConfig{})
		}
		accepted <- err
	}()
	_, err := client.Dial(ctx, "tcp", l.Addr().String(), ConnConfig{Stream: enhanced(mpa.Enhanced{IRD: 3, ORD: 9})})
	var rejected *Rejected
	var asked, has mpa.Enhanced
	if !errors.As(err, &rejected) || !rejected.Request.Enhanced(&asked) || !rejected.Reply.Enhanced(&has) || asked.ORD != 9 || has.IRD != 2 {
		t.Error(err)
	}
	if err := <-accepted; !errors.Is(err, rnicsim.ErrIRD) {
		t.Error(err)
	}
	gone(t, server)
	gone(t, client)
}

// A connection that has carried too much is reset by the end with that limit, which knows why.
func TestMaxOctets(t *testing.T) {
	s := setup{device: [2]Config{{}, {MaxOctets: 1000}}}
	a, b := s.connect(t)
	if n := b.Octets(); n != a.Octets() || n != 2*(mpa.FrameLen+mpa.EnhancedLen) {
		t.Errorf("%d and %d octets to begin with", a.Octets(), n)
	}
	into := region(t, b, make([]byte, 2000))
	a.Post(rnicsim.WorkRequest{Op: rnicsim.OpWrite, SGL: []rnicsim.SGE{region(t, a, make([]byte, 2000))}, Remote: into.STag, RemoteTO: into.TO})
	if err := over(t, b); err != ErrTooManyOctets {
		t.Error(err)
	}
	if err := over(t, a); err != rnicsim.ErrReset {
		t.Error(err)
	}
}

// The error of a Terminate explains its code, even one without a registered name.
func TestTerminatedError(t *testing.T) {
	a, b := setup{}.connect(t)
	a.Do(func(*rnicsim.RNIC) error { return a.qp.Modify(rnicsim.Modification{State: rnicsim.Terminate}) })
	for _, err := range []error{over(t, a), over(t, b)} {
		if err == nil || !strings.Contains(err.Error(), "0/0/00 RDMAP Local Catastrophic Error") {
			t.Error(err)
		}
	}
}
