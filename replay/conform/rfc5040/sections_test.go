package rfc5040

import (
	"testing"

	"github.com/iwarpkit/iwarp/replay/conform/internal/reference"
)

func TestSections(t *testing.T) { reference.Check(t, Sections) }
