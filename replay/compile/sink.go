package compile

// The one STag that a header tells of, and no payload: that of the sink of an RDMA Read. A response in one step says which
// request it answers, and needs it not; segments of a response that was not recorded whole name it.

import (
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/replay/scenario"
)

// sink takes in a Read Request whose sink the other side names, and nothing else has told of.
func (l *learner) sink(d *draft, used map[uint32]*wanted) {
	m, ok := d.Do.(*scenario.Message)
	if !ok || m.Opcode != rdmap.OpReadRequest {
		return
	}
	u := use{fields: &m.Fields}
	stag, memory := uint32(u.value("SinkSTag")), l.memory[d.Side]
	if t := memory[stag]; used[stag] == nil || t != nil && !t.takenBack {
		return
	}
	r := &region{base: u.value("SinkTO"), length: u.value("RDMARDSZ")}
	t := &tag{stag: stag, regions: []*region{r}}
	t.variable = l.new("s", scenario.Var{Kind: scenario.STag, Owner: d.Side, Value: uint64(stag)})
	l.toldInHeader(d, &u, "SinkSTag", t.variable)
	if _, there := m.Fields.Lookup("SinkTO"); there {
		r.variable = l.new("t", scenario.Var{Kind: scenario.TO, Owner: d.Side, Value: r.base, Length: r.length, STag: t.variable.Name})
		l.toldInHeader(d, &u, "SinkTO", r.variable)
	} else { // it counts from zero
		t.regions = nil
	}
	memory[stag] = t
}

// toldInHeader puts a variable into the header field that tells of it.
func (l *learner) toldInHeader(d *draft, u *use, field string, v *scenario.Var) {
	u.set(field, scenario.Value{Var: v.Name})
	l.told[v].Told, l.told[v].Where = d.Number, field
}
