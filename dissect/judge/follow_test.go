package judge_test

// How upper layers are driven: what they are asked, given and told, in which order.

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	diff "github.com/google/go-cmp/cmp"

	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/codec/rpcrules"
	"github.com/iwarpkit/iwarp/dissect"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/judge"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/ulp"
	"github.com/iwarpkit/iwarp/internal/conversation"
	"github.com/iwarpkit/iwarp/internal/recordtest"
)

// A diary notes what happens to an upper layer and to the Sink behind it.
type diary struct {
	lines   []string
	mine    func(send *record.Message, payload []byte) bool // whether a connection is the upper layer's
	reports func(ulp.Reporter, *record.Message)             // what that reports when it is given a Send; may be nil
}

func (d *diary) note(format string, args ...any) {
	d.lines = append(d.lines, fmt.Sprintf(format, args...))
}

// keeper is the upper layer of a diary.
type keeper struct {
	ulp.Idle
	*diary
	to ulp.Reporter
}

func (d *diary) layer() *ulp.Layer {
	return &ulp.Layer{Name: "diary", Recognise: (&keeper{diary: d}).recognise}
}

func (k *keeper) recognise(_ *flow.Conn, send *record.Message, payload []byte) ulp.Follower {
	if send == nil {
		k.note("recognise by frames")
	} else {
		k.note("recognise by %v %q", send.Dir, payload)
	}
	if k.mine(send, payload) {
		return k
	}
	return nil
}

func (k *keeper) Begin(r ulp.Reporter) {
	k.to = r
	k.note("begin")
}

func (k *keeper) Send(m *record.Message, payload []byte) {
	k.note("%v %v of %d octets: %q", m.Dir, m.Opcode, m.Len, payload)
	if k.reports != nil {
		k.reports(k.to, m)
	}
}

func (k *keeper) Tagged(s *record.Segment, t *record.Transaction) {
	k.note("%v %q, of a request: %v", s.RDMAP.Control.Opcode, s.RDMAP.Body, t != nil)
}

func (k *keeper) Request(t *record.Transaction) { k.note("request %s", t.Name) }
func (k *keeper) Done(t *record.Transaction)    { k.note("done %s %v", t.Name, t.Outcome) }
func (k *keeper) Terminate(m *record.Message)   { k.note("terminate %v", m.Dir) }
func (k *keeper) Gap(dir flow.Direction)        { k.note("gap %v", dir) }
func (k *keeper) End() [2]int                   { k.note("end"); return [2]int{0, 3} }

// reader is the Sink of a diary.
type reader struct {
	*diary
}

func (r reader) Record(rec *record.Record) { recordtest.Pieces(rec, r) }

func (r reader) Message(m *record.Message)         { r.note("- message %v", m.Opcode) }
func (r reader) Finding(f *record.Finding)         { r.note("- finding %s %v %s", f.Name, f.Severity, f.ID) }
func (r reader) Upper(u *record.Upper)             { r.note("- upper %s", u.Name) }
func (r reader) Transaction(t *record.Transaction) { r.note("- transaction %s", t.Name) }
func (r reader) Verdict(v *record.Verdict) {
	r.note("- verdict %q, %v outstanding", v.ULP, v.Outstanding[flow.S2C].Upper)
}

func always(*record.Message, []byte) bool { return true }

// follow runs a transcript through a Judge with the upper layer of d, and compares.
func (d *diary) follow(t *testing.T, lines, want string) {
	t.Helper()
	e := dissect.NewEngine(judge.New(reader{diary: d}, judge.Options{ULPs: []*ulp.Layer{d.layer()}, MaxPayload: 10}), dissect.Options{})
	records := transcribed(t, lines)
	for i := range records {
		e.Packet(&records[i])
	}
	e.Close()
	var wanted []string
	for line := range strings.Lines(strings.TrimSpace(want)) {
		wanted = append(wanted, strings.TrimSpace(line))
	}
	if d := diff.Diff(wanted, d.lines); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

// TestFollow looks at the order of calls and events.
func TestFollow(t *testing.T) {
	(&diary{mine: always}).follow(t, started+aSend+"s2c 8140 a1b2c301 0000000000001000 6162\n s2c c140 a1b2c301 0000000000001002 63\n"+
		aRead+aResponse+"s2c 4148 00000000 00000000 00000001 00000000 3031323334353637\n c2s 4147 00000000 00000002 00000001 00000000 00000000"+closed, `
		recognise by frames
		begin
		c2s Send of 1 octets: "a"
		- message Send
		Write "ab", of a request: false
		Write "c", of a request: false
		- message Write
		request RDMA Read
		- message ReadRequest
		ReadResponse "abcd", of a request: true
		done RDMA Read answered
		- transaction RDMA Read
		- message ReadResponse
		s2c Immediate of 8 octets: "01234567"
		- message Immediate
		terminate c2s
		- finding terminate warning OBS-TERMINATE
		- message Terminate
		end
		- finding unanswered-upper warning OBS-UNANSWERED-UPPER
		- verdict "diary", 3 outstanding`)
}

// TestFollowReports looks at what a Follower reports: it comes before the Message, and what it leaves out is filled in.
func TestFollowReports(t *testing.T) {
	d := &diary{mine: always, reports: func(r ulp.Reporter, m *record.Message) {
		r.Finding(&record.Finding{Origin: m.Origin, Rule: rpcrules.Lookup("send-msn"), Name: "send-msn", Seen: "this"})
		r.Finding(&record.Finding{Origin: m.Origin, Name: "unanswered-upper"})
		r.Upper(&record.Upper{Origin: m.Origin, Name: "hello"})
		r.Transaction(&record.Transaction{Conn: m.Conn, Name: "greeting"})
	}}
	d.follow(t, started+aSend+"end", `
		recognise by frames
		begin
		c2s Send of 1 octets: "a"
		- transaction greeting
		- finding send-msn error DDP-4.3-7
		- finding unanswered-upper warning OBS-UNANSWERED-UPPER
		- upper hello
		- message Send
		end
		- verdict "diary", 3 outstanding`)
}

// TestRecognise checks that an upper layer is asked for the first Sends of each direction, and no longer.
func TestRecognise(t *testing.T) {
	send := func(from string, n int, text string) string {
		return fmt.Sprintf("%s 4143 00000000 00000000 %08x 00000000 %q\n", from, n, text)
	}
	lines := started
	for i := range 6 {
		lines += send("c2s", i+1, fmt.Sprint("c", i))
	}
	third := &diary{mine: func(send *record.Message, payload []byte) bool { return string(payload) == "c2" }}
	third.follow(t, lines+send("s2c", 1, "s0")+"end", `
		recognise by frames
		recognise by c2s "c0"
		- message Send
		recognise by c2s "c1"
		- message Send
		recognise by c2s "c2"
		begin
		c2s Send of 2 octets: "c2"
		- message Send
		c2s Send of 2 octets: "c3"
		- message Send
		c2s Send of 2 octets: "c4"
		- message Send
		c2s Send of 2 octets: "c5"
		- message Send
		s2c Send of 2 octets: "s0"
		- message Send
		end
		- verdict "diary", 3 outstanding`)
	never := &diary{mine: func(*record.Message, []byte) bool { return false }}
	never.follow(t, lines+send("s2c", 1, "s0")+"end", `
		recognise by frames
		recognise by c2s "c0"
		- message Send
		recognise by c2s "c1"
		- message Send
		recognise by c2s "c2"
		- message Send
		recognise by c2s "c3"
		- message Send
		- message Send
		- message Send
		recognise by s2c "s0"
		- message Send
		- verdict "", 0 outstanding`)
}

// TestPayload looks at Sends of several segments: what is joined, and where that ends.
func TestPayload(t *testing.T) {
	const (
		first = "c2s 0143 00000000 00000000 00000001 00000000 616263\n"
		last  = "c2s 4143 00000000 00000000 00000001 00000003 646566\n"
	)
	for _, tc := range []struct{ name, lines, want string }{
		{"two segments", first + last, `c2s Send of 6 octets: "abcdef"`},
		{"longer than is kept", first + "c2s 0143 00000000 00000000 00000001 00000003 3031323334353637\n c2s 4143 00000000 00000000 00000001 0000000b 78\n",
			`c2s Send of 12 octets: "abc0123456"`},
		{"one segment, longer than is kept", "c2s 4143 00000000 00000000 00000001 00000000 30313233343536373839616263\n",
			`c2s Send of 13 octets: "0123456789"`},
		{"a segment is missing", first + "c2s 0143 00000000 00000000 00000001 00000003 646566\n drop\n c2s 4143 00000000 00000000 00000001 00000006 67\n",
			"gap c2s\ngap c2s\n" + `c2s Send of 4 octets: "abc"` + "\ngap s2c"},
		{"a CRC is wrong", first + "c2s badcrc 0143 00000000 00000000 00000001 00000003 646566\n c2s 4143 00000000 00000000 00000001 00000006 67\n",
			"gap c2s"},
		{"interrupted by another", first + "c2s 4143 00000000 00000000 00000002 00000000 67\n",
			`c2s Send of 3 octets: "abc"` + "\n" + `c2s Send of 1 octets: "g"`},
		{"never finished", first, `c2s Send of 3 octets: "abc"`},
	} {
		d := &diary{mine: always}
		e := dissect.NewEngine(judge.New(reader{diary: d}, judge.Options{ULPs: []*ulp.Layer{d.layer()}, MaxPayload: 10}), dissect.Options{})
		records := transcribed(t, started+tc.lines+closed)
		for i := range records {
			e.Packet(&records[i])
		}
		e.Close()
		var got []string
		for _, line := range d.lines[2:] {
			if !strings.HasPrefix(line, "-") && line != "end" {
				got = append(got, line)
			}
		}
		if d := diff.Diff(strings.Split(tc.want, "\n"), got); d != "" {
			t.Errorf("%s (-want +got):\n%s", tc.name, d)
		}
	}
}

// TestPayloadIsBounded begins long Sends on many connections and ends none.
func TestPayloadIsBounded(t *testing.T) {
	d := &longest{}
	e := dissect.NewEngine(judge.New(recordtest.Discard, judge.Options{ULPs: []*ulp.Layer{{Name: "longest", Recognise: d.recognise}}}), dissect.Options{})
	body := bytes.Repeat([]byte("x"), 60_000)
	before := heap()
	for i := range 100 {
		k := startTalk(fmt.Sprintf("10.0.0.1:%d", 1000+i), "10.0.0.2:7174")
		for mo := range 20 {
			h := rdmap.Header{Control: rdmap.Control{RV: 1, Opcode: rdmap.OpSend}}
			h.Untagged.DV, h.Untagged.MSN, h.Untagged.MO = 1, 1, uint32(mo*len(body))
			k.ulpdu(conversation.Client, h, body)
		}
		for i := range k.Records {
			e.Packet(&k.Records[i])
		}
	}
	if used := int64(heap()) - int64(before); used > 80<<20 {
		t.Errorf("%d MiB are in use", used>>20)
	}
	e.Close()
	if d.sends != 100 || d.octets != 1<<20 {
		t.Errorf("%d Sends, the longest of %d octets", d.sends, d.octets)
	}
}

// longest is an upper layer that looks for the longest payload.
type longest struct {
	ulp.Idle
	sends, octets int
}

func (l *longest) recognise(*flow.Conn, *record.Message, []byte) ulp.Follower { return l }
func (l *longest) Send(_ *record.Message, payload []byte) {
	l.sends++
	l.octets = max(l.octets, len(payload))
}

// TestAdvertise checks that an upper layer which tells of advertisements is believed: a Send alone is none.
func TestAdvertise(t *testing.T) {
	lines := started + aWrite + "c2s 4144 a1b2c301 00000000 00000001 00000000 61\n s2c 4143 00000000 00000000 00000001 00000000 61\n" + aWrite + closed
	for _, tc := range []struct {
		stag uint32 // that the upper layer tells of; 0 for nothing at all
		want bool   // use of the STag is reported
	}{{0, false}, {0xa1b2c301, false}, {0x12345678, true}} {
		d := &diary{mine: always, reports: func(r ulp.Reporter, m *record.Message) {
			if m.Dir == flow.S2C && tc.stag != 0 {
				r.Advertise(flow.C2S, tc.stag)
			}
		}}
		e := dissect.NewEngine(judge.New(reader{diary: d}, judge.Options{ULPs: []*ulp.Layer{d.layer()}}), dissect.Options{})
		records := transcribed(t, lines)
		for i := range records {
			e.Packet(&records[i])
		}
		e.Close()
		if got := strings.Contains(strings.Join(d.lines, "\n"), "stag-invalidated"); got != tc.want {
			t.Errorf("STag %#x: reported %v\n%s", tc.stag, got, strings.Join(d.lines, "\n"))
		}
	}
}
