package conform

import (
	"strings"
	"testing"

	"github.com/iwarpkit/iwarp/replay/scenario"
)

// If several of our steps are sent at once, the peer may act after the first of them. Our steps wait for all of the peer's.
func TestWaits(t *testing.T) {
	s, err := Build(ask(Case{Ask: Text(`
		> Send {echo "a"}
		> Send {echo "b"}
		< Send {echo "a"}
		< Send {echo "b"}
		> Send {quiet}`)}), somebody(scenario.Client))
	if err != nil {
		t.Fatal(err)
	}
	text := s.String()
	for _, want := range []string{"3 client after 2 Send", "4 client Send", "5 server after 3 Send", "6 server Send", "7 client after 6 Send"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in:\n%s", want, text)
		}
	}
}

// After an unexpected step both ends close, and neither waits for the other.
func TestEnds(t *testing.T) {
	script := `
		> [bad] Segment Send MSN=2 {quiet}
		< OneOf
		or Refusal send-msn to [bad]
		or Refusal send-no-buffer to [bad]
		< ends`
	s, err := Build(ask(Case{Ask: Text(script)}), somebody(scenario.Client))
	if err != nil {
		t.Fatal(err)
	}
	text := s.String()
	for _, want := range []string{"4 server after 3 OneOf", "5 server OneOf\n    or FIN", "6 client after 4 FIN"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in:\n%s", want, text)
		}
	}
	if _, err := Build(ask(Case{Ask: Text(script + " soon")}), somebody(scenario.Client)); err == nil {
		t.Error("words after ends are taken")
	}
}
