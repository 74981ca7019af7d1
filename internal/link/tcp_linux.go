package link

// TCP on Linux: reads and writes that do not wait, and the size of segments.

import (
	"encoding/binary"
	"io"
	"net"
	"os"
	"sync/atomic"
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
	inline                       bool        // urgent data comes among the other octets
	mark                         int32       // not zero if the next octet is urgent
	finished                     atomic.Bool // this end has sent a FIN
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
	case l.in.n == 0 && l.wasReset():
		return 0, os.NewSyscallError("read", syscall.ECONNRESET)
	case l.in.n == 0:
		return 0, io.EOF
	}
	return l.in.n, nil
}

// wasReset reports whether a connection without further octets was reset, and a write has had the error. A connection that this end
// has not finished is closed by nothing else.
func (l *tcp) wasReset() (yes bool) {
	const tcpClose = 7 // TCP_CLOSE of the kernel's tcp_states.h
	l.raw.Control(func(fd uintptr) {
		info, err := syscall.GetsockoptInt(int(fd), syscall.IPPROTO_TCP, syscall.TCP_INFO) // its first octet is the state
		var state [4]byte
		binary.NativeEndian.PutUint32(state[:], uint32(info))
		yes = err == nil && state[0] == tcpClose && !l.finished.Load()
	})
	return yes
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
			if err != syscall.EINTR {
				return err != syscall.EAGAIN
			}
		}
	})
	if failed != nil {
		return failed
	}
	return os.NewSyscallError("send", err)
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
			t.err = err
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
		return n, os.NewSyscallError("write", failed)
	}
	return n, err
}

func (l *tcp) Finish() {
	l.finished.Store(true)
	l.nc.CloseWrite()
}

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
