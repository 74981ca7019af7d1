package judge

// Clients that end the connection as soon as the MPA Reply comes, for what it says.

import (
	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/dissect/flow"
)

// quits reports whether the client ended the connection at once after the Reply, without an FPDU.
func (a *account) quits() bool {
	n := a.conn
	return n.Agreed && n.Transport() == flow.OverTCP && a.fpdus() == 0 && !a.anyLossy() && a.closer() == flow.Client &&
		a.closing.Time-a.frames[flow.S2C].LastTime < stallAfter
}

// markersRefused reports whether the client did so after a Reply that asks for Markers.
func (a *account) markersRefused() bool { return a.conn.Reply.M && a.quits() }

func (a *account) markersRefusedStatement() statement {
	return stated("The client %s the connection in %s, without an FPDU, after the server's MPA Reply in %s asked for Markers",
		a.endVerb(), frames(a.conn, a.closing), frames(a.conn, a.frames[flow.S2C]))
}

// readsRefused reports whether the client did so after a Reply with an IRD below its ORD.
func (a *account) readsRefused() bool {
	asked, offered, ok := enhanced(a.conn)
	return ok && offered.IRD < asked.ORD && asked.ORD != mpa.NotNegotiated && a.quits()
}

func (a *account) readsRefusedStatement() statement {
	asked, offered, _ := enhanced(a.conn)
	return stated("The server's MPA Reply in %s allows fewer RDMA Reads (IRD %d) than the client asked for (ORD %d), and %s, without an FPDU",
		frames(a.conn, a.frames[flow.S2C]), offered.IRD, asked.ORD, a.endClause())
}

// crcsRefused reports whether the client did so after a Reply that has another C bit than its Request.
func (a *account) crcsRefused() bool {
	return a.conn.Requested && a.conn.Replied && a.conn.Request.C != a.conn.Reply.C && a.quits()
}

func (a *account) crcsRefusedStatement() statement {
	asks := "asks for CRCs, and the client's Request does not"
	if a.conn.Request.C {
		asks = "does not ask for CRCs, and the client's Request does"
	}
	return stated("The server's MPA Reply in %s %s, and %s, without an FPDU", frames(a.conn, a.frames[flow.S2C]), asks, a.endClause())
}

// enhanced are the Enhanced words of both MPA frames. It is not ok if one has none.
func enhanced(c *flow.Conn) (asked, offered mpa.Enhanced, ok bool) {
	ok = c.Request.Enhanced(&asked) && c.Reply.Enhanced(&offered)
	return asked, offered, ok
}

// depthsText says which IRD and ORD the MPA frames have; empty if they do not both have them.
func depthsText(c *flow.Conn) string {
	asked, offered, ok := enhanced(c)
	if !ok {
		return ""
	}
	return sentence("the Request has IRD %d and ORD %d, the Reply IRD %d and ORD %d", asked.IRD, asked.ORD, offered.IRD, offered.ORD)
}
