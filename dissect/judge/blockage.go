package judge

// Where TCP does not deliver.

import (
	"time"

	"github.com/iwarpkit/iwarp/dissect/record"
)

// How often octets are sent again, and for how long, until they count as not delivered.
const (
	unackedTimes = 2
	unackedAfter = int64(time.Second)
	skippedAfter = 3 * unackedAfter // for octets that were not sent again

	unansweredKeepAlives = 2
)

// observeBlockage says what of a direction TCP did not deliver.
func (e *ending) observeBlockage(d record.Direction) {
	t := &e.conn.Traffic[d]
	p := &t.Pending
	if icmp := &t.ICMP; icmp.Kind != record.NoICMP && (p.Octets > 0 && p.Oldest.Frame < icmp.Frame || e.conn.End == record.EndNoAnswer) {
		e.observe(e.origin(d, icmp.Span), ObsUnreachable, unreachableTale(e.conn, d, icmp))
	}
	if window := &e.conn.Traffic[1-d].Closed; *window != (record.Span{}) && e.until()-window.LastTime >= unackedAfter {
		e.observe(e.origin(1-d, *window), ObsWindowClosed, told("The %v received nothing from %s on: its TCP window stayed closed for %s, to the end",
			record.Sender(1-d), frames(e.conn, *window), duration(e.until()-window.LastTime)))
	} else if isBlocked(p) && isBlackHole(p) {
		e.observe(e.origin(d, p.Oldest), ObsBlackHole, blackHoleTale(e.conn, d, p))
	} else if isBlocked(p) {
		e.observe(e.origin(d, p.Oldest), ObsUnacknowledged, unacknowledgedTale(e.conn, d, p))
	} else if other := &e.conn.Traffic[1-d]; t.KeepAlives >= unansweredKeepAlives && other.Packets > 0 {
		e.observe(e.origin(d, t.Latest), ObsHalfOpen, told("The %v has been silent since %s: it answered none of the %s of the %v",
			record.Sender(1-d), frames(e.conn, other.Latest), plural(t.KeepAlives, "keep-alive"), record.Sender(d)))
	}
}

// isBlocked reports whether what a side has sent does not arrive: it was sent again, or the other side went on acknowledging what is
// before it.
func isBlocked(p *record.Pending) bool {
	return p.Octets > 0 && (p.Again >= unackedTimes && p.Last.LastTime-p.Oldest.LastTime >= unackedAfter || isSkipped(p))
}

// isSkipped reports whether the other side went on acknowledging what is before some octets, which were not sent again.
func isSkipped(p *record.Pending) bool {
	return p.Again == 0 && p.Oldest.LastTime != 0 && p.Heard.LastTime-p.Oldest.LastTime >= skippedAfter
}

func unacknowledgedTale(c *record.Conn, d record.Direction, p *record.Pending) tale {
	if isSkipped(p) {
		before := ""
		if p.Hole {
			before = ": octets before it were lost, and never sent again"
		}
		return told("The %v never acknowledged what the %v sent in %s%s", record.Sender(1-d), record.Sender(d), frames(c, p.Oldest), before).
			and(sentence("It acknowledged only what comes before it, until %s, %s later", frames(c, p.Heard), duration(p.Heard.LastTime-p.Oldest.LastTime)))
	}
	return told("The %v never acknowledged what the %v sent in %s", record.Sender(1-d), record.Sender(d), frames(c, p.Oldest)).
		and(sentence("It was sent again %s over %s", plural(uint64(p.Again), "time"), duration(p.Last.LastTime-p.Oldest.LastTime)))
}

func blackHoleTale(c *record.Conn, d record.Direction, p *record.Pending) tale {
	return told("Full-size packets of the %v are lost from %s on: a link on the way to the %v probably has a smaller MTU", record.Sender(d),
		frames(c, p.Oldest), record.Sender(1-d)).
		and(sentence("The packet in %s has %s of TCP payload and was sent again %s over %s in vain; packets with up to %d arrived",
			frames(c, p.Oldest), plural(uint64(p.Len), "octet"), plural(uint64(p.Again), "time"),
			duration(p.Last.LastTime-p.Oldest.LastTime), p.Passed))
}

func unreachableTale(c *record.Conn, d record.Direction, icmp *record.ICMP) tale {
	t := told("%v answered what the %v sent with an ICMP error in %s: %v", icmp.From, record.Sender(d), frames(c, icmp.Span), icmp.Kind)
	if icmp.MTU > 0 {
		t.what += sentence(", packets on this way have at most %d octets", icmp.MTU)
	}
	if p := &c.Traffic[d].Pending; p.Oldest != (record.Span{}) {
		t.what += sentence("; the packet in %s, with %s of TCP payload, was never acknowledged", frames(c, p.Oldest), plural(uint64(p.Len), "octet"))
	}
	return t
}

func (e *ending) noAnswerTale() tale {
	n := e.conn
	if back := &n.Traffic[record.S2C]; back.Packets > 0 {
		return told("The client never answered the SYN with ACK of the server %v, which came %s until %s: it does not reach the client",
			n.Server, plural(back.Packets, "time"), frames(n, back.Latest))
	}
	return told("The server %v never answered the client's SYN in %s, which came %s in %s",
		n.Server, frame(n, n.Frame), plural(n.Traffic[record.C2S].Packets, "time"), duration(n.Latest-n.Earliest))
}

// leastFull is how many octets of payload a full-size packet has at least.
const leastFull = 512

// isBlackHole reports whether only packets up to a size were delivered.
func isBlackHole(p *record.Pending) bool {
	return p.Passed > 0 && p.Len > p.Passed && p.Len >= leastFull
}
