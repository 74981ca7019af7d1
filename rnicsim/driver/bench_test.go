package driver

// What the driver costs, against TCP alone in the same run.

import (
	"context"
	"io"
	"net"
	"slices"
	"testing"

	"github.com/iwarpkit/iwarp/internal/link"
	"github.com/iwarpkit/iwarp/rnicsim"
)

const (
	flowLen   = 64 << 10
	flowDepth = 16 // messages outstanding
	pingLen   = 64
)

// tcpPair returns two ends of a TCP connection over loopback.
func tcpPair(t testing.TB) (a, b net.Conn) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if a, err = net.Dial("tcp", l.Addr().String()); err != nil {
		t.Fatal(err)
	}
	if b, err = l.Accept(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		a.Close()
		b.Close()
	})
	return a, b
}

// BenchmarkThroughput moves messages of 64 KiB one way.
func BenchmarkThroughput(b *testing.B) {
	b.Run("plain", benchmarkPlain)
	for name, op := range map[string]rnicsim.Op{"write": rnicsim.OpWrite, "send": rnicsim.OpSend, "read": rnicsim.OpRead} {
		b.Run(name, func(b *testing.B) { benchmarkFlow(b, op) })
	}
}

// benchmarkPlain has one end write messages, and the other read them.
func benchmarkPlain(b *testing.B) {
	from, to := tcpPair(b)
	link.New(from) // which chooses the congestion control of a Conn
	done := make(chan error, 1)
	go func() {
		sink := make([]byte, flowLen)
		for {
			if _, err := io.ReadFull(to, sink); err != nil {
				done <- err
				return
			}
		}
	}()
	source := make([]byte, flowLen)
	b.SetBytes(flowLen)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := from.Write(source); err != nil {
			b.Fatal(err)
		}
	}
	from.Close()
	<-done
}

// A flow is messages of one kind, several of which are outstanding at a time.
type flow struct {
	a, b    *Conn
	wrs     []rnicsim.WorkRequest // all the same
	receive rnicsim.WorkRequest
	done    [flowDepth]rnicsim.Completion
}

func newFlow(t testing.TB, op rnicsim.Op) *flow {
	f := &flow{}
	f.a, f.b = setup{}.connect(t)
	local, remote := region(t, f.a, make([]byte, flowLen)), region(t, f.b, make([]byte, flowLen))
	wr := rnicsim.WorkRequest{Op: op, SGL: []rnicsim.SGE{local}, Local: local, Remote: remote.STag, RemoteTO: remote.TO}
	f.wrs = slices.Repeat([]rnicsim.WorkRequest{wr}, flowDepth)
	if op == rnicsim.OpSend {
		f.receive = rnicsim.WorkRequest{SGL: []rnicsim.SGE{remote}}
		for range 100 {
			if err := f.b.PostReceive(f.receive); err != nil {
				t.Fatal(err)
			}
		}
		f.b.OnCompletion(func(done []rnicsim.Completion) {
			for range done {
				f.b.PostReceive(f.receive)
			}
		})
	}
	return f
}

// run moves n messages, and returns when the last is done.
func (f *flow) run(t testing.TB, n int) {
	ctx := context.Background()
	outstanding := 0
	for n > 0 || outstanding > 0 {
		more := min(n, flowDepth-outstanding)
		if err := f.a.Post(f.wrs[:more]...); err != nil {
			t.Fatal(err)
		}
		n, outstanding = n-more, outstanding+more
		m, err := f.a.Wait(ctx, f.done[:])
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range f.done[:m] {
			if c.Status != rnicsim.Success {
				t.Fatal(c)
			}
		}
		outstanding -= m
	}
}

// benchmarkFlow ends with a Read, whose response comes when all before it is placed.
func benchmarkFlow(b *testing.B, op rnicsim.Op) {
	f := newFlow(b, op)
	f.run(b, 100)
	b.SetBytes(flowLen)
	b.ReportAllocs()
	b.ResetTimer()
	f.run(b, b.N)
	f.wrs[0].Op, f.wrs[0].Local.Len = rnicsim.OpRead, 1
	f.run(b, 1)
}

// BenchmarkPing sends 64 octets back and forth.
func BenchmarkPing(b *testing.B) {
	b.Run("plain", func(b *testing.B) {
		from, to := tcpPair(b)
		go echo(to)
		octets := make([]byte, pingLen)
		b.ReportAllocs()
		for b.Loop() {
			if _, err := from.Write(octets); err != nil {
				b.Fatal(err)
			}
			if _, err := io.ReadFull(from, octets); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("wait", func(b *testing.B) {
		p := newPing(b)
		b.ReportAllocs()
		for b.Loop() {
			p.round(b)
		}
	})
	b.Run("send", func(b *testing.B) {
		p := newPing(b)
		b.ReportAllocs()
		b.ResetTimer()
		p.rounds(b, b.N)
	})
}

// echo sends back what it receives.
func echo(c net.Conn) {
	octets := make([]byte, pingLen)
	for {
		if _, err := io.ReadFull(c, octets); err != nil {
			return
		}
		if _, err := c.Write(octets); err != nil {
			return
		}
	}
}

// A ping is two ends, one of which sends back what it receives.
type ping struct {
	a, b          *Conn
	send, receive rnicsim.WorkRequest
	done          [4]rnicsim.Completion
}

func newPing(t testing.TB) *ping {
	p := &ping{}
	p.a, p.b = setup{}.connect(t)
	make64 := func(c *Conn) (send, receive rnicsim.WorkRequest) {
		send = rnicsim.WorkRequest{Op: rnicsim.OpSend, Unsignaled: true, SGL: []rnicsim.SGE{region(t, c, make([]byte, pingLen))}}
		receive = rnicsim.WorkRequest{SGL: []rnicsim.SGE{region(t, c, make([]byte, pingLen))}}
		return send, receive
	}
	p.send, p.receive = make64(p.a)
	send, receive := make64(p.b)
	p.b.PostReceive(receive, receive)
	p.b.OnCompletion(func(done []rnicsim.Completion) {
		for i := range done {
			if done[i].Op == rnicsim.OpReceive && done[i].Status == rnicsim.Success {
				p.b.PostReceive(receive)
				p.b.Post(send)
			}
		}
	})
	return p
}

// round is one message and its echo.
func (p *ping) round(t testing.TB) {
	p.a.PostReceive(p.receive)
	if err := p.a.Post(p.send); err != nil {
		t.Fatal(err)
	}
	if _, err := p.a.Wait(context.Background(), p.done[:]); err != nil {
		t.Fatal(err)
	}
}

// rounds runs n rounds, driven by completions alone.
func (p *ping) rounds(t testing.TB, n int) {
	finished := make(chan struct{})
	p.a.OnCompletion(func(done []rnicsim.Completion) {
		for i := range done {
			if n--; n == 0 {
				close(finished)
			} else if done[i].Status == rnicsim.Success {
				p.a.PostReceive(p.receive)
				p.a.Post(p.send)
			}
		}
	})
	p.a.PostReceive(p.receive)
	p.a.Post(p.send)
	<-finished
}
