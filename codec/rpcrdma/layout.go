package rpcrdma

import (
	"math"

	"github.com/iwarpkit/iwarp/codec/field"
)

// AppendLayout appends to dst the parts of a message of the given length in octets in dialect d. message holds
// what was captured of it; parts without a captured octet are left out. They come in the order of the wire and do not
// overlap. Octets after the header that are not payload, and all after a word that should be 0 or 1 and is not, are
// [TrailingFields]; payload is not a part. A message in [DialectUnknown] has no parts.
//
// It does not allocate if dst has room: 10 parts are enough for a header without chunks, and each segment, chunk and
// property adds at most 4.
func AppendLayout(dst []field.Part, message []byte, length int, d Dialect) []field.Part {
	if len(message) > length {
		message = message[:max(length, 0)]
	}
	var l layout // a composite literal would be copied
	l.Parts, l.Message = dst, message
	payload := false
	switch d {
	case DialectVersion1:
		payload = l.version1()
	case DialectVersion2:
		payload = l.version2()
	case DialectDraft2022:
		payload = l.draft2022()
	default:
		return dst
	}
	if !payload || l.lost {
		l.AddElement(TrailingFields, length-l.Off, 0, 0)
	}
	return l.Parts
}

type layout struct {
	field.Layout
	lost bool // a word was not 0 or 1: what follows cannot be read
}

// add adds a part of fixed length.
func (l *layout) add(table *field.Table, depth uint8, index uint32) (whole bool) {
	return l.AddElement(table, table.Len(), depth, index)
}

func (l *layout) word() uint32 { return word(l.Message, l.Off-wordLen) }

// optional adds a word that says whether something follows.
func (l *layout) optional(table *field.Table, depth uint8, index uint32) (follows bool) {
	if l.lost || !l.add(table, depth, index) {
		return false
	}
	v := l.word()
	l.lost = v > 1
	return v == 1
}

func (l *layout) version1() (payload bool) {
	if !l.add(Version1Fields, 0, 0) {
		return false
	}
	proc := Proc(l.word())
	if proc == ProcMsgP {
		l.add(PaddedFields, 0, 0)
	}
	if proc.HasLists() {
		l.lists()
	}
	if proc == ProcError && l.add(Error1Fields, 0, 0) {
		if arm := ErrCode(l.word()).arm(); arm != nil {
			l.add(arm, 0, 0)
		}
	}
	return proc.HasPayload()
}

func (l *layout) version2() (payload bool) {
	if !l.add(Version2Fields, 0, 0) {
		return false
	}
	htype := HType(word(l.Message, 12))
	switch {
	case htype.HasLists():
		l.add(InvHandleFields, 0, 0)
		l.lists()
	case htype == HTypeError:
		l.error2()
	case htype == HTypeConnProp:
		l.properties()
	}
	return htype.HasPayload()
}

func (l *layout) draft2022() (payload bool) {
	if !l.add(Draft2022Fields, 0, 0) {
		return false
	}
	htype := HType2022(l.word())
	p := htype.parts()
	if p.err {
		l.error2()
	}
	if p.props {
		l.properties()
	}
	if p.remaining {
		l.add(RemainingFields, 0, 0)
	}
	if p.invHandle {
		l.add(InvHandleFields, 0, 0)
	}
	if p.call {
		l.reads(CallListFields)
	}
	if p.reads {
		l.reads(ReadListFields)
	}
	if p.writes {
		l.writes()
	}
	if p.reply {
		l.reply()
	}
	return htype.HasPayload()
}

func (l *layout) error2() {
	if !l.add(Error2Fields, 0, 0) {
		return
	}
	if arm := ErrCode2(l.word()).arm(); arm != nil {
		l.add(arm, 0, 0)
	}
}

func (l *layout) lists() {
	l.reads(ReadListFields)
	l.writes()
	l.reply()
}

func (l *layout) reads(table *field.Table) {
	first := len(l.Parts)
	count := uint32(0)
	for follows := l.optional(table, 0, 0); follows; count++ {
		l.add(ReadSegmentFields, 1, count)
		follows = l.optional(ReadNextFields, 1, count)
	}
	l.count(first, count)
}

func (l *layout) writes() {
	first := len(l.Parts)
	count := uint32(0)
	for follows := l.optional(WriteListFields, 0, 0); follows; count++ {
		l.chunk(count)
		follows = l.optional(WriteNextFields, 1, count)
	}
	l.count(first, count)
}

func (l *layout) reply() {
	if l.optional(ReplyChunkFields, 0, 0) {
		l.chunk(0)
	}
}

// chunk adds a Write chunk. Its count may exceed the segments that are there.
func (l *layout) chunk(index uint32) {
	if !l.add(WriteChunkFields, 1, index) {
		return
	}
	count := l.word()
	for i := uint32(0); i < count && l.Off < len(l.Message); i++ {
		l.add(SegmentFields, 2, i)
	}
}

// count makes the part at i, if there is one, the beginning of a list of so many elements.
func (l *layout) count(i int, count uint32) {
	if i < len(l.Parts) {
		l.Parts[i].List, l.Parts[i].Count = true, count
	}
}

func (l *layout) properties() {
	if !l.add(PropSetFields, 0, 0) {
		return
	}
	count := l.word()
	for i := uint32(0); i < count && l.Off < len(l.Message); i++ {
		l.property(i)
	}
}

// property adds one property. If its data does not conform to its type, or is cut, that is shown as octets.
func (l *layout) property(index uint32) {
	begin := l.Off
	if !l.add(PropvalFields, 1, index) {
		return
	}
	var p Propval
	if _, err := p.Decode(l.Message[begin:]); err != nil {
		l.AddElement(PropDataFields, int(min(uint64(word(l.Message, begin+wordLen)), math.MaxInt)), 2, index)
		l.Off = len(l.Message)
		return
	}
	material, ok := p.HostAuth()
	switch table := p.Which.fields(); {
	case table != nil && len(p.Data) == wordLen:
		l.add(table, 2, index)
	case p.Which == PropHostAuth && ok:
		l.add(HostAuthFields, 2, index)
		l.AddElement(PropDataFields, len(material), 2, index)
		l.AddElement(PadFields, padding(len(material)), 2, index)
	default:
		l.AddElement(PropDataFields, len(p.Data), 2, index)
	}
	l.AddElement(PadFields, padding(len(p.Data)), 2, index)
}
