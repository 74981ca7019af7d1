package judge

// Negotiations that came to nothing because of the revisions in the MPA frames. That breaks no rule: whoever cannot go
// on with the revision of the other side has to close.

import (
	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/dissect/flow"
)

// disagreed reports whether a connection ended after an MPA Request and an accepting Reply whose revisions do not go
// together, and without an FPDU. An RNIC can go on where one of them is 0, if it can do as those of the RDMA Consortium.
func (a *account) disagreed() bool {
	n := a.conn
	if n.Transport() != flow.OverTCP || !n.Agreed || !a.complete() || a.fpdus() > 0 || a.lossy(flow.C2S) || a.lossy(flow.S2C) {
		return false
	}
	return !rules.RevisionsAgree(&n.Request, &n.Reply)
}

func (a *account) revisionsStatement() statement {
	return stated("The server answered the MPA Request with Rev %d in %s by a Reply with Rev %d in %s, and %s",
		a.conn.Request.Rev, frames(a.conn, a.frames[flow.C2S]), a.conn.Reply.Rev, frames(a.conn, a.frames[flow.S2C]), a.endClause()).
		and(a.revisionsWhy())
}

// revisionsWhy says what the documents demand of an RNIC that cannot go on.
func (a *account) revisionsWhy() string {
	switch asked, answered := &a.conn.Request, &a.conn.Reply; {
	case asked.Rev == mpa.RevRDMAC:
		return "a Responder that cannot do as RNICs of the RDMA Consortium do replies with its own revision and closes " +
			"(RFC 5044, section C.2.1; MPA-C.2.1-1)"
	case answered.Rev == mpa.RevRDMAC && asked.S:
		return "an Initiator that cannot do as RNICs of the RDMA Consortium do closes after a Reply with Rev 0 " +
			"(RFC 5044, section C.2.2; MPA-C.2.2-1); to an enhanced Request a Responder that knows no such closes " +
			"without a Reply (RFC 6581, section 10; EMPA-10-5)"
	case answered.Rev == mpa.RevRDMAC:
		return "an Initiator that cannot do as RNICs of the RDMA Consortium do closes after a Reply with Rev 0 " +
			"(RFC 5044, section C.2.2; MPA-C.2.2-1)"
	}
	return "whoever cannot go on with the revision of the other side closes (RFC 5044, section 7.1.1; MPA-7.1.1-16)"
}
