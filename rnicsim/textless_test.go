package rnicsim

import (
	"testing"

	"github.com/iwarpkit/iwarp/codec/peers"
	"github.com/iwarpkit/iwarp/internal/textless"
	"github.com/iwarpkit/iwarp/rnicsim/quirk"
)

// Whatever the texts say, quirks and transcripts stay the same.
func TestTextsDecideNothing(t *testing.T) {
	names := matching(t, "testdata/*.txt")
	outcomes := func() (all []string) {
		for _, k := range append(quirk.Named(peers.RNICs...), quirk.Quirk{}) {
			all = append(all, k.String())
			for _, name := range names {
				got, err := play(t, read(t, name), k)
				if err != nil {
					t.Fatal(err)
				}
				all = append(all, got)
			}
		}
		return all
	}
	with := outcomes()
	textless.Blank(t)
	for i, without := range outcomes() {
		if without != with[i] {
			t.Errorf("without texts it is\n%s, with them\n%s", without, with[i])
		}
	}
}
