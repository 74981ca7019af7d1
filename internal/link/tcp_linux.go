package link

// TCP on Linux: reads and writes that do not wait, and the size of segments.

import (
	"encoding/binary"
	"io"
	"net"
	"net/netip"
	"os"
	"syscall"
	"time"
	"unsafe"
)

// tcp is a TCP connection. Its closures are made once, so that no call allocates.
type tcp struct {
	nc      *net.TCPConn
	raw     syscall.RawConn
	in, out transfer

	tryRead, tryWrite, waitWrite func(fd uintptr) bool
	readMSS                      func(fd uintptr)
	mss                          int
	readMark                     func(fd uintptr)
	inline                       bool          // urgent data comes among the other octets
	mark                         int32         // not zero if the next octet is urgent
	lost                         syscall.Errno // why the connection ended, if a write has had that error; 0 after a FIN
}

// A transfer has the state of a read or write.
type transfer struct {
	room   Room   // of reads
	noRoom bool   // of reads: there was none
	b      []byte // of writes: what is left
	n      int
	err    error
}

func newTCP(nc *net.TCPConn) Link {
	raw, err := nc.SyscallConn()
	if err != nil {
		return nil
	}
	if a, ok := nc.RemoteAddr().(*net.TCPAddr); ok && a.IP.IsLoopback() {
		raw.Control(chooseUnpaced)
	}
	l := &tcp{nc: nc, raw: raw}
	l.tryRead = l.read
	l.tryWrite = func(fd uintptr) bool {
		l.write(fd)
		return true
	}
	l.waitWrite = func(fd uintptr) bool { return l.write(fd) || l.out.n > 0 }
	l.readMSS = func(fd uintptr) {
		l.mss, _ = syscall.GetsockoptInt(int(fd), syscall.IPPROTO_TCP, syscall.TCP_MAXSEG)
	}
	l.readMark = func(fd uintptr) {
		if !l.inline {
			l.inline = syscall.SetsockoptInt(int(fd), syscall.SOL_SOCKET, syscall.SO_OOBINLINE, 1) == nil
		}
		syscall.Syscall(syscall.SYS_IOCTL, fd, syscall.SIOCATMARK, uintptr(unsafe.Pointer(&l.mark)))
	}
	return l
}

// Unpaced is the Control of a net.Dialer or net.ListenConfig. On loopback it chooses a congestion control without pacing, which every Linux
// has: nothing is congested there, and the timers of BBR take more than half of the throughput. New does so too, but a connection that has
// begun with BBR keeps timers, which take a third.
func Unpaced(_, address string, c syscall.RawConn) error {
	if a, err := netip.ParseAddrPort(address); err == nil && a.Addr().Unmap().IsLoopback() {
		return c.Control(chooseUnpaced)
	}
	return nil
}

func chooseUnpaced(fd uintptr) {
	_ = syscall.SetsockoptString(int(fd), syscall.IPPROTO_TCP, syscall.TCP_CONGESTION, "reno")
}

// read reads once. It returns false if there is nothing to read. It takes room only while there is.
func (l *tcp) read(fd uintptr) bool {
	t := &l.in
	room := t.room.Take()
	t.noRoom = room == nil
	for room != nil {
		t.n, t.err = syscall.Read(int(fd), room)
		switch t.err {
		case syscall.EINTR:
		case syscall.EAGAIN:
			t.room.Leave()
			return false
		default:
			return true
		}
	}
	return true
}

func (l *tcp) Receive(r Room) (int, error) {
	l.in = transfer{room: r}
	err := l.raw.Read(l.tryRead)
	for err == nil && l.in.noRoom { // wait for room, but not where Close would wait for this
		r.Await()
		err = l.raw.Read(l.tryRead)
	}
	switch {
	case err != nil:
		return 0, err
	case l.in.err != nil:
		return 0, os.NewSyscallError("read", l.in.err)
	case l.in.n == 0:
		return 0, l.end("read")
	}
	return l.in.n, nil
}

// end returns why a connection has no further octets: io.EOF after a FIN. The kernel gives the error of a reset or time-out once: if a
// write has had it, a read finds nothing but an end. After a FIN it gives EPIPE instead, and never to a read.
func (l *tcp) end(call string) error {
	var lost syscall.Errno
	if l.closed() { // no write waits any more, and one that is under way ends before this one
		l.raw.Write(func(uintptr) bool {
			lost = l.lost
			return true
		})
	}
	if lost != 0 {
		return os.NewSyscallError(call, lost)
	}
	return io.EOF
}

// closed reports whether the connection no longer exists.
func (l *tcp) closed() (yes bool) {
	const tcpClose = 7 // TCP_CLOSE of the kernel's tcp_states.h
	l.raw.Control(func(fd uintptr) {
		info, err := syscall.GetsockoptInt(int(fd), syscall.IPPROTO_TCP, syscall.TCP_INFO) // its first octet is the state
		var state [4]byte
		binary.NativeEndian.PutUint32(state[:], uint32(info))
		yes = err == nil && state[0] == tcpClose
	})
	return yes
}

// writeFailed keeps the error of a write for who reads, and returns it.
func (l *tcp) writeFailed(call string, err error) error {
	if errno, ok := err.(syscall.Errno); ok && errno != syscall.EPIPE && l.lost == 0 {
		l.lost = errno
	}
	return os.NewSyscallError(call, err)
}

func (l *tcp) Unread() (yes bool) {
	l.raw.Control(func(fd uintptr) {
		var b [1]byte
		n, _, _ := syscall.Recvfrom(int(fd), b[:], syscall.MSG_PEEK|syscall.MSG_DONTWAIT)
		yes = n > 0
	})
	return yes
}

// Urgent implements Link. After the first call, Receive returns urgent data in its place among the other octets, and stops before its
// last octet.
func (l *tcp) Urgent() bool {
	l.raw.Control(l.readMark)
	return l.mark != 0
}

func (l *tcp) SendUrgent(octet byte) (err error) {
	failed := l.raw.Write(func(fd uintptr) bool {
		for {
			_, err = syscall.SendmsgN(int(fd), []byte{octet}, nil, nil, syscall.MSG_OOB)
			switch err {
			case syscall.EINTR:
			case syscall.EAGAIN:
				return false
			case nil:
				return true
			default:
				err = l.writeFailed("send", err)
				return true
			}
		}
	})
	if failed != nil {
		return failed
	}
	return err
}

func (l *tcp) AwaitReset() bool {
	cause := 0
	err := l.raw.Read(func(fd uintptr) bool {
		cause, _ = syscall.GetsockoptInt(int(fd), syscall.SOL_SOCKET, syscall.SO_ERROR)
		return cause != 0
	})
	return err == nil && cause != 0
}

// write writes as much as it can. It returns false if something is left.
func (l *tcp) write(fd uintptr) bool {
	t := &l.out
	for len(t.b) > 0 {
		n, err := syscall.Write(int(fd), t.b)
		switch {
		case err == syscall.EINTR:
		case err == syscall.EAGAIN:
			return false
		case err != nil:
			t.err = l.writeFailed("write", err)
			return true
		default:
			t.b, t.n = t.b[n:], t.n+n
		}
	}
	return true
}

func (l *tcp) Send(b []byte) (int, error) { return l.transmit(b, l.tryWrite) }

func (l *tcp) SendSome(b []byte) (int, error) { return l.transmit(b, l.waitWrite) }

func (l *tcp) transmit(b []byte, write func(uintptr) bool) (int, error) {
	l.out = transfer{b: b}
	err := l.raw.Write(write)
	n, failed := l.out.n, l.out.err
	l.out = transfer{}
	if failed != nil {
		return n, failed
	}
	return n, err
}

func (l *tcp) Finish() { l.nc.CloseWrite() }

func (l *tcp) Reset() {
	l.nc.SetLinger(0)
	l.nc.Close()
}

func (l *tcp) Close() { l.nc.Close() }

func (l *tcp) Until(t time.Time) { l.nc.SetReadDeadline(t) }

func (l *tcp) Shrink(octets int) {
	l.raw.Control(func(fd uintptr) {
		syscall.SetsockoptInt(int(fd), syscall.SOL_SOCKET, syscall.SO_RCVBUF, octets)
		syscall.SetsockoptInt(int(fd), syscall.IPPROTO_TCP, syscall.TCP_WINDOW_CLAMP, octets)
	})
}

func (l *tcp) Segment() int {
	l.raw.Control(l.readMSS)
	return l.mss
}

// Peek waits until enough holds of the first octets that come, the connection ends without any, or the read deadline is over. It leaves
// the octets where they are, and returns how many it has copied to b. can is false on systems that cannot do this.
func Peek(nc *net.TCPConn, b []byte, enough func([]byte) bool) (n int, can bool) {
	raw, err := nc.SyscallConn()
	if err != nil {
		return 0, true
	}
	raw.Read(func(fd uintptr) bool {
		for {
			m, _, err := syscall.Recvfrom(int(fd), b, syscall.MSG_PEEK)
			switch {
			case err == syscall.EINTR:
				continue
			case err == syscall.EAGAIN:
				return false
			case err != nil, m == 0:
				return true
			}
			n = m
			return enough(b[:n])
		}
	})
	return n, true
}
