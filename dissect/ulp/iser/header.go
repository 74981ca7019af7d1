package iser

// The iSER headers: RFC 7145, sections 9.2 to 9.4.
//
//	 0                   1                   2                   3
//	 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//	+-------+-+-+---------------------------------------------------+
//	| 0001b |W|R|                    Reserved                       |
//	|       |S|S|                                                   |
//	|       |V|V|                                                   |
//	+-------+-+-+---------------------------------------------------+
//	|                          Write STag                           |
//	+---------------------------------------------------------------+
//	|                       Write Base Offset                       |
//	|                                                               |
//	+---------------------------------------------------------------+
//	|                          Read STag                            |
//	+---------------------------------------------------------------+
//	|                       Read Base Offset                        |
//	|                                                               |
//	+---------------------------------------------------------------+
//
// RFC 5046 has no Base Offsets; memory then begins at TO 0.

import (
	"slices"

	"github.com/iwarpkit/iwarp/codec/field"
)

const (
	proto        = "iser"
	source       = "RFC 7145, section 9."
	formerSource = "RFC 5046, section 9."
)

// A Framing is the kind of header before the iSCSI PDUs of a connection.
type Framing uint8

// The framings.
const (
	Expanded Framing = iota // the header of RFC 7145, 28 octets
	Former                  // the header of RFC 5046, 12 octets
	Unframed                // none, as in the login phase of iSCSI without iSER
)

// framings are tried in this order.
var framings = [...]Framing{Expanded, Former, Unframed}

// Len is the length of the header in octets.
func (f Framing) Len() int { return [...]int{Expanded: 28, Former: 12, Unframed: 0}[f] }

// The iSER opcodes.
const (
	opControl    = 1 // an iSCSI control-type PDU follows
	opHello      = 2
	opHelloReply = 3
)

func flag(name, label string, off int) field.Field {
	return bits(name, label, 0, off, 1, field.Flag)
}

// The numbers of iSER and iSCSI are in big-endian order.
var (
	number = field.Big
	opaque = field.Opaque
	bits   = field.Bits
)

var opcode = bits("iser.flags.opcode", "Opcode", 0, 0, 4, field.Hex).Named(opcodeName,
	slices.Values([]uint64{opControl, opHello, opHelloReply}))

func opcodeName(v uint64) string {
	switch v {
	case opControl:
		return "iSCSI control-type PDU"
	case opHello:
		return "iSER Hello"
	case opHelloReply:
		return "iSER HelloReply"
	}
	return "unassigned"
}

// expandedHeader describes the header before an iSCSI PDU.
var expandedHeader = field.NewTable("iSER header", proto, source+"2", opcode,
	flag("iser.flags.wsv", "WSV", 4),
	flag("iser.flags.rsv", "RSV", 5),
	bits("iser.reserved", "Reserved", 0, 6, 26, field.Hex),
	number("iser.write_stag", "Write STag", 4, 4, field.Hex).To(field.ToOwnSTag),
	number("iser.write_base_offset", "Write Base Offset", 8, 8, field.Hex).To(field.ToOwnTO),
	number("iser.read_stag", "Read STag", 16, 4, field.Hex).To(field.ToOwnSTag),
	number("iser.read_base_offset", "Read Base Offset", 20, 8, field.Hex).To(field.ToOwnTO),
)

// formerHeader describes the header of RFC 5046 before an iSCSI PDU.
var formerHeader = field.NewTable("iSER header of RFC 5046", proto, formerSource+"2", opcode,
	flag("iser.flags.wsv", "WSV", 4),
	flag("iser.flags.rsv", "RSV", 5),
	bits("iser.reserved", "Reserved", 0, 6, 26, field.Hex),
	number("iser.write_stag", "Write STag", 4, 4, field.Hex).To(field.ToOwnSTag),
	number("iser.read_stag", "Read STag", 8, 4, field.Hex).To(field.ToOwnSTag),
)

// hello describes a Hello, with which an initiator begins.
var hello = field.NewTable("iSER Hello", proto, source+"3", opcode,
	bits("iser.rsvd", "Rsvd", 0, 4, 4, field.Hex),
	bits("iser.maxver", "MaxVer", 1, 0, 4, field.Dec),
	bits("iser.minver", "MinVer", 1, 4, 4, field.Dec),
	number("iser.ird", "iSER-IRD", 2, 2, field.Dec),
	opaque("iser.hello.reserved", "Reserved", 4, 0),
)

// helloReply describes a HelloReply, the target's answer to a Hello.
var helloReply = field.NewTable("iSER HelloReply", proto, source+"4", opcode,
	bits("iser.rsvd", "Rsvd", 0, 4, 3, field.Hex),
	flag("iser.flags.rej", "REJ", 7),
	bits("iser.maxver", "MaxVer", 1, 0, 4, field.Dec),
	bits("iser.curver", "CurVer", 1, 4, 4, field.Dec),
	number("iser.ord", "iSER-ORD", 2, 2, field.Dec),
	opaque("iser.hello.reserved", "Reserved", 4, 0),
)

var (
	helloIRD = hello.Lookup("iser.ird")
	replyREJ = helloReply.Lookup("iser.flags.rej")
	replyORD = helloReply.Lookup("iser.ord")
)

// A Header is the iSER header before an iSCSI PDU.
type Header struct {
	WriteValid, ReadValid bool   // WSV, RSV: the STag is one
	Reserved              uint32 // 26 bits
	WriteSTag, ReadSTag   uint32 // memory of the initiator for the data of a write and of a read
	WriteBase, ReadBase   uint64 // TO of its first octet
}

// decode reads the header of the given framing. ok is false if it is not one, or is cut.
func (h *Header) decode(f Framing, b []byte) (ok bool) {
	*h = Header{}
	table := f.fields()
	if table == nil {
		return true
	}
	if len(b) < table.Len() || opcode.Number(b) != opControl {
		return false
	}
	fields := table.Fields
	h.WriteValid, h.ReadValid = fields[1].Number(b) != 0, fields[2].Number(b) != 0
	h.Reserved = uint32(fields[3].Number(b))
	h.WriteSTag = uint32(fields[4].Number(b))
	if f == Former {
		h.ReadSTag = uint32(fields[5].Number(b))
		return true
	}
	h.WriteBase, h.ReadSTag, h.ReadBase = fields[5].Number(b), uint32(fields[6].Number(b)), fields[7].Number(b)
	return true
}

// fields returns the table of the header; nil if there is none.
func (f Framing) fields() *field.Table {
	switch f {
	case Expanded:
		return expandedHeader
	case Former:
		return formerHeader
	}
	return nil
}
