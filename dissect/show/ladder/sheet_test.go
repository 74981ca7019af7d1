package ladder

import (
	"strings"
	"testing"

	"github.com/iwarpkit/iwarp/dissect/flow"
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
