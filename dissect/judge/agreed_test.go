package judge_test

import (
	"errors"
	"io"
	"testing"

	"github.com/iwarpkit/iwarp/pcaps"
)

// TestAgreedLate has a capture without some of the Private Data in the MPA Reply: what was agreed on is known after the first FPDUs. The client has
// asked for Markers, and the server sends none; that is the error, and not that there are some. internal/adversary has drawn it.
func TestAgreedLate(t *testing.T) {
	c, err := pcaps.Open("testdata/agreed-late.pcap.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	f := &finder{}
	e := f.engine("", nil)
	var r pcaps.Record
	for err = c.Next(&r); err == nil; err = c.Next(&r) {
		e.Packet(&r)
	}
	if !errors.Is(err, io.EOF) {
		t.Fatal(err)
	}
	e.Close()
	found := make(map[string]int)
	for i := range f.findings {
		found[f.findings[i].Name]++
	}
	if found["fpdu-marker"] == 0 || found["marker-unasked"] > 0 {
		t.Errorf("%v", found)
	}
}
