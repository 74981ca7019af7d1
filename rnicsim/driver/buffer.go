package driver

// Buffers, shared by all connections of a Device: one is needed only while octets move.

import "sync"

const (
	spareBuffers = 16 // unused buffers that are kept
	maxTurns     = 4  // readers that may hold a buffer at a time: most of what they do, they do one after the other
)

// The unused buffers of a Device. Its lock is the innermost of all.
//
// Ten thousand connections that receive at once must not need as many buffers. So a reader needs a turn to take one,
// unless it waits for the rest of an FPDU: then its octets count as held.
type buffers struct {
	mu    sync.Mutex
	spare [][]byte
	turns int       // in use
	ended sync.Cond // a turn has ended
}

func (s *buffers) init() { s.ended.L = &s.mu }

// take returns a buffer of bufferLen octets.
func (s *buffers) take() []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.pop()
}

// giveBack returns a buffer that is no longer needed; nil for none.
func (s *buffers) giveBack(b []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.push(b)
}

// begin begins a turn and returns a buffer. If all turns are in use it waits for one, or fails if wait is not set.
func (s *buffers) begin(wait bool) (b []byte, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for s.turns == maxTurns {
		if !wait {
			return nil, false
		}
		s.ended.Wait()
	}
	s.turns++
	return s.pop(), true
}

// end ends a turn and takes the buffer back; nil if it stays in use.
func (s *buffers) end(b []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.push(b)
	s.turns--
	s.ended.Signal()
}

// drop frees the spare buffers.
func (s *buffers) drop() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.spare = nil
}

// pop returns a spare buffer, or a new one.
func (s *buffers) pop() []byte {
	n := len(s.spare)
	if n == 0 {
		return make([]byte, bufferLen)
	}
	b := s.spare[n-1]
	s.spare = s.spare[:n-1]
	return b
}

// push keeps a buffer, unless there are enough.
func (s *buffers) push(b []byte) {
	if cap(b) == bufferLen && len(s.spare) < spareBuffers {
		s.spare = append(s.spare, b[:bufferLen])
	}
}
