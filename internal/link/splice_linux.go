package link

// Passing octets from one TCP connection to another without copying them, by splice(2).

import (
	"io"
	"os"
	"runtime"
	"sync"
	"syscall"
)

// A Splicer passes octets on within the kernel. It has a pipe only while octets are in it.
type Splicer struct {
	from, to *tcp
	most     int
	pipe     *pipe
	held     int // octets in the pipe
	n        int
	err      error

	fill, drain, waitDrain func(fd uintptr) bool
}

// A pipe is both ends of one.
type pipe struct{ r, w int }

// pipeLen is the size of pipes in octets: the parts of packets of which a pipe holds so and so many are often small.
const pipeLen = 512 << 10

var pipes = sync.Pool{New: func() any {
	var fds [2]int
	if syscall.Pipe2(fds[:], syscall.O_CLOEXEC|syscall.O_NONBLOCK) != nil {
		return (*pipe)(nil)
	}
	syscall.Syscall(syscall.SYS_FCNTL, uintptr(fds[0]), syscall.F_SETPIPE_SZ, pipeLen) // else it is smaller
	p := &pipe{fds[0], fds[1]}
	runtime.SetFinalizer(p, (*pipe).close)
	return p
}}

func (p *pipe) close() {
	syscall.Close(p.r)
	syscall.Close(p.w)
}

// NewSplicer returns what passes octets from one Link to another, at most so many at a time; nil if the system cannot.
func NewSplicer(from, to Link, most int) *Splicer {
	in, ok := from.(*tcp)
	out, also := to.(*tcp)
	if !ok || !also {
		return nil
	}
	s := &Splicer{from: in, to: out, most: most}
	s.fill, s.waitDrain = s.read, func(fd uintptr) bool { return s.write(fd) || s.n > 0 }
	s.drain = func(fd uintptr) bool {
		s.write(fd)
		return true
	}
	return s
}

// Take is Receive into the pipe. It returns 0 if the next octet is urgent, or there is no pipe.
func (s *Splicer) Take() (int, error) {
	s.n, s.err = 0, nil
	if err := s.from.raw.Read(s.fill); err != nil {
		return 0, err
	}
	if s.err == io.EOF {
		s.err = s.from.end("splice")
	}
	s.held = s.n
	return s.n, s.err
}

const spliceFlags = 1 | 2 // SPLICE_F_MOVE, SPLICE_F_NONBLOCK

// read fills the pipe once. It returns false if there is nothing to read.
func (s *Splicer) read(fd uintptr) bool {
	if s.pipe == nil {
		s.pipe = pipes.Get().(*pipe)
	}
	s.from.readMark(fd)
	if s.pipe == nil || s.from.mark != 0 {
		s.Release()
		return true
	}
	for {
		n, err := syscall.Splice(int(fd), nil, s.pipe.w, nil, s.most, spliceFlags)
		switch {
		case err == syscall.EINTR:
		case err == syscall.EAGAIN:
			s.Release()
			return false
		case err != nil:
			s.err = os.NewSyscallError("splice", err)
			return true
		case n == 0:
			s.err = io.EOF
			return true
		default:
			s.n = int(n)
			return true
		}
	}
}

// Pass is Send from the pipe, or with wait SendSome.
func (s *Splicer) Pass(wait bool) (int, error) {
	s.n, s.err = 0, nil
	write := s.drain
	if wait {
		write = s.waitDrain
	}
	err := s.to.raw.Write(write)
	if err == nil {
		err = s.err
	}
	return s.n, err
}

// write empties the pipe as far as possible. It returns false if something is left.
func (s *Splicer) write(fd uintptr) bool {
	for s.held > 0 {
		n, err := syscall.Splice(s.pipe.r, nil, int(fd), nil, s.held, spliceFlags)
		switch {
		case err == syscall.EINTR:
		case err == syscall.EAGAIN:
			return false
		case err != nil:
			s.err = s.to.writeFailed("splice", err)
			return true
		default:
			s.n, s.held = s.n+int(n), s.held-int(n)
		}
	}
	return true
}

// Release gives the pipe back. What is in it is lost.
func (s *Splicer) Release() {
	switch {
	case s.pipe == nil:
	case s.held > 0:
		runtime.SetFinalizer(s.pipe, nil)
		s.pipe.close()
	default:
		pipes.Put(s.pipe)
	}
	s.pipe, s.held = nil, 0
}
