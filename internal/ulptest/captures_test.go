package ulptest_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/iwarpkit/iwarp/dissect/ulp"
	"github.com/iwarpkit/iwarp/dissect/ulp/iser"
	"github.com/iwarpkit/iwarp/dissect/ulp/nvme"
	"github.com/iwarpkit/iwarp/dissect/ulp/smbdirect"
	"github.com/iwarpkit/iwarp/internal/ulptest"
)

// TestRecognise offers every capture of the repository to each upper layer alone: it recognises its own, and no other.
func TestRecognise(t *testing.T) {
	own := map[string]*ulp.Layer{
		"nvme-rdma": nvme.Layer, "nvme-rdma-start": nvme.Layer, "iser": iser.Layer, "iser-start": iser.Layer,
		"smbdirect": smbdirect.Layer,
	}
	files, seen := 0, 0
	for _, pattern := range []string{"../../dissect/testdata/captures/*.pcap*", "../../pcaps/samples/*.pcap*"} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range found {
			files++
			name, _, _ := strings.Cut(filepath.Base(file), ".pcap")
			if own[name] != nil {
				seen++
			}
			for _, l := range []*ulp.Layer{nvme.Layer, iser.Layer, smbdirect.Layer} {
				var r ulptest.Recorder
				r.Run(t, file, l)
				for i := range r.Verdicts {
					if recognised := r.Verdicts[i].ULP != ""; recognised != (own[name] == l) {
						t.Errorf("%s, connection %d: recognised by %s: %v", name, i, l.Name, recognised)
					}
				}
			}
		}
	}
	if files < 60 || seen != len(own) {
		t.Errorf("%d captures, %d of these upper layers", files, seen)
	}
}
