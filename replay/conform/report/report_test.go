package report

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/iwarpkit/iwarp/replay/conform"
)

// some returns a Report with each verdict, about a peer that has sent everything that it can.
func some(hostile string) *conform.Report {
	no := func(*conform.Setup) []string { return nil }
	sections := []conform.Section{
		{Document: "RFC5041", Number: "7.1", Title: "validation", Cases: func() []conform.Case {
			return []conform.Case{
				{Name: "msn-left-out", Requirements: []string{"DDP-7.1-5"}, Says: "The MSN is that of the next message.", Ask: no},
				{Name: "mo-outside", Requirements: []string{"DDP-7.1-3"}, Says: "The MO lies in the buffer.", Ask: no},
				{Name: "qn", Requirements: []string{"DDP-7.1-1"}, Says: "The QN is valid.", Ask: no},
			}
		}},
		{Document: "RFC7306", Number: "5.1.1", Title: "FetchAdd", Cases: func() []conform.Case {
			return []conform.Case{
				{Name: "zero", Requirements: []string{"RDMAPX-5-3"}, Says: "A FetchAdd is answered.", Ask: no},
				{Name: "one", Requirements: []string{"RDMAPX-5-3"}, Says: "A FetchAdd adds.", Ask: no},
				{Name: "two", Requirements: []string{"RDMAPX-5-3"}, Says: "A FetchAdd adds twice.", Ask: no},
				{Name: "three", Requirements: []string{"RDMAPX-5-3"}, Says: "A FetchAdd adds thrice.", Ask: no},
			}
		}},
	}
	r := &conform.Report{Peer: conform.Peer{Enhanced: true, IRD: 4, ORD: 2}, Profile: "rfc", Seed: 7, Took: 1500 * time.Millisecond}
	for _, q := range conform.Questions(sections) {
		r.Results = append(r.Results, conform.Result{Question: q, Verdict: conform.Pass, Took: time.Millisecond})
	}
	put := func(i int, v conform.Verdict, detail string) *conform.Result {
		each := &r.Results[i]
		each.Verdict, each.Detail = v, detail+hostile
		return each
	}
	put(1, conform.Accepted, "siw does it so")
	failed := put(2, conform.Fail, "it answers nothing")
	failed.Conn, failed.Expected, failed.Actual = "c0", "Refusal qn-undefined to 3"+hostile, "it answers nothing"+hostile
	put(3, conform.Unsupported, "the peer does not support Atomic Operations")
	put(4, conform.NotRun, "interrupted")
	put(5, conform.Error, "a fault")
	put(6, conform.Fail, "known").Known = "cxgb4 does it so"
	r.Results[0].Newly = "it counted otherwise"
	return r
}

func Example() {
	WriteText(os.Stdout, some(""), TextOptions{})
	// Output:
	// The peer is a Responder of MPA revision 2, IRD 4, ORD 2.
	//
	// RFC 5041, Direct Data Placement over Reliable Transports
	//   7.1     validation                                          1 pass  1 accepted  1 fail
	//     pass        RFC5041/7.1/msn-left-out
	//         Newly passing expected to fail: it counted otherwise
	//     accepted    RFC5041/7.1/mo-outside
	//         Because      siw does it so
	//     FAIL        RFC5041/7.1/qn
	//         Says         The QN is valid.
	//         Requirement  DDP-7.1-1 (RFC 5041, section 7.1, MUST): In an untagged segment with payload, the QN must be valid for the stream.
	//         Connection   c0
	//         Expected     Refusal qn-undefined to 3
	//         Actual       it answers nothing
	//
	// RFC 7306, Remote Direct Memory Access (RDMA) Protocol Extensions
	//   5.1.1   FetchAdd                                            1 not run  1 fail  1 unsupported  1 error
	//     ERROR       RFC7306/5.1.1/two
	//         Says         A FetchAdd adds twice.
	//         Requirement  RDMAPX-5-3 (RFC 7306, section 5, MUST): An RNIC supporting Atomics must implement both FetchAdd and CmpSwap.
	//         Error        a fault
	//     known fail  RFC7306/5.1.1/three
	//         Says         A FetchAdd adds thrice.
	//         Requirement  RDMAPX-5-3 (RFC 7306, section 5, MUST): An RNIC supporting Atomics must implement both FetchAdd and CmpSwap.
	//         Known        cxgb4 does it so
	//
	// Unsupported
	//        1  the peer does not support Atomic Operations
	//
	// Not run
	//        1  interrupted
	//
	// 7 cases: 1 passed, 1 accepted, 2 failed (1 of them as expected), 1 unsupported, 1 not run, errors: 1, 1 newly passing; 1.5 seconds, profile rfc, seed 7
}

// hostile is what a peer could want to get into a document.
const hostile = "\x1b[31m\x00\xff]]></failure><script>alert(1)</script>\u202e\ufffe\""

func TestWriteJSON(t *testing.T) {
	var b bytes.Buffer
	if err := WriteJSON(&b, some(hostile)); err != nil {
		t.Fatal(err)
	}
	var d document
	if err := json.Unmarshal(b.Bytes(), &d); err != nil {
		t.Fatal(err)
	}
	if e := d.Cases[2]; d.Schema != Schema || len(d.Cases) != 7 || e.ID != "RFC5041/7.1/qn" || e.Verdict != "fail" || d.Summary.Fail != 2 || e.Seconds != 0.001 {
		t.Errorf("%+v", d)
	}
	harmless(t, b.String())
}

func TestWriteListJSON(t *testing.T) {
	section := conform.Section{Document: "RFC6581", Number: "5", Cases: func() []conform.Case {
		return []conform.Case{
			{Name: "rtr", Requirements: []string{"EMPA-5-1"}, Says: "It <is> sent.", Role: conform.AsResponder, Need: conform.Enhanced | conform.Markers, For: "some", Crasher: true},
			{Name: "none"},
		}
	}}
	const want = `{"schema":"iwarp.conform-list/1","cases":[` +
		`{"id":"RFC6581/5/rtr","says":"It <is> sent.","requirements":["EMPA-5-1"],"service":"conform","role":"responder","needs":["MPA revision 2","Markers"],"for":"some","crasher":true},` +
		`{"id":"RFC6581/5/none","says":"","requirements":[],"service":"conform","role":"both","needs":[],"for":"","crasher":false}]}`
	var b, got bytes.Buffer
	if err := WriteListJSON(&b, conform.Questions([]conform.Section{section})); err != nil {
		t.Fatal(err)
	}
	if err := json.Compact(&got, b.Bytes()); err != nil || got.String() != want {
		t.Errorf("%v\n%s, want\n%s", err, &got, want)
	}
}

// A peer with many features is described in lines of a usual width.
func TestPeerIsFolded(t *testing.T) {
	r := some("")
	r.Peer.Offer.Features = 0xff
	var b bytes.Buffer
	WriteText(&b, r, TextOptions{})
	paragraph, _, _ := strings.Cut(b.String(), "\n\n")
	for line := range strings.Lines(paragraph) {
		if len(line) > width+1 || !strings.HasSuffix(paragraph, ".") {
			t.Error(line)
		}
	}
}

func TestWriteJUnit(t *testing.T) {
	var b bytes.Buffer
	if err := WriteJUnit(&b, some(hostile)); err != nil {
		t.Fatal(err)
	}
	harmless(t, b.String())
	if !strings.Contains(b.String(), "<system-out>expected to fail: it counted otherwise</system-out>") {
		t.Error("what did not fail as was expected is not told")
	}
	if !strings.Contains(b.String(), `<testsuites name="iwarp conform" tests="7" failures="1" errors="1" skipped="3">`) {
		t.Error(b.String())
	}
	for d := xml.NewDecoder(&b); ; {
		if _, err := d.Token(); err == io.EOF {
			return
		} else if err != nil {
			t.Fatal(err)
		}
	}
}

func TestWriteHTML(t *testing.T) {
	var b bytes.Buffer
	if err := WriteHTML(&b, some(hostile), "peer "+hostile); err != nil {
		t.Fatal(err)
	}
	harmless(t, b.String())
	for _, want := range []string{"RFC5041/7.1/qn", "DDP-7.1-1", "RFC 5041, section 7.1", "known fail", "1 passed", "expected to fail: it counted otherwise"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("%q is missing", want)
		}
	}
	if strings.Contains(b.String(), "<script") {
		t.Error("a script came in")
	}
}

func TestWriteTextHostile(t *testing.T) {
	var b bytes.Buffer
	if err := WriteText(&b, some(hostile), TextOptions{All: true}); err != nil {
		t.Fatal(err)
	}
	harmless(t, b.String())
}

// harmless looks for octets that steer a terminal.
func harmless(t *testing.T, s string) {
	t.Helper()
	if strings.ContainsAny(s, "\x1b\x00\u202e") {
		t.Error("octets of the peer came through")
	}
}
