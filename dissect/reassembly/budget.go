package reassembly

import "github.com/iwarpkit/iwarp/internal/recency"

// Budget: the memory that waiting fragments may take.

// Limits bound what halves keep while gaps are open. A fragment counts with the buffer it fills, which is up to twice
// its length, and 128 octets.
type Limits struct {
	Half      int // octets kept by one half
	Total     int // octets kept by all halves of a Budget
	Fragments int // number of fragments kept by one half
}

// DefaultLimits are a small part of dissect.DefaultMemory.
var DefaultLimits = Limits{Half: 4 << 20, Total: 16 << 20, Fragments: 4096}

// fragmentCost is what a fragment costs beside its buffer: its place in a list that may be half empty.
const fragmentCost = 128

func cost(f *fragment) int { return fragmentCost + cap(f.data) }

// Budget is the memory that many halves share, and the buffers they take turns in using. When the limit for one half is
// exceeded, that half drops the fragments furthest ahead, which are the least useful; when the limit for all is, the
// half with something queued that was pushed to least recently does. The limits hold after each Push.
//
// Buffers that are not in use are kept for later, so that reordering does not allocate in the long run. They and what is
// held stay within Limits.Total together.
//
// A Budget is not safe for concurrent use.
type Budget struct {
	limits    Limits
	held      int
	buffers   pool[byte]
	lists     pool[fragment]
	histories []*ackHistory
	merged    []fragment // scratch of merge

	waiting recency.List[Half] // those with held > 0, by their latest Push
}

// NewBudget returns a budget with these limits; one of 0 or less is taken from DefaultLimits.
func NewBudget(limits Limits) *Budget {
	if limits.Half <= 0 {
		limits.Half = DefaultLimits.Half
	}
	if limits.Total <= 0 {
		limits.Total = DefaultLimits.Total
	}
	if limits.Fragments <= 0 {
		limits.Fragments = DefaultLimits.Fragments
	}
	b := &Budget{limits: limits}
	b.buffers.least = 64
	b.lists.least = 4
	return b
}

// Held is the number of octets in use, as Limits counts them.
func (b *Budget) Held() int { return b.held }

// enforce drops what exceeds the limits after a Push to h.
func (b *Budget) enforce(h *Half) {
	b.waiting.Use(h, &h.recent)
	for h.held > b.limits.Half || h.held > 0 && h.queue.count() > b.limits.Fragments {
		b.dropLast(h)
	}
	for b.held > b.limits.Total {
		b.dropLast(b.waiting.Idlest())
	}
}

// nearLimit reports whether h uses three quarters of what it may.
func (b *Budget) nearLimit(h *Half) bool {
	return h.held > b.limits.Half/4*3 || h.queue.count() > b.limits.Fragments/4*3
}

// dropLast throws the fragment of h away that is furthest ahead.
func (b *Budget) dropLast(h *Half) {
	octets := uint64(len(h.queue.last().data))
	h.counters.Dropped += octets
	h.removeLast()
}

func (b *Budget) charge(h *Half, octets int) {
	if h.held == 0 {
		b.waiting.Use(h, &h.recent)
	}
	h.held += octets
	b.held += octets
}

func (b *Budget) discharge(h *Half, octets int) {
	h.held -= octets
	b.held -= octets
	if h.held == 0 {
		h.recent.Leave()
	}
}

// getBuffer returns a buffer of n octets. Where only buffers of other sizes lie idle, they make room for it.
func (b *Budget) getBuffer(n int) []byte {
	if b.held+b.buffers.idle+b.buffers.size(n) > b.limits.Total {
		b.buffers.empty()
	}
	return b.buffers.get(n)
}

// putBuffer takes back what getBuffer returned, or nil.
func (b *Budget) putBuffer(buffer []byte) {
	if cap(buffer) > 0 {
		b.buffers.put(buffer)
	}
}

func (b *Budget) getHistory() *ackHistory {
	last := len(b.histories) - 1
	if last < 0 {
		return new(ackHistory)
	}
	history := b.histories[last]
	b.histories = b.histories[:last]
	*history = ackHistory{}
	return history
}

func (b *Budget) putHistory(history *ackHistory) { b.histories = append(b.histories, history) }
