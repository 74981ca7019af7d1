// Package rules holds the demands of the iWARP protocols.
// A [Startup] checks MPA frames, a [Receiver] what one end receives: both append each [Violation].
package rules

import (
	"github.com/iwarpkit/iwarp/codec/ddp"
	"github.com/iwarpkit/iwarp/codec/mpa"
)

// An Agreement is what an MPA Request and its Reply fix for a connection.
type Agreement struct {
	Rejected         bool  // the Responder rejected the connection; nothing else is fixed then
	Rev              uint8 // revision of MPA: that of the Reply
	MarkersFromInit  bool  // the Initiator's stream has Markers
	MarkersFromResp  bool  // the Responder's stream has Markers
	CRC              bool  // CRCs are generated and checked in both directions
	DDPVersion       uint8 // version of DDP and RDMAP headers: 1, or 0 with an RDMAC peer
	InitORD, RespORD int   // RDMA Read Requests that each side may have outstanding; -1 if they were not negotiated
}

// RDMAC reports whether the stream has the headers of an RDMAC peer (RFC 5044, appendix C).
func (a *Agreement) RDMAC() bool { return a.DDPVersion == ddp.VersionRDMAC }

// Negotiate computes what two valid MPA frames agree on:
//
//   - Each side says whether it requires Markers in what it receives: the Reply's M counts for the Initiator's stream,
//     the Request's M for the Responder's (RFC 5044, section 7.1.1).
//   - CRCs are on if either side asks for them (RFC 5044, section 7.1.1).
//   - An RDMAC peer, revision 0, always has Markers and CRC, whatever the M and C bits of the other side, and uses
//     version 0 of DDP and RDMAP (RFC 5044, appendix C).
//   - A side's outstanding Reads are at most its own ORD and the peer's IRD (RFC 6581, section 9.1); the values of the
//     Reply are final.
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

// Framing returns how FPDUs of the Initiator or the Responder are framed.
func (a *Agreement) Framing(initiator bool) mpa.Options {
	o := mpa.Options{Markers: a.MarkersFromResp, CRC: a.CRC}
	if initiator {
		o.Markers = a.MarkersFromInit
	}
	return o
}

// RevisionsAgree reports whether the MPA revisions of a Request and an accepting Reply are compatible: the Reply's is
// not above the Request's (RFC 5044, section 7.1.1), and both or neither are 0. Where they are not, a side may still
// adapt: an RNIC of the RDMA Consortium, or one that is permissive towards it (RFC 5044, appendix C).
func RevisionsAgree(request, reply *mpa.Frame) bool {
	return reply.Rev <= request.Rev && (reply.Rev == mpa.RevRDMAC) == (request.Rev == mpa.RevRDMAC)
}

// outstanding returns how many Read Requests a side with the given ORD may have outstanding at one with the given IRD.
func outstanding(ord, ird uint16) int {
	if ord == mpa.NotNegotiated || ird == mpa.NotNegotiated {
		return -1
	}
	return int(min(ord, ird))
}
