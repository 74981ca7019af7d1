package report

import (
	"bytes"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/iwarpkit/iwarp/replay/conform"
)

// A ktapTest is a result line of KTAP, and the subtests before it.
type ktapTest struct {
	ok                    bool
	name, directive, data string
	diagnostics           []string
	subtests              []ktapTest
}

var (
	ktapPlan      = regexp.MustCompile(`^1\.\.(\d+)$`)
	ktapLine      = regexp.MustCompile(`^(ok|not ok) (\d+)(?: ([^#]*?))?(?: #(?: (SKIP|TODO|XFAIL|TIMEOUT|ERROR)\b)?(?: ?(.*))?)?$`)
	ktapDirective = map[string]bool{"TIMEOUT": false, "ERROR": false} // what the result must be
)

// parseKTAP reads KTAP as Documentation/dev-tools/ktap.rst describes it, without unknown lines. lines begins with a version
// line of the given depth; rest follows the last result line of that depth.
func parseKTAP(lines []string, depth int) (tests []ktapTest, rest []string, err error) {
	indent := strings.Repeat("  ", depth)
	if len(lines) < 2 || lines[0] != indent+"KTAP version 1" {
		return nil, nil, fmt.Errorf("no version line: %q", lines[:min(1, len(lines))])
	}
	plan := ktapPlan.FindStringSubmatch(strings.TrimPrefix(lines[1], indent))
	if plan == nil {
		return nil, nil, fmt.Errorf("no plan line: %q", lines[1])
	}
	planned, _ := strconv.Atoi(plan[1])
	var next ktapTest
	for lines = lines[2:]; len(lines) > 0 && strings.HasPrefix(lines[0], indent); lines = lines[1:] {
		line := strings.TrimPrefix(lines[0], indent)
		switch found := ktapLine.FindStringSubmatch(line); {
		case strings.HasPrefix(line, "  KTAP"):
			if next.subtests, lines, err = parseKTAP(lines, depth+1); err != nil {
				return nil, nil, err
			}
			lines = append([]string{""}, lines...) // the loop drops it
		case strings.HasPrefix(line, "# "):
			next.diagnostics = append(next.diagnostics, line[2:])
		case found == nil:
			return nil, nil, fmt.Errorf("an unknown line: %q", line)
		default:
			next.ok, next.name, next.directive, next.data = found[1] == "ok", found[3], found[4], found[5]
			if number, _ := strconv.Atoi(found[2]); number != len(tests)+1 {
				return nil, nil, fmt.Errorf("number %d, want %d: %q", number, len(tests)+1, line)
			}
			if want, bound := ktapDirective[next.directive]; bound && next.ok != want {
				return nil, nil, fmt.Errorf("the directive contradicts the result: %q", line)
			}
			tests, next = append(tests, next), ktapTest{}
		}
	}
	if len(tests) != planned {
		return nil, nil, fmt.Errorf("%d tests, and %d are planned", len(tests), planned)
	}
	return tests, lines, nil
}

// TestParseKTAP reads the longest example of ktap.rst.
func TestParseKTAP(t *testing.T) {
	const example = `KTAP version 1
1..1
  KTAP version 1
  1..3
    KTAP version 1
    1..1
    # test_1: initializing test_1
    ok 1 test_1
  ok 1 example_test_1
    KTAP version 1
    1..2
    ok 1 test_1 # SKIP test_1 skipped
    ok 2 test_2
  ok 2 example_test_2
    KTAP version 1
    1..3
    ok 1 test_1
    # test_2: FAIL
    not ok 2 test_2
    ok 3 test_3 # SKIP test_3 skipped
  not ok 3 example_test_3
not ok 1 main_test`
	tests, rest, err := parseKTAP(strings.Split(example, "\n"), 0)
	if err != nil || len(rest) > 0 || len(tests) != 1 || tests[0].ok || len(tests[0].subtests) != 3 {
		t.Fatalf("%v, %q, %+v", err, rest, tests)
	}
	if one := tests[0].subtests[2].subtests; one[1].ok || one[1].diagnostics[0] != "test_2: FAIL" || one[2].directive != "SKIP" || one[2].data != "test_3 skipped" {
		t.Errorf("%+v", one)
	}
}

func TestWriteKTAP(t *testing.T) {
	r := some(hostile)
	r.Again = func(q conform.Question) string { return "iwarp conform peer " + q.ID() }
	r.Results[2].Detail += "# SKIP\nok 7 %d"
	var b bytes.Buffer
	if err := WriteKTAP(&b, r); err != nil {
		t.Fatal(err)
	}
	harmless(t, b.String())
	tests, rest, err := parseKTAP(strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n"), 0)
	if err != nil || len(rest) > 0 || len(tests) != 2 {
		t.Fatalf("%v, %q\n%s", err, rest, &b)
	}
	var got []string
	for _, parent := range tests {
		got = append(got, fmt.Sprint(parent.ok, " ", parent.name, " ", parent.directive))
		for _, each := range parent.subtests {
			got = append(got, fmt.Sprint(each.ok, " ", each.name, " ", each.directive, " ", len(each.diagnostics)))
		}
	}
	want := []string{
		"false RFC5041/7.1 validation ", "true msn-left-out  0", "true mo-outside  0", "false qn  6",
		"false RFC7306/5.1.1 FetchAdd ", "true zero SKIP 0", "true one SKIP 0", "false two ERROR 0", "false three XFAIL 0",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got %q\n%s", got, &b)
	}
	if !strings.Contains(b.String(), "  # again: iwarp conform peer RFC5041/7.1/qn\n") {
		t.Error("the command is missing")
	}
}
