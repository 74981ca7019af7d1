package rfc

import (
	"iter"
	"strings"
)

// Document is a document that states requirements.
type Document struct {
	ID    string // as in [Requirement].Doc: "RFC5041"
	Name  string // as people write it: "RFC 5041"
	Title string // "Direct Data Placement over Reliable Transports"
}

// documents lists the RFCs by number, then drafts and others.
var documents = []Document{
	{"RFC5040", "RFC 5040", "A Remote Direct Memory Access Protocol Specification"},
	{"RFC5041", "RFC 5041", "Direct Data Placement over Reliable Transports"},
	{"RFC5042", "RFC 5042", "Direct Data Placement Protocol (DDP) / Remote Direct Memory Access Protocol (RDMAP) Security"},
	{"RFC5043", "RFC 5043", "Stream Control Transmission Protocol (SCTP) Direct Data Placement (DDP) Adaptation"},
	{"RFC5044", "RFC 5044", "Marker PDU Aligned Framing for TCP Specification"},
	{"RFC6580", "RFC 6580", "IANA Registries for the Remote Direct Data Placement (RDDP) Protocols"},
	{"RFC6581", "RFC 6581", "Enhanced Remote Direct Memory Access (RDMA) Connection Establishment"},
	{"RFC7306", "RFC 7306", "Remote Direct Memory Access (RDMA) Protocol Extensions"},
	{"RFC8166", "RFC 8166", "Remote Direct Memory Access Transport for Remote Procedure Call Version 1"},
	{"RFC8167", "RFC 8167", "Bidirectional Remote Procedure Call on RPC-over-RDMA Transports"},
	{"RFC8797", "RFC 8797", "Remote Direct Memory Access - Connection Manager (RDMA-CM) Private Data for RPC-over-RDMA Version 1"},
	{"draft-ietf-rddp-rdmap-00", "draft-ietf-rddp-rdmap-00", "An RDMA Protocol Specification"},
	{"RPCRDMA-V2-01", "draft-ietf-nfsv4-rpcrdma-version-two-01", "RPC-over-RDMA Version 2 Protocol"},
	{"RDMAC-VERBS-1.0", "RDMAC Verbs 1.0", "RDMA Protocol Verbs Specification (Version 1.0)"},
}

// Documents yields every document: the RFCs by number, then the others.
func Documents() iter.Seq[*Document] {
	return func(yield func(*Document) bool) {
		for i := range documents {
			if !yield(&documents[i]) {
				return
			}
		}
	}
}

// LookupDocument returns the document with an id or name, in any case; nil if there is none.
func LookupDocument(s string) *Document {
	for i := range documents {
		if d := &documents[i]; strings.EqualFold(s, d.ID) || strings.EqualFold(s, d.Name) {
			return d
		}
	}
	return nil
}
