package rfc6581

import (
	"testing"

	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/replay/conform/internal/reference"
	"github.com/iwarpkit/iwarp/rnicsim"
)

func TestSections(t *testing.T) {
	stream := func(rev uint8, e mpa.Enhanced) reference.Config {
		return reference.Config{Stream: rnicsim.StreamConfig{Rev: rev, CRC: true, Enhanced: &e}}
	}
	reference.Check(t, Sections,
		stream(mpa.Rev2, mpa.Enhanced{A: true, B: true, C: true, D: true, IRD: 4, ORD: 4}),
		stream(mpa.Rev2, mpa.Enhanced{A: true, C: true, IRD: 16, ORD: 16}),
		stream(mpa.Rev2, mpa.Enhanced{A: true, B: true, D: true, IRD: 1, ORD: 1}),
		stream(mpa.Rev1, mpa.Enhanced{}),
	)
}
