package fuzz

// Hostile capture files that are copied: package pcaps.

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/iwarpkit/iwarp/pcaps"
)

// FuzzCaptureCopy copies any octets that can be read as a capture file. The copy can be read to its end, and has the
// same packets as the original, with one more comment on each.
func FuzzCaptureCopy(f *testing.F) {
	for _, seed := range captureSeeds(f) {
		f.Add(seed)
	}
	reader, again := new(pcaps.Reader), new(pcaps.Reader)
	f.Fuzz(func(t *testing.T, file []byte) {
		if uncompressesTo(file) > maxUncompressed {
			t.Skip("it is a gzip bomb")
		}
		var out bytes.Buffer
		c, err := pcaps.NewCopy(&out, "fuzzed", bytes.NewReader(file))
		if err != nil {
			t.Skip(err)
		}
		const comment = "a comment"
		full := map[uint64]bool{}
		var rec pcaps.Record
		for c.Next(&rec) == nil {
			full[rec.Frame] = c.Comment(comment) != nil
		}
		if err := c.Close(); err != nil {
			t.Fatal(err)
		}
		want, _ := readCapture(t, reader, bytes.NewReader(file))
		for i := range want {
			want[i].Offset = 0
			if !full[want[i].Frame] {
				want[i].Comments = append(want[i].Comments, comment)
			}
		}
		got, err := readCapture(t, again, &out)
		if err != nil {
			t.Fatalf("the copy cannot be read: %v", err)
		}
		for i := range got {
			got[i].Offset = 0
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("packets (-original +copy)\n%s", d)
		}
	})
}
