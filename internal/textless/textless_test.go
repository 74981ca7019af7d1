package textless_test

import (
	"fmt"
	"testing"

	"github.com/iwarpkit/iwarp/codec/peers"
	"github.com/iwarpkit/iwarp/codec/rfc"
	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/internal/textless"
)

func TestBlank(t *testing.T) {
	words := func() string {
		siw := &peers.SIW
		return fmt.Sprintln(rules.RuleFPDUPad.Text, rules.RuleMPARev.Lighter, rules.WriteAccess.Text(), rules.ReadSTag,
			rules.Situations[rules.MPAFrame].RFC.Note, siw.Name, siw.Title, siw.Answers[rules.ReadLong].Note, siw.Deviations[0].Why,
			rfc.Lookup("DDP-5.3-4").Text, rules.RuleFPDUPad.ID())
	}
	before := words()
	t.Run("while it lasts", func(t *testing.T) {
		if n := textless.Blank(t); n < 2000 {
			t.Errorf("only %d texts", n)
		}
		if got := words(); got != "x x x read-stag x siw x x x x MPA-4.1-3\n" {
			t.Error(got)
		}
	})
	if got := words(); got != before {
		t.Errorf("%s, before %s", got, before)
	}
}

func ExampleBlank() {
	var t testing.T // the one that a test is given
	textless.Blank(&t)
	fmt.Println(rules.WriteSTag, rules.WriteSTag.Text())
	// Output: write-stag x
}
