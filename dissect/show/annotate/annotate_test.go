package annotate_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/iwarpkit/iwarp/codec/ddp"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/dissect"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/judge"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/show/annotate"
	"github.com/iwarpkit/iwarp/dissect/ulp"
	"github.com/iwarpkit/iwarp/dissect/ulp/rpc"
	"github.com/iwarpkit/iwarp/internal/recordtest"
	"github.com/iwarpkit/iwarp/pcaps"
	"github.com/iwarpkit/iwarp/pcaps/samples"
)

// sampleFile writes a sample into a folder of the test.
func sampleFile(t testing.TB, name string) string {
	t.Helper()
	for _, suffix := range []string{".pcap", ".pcap.gz"} {
		if b, err := samples.Files.ReadFile(name + suffix); err == nil {
			return writeFile(t, name+suffix, b)
		}
	}
	t.Fatalf("there is no sample %s", name)
	return ""
}

func writeFile(t testing.TB, name string, b []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// collected are the comments of files.
func collected(t testing.TB, o annotate.Options, files ...string) *annotate.Comments {
	t.Helper()
	c, err := pcaps.Open(files...)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	comments := annotate.New(o)
	a := judge.New(comments, judge.Options{ULPs: []*ulp.Layer{rpc.New(rpc.Options{})}})
	if err := dissect.NewEngine(a, dissect.Options{}).Run(context.Background(), c); err != nil {
		t.Fatal(err)
	}
	return comments
}

// annotated is the capture that is made of files.
func annotated(t testing.TB, files ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := collected(t, annotate.Options{}, files...).Write(&b, nil, files...); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// A packet is a Record that may be kept.
type packet struct {
	Frame    uint64
	Time     int64
	LinkType pcaps.LinkType
	Data     string
	OrigLen  int
	Comments []string
}

func read(t testing.TB, r interface{ Next(*pcaps.Record) error }) (all []packet) {
	t.Helper()
	var rec pcaps.Record
	for r.Next(&rec) == nil {
		all = append(all, packet{rec.Frame, rec.Time, rec.LinkType, string(rec.Data), rec.OrigLen, rec.Comments})
	}
	return all
}

func readBytes(t testing.TB, b []byte) []packet {
	t.Helper()
	r, err := pcaps.NewReader(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	return read(t, r)
}

// comments are the comments of packets, with the number of the frame in front.
func comments(all []packet) (lines []string) {
	for _, p := range all {
		for _, comment := range p.Comments {
			lines = append(lines, fmt.Sprintf("%d %s", p.Frame, comment))
		}
	}
	return lines
}

func same(t *testing.T, got []string, want string) {
	t.Helper()
	if d := cmp.Diff(strings.Split(strings.Trim(want, "\n"), "\n"), got); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
}

func TestTerminate(t *testing.T) {
	var got []string
	for _, line := range comments(readBytes(t, annotated(t, sampleFile(t, "term-send-nobuf")))) {
		before, text, isFinding := strings.Cut(line, "): ")
		switch {
		case strings.HasPrefix(line, "10 iwarp 0: "):
			line, _, _ = strings.Cut(line, ",")
		case isFinding && len(text) > 50:
			line = before + ")" // what it says is known elsewhere
		}
		got = append(got, line)
	}
	same(t, got, `
4 iwarp 0 c2s: MPARequest Markers=no CRC=yes Rev=2 IRD=4 ORD=4 PrivateData=00007fec9818e0009b41740000100000
6 iwarp 0 s2c: MPAReply Markers=no CRC=yes Rev=2 IRD=4 ORD=4 PrivateData=00007f7dea62e000dc7ef20000100000
8 iwarp 0 c2s: Send 64 octets MSN=1
10 iwarp 0 s2c: Terminate MSN=1 1/2/02 DDP Untagged Buffer Error: Invalid MSN - no buffer available (bits swapped; the RFC reads 2/1/02); about Send MSN=1
10 iwarp 0 s2c: note RDMAP-4.8-2 (terminate-swapped)
10 iwarp 0 s2c: note RDMAP-4.8-9 (terminate-payload-length)
10 iwarp 0 s2c: warning OBS-TERMINATE (terminate)
10 iwarp 0: At 120 ms the server refused the client's Send in frame 8 (MSN 1) with a Terminate (1/2/02 Invalid MSN - no buffer available) in frame 10. Either no receive buffer is posted for a Send or Immediate Data
`)
}

// All packets of all samples are kept, and all comments are as they have to be.
func TestSamples(t *testing.T) {
	for _, name := range samples.Names() {
		file := sampleFile(t, name)
		r, err := pcaps.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		want := read(t, r)
		r.Close()
		got := readBytes(t, annotated(t, file))
		told := 0
		for i := range got {
			for _, comment := range got[i].Comments {
				fit(t, comment)
			}
			told += len(got[i].Comments)
			got[i].Comments = nil
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s: packets (-want +got)\n%s", name, d)
		}
		if told == 0 && name != "perf-nocm" {
			t.Errorf("%s: no comments", name)
		}
	}
}

// fit checks whether a comment is UTF-8 without control characters, and not too long.
func fit(t *testing.T, comment string) {
	t.Helper()
	if !utf8.ValidString(comment) || strings.ContainsFunc(comment, func(r rune) bool { return !unicode.IsPrint(r) }) || len(comment) > 1000 {
		t.Errorf("a comment of %d octets: %q", len(comment), comment)
	}
}

// give gives events to Comments and writes them to the packets of a sample.
func give(t *testing.T, o annotate.Options, events func(*annotate.Comments)) (all []packet, left uint64) {
	t.Helper()
	c := annotate.New(o)
	events(c)
	var b bytes.Buffer
	if err := c.Write(&b, nil, sampleFile(t, "rping")); err != nil {
		t.Fatal(err)
	}
	return readBytes(t, b.Bytes()), c.LeftOut()
}

var conn = &flow.Conn{ID: 7, Span: flow.Span{Frame: 1, LastFrame: 2}}

func origin(first, last uint64) record.Origin {
	return record.Origin{Conn: conn, Dir: flow.S2C, Span: flow.Span{Frame: first, LastFrame: last}}
}

func message(t *testing.T, o record.Origin) *record.Message {
	t.Helper()
	s := rdmap.Segment{Header: rdmap.Header{Control: rdmap.Control{RV: 1, Opcode: rdmap.OpSend}, Untagged: ddp.Untagged{L: true, DV: 1, MSN: 3}}}
	b, err := s.AppendBinary(nil)
	if err != nil {
		t.Fatal(err)
	}
	m := &record.Message{Origin: o, Opcode: rdmap.OpSend, Header: b, ULPDU: len(b), Len: 16, Segments: 1, Complete: true}
	m.First.Decode(b)
	return m
}

func TestComments(t *testing.T) {
	all, left := give(t, annotate.Options{}, func(c *annotate.Comments) {
		recordtest.Alone(c).Finding(&record.Finding{Origin: origin(1, 1), Severity: rules.Error, ID: "DDP-5.3-4", Name: "send-msn", Text: "Wrong \x1b[31m\n\xff."})
		m := message(t, origin(1, 2))
		m.Complete, m.BadCRCs, m.Missing = false, 1, 17
		to := recordtest.To(c)
		to.Upper(&record.Upper{Origin: m.Origin, ULP: "X", Name: "Call \x00"})
		to.Message(m)
		recordtest.To(c).Message(message(t, origin(1, 1)))
		recordtest.To(c).Note(&record.Note{Origin: origin(2, 2), Kind: record.FramingFound, Octets: 300})
		recordtest.To(c).Segment(&record.Segment{Origin: origin(2, 2), Err: ddp.TaggedFields.Short(3)})
		recordtest.To(c).Segment(&record.Segment{Origin: origin(2, 2)})
		recordtest.Alone(c).Verdict(&record.Verdict{Conn: conn, Text: "It went on for 12 µs."})
		recordtest.Alone(c).Verdict(&record.Verdict{Conn: conn, At: flow.Span{Frame: 1, LastFrame: 1}, Text: "It ended."})
		recordtest.To(c).End(conn)
		recordtest.To(c).Message(message(t, origin(99, 99))) // a packet that is not there
	})
	same(t, comments(all), `
1 iwarp 7 s2c: Send 16 octets MSN=3
1 iwarp 7 s2c: error DDP-5.3-4 (send-msn): Wrong \x1b[31m\x0a\xff.
1 iwarp 7: It ended.
2 iwarp 7 s2c: Send 16 octets MSN=3, frames 1-2, incomplete, bad CRC, 17 octets not captured; X Call \x00
2 iwarp 7 s2c: FPDU boundary found again; 300 octets were skipped
2 iwarp 7 s2c: an FPDU ends within its headers: DDP tagged header: STag: header ends early
2 iwarp 7: It went on for 12 µs.
`)
	if left != 0 {
		t.Errorf("%d left out", left)
	}
}

func TestLongComments(t *testing.T) {
	all, _ := give(t, annotate.Options{}, func(c *annotate.Comments) {
		for _, text := range []string{strings.Repeat("x", 5000), strings.Repeat("é", 5000), "x" + strings.Repeat("é", 5000)} {
			recordtest.Alone(c).Finding(&record.Finding{Origin: origin(1, 1), Text: text})
		}
	})
	for _, comment := range all[0].Comments {
		if fit(t, comment); len(comment) < 999 || !strings.HasSuffix(comment, "...") {
			t.Errorf("%d octets, not 999 or 1000: %q", len(comment), comment)
		}
	}
}

// A packet with too many comments has some of each kind, and says how many there are not.
func TestManyCommentsOfAPacket(t *testing.T) {
	all, left := give(t, annotate.Options{}, func(c *annotate.Comments) {
		for range 100 {
			recordtest.To(c).Message(message(t, origin(1, 1)))
		}
		recordtest.Alone(c).Finding(&record.Finding{Origin: origin(1, 1)})
	})
	got := all[0].Comments
	if len(got) != 66 || !strings.Contains(got[64], "note") || got[65] != "iwarp: 36 comments were left out" || left != 36 {
		t.Errorf("%d comments, %d left out, the last ones are %q", len(got), left, got[max(0, len(got)-2):])
	}
}

// Where memory ends, findings are kept longer than messages.
func TestMemoryIsBounded(t *testing.T) {
	const most = 1 << 15
	all, left := give(t, annotate.Options{MaxOctets: most}, func(c *annotate.Comments) {
		for i := range uint64(1000) {
			recordtest.To(c).Message(message(t, origin(i%50+1, i%50+1)))
		}
		for i := range uint64(1000) {
			recordtest.Alone(c).Finding(&record.Finding{Origin: origin(i%50+1, i%50+1)})
		}
	})
	octets, messages := 0, 0
	lines := comments(all)
	for _, comment := range lines {
		octets += len(comment)
		if strings.Contains(comment, "Send") {
			messages++
		}
	}
	findings := len(lines) - messages
	if octets > most || octets < most/3 || messages < 300 || findings < 100 || uint64(len(lines))+left != 2000 {
		t.Errorf("%d octets of %d messages and %d findings, %d left out", octets, messages, findings, left)
	}
}

func TestCommentsOfTheFileAreKept(t *testing.T) {
	var b bytes.Buffer
	w := pcaps.NewPcapngWriter(&b, pcaps.Section{})
	if err := w.WriteRecord(&pcaps.Record{LinkType: 1, Comments: []string{"first"}}); err != nil {
		t.Fatal(err)
	}
	w.Close()
	file := writeFile(t, "commented.pcapng", b.Bytes())
	c := annotate.New(annotate.Options{})
	recordtest.To(c).Message(message(t, origin(1, 1)))
	var out bytes.Buffer
	if err := c.Write(&out, nil, file); err != nil {
		t.Fatal(err)
	}
	same(t, comments(readBytes(t, out.Bytes())), "1 first\n1 iwarp 7 s2c: Send 16 octets MSN=3")
}

func TestWriteStops(t *testing.T) {
	file := sampleFile(t, "rping")
	n := 0
	var b bytes.Buffer
	err := collected(t, annotate.Options{}, file).Write(&b, func() bool { n++; return n > 10 }, file)
	if got := readBytes(t, b.Bytes()); err != nil || len(got) != 10 {
		t.Errorf("%d packets, error %v", len(got), err)
	}
}

func TestErrors(t *testing.T) {
	file := sampleFile(t, "refused")
	for _, test := range []struct {
		names []string
		want  error
	}{
		{[]string{file, "-"}, annotate.ErrOnce},
		{[]string{filepath.Dir(file)}, annotate.ErrOnce},
		{[]string{"no such file"}, os.ErrNotExist},
		{[]string{file}, nil},
	} {
		if err := annotate.CheckFiles(test.names...); !errors.Is(err, test.want) {
			t.Errorf("%q: %v", test.names, err)
		}
	}
	if err := annotate.New(annotate.Options{}).Write(nil, nil, "-"); !errors.Is(err, annotate.ErrOnce) {
		t.Errorf("Write: %v", err)
	}
	full := errors.New("disk full")
	if err := annotate.New(annotate.Options{}).Write(broken{full}, nil, file); err != full {
		t.Errorf("Write: %v", err)
	}
}

// A broken writer fails.
type broken struct{ err error }

func (b broken) Write([]byte) (int, error) { return 0, b.err }

// nanoseconds is a sample with nanosecond time stamps, as pcap.
func nanoseconds(t testing.TB, sample string) []byte {
	t.Helper()
	r, err := samples.Open(sample)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	w := pcaps.NewPcapWriter(&b, pcaps.LinkTypeEthernet)
	var rec pcaps.Record
	for r.Next(&rec) == nil {
		rec.Time += int64(rec.Frame)
		if err := w.WriteRecord(&rec); err != nil {
			t.Fatal(err)
		}
	}
	w.Close()
	return b.Bytes()
}

// The same comments come of a file, compressed or not, in any format, alone or one of several.
func TestFormats(t *testing.T) {
	plain := sampleFile(t, "term-read-badkey")
	want := comments(readBytes(t, annotated(t, plain)))
	for name, files := range map[string][]string{
		"nanoseconds": {writeFile(t, "nano.pcap", nanoseconds(t, "term-read-badkey"))},
		"interfaces":  {writeFile(t, "two.pcapng", twoInterfaces(t, "term-read-badkey"))},
		"again":       {writeFile(t, "again.pcapng", annotated(t, sampleFile(t, "refused"))), plain},
	} {
		got := comments(readBytes(t, annotated(t, files...)))
		if name == "again" {
			got = slices.DeleteFunc(got, func(s string) bool { return strings.HasPrefix(s, "1 ") || strings.HasPrefix(s, "2 ") })
			if len(got) != len(want) {
				t.Errorf("%s: %d comments, want %d", name, len(got), len(want))
			}
			continue
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s (-want +got)\n%s", name, d)
		}
	}
}
