package quirk

// How Rewrites are applied. They alter the wire only; QP state keeps the intended values.

import (
	"encoding/binary"
	"slices"

	"github.com/iwarpkit/iwarp/codec/field"
	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/rdmap"
)

// Apply changes the field of a header, if its table has the field.
func (w *Rewrite) Apply(t *field.Table, header []byte) {
	f := t.Lookup(w.Field)
	if f == nil {
		return
	}
	if f.Base == field.Octets {
		copy(f.Bytes(header), w.Octets)
		return
	}
	f.Set(header, w.of(f.Number(header))&mask(f))
}

// of returns the new value.
func (w *Rewrite) of(now uint64) uint64 {
	switch w.Change {
	case AddTo:
		return now + w.Value
	case Flip:
		return now ^ w.Value
	}
	return w.Value
}

// mask returns the bits of a field.
func mask(f *field.Field) uint64 { return ^uint64(0) >> (64 - f.Width) }

// concerns reports whether the rewrite applies to a message.
func (w *Rewrite) concerns(op rdmap.Opcode) bool { return w.Message == op || w.Message == AnyMessage }

// ULPDU returns a ULPDU of a message with fields of its headers set as the quirks want. Headers are the first part, and
// of a Terminate the second; enclosed headers stay.
func (q *Set) ULPDU(op rdmap.Opcode, parts [][]byte) [][]byte {
	if !slices.ContainsFunc(q.headers, func(w Rewrite) bool { return w.concerns(op) }) {
		return parts
	}
	q.copied = q.copied[:0]
	for _, p := range parts {
		q.copied = append(q.copied, p...)
	}
	q.layout = rdmap.AppendLayout(q.layout[:0], q.copied, len(q.copied))
	for i := range q.headers {
		if w := &q.headers[i]; w.concerns(op) {
			for _, part := range q.layout {
				if !part.Carried {
					w.Apply(part.Table, part.Octets)
				}
			}
		}
	}
	return append(parts[:0], q.copied)
}

// FPDU sets fields of an FPDU of a message. The FPDU comes with the Marker before it, if there is one, and begins at
// a position of the stream.
func (q *Set) FPDU(op rdmap.Opcode, fpdu []byte, o mpa.Options, at uint64) {
	if !slices.ContainsFunc(q.framing, func(w Rewrite) bool { return w.concerns(op) }) {
		return
	}
	trailer, body := fpdu[len(fpdu)-crcLen:], fpdu[:len(fpdu)-crcLen]
	for i := range q.framing {
		if w := &q.framing[i]; w.concerns(op) {
			w.reframe(body, o, at)
		}
	}
	if o.CRC {
		binary.LittleEndian.PutUint32(trailer, mpa.CRC(body))
	}
	for i := range q.framing {
		if w := &q.framing[i]; w.concerns(op) {
			w.Apply(mpa.TrailerFields(wholeWord), trailer)
		}
	}
}

const (
	crcLen    = 4 // octets
	wholeWord = 2 // the length of a ULPDU that needs no PAD
)

// reframe sets a field of an FPDU without its CRC.
func (w *Rewrite) reframe(body []byte, o mpa.Options, at uint64) {
	if w.Field == crcField {
		return
	}
	begin, end := 0, len(body)
	if o.Markers {
		first := int(-at % mpa.MarkerSpacing)
		for i := first; i < len(body); i += mpa.MarkerSpacing {
			w.Apply(mpa.MarkerFields, body[i:])
		}
		if first == 0 {
			begin = mpa.MarkerLen
		}
		if (at+uint64(len(body))-mpa.MarkerLen)%mpa.MarkerSpacing == 0 {
			end -= mpa.MarkerLen // it stands between PAD and CRC
		}
	}
	ulpdu := int(binary.BigEndian.Uint16(body[begin:]))
	w.Apply(mpa.FPDUFields, body[begin:])
	w.Apply(mpa.TrailerFields(ulpdu), body[end-mpa.Pad(ulpdu):])
}

// crcField is the CRC of an FPDU, which is set last.
const crcField = "iwarp_mpa.crc"

// Frame sets fields of an MPA frame that is to be sent.
func (q *Set) Frame(b []byte, f *mpa.Frame) {
	if q == nil {
		return
	}
	frame := InRequest
	if f.Reply {
		frame = InReply
	}
	for i := range q.frames {
		w := &q.frames[i]
		if w.Frame != frame {
			continue
		}
		w.Apply(f.Fields(), b)
		if f.S {
			w.Apply(mpa.EnhancedFields, b[mpa.FrameLen:])
		}
	}
}

// framingTables describe an FPDU around its ULPDU.
var framingTables = []*field.Table{mpa.FPDUFields, mpa.MarkerFields, mpa.TrailerFields(wholeWord + 1)}

// tablesOf returns the field tables of what a Rewrite changes.
func (w *Rewrite) tablesOf() []*field.Table {
	switch {
	case w.Frame == InRequest:
		return []*field.Table{mpa.RequestFields, mpa.EnhancedFields}
	case w.Frame == InReply:
		return []*field.Table{mpa.ReplyFields, mpa.EnhancedFields}
	case w.Frame != InFPDU:
		return nil
	}
	tables := slices.Clone(framingTables)
	for op := range rdmap.Opcodes() {
		if w.concerns(op) {
			tables = append(tables, op.Tables()...)
		}
	}
	return tables
}

// lookup finds a field in some tables; nil if it is in none.
func lookup(tables []*field.Table, name string) *field.Field {
	for _, t := range tables {
		if f := t.Lookup(name); f != nil {
			return f
		}
	}
	return nil
}
