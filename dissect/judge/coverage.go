package judge

// What the capture shows of a connection, and what it lacks.

import (
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/record"
)

// A coverage says how much of a connection the capture shows.
type coverage struct {
	conn    *flow.Conn
	givenUp bool      // the Engine has given the connection up
	lost    [2]bool   // by direction: where its FPDUs begin was not known for a time, or chunks are missing
	astray  [2]bool   // by direction: where its FPDUs begin is not known now
	broken  bool      // a side sent octets that are not an FPDU, and what follows them was not decoded
	closing flow.Span // the first FIN or reset; zero if there was none, or it has not been looked for
}

// unseen reports whether the last octets of a direction, or all, are missing in the capture: the other side has
// acknowledged them, or none of its packets is there.
func (v *coverage) unseen(d flow.Direction) bool {
	return v.conn.Traffic[d].Unseen > 0 || v.absent(d)
}

// none reports whether the capture lacks all segments of a direction.
func (v *coverage) none(d flow.Direction) bool {
	t := &v.conn.Traffic[d]
	return t.FPDUs == 0 && t.TCP.HoleOctets > 0
}

// absent reports whether the capture has none of the packets that a side must have sent, given how far the connection has
// come. Over SCTP packets are counted from the Accept on.
func (v *coverage) absent(d flow.Direction) bool {
	if t := &v.conn.Traffic[d]; t.Packets > 0 {
		return t.Packets == t.Resets && v.conn.Bare[d] && v.conn.FIN[1-d] != (flow.Span{}) // the connection was over when the capture began
	}
	a := v.conn.Association
	return a == nil || a.Ends[d].Span == (flow.Span{}) || v.conn.Traffic[1-d].FPDUs > 0
}

// hidden reports whether what a side sends cannot be read now: where its FPDUs begin is not known, or none of its packets
// is in the capture.
func (v *coverage) hidden(d flow.Direction) bool { return v.astray[d] || v.absent(d) }

func (v *coverage) anyHidden() bool { return v.hidden(flow.C2S) || v.hidden(flow.S2C) }

// lossy reports whether octets of a direction are missing in the capture, or were not decoded because others are.
func (v *coverage) lossy(d flow.Direction) bool {
	return v.conn.Traffic[d].MissingOctets > 0 || v.holed(d)
}

// holed reports whether whole segments of a direction may be missing in the capture: a snaplen alone leaves the header of each.
func (v *coverage) holed(d flow.Direction) bool {
	t := &v.conn.Traffic[d].TCP
	return t.HoleOctets != t.Cut || v.unseen(d) || v.lost[d] || v.givenUp
}

func (v *coverage) anyHoled() bool { return v.holed(flow.C2S) || v.holed(flow.S2C) }

func (v *coverage) anyLossy() bool { return v.lossy(flow.C2S) || v.lossy(flow.S2C) }

// whole reports whether the capture has all of a connection, from its MPA frames on.
func (v *coverage) whole() bool { return v.conn.Requested && v.conn.Replied && !v.anyLossy() }

// isAskew reports whether the times of the two directions of a connection cannot be compared.
func isAskew(c *flow.Conn) bool { return c.Traffic[flow.C2S].Askew || c.Traffic[flow.S2C].Askew }

// complete reports whether the capture shows the end of the connection.
func (v *coverage) complete() bool { return v.over() != flow.Span{} }

// over is where the TCP connection ended, as the capture shows it; zero if it goes on.
func (v *coverage) over() flow.Span {
	switch {
	case v.severed():
		return flow.Span{
			Frame: min(v.conn.RST[0].Frame, v.conn.RST[1].Frame), LastFrame: max(v.conn.RST[0].Frame, v.conn.RST[1].Frame),
			Time: v.conn.RST[0].Time, LastTime: v.conn.RST[0].Time,
		}
	case v.closing == (flow.Span{}):
		return v.conn.Reused
	}
	return v.closing
}

// closer is who ended the TCP connection.
func (v *coverage) closer() flow.Party {
	for d := range v.conn.FIN {
		if v.closing != (flow.Span{}) && (v.conn.FIN[d] == v.closing || v.conn.RST[d] == v.closing) {
			return flow.Sender(flow.Direction(d))
		}
	}
	return flow.Nobody
}

// unknown reports whether the connection ended with a reset by a TCP that knows no such connection.
func (v *coverage) unknown() bool {
	d := direction(v.closer())
	return v.closer() != flow.Nobody && v.conn.RST[d] == v.closing && v.conn.Bare[d] && v.conn.Transport() == flow.OverTCP
}

// severed reports whether something between the ends has reset both, as a proxy does: the resets come at the same time, and before
// any FIN.
func (v *coverage) severed() bool {
	n := v.conn
	return n.RST[0] != (flow.Span{}) && n.RST[1] != (flow.Span{}) && n.RST[0].Time == n.RST[1].Time && n.FIN == [2]flow.Span{} &&
		n.Transport() == flow.OverTCP
}

// wasReset reports whether a side has reset the connection.
func (v *coverage) wasReset() bool { return v.conn.RST != [2]flow.Span{} }

// fpdus is how many FPDUs there were.
func (v *coverage) fpdus() uint64 { return v.conn.Traffic[0].FPDUs + v.conn.Traffic[1].FPDUs }

// messages is how many complete messages there were.
func (v *coverage) messages() (n uint64) {
	for d := range v.conn.Traffic {
		for _, m := range v.conn.Traffic[d].Messages {
			n += m
		}
	}
	return n
}

// origin is all of the connection, or a span of it, seen from the end that sends in direction d.
func (v *coverage) origin(d flow.Direction, s flow.Span) *record.Origin {
	if s == (flow.Span{}) {
		s = v.conn.Span
	}
	return &record.Origin{Conn: v.conn, Dir: d, Span: s}
}
