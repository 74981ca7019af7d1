package rules

import (
	"testing"

	"github.com/iwarpkit/iwarp/codec/rdmap"
)

// Each message that is only a header has rules about its length.
func TestHeadersHaveRulesAboutTheirLength(t *testing.T) {
	for op := range rdmap.Opcodes() {
		if op.RDMAPHeaderLen() > 0 && !op.HasTail() && (lengthRule(op, true) == nil || lengthRule(op, false) == nil) {
			t.Errorf("%v has an RDMAP header: add a rule about its length to lengthRule in control.go", op)
		}
	}
}
