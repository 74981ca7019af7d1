package outcome_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/internal/golden"
	"github.com/iwarpkit/iwarp/replay/outcome"
	"github.com/iwarpkit/iwarp/replay/scenario"
)

const text = `scenario "all verdicts"
connection c0
  1 client MPARequest C Rev=1
  2 server frame 7 after 1 MPAReply C Rev=1
  3 client after 2 Send "ping"
  4 server after 3 Send "pong"
  5 server ReadRequest SinkSTag=0x100 RDMARDSZ=64 SrcSTag=0x200
  6 client after 5 ReadResponse to 5 00*64
  7 server FIN
  8 client FIN
`

// hostile is text that must not get into documents as it is.
const hostile = "\x1b[2J\u202e]]>\x00\xff<a&b>\u0085\n\""

// report has every verdict.
func report(t testing.TB) *outcome.Report {
	t.Helper()
	s, err := scenario.Parse("test", text)
	if err != nil {
		t.Fatal(err)
	}
	verdicts := []outcome.Step{
		{Verdict: outcome.Sent},
		{Verdict: outcome.Exact, At: time.Millisecond},
		{Verdict: outcome.Sent, At: 2 * time.Millisecond},
		{Verdict: outcome.Mismatched, At: 1500 * time.Microsecond, Reason: "the payload differs at octet 1", Diff: &outcome.Diff{
			Layer: outcome.ULPDU, Expected: send(1), Actual: send(2),
			Want: outcome.NewExcerpt([]byte("pong"), []bool{false, false, true, false}, 1, 4),
			Got:  outcome.NewExcerpt([]byte("p\x1b[2"), nil, 1, 4),
		}},
		{Verdict: outcome.Accepted, Reason: "in another order", At: time.Second},
		{Verdict: outcome.NotSent, Reason: "the connection was over"},
		{Verdict: outcome.NotReached, Reason: hostile},
		{Verdict: outcome.NotSent},
		{Verdict: outcome.Mismatched, Reason: "a Write is unexpected", At: 3 * time.Second},
	}
	c := &outcome.Conn{
		Name: "c0", Client: netip.MustParseAddrPort("192.0.2.1:49152"), Server: netip.MustParseAddrPort("[2001:db8::2]:7174"),
		Negotiated: &outcome.Negotiated{Rev: 1, CRC: true, MarkersReceived: true}, Steps: verdicts, End: hostile,
	}
	for i, step := range s.Conns[0].Steps {
		c.Steps[i].Expected = step
	}
	other := &outcome.Conn{Name: hostile, NotApplicable: "it has no MPA", Role: scenario.Server}
	return &outcome.Report{Title: hostile, Conns: []*outcome.Conn{c, other}}
}

// send returns the headers of a Send.
func send(msn uint32) []byte {
	h := rdmap.Header{Control: rdmap.Control{RV: 1, Opcode: rdmap.OpSend}}
	h.Untagged.L, h.Untagged.DV, h.Untagged.MSN = true, 1, msn
	b, _ := h.AppendBinary(nil)
	return b
}

func TestSummary(t *testing.T) {
	r := report(t)
	want := outcome.Summary{
		Connections: 2, Steps: 6, Exact: 1, Accepted: 1, Mismatched: 2, NotReached: 1, NotApplicable: 1, Sent: 2, NotSent: 2,
	}
	if s := r.Summary(); s != want || s.Passed() {
		t.Errorf("%+v", s)
	}
	if s := r.Conns[1].Summary(); s.Passed() {
		t.Errorf("%+v passes, although nothing was played", s)
	}
	played := outcome.Conn{Steps: []outcome.Step{{Verdict: outcome.Exact}}}
	if s := played.Summary(); !s.Passed() {
		t.Errorf("%+v is not a pass", s)
	}
	if first := r.Conns[0].First(); first != &r.Conns[0].Steps[3] {
		t.Errorf("the first mismatch is %+v", first)
	}
	if first := r.Conns[1].First(); first != nil {
		t.Errorf("the first mismatch is %+v", first)
	}
}

// TestGolden checks what is written in each format, and that nothing hostile is in it.
func TestGolden(t *testing.T) {
	paint := func(v outcome.Verdict, word string) string { return "<" + v.String() + "|" + word + ">" }
	for name, write := range map[string]func(io.Writer, *outcome.Report) error{
		"short.txt": func(w io.Writer, r *outcome.Report) error {
			return outcome.WriteText(w, r, outcome.TextOptions{})
		},
		"all.txt": func(w io.Writer, r *outcome.Report) error {
			return outcome.WriteText(w, r, outcome.TextOptions{All: true, Diffs: true, Paint: paint})
		},
		"outcome.json": outcome.WriteJSON,
		"junit.xml":    outcome.WriteJUnit,
	} {
		t.Run(name, func(t *testing.T) {
			var b bytes.Buffer
			if err := write(&b, report(t)); err != nil {
				t.Fatal(err)
			}
			harmless(t, b.String())
			golden.File(t, "testdata/"+name, b.String())
		})
	}
}

// harmless fails if a text contains what could control a terminal.
func harmless(t *testing.T, s string) {
	t.Helper()
	for _, r := range s {
		if r != '\n' && !unicode.IsPrint(r) || r == unicode.ReplacementChar {
			t.Errorf("there is %q in it", r)
		}
	}
}

func TestJSONIsValid(t *testing.T) {
	var b bytes.Buffer
	if err := outcome.WriteJSON(&b, report(t)); err != nil {
		t.Fatal(err)
	}
	var document struct {
		Schema      string
		Connections []struct{ Steps []struct{ Verdict string } }
		Summary     outcome.Summary
	}
	if err := json.Unmarshal(b.Bytes(), &document); err != nil {
		t.Fatal(err)
	}
	if document.Schema != outcome.Schema || len(document.Connections[0].Steps) != 9 || document.Summary != report(t).Summary() {
		t.Errorf("%+v", document)
	}
}

func TestJUnitIsValid(t *testing.T) {
	var b bytes.Buffer
	if err := outcome.WriteJUnit(&b, report(t)); err != nil {
		t.Fatal(err)
	}
	d := xml.NewDecoder(&b)
	d.Strict = true
	failures := 0
	for {
		token, err := d.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		e, ok := token.(xml.StartElement)
		if !ok || e.Name.Local != "failure" && e.Name.Local != "skipped" {
			continue
		}
		if e.Attr[0].Name.Local != "message" || e.Attr[0].Value == "" {
			t.Errorf("%s has no message", e.Name.Local)
		}
		if e.Name.Local == "failure" {
			failures++
		}
	}
	if failures != 3 {
		t.Errorf("%d failures", failures)
	}
}

// failing is a Writer that fails.
type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

func TestErrorsOfTheWriter(t *testing.T) {
	r := report(t)
	for name, err := range map[string]error{
		"text":  outcome.WriteText(failing{}, r, outcome.TextOptions{}),
		"JSON":  outcome.WriteJSON(failing{}, r),
		"JUnit": outcome.WriteJUnit(failing{}, r),
	} {
		if err != io.ErrClosedPipe {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestExcerpt(t *testing.T) {
	payload := bytes.Repeat([]byte{0xab}, 1000)
	for _, c := range []struct{ at, from, octets int }{
		{0, 0, 64}, {16, 0, 64}, {40, 16, 64}, {999, 976, 24}, {5000, 992, 8},
	} {
		if e := outcome.NewExcerpt(payload, nil, c.at, 1000); e.From != c.from || len(e.Octets) != c.octets {
			t.Errorf("about %d: from %d, %d octets", c.at, e.From, len(e.Octets))
		}
	}
	e := outcome.NewExcerpt([]byte{1, 2, 3, 4, 5}, []bool{false, true, false, false, false}, 0, 5)
	if s := e.String(); s != "01??0304 05" {
		t.Error(s)
	}
}

// TestFields compares headers with different fields.
func TestFields(t *testing.T) {
	tagged := rdmap.Header{T: true, Control: rdmap.Control{RV: 1}}
	tagged.Tagged.STag = 7
	write, err := tagged.AppendBinary(nil)
	if err != nil {
		t.Fatal(err)
	}
	d := outcome.Diff{Layer: outcome.ULPDU, Expected: send(1), Actual: write}
	var names []string
	for _, f := range d.Fields() {
		if f.Differs {
			names = append(names, f.Header+" "+f.Name+" "+f.Expected+"/"+f.Actual)
		}
	}
	got := strings.Join(names, "\n")
	for _, want := range []string{"DDP untagged header MSN 1/", "DDP tagged header STag /0x00000007", "RDMAP control field Opcode 0x3 Send/0x0 Write"} {
		if !strings.Contains(got, want) {
			t.Errorf("%s is not there:\n%s", want, got)
		}
	}
}

// TestUpperFields compares a Call of NFSv3 NULL with one of GETATTR.
func TestUpperFields(t *testing.T) {
	call := func(procedure byte) []byte {
		b := make([]byte, 17*4)
		for at, v := range map[int]byte{3: 7, 7: 1, 11: 32, 31: 7, 39: 2, 47: 3, 51: procedure} {
			b[at] = v
		}
		copy(b[40:], "\x00\x01\x86\xa3")
		return b
	}
	d := outcome.Diff{Layer: outcome.ULPDU, Expected: send(1), Actual: send(1), ExpectedSend: call(0), ActualSend: call(1)}
	var differs []string
	fields := d.Upper()
	for _, f := range fields {
		if f.Differs {
			differs = append(differs, fmt.Sprintf("%s at %d:%d: %s, not %s", f.Filter, f.Offset, f.Length, f.Actual, f.Expected))
		}
	}
	if want := []string{"rpc.procedure at 48:4: 1 GETATTR, not 0 NULL"}; !slices.Equal(differs, want) {
		t.Errorf("%q, want %q", differs, want)
	}
	if all := d.Fields(); len(all) <= len(fields) || fields[0].Filter != "rpcordma.xid" {
		t.Errorf("%d of %d fields are of the upper layer, the first is %+v", len(fields), len(all), fields[0])
	}
}
