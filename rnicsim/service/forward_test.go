package service_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"syscall"
	"testing"
	"time"

	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/rnicsim"
	"github.com/iwarpkit/iwarp/rnicsim/driver"
	"github.com/iwarpkit/iwarp/rnicsim/rpc"
	"github.com/iwarpkit/iwarp/rnicsim/service"
)

// forward runs a server that has another one execute Calls.
func forward(t *testing.T, address string, client, server uint32, opened func(client, server *driver.Conn)) *running {
	f := &service.Forwarding{
		Device: open(t), Address: address, Timeout: 10 * time.Second, Options: rpc.Options{Versions: []uint32{server}}, Opened: opened,
	}
	return run(t, "rpc", service.Options{RPC: rpc.Options{Versions: []uint32{client}}, Program: f.Program})
}

// Through two servers that forward, items come back in all kinds of chunks; each connection ends with the others, without an error.
func TestForward(t *testing.T) {
	for _, versions := range [][2]uint32{{1, 2}, {2, 1}} {
		t.Run(fmt.Sprint(versions), func(t *testing.T) {
			r := run(t, "rpc", service.Options{RPC: rpc.Options{Versions: versions[:1]}})
			behind := forward(t, r.address, versions[1], versions[0], nil)
			front := forward(t, behind.address, versions[0], versions[1], nil)
			c := dialRequester(t, front, rpc.Options{Versions: versions[:1]})
			xid := uint32(0)
			for _, proc := range []uint32{rpc.ProcEcho, rpc.ProcPlain} {
				for _, n := range []int{4, 5000, 200000} {
					xid++
					data := bytes.Repeat([]byte{byte(xid)}, n)
					reply := c.echo(xid, proc, data)
					if reply.Err != nil || !bytes.HasSuffix(append(reply.Message, bytes.Join(reply.Results, nil)...), data) {
						t.Errorf("procedure %d returns %d octets and %v", proc, len(reply.Message), reply.Err)
					}
				}
			}
			c.Conn.Close()
			for _, r := range []*running{front, behind, r} {
				if err := <-r.ended; err != nil {
					t.Error(err)
				}
			}
		})
	}
}

// A connection ends when the one behind it does, or is refused if there is none; the Event says why.
func TestForwardEnds(t *testing.T) {
	conns := make(chan *driver.Conn, 1)
	r := run(t, "rpc", service.Options{})
	front := forward(t, r.address, 1, 2, func(_, server *driver.Conn) { conns <- server })
	c := dialRequester(t, front, rpc.Options{Versions: []uint32{1}})
	(<-conns).Abort()
	<-c.Conn.Done()
	if err := <-front.ended; err == nil {
		t.Error("there is no reason")
	}

	old := run(t, "rpc", service.Options{RPC: rpc.Options{Versions: []uint32{1}}})
	front = forward(t, old.address, 1, 2, nil)
	c = dialRequester(t, front, rpc.Options{Versions: []uint32{1}})
	c.Call(shelfCall(1, procRead))
	c.Perform()
	<-c.Conn.Done()
	var refused *rpc.RefusedError
	if err := <-front.ended; !errors.As(err, &refused) || refused.Name != "ERR_VERS" {
		t.Errorf("ended by %v", err)
	}

	d := open(t)
	l, err := d.Listen(t.Context(), "tcp", "127.0.0.1:0", driver.ListenConfig{})
	if err != nil {
		t.Fatal(err)
	}
	l.Close()
	front = forward(t, l.Addr().String(), 1, 2, nil)
	if _, err := d.Dial(t.Context(), "tcp", front.address, driver.ConnConfig{}); err == nil {
		t.Error("the client was accepted without a server")
	}
}

// A client that does not wait, and the end of the context, end an attempt to connect to a server that does not answer.
func TestForwardGivenUp(t *testing.T) {
	silent, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	f := &service.Forwarding{Device: open(t), Address: silent.Addr().String(), Timeout: time.Hour}
	d := open(t)
	s, err := service.New(d, "rpc", service.Options{Program: f.Program})
	if err != nil {
		t.Fatal(err)
	}
	l, err := d.Listen(t.Context(), "tcp", "127.0.0.1:0", driver.ListenConfig{})
	if err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		end  func(client *net.TCPConn, stop context.CancelFunc)
		want error
	}{
		"a reset": {func(c *net.TCPConn, _ context.CancelFunc) { c.SetLinger(0); c.Close() }, rnicsim.ErrReset},
		"a FIN":   {func(c *net.TCPConn, _ context.CancelFunc) { c.Close() }, rnicsim.ErrCut},
		"Ctrl-C":  {func(_ *net.TCPConn, stop context.CancelFunc) { stop() }, context.Canceled},
	} {
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		client, err := net.Dial("tcp", l.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer client.Close()
		client.Write([]byte(mpa.RequestKey + "\x40\x01\x00\x00"))
		r, err := l.Accept(ctx)
		if err != nil {
			t.Fatal(err)
		}
		served := make(chan error)
		go func() { served <- s.Serve(ctx, r) }()
		if _, err := silent.Accept(); err != nil { // stays open
			t.Fatal(err)
		}
		test.end(client.(*net.TCPConn), stop)
		if err := <-served; !errors.Is(err, test.want) {
			t.Errorf("%s: served until %v", name, err)
		}
	}
}

// Where there is no descriptor for the connection to the server, a silent client gives way to the one that waits. If none does in time, this one
// is refused.
func TestForwardWithoutDescriptor(t *testing.T) {
	var front *running
	dials, ended := 0, make(chan error, 1)
	f := &service.Forwarding{Device: open(t), Address: run(t, "rpc", service.Options{}).address, Timeout: 10 * time.Second}
	f.Dial = func(ctx context.Context, network, address string) (net.Conn, error) {
		if dials++; dials > 1 { // the silent client has its connection
			select {
			case err := <-front.ended:
				ended <- err
			case <-time.After(100 * time.Millisecond): // on a busy machine, the silent one gives way late
				return nil, &net.OpError{Op: "socket", Err: syscall.EMFILE}
			}
		}
		return new(net.Dialer).DialContext(ctx, network, address)
	}
	front = run(t, "rpc", service.Options{Program: f.Program})
	dialRequester(t, front, rpc.Options{})
	c := dialRequester(t, front, rpc.Options{})
	if reply := c.echo(1, rpc.ProcEcho, make([]byte, 5000)); reply.Err != nil {
		t.Error(reply.Err)
	}
	if err := <-ended; !errors.Is(err, driver.ErrCrowded) {
		t.Errorf("the silent client ended by %v", err)
	}

	f.Timeout = 50 * time.Millisecond
	f.Dial = func(context.Context, string, string) (net.Conn, error) { return nil, syscall.ENFILE }
	if _, err := open(t).Dial(t.Context(), "tcp", front.address, driver.ConnConfig{}); err == nil {
		t.Error("a client was accepted without a server")
	}
}

// The connection to a server that sends no FIN is reset after a reset of the client, and if too many others wait after it.
func TestForwardClosing(t *testing.T) {
	hung, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer hung.Close()
	go func() {
		for {
			nc, err := hung.Accept()
			if err != nil {
				return
			}
			defer nc.Close()
			io.ReadFull(nc, make([]byte, mpa.FrameLen))
			nc.Write([]byte(mpa.ReplyKey + "\x50\x02\x00\x04\x00\x10\x00\x10"))
		}
	}()
	servers := make(chan *driver.Conn, 1)
	f := &service.Forwarding{
		Device: open(t), Address: hung.Addr().String(), Timeout: time.Hour, Closing: 1,
		Opened: func(_, server *driver.Conn) { servers <- server },
	}
	front := run(t, "rpc", service.Options{Program: f.Program})
	serve := func(end func(*driver.Conn) error) *driver.Conn {
		c, err := open(t).Dial(t.Context(), "tcp", front.address, driver.ConnConfig{})
		if err != nil {
			t.Fatal(err)
		}
		end(c)
		<-front.ended
		return <-servers
	}
	aborted := func(why string, server *driver.Conn) {
		t.Helper()
		if <-server.Done(); server.Err() != rnicsim.ErrAborted {
			t.Errorf("%s: ended by %v", why, server.Err())
		}
	}
	aborted("a reset of the client", serve((*driver.Conn).Abort))
	one, other := serve((*driver.Conn).Close), serve((*driver.Conn).Close)
	select {
	case <-one.Done():
	case <-other.Done():
		one = other
	}
	aborted("too many", one)
}
