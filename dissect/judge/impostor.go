package judge

// Resets in the name of a side that something else may have sent.

import (
	"net"

	"github.com/iwarpkit/iwarp/dissect/flow"
)

// forged reports whether a side went on after its reset, as only one does that has not sent it. Captures of both ends show it by
// themselves.
func (a *account) forged(d flow.Direction) bool {
	return a.conn.Impostor[d].After != (flow.Span{}) && a.verdict.Ends == nil
}

// observeImpostors names resets that their side did not send.
func (e *ending) observeImpostors() {
	for d := range e.conn.Impostor {
		if d := flow.Direction(d); e.forged(d) {
			e.observe(e.origin(d, e.conn.RST[d]), ObsForgedReset, e.impostorStatement(d))
		}
	}
}

// impostorStatement says what sent a reset in the name of a side, and how it shows.
func (e *ending) impostorStatement(d flow.Direction) statement {
	i, who := &e.conn.Impostor[d], flow.Sender(d)
	did, went := "reset", "goes on"
	if e.conn.End == flow.EndRefused {
		did, went = "refused", "answers the SYN"
	}
	at, after := frames(e.conn, e.conn.RST[d]), frames(e.conn, i.After)
	if i.Own.HasOtherMAC(i.Reset) {
		return stated("Another host %s the connection in the name of the %v in %s: its MAC address is %v, and the %v, which %s in %s, has %v",
			did, who, at, mac(&i.Reset), who, went, after, mac(&i.Own)).
			and(sentence("Two hosts seem to have the address %v, or a device on the way answers for it", e.conn.Peer(d).Addr()))
	}
	if i.Own.IsOther(i.Reset) {
		return stated("Something on the way %s the connection in the name of the %v in %s: that packet has TTL %d, and the %v, which %s in %s, sends with TTL %d",
			did, who, at, i.Reset.TTL, who, went, after, i.Own.TTL)
	}
	return stated("Something other than the TCP of the %v reset the connection in its name in %s: the %v still sends octets in %s, %s later", who, at, who, after,
		duration(i.After.Time-e.conn.RST[d].Time)).
		and("A firewall on its host, or on the way, may have done that")
}

// stationText says that a reset came from another station than its side's first packet; empty if it did not.
func (a *account) stationText(d flow.Direction) string {
	own, reset := &a.conn.Impostor[d].Own, &a.conn.Impostor[d].Reset
	switch {
	case !own.IsOther(*reset) || a.verdict.Ends != nil:
		return ""
	case own.HasOtherMAC(*reset):
		return sentence("The reset came from MAC address %v, and the %v's first packet from %v: another host has the address %v, or the way to the %[2]v has changed",
			mac(reset), flow.Sender(d), mac(own), a.conn.Peer(d).Addr())
	}
	return sentence("The reset has TTL %d, and the %v's first packet TTL %d: perhaps a firewall sent it", reset.TTL,
		flow.Sender(d), own.TTL)
}

func mac(s *flow.Station) net.HardwareAddr { return s.MAC[:] }
