package nvme

import (
	"encoding/binary"
	"strings"
	"testing"

	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/ulp/pending"
)

// TestNamespaces reads lists of active namespaces one after the other, each ended by a zero.
func TestNamespaces(t *testing.T) {
	long := make([]uint32, 2*maxNamespaces)
	for i := range long {
		long[i] = uint32(i + 1)
	}
	for what, tc := range map[string]struct {
		lists   [][]uint32
		managed bool
		says    string // empty if nothing is gone
	}{
		"one is gone":        {lists: [][]uint32{{1, 2, 0}, {1, 0}}, says: "Namespace 2 disappeared"},
		"all are":            {lists: [][]uint32{{5, 0}, {0}, {0}}, says: "Namespace 5 disappeared"},
		"one is added":       {lists: [][]uint32{{1, 0}, {1, 2, 0}}},
		"one comes back":     {lists: [][]uint32{{1, 2, 0}, {2, 0}, {1, 2, 0}}},
		"one of two does":    {lists: [][]uint32{{1, 2, 3, 0}, {3, 0}, {1, 3, 0}}, says: "Namespace 2 disappeared"},
		"the host's doing":   {lists: [][]uint32{{1, 2, 0}, {1, 0}}, managed: true},
		"one list is cut":    {lists: [][]uint32{{1, 2}, {1, 0}}},
		"one list is long":   {lists: [][]uint32{long, {1, 0}}},
		"there is only one":  {lists: [][]uint32{{1, 2, 0}}},
		"the second is long": {lists: [][]uint32{{1000, 0}, long}},
	} {
		n := namespaces{managed: tc.managed}
		for i, list := range tc.lists {
			var data []byte
			for _, id := range list {
				data = binary.LittleEndian.AppendUint32(data, id)
			}
			r := &pending.Request[Exchange]{Transaction: record.Transaction{Conn: &flow.Conn{}, Request: flow.At(uint64(i+1), 0)}}
			r.Detail.Opcode, r.Detail.cns = opIdentify, activeNamespaces
			n.list(r, data)
		}
		if c, ok := n.conclude(); ok != (tc.says != "") || !strings.HasPrefix(c.Says, tc.says) {
			t.Errorf("%s: %q", what, c.Says)
		}
	}
}
