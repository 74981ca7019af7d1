package rfc5044

import (
	"testing"

	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/replay/conform/internal/reference"
	"github.com/iwarpkit/iwarp/rnicsim"
)

func TestSections(t *testing.T) {
	stream := func(s rnicsim.StreamConfig) reference.Config {
		s.Enhanced = &mpa.Enhanced{IRD: 16, ORD: 16}
		return reference.Config{Stream: s}
	}
	reference.Check(t, Sections,
		stream(rnicsim.StreamConfig{Rev: mpa.Rev2, CRC: true, Markers: true}),
		stream(rnicsim.StreamConfig{Rev: mpa.Rev2}),
		stream(rnicsim.StreamConfig{Rev: mpa.Rev1, CRC: true, Permissive: true}),
	)
}
