package text

import (
	"strconv"
	"strings"

	"github.com/iwarpkit/iwarp/dissect"
	"github.com/iwarpkit/iwarp/dissect/analysis"
	"github.com/iwarpkit/iwarp/dissect/internal/printable"
)

// AppendNote appends what a note says, where it was noted, and what follows from it: "frame 12: connection 0 c2s: ...".
// It ends without a line feed.
func AppendNote(dst []byte, n *dissect.Note) []byte {
	return AppendNoteText(appendPlace(dst, &n.Origin), n)
}

// AppendNoteText appends what a note says, and what follows from it. It ends without a line feed.
func AppendNoteText(dst []byte, n *dissect.Note) []byte {
	switch n.Kind {
	case dissect.FramingLost:
		return append(dst, "where FPDUs begin is not known, for octets are missing in the capture or a ULPDU_Length is wrong: decoding stops until one is found"...)
	case dissect.LockedOn:
		dst = append(dst, "MPA frames are missing in the capture: FPDUs were recognised by themselves"...)
		if n.Octets > 0 {
			dst = append(dst, ", behind "...)
			dst = strconv.AppendUint(dst, n.Octets, 10)
			dst = append(dst, " octets that are not decoded"...)
		}
		return dst
	case dissect.GivenUp:
		return append(dst, "too many connections are followed at a time: what comes of this one from now on is not decoded"...)
	}
	dst = strconv.AppendUint(dst, n.Octets, 10)
	switch n.Kind {
	case dissect.FramingFound:
		return append(dst, " octets were passed over until an FPDU was found again"...)
	case dissect.Undecoded:
		return append(dst, " captured octets behind a hole in the capture are not decoded, for no FPDU was found among them"...)
	case dissect.Unfinished:
		dst = append(dst, " octets of an FPDU are all that was captured of it, and are not decoded"...)
		if n.ULPDU >= 0 {
			dst = append(dst, ": its ULPDU_Length is "...)
			dst = strconv.AppendInt(dst, int64(n.ULPDU), 10)
		}
		return dst
	case dissect.NoNegotiation:
		return append(dst, " octets are not decoded: MPA frames are missing in the capture, and they do not look like FPDUs"...)
	case dissect.BadMarkers:
		return append(dst, " Markers do not point to the begin of their FPDU"...)
	}
	return append(dst, " octets could not be decoded"...)
}

// AppendMalformed appends why the headers of a segment could not be read, in the manner of AppendNote. The segment's
// Err must not be nil.
func AppendMalformed(dst []byte, s *dissect.Segment) []byte {
	dst = appendPlace(dst, &s.Origin)
	if s.FPDU.Missing > 0 {
		dst = append(dst, "an FPDU was not captured up to the end of its headers: "...)
	} else {
		dst = append(dst, "an FPDU is too short for its headers: "...)
	}
	return append(dst, s.Err.Error()...)
}

// AppendLoose appends what a finding that is about no message says, in the manner of AppendNote.
func AppendLoose(dst []byte, f *analysis.Finding) []byte {
	return printable.Append(appendPlace(dst, &f.Origin), strings.TrimSuffix(f.Text, "."))
}

func appendPlace(dst []byte, o *dissect.Origin) []byte {
	dst = append(dst, "frame "...)
	dst = AppendFrames(dst, &o.Span)
	dst = append(dst, ": connection "...)
	dst = strconv.AppendInt(dst, int64(o.Conn.ID), 10)
	dst = append(dst, ' ')
	dst = append(dst, o.Dir.String()...)
	return append(dst, ": "...)
}

// AppendNothing appends why a capture without iWARP connections may have none, in the manner of AppendNote.
func AppendNothing(dst []byte, t *dissect.Totals) []byte {
	if t.Packets == 0 {
		return append(dst, "no iWARP connection: the capture holds no packets"...)
	}
	dst = append(dst, "no iWARP connection: of "...)
	dst = strconv.AppendUint(dst, t.TCP, 10)
	dst = append(dst, " TCP connections in "...)
	dst = strconv.AppendUint(dst, t.Packets, 10)
	dst = append(dst, " packets none shows an MPA Request or Reply, by which a connection is recognised, or FPDUs in a row"...)
	for _, c := range [...]struct {
		n     uint64
		words string
	}{
		{t.UnknownLinks, " packets have a link type that is not known"},
		{t.CutShort, " packets are cut within their headers: the snaplen was too small"},
		{t.PayloadCut, " packets are cut within their payload: the snaplen may have been too small for a Request, which takes 20 octets"},
		{t.Fragments, " packets are IP fragments, which are not put together"},
		{t.Malformed, " packets have headers that contradict themselves"},
	} {
		if c.n > 0 {
			dst = append(dst, "; "...)
			dst = strconv.AppendUint(dst, c.n, 10)
			dst = append(dst, c.words...)
		}
	}
	return dst
}
