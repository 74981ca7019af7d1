package judge

// Failures that clients make up for by themselves: they connect again, and that goes well.

import (
	"net/netip"
	"slices"

	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/record"
)

// A Mender is a Sink that holds Verdicts back which a later connection of the same client may mend, until it is known whether one
// does. All else it passes on at once.
type Mender struct {
	to   record.Sink
	held []*record.Record  // with such a Verdict, in the order in which they came
	well map[route]success // the latest
}

// A success is a connection that went well: which one, and when it began.
type success struct {
	conn int
	at   int64
}

// A route is from a client to a server.
type route struct {
	client netip.Addr
	server netip.AddrPort
}

func routeOf(c *flow.Conn) route { return route{c.Client.Addr(), c.Server} }

// The most Verdicts that are held back, the latest ones, and routes that are remembered, the first ones.
const (
	maxHeld = 1024
	maxWell = 1 << 14
)

// Mend returns a Mender that passes Records on to a Sink.
func Mend(to record.Sink) *Mender { return &Mender{to: to, well: make(map[route]success)} }

// Record implements record.Sink.
func (m *Mender) Record(r *record.Record) {
	switch v := r.Verdict; {
	case v == nil:
	case v.Mends != 0:
		m.held = append(m.held, r.Clone())
		if by, ok := m.well[routeOf(v.Conn)]; ok {
			m.mend(routeOf(v.Conn), by)
		}
		if len(m.held) > maxHeld {
			m.to.Record(m.held[0])
			m.held = slices.Delete(m.held, 0, 1)
		}
		return
	case wentWell(v):
		way, by := routeOf(v.Conn), success{v.Conn.ID, v.Conn.Earliest}
		if old, ok := m.well[way]; ok && old.at < by.at || !ok && len(m.well) < maxWell {
			m.well[way] = by
		}
		m.mend(way, by)
	}
	m.to.Record(r)
}

// wentWell reports whether both sides have used a connection, and it has not failed as far as its packets show, which are those of both.
func wentWell(v *record.Verdict) bool {
	t := &v.Conn.Traffic
	return v.Cause == nil && t[0].FPDUs > 0 && t[1].FPDUs > 0 && v.Conn.OnlySide() == flow.Nobody
}

// mend passes on the Verdicts that a connection mends, which then are not about failures.
func (m *Mender) mend(way route, by success) {
	m.held = slices.DeleteFunc(m.held, func(r *record.Record) bool {
		v := r.Verdict
		mends := routeOf(v.Conn) == way && by.at >= v.Cause.Time && by.at <= v.Mends
		if mends {
			r.Verdict = mended(v, by)
			m.to.Record(r)
		}
		return mends
	})
}

// mended is a Verdict about a failure that another connection has made up for.
func mended(v *record.Verdict, by success) *record.Verdict {
	n := *v
	n.Cause, n.Culprit, n.Confidence, n.Evidence, n.Advice, n.Explain = nil, flow.Nobody, record.NoCause, record.Evidence{}, "", ""
	n.Consequences, n.Mends = nil, 0
	n.Text += sentence(" The client connected again as connection %d, and that went well: nothing has failed.", by.conn)
	return &n
}

// Flush passes on what is held back: no connection mends it any more.
func (m *Mender) Flush() {
	for _, r := range m.held {
		m.to.Record(r)
	}
	m.held = nil
}
