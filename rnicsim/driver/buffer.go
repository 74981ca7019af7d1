package driver

// Buffers: shared by all connections of a Device, for one is needed only while octets move.

import "sync"

const (
	spareBuffers = 16 // that are kept while nobody needs them
	maxTurns     = 32 // readers that may have a buffer with what nobody has taken in yet
)

// buffers are those that nobody needs. Its lock is the innermost of all.
//
// So that ten thousand connections to which octets come at once do not need as many buffers, a reader must have its turn
// before it takes one, unless it waits for the rest of an FPDU: those that do are counted as held.
type buffers struct {
	mu    sync.Mutex
	spare [][]byte
	turns int       // that are taken
	ended sync.Cond // a turn has ended
}

func (s *buffers) init() { s.ended.L = &s.mu }

// take is a buffer of bufferLen octets.
func (s *buffers) take() []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.pop()
}

// giveBack takes back a buffer that is needed no more; nil for none.
func (s *buffers) giveBack(b []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.push(b)
}

// begin begins a turn, with a buffer, if that can be done; it waits for it only if it may.
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

// end ends a turn, and takes back the buffer, if there is none in use any more.
func (s *buffers) end(b []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.push(b)
	s.turns--
	s.ended.Signal()
}

// drop forgets the buffers that nobody needs.
func (s *buffers) drop() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.spare = nil
}

// pop is a spare buffer, or a new one.
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
	if b != nil && len(s.spare) < spareBuffers {
		s.spare = append(s.spare, b[:bufferLen])
	}
}
