package rpc

// The octets kept of messages in progress, limited per connection.

// buffers hands out memory.
type buffers struct {
	limit int // octets
	used  int
	idle  [][]byte // to be used again
	spare int      // octets in idle
}

const (
	minBuffer      = 256 // octets
	maxIdleBuffers = 64
	maxIdleOctets  = 1 << 20
)

// put writes b at off into buf, which may be nil, and returns the grown buffer. A gap before off is filled with zeros. It
// drops octets beyond limit, and all of b if the connection has no memory left.
func (s *buffers) put(buf []byte, off uint64, b []byte, limit int) []byte {
	if off >= uint64(limit) || len(b) == 0 {
		return buf
	}
	b = b[:min(len(b), limit-int(off))]
	end := int(off) + len(b)
	if end > cap(buf) {
		bigger, ok := s.take(end)
		if !ok {
			return buf
		}
		bigger = bigger[:len(buf)]
		copy(bigger, buf)
		s.give(buf)
		buf = bigger
	}
	if n := len(buf); end > n {
		buf = buf[:end]
		if n < int(off) {
			clear(buf[n:off])
		}
	}
	copy(buf[off:], b)
	return buf
}

// take finds memory for n octets.
func (s *buffers) take(n int) ([]byte, bool) {
	size := minBuffer
	for size < n {
		size *= 2
	}
	if s.used+size > s.limit {
		return nil, false
	}
	for i := len(s.idle) - 1; i >= 0; i-- {
		if b := s.idle[i]; cap(b) >= n {
			s.idle = append(s.idle[:i], s.idle[i+1:]...)
			s.used += cap(b)
			s.spare -= cap(b)
			return b[:0], true
		}
	}
	s.used += size
	return make([]byte, 0, size), true
}

// give takes memory back.
func (s *buffers) give(b []byte) {
	if cap(b) == 0 {
		return
	}
	s.used -= cap(b)
	if len(s.idle) < maxIdleBuffers && s.spare+cap(b) <= maxIdleOctets {
		s.idle = append(s.idle, b[:0])
		s.spare += cap(b)
	}
}
