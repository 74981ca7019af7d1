package page

import (
	"fmt"
	"strings"
	"testing"

	"github.com/iwarpkit/iwarp/dissect"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/pcaps/samples"
)

// TestOctetsAreWhole lays out every message of a capture: the octets of a part are all shown, each once, though fields share them.
func TestOctetsAreWhole(t *testing.T) {
	capture, err := samples.Open("term-write-badkey.pcap")
	if err != nil {
		t.Fatal(err)
	}
	p, parts := New(Options{}), 0
	sink := record.SinkFunc(func(r *record.Record) {
		for _, b := range bodies(r, &record.Finding{Origin: r.Origin}) {
			for _, l := range p.view.Lay(b) {
				for i := range l.Parts {
					part := &l.Parts[i]
					var shown []string
					for _, o := range appendPart(nil, part) {
						shown = append(shown, o.Hex)
					}
					if got, want := strings.Join(shown, " "), fmt.Sprintf("% x", part.Octets); part.Omit == nil && len(part.Octets) <= 32 && got != want {
						t.Errorf("frame %d: %s: %s, want %s", r.Frame, part.Title(), got, want)
					}
					parts++
				}
			}
		}
	})
	if err := dissect.NewEngine(sink, dissect.Options{}).Run(t.Context(), capture); err != nil || parts < 20 {
		t.Fatal(parts, err)
	}
}
