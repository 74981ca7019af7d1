package recorded

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/show"
	"github.com/iwarpkit/iwarp/dissect/show/csv"
	"github.com/iwarpkit/iwarp/dissect/show/jsonl"
	"github.com/iwarpkit/iwarp/dissect/show/text"
	"github.com/iwarpkit/iwarp/dissect/show/tree"
	"github.com/iwarpkit/iwarp/pcaps/samples"
)

// Records become known in the order in which they come, and no sooner than the frames that they are about.
func TestKnown(t *testing.T) {
	late := 0
	for _, sample := range samples.Names() {
		known := uint64(0)
		Analyse(t, sample, 500, record.SinkFunc(func(r *record.Record) {
			if r.Known < known || r.Known < r.LastFrame {
				t.Errorf("%s: %v of frames %d-%d is known with frame %d, after one that is known with %d", sample, r.Kind, r.Frame, r.LastFrame, r.Known, known)
			}
			if known = r.Known; r.Kind == record.KindLate && known > r.LastFrame {
				late++
			}
		}))
	}
	if late == 0 {
		t.Error("nothing became known later")
	}
}

// TestClonesLast prints the Records of samples as they come, and their clones at the end.
func TestClonesLast(t *testing.T) {
	type printer interface {
		record.Sink
		Flush() error
	}
	for name, output := range map[string]func(*strings.Builder) printer{
		"text":         func(b *strings.Builder) printer { return text.New(b, text.Options{}) },
		"transactions": func(b *strings.Builder) printer { return text.New(b, text.Options{View: show.Transactions}) },
		"RPCs":         func(b *strings.Builder) printer { return jsonl.New(b, jsonl.Options{View: show.RPCs}) },
		"csv":          func(b *strings.Builder) printer { return csv.New(b, csv.Options{}) },
		"tree":         func(b *strings.Builder) printer { return tree.New(b, tree.Options{}) },
	} {
		for _, sample := range []string{"rping", "smbdirect", "term-read-badkey", "nfs-small-v4.1-inl4096-crc1", "netem-lossy"} {
			var want, got strings.Builder
			first, second := output(&want), output(&got)
			var all []*record.Record
			Analyse(t, sample, 0, record.SinkFunc(func(r *record.Record) {
				first.Record(r)
				all = append(all, r.Clone())
			}))
			for _, r := range all {
				second.Record(r)
			}
			first.Flush()
			second.Flush()
			if want.String() != got.String() {
				d := cmp.Diff(strings.Split(want.String(), "\n"), strings.Split(got.String(), "\n"))
				t.Errorf("%s of %s: (-Records +clones)\n%s", name, sample, d)
			}
		}
	}
}

// TestJSON writes the Records of all samples, and of one over SCTP, in JSON and reads them again.
func TestJSON(t *testing.T) {
	n, options := 0, cmp.Options{
		cmp.Exporter(func(reflect.Type) bool { return true }),
		cmpopts.IgnoreFields(record.Startup{}, "Private"), cmpopts.IgnoreFields(record.Upper{}, "Body"),
		cmpopts.IgnoreFields(record.Transaction{}, "Upper"), cmpopts.IgnoreFields(record.Finding{}, "Rule", "Deviation"), cmpopts.IgnoreFields(record.Excused{}, "Deviation"),
		cmpopts.IgnoreFields(record.Termination{}, "Rule", "Header", "Advertised"),
	}
	check := record.SinkFunc(func(r *record.Record) {
		if n++; n%7 != 0 && r.Kind == record.KindSegment && len(r.Findings) == 0 {
			return // they are many
		}
		want := r.Clone()
		b, err := json.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		got := new(record.Record)
		if err := json.Unmarshal(b, got); err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(want, got, options); d != "" {
			t.Fatalf("%v: (-written +read)\n%s", r.Kind, d)
		}
	})
	for i, sample := range samples.Names() {
		if !testing.Short() || i%2 == 0 {
			Analyse(t, sample, 300, check)
		}
	}
	AnalysePackets(OverSCTP(t, "rping"), check)
	if n < 1000 {
		t.Errorf("%d Records", n)
	}
}
