package stats

import (
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/record"
)

// A Recount is a Collector for a part of what happens on connections, such as what a filter passes. It counts the FPDUs,
// CRCs, segments, messages and payload that it is given, where a Collector reports the counts of the Engine. It does not
// report connections whose KindEnd it is not given. Packets, TCP, and octets without FPDU are those of the whole
// connection.
type Recount struct {
	*Collector
	traffic map[*flow.Conn]*[2]flow.Traffic
}

// NewRecount returns an empty Recount.
func NewRecount() *Recount {
	return &Recount{NewCollector(), make(map[*flow.Conn]*[2]flow.Traffic)}
}

// Record implements record.Sink.
func (r *Recount) Record(rec *record.Record) {
	switch rec.Kind {
	case record.KindSegment:
		r.segment(rec.Segment)
	case record.KindMessage:
		r.message(rec.Message)
	case record.KindEnd:
		r.end(rec.Conn, rec.Verdict)
		return
	}
	r.Collector.Record(rec)
}

func (r *Recount) segment(s *record.Segment) {
	t := r.of(&s.Origin)
	t.FPDUs++
	if s.Conn.Transport() == flow.OverTCP {
		t.CRC[s.FPDU.Verdict]++
	}
	t.Markers += uint64(s.FPDU.Markers)
	if s.HasOpcode() {
		t.Segments[s.RDMAP.Control.Opcode]++
	}
	if s.Err != nil && (s.FPDU.Missing == 0 || int(s.FPDU.ULPDULength) < s.HeaderLen()) {
		t.Malformed++
	}
}

func (r *Recount) message(m *record.Message) {
	t := r.of(&m.Origin)
	t.Payload += m.Len
	if m.Complete {
		t.Messages[m.Opcode]++
	} else {
		t.Incomplete[m.Opcode]++
	}
}

func (r *Recount) end(c *flow.Conn, v *record.Verdict) {
	counted := r.traffic[c]
	if counted == nil {
		counted = new([2]flow.Traffic)
	}
	delete(r.traffic, c)
	part := *c
	for d := range part.Traffic {
		t, n := &part.Traffic[d], &counted[d]
		t.FPDUs, t.CRC, t.Markers, t.Malformed = n.FPDUs, n.CRC, n.Markers, n.Malformed
		t.Segments, t.Messages, t.Incomplete, t.Payload = n.Segments, n.Messages, n.Incomplete, n.Payload
	}
	r.Collector.end(&part, v)
}

func (r *Recount) of(o *record.Origin) *flow.Traffic {
	t := r.traffic[o.Conn]
	if t == nil {
		t = new([2]flow.Traffic)
		r.traffic[o.Conn] = t
	}
	return &t[o.Dir]
}
