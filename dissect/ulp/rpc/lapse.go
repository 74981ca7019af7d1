package rpc

// Servers of NFSv4 that forget a client or its session again and again.

import (
	"fmt"

	"github.com/iwarpkit/iwarp/codec/nfs"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/ulp"
)

// lapses are the times when the server no longer knew the client or its session.
type lapses struct {
	lapsed      bool // and neither has begun anew since
	n           int
	first, last record.Origin // the Replies that say so
	status      string        // in the last one
}

// maxLapses is how often a server may forget a client on a connection: a restart ends it, and a lease runs out after an interruption.
const maxLapses = 2

// take takes the number of the error with which a COMPOUND ended.
func (l *lapses) take(o *record.Origin, x *Exchange, number uint32) {
	status := nfs.Stat4(number)
	switch {
	case x.Reverse || !x.Procedure.IsCompound():
	case status == nfs.OK4:
		l.lapsed = l.lapsed && !x.has(nfs.OpCreateSession, nfs.OpSetClientIDConfirm)
	case status.Forgets() && !x.Leaves() && !l.lapsed:
		if l.n++; l.n == 1 {
			l.first = *o
		}
		l.lapsed, l.last, l.status = true, *o, status.String()
	}
}

// conclude says that it happened too often.
func (l *lapses) conclude() (c ulp.Conclusion, ok bool) {
	if l.n <= maxLapses {
		return c, false
	}
	return ulp.Conclusion{Origin: l.first, Name: record.Warned, Advice: lapseAdvice, Says: fmt.Sprintf(
		"The server no longer knew the client or its session %d times, from %s to %s (%s), although the client had begun anew each time",
		l.n, l.first.Conn.Frames.Text(l.first.Span), l.last.Conn.Frames.Text(l.last.Span), l.status)}, true
}

const lapseAdvice = "See whether another client has the same name, such as a clone of this host: each takes the other one's place. Linux makes the name of the " +
	"host's name, unless nfs.nfs4_unique_id is set; compare co_ownerid of EXCHANGE_ID, or id of SETCLIENTID, in captures of both. Else see what " +
	"expires clients on the server, and its log."
