package nvme

// SGL descriptors: NVM Express Base Specification 2.0, Scatter Gather List; NVM Express over Fabrics 1.1, section 7.3.

import (
	"iter"

	"github.com/iwarpkit/iwarp/codec/field"
)

// keyedSGL describes a Keyed SGL Data Block descriptor: memory of the host.
var keyedSGL = field.NewTable("NVMe Keyed SGL Data Block", proto, baseSource+", Keyed SGL Data Block descriptor",
	number("nvme.cmd.sgl1.addr", "Address", 0, 8, field.Hex).To(field.ToOwnTO),
	number("nvme.cmd.sgl1.len", "Length", 8, 3, field.Dec),
	number("nvme.cmd.sgl1.key", "Key", 11, 4, field.Hex).To(field.ToOwnSTag),
	bits("nvme.cmd.sgl.type", "SGL Descriptor Type", 15, 0, 4, field.Hex),
	bits("nvme.cmd.sgl.subtype", "SGL Descriptor Sub Type", 15, 4, 4, field.Hex),
)

// otherSGL describes an SGL descriptor of another type. With the Sub Type Offset the Address is one in the capsule,
// from the end of the command.
var otherSGL = field.NewTable("NVMe SGL descriptor", proto, baseSource+", SGL descriptors",
	number("nvme.cmd.sgl1.addr", "Address", 0, 8, field.Hex).To(field.ToOwnTO),
	number("nvme.cmd.sgl1.len", "Length", 8, 4, field.Dec),
	opaque("nvme.cmd.sgl1.rsvd", "Reserved", 12, 3),
	bits("nvme.cmd.sgl.type", "SGL Descriptor Type", 15, 0, 4, field.Hex),
	bits("nvme.cmd.sgl.subtype", "SGL Descriptor Sub Type", 15, 4, 4, field.Hex),
)

var (
	sglAddress  = keyedSGL.Lookup("nvme.cmd.sgl1.addr")
	sglLength   = otherSGL.Lookup("nvme.cmd.sgl1.len")
	keyedLength = keyedSGL.Lookup("nvme.cmd.sgl1.len")
	keyedKey    = keyedSGL.Lookup("nvme.cmd.sgl1.key")
	sglType     = keyedSGL.Lookup("nvme.cmd.sgl.type")
	sglSubType  = keyedSGL.Lookup("nvme.cmd.sgl.subtype")
)

// The SGL Descriptor Types used over RDMA, and the Sub Type for addresses in the capsule.
const (
	typeDataBlock   = 0x0
	typeLastSegment = 0x3
	typeKeyed       = 0x4
	subTypeOffset   = 0x1
)

// A descriptor has the octets of an SGL descriptor.
type descriptor [sglLen]byte

// keyed reports whether the descriptor names memory of the host.
func (d *descriptor) keyed() bool { return sglType.Number(d[:]) == typeKeyed }

// inCapsule reports whether the data or descriptors that the descriptor describes are in the capsule.
func (d *descriptor) inCapsule() bool {
	t := sglType.Number(d[:])
	return (t == typeDataBlock || t == typeLastSegment) && sglSubType.Number(d[:]) == subTypeOffset
}

// fields is the table that describes the descriptor.
func (d *descriptor) fields() *field.Table {
	if d.keyed() {
		return keyedSGL
	}
	return otherSGL
}

// An extent is data of a command.
type extent struct {
	keyed     bool // in memory of the host, else in the capsule
	elsewhere bool // where is not known
	key       uint32
	address   uint64 // in the capsule: from the end of the command
	length    uint64 // octets
}

// extents returns what SGL1 of a command names: one extent, or all that a Last Segment in the capsule lists. It omits
// descriptors that were not captured.
func extents(capsule []byte) iter.Seq[extent] {
	return func(yield func(extent) bool) {
		if len(capsule) < commandLen {
			return
		}
		first := descriptor(capsule[sglOff:])
		if !first.inCapsule() || sglType.Number(first[:]) != typeLastSegment {
			first.yield(yield)
			return
		}
		list := capsule[commandLen:]
		list = list[min(sglAddress.Number(first[:]), uint64(len(list))):]
		list = list[:min(sglLength.Number(first[:]), uint64(len(list)))]
		for ; len(list) >= sglLen; list = list[sglLen:] {
			if d := descriptor(list); !d.yield(yield) {
				return
			}
		}
	}
}

// yield yields the extent that the descriptor names, if any.
func (d *descriptor) yield(yield func(extent) bool) (more bool) {
	e := extent{keyed: d.keyed(), address: sglAddress.Number(d[:])}
	switch {
	case e.keyed:
		e.key, e.length = uint32(keyedKey.Number(d[:])), keyedLength.Number(d[:])
	case d.inCapsule() && sglType.Number(d[:]) == typeDataBlock:
		e.length = sglLength.Number(d[:])
	default:
		e.elsewhere, e.length = true, sglLength.Number(d[:])
	}
	return e.length == 0 || yield(e)
}
