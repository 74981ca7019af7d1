package fleet

// Octets of a direction that are lacking, because their packets were not captured. What is known of the FPDU and of the message before them tells
// where FPDUs go on, and what they have.

import (
	"bytes"
	"encoding/binary"

	"github.com/iwarpkit/iwarp/codec/ddp"
	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/rdmap"
)

// lacking is what is known of a direction when octets are lacking.
type lacking struct {
	before   tagged // up to there
	ended    uint32 // sequence number after the latest FPDU
	lacks    uint32 // octets between that and the FPDU in progress
	most     int    // octets of the longest tagged FPDU
	ulpdu    int    // its ULPDU_Length
	clean    int    // octets of FPDUs in a row with right CRCs
	unmarked bool   // there are no Markers
	found    bool   // the FPDU in progress begins where the message before said
}

// meet takes the FPDU that has come.
func (f *elidedFlow) meet(right bool) {
	if f.clean += f.total; !right {
		f.clean = 0
	}
	f.unmarked = f.unmarked || f.clean > mpa.MarkerSpacing // where there would have been one
	f.talk.fpdus++
}

// spans takes a tagged FPDU.
func (f *elidedFlow) spans(ulpdu int) {
	if f.total > f.most {
		f.most, f.ulpdu = f.total, ulpdu
	}
}

// lose takes it that octets are lacking before the latest packet. It returns where in its payload FPDUs may go on.
func (e *elider) lose(f *elidedFlow) (off int) {
	s := e.segment
	begun := f.synced && f.total > 0 && f.have >= min(headLen, f.total)
	if begun && f.unmarked && (f.found || f.wrong == 0 && f.passed > 0) {
		f.holed = true
		if have := f.have + int(s.Seq-f.next); have < f.total {
			f.have = have
			return 0
		}
		f.ended = f.next + uint32(f.total-f.have)
		e.end(f, nil)
	}
	f.begin(false)
	for i := range f.before.queues {
		if off, f.found = e.find(f, i); f.found {
			return off
		}
	}
	return f.search(s.Payload)
}

// find looks for the next FPDU of the message before lacking octets in the latest packet: at the place, with the TO, that it has if those in
// between were as long as the longest one.
func (e *elider) find(f *elidedFlow, i int) (off int, ok bool) {
	q, s := &f.before.queues[i], e.segment
	if !q.inside || f.most == 0 || !f.unmarked {
		return 0, false
	}
	n, body := (int(s.Seq-f.ended)+f.most-1)/f.most, f.ulpdu-ddp.TaggedLen
	off = int(int32(f.ended - s.Seq + uint32(n*f.most)))
	if off < 0 || off+bodyOff > len(s.Payload) {
		return 0, false
	}
	h, ok := headerOf(s.Payload[off:])
	if !ok || queueOf(h.Control.Opcode) != i || h.Tagged.STag != q.stag || h.Tagged.TO != q.to+uint64(n*body) {
		return 0, false
	}
	f.tagged = f.before
	f.queues[i].to = h.Tagged.TO
	// The octets before it are of another one.
	from, to := max(0, off-f.most+bodyOff), off-(f.most-lengthLen-f.ulpdu)
	switch p := (piece{off: from, len: to - from}); {
	case p.len < leastElided:
	case !q.read || f.talk.isOther():
		e.replace(&p)
	default:
		f.pieces = append(f.pieces, p)
		e.wait(f, &ddp.Tagged{STag: q.stag, TO: h.Tagged.TO - uint64(body)}, body)
		f.pieces = f.pieces[:0]
	}
	return off, true
}

// search looks for an FPDU: one at the beginning, else one as long as the longest one.
func (f *elidedFlow) search(payload []byte) (off int) {
	if _, ok := headerOf(payload); ok || f.most == 0 {
		return 0
	}
	length := binary.BigEndian.AppendUint16(nil, uint16(f.ulpdu))
	for off < len(payload) {
		i := bytes.Index(payload[off:], length)
		if i < 0 {
			break
		}
		off += i
		if h, ok := headerOf(payload[off:]); ok && h.T {
			return off
		}
		off++
	}
	return 0
}

// goesOn reports whether a segment after lacking octets goes on with the message before them. It does if they have its octets, and around these
// nothing but what as few FPDUs have as there can be.
func (f *elidedFlow) goesOn(i int, h *ddp.Tagged) bool {
	const around = bodyOff + crcLen
	q, moved := &f.before.queues[i], int64(h.TO-f.before.queues[i].to)
	if f.lacks == 0 || !q.inside || q.stag != h.STag || moved <= 0 || moved >= int64(f.lacks) {
		return false
	}
	fpdus := (int64(f.lacks) - moved) / around
	return fpdus > 0 && (fpdus-1)*int64(max(f.most, f.total)) < int64(f.lacks)
}

// queueOf is the place of the queue of tagged messages; -1 if there is none.
func queueOf(o rdmap.Opcode) int {
	switch o {
	case rdmap.OpWrite:
		return 0
	case rdmap.OpReadResponse:
		return 1
	}
	return -1
}
