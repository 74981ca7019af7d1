// Package mpa encodes and decodes Marker PDU Aligned Framing for TCP (RFC 5044) and its enhanced connection
// establishment (RFC 6581) without allocating.
//
//	var d mpa.Deframer
//	d.Reset(mpa.Options{CRC: true})
//	d.Push(octets)
//	for f := new(mpa.Deframed); d.Next(f); {
//		fmt.Printf("%q, CRC %v\n", f.ULPDU, f.Verdict)
//	}
//
// A connection begins with two frames: the Initiator's MPA Request and the Responder's MPA Reply. A [Frame] carries
// options, Private Data and, in an [Enhanced] word, the depths of the read queues. After them each direction is a stream
// of FPDUs: ULPDU_Length, one ULPDU, padding to a multiple of four octets, and a CRC32c. If the receiver has asked for
// Markers, the stream contains one every 512 octets.
//
// A [Deframer] extracts FPDUs from a stream that comes in pieces of any size; a [Framer] writes them into one. [FPDU]
// is a single FPDU without Markers.
package mpa

import (
	"encoding/binary"
	"hash/crc32"

	"github.com/iwarpkit/iwarp/codec/field"
)

// Limits of RFC 5044, in octets.
const (
	MaxPrivateData = 512   // section 7.1.1: Private Data of a Request or Reply
	MaxULPDU       = 64768 // section 3: ULPDU of an FPDU
	MarkerSpacing  = 512   // section 4.3: from the start of a Marker to the start of the next
	MarkerLen      = 4     // section 4.3
)

// The MPA revisions (Rev) in use.
const (
	RevRDMAC = 0   // RDMA Consortium (RFC 5044, appendix C)
	Rev1     = 1   // RFC 5044
	Rev2     = 2   // RFC 6581
	RevERDMA = 129 // a vendor's own revision, seen from ERDMA devices; not defined by any RFC
)

// castagnoli must be this very table: with any other the standard library takes its slow path.
var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// CRC returns the CRC32c of b for the CRC field of an FPDU (RFC 5044, section 4.4). It covers everything from
// ULPDU_Length, or from a Marker directly before it, up to the CRC field. On the wire its least significant octet comes
// first.
func CRC(b []byte) uint32 { return crc32.Checksum(b, castagnoli) }

// Pad returns the number of zero octets, 0 to 3, between a ULPDU of the given length and the CRC (RFC 5044, section 4.1).
func Pad(ulpdu int) int { return -(2 + ulpdu) & 3 }

// FPDULen returns the length in octets of the FPDU around a ULPDU of the given length, without Markers: ULPDU_Length,
// ULPDU, padding and CRC.
func FPDULen(ulpdu int) int { return (2+ulpdu+3)&^3 + crcLen }

const crcLen = 4

// MULPDU returns the length in octets of the longest ULPDU whose FPDU fits in one TCP segment of emss octets (RFC 5044,
// section 4.5), with or without Markers. It is never below 128 or above [MaxULPDU].
func MULPDU(emss int, markers bool) int {
	m := emss - (6 + emss%4)
	if markers {
		m -= 4 * ((emss + MarkerSpacing - 1) / MarkerSpacing)
	}
	return min(max(m, 128), MaxULPDU)
}

// An Ending is how a side stops sending on the TCP connection below MPA (RFC 5044, sections 6 and 8).
type Ending uint8

// The endings.
const (
	GoesOn    Ending = iota // it does not
	EndsFIN                 // all is sent: send a FIN
	EndsReset               // reset the connection
)

// Tables lists every field table of this package, for code that needs all names in advance. FPDU trailers have one for
// each length of PAD.
var Tables = []*field.Table{
	RequestFields, ReplyFields, EnhancedFields, LegacyFields,
	FPDUFields, trailers[0], trailers[1], trailers[2], trailers[3],
}

// order is the byte order of every field but the CRC.
var order = binary.BigEndian

// bit returns mask if the flag is set, else 0.
func bit(set bool, mask uint16) uint16 {
	if set {
		return mask
	}
	return 0
}
