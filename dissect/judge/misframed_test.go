package judge_test

// Octets that are left out or sent twice, where no CRC shows it.

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/internal/transcript"
)

// misframe is a stream without CRCs, in which the third of six Sends is changed.
func misframe(t *testing.T, change func(fpdu []byte) []byte) *transcript.Transcript {
	t.Helper()
	var b strings.Builder
	b.WriteString("c2s hex \"MPA ID Req Frame\" 00 01 0000\ns2c hex \"MPA ID Rep Frame\" 00 01 0000\n")
	for msn := range 6 {
		fpdu := fmt.Appendf(nil, "\x00\x3a\x41\x43\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00%c\x00\x00\x00\x00%040d\x00\x00\x00\x00", msn+1, msn)
		if msn == 2 {
			fpdu = change(fpdu)
		}
		fmt.Fprintf(&b, "c2s hex %x\ns2c 4143 00000000 00000000 %08x 00000000 %040x\n", fpdu, msn+1, msn)
	}
	b.WriteString("c2s fin\ns2c fin\nend\n")
	s, err := transcript.Parse("misframed", b.String())
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestMisframed leaves out one to five octets anywhere in an FPDU, or sends them twice: an error says so, and the next FPDUs are found.
func TestMisframed(t *testing.T) {
	for at := range 64 {
		for n := 1; n <= min(5, 64-at); n++ {
			for what, change := range map[string]func([]byte) []byte{
				"left out":   func(b []byte) []byte { return slices.Delete(b, at, at+n) },
				"sent twice": func(b []byte) []byte { return slices.Insert(b, at, slices.Clone(b[at:at+n])...) },
			} {
				f := analyse(misframe(t, change).Records, "rfc", nil)
				if !slices.ContainsFunc(f.findings, func(one record.Finding) bool { return one.Severity == rules.Error && one.Frame >= 10 }) {
					t.Errorf("%d octets at %d %s: %v", n, at, what, f.count())
				}
			}
		}
	}
}
