package text

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/iwarpkit/iwarp/dissect"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/internal/printable"
	"github.com/iwarpkit/iwarp/internal/quantity"
)

// AppendNote appends what a note says, where it was noted, and what follows from it: "frame 12: connection 0 c2s: ...".
// It ends without a line feed.
func AppendNote(dst []byte, n *record.Note) []byte {
	return AppendNoteText(appendPlace(dst, &n.Origin), n)
}

// AppendNoteText appends what a note says, and what follows from it. It ends without a line feed.
func AppendNoteText(dst []byte, n *record.Note) []byte {
	switch n.Kind {
	case record.FramingLost:
		why := ", as octets are missing in the capture or a ULPDU_Length is wrong"
		if n.Whole {
			why = ": no FPDU begins where one has to"
		}
		return append(dst, "FPDU boundary lost"+why+"; resynchronising"...)
	case record.LockedOn:
		dst = append(append(append(dst, "the "...), missingFrames(n.Conn)...), " is not in the capture; FPDUs were recognised without it"...)
		if n.Octets > 0 {
			dst = quantity.AppendCount(append(dst, ", after "...), n.Octets, "undecoded octet")
		}
		return dst
	case record.ChunksMissing:
		dst = quantity.AppendCount(dst, n.Octets, "DATA chunk")
		return append(append(dst, verb(n.Octets, " is", " are")...), " missing in the capture"...)
	case record.ForeignChunk:
		return strconv.AppendUint(append(dst, "a DATA chunk does not carry DDP: its Payload Protocol Identifier is "...), uint64(n.PPID), 10)
	case record.MarkersMissing:
		return append(dst, "the Markers that were negotiated are missing; FPDUs are read without them"...)
	case record.MarkersUnasked:
		return append(dst, "there are Markers although none were negotiated; FPDUs are read with them"...)
	case record.GivenUp:
		return append(dst, "too many connections at a time; this one is not decoded any further"...)
	}
	is := verb(n.Octets, " is", " are")
	switch n.Kind {
	case record.FramingFound:
		if n.Octets == 0 {
			return append(dst, "FPDU boundary found again; nothing was skipped"...)
		}
		dst = quantity.AppendCount(append(dst, "FPDU boundary found again; "...), n.Octets, "octet")
		dst = append(dst, verb(n.Octets, " was", " were")...)
		return append(dst, " skipped"...)
	case record.Undecoded:
		return append(append(quantity.AppendCount(dst, n.Octets, "captured octet"), is...), " not decoded: no FPDU was found there"...)
	case record.Unfinished:
		if n.Inner > 0 { // a finding tells where the next FPDU begins
			return append(append(quantity.AppendCount(dst, n.Octets, "octet"), is...), " no whole FPDU, and not decoded"...)
		}
		dst = append(dst, "an FPDU is cut: "...)
		if n.FPDU != nil {
			dst = append(strconv.AppendUint(dst, n.Octets, 10), " of its "...)
			dst = append(quantity.AppendCount(dst, n.Octets+uint64(n.Due), "octet"), " (ULPDU_Length "...)
			dst = append(strconv.AppendUint(dst, uint64(n.FPDU.ULPDULength), 10), ')')
		} else {
			dst = append(quantity.AppendCount(dst, n.Octets, "octet"), " of it"...)
		}
		return append(append(dst, verb(n.Octets, " was", " were")...), " captured"...)
	case record.NoNegotiation:
		dst = append(quantity.AppendCount(dst, n.Octets, "octet"), is...)
		return append(append(append(dst, " not decoded: the capture has no "...), missingFrames(n.Conn)...), ", and they do not look like FPDUs"...)
	case record.BadMarkers:
		dst = quantity.AppendCount(dst, n.Octets, "Marker")
		dst = append(dst, verb(n.Octets, " does not point to the start of its", " do not point to the start of their")...)
		return append(dst, " FPDU"...)
	}
	return append(quantity.AppendCount(dst, n.Octets, "octet"), " could not be decoded"...)
}

// missingFrames names what a capture lacks of the MPA handshake of a connection.
func missingFrames(c *flow.Conn) string {
	switch {
	case c.Replied && !c.Requested:
		return "MPA Request"
	case c.Requested && !c.Replied:
		return "MPA Reply"
	}
	return "MPA handshake"
}

// verb is the form of a verb that fits n.
func verb(n uint64, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// AppendMalformed appends why the headers of a segment could not be read, in the manner of AppendNote. The segment's
// Err must not be nil.
func AppendMalformed(dst []byte, s *record.Segment) []byte {
	dst = appendPlace(dst, &s.Origin)
	what := "an FPDU"
	if s.Conn.Transport() == flow.OverSCTP {
		what = "a DDP segment"
	}
	dst = append(dst, what...)
	if s.FPDU.Missing > 0 {
		dst = append(dst, " was cut within its headers: "...)
	} else {
		dst = append(dst, " is too short for its headers: "...)
	}
	return append(dst, s.Err.Error()...)
}

// AppendLoose appends what a finding that is about no message says, in the manner of AppendNote.
func AppendLoose(dst []byte, f *record.Finding) []byte {
	return printable.Append(appendPlace(dst, &f.Origin), strings.TrimSuffix(f.Text, "."))
}

func appendPlace(dst []byte, o *record.Origin) []byte {
	dst = append(o.Conn.Frames.AppendNamed(dst, &o.Span), ": connection "...)
	dst = strconv.AppendInt(dst, int64(o.Conn.ID), 10)
	dst = append(dst, ' ')
	dst = append(dst, o.Dir.String()...)
	return append(dst, ": "...)
}

// Undecodable says of a capture that no packet of it could be decoded, in the manner of an error.
func Undecodable(t *dissect.Totals) string {
	return fmt.Sprintf("no packet could be decoded: link type %d is not supported. Capture on an Ethernet interface, or with tcpdump -i any", t.UnknownLink)
}

// Nothing is what a capture without iWARP connections comes to, in a line.
func Nothing(t *dissect.Totals) string {
	const no = "No iWARP connection: "
	others := AppendOthers(nil, t)
	switch cut := t.CutShort + t.PayloadCut; {
	case t.Packets == 0:
		return "The capture has no packets. Check the interface and the capture filter."
	case t.Undecodable():
		return "No" + strings.TrimPrefix(Undecodable(t), "no") + "."
	case len(others) > 0:
		return no + "the capture has " + string(others) + "."
	case cut > 0:
		return no + "the snaplen cut " + quantity.Count(cut, "packet") + ". Capture whole packets (tcpdump -s 0)."
	case t.TCP == 0:
		return no + "the capture has no TCP."
	}
	if t.Idle == t.TCP {
		return no + quantity.Count(t.TCP, "TCP connection") + " without payload."
	}
	return no + quantity.Count(t.TCP, "TCP connection") + " without MPA frames and FPDUs."
}

// Reasons are why there may be nothing, besides what Nothing says, in the manner of AppendNote; empty if there is no more to say.
func Reasons(t *dissect.Totals) string { return strings.Join(reasons(t, false), "; ") }

// Lacking says which of so many files have no iWARP.
func Lacking(lacking []string, files int) string {
	return fmt.Sprintf("no iWARP in %d of %d files: %s", len(lacking), files, Listed(lacking))
}

// Listed joins the first ten names, and says how many there are besides.
func Listed(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	few := names[:min(len(names), 10)]
	words := printable.Lines(strings.Join(few, ", "))
	if more := len(names) - len(few); more > 0 {
		words += fmt.Sprintf(" and %d more", more)
	}
	return words
}

// AppendNothing appends why a capture without iWARP connections may have none, in the manner of AppendNote.
func AppendNothing(dst []byte, t *dissect.Totals) []byte {
	if t.Packets == 0 {
		return append(dst, "No iWARP found: the capture has no packets"...)
	}
	dst = quantity.AppendCount(append(dst, "No iWARP found in "...), t.Packets, "packet")
	dst = quantity.AppendCount(append(dst, " ("...), t.TCP, "TCP connection")
	if t.SCTP > 0 {
		dst = quantity.AppendCount(append(dst, ", "...), t.SCTP, "SCTP association")
	}
	dst = append(dst, "): no MPA Request, MPA Reply or series of FPDUs"...)
	for _, why := range reasons(t, true) {
		dst = append(append(dst, "; "...), why...)
	}
	return dst
}

// reasons are why there may be nothing: all, or only those that Nothing does not say.
func reasons(t *dissect.Totals, all bool) (some []string) {
	if t.Packets == 0 {
		return nil
	}
	others, cut := string(AppendOthers(nil, t)), t.CutShort+t.PayloadCut
	cuts, links := all || others != "", all || !t.Undecodable()
	unknown := fmt.Sprintf(" of link type %d, which is not supported", t.UnknownLink)
	for _, c := range [...]struct {
		said      bool
		n         uint64
		one, many string
	}{
		{links, t.UnknownLinks, unknown, unknown},
		{cuts, t.CutShort, " is cut within its headers: the snaplen was too small", " are cut within their headers: the snaplen was too small"},
		{cuts, t.PayloadCut, " is cut within its payload: " + payloadCut, " are cut within their payload: " + payloadCut},
		{true, t.Fragments, " is an IP fragment, which is not reassembled", " are IP fragments, which are not reassembled"},
		{true, t.Malformed, " has inconsistent headers", " have inconsistent headers"},
	} {
		if c.n > 0 && c.said {
			some = append(some, quantity.Count(c.n, "packet")+verb(c.n, c.one, c.many))
		}
	}
	switch {
	case t.Undecodable():
		return some
	case cut == 0 && (others == "" || t.Foreign[flow.ForeignPerftest] > 0): // perftest says on TCP what it is going to do with RDMA
		if all && others != "" {
			some = append(some, "the capture has "+others)
		}
		return append(some, "a capture on a host lacks the TCP connections of its hardware RNIC: capture at the switch, or use iwarp proxy")
	case !all:
		return some
	case others != "":
		return append(some, "the capture has "+others)
	}
	return append(some, "capture whole packets (tcpdump -s 0)")
}

// AppendOthers appends what a capture holds beside iWARP: "52 packets of RoCEv2 and 1 TCP connection with TLS"; nothing if there
// is nothing that is known.
func AppendOthers(dst []byte, t *dissect.Totals) []byte {
	and := ""
	if t.RoCE > 0 {
		dst, and = append(quantity.AppendCount(dst, t.RoCE, "packet"), " of RoCEv2 (UDP port 4791), which is RDMA but not iWARP"...), " and "
	}
	for f, n := range t.Foreign {
		if f := flow.Foreign(f); n > 0 && f != flow.NotForeign {
			dst = quantity.AppendCount(append(dst, and...), n, "TCP connection")
			dst, and = append(append(dst, " with "...), f.String()...), " and "
		}
	}
	return dst
}

const payloadCut = "the snaplen may have been too small for an MPA Request of 20 octets"
