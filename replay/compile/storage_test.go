package compile_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/iwarpkit/iwarp/replay/internal/captures"
	"github.com/iwarpkit/iwarp/replay/scenario"
)

// TestStorage checks captures of upper layers that advertise memory in capsules of their own: every STag that a side uses
// is learned where the other side advertised it, in the byte order of the upper layer or as the sink of a Read, and nothing
// else is mistaken for one.
func TestStorage(t *testing.T) {
	order := map[string]string{"nvme": "le", "smbdirect": "le", "iser": "be"}
	seen := make(map[string]bool)
	for _, name := range captures.All(t) {
		for layer, encoding := range order {
			if !strings.HasPrefix(filepath.Base(name), layer) {
				continue
			}
			seen[layer] = true
			s, report := compiled(t, name)
			for i, c := range report.Conns {
				if len(c.Unexplained) > 0 {
					t.Errorf("%s, %s: %v", name, c.Name, c.Unexplained)
				}
				for _, v := range c.Vars {
					if v.Uses == 0 || !strings.HasPrefix(v.Where, "Sink") && !strings.Contains(v.Where, encoding) {
						t.Errorf("%s, %s: %s is used %d times, and told in %s", name, c.Name, v.Var.Name, v.Uses, v.Where)
					}
				}
				if n := used(s.Conns[i]); n == 0 && len(c.Vars) > 0 {
					t.Errorf("%s, %s: no STag is used", name, c.Name)
				}
			}
		}
	}
	if len(seen) != len(order) {
		t.Errorf("only %v", seen)
	}
}

// used counts the headers that have a variable for an STag.
func used(c *scenario.Conn) (n int) {
	for _, s := range c.Steps {
		m, ok := s.Do.(*scenario.Message)
		if !ok {
			continue
		}
		for _, f := range m.Fields {
			if strings.HasSuffix(f.Name, "STag") && f.Value.Var != "" {
				n++
			}
		}
	}
	return n
}
