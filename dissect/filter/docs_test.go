package filter_test

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/iwarpkit/iwarp/dissect/filter"
	"github.com/iwarpkit/iwarp/internal/golden"
	"github.com/iwarpkit/iwarp/pcaps/samples"
)

const guide = "../../docs/filter.md"

func readGuide(t *testing.T) string {
	t.Helper()
	b, err := os.ReadFile(guide)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// protocolNames are the headings of the fields of each protocol.
var protocolNames = map[string]string{
	"iwarp_mpa": "MPA", "iwarp_sctp": "DDP over SCTP", "iwarp_ddp": "DDP", "iwarp_rdma": "RDMAP",
	"rpcordma": "RPC-over-RDMA", "rpc": "ONC RPC", "nfs": "NFSv4",
	"nvme": "NVMe over RDMA", "iser": "iSER", "iscsi": "iSCSI", "smb_direct": "SMB Direct", "smb2": "SMB2",
}

// fieldTables is what docs/filter.md says of all fields.
func fieldTables(t *testing.T) string {
	var b strings.Builder
	heading := ""
	for _, f := range filter.Fields() {
		h := "Of every event"
		switch {
		case f.Type == filter.Presence:
			h = "Headers and protocols"
		case f.Proto != "":
			if h = protocolNames[f.Proto]; h == "" {
				t.Errorf("protocolNames above has no heading for %s", f.Proto)
			}
		}
		if h != heading {
			fmt.Fprintf(&b, "\n### %s\n\n| field | type | what it is | names of values |\n|---|---|---|---|\n", h)
			heading = h
		}
		text := f.Text
		if f.Shared {
			text += "; *of the whole exchange*"
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", f.Name, typeText(f), text, valuesText(f))
	}
	return b.String()
}

func typeText(f filter.Field) string {
	switch f.Type {
	case filter.Presence:
		return ""
	case filter.Number:
		if len(f.Values) > 0 && f.Proto == "" {
			return "one of the names"
		}
		return fmt.Sprintf("number, %d bits", f.Bits)
	}
	return f.Type.String()
}

// valuesText is the names of a number's values, as far as they fit a line or two. Those of a name are too many.
func valuesText(f filter.Field) string {
	if f.Type == filter.Name {
		return ""
	}
	const most = 20
	shown, more := f.Values, ""
	if len(shown) > most+1 {
		shown, more = shown[:most], fmt.Sprintf(", and %d more", len(shown)-most)
	}
	if len(shown) == 0 {
		return ""
	}
	return "`" + strings.Join(shown, "`, `") + "`" + more
}

// TestGuideHasAllFields checks that the table of fields in docs/filter.md is that of the field tables.
func TestGuideHasAllFields(t *testing.T) {
	golden.Section(t, guide, "fields", "\n"+fieldTables(t)+"\n")
}

// TestGuideNamesTheLimits checks that the limits that docs/filter.md names are those that hold.
func TestGuideNamesTheLimits(t *testing.T) {
	want := fmt.Sprintf("at most %d octets, and parentheses are nested at most %d deep", filter.MaxText, filter.MaxDepth)
	if !strings.Contains(readGuide(t), want) {
		t.Errorf("%s does not say: %s", guide, want)
	}
}

// examples are the filters in the table of examples in docs/filter.md.
func examples(t *testing.T) (all []string) {
	_, section, _ := strings.Cut(readGuide(t), "## Examples\n")
	section, _, _ = strings.Cut(section, "\n## ")
	for _, m := range regexp.MustCompile("(?m)^\\| `([^`]+)` \\|").FindAllStringSubmatch(section, -1) {
		all = append(all, m[1])
	}
	if len(all) < 10 {
		t.Fatalf("only %d examples in %s", len(all), guide)
	}
	return all
}

// TestExamplesOfGuide checks that every example finds something, and not everything, in the bundled captures or among
// the events made by hand.
func TestExamplesOfGuide(t *testing.T) {
	filters := map[string]*filter.Filter{}
	found, missed := map[string]bool{}, map[string]bool{}
	for _, text := range examples(t) {
		filters[text] = mustCompile(t, text)
	}
	show := func(e *filter.Event) {
		for text, f := range filters {
			if f.Match(e) {
				found[text] = true
			} else {
				missed[text] = true
			}
		}
	}
	for _, e := range handmade(t) {
		show(e)
	}
	for _, name := range samples.Names() {
		watchSample(t, name, show)
	}
	for text, f := range filters {
		if !found[text] && f.Needs() != (filter.Needs{}) {
			found[text] = passes(t, f)
		}
		if !found[text] || !missed[text] {
			t.Errorf("%s: finds something %v, misses something %v", text, found[text], missed[text])
		}
	}
}

// passes reports whether messages of the bundled captures with upper layers pass a filter.
func passes(t *testing.T, f *filter.Filter) bool {
	for _, name := range []string{"nfs-small-v4.1-inl4096-crc1", "nvme-rdma-start", "iser-start", "smbdirect"} {
		var c census
		if sift(t, name, f, &c); len(c.frames) > 0 {
			return true
		}
	}
	return false
}

// TestErrorOfGuide checks that the error shown is the one that comes.
func TestErrorOfGuide(t *testing.T) {
	_, err := filter.Compile("iwarp_ddp.stagg == 5")
	if err == nil || !strings.Contains(readGuide(t), "```\n"+err.Error()+"\n```") {
		t.Errorf("%s does not show\n%v", guide, err)
	}
}
