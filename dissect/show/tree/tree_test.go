package tree_test

import (
	"context"
	"fmt"
	"net/netip"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/dissect"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/judge"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/show"
	"github.com/iwarpkit/iwarp/dissect/show/text"
	"github.com/iwarpkit/iwarp/dissect/show/tree"
	"github.com/iwarpkit/iwarp/dissect/ulp/all"
	"github.com/iwarpkit/iwarp/internal/recordtest"
	"github.com/iwarpkit/iwarp/pcaps/samples"
)

// various are samples that together have all there is to see, and are small.
var various = []string{"mpav1-crc", "mss200", "p2p-crc", "pd-c16-s255", "reject-pd32", "sendinv-crc1", "term-read-badkey", "term-send-nobuf", "term-write-badkey"}

// render is the tree of a sample.
func render(t *testing.T, sample string, o tree.Options) string {
	t.Helper()
	return renderThrough(t, sample, o, func(p *tree.Printer) record.Sink { return p })
}

// analysed is the tree of a sample with what an analysis finds in it.
func analysed(t *testing.T, sample string, o tree.Options) string {
	t.Helper()
	return renderThrough(t, sample, o, func(p *tree.Printer) record.Sink { return judge.New(p, judge.Options{ULPs: all.Layers()}) })
}

// renderThrough is the tree that a Printer makes behind a Sink.
func renderThrough(t *testing.T, sample string, o tree.Options, sink func(*tree.Printer) record.Sink) string {
	t.Helper()
	r, err := samples.Open(sample)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	p := tree.New(&b, o)
	if err := dissect.NewEngine(sink(p), dissect.Options{}).Run(context.Background(), r); err != nil {
		t.Fatal(err)
	}
	if err := p.Flush(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

var (
	framePattern = regexp.MustCompile(`(?m)^  MPA (?:FPDU|Request|Reply), (\d+) octets`)
	placePattern = regexp.MustCompile(`(?m)^ +(\d+):(\d+) `)
)

// TestNarrow prints trees in fewer columns than any line needs.
func TestNarrow(t *testing.T) {
	for width := 1; width <= 40; width++ {
		if got := render(t, "rping", tree.Options{Width: width, Payload: 64}); !strings.Contains(got, "|") {
			t.Fatalf("%d columns: no octets in %.300q", width, got)
		}
	}
}

// TestEveryOctetIsExplained checks whether the places of all fields together cover each FPDU and each MPA frame whole,
// and nothing behind it.
func TestEveryOctetIsExplained(t *testing.T) {
	for _, sample := range various {
		all := render(t, sample, tree.Options{Payload: 1 << 20})
		for block := range strings.SplitSeq(all, "\n\n") {
			frame := framePattern.FindStringSubmatch(block)
			if frame == nil {
				continue // a message
			}
			length, _ := strconv.Atoi(frame[1])
			seen := make([]bool, length)
			for _, place := range placePattern.FindAllStringSubmatch(block, -1) {
				off, _ := strconv.Atoi(place[1])
				n, _ := strconv.Atoi(place[2])
				if off+n > length {
					t.Fatalf("%s: %s:%s lies behind the end of\n%s", sample, place[1], place[2], block)
				}
				for i := range n {
					seen[off+i] = true
				}
			}
			for at, ok := range seen {
				if !ok {
					t.Fatalf("%s: octet %d is not explained in\n%s", sample, at, block)
				}
			}
		}
	}
}

// TestNothingReachesTheTerminal looks for characters in the output that are not for it to write.
func TestNothingReachesTheTerminal(t *testing.T) {
	for _, sample := range various {
		for at, r := range render(t, sample, tree.Options{Payload: 1 << 20}) {
			if (r < ' ' || r > '~') && r != '\n' {
				t.Fatalf("%s: %q at %d", sample, r, at)
			}
		}
	}
}

func TestPayloadIsLimited(t *testing.T) {
	count := func(payload int) int {
		return strings.Count(render(t, "mss200", tree.Options{Payload: payload}), "|\n")
	}
	if n := count(-1); n != 0 {
		t.Errorf("no payload is wanted, but there are %d lines of it", n)
	}
	if few, more := count(16), count(0); few == 0 || more < 3*few {
		t.Errorf("16 octets take %d lines, 64 take %d", few, more)
	}
	if !strings.Contains(render(t, "mss200", tree.Options{Payload: 16}), "\n                        148 more octets\n") {
		t.Error("the octets of payload that are not shown, 148 of 164, are not counted")
	}
}

var conn = &flow.Conn{Client: netip.MustParseAddrPort("10.0.0.1:1"), Server: netip.MustParseAddrPort("10.0.0.2:2")}

// segment is the tree of one FPDU.
func segment(ulpdu []byte, edit func(*mpa.Deframed)) string {
	s := &record.Segment{Origin: record.Origin{Conn: conn, Span: flow.Span{Frame: 1, LastFrame: 1}}}
	s.FPDU.ULPDU, s.FPDU.ULPDULength = ulpdu, uint16(len(ulpdu))
	s.FPDU.PAD = make([]byte, mpa.Pad(len(ulpdu)))
	s.FPDU.CRC = 0x44332211 // on the wire its least significant octet comes first
	if edit != nil {
		edit(&s.FPDU)
	}
	_, s.Err = s.RDMAP.Decode(s.FPDU.ULPDU)
	var b strings.Builder
	p := tree.New(&b, tree.Options{Width: 120, Clock: &show.Clock{}})
	recordtest.To(p).Segment(s)
	p.Flush()
	return b.String()
}

// terminate is a ULPDU with a Terminate that begins with the given octets.
func terminate(b ...byte) []byte {
	s := rdmap.Segment{Body: b}
	s.Control = rdmap.Control{RV: 1, Opcode: rdmap.OpTerminate}
	s.Untagged.L, s.Untagged.DV, s.Untagged.QN, s.Untagged.MSN = true, 1, 2, 1
	ulpdu, err := s.AppendBinary(nil)
	if err != nil {
		panic(err)
	}
	return ulpdu
}

func TestWhatIsWrongIsSaid(t *testing.T) {
	write := []byte{0xc1, 0x40, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 2}
	for _, test := range []struct {
		name string
		got  string
		want []string
	}{
		{"bad CRC", segment(write, func(f *mpa.Deframed) { f.Verdict, f.WantCRC = mpa.Bad, 0xd4c3b2a1 }),
			[]string{"CRC: 0x11223344\n", "! The CRC is bad: these octets have 0xa1b2c3d4\n"}},
		{"Markers", segment(write, func(f *mpa.Deframed) { f.Markers, f.BadMarkers = 3, 1 }),
			[]string{"Markers: 3, which the offsets do not count\n", "! 1 of the Markers do not point to the beginning of the FPDU\n"}},
		{"octets not captured", segment(write, func(f *mpa.Deframed) { f.ULPDU, f.Missing = f.ULPDU[:8], 13 }),
			[]string{"       8:8              TO: not captured to its end\n", "! 13 octets of this FPDU not captured"}},
		{"ULPDU shorter than its header", segment(write[:4], nil),
			[]string{"       4:4              STag: not captured to its end\n", "! DDP tagged header: STag: header ends early\n"}},
		{"Terminate with headers that are not announced", segment(terminate(0x01, 0x00, 0x00, 0x00, 1, 2), nil),
			[]string{"Error: 0/1/00 RDMAP Remote Protection Error: Invalid STag\n", "do not fit what follows: trailing octets\n",
				"      24:2              Trailing octets: 0102\n"}},
		{"Terminate that reads well in both orders", segment(terminate(0x02, 0x05, 0x00, 0x00), nil),
			[]string{"Error: 0/2/05 RDMAP Remote Operation Error: Invalid RDMAP version\n",
				"Error: 2/0/05 LLP MPA Error: Local catastrophic error\n", "Both orders make sense;"}},
	} {
		for _, want := range test.want {
			if !strings.Contains(test.got, want) {
				t.Errorf("%s: %q is not in\n%s", test.name, want, test.got)
			}
		}
	}
}

func TestDepthsOfTheUpperLayer(t *testing.T) {
	got := analysed(t, "smbdirect", tree.Options{Width: 120})
	for _, want := range []string{
		"\n      24:4              IRD: 32\n      28:4              ORD: 1\n                        The sender wrote them with the least significant octet first\n",
		"\n      24:4              IRD: 1\n      28:4              ORD: 8\n\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing", want)
		}
	}
}

func TestMessageLines(t *testing.T) {
	for _, test := range []struct {
		m    record.Message
		want string
	}{
		{record.Message{Opcode: rdmap.OpSend, Len: 16, Segments: 1, Complete: true}, "Message: Send, 16 octets in 1 segment, frame 3-5, connection 0 c2s, complete\n\n"},
		{record.Message{Opcode: rdmap.OpWrite, Len: 9000, Segments: 7, BadCRCs: 2},
			"Message: Write, 9000 octets in 7 segments, frames 3-5, connection 0 c2s,\n         INCOMPLETE: segments of it were not seen, bad CRCs: 2\n\n"},
	} {
		test.m.Origin = record.Origin{Conn: conn, Span: flow.Span{Frame: 3, LastFrame: 5}}
		var b strings.Builder
		p := tree.New(&b, tree.Options{})
		recordtest.To(p).Message(&test.m)
		p.Flush()
		if b.String() != test.want {
			t.Errorf("got  %qwant %q", b.String(), test.want)
		}
	}
}

func TestStylesSurroundHeadings(t *testing.T) {
	o := tree.Options{Palette: tree.Palette{
		Frame: text.Style{On: "<f>", Off: "</f>"}, Header: text.Style{On: "<h>", Off: "</h>"}, Message: text.Style{On: "<m>", Off: "</m>"},
	}}
	got := render(t, "p2p-crc", o)
	for _, want := range []string{"<f>Frame 4 ", "\n  <h>MPA Request</h>, 40 octets", "\n<m>Message: Send, 10 octets in 1 segment, frame 10, connection 0 c2s, complete</m>\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing", want)
		}
	}
}

// TestFolds checks whether all lines fit, and whether folding changes only blanks and line feeds.
func TestFolds(t *testing.T) {
	styles := tree.Palette{
		Frame: text.Style{On: "{", Off: "}"}, Header: text.Style{On: "{", Off: "}"}, Message: text.Style{On: "{", Off: "}"}, Mark: text.Style{On: "{", Off: "}"},
	}
	styled := strings.NewReplacer("{", "", "}", "")
	blanks := strings.NewReplacer(" ", "", "\n", "")
	for _, sample := range []string{"mpav1-crc", "term-write-badkey", "pd-c16-s255", "nvme-rdma-start"} {
		whole := blanks.Replace(analysed(t, sample, tree.Options{Width: 1 << 10, Payload: -1}))
		for _, width := range []int{64, 80} {
			if blanks.Replace(analysed(t, sample, tree.Options{Width: width, Payload: -1})) != whole {
				t.Errorf("%s: text differs at %d columns", sample, width)
			}
			for line := range strings.Lines(analysed(t, sample, tree.Options{Width: width, Palette: styles})) {
				if n := len(styled.Replace(line)) - 1; n > width {
					t.Errorf("%s: a line has %d columns instead of %d: %q", sample, n, width, line)
				}
				if strings.Contains(line, "{}") || strings.Count(line, "{") != strings.Count(line, "}") && !strings.HasSuffix(line, "|\n") {
					t.Errorf("%s: styles in %q", sample, line)
				}
			}
		}
	}
}

func Example() {
	write := []byte{0xc1, 0x40, 0, 0, 0xa2, 0xc1, 0, 0, 0, 0, 0, 0, 0x10, 0, 'h', 'i'}
	fmt.Print(segment(write, func(f *mpa.Deframed) { f.Verdict = mpa.Good }))
	// Output:
	// Frame 1  0.000000 s  connection 0 c2s  10.0.0.1:1 > 10.0.0.2:2
	//   MPA FPDU, 24 octets  (RFC 5044, section 4.1)
	//        0:2              ULPDU_Length: 16
	//   DDP tagged header  (RFC 5041, section 4.2)
	//        2:1    bit 0     T: 1
	//        2:1    bit 1     L: 1
	//        2:1    bits 2-5  Rsvd: 0x0
	//        2:1    bits 6-7  DV: 1
	//        4:4              STag: 0x0000a2c1
	//        8:8              TO: 0x0000000000001000
	//   RDMAP control field  (RFC 5040, section 4.1)
	//        3:1    bits 0-1  RV: 1
	//        3:1    bits 2-3  Rsv: 0x0
	//        3:1    bits 4-7  Opcode: 0x0 (Write)
	//   Payload, 2 octets
	//       16:2    68 69                                           |hi|
	//   MPA FPDU trailer  (RFC 5044, section 4.1)
	//       18:2              PAD: 0000
	//       20:4              CRC: 0x11223344
	//                         The CRC is good
}
