package compile

// Memory that headers name: uses of the other side's memory, and sinks of RDMA Reads.

import (
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/replay/scenario"
)

// A use is a place in the header of a step that names memory of the other side.
type use struct {
	fields    *scenario.Fields
	stag, to  string // names of the fields; to is empty if there is none
	octets    uint64 // of the memory
	withdraws bool   // the STag is no longer valid
}

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
	if ok { // no header
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
		u.stag, u.withdraws = "InvalidateSTag", true
	}
	_, ok = u.fields.Lookup(u.stag)
	return u, ok
}

func (u *use) value(name string) uint64 {
	v, _ := u.fields.Lookup(name)
	return v.Number
}

func (u *use) set(name string, v scenario.Value) {
	for i := range *u.fields {
		if (*u.fields)[i].Name == name {
			(*u.fields)[i].Value = v
		}
	}
}

// sink handles a Read Request, which advertises its sink. This is the only STag that a header advertises. A complete
// response needs no variable, because it says which request it answers; the segments of an incomplete one have the
// STag.
func (l *learner) sink(d *draft, used map[uint32]*wanted) {
	m, ok := d.Do.(*scenario.Message)
	if !ok || m.Opcode != rdmap.OpReadRequest {
		return
	}
	u := use{fields: &m.Fields}
	stag, memory := uint32(u.value("SinkSTag")), l.memory[d.Side]
	if t := memory[stag]; used[stag] == nil || t != nil && !t.withdrawn {
		return
	}
	r := &region{base: u.value("SinkTO"), length: u.value("RDMARDSZ")}
	t := &tag{stag: stag, regions: []*region{r}}
	t.variable = l.new("s", scenario.Var{Kind: scenario.STag, Owner: d.Side, Value: uint64(stag)})
	l.learnInHeader(d, &u, "SinkSTag", t.variable)
	if _, there := m.Fields.Lookup("SinkTO"); there {
		r.variable = l.new("t", scenario.Var{Kind: scenario.TO, Owner: d.Side, Value: r.base, Length: r.length, STag: t.variable.Name})
		l.learnInHeader(d, &u, "SinkTO", r.variable)
	} else { // TOs count from zero
		t.regions = nil
	}
	memory[stag] = t
}

func (l *learner) learnInHeader(d *draft, u *use, field string, v *scenario.Var) {
	u.set(field, scenario.Value{Var: v.Name})
	l.learned[v].Step, l.learned[v].Where = d.Number, field
}
