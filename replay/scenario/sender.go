package scenario

// From actions to octets: the ULPDUs of Messages and Segments.

import (
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/iwarpkit/iwarp/codec/ddp"
	"github.com/iwarpkit/iwarp/codec/rdmap"
)

// A Sender generates the ULPDUs of one side. It numbers messages: the MSN of a queue begins with 1 and increases after
// each segment with L, whatever MSN that segment had.
type Sender struct {
	version  uint8
	untagged map[uint32]untaggedPlace // by QN
	tagged   [16]taggedPlace          // by opcode
	spare    []byte                   // room for the octets of a Message
}

// maxSpare limits the room that a Sender keeps from one Message to the next.
const maxSpare = 1 << 20

// An untaggedPlace is the place of the next segment of a queue.
type untaggedPlace struct {
	open    bool // a message is in progress
	msn, mo uint32
	strayed bool   // the latest message was not the expected one
	due     uint32 // the MSN that was due then
}

// A taggedPlace is the place of the next segment of a message in progress; zero if there is none.
type taggedPlace struct {
	open bool
	stag uint32
	to   uint64
}

// maxQueues limits the queues that a Sender numbers. RDMAP has four.
const maxQueues = 64

// NewSender returns a Sender for a stream of the given version of DDP and RDMAP.
func NewSender(version uint8) *Sender {
	return &Sender{version: version, untagged: make(map[uint32]untaggedPlace)}
}

// An Outgoing is a Message that is being sent segment by segment.
type Outgoing struct {
	sender *Sender
	header []byte // of the next segment, except for L
	sent   []byte // header of the latest segment
	octets []byte // still to be sent
	single bool   // it is one segment, however long
	done   bool
}

// A Request is what a response needs of the request that it answers.
type Request struct {
	SinkSTag          uint32
	SinkTO            uint64
	RequestIdentifier uint32
}

// Message begins to send m. request is the one that m answers, or nil. It fails with an *[Unknown] if a variable is not
// known, and if a value does not fit its field.
func (s *Sender) Message(m *Message, request *Request, values Values) (*Outgoing, error) {
	header := s.header(m.Opcode, m.Opcode.Tagged(), true, nil)
	if m.Opcode.Tagged() {
		copy(header[2:], make([]byte, ddp.TaggedLen-2))
	}
	if m.To != 0 && request != nil {
		request.fill(header, m.Opcode)
	}
	if err := set(header, m.layout(), m.Fields, values); err != nil {
		return nil, err
	}
	own := headerLen(m.Opcode, m.Opcode.Tagged(), false)
	octets, err := s.octets(header[own:], m.Payload, values)
	if err != nil {
		return nil, err
	}
	return &Outgoing{
		sender: s, header: header[:own:own], octets: octets, single: !m.Opcode.HasPayload(),
	}, nil
}

// octets returns an RDMAP header and the payload after it. A payload that is there already is not copied.
func (s *Sender) octets(header []byte, payload Payload, values Values) ([]byte, error) {
	if len(header) == 0 && len(payload) == 1 && payload[0].literal() {
		return payload[0].Octets, nil
	}
	octets, err := payload.AppendOctets(append(s.spare[:0], header...), values)
	if err == nil && cap(octets) <= maxSpare {
		s.spare = octets
	}
	return octets, err
}

// Request returns what a response to m needs; nil if m is not a request.
func (m *Message) Request(values Values) *Request {
	number := func(name string) uint64 {
		v, _ := m.Fields.Lookup(name)
		n, _ := v.Resolve(values)
		return n
	}
	switch m.Opcode {
	case rdmap.OpReadRequest:
		return &Request{SinkSTag: uint32(number("SinkSTag")), SinkTO: number("SinkTO")}
	case rdmap.OpAtomicRequest:
		return &Request{RequestIdentifier: uint32(number("RequestIdentifier"))}
	}
	return nil
}

// fill writes what the request determines into the header of its response.
func (r *Request) fill(header []byte, o rdmap.Opcode) {
	switch o {
	case rdmap.OpReadResponse:
		binary.BigEndian.PutUint32(header[2:], r.SinkSTag)
		binary.BigEndian.PutUint64(header[6:], r.SinkTO)
	case rdmap.OpAtomicResponse:
		binary.BigEndian.PutUint32(header[ddp.UntaggedLen:], r.RequestIdentifier)
	}
}

// Next appends the next ULPDU, of at most mulpdu octets, to dst; ok is false if there is none. The Sender must not be used
// for anything else before all segments of a Message have been sent.
func (o *Outgoing) Next(dst []byte, mulpdu int) (ulpdu []byte, ok bool) {
	header, octets, ok := o.Parts(mulpdu)
	return append(append(dst, header...), octets...), ok
}

// Parts is like Next without a copy: header, which each segment has, is valid until the next call; octets follow it.
func (o *Outgoing) Parts(mulpdu int) (header, octets []byte, ok bool) {
	if o.done {
		return nil, nil, false
	}
	n := len(o.octets)
	if room := max(mulpdu-len(o.header), 1); n > room && !o.single {
		n = room
	}
	octets, o.octets = o.octets[:n:n], o.octets[n:]
	o.done = len(o.octets) == 0
	o.sent = append(o.sent[:0], o.header...)
	setL(o.sent, o.done)
	o.sender.proceed(o.sent, len(octets))
	if !o.done {
		o.sender.advance(o.header)
	}
	return o.sent, octets, true
}

// Remaining returns how many octets of RDMAP header and payload are still to be sent.
func (o *Outgoing) Remaining() int { return len(o.octets) }

// Segment appends the ULPDU of s to dst. It fails with an *[Unknown] if a variable is not known, and if a value does not
// fit its field.
func (s *Sender) Segment(dst []byte, seg *Segment, values Values) ([]byte, error) {
	from := len(dst)
	if !seg.Raw {
		own, tagged := seg.ownHeader(), seg.isTagged()
		dst = append(dst, s.header(seg.Opcode, tagged, own, nil)...)
		if err := set(dst[from:], seg.layout(), seg.Fields, values); err != nil {
			return dst[:from], err
		}
	}
	dst, err := seg.Payload.AppendOctets(dst, values)
	if err != nil {
		return dst[:from], err
	}
	s.Sent(dst[from:])
	return dst, nil
}

// ownHeader reports whether s has a field of the RDMAP header, and therefore that header.
func (s *Segment) ownHeader() bool {
	l := s.layout()
	return slices.ContainsFunc(s.Fields, func(f Field) bool {
		i := find(l, f.Name)
		return i >= 0 && l[i].own
	})
}

func (s *Segment) isTagged() bool {
	if t, ok := s.Fields.Lookup("T"); ok {
		return t.Number != 0
	}
	return s.Opcode.Tagged()
}

// header returns the headers of a correct segment with L, for a message of the given opcode that begins or continues
// ulpdu; nil for one that is being sent.
func (s *Sender) header(o rdmap.Opcode, tagged, own bool, ulpdu []byte) []byte {
	h := rdmap.Header{T: tagged, Control: rdmap.Control{RV: s.version, Opcode: o & 15}}
	h.Tagged.DV, h.Untagged.DV = s.version, s.version
	h.Tagged.L, h.Untagged.L = true, true
	if tagged {
		h.Tagged.STag, h.Tagged.TO = s.tagged[o&15].stag, s.tagged[o&15].to
	} else {
		h.Untagged.QN, _ = o.QN()
		place := s.place(h.Untagged.QN)
		if ulpdu != nil {
			place = place.aligned(h.Untagged.QN, ulpdu)
		}
		h.Untagged.MSN, h.Untagged.MO = place.msn, place.mo
	}
	b, _ := h.AppendBinary(make([]byte, 0, 96)) // cannot fail: all values fit
	return b[:headerLen(o, tagged, own)]
}

// place returns the place of the next segment of a queue.
func (s *Sender) place(qn uint32) untaggedPlace {
	if p, ok := s.untagged[qn]; ok {
		return p
	}
	return untaggedPlace{msn: 1}
}

// proceed records that a ULPDU was sent, of which ulpdu lacks the last octets: more of them.
func (s *Sender) proceed(ulpdu []byte, more int) {
	var h rdmap.Header
	n, err := h.Decode(ulpdu)
	if err != nil {
		return
	}
	n = len(ulpdu) - n + more
	switch {
	case h.T && h.Tagged.L:
		s.tagged[h.Control.Opcode&15] = taggedPlace{}
	case h.T:
		s.tagged[h.Control.Opcode&15] = taggedPlace{true, h.Tagged.STag, h.Tagged.TO + uint64(n)}
	default:
		p := untaggedPlace{open: true, msn: h.Untagged.MSN, mo: h.Untagged.MO + uint32(n)}
		if h.Untagged.L {
			p = untaggedPlace{msn: h.Untagged.MSN + 1}
		}
		s.keep(h.Untagged.QN, p)
	}
}

// keep records the place of the next segment of a queue.
func (s *Sender) keep(qn uint32, p untaggedPlace) {
	if _, known := s.untagged[qn]; known || len(s.untagged) < maxQueues {
		s.untagged[qn] = p
	}
}

// InProgress reports whether a message is in progress in the queue of a ULPDU or, if it is tagged, with its opcode.
func (s *Sender) InProgress(ulpdu []byte) bool {
	var h rdmap.Header
	if _, err := h.Decode(ulpdu); err != nil {
		return false
	}
	if h.T {
		return s.tagged[h.Control.Opcode&15].open
	}
	return s.place(h.Untagged.QN).open
}

// Resume makes the place of a ULPDU that of the next segment, after unknown segments.
func (s *Sender) Resume(ulpdu []byte) {
	var h rdmap.Header
	if _, err := h.Decode(ulpdu); err != nil {
		return
	}
	if h.T {
		s.tagged[h.Control.Opcode&15] = taggedPlace{}
	} else {
		s.keep(h.Untagged.QN, untaggedPlace{open: h.Untagged.MO > 0, msn: h.Untagged.MSN, mo: h.Untagged.MO})
	}
}

// advance turns header into that of the segment after the latest one, of the same message.
func (s *Sender) advance(header []byte) {
	if ddp.IsTagged(header) {
		binary.BigEndian.PutUint64(header[6:], s.tagged[header[1]&15].to)
		return
	}
	binary.BigEndian.PutUint32(header[14:], s.place(binary.BigEndian.Uint32(header[6:])).mo)
}

func set(header []byte, l []slot, fields Fields, values Values) error {
	for _, f := range fields {
		i := find(l, f.Name)
		if i < 0 {
			return fmt.Errorf("unknown field %s", f.Name)
		}
		n, ok := f.Value.Resolve(values)
		if !ok {
			return &Unknown{f.Value.Var}
		}
		if err := l[i].field.Set(header[l[i].off:], n); err != nil {
			return fmt.Errorf("%s: %w", f.Name, err)
		}
	}
	return nil
}

func setL(ulpdu []byte, on bool) {
	l := &ddp.UntaggedFields.Fields[1]
	l.Set(ulpdu, uint64(bit(on)))
}
