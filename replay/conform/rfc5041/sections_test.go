package rfc5041

import (
	"testing"

	"go.uber.org/goleak"

	"github.com/iwarpkit/iwarp/replay/conform/internal/reference"
)

func TestSections(t *testing.T) {
	defer goleak.VerifyNone(t)
	reference.Check(t, Sections)
}
