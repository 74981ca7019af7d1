package filter_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/dissect"
	"github.com/iwarpkit/iwarp/dissect/filter"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/judge"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/internal/recordtest"
	"github.com/iwarpkit/iwarp/pcaps"
	"github.com/iwarpkit/iwarp/pcaps/samples"
)

// A log notes what it is given, in a word each.
type log struct{ words []string }

func (l *log) add(format string, args ...any) {
	l.words = append(l.words, fmt.Sprintf(format, args...))
}
func (l *log) Record(r *record.Record)           { recordtest.Pieces(r, l) }
func (l *log) StartupFrame(f *record.Startup)    { l.add("frame%d", f.Frame) }
func (l *log) Segment(s *record.Segment)         { l.add("segment%d", s.Frame) }
func (l *log) Message(m *record.Message)         { l.add("message%d", m.Frame) }
func (l *log) Note(*record.Note)                 { l.add("note") }
func (l *log) End(*flow.Conn)                    { l.add("end") }
func (l *log) Finding(f *record.Finding)         { l.add("finding:%s", f.Name) }
func (l *log) Transaction(t *record.Transaction) { l.add("transaction:%s", t.Name) }
func (l *log) Upper(u *record.Upper)             { l.add("upper:%s", u.Name) }
func (l *log) Verdict(*record.Verdict)           { l.add("verdict") }
func (l *log) String() string                    { return strings.Join(l.words, " ") }

func finding(o record.Origin, name string) *record.Finding {
	return &record.Finding{Origin: o, Name: name, ID: strings.ToUpper(name), Severity: rules.Error}
}

// TestSieve tells a story of one connection through different filters.
func TestSieve(t *testing.T) {
	events := handmade(t)
	segment, write, send := events["segment"].Segment, events["write"].Message, events["send"].Message
	here := segment.Origin
	write.Origin = here
	before := here
	before.Frame, before.LastFrame = 1, 2
	there := here
	there.Dir = flow.S2C
	story := func(s record.Sink) {
		give, alone := recordtest.To(s), recordtest.Alone(s)
		first, whole := *segment, *write
		first.Message = &whole
		give.StartupFrame(events["request"].StartupFrame)
		alone.Finding(finding(there, "elsewhere"))
		alone.Finding(finding(before, "earlier"))
		give.Finding(finding(here, "send-msn"))
		give.Segment(&first)
		give.Upper(&record.Upper{Origin: here, Name: "call", ULP: "RPC"})
		give.Finding(finding(here, "of-message"))
		give.Message(&whole)
		give.Message(send)
		alone.Transaction(events["transaction"].Transaction)
		give.Finding(finding(here, "of-note"))
		give.Note(&record.Note{Origin: here})
		alone.Finding(finding(here, "of-end"))
		give.Verdict(&record.Verdict{Conn: ipv4Conn})
	}
	for text, want := range map[string]string{
		"": "frame4 finding:elsewhere finding:earlier finding:send-msn segment13 finding:of-message upper:call message13 message11 " +
			"transaction:RDMA Read finding:of-note note finding:of-end verdict end",
		"conn == 9":       "note verdict end",
		"type == Finding": "finding:elsewhere finding:earlier finding:of-note note finding:of-end verdict end",
		"type == Write":   "finding:of-message upper:call message13 note verdict end",
		"type == Send":    "finding:send-msn segment13 note verdict end",
		"finding": "finding:elsewhere finding:earlier finding:send-msn segment13 finding:of-message message13 " +
			"finding:of-note note finding:of-end verdict end",
		// A message is about what was found of its segments.
		"finding == send-msn":                      "finding:send-msn segment13 message13 note verdict end",
		"finding == send-msn and not type == Send": "message13 note verdict end",
		"upper == call":                            "upper:call message13 note verdict end",
		"dir == s2c and finding":                   "finding:elsewhere note verdict end",
		"transaction":                              "transaction:RDMA Read note verdict end",
		"time < 4.5":                               "frame4 note verdict end",
	} {
		var l log
		s := filter.NewSieve(mustCompile(t, text), &l)
		s.Start(begin)
		story(s)
		if got := l.String(); got != want {
			t.Errorf("%q lets pass\n %s\nwant\n %s", text, got, want)
		}
	}
}

// TestSieveJoinsPayload checks that the headers in the payload of Sends are found, be they in one segment or in many.
func TestSieveJoinsPayload(t *testing.T) {
	const sample = "nfs-small-v4.1-inl4096-crc1"
	for text, want := range map[string]int{
		"rpcordma": 1110, "rpc.msgtyp == CALL and rpcordma.reads_count > 0": 18, "xid": 1110,
	} {
		r, err := samples.Open(sample)
		if err != nil {
			t.Fatal(err)
		}
		var l log
		e := dissect.NewEngine(judge.New(filter.NewSieve(mustCompile(t, text), &l), judge.Options{Payload: true}), dissect.Options{})
		var rec pcaps.Record
		for r.Next(&rec) == nil {
			e.Packet(&rec)
		}
		e.Close()
		if got := strings.Count(l.String(), "message"); got != want {
			t.Errorf("%s: %d messages, want %d", text, got, want)
		}
	}
}

// TestSieveBehindJudge checks that what a Judge finds meets what it is about.
func TestSieveBehindJudge(t *testing.T) {
	r, err := samples.Open("term-read-badkey")
	if err != nil {
		t.Fatal(err)
	}
	var l log
	sieve := filter.NewSieve(mustCompile(t, "finding == OBS-TERMINATE and iwarp_rdma.terminate or outcome == refused"), &l)
	e := dissect.NewEngine(judge.New(sieve, judge.Options{}), dissect.Options{})
	var rec pcaps.Record
	for r.Next(&rec) == nil {
		e.Packet(&rec)
	}
	e.Close()
	for _, want := range []string{"finding:terminate", "message", "transaction:RDMA Read"} {
		if !strings.Contains(l.String(), want) {
			t.Errorf("%s is not among %s", want, &l)
		}
	}
	if strings.Contains(l.String(), "frame4") {
		t.Errorf("MPA frames are among %s", &l)
	}
}

// TestSievePassesManyFindings has more findings about a message than are looked at with it: all pass, in their order.
func TestSievePassesManyFindings(t *testing.T) {
	const many = 1000
	write := handmade(t)["write"].Message
	var l log
	s := filter.NewSieve(mustCompile(t, "finding"), &l)
	give := recordtest.To(s)
	for i := range many {
		give.Finding(finding(write.Origin, fmt.Sprint(i)))
	}
	give.Message(write)
	if len(l.words) != many+1 || l.words[many-1] != fmt.Sprintf("finding:%d", many-1) || l.words[many] != "message6" {
		t.Errorf("%d events, the last two %s", len(l.words), l.words[len(l.words)-2:])
	}
}
