package printable_test

// What every output makes of captures whose strings are escape sequences.

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/dissect"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/judge"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/show"
	"github.com/iwarpkit/iwarp/dissect/show/annotate"
	"github.com/iwarpkit/iwarp/dissect/show/check"
	"github.com/iwarpkit/iwarp/dissect/show/csv"
	"github.com/iwarpkit/iwarp/dissect/show/jsonl"
	"github.com/iwarpkit/iwarp/dissect/show/ladder"
	"github.com/iwarpkit/iwarp/dissect/show/text"
	"github.com/iwarpkit/iwarp/dissect/show/tree"
	"github.com/iwarpkit/iwarp/dissect/ulp"
	"github.com/iwarpkit/iwarp/dissect/ulp/iser"
	"github.com/iwarpkit/iwarp/dissect/ulp/nvme"
	"github.com/iwarpkit/iwarp/dissect/ulp/rpc"
	"github.com/iwarpkit/iwarp/dissect/ulp/smbdirect"
	"github.com/iwarpkit/iwarp/internal/conversation"
	"github.com/iwarpkit/iwarp/internal/recorded"
	"github.com/iwarpkit/iwarp/pcaps"
	"github.com/iwarpkit/iwarp/pcaps/samples"
)

// outputs are all that print, and how they end.
var outputs = map[string]func(w io.Writer) (sink record.Sink, end func() error){
	"text":         lines(show.Messages),
	"transactions": lines(show.Transactions),
	"rpcs":         lines(show.RPCs),
	"tree": func(w io.Writer) (record.Sink, func() error) {
		p := tree.New(w, tree.Options{})
		return p, p.Flush
	},
	"check": func(w io.Writer) (record.Sink, func() error) {
		r := check.NewText(w, check.Options{})
		return r, func() error { return r.Finish(nil) }
	},
	"document": func(w io.Writer) (record.Sink, func() error) {
		d := check.NewDocument(w, check.Head{})
		return d, func() error { return d.Finish(nil) }
	},
	"ladder": func(w io.Writer) (record.Sink, func() error) {
		l := ladder.New(w, ladder.Options{})
		return l, l.Flush
	},
	"ladder of all": func(w io.Writer) (record.Sink, func() error) {
		l := ladder.New(w, ladder.Options{All: true, Width: 300})
		return l, l.Flush
	},
	"csv": func(w io.Writer) (record.Sink, func() error) {
		e := csv.New(w, csv.Options{})
		return e, e.Flush
	},
	"csv of RPCs": func(w io.Writer) (record.Sink, func() error) {
		e := csv.New(w, csv.Options{View: show.RPCs})
		return e, e.Flush
	},
	"jsonl": func(w io.Writer) (record.Sink, func() error) {
		e := jsonl.New(w, jsonl.Options{})
		return e, e.Flush
	},
	"jsonl of RPCs": func(w io.Writer) (record.Sink, func() error) {
		e := jsonl.New(w, jsonl.Options{View: show.RPCs})
		return e, e.Flush
	},
}

func lines(v show.View) func(io.Writer) (record.Sink, func() error) {
	return func(w io.Writer) (record.Sink, func() error) {
		p := text.New(w, text.Options{View: v})
		return record.SinkFunc(func(r *record.Record) {
			p.Record(r)
			for i := range r.Marks {
				fmt.Fprintf(w, "%s\n", text.AppendLoose(nil, &r.Marks[i].Finding))
			}
		}), p.Flush
	}
}

// expectPrintable gives records to every output, and looks at what it prints.
func expectPrintable(t *testing.T, what string, records []pcaps.Record, ulps ...*ulp.Layer) {
	t.Helper()
	for name, output := range outputs {
		var b bytes.Buffer
		sink, end := output(&b)
		run(records, sink, ulps...)
		if err := end(); err != nil {
			t.Fatal(err)
		}
		if bad, ok := unfit(b.String()); ok {
			t.Errorf("%s, %s: %q", what, name, bad)
		}
	}
}

func run(records []pcaps.Record, sink record.Sink, ulps ...*ulp.Layer) {
	if ulps == nil {
		ulps = []*ulp.Layer{rpc.New(rpc.Options{}), smbdirect.Layer, iser.Layer, nvme.Layer}
	}
	engine := dissect.NewEngine(judge.New(sink, judge.Options{ULPs: ulps}), dissect.Options{})
	for i := range records {
		rec := records[i]
		rec.Data = bytes.Clone(rec.Data)
		engine.Packet(&rec)
	}
	engine.Close()
}

// unfit is the first line that a terminal should not see.
func unfit(s string) (line string, ok bool) {
	for line := range strings.Lines(s) {
		line = strings.TrimSuffix(line, "\n")
		if !utf8.ValidString(line) || strings.ContainsFunc(line, func(r rune) bool { return !unicode.IsPrint(r) }) {
			return line, true
		}
	}
	return "", false
}

// hostile are escape sequences and the like, to be repeated.
const hostile = "\x1b]0;owned\a\x1b[2J\x9b31m\u009b5m\r\n\u202e\x7f\xff=cmd|'/C calc'!A0,\"\x00"

// overwrite overwrites octets with what is hostile.
func overwrite(b []byte) {
	for i := range b {
		b[i] = hostile[i%len(hostile)]
	}
}

func TestHostilePrivateData(t *testing.T) {
	request, reply := mpa.Frame{Rev: 1, PDLength: 100}, mpa.Frame{Rev: 1, Reply: true, R: true, PDLength: 512}
	for _, f := range []*mpa.Frame{&request, &reply} {
		f.PrivateData = make([]byte, f.PDLength)
		overwrite(f.PrivateData)
	}
	c := conversation.New("10.0.0.1:40000", "10.0.0.2:7174").Connect()
	for side, f := range []*mpa.Frame{&request, &reply} {
		b, err := f.AppendBinary(nil)
		if err != nil {
			t.Fatal(err)
		}
		c.Send(conversation.Side(side), b)
	}
	expectPrintable(t, "Private Data", c.Close(conversation.Client).Records)
}

// hostileULP takes what it says from the capture, as it stands there.
var hostileULP = &ulp.Layer{Name: "Hostile", Recognise: func(*flow.Conn, *record.Message, []byte) ulp.Follower {
	return &hostileFollower{}
}}

type hostileFollower struct {
	ulp.Idle
	to       ulp.Reporter
	call     record.Transaction
	answered bool
}

func (f *hostileFollower) Begin(r ulp.Reporter) { f.to = r }

func (f *hostileFollower) Send(m *record.Message, _ []byte) {
	f.to.Finding(&record.Finding{Origin: m.Origin, Name: judge.ObsStall.Name, Seen: hostile, Expected: hostile, Text: "Seen: " + hostile})
	f.to.Upper(&record.Upper{Origin: m.Origin, ULP: "Hostile", Name: hostile})
	if f.call.Conn == nil || f.call.Dir == m.Dir || f.answered {
		f.answered = false
		f.call = record.Transaction{Conn: m.Conn, Kind: record.UpperTransaction, Dir: m.Dir, Request: m.Span, Name: hostile}
		return
	}
	f.call.Response = m.Span
	f.call.Upper = &rpc.Exchange{Name: hostile, Result: hostile, Known: true, Call: rpc.Half{Span: m.Span, Kind: hostile}}
	f.to.Transaction(&f.call)
	f.to.Transaction(&record.Transaction{
		Conn: m.Conn, Kind: record.UpperTransaction, Dir: m.Dir, Request: m.Span, Name: hostile, Outcome: record.Unanswered,
	})
	f.answered = true
}

func TestHostileULP(t *testing.T) {
	records := recorded.Packets(samples.Open("rping"))
	expectPrintable(t, "rping", records, hostileULP)
	for name, output := range outputs {
		var b bytes.Buffer
		sink, end := output(&b)
		run(records, sink, hostileULP)
		end()
		if !strings.Contains(b.String(), "owned") {
			t.Errorf("%s shows nothing of it", name)
		}
	}
}

// TestHostileStrings overwrites all that reads like a name in the RPCs of a capture: machines, files, owners.
func TestHostileStrings(t *testing.T) {
	const sample = "nfs-small-v4.1-inl4096-crc1"
	records := recorded.Packets(samples.Open(sample))
	overwritten := 0
	for i := range records {
		b := records[i].Data[min(66, len(records[i].Data)):] // after Ethernet, IP, TCP and its time stamps
		if bytes.HasPrefix(b, []byte("MPA ID")) {
			const crc = 0x40
			b[16] &^= crc // nobody asks for CRCs, so none is wrong
			continue
		}
		for from := 0; from < len(b); {
			n := 0
			for from+n < len(b) && b[from+n] >= ' ' && b[from+n] <= '~' {
				n++
			}
			if n >= 4 {
				overwrite(b[from : from+n])
				overwritten++
			}
			from += n + 1
		}
	}
	if overwritten < 500 {
		t.Fatalf("%d strings", overwritten)
	}
	expectPrintable(t, sample, records)
}

// TestHostileOctets overwrites octets anywhere after the TCP header.
func TestHostileOctets(t *testing.T) {
	for _, sample := range samples.Names() {
		records := recorded.Packets(samples.Open(sample))
		random := rand.New(rand.NewPCG(1, 2))
		for i := range records {
			if b := records[i].Data; len(b) > 110 && random.IntN(2) == 0 { // MPA frames stay
				from := 66 + random.IntN(len(b)-66)
				overwrite(b[from:min(len(b), from+1+random.IntN(64))])
			}
		}
		expectPrintable(t, sample, records)
	}
}

// The comments in a file are fit too.
func TestHostileComments(t *testing.T) {
	var b bytes.Buffer
	records := recorded.Packets(samples.Open("nfs-small-v4.1-inl4096-crc1"))
	for i := range records {
		if d := records[i].Data; len(d) > 110 {
			overwrite(d[100:])
		}
	}
	c := annotate.New(annotate.Options{})
	run(records, c)
	if err := c.Write(&b, nil, "../../pcaps/samples/nfs-small-v4.1-inl4096-crc1.pcap.gz"); err != nil {
		t.Fatal(err)
	}
	r, err := pcaps.NewReader(&b)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	var rec pcaps.Record
	for r.Next(&rec) == nil {
		for _, comment := range rec.Comments {
			n++
			if bad, ok := unfit(comment); ok || strings.Contains(comment, "\n") {
				t.Errorf("frame %d: %q", rec.Frame, bad)
			}
		}
	}
	if n < 1000 {
		t.Errorf("%d comments", n)
	}
}
