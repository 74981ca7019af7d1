package cli

import (
	"encoding/json"
	"io"
	"maps"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/iwarpkit/iwarp/cmd/internal/exit"
	"github.com/iwarpkit/iwarp/codec/ddp"
	"github.com/iwarpkit/iwarp/codec/field"
	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/dissect/show/check"
	"github.com/iwarpkit/iwarp/dissect/stats"
)

// documented is every word in backquotes of docs/json.md.
func documented(t *testing.T) map[string]bool { return quotedIn(t, "json.md") }

// quotedIn is every word in backquotes of a document.
func quotedIn(t *testing.T, name string) map[string]bool {
	t.Helper()
	b, err := os.ReadFile("../../../../docs/" + name)
	if err != nil {
		t.Fatal(err)
	}
	words := map[string]bool{}
	for _, m := range regexp.MustCompile("`([^`\n]+)`").FindAllStringSubmatch(string(b), -1) {
		words[m[1]] = true
	}
	return words
}

// TestFieldsAreDocumented checks whether docs/json.md has every field that an object can have.
func TestFieldsAreDocumented(t *testing.T) {
	words := documented(t)
	tables := append([]*field.Table{mpa.RequestFields, mpa.ReplyFields, mpa.EnhancedFields, mpa.LegacyFields, ddp.TaggedFields, ddp.UntaggedFields}, rdmap.Tables...)
	for _, table := range tables {
		for i := range table.Fields {
			f := &table.Fields[i]
			name := strings.TrimPrefix(f.Name, table.Proto+".")
			if name == "rsvdulp" {
				continue // shown as the fields of RDMAP in it
			}
			if !words[name] {
				t.Errorf("docs/json.md does not have %s", name)
			}
			if f.Names != nil && !words[name+"_name"] {
				t.Errorf("docs/json.md does not have %s_name", name)
			}
		}
	}
}

// TestObjectsAreDocumented checks whether docs/json.md has every key of real objects, and docs/filter.md every field of an
// upper layer, to which docs/json.md refers.
func TestObjectsAreDocumented(t *testing.T) {
	words := documented(t)
	for name := range quotedIn(t, "filter.md") {
		_, field, _ := strings.Cut(name, ".")
		words["fields."+field], words["fields."+field+"_name"] = true, true
	}
	missing := map[string]bool{}
	for _, sample := range []string{"rping.pcap", "netem-lossy.pcap.gz", "reject-pd32.pcap", "sendinv-crc1.pcap", "term-read-badkey.pcap",
		"term-write-badkey.pcap", "smbdirect.pcap.gz", "nfs-small-v4.1-inl4096-crc1.pcap.gz"} {
		for _, command := range [][]string{
			{"decode", "-o", "jsonl", "--separate"}, {"decode", "-o", "jsonl", "--transactions"}, {"decode", "-o", "jsonl", "--rpc"},
			{"check", "-o", "json"}, {"stats", "-o", "json"},
		} {
			got := run(t.Context(), nil, false, nil, append(command, samples+sample)...)
			if got.code > exit.Findings {
				t.Fatalf("%v %s: %+v", command, sample, got)
			}
			d := json.NewDecoder(strings.NewReader(got.out))
			for {
				var object any
				err := d.Decode(&object)
				if err == io.EOF {
					break
				}
				if err != nil {
					t.Fatalf("%v %s: %v", command, sample, err)
				}
				for key := range keys(object) {
					if !words[key] {
						missing[key] = true
					}
				}
			}
		}
	}
	if len(missing) > 0 {
		t.Errorf("docs/json.md does not have %v", slices.Sorted(maps.Keys(missing)))
	}
}

// keys calls yield for every key in an object, and in those in it. A field in "layers" has "fields." before its name.
func keys(v any) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		var walk func(v any, layers bool, prefix string) bool
		walk = func(v any, layers bool, prefix string) bool {
			switch v := v.(type) {
			case map[string]any:
				for key, value := range v {
					layers, within := layers || key == "layers", ""
					if layers && key == "fields" {
						within = "fields."
					}
					if !yield(prefix+key) || !walk(value, layers, within) {
						return false
					}
				}
			case []any:
				for _, value := range v {
					if !walk(value, layers, prefix) {
						return false
					}
				}
			}
			return true
		}
		walk(v, false, "")
	}
}

// TestReportsAreDocumented checks whether docs/json.md has every key of iwarp.stats and iwarp.check.
func TestReportsAreDocumented(t *testing.T) {
	words := documented(t)
	for _, form := range []any{
		stats.Report{}, stats.Connection{}, stats.Direction{}, stats.Passed{}, stats.CRC{},
		stats.Transactions{}, stats.Procedure{}, stats.Latency{}, stats.STag{}, stats.Findings{},
		check.Head{}, check.Finding{}, check.Connection{}, check.Outstanding{}, check.Requests{}, check.Depth{}, check.Queue{},
		check.Counts{}, check.Terminate{}, check.Culprit{}, check.Totals{}, check.First{}, check.Verdict{}, check.Cause{}, check.Evidence{}, check.Excused{},
		check.Peer{}, check.Next{}, check.Ends{}, check.Way{}, check.Delay{}, check.Loss{}, check.Change{}, check.Missing{}, check.Share{},
	} {
		for _, f := range reflect.VisibleFields(reflect.TypeOf(form)) {
			key, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			if f.IsExported() && !f.Anonymous && !words[key] {
				t.Errorf("docs/json.md does not have %s of %T", key, form)
			}
		}
	}
}
