package sim_test

import (
	"bufio"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/iwarpkit/iwarp/codec/peers"
	"github.com/iwarpkit/iwarp/codec/rfc"
	"github.com/iwarpkit/iwarp/replay/internal/captures"
	"github.com/iwarpkit/iwarp/replay/outcome"
	"github.com/iwarpkit/iwarp/replay/scenario"
	"github.com/iwarpkit/iwarp/replay/sim"
)

// find returns the file of a capture.
func find(t *testing.T, name string) string {
	t.Helper()
	all := captures.All(t)
	i := slices.IndexFunc(all, func(file string) bool { return captures.Name(file) == name })
	if i < 0 {
		t.Fatalf("there is no capture %s", name)
	}
	return all[i]
}

// compiled is what becomes of a capture.
var compiled = captures.Compile

// deviations is the document that lists what differs from the recording.
const deviations = "../../docs/generated/siw-deviations.md"

// A row is one of its tables: what a capture shows, and why.
type row struct {
	profile, capture, conn, role, step, verdict string
}

// listed reads the rows of the document, and checks that each names a requirement or another reason.
func listed(t *testing.T) map[row]bool {
	t.Helper()
	f, err := os.Open(deviations)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, profile := make(map[row]bool), ""
	for lines := bufio.NewScanner(f); lines.Scan(); {
		line := lines.Text()
		if name, ok := strings.CutPrefix(line, "## Profile "); ok {
			profile = name
		}
		cells := strings.Split(line, "|")
		if len(cells) != 9 || strings.Contains(line, "---") || strings.Contains(line, "Capture") {
			continue
		}
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		for _, id := range strings.Fields(cells[6]) {
			if rfc.Lookup(id) == nil {
				t.Errorf("%s: unknown requirement %s", deviations, id)
			}
		}
		if cells[7] == "" {
			t.Errorf("%s: no reason for %s", deviations, line)
		}
		rows[row{profile, cells[1], cells[2], cells[3], cells[4], cells[5]}] = true
	}
	return rows
}

// TestCaptures plays all captures in both roles, and compares what is not exact with what docs/generated/siw-deviations.md lists.
func TestCaptures(t *testing.T) {
	want := listed(t)
	for _, profile := range []string{"rfc", "siw"} {
		var total outcome.Summary
		runs, fine := 0, 0
		for i, name := range captures.All(t) {
			if testing.Short() && i%12 != 0 {
				maps.DeleteFunc(want, func(r row, _ bool) bool { return r.profile == profile && r.capture == captures.Name(name) })
				continue
			}
			s, report := compiled(t, name)
			for _, c := range report.Conns {
				if c.NotApplicable != "" {
					check(t, want, row{profile, captures.Name(name), c.Name, "either", "", "not applicable"}, c.NotApplicable)
				}
			}
			if len(report.Conns) == 0 {
				check(t, want, row{profile, captures.Name(name), "", "either", "", "not applicable"}, "it has no connection")
			}
			for _, c := range s.Conns {
				for _, role := range []scenario.Side{scenario.Client, scenario.Server} {
					o := sim.Run(c, role, sim.Options{Profile: peers.LookupProfile(profile)}).Outcome
					total = sum(total, o.Summary())
					runs++
					r := row{profile, captures.Name(name), c.Name, role.String(), "", ""}
					if step, why := remarkable(o); step != nil {
						r.step, r.verdict = stepName(step), strings.ReplaceAll(step.Verdict.String(), "_", " ")
						check(t, want, r, why)
					} else if o.NotApplicable != "" {
						r.verdict = "not applicable"
						check(t, want, r, o.NotApplicable)
					} else {
						fine++
					}
				}
			}
		}
		t.Logf("profile %s: %d of %d connections and roles are exact: %v", profile, fine, runs, &total)
	}
	for r := range want {
		t.Errorf("it is listed, but it is not so any more: %v", r)
	}
}

// check looks up a row, and removes it.
func check(t *testing.T, want map[row]bool, r row, why string) {
	t.Helper()
	if !want[r] {
		t.Errorf("it is not listed:\n| %s | %s | %s | %s | %s |  | %s |  (profile %s)",
			r.capture, r.conn, r.role, r.step, r.verdict, why, r.profile)
	}
	delete(want, r)
}

// remarkable returns the first step that differs or, failing that, was accepted; nil if all are exact.
func remarkable(c *outcome.Conn) (*outcome.Step, string) {
	if s := c.First(); s != nil {
		return s, s.Reason
	}
	for i := range c.Steps {
		if s := &c.Steps[i]; s.Verdict == outcome.Accepted || s.Verdict == outcome.NotApplicable {
			return s, s.Reason
		}
	}
	return nil, ""
}

// stepName returns the number of a step and what it does.
func stepName(s *outcome.Step) string {
	if s.Expected == nil {
		return "another"
	}
	return fmt.Sprintf("%d %s", s.Expected.Number, s.Expected.Do.Verb())
}

func sum(a, b outcome.Summary) outcome.Summary {
	a.Connections += b.Connections
	a.Steps += b.Steps
	a.Exact += b.Exact
	a.Accepted += b.Accepted
	a.Mismatched += b.Mismatched
	a.NotReached += b.NotReached
	a.NotApplicable += b.NotApplicable
	a.Sent += b.Sent
	a.NotSent += b.NotSent
	return a
}
