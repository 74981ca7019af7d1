package link

// How the end of a connection is seen after a reset.

import (
	"io"
	"net"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// A connection on loopback is not paced, and has never been if Unpaced has prepared it.
func TestUnpaced(t *testing.T) {
	check := func(c syscall.RawConn) {
		t.Helper()
		c.Control(func(fd uintptr) {
			if name, err := unix.GetsockoptString(int(fd), unix.IPPROTO_TCP, unix.TCP_CONGESTION); name != "reno" {
				t.Errorf("the congestion control is %q, %v", name, err)
			}
		})
	}
	here, _ := pair(t)
	check(here.(*tcp).raw)

	l, err := (&net.ListenConfig{Control: Unpaced}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	dialed, err := (&net.Dialer{Control: Unpaced}).Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer dialed.Close()
	accepted, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer accepted.Close()
	for _, nc := range []net.Conn{dialed, accepted} {
		c, _ := nc.(*net.TCPConn).SyscallConn()
		check(c)
	}
}

// A reset right after a FIN does not hide the FIN, whether or not a write has had the error of the reset.
func TestFINBeforeReset(t *testing.T) {
	for _, write := range []bool{false, true} {
		here, there := pair(t)
		there.CloseWrite()
		reset(there)
		awaitEnd(t, here, write)
		if _, err := here.Receive(new(desk)); err != io.EOF {
			t.Errorf("write %t: %v", write, err)
		}
		if !write && !here.AwaitReset() {
			t.Error("no reset")
		}
	}
}

// A reader gets a reset every time, although a write has had its error.
func TestResetMetByWrite(t *testing.T) {
	here, there := pair(t)
	reset(there)
	awaitEnd(t, here, true)
	for range 2 {
		if _, err := here.Receive(new(desk)); DepartureBy(err) != ByReset {
			t.Error(err)
		}
	}
}

// reset closes a connection with a RST.
func reset(nc *net.TCPConn) {
	nc.SetLinger(0)
	nc.Close()
}

// awaitEnd waits until a RST has arrived; if write, until a write has had its error.
func awaitEnd(t *testing.T, l Link, write bool) {
	t.Helper()
	for {
		if write {
			if _, err := l.Send([]byte("x")); err != nil {
				return
			}
		} else if l.(*tcp).closed() {
			return
		}
		time.Sleep(time.Millisecond)
	}
}
