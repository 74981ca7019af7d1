package live_test

// Whatever a bad peer does, the run ends and reports how.

import (
	"context"
	"errors"
	"io"
	"net"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/replay/live"
	"github.com/iwarpkit/iwarp/replay/outcome"
	"github.com/iwarpkit/iwarp/replay/player"
	"github.com/iwarpkit/iwarp/replay/scenario"
)

// ping is the Scenario that these peers get: a round of rping, and its end.
const ping = `scenario "ping"
connection c0
  1 client MPARequest Rev=1 C
  2 server after 1 MPAReply Rev=1 C
  3 client after 2 Send "hello"
  4 server after 3 Send "hello"
  5 client after 4 FIN
  6 server after 5 FIN
`

// impatient gives up silent peers soon, patient waits for slow ones.
var (
	impatient = live.Options{Player: player.Options{StepTimeout: time.Second}}
	patient   = live.Options{Player: player.Options{StepTimeout: 2 * time.Minute}}
)

// reply returns the MPA Reply of ping.
func reply() []byte {
	f := mpa.Frame{Reply: true, C: true, Rev: mpa.Rev1}
	b, _ := f.AppendBinary(nil)
	return b
}

// hello returns the FPDU that ping expects.
func hello(t *testing.T) []byte {
	s := scenario.NewSender(1)
	f := mpa.Framer{Options: mpa.Options{CRC: true}}
	step := parse(t, ping).Conns[0].Step(4)
	out, err := s.Message(step.Do.(*scenario.Message), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	ulpdu, _ := out.Next(nil, 1024)
	b, err := f.Append(nil, ulpdu)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// peer listens, and lets do handle the first connection.
func peer(t *testing.T, do func(c *net.TCPConn)) (address string) {
	l := listen(t, "127.0.0.1:0")
	over := make(chan struct{})
	go func() {
		defer close(over)
		c, err := l.Accept(t.Context(), time.Time{})
		if err != nil {
			return
		}
		defer c.Close()
		do(c.(*net.TCPConn))
	}()
	t.Cleanup(func() {
		l.Close()
		<-over
	})
	return l.Addr().String()
}

// untilClosed reads until the other side has closed or reset the connection.
func untilClosed(c *net.TCPConn) { io.Copy(io.Discard, c) }

// request receives the MPA Request and answers it.
func request(c *net.TCPConn) {
	io.ReadFull(c, make([]byte, mpa.FrameLen))
	c.Write(reply())
}

// exchange does the same, and answers the first message.
func exchange(c *net.TCPConn, answer []byte) {
	request(c)
	io.ReadFull(c, make([]byte, len(answer)))
	c.Write(answer)
}

func TestPeers(t *testing.T) {
	right, wrong := hello(t), hello(t)
	half := right[:20]
	wrong[len(wrong)-1] ^= 1
	for _, tt := range []struct {
		name string
		do   func(c *net.TCPConn)
		says string // in the text
		want outcome.Summary
	}{
		{"silent", untilClosed, "no response within 1", outcome.Summary{NotReached: 3, Sent: 1, NotSent: 2}},
		{"closes at once", func(*net.TCPConn) {}, "", outcome.Summary{}},
		{"resets", func(c *net.TCPConn) {
			io.ReadFull(c, make([]byte, 1))
			c.SetLinger(0)
		}, "reset", outcome.Summary{}},
		{"closes within the Reply", func(c *net.TCPConn) {
			c.Write(reply()[:7])
			c.CloseWrite()
			untilClosed(c)
		}, "a FIN arrived before step 2", outcome.Summary{Mismatched: 2, NotReached: 1, Sent: 1, NotSent: 2}},
		{"garbage", func(c *net.TCPConn) {
			c.Write([]byte("HTTP/1.0 400 Bad Request\r\n\r\n"))
			untilClosed(c)
		}, "not an MPA frame", outcome.Summary{Mismatched: 1, NotReached: 2, Sent: 1, NotSent: 2}},
		{"half an answer and a FIN", func(c *net.TCPConn) {
			request(c)
			c.Write(half)
			c.CloseWrite()
			untilClosed(c)
		}, "20 octets of an incomplete FPDU", outcome.Summary{Exact: 1, Mismatched: 2, Sent: 2, NotSent: 1}},
		{"half an answer and a reset", func(c *net.TCPConn) {
			request(c)
			c.Write(half)
			c.SetLinger(0)
		}, "reset", outcome.Summary{}},
		{"a wrong CRC", func(c *net.TCPConn) {
			request(c)
			c.Write(wrong)
			untilClosed(c)
		}, "CRC", outcome.Summary{}},
		{"garbage in place of FPDUs", func(c *net.TCPConn) {
			request(c)
			c.Write([]byte(strings.Repeat("not iWARP at all. ", 10000)))
			untilClosed(c)
		}, "CRC", outcome.Summary{}},
		{"good", func(c *net.TCPConn) {
			exchange(c, right)
			untilClosed(c)
		}, "0 mismatched, 0 not reached", outcome.Summary{Exact: 3, Sent: 3}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			o := patient
			if tt.name == "silent" {
				o = impatient
			}
			r, err := live.Dial(testContext(t), peer(t, tt.do), parse(t, ping), o)
			if err != nil {
				t.Fatal(err)
			}
			s := r.Report.Summary()
			if tt.want.Steps = tt.want.Exact + tt.want.Mismatched + tt.want.NotReached; tt.want.Steps > 0 {
				tt.want.Connections = 1
				if s != tt.want {
					t.Errorf("%v, want %v\n%s", s.String(), tt.want.String(), text(r))
				}
			}
			if good := tt.name == "good"; s.Passed() != good || r.Report.Rounds.Passed == 1 != good || !strings.Contains(text(r), tt.says) {
				t.Error(text(r))
			}
		})
	}
}

// TestClients does the same with peers that connect, and do not get beyond the MPA Request.
func TestClients(t *testing.T) {
	for name, do := range map[string]func(c *net.TCPConn){
		"silent":         untilClosed,
		"closes":         func(*net.TCPConn) {},
		"resets":         func(c *net.TCPConn) { c.SetLinger(0) },
		"garbage":        func(c *net.TCPConn) { c.Write([]byte("GET / HTTP/1.0\r\n\r\n")); untilClosed(c) },
		"half a Request": func(c *net.TCPConn) { c.Write([]byte("MPA ID Req")); untilClosed(c) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := listen(t, "127.0.0.1:0")
			c, err := net.Dial("tcp", l.Addr().String())
			if err != nil {
				t.Fatal(err)
			}
			over := make(chan struct{})
			go func() {
				do(c.(*net.TCPConn))
				c.Close()
				close(over)
			}()
			o := impatient
			o.Role = scenario.Server
			r, err := live.Serve(testContext(t), l, parse(t, ping), o)
			<-over
			if err != nil {
				t.Fatal(err)
			}
			if s := r.Report.Summary(); s.Mismatched+s.NotReached < 3 || s.NotSent != 3 {
				t.Error(text(r))
			}
		})
	}
}

// A peer that never reads ends the run, too: with octets that TCP does not accept.
func TestNeverReads(t *testing.T) {
	s := parse(t, `scenario "much"
connection c0
  1 client Octets 00*67108864
  2 client FIN
  3 server after 2 FIN
`)
	stop := make(chan struct{})
	address := peer(t, func(c *net.TCPConn) { <-stop })
	r, err := live.Dial(testContext(t), address, s, impatient)
	close(stop)
	if err != nil {
		t.Fatal(err)
	}
	want := outcome.Summary{Connections: 1, Steps: 1, NotReached: 1, NotSent: 2}
	if s := r.Report.Summary(); s != want {
		t.Error(text(r))
	}
}

// A reset after a FIN is noticed although nothing is sent.
func TestResetBehindFIN(t *testing.T) {
	s := parse(t, `scenario "reset behind FIN"
connection c0
  1 client Octets "x"
  2 server after 1 FIN
  3 server Reset
  4 client after 3 FIN
`)
	noticed := make(chan struct{})
	address := peer(t, func(c *net.TCPConn) {
		io.ReadFull(c, make([]byte, 1))
		c.CloseWrite()
		<-noticed
		c.SetLinger(0)
	})
	o := patient
	o.Tap = func(what live.Traffic) {
		if what.End == mpa.EndsFIN && !what.FromClient {
			close(noticed)
		}
	}
	r, err := live.Dial(testContext(t), address, s, o)
	if err != nil {
		t.Fatal(err)
	}
	if s := r.Report.Summary(); s.Exact != 2 {
		t.Error(text(r))
	}
}

// If nobody listens, that is the error; and the Result says that no step was reached.
func TestNobodyListens(t *testing.T) {
	r, err := live.Dial(testContext(t), "127.0.0.1:1", parse(t, ping), live.Options{})
	if !errors.Is(err, syscall.ECONNREFUSED) {
		t.Error(err)
	}
	if s := r.Report.Summary(); s.NotReached != 3 || s.NotSent != 3 || !strings.Contains(text(r), "not established: ") {
		t.Error(text(r))
	}
}

// Serve leaves a listener as it was, so that it can serve other Scenarios: after one is over, and after one was
// interrupted.
func TestServedAgain(t *testing.T) {
	l, s := listen(t, "127.0.0.1:0"), parse(t, ping)
	for range 2 {
		for _, r := range both(t, l, s, s, [2]live.Options{}) {
			if s := r.Report.Summary(); !s.Passed() {
				t.Error(text(r))
			}
		}
		done, cancel := context.WithCancel(testContext(t))
		cancel()
		if r, err := live.Serve(done, l, s, live.Options{Role: scenario.Server}); err != nil || r.Connected != 0 {
			t.Error(err, text(r))
		}
	}
}

// The run ends soon after its context, with the results so far.
func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(testContext(t))
	address := peer(t, func(c *net.TCPConn) {
		request(c)
		io.ReadFull(c, make([]byte, 28))
		cancel()
		untilClosed(c)
	})
	r, err := live.Dial(ctx, address, parse(t, ping), live.Options{Rounds: 10})
	if err != nil {
		t.Fatal(err)
	}
	if c := r.Report.Conns[0]; r.Report.Rounds.Played != 1 || c.End != "interrupted" || c.Steps[1].Verdict != outcome.Exact {
		t.Errorf("%d rounds\n%s", r.Report.Rounds.Played, text(r))
	}

	// Nobody has connected yet.
	ctx, cancel = context.WithTimeout(testContext(t), 50*time.Millisecond)
	defer cancel()
	r, err = live.Serve(ctx, listen(t, "127.0.0.1:0"), parse(t, ping), live.Options{Role: scenario.Server})
	if err != nil || r.Connected != 0 {
		t.Error(err, text(r))
	}
}
