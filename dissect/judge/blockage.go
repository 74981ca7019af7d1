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
)

// observeBlockage says what of a direction TCP did not deliver.
func (e *ending) observeBlockage(d flow.Direction) {
	t := &e.conn.Traffic[d]
	p := t.Pending
	if other := &e.conn.Traffic[1-d]; p != nil && p.FIN && (e.conn.FIN[1-d] != (flow.Span{}) || other.Latest.LastFrame > p.Oldest.Frame) {
		p = nil // the other side is done with the connection, too, or sends something else
	}
	blocked := p != nil && isBlocked(e.conn, d)
	if icmp := &t.ICMP; icmp.Kind != flow.NoICMP && (p != nil && p.Oldest.Frame < icmp.LastFrame || e.conn.End == flow.EndNoAnswer) {
		e.observe(e.origin(d, flow.At(icmp.Frame, icmp.Time)), ObsUnreachable, unreachableStatement(e.conn, d, icmp))
	}
	if e.conn.End != flow.EndNoAnswer && e.conn.Attempts.By == flow.Sender(d) {
		e.observe(e.origin(1-d, e.conn.Attempts.Span), ObsPortsInUse, e.attemptsStatement(d))
	}
	if window := &e.conn.Traffic[1-d].Closed; *window != (flow.Span{}) && e.until()-window.LastTime >= unackedAfter {
		e.observe(e.origin(1-d, *window), ObsWindowClosed, stated("The %v received nothing from %s on: its TCP window stayed closed for %s, to the end",
			flow.Sender(1-d), frames(e.conn, *window), duration(e.until()-window.LastTime)))
	} else if blocked && isBlackHole(t) {
		e.observe(e.origin(d, p.Oldest), ObsBlackHole, blackHoleStatement(e.conn, d, t))
	} else if blocked && p.Damaged > 0 && p.Damaged == p.Again {
		e.observe(e.origin(d, p.Oldest), ObsBadChecksum, badChecksumStatement(e.conn, d, p))
	} else if blocked {
		e.observe(e.origin(d, p.Oldest), ObsUnacknowledged, unacknowledgedStatement(e.conn, d, p))
	} else if other := &e.conn.Traffic[1-d]; other.Packets > 0 && (t.KeepAlives >= flow.UnansweredKeepAlives || t.KeepAlives > 0 && e.disowned(d)) {
		e.observe(e.origin(d, t.Latest), ObsHalfOpen, e.halfOpenStatement(d, t.KeepAlives))
	}
}

// disowned reports whether the latest packet of the other side is a reset of a TCP that does not know the connection.
func (e *ending) disowned(d flow.Direction) bool {
	return e.unknown() && e.closer() == flow.Sender(1-d) && e.closing == e.conn.Traffic[1-d].Latest
}

// halfOpenStatement says that nothing but a reset answered the keep-alives of a direction.
func (e *ending) halfOpenStatement(d flow.Direction, n uint64) statement {
	sender, silent := flow.Sender(d), flow.Sender(1-d)
	if n == 1 {
		return stated("The %v answered a keep-alive of the %v with a reset in %s: it no longer knows the connection", silent, sender, frames(e.conn, e.closing))
	}
	if reset := &e.conn.RST[1-d]; *reset != (flow.Span{}) && *reset == e.conn.Traffic[1-d].Latest {
		return stated("The %v answered nothing of %s of the %v but the last one, in %s with a reset: it no longer knows the connection",
			silent, quantity.Count(n, "keep-alive"), sender, frames(e.conn, *reset))
	}
	return stated("The %v has been silent since %s: it answered none of the %s of the %v",
		silent, frames(e.conn, e.conn.Traffic[1-d].Latest), quantity.Count(n, "keep-alive"), sender)
}

// isBlocked reports whether octets of a direction do not arrive: they were sent again, or the other side went on acknowledging what is
// before them.
func isBlocked(c *flow.Conn, d flow.Direction) bool {
	p := c.Traffic[d].Pending
	if p == nil || p.Oldest.LastTime == 0 {
		return false
	}
	least := unackedAfter
	if p.LatestACK == (flow.Span{}) {
		least = skippedAfter
	}
	return p.Again >= unackedTimes && p.Last.LastTime-p.Oldest.LastTime >= least || isSkipped(c, d)
}

// isSkipped reports whether the other side went on acknowledging only what is before the pending octets of a direction.
func isSkipped(c *flow.Conn, d flow.Direction) bool {
	p := c.Traffic[d].Pending
	later := p.LatestACK.Frame > max(p.Oldest.Frame, p.Last.Frame) // a clock may have been set back
	return p.Oldest.LastTime != 0 && later && !isAskew(c) && p.LatestACK.LastTime-max(p.Oldest.LastTime, p.Last.LastTime) >= skippedAfter
}

func unacknowledgedStatement(c *flow.Conn, d flow.Direction, p *flow.Pending) statement {
	sender, receiver := flow.Sender(d), flow.Sender(1-d)
	var t statement
	switch hole := quantity.Count(p.Hole, "octet"); {
	case p.FIN:
		t = stated("The %v never acknowledged the FIN of the %v in %s, nor sent anything else", receiver, sender, frames(c, p.Oldest))
	case p.LatestACK == (flow.Span{}):
		t = stated("No acknowledgement of what the %v sent in %s reached the place of the capture, nor anything else from the %v", sender, frames(c, p.Oldest), receiver)
	case p.Len == 0:
		t = stated("The %v never acknowledged %s that the %v had sent before %s: they never came", receiver, hole, sender, frames(c, p.Oldest))
	case p.Hole > 0:
		t = stated("The %v never acknowledged what the %v sent in %s: %s before it never came", receiver, sender, frames(c, p.Oldest), hole)
	default:
		t = stated("The %v never acknowledged what the %v sent in %s", receiver, sender, frames(c, p.Oldest))
	}
	if p.Again > 0 {
		t = t.and(sentence("It was sent again %s over %s", quantity.Count(uint64(p.Again), "time"), duration(p.Last.LastTime-p.Oldest.LastTime)))
	}
	return t.and(skippedText(c, d, p)).and(idleText(p))
}

// skippedText says until when the other side acknowledged only what is before some octets; empty if it did not go on.
func skippedText(c *flow.Conn, d flow.Direction, p *flow.Pending) string {
	if !isSkipped(c, d) {
		return ""
	}
	return sentence("The %v acknowledged only what comes before, until %s, %s later", flow.Sender(1-d), frames(c, p.LatestACK), duration(p.LatestACK.LastTime-p.Oldest.LastTime))
}

// forgottenAfter is how long a connection must have been idle for a firewall to have forgotten it. Few wait for less than five minutes.
const forgottenAfter = int64(5 * time.Minute)

// idleText says for how long nothing had come before what was never acknowledged; empty if that is not long.
func idleText(p *flow.Pending) string {
	idle := p.Oldest.LastTime - p.LatestACK.LastTime
	if p.LatestACK.LastTime == 0 || idle < forgottenAfter {
		return ""
	}
	return sentence("Before that, the connection had been idle for %s: a firewall on the way may have forgotten it", duration(idle))
}

func badChecksumStatement(c *flow.Conn, d flow.Direction, p *flow.Pending) statement {
	return stated("What the %v sent in %s never got through: its TCP checksum is wrong, and so is that of each of the %s in which it was sent again until %s",
		flow.Sender(d), frames(c, p.Oldest), quantity.Count(uint64(p.Again), "packet"), frames(c, p.Last)).
		and(sentence("The %v's TCP discards such packets", flow.Sender(1-d)))
}

func blackHoleStatement(c *flow.Conn, d flow.Direction, t *flow.Traffic) statement {
	p := t.Pending
	if p.Hole > 0 {
		return stated("Full-size packets of the %v are lost before %s: a link on the way to the %v probably has a smaller MTU", flow.Sender(d),
			frames(c, p.Oldest), flow.Sender(1-d)).
			and(sentence("The sequence number in %s shows that it had sent %s that never came; packets with up to %d arrived", frames(c, p.Oldest),
				quantity.Count(p.Hole, "octet"), t.Passed)).
			and(skippedText(c, d, p))
	}
	return stated("Full-size packets of the %v are lost from %s on: a link on the way to the %v probably has a smaller MTU", flow.Sender(d),
		frames(c, p.Oldest), flow.Sender(1-d)).
		and(sentence("The packet in %s has %s of TCP payload and was sent again %s over %s, and never acknowledged; packets with up to %d arrived",
			frames(c, p.Oldest), quantity.Count(uint64(p.Len), "octet"), quantity.Count(uint64(p.Again), "time"),
			duration(p.Last.LastTime-p.Oldest.LastTime), t.Passed))
}

func unreachableStatement(c *flow.Conn, d flow.Direction, icmp *flow.ICMP) statement {
	t := stated("%v answered what the %v sent with an ICMP error in %s: %v", icmp.From, flow.Sender(d), frame(c, icmp.Frame), icmp.Kind)
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

// isBlackHole reports whether only packets up to a size were delivered: those that were sent again and again were larger, or so much is
// missing, while other packets of their sender still come.
func isBlackHole(t *flow.Traffic) bool {
	p := t.Pending
	size := p.Len
	if p.Hole > 0 {
		size = 0
		if t.Latest.LastTime-p.Oldest.LastTime >= skippedAfter {
			size = int(p.Hole)
		}
	} else if p.Again == 0 {
		return false
	}
	return t.Passed > 0 && size > t.Passed && size >= leastFull
}
