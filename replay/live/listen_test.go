package live_test

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"runtime"
	"testing"
	"time"

	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/replay/live"
)

// A Listener finds the connection of the peer among unexpected ones, which close at once, send something else, or stay silent, before and
// after it, and counts them.
func TestUnexpected(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("looking at octets without taking them needs Linux")
	}
	l, err := live.Listen(t.Context(), "127.0.0.1:0", live.ListenConfig{Patience: 5 * time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	var all []net.Conn
	connect := func(octets string) net.Conn {
		c, err := net.Dial("tcp", l.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		c.Write([]byte(octets))
		t.Cleanup(func() { c.Close() })
		all = append(all, c)
		return c
	}
	for range 100 {
		connect("") // silent; more than may wait
	}
	connect("GET / HTTP/1.1\r\n\r\n")
	connect(mpa.RequestKey[:10])
	connect("").Close()
	f := mpa.Frame{Rev: mpa.Rev1}
	request, _ := f.AppendBinary(nil)
	peer := connect(string(request[:7]))
	go func() {
		for _, x := range request[7:] {
			time.Sleep(time.Millisecond)
			peer.Write([]byte{x})
		}
	}()
	nc, err := l.Accept(t.Context(), time.Time{})
	if err != nil {
		t.Fatal(err)
	}
	got := make([]byte, 100)
	if n, err := nc.Read(got); err != nil || string(got[:n]) != string(request) || nc.RemoteAddr().String() != peer.LocalAddr().String() {
		t.Errorf("%q %v", got[:n], err)
	}
	nc.Close()
	for _, c := range all {
		c.Close()
	}
	await(l, 102) // all but the one that has sent a part of the key
	if _, err := l.Accept(t.Context(), time.Now()); !errors.Is(err, live.ErrNobody) {
		t.Error(err)
	}
	if s := l.Unexpected(); s.Count != 102 || s.First == nil {
		t.Errorf("%+v", s)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := l.Accept(ended, time.Time{}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	l.Close()
	if _, err := l.Accept(t.Context(), time.Time{}); !errors.Is(err, net.ErrClosed) {
		t.Error(err)
	}
}

// await waits until so many unexpected connections were counted.
func await(l *live.Listener, connections int) {
	for l.Unexpected().Count < connections {
		time.Sleep(time.Millisecond)
	}
}

// Peers that stay silent, or stop within the Request, are not the peer when Patience ends.
func TestListenPatience(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("looking at octets without taking them needs Linux")
	}
	l, err := live.Listen(t.Context(), "127.0.0.1:0", live.ListenConfig{Patience: 20 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	for _, octets := range []string{"", mpa.RequestKey[:10]} {
		c, err := net.Dial("tcp", l.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		c.Write([]byte(octets))
	}
	await(l, 2)
}

// Connections from other addresses than that of the peer are not taken.
func TestListenFrom(t *testing.T) {
	l, err := live.Listen(t.Context(), "127.0.0.1:0", live.ListenConfig{From: netip.MustParseAddr("127.0.0.2"), Any: true})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	for _, host := range []string{"127.0.0.1", "127.0.0.2"} {
		d := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(host)}}
		c, err := d.Dial("tcp", l.Addr().String())
		if err != nil {
			t.Skip(err)
		}
		defer c.Close()
	}
	nc, err := l.Accept(t.Context(), time.Time{})
	if err != nil || nc.RemoteAddr().(*net.TCPAddr).IP.String() != "127.0.0.2" || l.Unexpected().Count != 1 {
		t.Error(nc, err, l.Unexpected())
	}
	nc.Close()
}
