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
					rows, _ := p.appendPart(nil, nil, part)
					for _, o := range rows {
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

// TestLongHeadersAreAbridged wants the first rows of a header of very many, and those that are marked.
func TestLongHeadersAreAbridged(t *testing.T) {
	all := make([]octets, 1000)
	for i := range all {
		all[i] = octets{Fields: []value{{Label: fmt.Sprint(i)}, {Label: "also"}}, Marked: i == 500 || i == 999}
	}
	for i, want := range map[int]string{127: "127", 128: "744 fields left out", 129: "500", 130: "996 fields left out", 131: "999"} {
		if got := abridged(all)[i].Fields[0].Label; got != want {
			t.Errorf("row %d is %q, want %q", i, got, want)
		}
	}
	if got := len(abridged(all)); got != 132 {
		t.Errorf("%d rows", got)
	}
	for i := range all {
		all[i].Marked = true
	}
	if got := len(abridged(all)); got != 257 {
		t.Errorf("%d rows of 1000 that are marked", got)
	}
	if got := len(abridged(all[:256])); got != 256 {
		t.Errorf("%d rows of 256", got)
	}
}
