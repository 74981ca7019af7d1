package service_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/iwarpkit/iwarp/rnicsim"
	"github.com/iwarpkit/iwarp/rnicsim/driver"
	"github.com/iwarpkit/iwarp/rnicsim/service"
)

func TestSinkCounts(t *testing.T) {
	r := run(t, "sink", service.Options{Receives: 8, ReceiveSize: 100})
	c := dial(t, r, 4)
	if o := c.offer; o.Answer != service.Counts || o.Receives != 8 || o.ReceiveSize != 100 || o.Length != service.DefaultRegion {
		t.Fatalf("offer %+v", o)
	}
	send := func(n int) rnicsim.WorkRequest { return rnicsim.WorkRequest{Op: rnicsim.OpSend, SGL: c.sgl(1000, n)} }
	for range 4 { // half as many as there are Receives
		c.post(send(100))
		c.wait(rnicsim.OpSend, 1)
	}
	c.wait(rnicsim.OpReceive, 1)
	c.post(send(1), rnicsim.WorkRequest{Op: rnicsim.OpImmediate, Data: 7}, send(0)) // the last one asks
	for told := uint64(0); told < 7; {
		d := c.wait(rnicsim.OpReceive, 1)[0]
		if d.Length != 8 {
			t.Fatalf("a count has %d octets", d.Length)
		}
		told = binary.BigEndian.Uint64(c.memory[64*d.WRID:])
	}
	if got := binary.BigEndian.Uint64(c.memory); got != 4 {
		t.Errorf("the first count is %d, want 4", got)
	}
	if err := c.finish(r); err != nil {
		t.Error(err)
	}
	last := r.events[len(r.events)-1]
	if last.Type != service.Ended || last.Messages != 7 || last.Octets != 409 || len(r.events) != 9 {
		t.Errorf("%d events, the last is %+v", len(r.events), last)
	}
}

// A client without a Receive for the count ends the connection.
func TestSinkNeedsReceivesOfItsClient(t *testing.T) {
	r := run(t, "sink", service.Options{})
	c := dial(t, r, 0)
	c.post(rnicsim.WorkRequest{Op: rnicsim.OpSend})
	<-c.Done()
	var at *driver.Terminated
	if err := <-r.ended; !errors.As(err, &at) || at.Local {
		t.Errorf("the server says %v", err)
	}
}

func TestEcho(t *testing.T) {
	r := run(t, "echo", service.Options{Receives: 2, ReceiveSize: 64})
	c := dial(t, r, 100)
	if o := c.offer; o.Answer != service.Echoes || o.Receives != 2 || o.ReceiveSize != 64 {
		t.Fatalf("offer %+v", o)
	}
	// Two are under way all the time, so that all four buffers are used.
	send := func(i int) {
		n := i % 65
		at := 8192 + 64*i
		for j := range n {
			c.memory[at+j] = byte(i + j)
		}
		c.post(rnicsim.WorkRequest{ID: uint64(i), Op: rnicsim.OpSend, SGL: c.sgl(at, n)})
	}
	send(0)
	send(1)
	for i := range 90 {
		d := c.wait(rnicsim.OpReceive, 1)[0]
		if want := c.memory[8192+64*i:][:i%65]; !bytes.Equal(c.memory[64*d.WRID:][:d.Length], want) {
			t.Fatalf("message %d came back as % x, want % x", i, c.memory[64*d.WRID:][:d.Length], want)
		}
		send(i + 2)
	}
	c.wait(rnicsim.OpReceive, 2)
	c.post(rnicsim.WorkRequest{Op: rnicsim.OpImmediate, Data: 0x0102030405060708})
	if d := c.wait(rnicsim.OpReceive, 1)[0]; !d.Immediate || d.Data != 0x0102030405060708 {
		t.Errorf("Immediate Data came back as %+v", d)
	}
	if err := c.finish(r); err != nil {
		t.Error(err)
	}
}

func TestMemoryIsShared(t *testing.T) {
	r := run(t, "memory", service.Options{Region: 4096})
	a, b := dial(t, r, 0), dial(t, r, 0)
	if a.offer != b.offer || a.offer.Answer != service.TakesNone || a.offer.Length != 4096 || a.offer.TO%8 != 0 {
		t.Fatalf("offers %+v and %+v", a.offer, b.offer)
	}
	add := rnicsim.WorkRequest{Op: rnicsim.OpFetchAdd, Local: a.sgl(0, 8)[0], Remote: a.offer.STag, RemoteTO: a.offer.TO, Data: 5}
	a.post(add)
	if d := a.wait(rnicsim.OpFetchAdd, 1)[0]; d.Data != 0 {
		t.Errorf("the first FetchAdd found %d", d.Data)
	}
	add.Local = b.sgl(0, 8)[0]
	b.post(add)
	if d := b.wait(rnicsim.OpFetchAdd, 1)[0]; d.Data != 5 {
		t.Errorf("the second FetchAdd found %d", d.Data)
	}
	copy(a.memory, "written")
	a.post(rnicsim.WorkRequest{Op: rnicsim.OpWrite, SGL: a.sgl(0, 7), Remote: a.offer.STag, RemoteTO: a.offer.TO + 4089})
	read := rnicsim.WorkRequest{Op: rnicsim.OpRead, Remote: a.offer.STag, RemoteTO: a.offer.TO + 4089}
	read.Local = a.sgl(100, 7)[0]
	a.post(read)
	a.wait(rnicsim.OpRead, 1)
	read.Local = b.sgl(100, 7)[0]
	b.post(read)
	b.wait(rnicsim.OpRead, 1)
	if got := string(b.memory[100:107]); got != "written" {
		t.Errorf("read %q", got)
	}
	if err := errors.Join(a.finish(r), b.finish(r)); err != nil {
		t.Error(err)
	}
}

// The regions of two connections of sink are separate: the STag of one is invalid on the other.
func TestRegionsAreApart(t *testing.T) {
	r := run(t, "sink", service.Options{})
	a, b := dial(t, r, 0), dial(t, r, 0)
	b.post(rnicsim.WorkRequest{Op: rnicsim.OpWrite, SGL: b.sgl(0, 1), Remote: a.offer.STag, RemoteTO: a.offer.TO})
	<-b.Done()
	var terminated *driver.Terminated
	if err := b.Err(); !errors.As(err, &terminated) || terminated.Local {
		t.Errorf("a Write to the region of another connection: %v", err)
	}
}

// The protocol of rping, by hand.
func TestRping(t *testing.T) {
	r := run(t, "rping", service.Options{Region: 100})
	c := dial(t, r, 8)
	reply := c.Reply()
	if n := reply.ULPPrivateDataLen(); n != 0 {
		t.Errorf("%d octets of Private Data", n)
	}
	const source, sink, advert = 10000, 20000, 30000
	advertise := func(at, n int) {
		a := service.Advertisement{TO: c.sge.TO + uint64(at), STag: c.sge.STag, Length: uint32(n)}
		b, _ := a.AppendBinary(nil)
		copy(c.memory[advert:], b)
		c.post(rnicsim.WorkRequest{Op: rnicsim.OpSend, SGL: c.sgl(advert, len(b))})
		if d := c.wait(rnicsim.OpReceive, 1)[0]; d.Length != 16 {
			t.Fatalf("an answer has %d octets", d.Length)
		}
	}
	for i, n := range []int{64, 100, 1} {
		copy(c.memory[source:], bytes.Repeat([]byte{byte('a' + i)}, n))
		advertise(source, n)
		advertise(sink, n)
		if diff := cmp.Diff(c.memory[source:][:n], c.memory[sink:][:n]); diff != "" {
			t.Errorf("octets that came back (-want +got):\n%s", diff)
		}
	}
	if err := c.finish(r); err != nil {
		t.Error(err)
	}
}

func TestRpingEndsWhatItDoesNotUnderstand(t *testing.T) {
	tests := []struct {
		name    string
		message []byte
		want    error
	}{
		{"too short", make([]byte, 15), service.ErrBogus},
		{"too much memory", append(make([]byte, 12), 0, 0, 0, 101), service.ErrTooMuch},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r := run(t, "rping", service.Options{Region: 100})
			c := dial(t, r, 1)
			copy(c.memory, test.message)
			c.post(rnicsim.WorkRequest{Op: rnicsim.OpSend, SGL: c.sgl(0, len(test.message))})
			if err := c.finish(r); !errors.Is(err, test.want) {
				t.Errorf("the server says %v, want %v", err, test.want)
			}
		})
	}
}

// The Device releases what a connection used: thousands can follow each other where there is room for one.
func TestNothingIsKept(t *testing.T) {
	d := openSmall(t)
	for _, s := range service.Services() {
		server, err := service.New(d, s.Name, service.Options{Region: 64, Receives: 2, ReceiveSize: 64})
		if err != nil {
			t.Fatal(err)
		}
		l, err := d.Listen(t.Context(), "tcp", "127.0.0.1:0", driver.ListenConfig{})
		if err != nil {
			t.Fatal(err)
		}
		peer := open(t)
		for range 20 {
			conn, err := make(chan *driver.Conn), error(nil)
			go func() {
				c, err := peer.Dial(t.Context(), "tcp", l.Addr().String(), driver.ConnConfig{})
				if err != nil {
					t.Error(err)
				}
				c.Close()
				conn <- c
			}()
			request, err := l.Accept(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if err := server.Serve(t.Context(), request); err != nil {
				t.Fatal(s.Name, err)
			}
			<-conn
		}
	}
}

func TestNewErrors(t *testing.T) {
	d := open(t)
	if _, err := service.New(d, "echo", service.Options{Receives: 8192, ReceiveSize: 1 << 30}); !errors.Is(err, service.ErrSize) {
		t.Errorf("buffers of 16 TiB: %v", err)
	}
	if _, err := service.New(d, "snik", service.Options{}); !errors.Is(err, service.ErrUnknown) {
		t.Errorf("an unknown name: %v", err)
	}
	for _, o := range []service.Options{{Region: -1}, {Region: 1<<30 + 1}, {Receives: 1 << 20}, {ReceiveSize: -5}} {
		if _, err := service.New(d, "sink", o); !errors.Is(err, service.ErrSize) {
			t.Errorf("%+v: %v", o, err)
		}
	}
}

// rping has to read: New fails without ORD, and a client without IRD is rejected.
func TestRpingNeedsReads(t *testing.T) {
	if _, err := service.New(open(t), "rping", service.Options{ORD: -1}); err != service.ErrNoReads {
		t.Error(err)
	}
	d := open(t)
	c := driver.ConnConfig{QP: rnicsim.QPConfig{IRD: -1, RemoteRead: true}}
	_, err := d.Dial(t.Context(), "tcp", run(t, "rping", service.Options{}).address, c)
	var rejected *driver.Rejected
	if !errors.As(err, &rejected) {
		t.Error(err)
	}
}
