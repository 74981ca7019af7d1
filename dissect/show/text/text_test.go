package text_test

import (
	"errors"
	"net/netip"
	"strings"
	"testing"

	"github.com/iwarpkit/iwarp/codec/ddp"
	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/dissect"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/show"
	"github.com/iwarpkit/iwarp/dissect/show/text"
	"github.com/iwarpkit/iwarp/dissect/ulp/smbdirect"
	"github.com/iwarpkit/iwarp/internal/recordtest"
)

var conn = &flow.Conn{
	ID:     7,
	Client: netip.MustParseAddrPort("10.0.0.1:43140"), Server: netip.MustParseAddrPort("[fd00::2]:7174"),
	Agreed: true, Agreement: rules.Agreement{DDPVersion: 1},
}

// origin is 1.5 s after the clock's start, in frames first to last.
func origin(first, last uint64) record.Origin {
	return record.Origin{Conn: conn, Dir: flow.S2C, Span: flow.Span{Frame: first, LastFrame: last, Time: start + 15e8}}
}

const start = 1_700_000_000e9

func tagged(opcode rdmap.Opcode, change func(*rdmap.Segment)) []byte {
	s := rdmap.Segment{Header: rdmap.Header{
		T: true, Control: rdmap.Control{RV: 1, Opcode: opcode},
		Tagged: ddp.Tagged{L: true, DV: 1, STag: 0xa2c1, TO: 0x1000},
	}}
	return appendSegment(&s, change)
}

func untagged(opcode rdmap.Opcode, change func(*rdmap.Segment)) []byte {
	qn, _ := opcode.QN()
	s := rdmap.Segment{Header: rdmap.Header{
		Control:  rdmap.Control{RV: 1, Opcode: opcode},
		Untagged: ddp.Untagged{L: true, DV: 1, QN: qn, MSN: 3},
	}}
	return appendSegment(&s, change)
}

func appendSegment(s *rdmap.Segment, change func(*rdmap.Segment)) []byte {
	if change != nil {
		change(s)
	}
	b, err := s.AppendBinary(nil)
	if err != nil {
		panic(err)
	}
	return b
}

func body(b ...byte) func(*rdmap.Segment) { return func(s *rdmap.Segment) { s.Body = b } }

// message is a complete message of one segment with the given ULPDU.
func message(ulpdu []byte) *record.Message {
	m := &record.Message{Origin: origin(12, 12), Header: ulpdu, ULPDU: len(ulpdu), Segments: 1, Complete: true}
	m.First.Decode(ulpdu)
	m.Opcode = m.First.Control.Opcode
	return m
}

func TestMessages(t *testing.T) {
	swapped := []byte{0x10, 0x01, 0x07, 0x00, 0, 32, 0xc1, 0x40, 0, 0, 0xde, 0xad, 0, 0, 0, 0, 0, 0, 0x20, 0}
	for _, test := range []struct {
		name  string
		ulpdu []byte
		edit  func(*record.Message)
		want  string // behind the column of the direction
	}{
		{"tagged", tagged(rdmap.OpWrite, nil), func(m *record.Message) { m.Len, m.LastFrame = 123456, 19 },
			"Write              123456  12-19      STag=0x0000a2c1 TO=0x0000000000001000"},
		{"untagged", untagged(rdmap.OpSendSE, nil), nil,
			"SendSE                  0  12         MSN=3"},
		{"invalidate", untagged(rdmap.OpSendSEInvalidate, func(s *rdmap.Segment) { s.InvalidateSTag = 0xbeef }), nil,
			"SendSEInvalidate        0  12         MSN=3 InvalidateSTag=0x0000beef"},
		{"begin not seen", untagged(rdmap.OpSend, func(s *rdmap.Segment) { s.Untagged.MO = 1000 }), func(m *record.Message) { m.Complete = false },
			"Send                    0  12         MSN=3 MO=1000 [incomplete]"},
		{"all that can be wrong", tagged(rdmap.OpReadResponse, nil), func(m *record.Message) { m.Complete, m.BadCRCs, m.Missing = false, 2, 17 },
			"ReadResponse            0  12         STag=0x0000a2c1 TO=0x0000000000001000 [incomplete] [bad CRC] [17 octets not captured]"},
		{"wrong queue", untagged(rdmap.OpSend, func(s *rdmap.Segment) { s.Untagged.QN = 5 }), nil,
			"Send                    0  12         T=0 L=1 Rsvd=0x0 DV=1 QN=5 MSN=3 MO=0 RV=1 Rsv=0x0 Opcode=0x3 Reserved=0x00000000"},
		{"other version than agreed", tagged(rdmap.OpWrite, func(s *rdmap.Segment) { s.Tagged.DV, s.Control.RV = 0, 0 }), nil,
			"Write                   0  12         T=1 L=1 Rsvd=0x0 DV=0 STag=0x0000a2c1 TO=0x0000000000001000 RV=0 Rsv=0x0 Opcode=0x0"},
		{"opcode not assigned", untagged(14, nil), nil,
			"Opcode14                0  12         T=0 L=1 Rsvd=0x0 DV=1 QN=0 MSN=3 MO=0 RV=1 Rsv=0x0 Opcode=0xe Reserved=0x00000000"},
		{"trailing octets", untagged(rdmap.OpImmediate, body(1, 2, 3, 4, 5, 6, 7, 8, 0x1b, 0x5b)), func(m *record.Message) { m.Len = 10 },
			"Immediate              10  12         MSN=3 ImmediateData=0x0102030405060708 Trailingoctets=1b5b"},
		{"Terminate as the RFC says", untagged(rdmap.OpTerminate, body(0x01, 0x02, 0, 0)), nil,
			"Terminate               0  12         MSN=3 0/1/02 RDMAP Remote Protection Error: Access rights violation"},
		{"swapped Terminate", untagged(rdmap.OpTerminate, body(swapped[:6+14]...)), nil,
			"Terminate               0  12         MSN=3 0/1/01 RDMAP Remote Protection Error: Base or bounds violation (bits swapped; the RFC reads 1/0/01); about Write STag=0x0000dead TO=0x0000000000002000"},
		{"ambiguous Terminate", untagged(rdmap.OpTerminate, body(0x02, 0x05, 0, 0)), nil,
			"Terminate               0  12         MSN=3 0/2/05 RDMAP Remote Operation Error: Invalid RDMAP version, or with bits swapped 2/0/05 LLP MPA Error: Local catastrophic error"},
		{"Terminate that is cut", untagged(rdmap.OpTerminate, body(0x01, 0x02)), nil,
			"Terminate               0  12         MSN=3 cut before its error code"},
	} {
		t.Run(test.name, func(t *testing.T) {
			m := message(test.ulpdu)
			if test.edit != nil {
				test.edit(m)
			}
			var b strings.Builder
			p := text.New(&b, text.Options{Clock: &show.Clock{Start: start}})
			recordtest.To(p).Segment(&record.Segment{FPDU: mpa.Deframed{FPDU: mpa.FPDU{ULPDULength: uint16(len(test.ulpdu))}}})
			recordtest.To(p).Message(m)
			if err := p.Flush(); err != nil {
				t.Fatal(err)
			}
			if got, want := b.String(), "    1.500000   7 s2c  "+test.want+"\n"; got != want {
				t.Errorf("got  %swant %s", got, want)
			}
		})
	}
}

func TestStartupFrames(t *testing.T) {
	long := strings.Repeat("\x1b[31m", 4) // 20 octets that a terminal must not see
	for _, test := range []struct {
		name  string
		frame mpa.Frame
		want  string
	}{
		{"revision 1", mpa.Frame{Rev: 1, M: true, PDLength: 2, PrivateData: []byte{0xab, 0xcd}},
			"MPARequest              2  4          [fd00::2]:7174 > 10.0.0.1:43140 Markers=yes CRC=no Rev=1 PrivateData=abcd"},
		{"long private data", mpa.Frame{Rev: 1, PDLength: 20, PrivateData: []byte(long)},
			"MPARequest             20  4          [fd00::2]:7174 > 10.0.0.1:43140 Markers=no CRC=no Rev=1 PrivateData=1b5b33316d1b5b33316d1b5b33316d1b..."},
		{"enhanced", mpa.Frame{Reply: true, Rev: 2, C: true, R: true, S: true, PDLength: 4, PrivateData: []byte{0x80, 8, 0x40, 9}},
			"MPAReply                0  4          [fd00::2]:7174 > 10.0.0.1:43140 Markers=no CRC=yes REJECTED Rev=2 peer-to-peer IRD=8 RTR=ReadRequest ORD=9"},
		{"private data that was not captured whole", mpa.Frame{Rev: 2, S: true, PDLength: 20, PrivateData: []byte{0, 8, 0, 9, 0xff}},
			"MPARequest             16  4          [fd00::2]:7174 > 10.0.0.1:43140 Markers=no CRC=no Rev=2 IRD=8 ORD=9 PrivateData=ff [15 octets not captured]"},
		{"depths in the upper layer's private data", mpa.Frame{Rev: 1, PDLength: 8, PrivateData: []byte{32, 0, 0, 0, 1, 0, 0, 0}},
			"MPARequest              8  4          [fd00::2]:7174 > 10.0.0.1:43140 Markers=no CRC=no Rev=1 PrivateData=2000000001000000 (SMB Direct IRD=32 ORD=1)"},
		{"too much private data", mpa.Frame{Rev: 1, Res: 3, PDLength: 513},
			"MPARequest            513  4          [fd00::2]:7174 > 10.0.0.1:43140 Markers=no CRC=no Res=0x3 Rev=1 PD_Length=513 [PD_Length is above 512]"},
	} {
		octets, err := test.frame.AppendBinary(nil)
		if err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		p := text.New(&b, text.Options{Clock: &show.Clock{Start: start}})
		f := &record.Startup{Origin: origin(4, 4), MPA: test.frame, Octets: octets}
		if private, ok := smbdirect.Layer.Private(f.Conn, &f.MPA); ok {
			f.Private = &private
		}
		recordtest.To(p).StartupFrame(f)
		p.Flush()
		if got, want := b.String(), "    1.500000   7 s2c  "+test.want+"\n"; got != want {
			t.Errorf("%s:\ngot  %swant %s", test.name, got, want)
		}
	}
}

func TestHeaderStandsAboveItsColumns(t *testing.T) {
	var b strings.Builder
	p := text.New(&b, text.Options{Header: true})
	m := message(untagged(rdmap.OpSend, nil))
	m.Len = 16
	recordtest.To(p).Message(m)
	p.Flush()
	header, line, _ := strings.Cut(b.String(), "\n")
	for column, cell := range map[string]string{"TIME": "2023-", "DIR": "s2c", "TYPE": "Send", "FRAMES": "12", "FIELDS": "MSN="} {
		if h, l := strings.Index(header, column), strings.Index(line, cell); h != l {
			t.Errorf("%s stands at %d, %s at %d:\n%s\n%s", column, h, cell, l, header, line)
		}
	}
	if h, l := strings.Index(header, "LEN")+3, strings.Index(line, "16  12")+2; h != l {
		t.Errorf("LEN ends at %d, its number at %d", h, l)
	}
}

func TestClock(t *testing.T) {
	for _, test := range []struct {
		clock       show.Clock
		ns          int64
		want, short string
	}{
		{show.Clock{Start: start}, start, "    0.000000", "0.000000 s"},
		{show.Clock{Start: start}, start + 86_400e9 + 1999, "86400.000001", "86400.000001 s"},
		{show.Clock{Start: start}, start - 1_500_000, "   -0.001500", "-0.001500 s"},
		{show.Clock{Form: show.UTC}, start + 8000, "2023-11-14T22:13:20.000008Z", "2023-11-14T22:13:20.000008Z"},
	} {
		if got := string(test.clock.Append(nil, test.ns)); got != test.want {
			t.Errorf("Append: got %q, want %q", got, test.want)
		}
		if got := string(test.clock.AppendShort([]byte("x "), test.ns)); got != "x "+test.short {
			t.Errorf("AppendShort: got %q, want %q", got, "x "+test.short)
		}
	}
}

func TestNotes(t *testing.T) {
	o := origin(12, 19)
	for _, test := range []struct{ got, want string }{
		{string(text.AppendNote(nil, &record.Note{Origin: o, Kind: record.FramingFound, Octets: 300})),
			"frames 12-19: connection 7 s2c: FPDU boundary found again; 300 octets were skipped"},
		{string(text.AppendNote(nil, &record.Note{Origin: o, Kind: record.BadMarkers, Octets: 2})),
			"frames 12-19: connection 7 s2c: 2 Markers do not point to the start of their FPDU"},
		{string(text.AppendNote(nil, &record.Note{Origin: o, Kind: record.Unfinished, Octets: 300, Due: 65244, FPDU: &mpa.Deframed{FPDU: mpa.FPDU{ULPDULength: 65535}}})),
			"frames 12-19: connection 7 s2c: an FPDU is cut: 300 of its 65544 octets (ULPDU_Length 65535) were captured"},
		{string(text.AppendMalformed(nil, &record.Segment{Origin: o, Err: ddp.TaggedFields.Short(3)})),
			"frames 12-19: connection 7 s2c: an FPDU is too short for its headers: DDP tagged header: STag: header ends early"},
		{string(text.AppendLoose(nil, &record.Finding{Origin: o, Text: "Nothing came for 3 s. It went on."})),
			"frames 12-19: connection 7 s2c: Nothing came for 3 s. It went on"},
		{string(text.AppendNothing(nil, &dissect.Totals{})), "No iWARP found: the capture has no packets"},
		{string(text.AppendNothing(nil, &dissect.Totals{Packets: 2, CutShort: 2})), "No iWARP found in 2 packets (0 TCP connections): no MPA Request, " +
			"MPA Reply or series of FPDUs; 2 packets are cut within their headers: the snaplen was too small; capture whole packets (tcpdump -s 0)"},
		{text.Nothing(&dissect.Totals{Packets: 2, TCP: 1, PayloadCut: 2}), "No iWARP connection: the snaplen cut 2 packets. Capture whole packets (tcpdump -s 0)."},
		{text.Nothing(&dissect.Totals{Packets: 2, UnknownLinks: 2, UnknownLink: 147}), "No packet could be decoded: link type 147 is not supported. Capture on an Ethernet interface, or with tcpdump -i any."},
		{text.Reasons(&dissect.Totals{}), ""},
		{text.Reasons(&dissect.Totals{Packets: 2, UnknownLinks: 2, UnknownLink: 147}), ""},
		{text.Reasons(&dissect.Totals{Packets: 2, TCP: 1, PayloadCut: 2}), ""},
		{text.Reasons(&dissect.Totals{Packets: 2, TCP: 1, PayloadCut: 2, RoCE: 1}), "2 packets are cut within their payload: the snaplen may have been too small for an MPA Request of 20 octets"},
		{text.Reasons(&dissect.Totals{Packets: 2, TCP: 1, Fragments: 1, RoCE: 1}), "1 packet is an IP fragment, which is not reassembled"},
		{text.Nothing(&dissect.Totals{Packets: 2, TCP: 1, Idle: 1}), "No iWARP connection: 1 TCP connection without payload."},
		{text.Nothing(&dissect.Totals{Packets: 2, TCP: 2, Idle: 1}), "No iWARP connection: 2 TCP connections without MPA frames and FPDUs."},
		{text.Nothing(&dissect.Totals{Packets: 2, NotTCP: 2}), "No iWARP connection: the capture has no TCP."},
	} {
		if test.got != test.want {
			t.Errorf("got  %q\nwant %q", test.got, test.want)
		}
	}
	nothing := string(text.AppendNothing(nil, &dissect.Totals{Packets: 10, NotTCP: 4, TCP: 2, UnknownLinks: 3, UnknownLink: 147}))
	if !strings.Contains(nothing, " in 10 packets (2 TCP connections") || !strings.HasSuffix(nothing, "; 3 packets of link type 147, which is not supported; a capture on a host lacks the TCP connections of its hardware RNIC: capture at the switch, or use iwarp proxy") {
		t.Errorf("got %q", nothing)
	}
}

// A broken writer fails.
type broken struct{ err error }

func (b broken) Write([]byte) (int, error) { return 0, b.err }

func TestWriteErrorsAreKept(t *testing.T) {
	broke := errors.New("broke")
	p := text.New(broken{broke}, text.Options{})
	m := message(untagged(rdmap.OpSend, nil))
	if err := p.Err(); err != nil {
		t.Fatal(err)
	}
	for range 10_000 { // more than the buffer holds
		recordtest.To(p).Message(m)
	}
	if err := p.Err(); err != broke {
		t.Errorf("Err: got %v", err)
	}
	if err := p.Flush(); err != broke {
		t.Errorf("Flush: got %v", err)
	}
}
