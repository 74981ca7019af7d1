package judge

// Terminates: what they mean, which segment they are about, and whether they say what happened.

import (
	"bytes"
	"slices"

	"github.com/iwarpkit/iwarp/codec/ddp"
	"github.com/iwarpkit/iwarp/codec/field"
	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/peers"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/match"
	"github.com/iwarpkit/iwarp/dissect/record"
)

// A blame finds out what the Terminates of one connection are about.
type blame struct {
	history  *history        // of all connections
	requests *match.Requests // of the connection
	conn     *flow.Conn
	who      *[2]identity // by direction: its sender

	begun  int                    // history.latest when the connection began
	gapped bool                   // segments of the connection may be missing in the history
	latest [2]int                 // by direction: number of the latest segment in the history
	faults [2]*fault              // by direction: the first error that a Terminate may be about
	causes [2]*record.Termination // by the direction of the Terminate
	sought [2][]byte              // likewise: the DDP header that it encloses, of a segment that has not come
}

// A fault is a segment in which an error was found.
type fault struct {
	record.Origin
	number    int // in the history: its own, or that of the one before it if its content was not looked at
	violation rules.Violation
	opcode    rdmap.Opcode
	framing   bool   // it is one of the FPDU: its content was not looked at
	header    []byte // octets of the segment, its DDP header first
	ulpdu     int
}

// terminate looks at a Terminate. It returns nil if the Terminate says nothing: it is not whole, or not the first of its
// direction. k is the segment that it is about, or nil if none is found.
func (b *blame) terminate(m *record.Message, stags *stags) (cause *record.Termination, k *culprit, v []rules.Violation) {
	if b.causes[m.Dir] != nil || !readsAsTerminate(m) {
		return nil, nil, nil
	}
	cause = &record.Termination{Terminate: m.Origin}
	b.causes[m.Dir] = cause
	read, meant := b.decode(m, cause)
	if cause.Swapped {
		b.who[m.Dir].deviation(rules.RuleTerminateSwapped, &m.Span)
	}
	if k = b.culprit(1-m.Dir, meant, cause); k != nil {
		k.describe(cause, stags)
		b.judge(k, cause)
	} else if b.kept() {
		cause.Enclosed = enclosed(meant)
	}
	if k == nil && meant.HasHeader {
		b.sought[m.Dir], _ = meant.Header.AppendBinary(nil) // it was decoded
	}
	cause.Unfounded = k == nil && isCRC(cause.Code) && b.remembered() && b.isSound(1-m.Dir)
	if whole(m) {
		v = b.who[m.Dir].CheckTerminate(read, b.accused(k, cause, read.HasHeader), nil)
	}
	return cause, k, v
}

// readsAsTerminate reports whether a message is the beginning of a Terminate, or of more.
func readsAsTerminate(m *record.Message) bool {
	return m.Opcode == rdmap.OpTerminate && !m.First.T && m.First.Untagged.MO == 0 && len(m.First.Body) >= rdmap.TerminateLen
}

// doubtful says what a message with a bad CRC would be about if it were a Terminate; empty if it does not read as one.
func (b *blame) doubtful(m *record.Message, stags *stags) string {
	if !readsAsTerminate(m) || m.First.Untagged.QN != rdmap.QNTerminate {
		return ""
	}
	cause := &record.Termination{Terminate: m.Origin}
	_, meant := b.decode(m, cause)
	if !cause.Code.Registered() {
		return ""
	}
	if k := b.culprit(1-m.Dir, meant, cause); k != nil {
		k.describe(cause, stags)
	}
	return sentence("its octets read as a Terminate (%s)%s", codeName(cause.Code), about(cause, cause.SubjectOf(flow.Sender(1-m.Dir))))
}

// isBefore reports whether a fault is in a segment before the culprit, which may be in the same packet.
func (f *fault) isBefore(k *culprit) bool {
	return k.number > f.number || k.number == 0 && f.LastFrame < k.LastFrame
}

// isSound reports whether there were FPDUs in a direction, all had good CRCs, and no octets wait that may have others.
func (b *blame) isSound(d flow.Direction) bool {
	t := &b.conn.Traffic[d]
	return t.FPDUs > 0 && t.CRC[mpa.Good] == t.FPDUs && !t.Waiting
}

// accused is the culprit as the Profile may judge the Terminate by it; nil if it may well be another.
func (b *blame) accused(k *culprit, cause *record.Termination, hasHeader bool) *rules.Culprit {
	if k == nil || cause.Blame == record.BlameByPosition && !b.remembered() && (hasHeader || k.fault == nil) ||
		cause.Blame == record.BlameByPosition && !hasHeader && k.fault == nil {
		return nil
	}
	if fault := b.faults[k.Dir]; fault != nil && fault != k.fault {
		k.Earlier = fault.isBefore(k)
	}
	k.Known = b.remembered()
	return &k.Culprit
}

// remembered reports whether all segments of the connection are in the history.
func (b *blame) remembered() bool {
	return !b.gapped && b.kept()
}

// kept reports whether the history still has all segments of the connection that came into it.
func (b *blame) kept() bool { return b.history.latest-b.begun <= historyLen }

// decode decodes a Terminate, as the Profile reads it and as its sender meant it. They differ if it makes sense in the
// swapped order too, and only the place where it stands tells.
func (b *blame) decode(m *record.Message, cause *record.Termination) (read, meant *rdmap.Terminate) {
	octets := m.First.Body
	read = new(rdmap.Terminate)
	var reading rdmap.Reading
	if whole(m) {
		reading = b.who[m.Dir].DecodeTerminate(read, octets)
	} else {
		read.Decode(octets)
		reading = readingOfCut(m, read)
	}
	meant, cause.Code, cause.Swapped = read, read.Code, reading == rdmap.ReadingSwapped
	if reading == rdmap.ReadingAmbiguous {
		swapped := new(rdmap.Terminate)
		swapped.DecodeSwapped(octets)
		if b.prefersSwapped(&m.Origin, read.Code, swapped.Code) {
			meant, cause.Code, cause.Swapped = swapped, swapped.Code, true
		}
	}
	return read, meant
}

// whole reports whether all octets of a Terminate were captured.
func whole(m *record.Message) bool { return len(m.First.Body) == m.ULPDU-ddp.UntaggedLen }

// asMeant leaves out that the code of a Terminate is not registered if its sender meant another one: the octets make sense
// in the swapped bit order, too.
func (b *blame) asMeant(s *record.Segment, v []rules.Violation) []rules.Violation {
	octets := s.RDMAP.Body
	if s.RDMAP.T || len(octets) < rdmap.TerminateLen {
		return v
	}
	var read, swapped rdmap.Terminate
	if b.who[s.Dir].DecodeTerminate(&read, octets) != rdmap.ReadingAmbiguous {
		return v
	}
	if swapped.DecodeSwapped(octets); !b.prefersSwapped(&s.Origin, read.Code, swapped.Code) {
		return v
	}
	if b.who[s.Dir].deviation(rules.RuleTerminateSwapped, &s.Span); b.faults[1-s.Dir] == nil {
		return v // nothing else tells which order it is
	}
	return slices.DeleteFunc(v, func(v rules.Violation) bool { return v.Rule == rules.RuleTerminateCode })
}

// readingOfCut is the reading of a Terminate that was not captured whole. t is made what its sender meant if only that
// fits its length.
func readingOfCut(m *record.Message, t *rdmap.Terminate) rdmap.Reading {
	parts := rdmap.AppendLayout(make([]field.Part, 0, rdmap.MaxParts), m.Header, m.ULPDU)
	swappable := slices.ContainsFunc(parts, func(p field.Part) bool { return p.Table.Name == rdmap.MeantFields.Name })
	switch {
	case !swappable:
		return rdmap.ReadingRFC
	case !t.M && !t.D && !t.R && m.ULPDU > ddp.UntaggedLen+rdmap.TerminateLen:
		t.DecodeSwapped(m.First.Body)
		return rdmap.ReadingSwapped
	}
	return rdmap.ReadingAmbiguous
}

// prefersSwapped chooses between two readings of a Terminate that both make sense, by what has gone wrong and by what
// may happen where it comes.
func (b *blame) prefersSwapped(m *record.Origin, rfc, swapped rdmap.Code) bool {
	p := &b.who[m.Dir].Profile
	if fault := b.faults[1-m.Dir]; fault != nil {
		x, y := p.Grade(fault.violation.Situation, rfc), p.Grade(fault.violation.Situation, swapped)
		if x != y {
			return y > x
		}
	}
	t := &m.Conn.Traffic
	first := m.Dir == flow.C2S && t[flow.C2S].FPDUs == 1 && t[flow.S2C].FPDUs == 0
	if x, y := ofStartup(rfc), ofStartup(swapped); x != y {
		return y == first
	}
	return swapped.Layer == rdmap.LayerLLP && p.Codes != rules.Verbs
}

// ofStartup reports whether a code is one with which an Initiator refuses an MPA Reply, in its first FPDU (RFC 6581,
// section 8).
func ofStartup(c rdmap.Code) bool {
	return c.Layer == rdmap.LayerLLP && c.EType == rdmap.LLPMPA && c.ErrorCode >= 0x05 && c.ErrorCode <= 0x07
}

// segment puts a segment into the history.
func (b *blame) segment(s *record.Segment) { b.latest[s.Dir] = b.history.add(s, b.latest[s.Dir]) }

// found returns the Terminate that is about a segment which had only begun when it came, and that segment; nil if s is not that segment.
func (b *blame) found(s *record.Segment) (cause *record.Termination, k *culprit) {
	d := 1 - s.Dir
	p := b.history.at(b.latest[s.Dir])
	if cause = b.causes[d]; s.Frame >= cause.Terminate.Frame || !bytes.Equal(p.header(), b.sought[d]) {
		return nil, nil
	}
	b.sought[d] = nil
	cause.Blame, cause.Enclosed = record.BlameByHeader, ""
	return cause, b.past(s.Dir, p, b.latest[s.Dir])
}

// violated keeps the first error of a direction that a Terminate may be about. framing says that it is one of the FPDU.
func (b *blame) violated(s *record.Segment, framing bool, v []rules.Violation) {
	if b.faults[s.Dir] != nil {
		return
	}
	i := slices.IndexFunc(v, func(v rules.Violation) bool {
		severity, _ := b.who[s.Dir].weigh(v.Rule, &s.Span)
		return v.Situation != rules.NoSituation && v.Doubt == rules.Seen && severity == rules.Error
	})
	if i < 0 {
		return
	}
	b.faults[s.Dir] = &fault{
		Origin: s.Origin, number: b.latest[s.Dir], violation: v[i], opcode: s.RDMAP.Control.Opcode, framing: framing,
		header: bytes.Clone(s.FPDU.ULPDU[:min(len(s.FPDU.ULPDU), s.RDMAP.Header.Len()+rdmap.AtomicRequestLen)]),
		ulpdu:  int(s.FPDU.ULPDULength),
	}
}

// judge says what may have gone wrong with the culprit, and how well the code fits that.
func (b *blame) judge(k *culprit, cause *record.Termination) {
	if k.fault == nil {
		b.guess(k, cause)
		return
	}
	v := &k.fault.violation
	cause.Rule, cause.Situations = v.Rule, []rules.Situation{v.Situation}
	cause.Grade = b.who[cause.Terminate.Dir].Grade(v.Situation, cause.Code)
}

// guess finds the situations that no capture shows, are possible for the culprit and fit the code best. Whoever swaps
// the bits is an RNIC that does so, whose answers are known.
func (b *blame) guess(k *culprit, cause *record.Termination) {
	p := &b.who[cause.Terminate.Dir].Profile
	fits := func(s rules.Situation) bool { return p.Grade(s, cause.Code) == cause.Grade }
	for s := range k.possible {
		if g := p.Grade(s, cause.Code); g >= rules.Accepted {
			cause.Grade = max(cause.Grade, g)
		}
	}
	if cause.Swapped {
		fits = func(s rules.Situation) bool { return slices.ContainsFunc(peers.RNICs, swaps(s, cause.Code)) }
	} else if cause.Grade == rules.Unjudged {
		fits = func(rules.Situation) bool { return false }
	}
	for s := range k.possible {
		if fits(s) {
			cause.Situations = append(cause.Situations, s)
		}
	}
	if len(cause.Situations) > 1 && cause.Blame == record.BlameByHeader && k.opcode.ConsumesReceive() {
		cause.Situations = slices.DeleteFunc(cause.Situations, b.refutes(k))
	}
	if cause.Grade == rules.Unjudged && cause.Blame != record.BlameByPosition && b.remembered() {
		cause.Grade = rules.Wrong
	}
}

// refutes tells of a situation whether what the receiver took before shows that a Send is not in it: a Send as long as this
// one has become, or the beginning of this one.
func (b *blame) refutes(k *culprit) func(rules.Situation) bool {
	var refused, h rdmap.Header
	refused.Decode(k.Header)
	long, asLong := int(refused.Untagged.MO)+k.ULPDU, false
	for p := range b.history.back(b.latest[k.Dir]) {
		if _, err := h.Decode(p.header()); err != nil || !p.opcode().ConsumesReceive() {
			continue
		}
		asLong = asLong || int32(h.Untagged.MSN-refused.Untagged.MSN) < 0 && int(h.Untagged.MO)+int(p.ulpdu) >= long
	}
	return func(s rules.Situation) bool {
		return s == rules.SendTooLong && asLong && refused.Untagged.MO == 0 || s == rules.SendNoBuffer && refused.Untagged.MO > 0
	}
}

// swaps tells of a peer whether it writes a code in the swapped bit order in a situation.
func swaps(s rules.Situation, code rdmap.Code) func(*rules.Peer) bool {
	return func(p *rules.Peer) bool { return p.Terminate.Swapped && p.Answer(s).Codes.Accepts(code) }
}

// possible yields the hidden situations that the culprit may be in.
func (k *culprit) possible(yield func(rules.Situation) bool) {
	for s := range rules.Hidden(k.opcode) {
		switch {
		case s == rules.ReadSourceLost && k.Answered == 0: // it is for an error after the beginning of the response
			continue
		case (s == rules.ReadWrap || s == rules.WriteWrap) && k.inRange():
			continue
		}
		if !yield(s) {
			return
		}
	}
}
