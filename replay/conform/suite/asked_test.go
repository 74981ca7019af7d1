package suite

import (
	"strings"
	"testing"

	"github.com/iwarpkit/iwarp/codec/rfc"
	"github.com/iwarpkit/iwarp/internal/golden"
)

// askedFile says for others what becomes of each requirement that is asked, or that shows to a peer and is not: an id, the
// cases with blanks between them or "-", and why it is not asked or "-".
const askedFile = "testdata/asked.tsv"

func TestAskedFile(t *testing.T) {
	var b strings.Builder
	b.WriteString("id\tcases\twhy not\n")
	tested := asked()
	for r := range rfc.All() {
		switch cases := tested[r.ID]; {
		case len(cases) > 0:
			b.WriteString(r.ID + "\t" + strings.Join(cases, " ") + "\t-\n")
		case showsToPeer(r):
			b.WriteString(r.ID + "\t-\t" + whyUnasked(r.ID) + "\n")
		}
	}
	golden.File(t, askedFile, b.String())
}
