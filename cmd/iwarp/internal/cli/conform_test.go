package cli

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"github.com/iwarpkit/iwarp/cmd/internal/exit"
	cases "github.com/iwarpkit/iwarp/replay/conform"
	"github.com/iwarpkit/iwarp/replay/conform/report"
	"github.com/iwarpkit/iwarp/replay/conform/rpcclient"
	"github.com/iwarpkit/iwarp/replay/conform/suite"
	"github.com/iwarpkit/iwarp/replay/player"
)

// TestConformIsDocumented checks whether docs/json.md has every key of a result that has all of them.
func TestConformIsDocumented(t *testing.T) {
	section := cases.Section{Document: "RFC5041", Number: "7.1", Cases: func() []cases.Case {
		return []cases.Case{{Name: "x", Requirements: []string{"DDP-7.1-5"}}}
	}}
	r := cases.Report{Service: cases.RPCService, Again: cases.Question.ID, Deviations: []cases.Deviation{{Deviation: player.Deviation{Field: "iwarp_ddp.rsvd"}, Requirement: "DDP-4.1-8"}}}
	for _, q := range cases.Questions([]cases.Section{section}) {
		r.Results = append(r.Results, cases.Result{Question: q, Verdict: cases.Fail, Conn: "c0", Expected: "a", Actual: "b", Known: "c", Newly: "d"})
	}
	undocumented(t, func(w io.Writer) error { return report.WriteJSON(w, &r) })
	undocumented(t, func(w io.Writer) error { return report.WriteListJSON(w, cases.Questions([]cases.Section{section})) })
}

// undocumented makes the test fail for a key that docs/json.md does not have.
func undocumented(t *testing.T, write func(io.Writer) error) {
	t.Helper()
	var b bytes.Buffer
	if err := write(&b); err != nil {
		t.Fatal(err)
	}
	var value any
	if err := json.Unmarshal(b.Bytes(), &value); err != nil {
		t.Fatal(err)
	}
	known := documented(t)
	for key := range keys(value) {
		if !known[key] {
			t.Errorf("docs/json.md does not have %s", key)
		}
	}
}

// TestConformExamplesExist checks whether there are the cases that help and documents name.
func TestConformExamplesExist(t *testing.T) {
	exists := make(map[string]bool)
	for _, q := range slices.Concat(suite.Questions(), rpcclient.Questions()) {
		exists[q.ID()] = true
	}
	texts := map[string]string{"help": run(t.Context(), nil, false, nil, "conform", "--help").out}
	for _, name := range []string{"README.md", "docs/conform.md", "docs/json.md"} {
		b, err := os.ReadFile("../../../../" + name)
		if err != nil {
			t.Fatal(err)
		}
		texts[name] = string(b)
	}
	named := 0
	for name, text := range texts {
		for _, id := range regexp.MustCompile(`RFC\d+/[0-9A-Z.]+/[a-z0-9-]+`).FindAllString(text, -1) {
			if named++; !exists[id] {
				t.Errorf("%s: there is no case %s", name, id)
			}
		}
	}
	if named == 0 {
		t.Error("no case is named")
	}
}

// TestConformExports checks whether each case is a Scenario without a peer.
func TestConformExports(t *testing.T) {
	c := conform{seed: 1, flags: new(pflag.FlagSet), profile: profiles()}
	for _, q := range suite.Questions() {
		side := sideOf(q)
		if s, err := c.suited(q, side, cases.Assumable(side)); s == nil || err != nil {
			t.Errorf("%s: %v, %v", q.ID(), s, err)
		}
	}
}

// TestConformProgress looks at a terminal that is narrow: each state of the line fits, and it is taken away before the
// report comes.
func TestConformProgress(t *testing.T) {
	const width = 20
	s := start(t, "", "serve", "--service", "conform")
	defer s.finish()
	var terminal bytes.Buffer
	streams := Streams{Out: &terminal, Err: &terminal, ErrIsTerminal: true, Width: width, Env: func(string) string { return "" }}
	if code := Main(t.Context(), &streams, []string{"conform", strings.TrimSpace(s.first), "RFC5041/4.3"}); code != exit.OK {
		t.Fatalf("%d: %s", code, &terminal)
	}
	progress, _, found := strings.Cut(terminal.String(), "The peer is")
	states := strings.Split(progress, "\r")
	if !found || len(states) < 4 || !strings.HasPrefix(states[1], "1 of ") {
		t.Fatalf("%q", &terminal)
	}
	for _, state := range states {
		if len(state) >= width {
			t.Errorf("%q does not fit", state)
		}
	}
	if last := states[len(states)-2:]; strings.TrimSpace(last[0]) != "" || last[1] != "" {
		t.Errorf("%q is left", last)
	}
}
