// Package sctp encodes and decodes the headers of the adaptation layer between DDP and SCTP (RFC 5043) without
// allocating.
//
// Over SCTP a DDP stream is a pair of SCTP streams with the same identifier. The Payload Protocol Identifier of a DATA
// chunk tells what it holds:
//
//   - [PPIDSegment]: a [SegmentChunk], whose DDP-SSN gives the order in which DDP sent, followed by a DDP segment.
//   - [PPIDControl]: a [Control], which begins or ends a DDP Stream Session, as MPA Request and Reply begin a
//     connection over TCP.
//
// Package dissect/association reads the headers of SCTP itself.
package sctp

import (
	"encoding/binary"

	"github.com/iwarpkit/iwarp/codec/field"
)

// The Payload Protocol Identifiers of DATA chunks (RFC 5043, section 5.2).
const (
	PPIDSegment = 16 // a DDP Segment Chunk
	PPIDControl = 17 // a DDP Stream Session Control message
)

// AdaptationDDP is the Adaptation Layer Indication for DDP in INIT and INIT ACK (RFC 5043, section 5.1).
const AdaptationDDP = 1

// MaxPrivateData is the limit of the Private Data in octets, including an Enhanced word (RFC 5043, section 5.2.3, and
// RFC 6581, section 7).
const MaxPrivateData = 512

// Tables lists every field table of this package, for code that needs all names in advance.
var Tables = []*field.Table{SegmentFields, ControlFields}

// order is the byte order of every field.
var order = binary.BigEndian

var ddpSSN = field.Field{Name: "iwarp_sctp.ddp_ssn", Label: "DDP-SSN", Off: 0, Width: 16, Base: field.Dec}
