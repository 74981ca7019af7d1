package judge

// Where TCP does not deliver.

import (
	"time"

	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/internal/quantity"
)

// How often octets are sent again, and for how long, until they count as not delivered.
const (
	unackedTimes = 2
	unackedAfter = int64(time.Second)
	skippedAfter = 3 * unackedAfter // for octets that were not sent again

	unansweredKeepAlives = 2
)

// observeBlockage says what of a direction TCP did not deliver.
func (e *ending) observeBlockage(d flow.Direction) {
	t := &e.conn.Traffic[d]
	p := t.Pending
	if icmp := &t.ICMP; icmp.Kind != flow.NoICMP && (p != nil && p.Oldest.Frame < icmp.Frame || e.conn.End == flow.EndNoAnswer) {
		e.observe(e.origin(d, icmp.Span), ObsUnreachable, unreachableTale(e.conn, d, icmp))
	}
	if e.conn.End != flow.EndNoAnswer && e.conn.Attempts.By == flow.Sender(d) {
		e.observe(e.origin(1-d, e.conn.Attempts.Span), ObsPortsInUse, e.attemptsTale(d))
	}
	if window := &e.conn.Traffic[1-d].Closed; *window != (flow.Span{}) && e.until()-window.LastTime >= unackedAfter {
		e.observe(e.origin(1-d, *window), ObsWindowClosed, told("The %v received nothing from %s on: its TCP window stayed closed for %s, to the end",
			flow.Sender(1-d), frames(e.conn, *window), duration(e.until()-window.LastTime)))
	} else if isBlocked(p) && isBlackHole(t) {
		e.observe(e.origin(d, p.Oldest), ObsBlackHole, blackHoleTale(e.conn, d, t))
	} else if isBlocked(p) {
		e.observe(e.origin(d, p.Oldest), ObsUnacknowledged, unacknowledgedTale(e.conn, d, p))
	} else if other := &e.conn.Traffic[1-d]; t.KeepAlives >= unansweredKeepAlives && other.Packets > 0 {
		e.observe(e.origin(d, t.Latest), ObsHalfOpen, told("The %v has been silent since %s: it answered none of the %s of the %v",
			flow.Sender(1-d), frames(e.conn, other.Latest), quantity.Count(t.KeepAlives, "keep-alive"), flow.Sender(d)))
	}
}

// isBlocked reports whether what a side has sent does not arrive: it was sent again, or the other side went on acknowledging what is
// before it.
func isBlocked(p *flow.Pending) bool {
	return p != nil && (p.Again >= unackedTimes && p.Last.LastTime-p.Oldest.LastTime >= unackedAfter || isSkipped(p))
}

// isSkipped reports whether the other side went on acknowledging what is before some octets, which were not sent again.
func isSkipped(p *flow.Pending) bool {
	return p.Again == 0 && p.Oldest.LastTime != 0 && p.Heard.LastTime-p.Oldest.LastTime >= skippedAfter
}

func unacknowledgedTale(c *flow.Conn, d flow.Direction, p *flow.Pending) tale {
	if isSkipped(p) {
		before := ""
		if p.Hole {
			before = ": octets before it were lost, and never sent again"
		}
		return told("The %v never acknowledged what the %v sent in %s%s", flow.Sender(1-d), flow.Sender(d), frames(c, p.Oldest), before).
			and(sentence("It acknowledged only what comes before it, until %s, %s later", frames(c, p.Heard), duration(p.Heard.LastTime-p.Oldest.LastTime)))
	}
	return told("The %v never acknowledged what the %v sent in %s", flow.Sender(1-d), flow.Sender(d), frames(c, p.Oldest)).
		and(sentence("It was sent again %s over %s", quantity.Count(uint64(p.Again), "time"), duration(p.Last.LastTime-p.Oldest.LastTime))).
		and(idleText(p))
}

// forgottenAfter is how long a connection must have been idle for a firewall to have forgotten it. Few wait for less than five minutes.
const forgottenAfter = int64(5 * time.Minute)

// idleText says for how long nothing had come before what was never acknowledged; empty if that is not long.
func idleText(p *flow.Pending) string {
	idle := p.Oldest.LastTime - p.Heard.LastTime
	if p.Heard.LastTime == 0 || idle < forgottenAfter {
		return ""
	}
	return sentence("Before that, the connection had been idle for %s: a firewall on the way may have forgotten it", duration(idle))
}

func blackHoleTale(c *flow.Conn, d flow.Direction, t *flow.Traffic) tale {
	p := t.Pending
	return told("Full-size packets of the %v are lost from %s on: a link on the way to the %v probably has a smaller MTU", flow.Sender(d),
		frames(c, p.Oldest), flow.Sender(1-d)).
		and(sentence("The packet in %s has %s of TCP payload and was sent again %s over %s in vain; packets with up to %d arrived",
			frames(c, p.Oldest), quantity.Count(uint64(p.Len), "octet"), quantity.Count(uint64(p.Again), "time"),
			duration(p.Last.LastTime-p.Oldest.LastTime), t.Passed))
}

func unreachableTale(c *flow.Conn, d flow.Direction, icmp *flow.ICMP) tale {
	t := told("%v answered what the %v sent with an ICMP error in %s: %v", icmp.From, flow.Sender(d), frames(c, icmp.Span), icmp.Kind)
	if icmp.MTU > 0 {
		t.what += sentence(", packets on this way have at most %d octets", icmp.MTU)
	}
	if p := c.Traffic[d].Pending; p != nil && p.Oldest != (flow.Span{}) {
		t.what += sentence("; the packet in %s, with %s of TCP payload, was never acknowledged", frames(c, p.Oldest), quantity.Count(uint64(p.Len), "octet"))
	}
	return t
}

// leastFull is how many octets of payload a full-size packet has at least.
const leastFull = 512

// isBlackHole reports whether only packets up to a size were delivered.
func isBlackHole(t *flow.Traffic) bool {
	return t.Passed > 0 && t.Pending.Len > t.Passed && t.Pending.Len >= leastFull
}
