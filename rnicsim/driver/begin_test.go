package driver

// How connections begin: everything that MPA can agree on, and rejections.

import (
	"bytes"
	"context"
	"errors"
	"net"
	"testing"
	"time"

	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/rnicsim"
)

// exercise does one of each: a Send, a Write, a Read of what was written, an Atomic, and a Send back.
func exercise(t testing.TB, a, b *Conn, length int) {
	t.Helper()
	octets := make([]byte, length)
	for i := range octets {
		octets[i] = byte(i * 7)
	}
	from, back := region(t, a, bytes.Clone(octets)), make([]byte, length)
	into := region(t, a, back)
	written, sent, answered := make([]byte, length), make([]byte, length), make([]byte, length)
	remote, receive, reply := region(t, b, written), region(t, b, sent), region(t, a, answered)
	if err := b.PostReceive(rnicsim.WorkRequest{ID: 1, SGL: []rnicsim.SGE{receive}}); err != nil {
		t.Fatal(err)
	}
	if err := a.PostReceive(rnicsim.WorkRequest{ID: 2, SGL: []rnicsim.SGE{reply}}); err != nil {
		t.Fatal(err)
	}
	err := a.Post(
		rnicsim.WorkRequest{ID: 3, Op: rnicsim.OpWrite, SGL: []rnicsim.SGE{from}, Remote: remote.STag, RemoteTO: remote.TO},
		rnicsim.WorkRequest{ID: 4, Op: rnicsim.OpRead, Local: into, Remote: remote.STag, RemoteTO: remote.TO},
		rnicsim.WorkRequest{ID: 5, Op: rnicsim.OpSend, SGL: []rnicsim.SGE{from}, ReadFence: true},
	)
	if err != nil {
		t.Fatal(err)
	}
	if got := wait(t, b, 1)[0]; got.Status != rnicsim.Success || got.WRID != 1 || int(got.Length) != length {
		t.Fatal(got)
	}
	if err := b.Post(rnicsim.WorkRequest{ID: 6, Op: rnicsim.OpSend, SGL: []rnicsim.SGE{receive}}); err != nil {
		t.Fatal(err)
	}
	for _, c := range append(wait(t, a, 4), wait(t, b, 1)...) {
		if c.Status != rnicsim.Success {
			t.Errorf("%+v", c)
		}
	}
	for name, got := range map[string][]byte{"written": written, "read": back, "sent": sent, "answered": answered} {
		if !bytes.Equal(got, octets) {
			t.Errorf("%s: other octets", name)
		}
	}
}

// finish closes both ends gracefully.
func finish(t testing.TB, a, b *Conn) {
	t.Helper()
	a.Close()
	for _, c := range []*Conn{a, b} {
		select {
		case <-c.Done():
		case <-time.After(patient):
			t.Fatal("not over")
		}
		if err := c.Err(); err != nil {
			t.Error(err)
		}
	}
}

// beginnings are the MPA frames of both sides, and what they negotiate.
var beginnings = []struct {
	name    string
	a, b    rnicsim.StreamConfig
	version uint8
	crc     bool
	markers [2]bool // in what the Initiator sends, and the Responder
	reads   [2]int  // ORD of both; -1 for not negotiated
}{
	{"defaults", rnicsim.StreamConfig{}, rnicsim.StreamConfig{}, mpa.Rev2, true, [2]bool{}, [2]int{16, 16}},
	{"revision 0", rnicsim.StreamConfig{Rev: mpa.RevRDMAC, Markers: true, CRC: true},
		rnicsim.StreamConfig{Rev: mpa.RevRDMAC, Markers: true, CRC: true}, mpa.RevRDMAC, true, [2]bool{true, true}, [2]int{-1, -1}},
	{"revision 0 and permissive", rnicsim.StreamConfig{Rev: mpa.RevRDMAC, Markers: true, CRC: true},
		rnicsim.StreamConfig{Rev: mpa.Rev2, CRC: true, Permissive: true}, mpa.RevRDMAC, true, [2]bool{true, true}, [2]int{-1, -1}},
	{"revision 1", rnicsim.StreamConfig{Rev: mpa.Rev1, CRC: true}, rnicsim.StreamConfig{Rev: mpa.Rev1, CRC: true},
		mpa.Rev1, true, [2]bool{}, [2]int{-1, -1}},
	{"revision 1 of 2", rnicsim.StreamConfig{Rev: mpa.Rev1, CRC: true}, rnicsim.StreamConfig{}, mpa.Rev1, true, [2]bool{}, [2]int{-1, -1}},
	{"no CRC", rnicsim.StreamConfig{Rev: mpa.Rev1}, rnicsim.StreamConfig{Rev: mpa.Rev1}, mpa.Rev1, false, [2]bool{}, [2]int{-1, -1}},
	{"CRC of one side", rnicsim.StreamConfig{Rev: mpa.Rev1}, rnicsim.StreamConfig{Rev: mpa.Rev1, CRC: true}, mpa.Rev1, true, [2]bool{}, [2]int{-1, -1}},
	{"Markers both ways", rnicsim.StreamConfig{Rev: mpa.Rev1, Markers: true, CRC: true},
		rnicsim.StreamConfig{Rev: mpa.Rev1, Markers: true, CRC: true}, mpa.Rev1, true, [2]bool{true, true}, [2]int{-1, -1}},
	{"Markers for the Initiator", rnicsim.StreamConfig{Rev: mpa.Rev1, Markers: true}, rnicsim.StreamConfig{Rev: mpa.Rev1},
		mpa.Rev1, false, [2]bool{false, true}, [2]int{-1, -1}},
	{"Markers for the Responder", rnicsim.StreamConfig{Rev: mpa.Rev1}, rnicsim.StreamConfig{Rev: mpa.Rev1, Markers: true},
		mpa.Rev1, false, [2]bool{true, false}, [2]int{-1, -1}},
	{"IRD and ORD", enhanced(mpa.Enhanced{IRD: 3, ORD: 2}), enhanced(mpa.Enhanced{IRD: 9, ORD: 5}), mpa.Rev2, true, [2]bool{}, [2]int{2, 3}},
	{"RTR by Send", enhanced(mpa.Enhanced{A: true, B: true, IRD: 4, ORD: 4}), rnicsim.StreamConfig{}, mpa.Rev2, true, [2]bool{}, [2]int{4, 4}},
	{"RTR by Write", enhanced(mpa.Enhanced{A: true, C: true, IRD: 4, ORD: 4}), rnicsim.StreamConfig{}, mpa.Rev2, true, [2]bool{}, [2]int{4, 4}},
	{"RTR by Read", enhanced(mpa.Enhanced{A: true, D: true, IRD: 4, ORD: 4}), rnicsim.StreamConfig{}, mpa.Rev2, true, [2]bool{}, [2]int{4, 4}},
}

func enhanced(e mpa.Enhanced) rnicsim.StreamConfig {
	return rnicsim.StreamConfig{Rev: mpa.Rev2, CRC: true, Enhanced: &e}
}

// All that MPA can negotiate leads to a connection that carries messages of one and of several FPDUs, and closes.
func TestBegin(t *testing.T) {
	for _, tt := range beginnings {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := setup{listen: ListenConfig{Stream: tt.b}}
			s.conn[0].Stream = tt.a
			s.conn[0].Private, s.conn[1].Private = []byte("request"), []byte("the reply")
			rtr := tt.a.Enhanced != nil && tt.a.Enhanced.A && tt.a.Enhanced.B
			s.conn[1].Prepare = func(c *Conn) error {
				if !rtr {
					return nil
				}
				return c.PostReceive(rnicsim.WorkRequest{ID: 99})
			}
			a, b := s.connect(t)
			for _, c := range []*Conn{a, b} {
				g, request, reply := c.Agreement(), c.Request(), c.Reply()
				if g.Rev != tt.version || g.CRC != tt.crc || g.MarkersFromInit != tt.markers[0] || g.MarkersFromResp != tt.markers[1] ||
					g.InitORD != tt.reads[0] || g.RespORD != tt.reads[1] {
					t.Errorf("%+v", g)
				}
				if string(request.ULPPrivateData()) != "request" || string(reply.ULPPrivateData()) != "the reply" {
					t.Errorf("%q, %q", request.ULPPrivateData(), reply.ULPPrivateData())
				}
			}
			if rtr {
				if c := wait(t, b, 1)[0]; c.WRID != 99 || c.Length != 0 {
					t.Error(c)
				}
			}
			for _, n := range []int{1, 1000, 150_000} {
				exercise(t, a, b, n)
			}
			finish(t, a, b)
		})
	}
}

// IPv6 works as IPv4 does.
func TestIPv6(t *testing.T) {
	server := open(t, Config{})
	l, err := server.Listen(context.Background(), "tcp6", "[::1]:0", ListenConfig{})
	if err != nil {
		t.Skip("no IPv6: ", err)
	}
	a, b := setup{}.join(t, open(t, Config{}), l)
	if ip := a.RemoteAddr().(*net.TCPAddr).IP; !ip.Equal(net.IPv6loopback) {
		t.Error(ip)
	}
	exercise(t, a, b, 100_000)
	finish(t, a, b)
}

// Any net.Conn will do: net.Pipe has no buffer, and cannot close one side.
func TestPipe(t *testing.T) {
	da, db := open(t, Config{}), open(t, Config{})
	x, y := net.Pipe()
	ctx := testContext(t)
	accepted := make(chan *Conn, 1)
	go func() {
		r, err := db.Respond(ctx, y, rnicsim.StreamConfig{})
		if err != nil {
			t.Error(err)
			close(accepted)
			return
		}
		c, err := r.Accept(ctx, ConnConfig{})
		if err != nil {
			t.Error(err)
		}
		accepted <- c
	}()
	a, err := da.Initiate(ctx, x, ConnConfig{})
	if err != nil {
		t.Fatal(err)
	}
	b := <-accepted
	if b == nil {
		t.Fatal("not accepted")
	}
	for range 3 {
		exercise(t, a, b, 100_000)
	}
	finish(t, a, b)
}

// A rejection carries Private Data, and the error returns it.
func TestReject(t *testing.T) {
	for _, stream := range []rnicsim.StreamConfig{{}, {Rev: mpa.Rev1, CRC: true}} {
		server, client := open(t, Config{}), open(t, Config{})
		l := listen(t, server, ListenConfig{Stream: stream})
		ctx := testContext(t)
		go func() {
			r, err := l.Accept(ctx)
			if err != nil {
				t.Error(err)
				return
			}
			if err := r.Reject([]byte("not today")); err != nil {
				t.Error(err)
			}
			if err := r.Reject(nil); err == nil {
				t.Error("rejected twice")
			}
			if _, err := r.Accept(ctx, ConnConfig{}); err == nil {
				t.Error("accepted after a rejection")
			}
		}()
		_, err := client.Dial(ctx, "tcp", l.Addr().String(), ConnConfig{Stream: stream})
		var rejected *Rejected
		if !errors.As(err, &rejected) || string(rejected.Reply.ULPPrivateData()) != "not today" || !rejected.Reply.R {
			t.Error(err)
		}
		gone(t, server)
		gone(t, client)
	}
}

// gone waits until a Device has no connections, and checks that nothing of them is left.
func gone(t testing.TB, d *Device) {
	t.Helper()
	for end := time.Now().Add(patient); ; time.Sleep(time.Millisecond) {
		d.mu.Lock()
		conns, held, waiting, byCQ := len(d.conns), d.held.octets, len(d.timer.waiting), len(d.byCQ)
		d.mu.Unlock()
		if conns == 0 {
			if held+waiting+byCQ != 0 {
				t.Errorf("%d octets held, %d waiting, %d CQs", held, waiting, byCQ)
			}
			return
		}
		if time.Now().After(end) {
			t.Fatalf("%d connections left", conns)
		}
	}
}

// A failure of the start-up is returned to those that wait for it.
func TestBeginFails(t *testing.T) {
	refusal := errors.New("refused by Prepare")
	full := rnicsim.DefaultLimits
	full.QPs = 0
	tests := []struct {
		name string
		s    setup
		a, b error
	}{
		{"revision", setup{listen: ListenConfig{Stream: rnicsim.StreamConfig{Rev: mpa.Rev1}}}, rnicsim.ErrCut, context.Canceled},
		{"private data", setup{conn: [2]ConnConfig{{Private: make([]byte, 600)}}}, rnicsim.ErrPrivateData, context.Canceled},
		{"private data of the Reply", setup{conn: [2]ConnConfig{{}, {Private: make([]byte, 600)}}}, rnicsim.ErrReset, rnicsim.ErrInvalidModifier},
		{"Prepare of the Initiator", setup{conn: [2]ConnConfig{{Prepare: func(*Conn) error { return refusal }}}}, refusal, context.Canceled},
		{"Prepare of the Responder", setup{conn: [2]ConnConfig{{}, {Prepare: func(*Conn) error { return refusal }}}}, rnicsim.ErrReset, refusal},
		{"no QPs", setup{device: [2]Config{{RNIC: rnicsim.Config{Limits: full}}}}, rnicsim.ErrInsufficientResources, context.Canceled},
		{"no QPs there", setup{device: [2]Config{{}, {RNIC: rnicsim.Config{Limits: full}}}}, rnicsim.ErrReset, rnicsim.ErrInsufficientResources},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			da, db := open(t, tt.s.device[0]), open(t, tt.s.device[1])
			l := listen(t, db, tt.s.listen)
			ctx, cancel := context.WithCancel(testContext(t))
			defer cancel()
			failed := make(chan error, 1)
			go func() {
				r, err := l.Accept(ctx)
				if err == nil {
					_, err = r.Accept(ctx, tt.s.conn[1])
				}
				failed <- err
			}()
			if _, err := da.Dial(ctx, "tcp", l.Addr().String(), tt.s.conn[0]); !errors.Is(err, tt.a) {
				t.Error("Dial: ", err)
			}
			if tt.b == context.Canceled { // nothing comes to Accept
				cancel()
			}
			if err := <-failed; !errors.Is(err, tt.b) {
				t.Error("Accept: ", err)
			}
			gone(t, da)
			gone(t, db)
		})
	}
}

// A Dial without an answer ends with its context, or with the Timeout of the Stream.
func TestDialGivesUp(t *testing.T) {
	silent, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	d := open(t, Config{})
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Millisecond)
	defer cancel()
	if _, err := d.Dial(ctx, "tcp", silent.Addr().String(), ConnConfig{}); !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
	soon := rnicsim.StreamConfig{Rev: mpa.Rev1, Timeout: 30 * time.Millisecond}
	if _, err := d.Dial(testContext(t), "tcp", silent.Addr().String(), ConnConfig{Stream: soon}); !errors.Is(err, rnicsim.ErrTimeout) {
		t.Error(err)
	}
	gone(t, d)
}

// Sizes that are not given have defaults, and -1 stands for zero.
func TestDefaults(t *testing.T) {
	var q rnicsim.QPConfig
	sizes(&q, 1, 2)
	want := rnicsim.QPConfig{SQ: 128, RQ: 128, SendSGEs: 4, WriteSGEs: 4, RecvSGEs: 4, IRD: 1, ORD: 2, RemoteRead: true, RemoteWrite: true}
	if q != want {
		t.Errorf("%+v", q)
	}
	q = rnicsim.QPConfig{RQ: -1, SQ: 3}
	sizes(&q, 1, 2)
	if want = (rnicsim.QPConfig{SQ: 3, SendSGEs: 4, WriteSGEs: 4, RecvSGEs: 4, IRD: 1, ORD: 2}); q != want {
		t.Errorf("%+v", q)
	}
}

// Requests wait for Accept, and are reset when the Listener is closed.
func TestListenerCloses(t *testing.T) {
	server, client := open(t, Config{}), open(t, Config{})
	ctx, cancel := context.WithCancel(context.Background())
	l, err := server.Listen(ctx, "tcp", "127.0.0.1:0", ListenConfig{})
	if err != nil {
		t.Fatal(err)
	}
	failed := make(chan error)
	go func() {
		_, err := client.Dial(testContext(t), "tcp", l.Addr().String(), ConnConfig{})
		failed <- err
	}()
	r, err := l.Accept(ctx)
	if err != nil {
		t.Fatal(err)
	}
	cancel()
	if err := <-failed; err == nil {
		t.Error("connected")
	}
	if _, err := l.Accept(context.Background()); !errors.Is(err, net.ErrClosed) {
		t.Error(err)
	}
	if _, err := r.Accept(context.Background(), ConnConfig{}); err == nil {
		t.Error("accepted")
	}
	if err := l.Close(); !errors.Is(err, net.ErrClosed) {
		t.Error(err)
	}
	gone(t, server)
}
