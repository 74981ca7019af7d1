// Package rules holds what the iWARP protocols demand, once: those who judge traffic and those who act on it ask here.
package rules

import (
	"github.com/iwarpkit/iwarp/codec/ddp"
	"github.com/iwarpkit/iwarp/codec/mpa"
)

// An Agreement is what an MPA Request and its Reply fix for a connection.
type Agreement struct {
	Rejected         bool  // the Responder rejected the connection; nothing else is fixed then
	Rev              uint8 // revision of MPA: that of the Reply
	MarkersFromInit  bool  // Markers stand in the Initiator's stream
	MarkersFromResp  bool  // Markers stand in the Responder's stream
	CRC              bool  // CRCs are generated and checked in both directions
	DDPVersion       uint8 // version of DDP and RDMAP headers: 1, or 0 with an RDMAC peer
	InitORD, RespORD int   // RDMA Read Requests that each side may have outstanding; -1 if they were not negotiated
}

// RDMAC reports whether the stream has the headers of an RDMAC peer (RFC 5044, appendix C).
func (a *Agreement) RDMAC() bool { return a.DDPVersion == ddp.VersionRDMAC }

// Negotiate works out what two valid MPA frames agree on:
//
//   - Each side says whether it requires Markers in what it receives: the Reply's M counts for the Initiator's
//     stream, the Request's M for the Responder's (RFC 5044, section 7.1.1).
//   - CRCs are on as soon as either side asks for them (RFC 5044, section 7.1.1).
//   - An RDMAC peer, revision 0, has Markers and CRC always, whatever the M and C bits of the other side, and uses
//     version 0 of DDP and RDMAP (RFC 5044, appendix C).
//   - No side has more Read Requests outstanding than it announced, and than the other side accepts (RFC 6581,
//     section 9.1); the values of the Reply are final.
func Negotiate(request, reply *mpa.Frame) Agreement {
	a := Agreement{
		Rejected:        reply.R,
		Rev:             reply.Rev,
		MarkersFromInit: reply.M,
		MarkersFromResp: request.M,
		CRC:             request.C || reply.C,
		DDPVersion:      ddp.Version,
		InitORD:         -1,
		RespORD:         -1,
	}
	if request.Rev == mpa.RevRDMAC || reply.Rev == mpa.RevRDMAC {
		a.MarkersFromInit, a.MarkersFromResp, a.CRC = true, true, true
		a.DDPVersion = ddp.VersionRDMAC
	}
	var i, r mpa.Enhanced
	if request.Enhanced(&i) && reply.Enhanced(&r) {
		a.InitORD = outstanding(i.ORD, r.IRD)
		a.RespORD = outstanding(r.ORD, i.IRD)
	}
	return a
}

// Framing returns how FPDUs of the Initiator, or else of the Responder, are framed.
func (a *Agreement) Framing(initiator bool) mpa.Options {
	o := mpa.Options{Markers: a.MarkersFromResp, CRC: a.CRC}
	if initiator {
		o.Markers = a.MarkersFromInit
	}
	return o
}

// RevisionsAgree reports whether both sides can go on with the revisions of MPA in a Request and in an accepting Reply, as
// far as that can be seen: the Reply has none above that of the Request (RFC 5044, section 7.1.1), and either both are 0
// or neither is. Where they do not agree, a side may still be able to do as the other one does: an RNIC of the RDMA
// Consortium and one that is permissive towards it (RFC 5044, appendix C).
func RevisionsAgree(request, reply *mpa.Frame) bool {
	return reply.Rev <= request.Rev && (reply.Rev == mpa.RevRDMAC) == (request.Rev == mpa.RevRDMAC)
}

// outstanding is how many Read Requests a side with the given ORD may send to one with the given IRD.
func outstanding(ord, ird uint16) int {
	if ord == mpa.NotNegotiated || ird == mpa.NotNegotiated {
		return -1
	}
	return int(min(ord, ird))
}
