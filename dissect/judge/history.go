package judge

// The latest segments of all connections, for the search for those that Terminates blame.

import (
	"iter"

	"github.com/iwarpkit/iwarp/codec/ddp"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/record"
)

// historyLen is how many segments are remembered, of all connections together. A Terminate comes little more than a
// round trip after the segment that it blames, so this is as many segments as pass in the meantime: at 100 Gbit/s
// full-size ones of a millisecond.
const historyLen = 1 << 13

// A past segment.
type past struct {
	before int // number of the one before it in its direction of its connection; 0 if there was none
	span   flow.Span
	ulpdu  uint16 // octets, as stated
	n      uint8  // octets of header that were captured
	head   [ddp.UntaggedLen]byte
}

// header is the octets of its DDP header.
func (p *past) header() []byte { return p.head[:p.n] }

// opcode is that of its control octet; if that was not captured, 0.
func (p *past) opcode() rdmap.Opcode { return rdmap.Opcode(p.head[rdmap.ControlOff] & 15) }

// historyPage is how many of them are allocated at a time.
const historyPage = 1 << 8

// A history is a ring of past segments, which are numbered from 1. It grows page by page to its length.
type history struct {
	pages  [historyLen / historyPage]*[historyPage]past
	latest int // number of the latest
}

// add takes a segment. before is the number of the one before it in its direction; the result is its own.
func (h *history) add(s *record.Segment, before int) int {
	page, at := h.place(h.latest + 1)
	if *page == nil {
		*page = new([historyPage]past)
	}
	h.latest++
	p := &(*page)[at]
	p.before, p.span, p.ulpdu = before, s.Span, s.FPDU.ULPDULength
	p.n = uint8(min(s.RDMAP.Header.Len(), len(s.FPDU.ULPDU)))
	if len(s.FPDU.ULPDU) >= len(p.head) {
		p.head = [len(p.head)]byte(s.FPDU.ULPDU)
	} else {
		copy(p.head[:], s.FPDU.ULPDU)
	}
	return h.latest
}

// place is where the segment with a number is, or was, or will be.
func (h *history) place(number int) (page **[historyPage]past, at int) {
	i := (number - 1) & (historyLen - 1)
	return &h.pages[i/historyPage], i % historyPage
}

// at is the segment with a number, one of the latest.
func (h *history) at(number int) *past {
	page, i := h.place(number)
	return &(*page)[i]
}

// back yields the segment with a number and those before it in its direction, as far as they are remembered, with their numbers.
func (h *history) back(number int) iter.Seq2[*past, int] {
	return func(yield func(*past, int) bool) {
		for number > max(0, h.latest-historyLen) {
			p := h.at(number)
			if !yield(p, number) {
				return
			}
			number = p.before
		}
	}
}
