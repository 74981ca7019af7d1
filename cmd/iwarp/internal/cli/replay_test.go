package cli

import (
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/iwarpkit/iwarp/cmd/internal/exit"
)

// TestReplayIsDocumented checks whether docs/json.md has every key of a result that has all of them.
func TestReplayIsDocumented(t *testing.T) {
	quirk := "rewrite Write iwarp_ddp.tagged_offset+1"
	got := run(t.Context(), nil, false, nil, "replay", samples+"rping.pcap", "--sim", "-o", "json", "--quirk", quirk)
	var object any
	if err := json.Unmarshal([]byte(got.out), &object); err != nil || got.code != exit.Findings {
		t.Fatal(err, got)
	}
	words := documented(t)
	seen := map[string]bool{}
	for key := range keys(object) {
		seen[key] = true
		if !words[key] {
			t.Errorf("docs/json.md does not have %s", key)
		}
	}
	for _, key := range []string{"diff", "fields", "payload", "rounds", "negotiated", "reason"} {
		if !seen[key] {
			t.Errorf("nothing has %s", key)
		}
	}
}

// A run that is shown on a terminal fits it, except for tables.
func TestReplayFitsTerminal(t *testing.T) {
	long := strings.Repeat("word ", 30)
	for line := range strings.Lines(string(appendFolded(nil, "    "+long, 60))) {
		if len(line) > 61 || !strings.HasPrefix(line, "    ") {
			t.Errorf("%q", line)
		}
	}
	if got := string(appendFolded(nil, "short", 60)); got != "short\n" {
		t.Errorf("%q", got)
	}
}

func TestMapFlag(t *testing.T) {
	for text, want := range map[string]bool{
		"stag=0x100:0x200": true, "to=0x1000:0x2000": true, "to=0x1000:0x2000:64": true, "stag=1:2": true,
		"stag=0x100": false, "stag=0x100000000:1": false, "stag=1:2:3": false, "xid=1:2": false, "to=1:2:3:4": false, "": false, "stag=a:b": false,
	} {
		if m, err := parseMapping(text); (err == nil) != want || want && m.Live == 0 {
			t.Errorf("%q: %v, %+v", text, err, m)
		}
	}
}

// TestReplayFigures compares the figures that docs/live.md has with those that the test of replay/sim writes.
func TestReplayFigures(t *testing.T) {
	document, err := os.ReadFile("../../../../docs/generated/replay-sim.md")
	if err != nil {
		t.Fatal(err)
	}
	live, err := os.ReadFile("../../../../docs/live.md")
	if err != nil {
		t.Fatal(err)
	}
	all := regexp.MustCompile(`\| all \| (\d+) \| (\d+) \|`).FindAllSubmatch(document, -1)
	for _, m := range all {
		if figures := fmt.Sprintf("%s of %s", m[2], m[1]); !strings.Contains(string(live), figures) {
			t.Errorf("%s is not in docs/live.md", figures)
		}
	}
	if len(all) != 2 {
		t.Errorf("%d figures", len(all))
	}
}
