package judge

// Sides that must ask for something now and then, or the other side ends the connection.

import (
	"time"

	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/ulp"
)

// observeKeepAlive says that a side was silent for longer than its upper layer allows, and the other side ended the connection. What it sent
// on another connection between the two may count as a sign of life: so it does for a controller of NVMe with Traffic Based Keep Alive.
func (e *ending) observeKeepAlive(a *Judge) {
	l, ok := e.follower.(ulp.Limiting)
	if !ok || !e.complete() || e.anyLossy() || e.anyHidden() {
		return
	}
	d, most := l.Silence()
	latest := e.progress[d].until(&e.closing)
	quiet := e.closing.Time - latest.LastTime
	if most <= 0 || e.closer() != flow.Sender(1-d) || latest.LastTime == 0 || time.Duration(e.closing.Time-a.spoken(routeOf(e.conn), d, &e.closing)) < most {
		return
	}
	e.observe(&record.Origin{Conn: e.conn, Dir: 1 - d, Span: latest}, ObsKeepAlive,
		stated("The %v sent nothing for %s after %s, and its keep-alive timeout is %s: %s",
			flow.Sender(d), duration(quiet), frames(e.conn, latest), duration(int64(most)), e.endClause()))
}
