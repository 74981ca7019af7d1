package live

// How long a run waits for peers, by the clock of a bubble of testing/synctest: time passes only while everything waits.

import (
	"context"
	"io"
	"net"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/replay/outcome"
	"github.com/iwarpkit/iwarp/replay/player"
	"github.com/iwarpkit/iwarp/replay/scenario"
)

// A duplex is one end of two pipes, each of which closes by itself.
type duplex struct {
	net.Conn // for what it sends
	in       net.Conn
}

func (d duplex) Read(b []byte) (int, error)        { return d.in.Read(b) }
func (d duplex) SetReadDeadline(t time.Time) error { return d.in.SetReadDeadline(t) }
func (d duplex) CloseWrite() error                 { return d.Conn.Close() }

func (d duplex) Close() error {
	d.in.Close()
	return d.Conn.Close()
}

// pipes returns both ends of a connection.
func pipes() (here, there duplex) {
	a, b := net.Pipe()
	c, d := net.Pipe()
	return duplex{a, c}, duplex{d, b}
}

// A switchboard is a net.Listener of pipes.
type switchboard struct {
	net.Listener
	calls chan net.Conn
}

func (s switchboard) Accept() (net.Conn, error) {
	if nc, ok := <-s.calls; ok {
		return nc, nil
	}
	return nil, net.ErrClosed
}

func (s switchboard) Close() error {
	close(s.calls)
	return nil
}

// impatient waits for a moment.
var impatient = Options{Player: player.Options{StepTimeout: 50 * time.Millisecond}}

// played plays the client of a Scenario of one connection.
func played(t *testing.T, text string, nc net.Conn) *outcome.Conn {
	t.Helper()
	s, err := scenario.Parse("played", "scenario \"played\"\nconnection c0\n"+text)
	if err != nil {
		t.Fatal(err)
	}
	one := &round{run: newRun(s, impatient, true), number: 1, begin: time.Now()}
	return one.newConn(s.Conns[0], nc).play(t.Context())
}

// What the other side has not accepted when all steps are over was not sent.
func TestUntaken(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		here, there := pipes()
		go there.Read(make([]byte, 1)) // and no more
		o := played(t, "  1 client Octets \"a\"\n  2 client Octets \"b\"\n", here)
		if want := (outcome.Summary{Connections: 1, Sent: 1, NotSent: 1}); o.Summary() != want || !strings.Contains(o.End, "did not read what was sent in 50ms") {
			t.Errorf("%+v", o)
		}
	})
}

const ping = `  1 client MPARequest Rev=1 C
  2 server after 1 MPAReply Rev=1 C
  3 client after 2 Send "hello"
  4 server after 3 Send "hello"
  5 client after 4 FIN
  6 server after 5 FIN
`

// A peer that falls silent is given up. What it did before counts.
func TestTimeouts(t *testing.T) {
	f := mpa.Frame{Reply: true, C: true, Rev: mpa.Rev1}
	reply, _ := f.AppendBinary(nil)
	hello, _ := (&mpa.Framer{Options: mpa.Options{CRC: true}}).Append(nil, []byte("\x41\x43\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x01\x00\x00\x00\x00hello"))
	for _, tt := range []struct {
		name    string
		answers [2][]byte // to the Request, and to the Send
		says    string
		want    outcome.Summary
	}{
		{"no Reply", [2][]byte{}, "no response within 50 ms", outcome.Summary{NotReached: 3, Sent: 1, NotSent: 2}},
		{"half an answer", [2][]byte{reply, hello[:20]}, "timed out", outcome.Summary{Exact: 1, Mismatched: 1, NotReached: 1, Sent: 2, NotSent: 1}},
		{"no FIN", [2][]byte{reply, hello}, "step 6 timed out", outcome.Summary{Exact: 2, NotReached: 1, Sent: 3}},
	} {
		synctest.Test(t, func(t *testing.T) {
			here, there := pipes()
			defer there.Close()
			go func() {
				io.ReadFull(there, make([]byte, mpa.FrameLen))
				there.Write(tt.answers[0])
				io.ReadFull(there, make([]byte, len(hello)))
				there.Write(tt.answers[1])
				io.Copy(io.Discard, there)
			}()
			o := played(t, ping, here)
			tt.want.Connections, tt.want.Steps = 1, 3
			var text strings.Builder
			outcome.WriteText(&text, &outcome.Report{Conns: []*outcome.Conn{o}}, outcome.TextOptions{})
			if o.Summary() != tt.want || !strings.Contains(text.String(), tt.says) {
				t.Errorf("%s: %+v, want %+v\n%s", tt.name, o.Summary(), tt.want, text.String())
			}
		})
	}
}

// A peer that makes too few connections is not waited for without end.
func TestFewerConnections(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, err := scenario.Parse("two", "scenario \"two\"\nconnection c0\n"+ping+"connection c1\n"+ping)
		if err != nil {
			t.Fatal(err)
		}
		board := switchboard{calls: make(chan net.Conn)}
		l := newListener(board, ListenConfig{})
		defer l.Close()
		go func() {
			here, there := pipes()
			board.calls <- there
			if o := played(t, ping, here); o.Summary().Exact != 3 {
				t.Errorf("%+v", o)
			}
		}()
		o := impatient
		o.Role = scenario.Server
		r, err := Serve(context.Background(), l, s, o)
		if err != nil {
			t.Fatal(err)
		}
		if s := r.Report.Conns[0].Summary(); !s.Passed() {
			t.Errorf("%+v", r.Report.Conns[0])
		}
		if c := r.Report.Conns[1]; c.End != "not established: "+ErrNobody.Error() || r.Connected != 1 {
			t.Errorf("%q, %d connections", c.End, r.Connected)
		}
	})
}
