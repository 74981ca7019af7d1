package page_test

import (
	"bytes"
	"math/rand/v2"
	"net/netip"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/dissect"
	"github.com/iwarpkit/iwarp/dissect/judge"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/show/page"
	"github.com/iwarpkit/iwarp/dissect/ulp/all"
	"github.com/iwarpkit/iwarp/internal/golden"
	"github.com/iwarpkit/iwarp/pcaps"
	"github.com/iwarpkit/iwarp/pcaps/samples"
)

// evil is text that a page must show as text.
const evil = "\"'<script>hacked=1</script><img id=evil src=http://127.0.0.1/x onerror=hacked=1></script></title></style>\u202e\x1b[31m\x00`${hacked=1}"

// hostile puts evil wherever a capture can have text.
func hostile(r *record.Record) {
	if r.Upper != nil {
		r.Upper.Name += evil
	}
	if r.Startup != nil {
		r.Startup.MPA.PrivateData = []byte(evil)
	}
	for _, t := range r.Over {
		t.Name, t.Status = t.Name+evil, evil
	}
	for _, f := range r.Findings {
		f.Text, f.Seen, f.Expected = f.Text+evil, f.Seen+evil, f.Expected+evil
	}
	for i := range r.Marks {
		r.Marks[i].Seen += evil
	}
	if v := r.Verdict; v != nil {
		v.Text, v.Summary = v.Text+evil, v.Summary+evil
	}
}

// collected is a Page of a sample, each Record twisted if twist is not nil.
func collected(t testing.TB, sample string, twist func(*record.Record)) (*page.Page, *dissect.Totals) {
	t.Helper()
	capture, err := samples.Open(sample)
	if err != nil {
		t.Fatal(err)
	}
	o := page.Options{Files: []string{sample + ".pcap"}, Command: "iwarp decode " + sample + ".pcap"}
	if twist != nil {
		o = page.Options{Files: []string{evil}, Filter: evil, Command: evil, Damage: []string{evil}}
	}
	p := page.New(o)
	sink := record.SinkFunc(func(r *record.Record) {
		if twist != nil {
			twist(r)
		}
		p.Record(r)
	})
	e := dissect.NewEngine(judge.New(sink, judge.Options{ULPs: all.Layers()}), dissect.Options{})
	var packet pcaps.Record
	for capture.Next(&packet) == nil {
		if packet.Frame == 1 {
			p.Start(packet.Time)
		}
		e.Packet(&packet)
	}
	e.Close()
	return p, e.Totals()
}

// made is the page of a sample.
func made(t testing.TB, sample string, twist func(*record.Record)) []byte {
	t.Helper()
	p, totals := collected(t, sample, twist)
	var b bytes.Buffer
	if err := p.Write(&b, totals); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

var rowTime = regexp.MustCompile(`data-t="(\d+)"`)

// Every sample makes a page, with all of its connections, whose ladders go down in time.
func TestSamples(t *testing.T) {
	for _, name := range samples.Names() {
		html := string(made(t, name, nil))
		for _, want := range []string{"<h1", "Content-Security-Policy", "default-src &#39;none&#39;", "<section", "</html>"} {
			if name == "perf-nocm" && want == "<section" {
				continue // it has no iWARP
			}
			if !strings.Contains(html, want) {
				t.Errorf("%s: no %s", name, want)
			}
		}
		for _, section := range strings.Split(html, "<section")[1:] {
			latest := 0
			for _, at := range rowTime.FindAllStringSubmatch(section, -1) {
				if now, _ := strconv.Atoi(at[1]); now < latest {
					t.Errorf("%s: a row at %d ns is below one at %d ns", name, now, latest)
				} else {
					latest = now
				}
			}
		}
		for _, no := range []string{" style=", "http://www", "src=", "@import", "url("} {
			if own, _, _ := strings.Cut(html, "<script"); strings.Contains(own, no) {
				t.Errorf("%s: %s", name, no)
			}
		}
	}
}

// The pictures of the documents are made from samples.
func TestPictures(t *testing.T) {
	p, totals := collected(t, "term-write-badkey", nil)
	if err := p.Write(new(bytes.Buffer), totals); err != nil {
		t.Fatal(err)
	}
	golden.File(t, "../../../docs/pictures/ladder.svg", string(p.LadderSVG()))
	p, _ = collected(t, "nfs-small-v4.1-inl4096-crc1", nil)
	golden.File(t, "../../../docs/pictures/throughput.svg", string(p.ChartSVG()))
}

// large is the page of a connection with n messages: calls, and replies to them.
func large(t testing.TB, n int) []byte {
	t.Helper()
	c := &record.Conn{Client: netip.MustParseAddrPort("10.0.0.1:40000"), Server: netip.MustParseAddrPort("10.0.0.2:20049")}
	p := page.New(page.Options{Command: "iwarp decode x.pcap"})
	p.Start(1)
	r := rand.New(rand.NewPCG(1, 2))
	at := int64(1)
	for i := range n {
		at += r.Int64N(50_000)
		o := record.Origin{Conn: c, Dir: record.Direction(i % 2), Span: record.At(uint64(i+4), at)}
		m := &record.Message{Origin: o, Opcode: rdmap.OpSend, Len: r.Uint64N(4096), Complete: true, Segments: 1}
		m.First.Untagged.MSN = uint32(i/2 + 1)
		rec := &record.Record{Kind: record.KindMessage, Origin: o, Message: m}
		if i%2 == 1 {
			call := record.At(uint64(i+3), at-r.Int64N(500_000))
			call.LastTime = call.Time
			rec.Over = []*record.Transaction{{
				Conn: c, Kind: record.UpperTransaction, Name: [...]string{"NFSv3 READ", "NFSv3 WRITE", "NFSv3 GETATTR"}[r.IntN(3)],
				ID: r.Uint64N(1 << 32), Request: call, Response: o.Span, Octets: r.Uint64N(1 << 16),
			}}
		}
		p.Record(rec)
	}
	c.Span, c.Latest, c.Earliest = record.At(1, 1), at, 1
	p.Record(&record.Record{Kind: record.KindEnd, Origin: record.Origin{Conn: c}, Verdict: &record.Verdict{Conn: c, Summary: "It went well.", Text: "It went well."}})
	var b bytes.Buffer
	if err := p.Write(&b, &dissect.Totals{}); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// A page of more messages than it can have says so, and has the first, the last and the one with a finding.
func TestThin(t *testing.T) {
	html := string(large(t, 3*page.MaxMessages))
	if !strings.Contains(html, "of 300,000 messages: those at the beginning and the end") || !strings.Contains(html, "iwarp decode x.pcap") {
		t.Error("the page does not say what it leaves out")
	}
	if len(html) > page.MaxOctets {
		t.Errorf("%d octets", len(html))
	}
}
