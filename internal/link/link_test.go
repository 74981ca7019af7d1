package link

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"runtime"
	"testing"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// A desk is Room for some octets, which counts.
type desk struct {
	place       [64]byte
	taken, left int
	denied      int // how often Take has no place
	awaited     int
	keeps       int
	nothing     chan struct{} // closed when nothing has come for the first time; nil for never
}

func (d *desk) Take() []byte {
	if d.denied > 0 {
		d.denied--
		return nil
	}
	d.taken++
	return d.place[:]
}

func (d *desk) Leave() {
	if d.left++; d.nothing != nil && d.left == 1 {
		close(d.nothing)
	}
}

func (d *desk) Await()       { d.awaited++ }
func (d *desk) Keep() []byte { d.keeps++; return d.place[:] }

// pair is both ends of a TCP connection, of which one is a Link.
func pair(t testing.TB) (Link, *net.TCPConn) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	here, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	there, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		here.Close()
		there.Close()
	})
	return New(here), there.(*net.TCPConn)
}

// needsLinux skips what other systems cannot do.
func needsLinux(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("reading and writing without waiting needs Linux")
	}
}

// Room is given back as long as nothing comes, and waited for if there is none.
func TestReceive(t *testing.T) {
	needsLinux(t)
	here, there := pair(t)
	d := desk{denied: 1, nothing: make(chan struct{})}
	go func() {
		<-d.nothing
		there.Write([]byte("octets"))
		there.CloseWrite()
	}()
	n, err := here.Receive(&d)
	if string(d.place[:n]) != "octets" || err != nil {
		t.Errorf("%q, %v", d.place[:n], err)
	}
	if d.awaited != 1 || d.left < 1 || d.taken != d.left+1 || d.keeps != 0 {
		t.Errorf("%+v", d)
	}
	if n, err := here.Receive(&d); n != 0 || err != io.EOF {
		t.Errorf("%d, %v", n, err)
	}
}

// Octets that wait are seen, but not the end.
func TestUnread(t *testing.T) {
	needsLinux(t)
	here, there := pair(t)
	if here.Unread() {
		t.Error("nothing was sent")
	}
	there.Write([]byte("octets"))
	for !here.Unread() {
		time.Sleep(time.Millisecond)
	}
	if n, _ := here.Receive(new(desk)); n != len("octets") || here.Unread() {
		t.Errorf("%d octets were received", n)
	}
	there.CloseWrite()
	if here.Unread() {
		t.Error("the end is not an octet")
	}
}

// Send takes what goes, and SendSome goes on when more does.
func TestSend(t *testing.T) {
	needsLinux(t)
	here, there := pair(t)
	octets := bytes.Repeat([]byte("0123456789abcdef"), 1<<20)
	n, err := here.Send(octets)
	if n == 0 || n == len(octets) || err != nil {
		t.Fatalf("%d, %v", n, err)
	}
	if more, err := here.Send(octets[n:]); err != nil {
		t.Fatal(err)
	} else {
		n += more
	}
	read := make(chan []byte)
	go func() {
		b, _ := io.ReadAll(there)
		read <- b
	}()
	for n < len(octets) {
		more, err := here.SendSome(octets[n:])
		if more == 0 || err != nil {
			t.Fatalf("%d, %v", more, err)
		}
		n += more
	}
	here.Finish()
	if got := <-read; !bytes.Equal(got, octets) {
		t.Errorf("%d octets have come", len(got))
	}
	if here.Segment() < 500 {
		t.Error(here.Segment())
	}
}

// How the peer has gone is seen, and what waits is ended by this end.
func TestEnds(t *testing.T) {
	here, there := pair(t)
	there.SetLinger(0)
	there.Close()
	if _, err := here.Receive(new(desk)); DepartureBy(err) != ByReset {
		t.Errorf("a reset: %v", err)
	}

	here, _ = pair(t)
	time.AfterFunc(20*time.Millisecond, here.Reset)
	if _, err := here.Receive(new(desk)); !errors.Is(err, net.ErrClosed) || DepartureBy(err) != ByFIN {
		t.Errorf("closed at this end: %v", err)
	}

	here, _ = pair(t)
	here.Until(time.Now().Add(20 * time.Millisecond))
	if _, err := here.Receive(new(desk)); DepartureBy(err) != ByLoss {
		t.Errorf("the time is over: %v", err)
	}
}

// A reset after a FIN is noticed by who waits for it.
func TestAwaitReset(t *testing.T) {
	needsLinux(t)
	here, there := pair(t)
	there.CloseWrite()
	if _, err := here.Receive(new(desk)); err != io.EOF {
		t.Fatal(err)
	}
	time.AfterFunc(20*time.Millisecond, func() {
		there.SetLinger(0)
		there.Close()
	})
	if !here.AwaitReset() {
		t.Error("no reset")
	}

	closed, peer := pair(t)
	peer.CloseWrite()
	time.AfterFunc(20*time.Millisecond, closed.Close)
	if closed.AwaitReset() {
		t.Error("a reset, though this end has closed")
	}
}

// Any net.Conn is a Link that waits.
func Example() {
	here, there := net.Pipe()
	l := New(here)
	go func() {
		there.Write([]byte("hello"))
		there.Close()
	}()
	var d desk
	for {
		n, err := l.Receive(&d)
		if err != nil {
			fmt.Println(err, DepartureBy(err) == ByFIN)
			break
		}
		fmt.Printf("%s\n", d.place[:n])
	}
	l.Close()
	// Output:
	// hello
	// EOF true
}
