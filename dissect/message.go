package dissect

// Putting RDMAP messages together from the DDP segments of one direction.

import (
	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/dissect/framing"
	"github.com/iwarpkit/iwarp/dissect/record"
)

// An assembler holds the messages of one direction that are in progress: an untagged one for each queue, and a tagged
// one for each opcode. More there cannot be: messages follow each other (RFC 5041, section 5.3), and two that do not can
// be told apart only so.
type assembler struct {
	places [framing.Queues]*assembly // by framing.QueueOf; nil until the first message comes
	losses                           // up to now
}

// losses are how often segments may have been missed, and how often a header may have been wrong.
type losses struct{ gaps, doubts uint32 }

// An assembly is a message in progress.
type assembly struct {
	active bool
	whole  bool   // nothing of it is known to be missing
	losses        // when its latest segment came
	next   uint64 // MO or TO that the next segment has to have
	cut    tail   // what would go on with a tagged message that another one interrupted
	msg    record.Message
	header [maxHeader]byte
}

// A tail is where a tagged message goes on.
type tail struct {
	known bool
	stag  uint32
	to    uint64
}

// maxHeader is how many octets of a message are kept: all headers of a Terminate, and some octets behind.
const maxHeader = 96

// gap notes that segments may have been missed.
func (a *assembler) gap() { a.gaps++ }

// doubt notes that a header may be wrong, its CRC being bad.
func (a *assembler) doubt() { a.doubts++ }

// at is the message, in progress or over, at a place.
func (a *assembler) at(i int) *assembly {
	if a.places[i] == nil {
		a.places[i] = new(assembly)
	}
	return a.places[i]
}

// assemble adds a segment to its message and reports the message with its last segment.
func (e *Engine) assemble(h *half, ev *record.Segment) {
	all := &h.messages
	a := all.at(framing.QueueOf(&ev.RDMAP.Header))
	s, f := &ev.RDMAP, &ev.FPDU
	gap, sure := a.gaps != all.gaps, a.losses == all.losses
	if a.active && !a.continuedBy(s, all.gaps) {
		a.cut = tail{s.T, a.msg.First.Tagged.STag, a.next}
		e.emit(h, a, false)
	}
	if !a.active {
		a.begin(ev)
		// Of a tagged message that follows a gap nobody knows where it began.
		a.whole = s.T && sure && a.cut != tail{true, s.Tagged.STag, s.Tagged.TO} || !s.T && s.Untagged.MO == 0
		a.next = position(s)
	}
	if position(s) != a.next || s.T && gap {
		a.whole = false
	}
	a.losses = all.losses
	a.next = position(s) + uint64(max(0, int(f.ULPDULength)-s.Header.Len()))
	a.msg.Len += uint64(s.PayloadLen(int(f.ULPDULength)))
	a.msg.Segments++
	a.msg.Missing += uint64(f.Missing)
	if f.Verdict == mpa.Bad {
		a.msg.BadCRCs++
	}
	a.msg.Include(ev.Span)
	if s.L() {
		e.emit(h, a, a.whole)
	}
}

// position is a segment's TO or MO.
func position(s *rdmap.Segment) uint64 {
	if s.T {
		return s.Tagged.TO
	}
	return uint64(s.Untagged.MO)
}

// continuedBy tells whether s belongs to the message in progress rather than to another one, whose predecessor then
// lacks its end. Where segments were missed, one further ahead still belongs to it.
func (a *assembly) continuedBy(s *rdmap.Segment, gaps uint32) bool {
	first := &a.msg.First
	switch at := position(s); {
	case s.Control.Opcode != first.Control.Opcode:
		return false
	case !s.T:
		return s.Untagged.MSN == first.Untagged.MSN && s.Untagged.QN == first.Untagged.QN
	case s.Tagged.STag != first.Tagged.STag:
		return false
	default:
		return at == a.next || at > a.next && gaps != a.gaps
	}
}

// begin begins a message with its first segment.
func (a *assembly) begin(ev *record.Segment) {
	keep := ev.RDMAP.Header.Len()
	if !ev.RDMAP.Control.Opcode.HasPayload() {
		keep = maxHeader
	}
	n := copy(a.header[:keep], ev.FPDU.ULPDU)
	a.active = true
	a.msg = record.Message{Origin: ev.Origin, Opcode: ev.RDMAP.Control.Opcode, Header: a.header[:n], ULPDU: int(ev.FPDU.ULPDULength)}
	a.msg.First.Decode(a.msg.Header)
}

// emit reports a message and makes place for the next one.
func (e *Engine) emit(h *half, a *assembly, complete bool) {
	a.active = false
	a.losses = h.messages.losses
	m, t := &a.msg, h.traffic
	m.Complete = complete
	if complete {
		t.Messages[m.Opcode]++
	} else {
		t.Incomplete[m.Opcode]++
	}
	t.Payload += m.Len
	if m.Opcode == rdmap.OpTerminate {
		h.pair.conn.End = record.EndTerminate
	}
	e.sink.Message(m)
}
