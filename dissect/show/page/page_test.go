package page_test

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/netip"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/dissect"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/judge"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/show/page"
	"github.com/iwarpkit/iwarp/dissect/ulp/all"
	"github.com/iwarpkit/iwarp/internal/golden"
	"github.com/iwarpkit/iwarp/internal/quantity"
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

// Each level of zoom has the octets of each message in its interval, also where a connection lasts so long that intervals are joined.
func TestLevels(t *testing.T) {
	c := unpacked(t, string(large(t, 40_000, nil))).Connections[0]
	for _, l := range c.Levels {
		if l.Step < 200_000 {
			t.Errorf("intervals of %d ns are not joined", l.Step)
		}
		want, at := map[int64]uint64{}, int64(0)
		for i, octets := range c.Messages.Octets {
			if at += c.Messages.Time[i]; octets > 0 {
				want[(at-l.Start)/l.Step] += octets
			}
		}
		got := map[int64]uint64{}
		for _, s := range l.Series {
			for n, octets := range s.Values {
				if octets > 0 {
					got[int64(n)] += octets
				}
			}
		}
		if !maps.Equal(got, want) {
			t.Errorf("%d intervals of %d ns from %d differ from the %d that the messages need", len(got), l.Step, l.Start, len(want))
		}
	}
}

// What TCP did about lost packets stands where it did it, and not at the end.
func TestLoss(t *testing.T) {
	again := large(t, 20, func(r *record.Record) {
		if r.Frame == 8 {
			r.Conn.Traffic[flow.C2S].TCP.Retransmitted, r.Conn.Traffic[flow.C2S].Disorder = 99, flow.At(6, r.Time)
		}
	})
	for what, html := range map[string][]byte{"sent again": again, "out of order": made(t, "netem-lossy", nil)} {
		all := unpacked(t, string(html))
		messages, words := all.Connections[0].Messages, all.Shared.Words
		at := slices.IndexFunc(messages.Name, func(name int) bool { return strings.HasSuffix(words[name], what) })
		if at < 0 || at >= len(messages.Name)/2 {
			t.Errorf("%s: at place %d of %d", what, at, len(messages.Name))
		} else if what == "sent again" && messages.Frames[at] != "6" {
			t.Errorf("sent again in frame %s", messages.Frames[at])
		}
	}
}

// The pictures of the documents are made from samples.
func TestPictures(t *testing.T) {
	p, totals := collected(t, "term-write-badkey", nil)
	if err := p.Write(new(bytes.Buffer), totals); err != nil {
		t.Fatal(err)
	}
	golden.File(t, "../../../docs/pictures/ladder.svg", string(page.LadderSVG(p)))
	p, _ = collected(t, "nfs-small-v4.1-inl4096-crc1", nil)
	golden.File(t, "../../../docs/pictures/throughput.svg", string(page.ChartSVG(p)))
}

// large is the page of a connection with n messages: calls, and replies to them, each Record twisted if twist is not nil.
func large(t testing.TB, n int, twist func(*record.Record)) []byte {
	t.Helper()
	c := &flow.Conn{Client: netip.MustParseAddrPort("10.0.0.1:40000"), Server: netip.MustParseAddrPort("10.0.0.2:20049")}
	p := page.New(page.Options{Command: "iwarp decode x.pcap"})
	p.Start(1)
	r := rand.New(rand.NewPCG(1, 2))
	at := int64(1)
	for i := range n {
		at += r.Int64N(50_000)
		o := record.Origin{Conn: c, Dir: flow.Direction(i % 2), Span: flow.At(uint64(i+4), at)}
		m := &record.Message{Origin: o, Opcode: rdmap.OpSend, Len: r.Uint64N(4096), Complete: true, Segments: 1}
		m.First.Untagged.MSN = uint32(i/2 + 1)
		rec := &record.Record{Kind: record.KindMessage, Origin: o, Message: m}
		if i%2 == 1 {
			call := flow.At(uint64(i+3), at-r.Int64N(500_000))
			call.LastTime = call.Time
			rec.Over = []*record.Transaction{{
				Conn: c, Kind: record.UpperTransaction, Name: [...]string{"NFSv3 READ", "NFSv3 WRITE", "NFSv3 GETATTR"}[r.IntN(3)],
				ID: r.Uint64N(1 << 32), Request: call, Response: o.Span, Octets: r.Uint64N(1 << 16),
			}}
		}
		if twist != nil {
			twist(rec)
		}
		p.Record(rec)
	}
	c.Span, c.Latest, c.Earliest = flow.At(1, 1), at, 1
	p.Record(&record.Record{Kind: record.KindEnd, Origin: record.Origin{Conn: c}, Verdict: &record.Verdict{Conn: c, Summary: "It went well.", Text: "It went well."}})
	var b bytes.Buffer
	if err := p.Write(&b, &dissect.Totals{}); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// A table is what a page has of messages: those of a connection.
type table struct {
	Conn   []int
	Time   []int64
	Name   []int
	Octets []uint64
	Frames []string
	Fields []string
	Upper  []int
	Faults []int
}

// content is what the scripts of a page read.
type content struct {
	Connections []struct {
		Messages table
		Levels   []struct {
			Step, Start int64
			Series      []struct{ Values []uint64 }
		}
	}
	Others struct{ Messages table }
	Shared struct{ Words []string }
}

func unpacked(t testing.TB, html string) (all content) {
	t.Helper()
	_, data, _ := strings.Cut(html, `id="data">`)
	data, _, _ = strings.Cut(data, "<")
	z, err := gzip.NewReader(base64.NewDecoder(base64.StdEncoding, strings.NewReader(data)))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.NewDecoder(z).Decode(&all); err != nil {
		t.Fatal(err)
	}
	return all
}

// A page of more messages than it can have says so, and has the first, the last and the one with a finding, with their words.
func TestThin(t *testing.T) {
	const n, found = 3 * page.MaxMessages, 120_000 // messages, and the frame of one with a finding
	html := string(large(t, n, func(r *record.Record) {
		r.Upper = &record.Upper{Name: fmt.Sprintf("Call %x", sha256.Sum256([]byte(strconv.FormatUint(r.Frame, 10))))}
		if r.Frame == found {
			r.Marks = []record.Mark{{Finding: record.Finding{Severity: rules.Error, Seen: "the one"}}}
		}
	}))
	if !regexp.MustCompile(`The page has [0-9,]+ of 300,000 messages and [0-9,]+ of 150,000 transactions: those at the beginning and the end`).MatchString(html) ||
		!strings.Contains(html, "iwarp decode x.pcap") {
		t.Error("the page does not say what it leaves out")
	}
	if len(html) > page.MaxOctets {
		t.Errorf("%d octets", len(html))
	}
	all := unpacked(t, html)
	messages, words := all.Connections[0].Messages, all.Shared.Words
	for _, frame := range []int{4, found, n + 3} {
		at := slices.Index(messages.Frames, strconv.Itoa(frame))
		if at < 0 {
			t.Errorf("no frame %d among %d messages", frame, len(messages.Frames))
			continue
		}
		if want := fmt.Sprintf("Call %x", sha256.Sum256([]byte(strconv.Itoa(frame)))); words[messages.Upper[at]] != want {
			t.Errorf("frame %d is %q, not %q", frame, words[messages.Upper[at]], want)
		}
		if fault := words[messages.Faults[at]]; strings.Contains(fault, "the one") != (frame == found) {
			t.Errorf("frame %d has the findings %q", frame, fault)
		}
	}
	if len(words) > 2*len(messages.Frames) {
		t.Errorf("%d words for %d messages", len(words), len(messages.Frames))
	}
}

// A page whose messages would exceed its octets has fewer, and its words say so.
func TestShrink(t *testing.T) {
	const n = page.MaxMessages - 1000
	html := string(large(t, n, func(r *record.Record) {
		r.Upper = &record.Upper{Name: fmt.Sprintf("%x", sha512.Sum512([]byte(strconv.FormatUint(r.Frame, 10))))}
	}))
	messages := unpacked(t, html).Connections[0].Messages
	want := "The page has " + quantity.Grouped(len(messages.Frames)) + " of 99,000 messages and "
	if len(html) > page.MaxOctets || len(messages.Frames) >= n || !strings.Contains(html, want) || strings.Contains(html, "all of these connections") {
		t.Errorf("%d octets, %d messages; no %q", len(html), len(messages.Frames), want)
	}
	if folded := quantity.Grouped(len(messages.Frames) - 2*60 - 14); !strings.Contains(html, folded+" messages in the table") {
		t.Errorf("no fold leaves %s messages to the table", folded)
	}
}

// many is the page of connections with n messages each.
func many(t testing.TB, conns, n int) []byte {
	t.Helper()
	p := page.New(page.Options{})
	for i := range conns {
		c := &flow.Conn{ID: i, Client: netip.MustParseAddrPort("10.0.0.1:40000"), Server: netip.MustParseAddrPort("10.0.0.2:20049")}
		for j := range n {
			o := record.Origin{Conn: c, Span: flow.At(uint64(i*n+j+1), int64(i*n+j+1))}
			p.Record(&record.Record{Kind: record.KindMessage, Origin: o, Message: &record.Message{Origin: o, Opcode: rdmap.OpSend, Complete: true}})
		}
		p.Record(&record.Record{Kind: record.KindEnd, Origin: record.Origin{Conn: c}, Verdict: &record.Verdict{Conn: c}})
	}
	var b bytes.Buffer
	if err := p.Write(&b, &dissect.Totals{}); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// A page has all messages if these are few enough, however many connections they are of.
func TestWhole(t *testing.T) {
	const conns, each = 5000, 12
	html := string(many(t, conns, each))
	all := unpacked(t, html)
	own, others := all.Connections[0].Messages, all.Others.Messages
	if n := len(others.Conn); n != (conns-page.MaxDetailed)*each || len(own.Frames) != each {
		t.Errorf("the page has %d and %d messages", len(own.Frames), n)
	}
	if strings.Contains(html, "The page has") || !strings.Contains(html, "What the others said is in tables at the end.") {
		t.Error("the page does not say that it has all")
	}
}

// Thousands of open connections are few messages each.
func TestManyOpenConnections(t *testing.T) {
	p := page.New(page.Options{})
	for i := range 1 << 15 {
		c := &flow.Conn{ID: i}
		o := record.Origin{Conn: c, Span: flow.At(uint64(i+1), int64(i+1))}
		for range 8 {
			p.Record(&record.Record{Kind: record.KindMessage, Origin: o, Message: &record.Message{Origin: o, Opcode: rdmap.OpSend, Complete: true}})
		}
	}
	var b bytes.Buffer
	if err := p.Write(&b, &dissect.Totals{}); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(b.String(), "The 24 worst or busiest connections have a section.") {
		t.Error("the page does not say how many connections it has")
	}
}
