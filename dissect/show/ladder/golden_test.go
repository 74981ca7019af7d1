package ladder_test

// Ladders of captures from Linux kernels.

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/iwarpkit/iwarp/dissect/show/ladder"
	"github.com/iwarpkit/iwarp/internal/golden"
	"github.com/iwarpkit/iwarp/internal/recorded"
)

func TestGolden(t *testing.T) {
	for _, test := range []struct {
		name, sample string
		last         uint64
		options      ladder.Options
	}{
		{name: "rping", sample: "rping"},
		{name: "rping-all", sample: "rping", options: ladder.Options{All: true, Width: 120}},
		{name: "term-read-badkey", sample: "term-read-badkey"},
		{name: "term-send-nobuf", sample: "term-send-nobuf"},
		{name: "nfs", sample: "nfs-small-v4.1-inl4096-crc1", options: ladder.Options{Width: 100}, last: 152},
		{name: "reject-pd32", sample: "reject-pd32"},
		{name: "refused", sample: "refused"},
		{name: "netem-lossy", sample: "netem-lossy"},
		{name: "peer-to-peer", sample: "p2p-crc"},
		{name: "reads", sample: "perf-ib_read_bw-4096-o16", options: ladder.Options{Conn: 1, Unicode: true}},
	} {
		t.Run(test.name, func(t *testing.T) {
			var b strings.Builder
			l := ladder.New(&b, test.options)
			recorded.Analyse(t, test.sample, test.last, l)
			if err := l.Flush(); err != nil {
				t.Fatal(err)
			}
			golden.File(t, filepath.Join("testdata", test.name+".txt"), b.String())
			fits(t, b.String(), max(80, test.options.Width))
		})
	}
}
