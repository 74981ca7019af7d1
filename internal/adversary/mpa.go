package adversary

// FPDUs: RFC 5044, section 4.

import (
	"encoding/binary"
	"hash/crc32"
	"math/bits"
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// A Fault is what is wrong with an FPDU, apart from its ULPDU. The zero value is right.
type Fault struct {
	Length  int    // added to ULPDU_Length, while the FPDU is as long as its ULPDU demands
	Pad     byte   // in each octet of PAD
	CRC     uint32 // bits of the CRC that are flipped
	NoCRC   bool   // the CRC is zero
	Swapped bool   // the CRC has its most significant octet first
	Pointer uint16 // added to the FPDUPTR of each Marker in it
	Above   uint16 // in the RESERVED field of each Marker in it
	Without bool   // the FPDU has no Markers where they are due
	Lost    int    // octets left out before the CRC
}

// A stream is what one side has sent since its MPA frame, a multiple of 4 octets.
type stream struct {
	markers, crc bool
	sent         int // octets
}

// streams are what both sides send, before their first FPDU.
func (c *Conversation) streams() (s [2]stream) {
	for side := range s {
		s[side] = stream{markers: c.Terms.Markers[side], crc: c.Terms.CRC}
	}
	return s
}

// markerSpacing is from one Marker to the next: RFC 5044, section 4.3.
const markerSpacing = 512

// fpdu lays out an FPDU. Markers stand where the number of octets since the MPA frame is a multiple of 512, before
// what follows. Each has the number of octets since ULPDU_Length; the one before ULPDU_Length has 0.
func (s *stream) fpdu(ulpdu []byte, fault Fault) (wire []byte) {
	header := -1 // the position of ULPDU_Length
	mark := func() {
		at := s.sent + len(wire)
		if !s.markers || fault.Without || at%markerSpacing != 0 {
			return
		}
		pointer := uint16(0)
		if header >= 0 {
			pointer = uint16(at - header)
		}
		wire = append(wire, octets(fault.Above, pointer+fault.Pointer)...)
	}
	body := append(octets(uint16(len(ulpdu)+fault.Length)), ulpdu...)
	for len(body)%4 != 0 {
		body = append(body, fault.Pad)
	}
	for ; len(body) > 0; body = body[4:] {
		if mark(); header < 0 {
			header = s.sent + len(wire)
		}
		wire = append(wire, body[:4]...)
	}
	mark()
	wire = wire[:len(wire)-fault.Lost]
	crc := uint32(0)
	if s.crc && !fault.NoCRC {
		crc = crc32.Checksum(wire, castagnoli)
	}
	if fault.Swapped {
		if crc == bits.ReverseBytes32(crc) {
			crc ^= 1
		}
		crc = bits.ReverseBytes32(crc)
	}
	wire = binary.LittleEndian.AppendUint32(wire, crc^fault.CRC)
	s.sent += len(wire)
	return wire
}
