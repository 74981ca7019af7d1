package player

import (
	"slices"

	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/replay/scenario"
)

// A Deviation is a header field that the other side always gets wrong. The Player ignores it, and compares everything
// else.
type Deviation struct {
	Field   string       // its name in the field tables of codec/mpa, codec/ddp and codec/rdmap: "iwarp_ddp.rsvd"
	Message rdmap.Opcode // the messages that have it, if it is a field of DDP or RDMAP
}

// Fields of FPDUs, whose values depend on what they carry.
const (
	fieldCRC            = "iwarp_mpa.crc"
	fieldPAD            = "iwarp_mpa.pad"
	fieldMarker         = "iwarp_mpa.marker_fpduptr"
	fieldMarkerReserved = "iwarp_mpa.marker_res"
)

type deviations []Deviation

// ofFraming reports whether a field of MPA is ignored.
func (d deviations) ofFraming(field string) bool {
	return slices.ContainsFunc(d, func(each Deviation) bool { return each.Field == field })
}

// amendFrame sets the ignored fields of an MPA frame to the expected values.
func (d deviations) amendFrame(octets, expected []byte) {
	for _, each := range d {
		copyFields(octets[:min(len(octets), len(expected))], expected, each.Field)
	}
}

// amend sets the ignored fields of a ULPDU to the values that are due, in a copy.
func (d deviations) amend(numbers *scenario.Sender, ulpdu, buf []byte) []byte {
	if len(d) == 0 {
		return ulpdu
	}
	buf = append(buf[:0], ulpdu...)
	for _, each := range d {
		if len(buf) > rdmap.ControlOff && opcodeOf(buf) == each.Message {
			numbers.Amend(buf, each.Field)
		}
	}
	return buf
}

// amendFPDU does the same for the framing of an FPDU.
func (d deviations) amendFPDU(f *mpa.Deframed) {
	if d.ofFraming(fieldCRC) && f.Verdict == mpa.Bad {
		f.Verdict, f.CRC = mpa.Good, f.WantCRC
	}
	if d.ofFraming(fieldMarker) {
		f.BadMarkers = 0
	}
	if d.ofFraming(fieldMarkerReserved) {
		f.ReservedMarkers = 0
	}
	if d.ofFraming(fieldPAD) {
		clear(f.PAD)
	}
}

// framingField returns the field of FPDUs that a Rule is about; empty if there is none.
func framingField(r *rules.Rule) string {
	switch r {
	case rules.RuleFPDUCRC:
		return fieldCRC
	case rules.RuleFPDUPad:
		return fieldPAD
	case rules.RuleFPDUMarker:
		return fieldMarker
	case rules.RuleMarkerReserved:
		return fieldMarkerReserved
	}
	return ""
}
