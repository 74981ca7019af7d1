package rules

// Framing: the demands of MPA on each FPDU (RFC 5044, section 4).

import (
	"encoding/binary"
	"fmt"
	"math/bits"

	"github.com/iwarpkit/iwarp/codec/field"
	"github.com/iwarpkit/iwarp/codec/mpa"
)

// Rules about FPDUs.
var (
	RuleFPDUCRC = newRule("fpdu-crc", Error,
		"The CRC of an FPDU must be the CRC32c of all octets before it, Markers and PAD included.",
		"MPA-4.4-10", "MPA-4.4-6", "MPA-7.1.1-9", "MPA-4.4-1", "MPA-4.4-2", "MPA-4.4-9", "MPA-4.4-11", "MPA-4.4-12",
		"MPA-4.1-1", "MPA-4.1-2", "MPA-4.1-5", "MPA-4.3-6", "MPA-8-2", "MPA-C.1-2", "RDMAP-6.1-1").situation(FPDUCRC)
	RuleFPDUMarker = newRule("fpdu-marker", Error,
		"A stream with Markers must have one every 512 octets, which must point to the start of its FPDU.",
		"MPA-4.3-3", "MPA-4.3-2", "MPA-4.3-5", "MPA-4.3-7", "MPA-4.3-8", "MPA-4.3-9", "MPA-4.2-1", "MPA-7.1.1-5",
		"MPA-7.1.1-6", "MPA-7.1.2-16", "MPA-4.3-1", "MPA-8-3").situation(FPDUMarker)
	ruleMarkerUnasked = newRule("marker-unasked", Error,
		"A stream must have no Markers unless its receiver asked for them.", "MPA-7.1.1-7").situation(DDPShort)
	RuleMarkerReserved = newRule("marker-reserved", Error,
		"RESERVED and the two lowest bits of FPDUPTR must be zero in a Marker.", "MPA-4.2-2", "MPA-4.2-4")
	RuleFPDUPad = newRule("fpdu-pad", Error,
		"The PAD octets of an FPDU must be zero.", "MPA-4.1-3").in("iwarp_mpa.pad")
	ruleULPDUEmpty = newRule("ulpdu-empty", Error,
		"An FPDU must hold a ULPDU.", "DDP-4.4-1", "MPA-3-6", "MPA-7.1.1-7", "MPA-7.1.2-16").situation(DDPShort)
	ruleULPDULong = newRule("ulpdu-long", Error,
		"A ULPDU must be at most 64768 octets long.", "MPA-3-5", "MPA-3-4").in("iwarp_mpa.ulpdulength")
)

// CheckFPDU checks the framing of an FPDU of a stream with the given options, and appends the violations to v. If the
// CRC is wrong, neither the ULPDU nor the Markers can be trusted (RFC 5044, section 8: Markers are wrong only where the
// CRC is valid): CheckFPDU reports nothing else then, and the segment must not be given to a Receiver.
func CheckFPDU(f *mpa.Deframed, o mpa.Options, v []Violation) []Violation {
	if f.Verdict == mpa.Bad {
		return RuleFPDUCRC.broken(v, crcText(f), crcHex(f.WantCRC))
	}
	if f.BadMarkers != 0 {
		v = RuleFPDUMarker.broken(v, badMarkers(f), "none")
	}
	if f.ULPDULength == 0 || f.ULPDULength > mpa.MaxULPDU {
		v = checkULPDULength(f, o, v)
	}
	if f.ReservedMarkers != 0 {
		v = RuleMarkerReserved.broken(v, fmt.Sprintf("set in %d of %d Markers", f.ReservedMarkers, f.Markers), "0")
	}
	if !field.AllZero(f.PAD) {
		v = RuleFPDUPad.broken(v, fmt.Sprintf("PAD %x", f.PAD), fmt.Sprintf("PAD %x", make([]byte, len(f.PAD))))
	}
	return v
}

// CheckMarkers is for a stream whose FPDUs can be read only if its Markers are not as agreed: it has none although some
// were agreed on, or the reverse. A receiver, which reads as agreed, finds a wrong CRC, if CRCs are checked (RFC 5044,
// sections 4.4 and 8); that, or what else it finds first, is the Situation of this Rule.
func CheckMarkers(agreed mpa.Options, v []Violation) []Violation {
	breach := ruleMarkerUnasked.Breach("Markers in the stream", "none: they were not agreed on") // one is read as a ULPDU_Length of 0
	if agreed.Markers {
		breach = RuleFPDUMarker.Breach("no Markers in the stream", "the Markers that were agreed on")
	}
	if agreed.CRC {
		breach.Situation = FPDUCRC
	}
	return append(v, breach)
}

// checkULPDULength checks an impossible ULPDU_Length.
func checkULPDULength(f *mpa.Deframed, o mpa.Options, v []Violation) []Violation {
	if f.ULPDULength > mpa.MaxULPDU {
		return ruleULPDULong.broken(v, octets(int(f.ULPDULength)), "at most 64768 octets")
	}
	seen := "ULPDU_Length 0"
	if !o.Markers && f.Start%mpa.MarkerSpacing == 0 {
		seen += fmt.Sprintf(" at octet %d of the stream, where a Marker would be", f.Start)
	}
	return ruleULPDUEmpty.broken(v, seen, "at least 1 octet")
}

// crcText writes a wrong CRC, with a possible reason.
func crcText(f *mpa.Deframed) string {
	switch {
	case f.BadMarkers != 0: // then these octets may not be the CRC
		return crcHex(f.CRC) + ", and " + badMarkers(f)
	case f.CRC == 0:
		return crcHex(0) + ", as if CRCs were off"
	case bits.ReverseBytes32(f.CRC) == f.WantCRC:
		return crcHex(f.CRC) + ", in reverse order"
	}
	return crcHex(f.CRC)
}

// badMarkers returns "1 of 2 Markers point elsewhere".
func badMarkers(f *mpa.Deframed) string {
	return fmt.Sprintf("%d of %d Markers point elsewhere", f.BadMarkers, f.Markers)
}

// crcHex writes a CRC as its octets on the wire.
func crcHex(crc uint32) string {
	return fmt.Sprintf("CRC %x", binary.LittleEndian.AppendUint32(nil, crc))
}
