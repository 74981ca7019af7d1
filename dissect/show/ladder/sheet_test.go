package ladder

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/show"
	"github.com/iwarpkit/iwarp/dissect/show/text"
)

// TestLongNames wants the end of the name of a file that does not fit, and all numbers, also where nothing is named.
func TestLongNames(t *testing.T) {
	for name, want := range map[string]string{
		"short.pcap":                    "short.pcap:7-123456",
		"a-name-of-23-characters":       "...haracters:7-123456",
		strings.Repeat("ä", 200) + ".p": "..." + strings.Repeat("ä", 7) + ".p:7-123456",
	} {
		s := sheet{frames: func(frame uint64) (string, uint64) { return name, frame }, column: framesWidth + fileWidth}
		got := string(s.appendFrames([]byte("| "), &flow.Span{Frame: 7, LastFrame: 123456}))
		if got != "| "+want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
	s := sheet{column: 3}
	if got := string(s.appendFrames(nil, &flow.Span{Frame: 1234567, LastFrame: 1234567})); got != "1234567" {
		t.Errorf("got %q", got)
	}
}

// TestRowsOfFiles wants a row where another file begins, if names are long, and numbers alone beside the arrows.
func TestRowsOfFiles(t *testing.T) {
	inTwo := func(frame uint64) (string, uint64) {
		if frame > 10 {
			return "the-second-capture.pcap", frame - 10
		}
		return "the-first-capture.pcap", frame
	}
	s := newSheet(&Options{Width: 80, Clock: &show.Clock{}}, inTwo, &flow.Span{Frame: 3})
	var got []string
	for _, at := range []flow.Span{{Frame: 3, LastFrame: 3}, {Frame: 4, LastFrame: 9}, {Frame: 9, LastFrame: 12}, {Frame: 11, LastFrame: 12}, {}} {
		row := s.appendText(s.appendFile(nil, &at), &at, text.Style{}, []byte("words"))
		for line := range strings.Lines(string(row)) {
			got = append(got, strings.Join(strings.Fields(strings.ReplaceAll(line, "|", "")), " "))
		}
	}
	for _, test := range []struct {
		row, frame uint64
		want       string
	}{{12, 11, "frame 1"}, {12, 3, "frame the-first-capture.pcap:3"}} {
		if got := s.beside(test.row, test.frame).Text(flow.At(test.frame, 0)); got != test.want {
			t.Errorf("beside frame %d: %s, want %s", test.row, got, test.want)
		}
	}
	want := []string{
		"frames of the-first-capture.pcap", "3 words", "4-9 words", "9-... words", "frames of the-second-capture.pcap", "1-2 words", "words",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
}
