package compile

// Which steps use memory of the other side.

import (
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/replay/scenario"
)

// A use is a place in the header of a step that names memory of the other side.
type use struct {
	fields    *scenario.Fields
	stag, to  string // names of the fields; to is empty if there is none
	octets    uint64 // of the memory
	takesBack bool   // the STag is not valid any more
}

// useOf is the use of memory in a step; false if there is none.
func useOf(d *draft) (u use, ok bool) {
	var o rdmap.Opcode
	switch do := d.Do.(type) {
	case *scenario.Message:
		o, u.fields = do.Opcode, &do.Fields
		if o == rdmap.OpReadResponse && do.To > 0 {
			return u, false
		}
	case *scenario.Segment:
		o, u.fields = do.Opcode, &do.Fields
		ok = do.Raw
	case *scenario.FPDU:
		o, u.fields = do.Opcode, &do.Fields
		ok = do.Raw
	default:
		return u, false
	}
	if ok { // octets alone
		return u, false
	}
	u.octets = uint64(len(d.body.octets))
	switch o {
	case rdmap.OpWrite, rdmap.OpReadResponse:
		u.stag, u.to = "STag", "TO"
	case rdmap.OpReadRequest:
		u.stag, u.to = "SrcSTag", "SrcTO"
		size, _ := u.fields.Lookup("RDMARDSZ")
		u.octets = size.Number
	case rdmap.OpAtomicRequest:
		u.stag, u.to, u.octets = "RemoteSTag", "RemoteTaggedOffset", 8
	case rdmap.OpSendInvalidate, rdmap.OpSendSEInvalidate:
		u.stag, u.takesBack = "InvalidateSTag", true
	}
	_, ok = u.fields.Lookup(u.stag)
	return u, ok
}

// value is the number in a field.
func (u *use) value(name string) uint64 {
	v, _ := u.fields.Lookup(name)
	return v.Number
}

// set puts a variable into a field.
func (u *use) set(name string, v scenario.Value) {
	for i := range *u.fields {
		if (*u.fields)[i].Name == name {
			(*u.fields)[i].Value = v
		}
	}
}
