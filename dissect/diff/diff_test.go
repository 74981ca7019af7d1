package diff_test

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/iwarpkit/iwarp/dissect"
	"github.com/iwarpkit/iwarp/dissect/diff"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/judge"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/ulp/all"
	"github.com/iwarpkit/iwarp/internal/golden"
	"github.com/iwarpkit/iwarp/internal/recorded"
	"github.com/iwarpkit/iwarp/internal/recordtest"
	"github.com/iwarpkit/iwarp/internal/transcript"
	"github.com/iwarpkit/iwarp/pcaps"
	"github.com/iwarpkit/iwarp/pcaps/samples"
)

func engine(sink record.Sink) *dissect.Engine {
	return dissect.NewEngine(sink, dissect.Options{Ports: all.Ports(), Analysis: &judge.Options{ULPs: all.Layers()}})
}

// compared compares two captures.
func compared(a, b []pcaps.Record) *diff.Report {
	c := diff.New()
	for sink, records := range map[record.Sink][]pcaps.Record{c.A: a, c.B: b} {
		e := engine(sink)
		for i := range records {
			e.Packet(&records[i])
		}
		e.Close()
	}
	r := c.Compare()
	r.A, r.B = "good", "bad"
	return r
}

func text(t *testing.T, r *diff.Report) string {
	t.Helper()
	var b bytes.Buffer
	if err := r.WriteText(&b, diff.Options{}); err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(b.String()) {
		if len(line) > 81 {
			t.Errorf("a line of %d characters: %s", len(line), line)
		}
	}
	return b.String()
}

// renamed replaces values in troubles.txt that differ in each run: STags, TOs and XIDs.
var renamed = []string{
	"cafe0001", "0badc0de", "beef0002", "12345678", "00007f0000004000", "0000550000001000", "00007f0000005000", "0000550000002000", "5a000001", "77000001", "5a000002", "77000002",
}

// Each trouble differs from its twin, and neither from itself, whatever its STags, TOs and XIDs are.
func TestTwins(t *testing.T) {
	troubles, err := transcript.Troubles("../judge/testdata/troubles.txt")
	if err != nil {
		t.Fatal(err)
	}
	var told strings.Builder
	for i := range troubles {
		tr := &troubles[i]
		records := func(twin bool, replace ...string) []pcaps.Record {
			all, err := tr.Records(twin, replace...)
			if err != nil {
				t.Fatal(err)
			}
			return all
		}
		for _, twin := range []bool{false, true} {
			if r := compared(records(twin), records(twin, renamed...)); !r.Equal {
				t.Errorf("%s, twin %v: differs from itself:\n%s", tr.Name, twin, text(t, r))
			}
		}
		r := compared(records(true), records(false))
		if r.Equal {
			t.Errorf("%s equals its twin", tr.Name)
		}
		sentence, _, _ := strings.Cut(text(t, r), "\n\n")
		sentence, _, _ = strings.Cut(sentence, "\nWhat failed") // the verdict's words
		fmt.Fprintf(&told, "== %s\n%s\n%s\n\n", tr.Name, tr.Cause, sentence)
	}
	golden.File(t, "testdata/twins.golden", told.String())
}

// A capture equals itself.
func TestSamples(t *testing.T) {
	for _, name := range samples.Names() {
		c := diff.New()
		for _, sink := range []record.Sink{c.A, c.B} {
			file, err := samples.Open(name)
			if err != nil {
				t.Fatal(err)
			}
			if err := engine(sink).Run(context.Background(), file); err != nil {
				t.Fatal(err)
			}
		}
		if r := c.Compare(); !r.Equal || r.Counts.Missing+r.Counts.Added+r.Counts.Changed+r.Counts.Reordered > 0 {
			t.Errorf("%s differs from itself:\n%s", name, text(t, r))
		}
	}
}

// What only one capture has of a connection is not compared: its beginning, or what one side sent.
func TestPartial(t *testing.T) {
	good := recorded.Packets(samples.Open("rping"))
	for name, part := range map[string]func(*pcaps.Record) bool{
		"from the middle on": func(r *pcaps.Record) bool { return r.Frame > 15 },
		"one side":           func(r *pcaps.Record) bool { return sentBy(r) == sentBy(&good[15]) },
	} {
		var bad []pcaps.Record
		for i := range good {
			if part(&good[i]) {
				bad = append(bad, good[i])
			}
		}
		for _, r := range []*diff.Report{compared(good, bad), compared(bad, good)} {
			if !r.Equal || r.Counts.Uncompared == 0 || r.Counts.Same == 0 {
				t.Errorf("%s: %+v\n%s", name, r.Counts, text(t, r))
			}
		}
	}
}

// sentBy is the source address of a packet over Ethernet and IPv4.
func sentBy(r *pcaps.Record) [4]byte { return [4]byte(r.Data[26:]) }

const started = `# a connection
c2s hex "MPA ID Req Frame" 40 01 0000
s2c hex "MPA ID Rep Frame" 40 01 0000
`

// TestDifferences changes one thing at a time.
func TestDifferences(t *testing.T) {
	send := func(msn int, data string) string {
		return fmt.Sprintf("c2s 4143 00000000 00000000 %08x 00000000 %s\n", msn, data)
	}
	read := func(msn int, sink, source string) string {
		return fmt.Sprintf("s2c 4141 00000000 00000001 %08x 00000000 %s 0000000000002000 00000004 %s 00007f0000004000\n", msn, sink, source)
	}
	write := func(stag string) string { return "s2c c140 " + stag + " 0000100000000000 bb*64\n" }
	said := func(text, stag, to, rest string) string {
		return send(1, fmt.Sprintf("%q %s %s 00000040 %s", text, to, stag, rest)) + fmt.Sprintf("s2c c140 %s %s bb*64\n", stag, to)
	}
	terminate := func(code int) string {
		return fmt.Sprintf("s2c 4147 00000000 00000002 00000001 00000000 11%02x0300 0040 c140 cafe0001 0000000000002000\n", code)
	}
	const response = "c2s c142 %s %s 61626364\n"
	good := send(1, "aa*40") + read(1, "cafe0001", "beef0002") + fmt.Sprintf(response, "cafe0001", "0000000000002000") + send(2, "bb*50")
	for _, tc := range []struct{ name, good, bad, want string }{
		{"length", good, strings.Replace(good, "bb*50", "bb*51", 1), "length 51, was 50"},
		{"MSN", good, strings.Replace(good, "00000002 00000000 bb", "00000007 00000000 bb", 1), "MSN 7, was 2"},
		{"STag of the response", good, strings.Replace(good, "c142 cafe0001", "c142 0badc0de", 1), "STag 0x0badc0de, was 0xcafe0001"},
		{"TO of the response", good, strings.Replace(good, "cafe0001 0000000000002000 6", "cafe0001 0000000000002008 6", 1), "TO 8 octets into the buffer, was 0 octets into it"},
		{"both STags", good, strings.ReplaceAll(good, "cafe0001", "0badc0de"), "equal"},
		{"missing", good, strings.Replace(good, send(2, "bb*50"), "", 1), "lacks what the client sends in good, frame"},
		{"missing, and numbers go on", good + send(3, "aa*40") + send(4, "cc*9"), good + send(3, "cc*9"), "1 missing, 0 added, 0 changed"},
		{"added", good, good + send(3, "cc*9"), "the client sends a Send, which good lacks"},
		{"segments", good, strings.Replace(good, send(2, "bb*50"), "c2s 0143 00000000 00000000 00000002 00000000 bb*20\nc2s 4143 00000000 00000000 00000002 00000014 bb*30\n", 1), "equal"},
		{"order", good + send(3, "cc*9") + send(4, "dd*8"), good + send(3, "dd*8") + send(4, "cc*9"), "in another place"},
		{"an STag behind text of another length", said("host alpha: ", "00012300", "0000100000000000", "00*8"), said("host beta: ", "00045600", "0000200000000000", "00*9"), "equal"},
		{"a number like an STag", send(1, "00000400 00000001 \"STag 400\"") + write("00000400"), send(1, "00000400 00000001 \"STag 500\"") + write("00000500"), "equal"},
		{"Error Code", good + terminate(0), good + terminate(1), "1/1/01, where good has a Terminate 1/1/00 (frame 10): Error Code Base or bounds violation (0x01), was Invalid STag (0x00)."},
		{"revision", good, "rev0 " + good, "MPARequest: Rev RDMAC (0), was RFC 5044 (1)"},
	} {
		if got := text(t, compared(parsed(t, tc.good), parsed(t, tc.bad))); !strings.Contains(strings.Join(strings.Fields(got), " "), tc.want) {
			t.Errorf("%s: want %q:\n%s", tc.name, tc.want, got)
		}
	}
}

// A capture that begins in the middle has whole messages that are compared.
func TestLateDifference(t *testing.T) {
	const later = `s2c 4143 00000000 00000000 00000002 00000000 bb*44
c2s 4143 00000000 00000000 00000003 00000000 aa*48
s2c 4143 00000000 00000000 00000003 00000000 bb*48
c2s 4143 00000000 00000000 00000004 00000000 aa*52
`
	const first = "c2s 4143 00000000 00000000 00000001 00000000 aa*40\n"
	const second = "c2s 4143 00000000 00000000 00000002 00000000 aa*"
	late, err := transcript.Parse(t.Name(), "midstream\n"+second+"99\n"+later+"end\n")
	if err != nil {
		t.Fatal(err)
	}
	for i := range late.Records {
		late.Records[i].Frame = uint64(i + 1)
	}
	r := compared(parsed(t, first+second+"44\n"+later), late.Records)
	if got := text(t, r); r.Equal || !strings.Contains(got, "length 99, was 44") || r.Counts.Changed != 1 || r.Counts.Missing != 0 {
		t.Errorf("%+v\n%s", r.Counts, got)
	}
}

func parsed(t *testing.T, lines string) []pcaps.Record {
	t.Helper()
	start := started
	if rest, ok := strings.CutPrefix(lines, "rev0 "); ok {
		start, lines = strings.ReplaceAll(started, "40 01", "40 00"), rest
	}
	s, err := transcript.Parse(t.Name(), start+lines+"c2s fin\ns2c fin\nend\n")
	if err != nil {
		t.Fatal(err)
	}
	for i := range s.Records {
		s.Records[i].Frame = uint64(i + 1)
	}
	return s.Records
}

// TestTooManyMessages compares captures of more messages than are kept, which the Report says.
func TestTooManyMessages(t *testing.T) {
	c := diff.New()
	for _, side := range []*diff.Capture{c.A, c.B} {
		m := &record.Message{Origin: record.Origin{Conn: &flow.Conn{}}, Complete: true}
		for range diff.MaxMessages + 1 {
			recordtest.To(side).Message(m)
		}
		recordtest.To(side).End(m.Conn)
	}
	if r := c.Compare(); !r.Truncated {
		t.Error("the Report does not say so")
	}
}
