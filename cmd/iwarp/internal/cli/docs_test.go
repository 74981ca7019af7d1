package cli

import (
	"encoding/json"
	"maps"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/iwarpkit/iwarp/codec/ddp"
	"github.com/iwarpkit/iwarp/codec/field"
	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/dissect/stats"
)

// documented is every word in backquotes of docs/json.md.
func documented(t *testing.T) map[string]bool {
	b, err := os.ReadFile("../../../../docs/json.md")
	if err != nil {
		t.Fatal(err)
	}
	words := map[string]bool{}
	for _, m := range regexp.MustCompile("`([^`\n]+)`").FindAllStringSubmatch(string(b), -1) {
		words[m[1]] = true
	}
	return words
}

// TestFieldsAreDocumented looks whether docs/json.md has every field that an object can have.
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

// TestObjectsAreDocumented looks whether docs/json.md has every key of real objects.
func TestObjectsAreDocumented(t *testing.T) {
	words := documented(t)
	missing := map[string]bool{}
	for _, sample := range []string{"rping.pcap", "netem-lossy.pcap.gz", "reject-pd32.pcap", "sendinv-crc1.pcap", "term-read-badkey.pcap", "term-write-badkey.pcap", "smbdirect.pcap.gz"} {
		got := run(t.Context(), nil, false, nil, "decode", "-o", "jsonl", "--separate", samples+sample)
		if got.code != exitOK || got.out == "" {
			t.Fatalf("%s: %+v", sample, got)
		}
		for line := range strings.Lines(got.out) {
			var object map[string]any
			if err := json.Unmarshal([]byte(line), &object); err != nil {
				t.Fatal(err)
			}
			for key := range object {
				if !words[key] {
					missing[key] = true
				}
			}
		}
	}
	if len(missing) > 0 {
		t.Errorf("docs/json.md does not have %v", slices.Sorted(maps.Keys(missing)))
	}
}

// TestReportIsDocumented looks whether docs/json.md has every key of iwarp.stats.
func TestReportIsDocumented(t *testing.T) {
	words := documented(t)
	for _, form := range []any{stats.Report{}, stats.Connection{}, stats.Direction{}, stats.Passed{}, stats.CRC{}} {
		for f := range reflect.TypeOf(form).Fields() {
			if key := f.Tag.Get("json"); !words[key] {
				t.Errorf("docs/json.md does not have %s of %T", key, form)
			}
		}
	}
}
