package cli

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/iwarpkit/iwarp/cmd/internal/exit"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/show/check"
	"github.com/iwarpkit/iwarp/dissect/stats"
	"github.com/iwarpkit/iwarp/internal/tools"
)

// TestAnalysis asks DuckDB the questions of docs/analysis.md. The tables answer as iwarp stats and iwarp check do.
func TestAnalysis(t *testing.T) {
	var files []string
	for _, name := range []string{"nfs-small-v4.1-inl4096-crc1.pcap.gz", "netem-lossy.pcap.gz", "rping.pcap", "sendinv-crc1.pcap", "term-read-badkey.pcap", "term-write-badkey.pcap", "mpav1-crc.pcap"} {
		files = append(files, samples+name)
	}
	guide, err := os.ReadFile("../../../../docs/analysis.md")
	if err != nil {
		t.Fatal(err)
	}
	folder := filepath.Join(t.TempDir(), "tables")
	if got := run(t.Context(), nil, false, nil, append([]string{"decode", "-q", "-o", "parquet", "-w", folder}, files...)...); got.code != exit.OK || got.out != "" {
		t.Fatal(got)
	}
	var statements, questions []string
	for _, part := range strings.Split(string(guide), "\n### ") {
		title, _, _ := strings.Cut(part, "\n")
		for _, m := range regexp.MustCompile("(?s)```sql\n(.*?)```").FindAllStringSubmatch(part, -1) {
			for statement := range strings.SplitSeq(strings.ReplaceAll(m[1], "tables/", folder+"/"), ";\n") {
				if statement != "" {
					statements, questions = append(statements, statement), append(questions, title)
				}
			}
		}
	}
	answers := make(map[string][][]string)
	for i, rows := range tools.DuckDB(t, statements...) {
		answers[questions[i]] = rows
	}
	want := expected(t, files)
	for question, rows := range want {
		if d := gocmp.Diff(rows, answers[question]); d != "" {
			t.Errorf("%s (-commands +tables)\n%s", question, d)
		}
		if len(rows) == 0 {
			t.Errorf("nothing was asked by %q", question)
		}
	}
	if asked := strings.Count(string(guide), "\n### "); asked != 10 || len(want) != asked {
		t.Errorf("%d questions, %d answers", asked, len(want))
	}
}

// expected is what commands answer to the questions.
func expected(t *testing.T, files []string) map[string][][]string {
	var sum stats.Report
	var found struct {
		Findings    []check.Finding
		Connections []check.Connection
	}
	for command, v := range map[string]any{"stats": &sum, "check": &found} {
		got := run(t.Context(), nil, false, nil, append([]string{command, "-q", "-o", "json"}, files...)...)
		if err := json.Unmarshal([]byte(got.out), v); err != nil {
			t.Fatal(err)
		}
	}
	all := map[string][][]string{"What became of requests?": requests(&sum), "Which memory was written and read most?": memory(&sum)}
	add := func(question string, cells ...any) {
		var row []string
		for _, c := range cells {
			row = append(row, fmt.Sprint(c))
		}
		all[question] = append(all[question], row)
	}
	for _, c := range found.Connections {
		if c.Verdict.Cause != nil {
			add("Why did connections fail?", c.Conn, c.Client, c.Server, c.Verdict.Summary)
		}
	}
	ends := make(map[string]int)
	for _, c := range sum.Connections {
		ends[c.End]++
		if c.CRCOption != "on" {
			add("Which connections run without CRCs, and by which revision of MPA?", c.Conn, *c.MPARevision, c.CRCOption)
		}
		for dir, d := range []stats.Direction{c.C2S, c.S2C} {
			if d.OutOfOrder+d.RetransmittedBytes > 0 {
				add("Which directions lost packets?", c.Conn, flow.Direction(dir), d.OutOfOrder, d.RetransmittedBytes)
			}
		}
	}
	for _, end := range slices.Sorted(maps.Keys(ends)) {
		add("How did connections end?", end, ends[end])
	}
	severities := map[string]uint64{"error": sum.Findings.Errors, "note": sum.Findings.Notes, "warning": sum.Findings.Warnings}
	for _, severity := range slices.Sorted(maps.Keys(severities)) {
		if severities[severity] > 0 {
			add("What was wrong, and how bad was it?", severity, severities[severity])
		}
	}
	for _, name := range slices.Sorted(maps.Keys(sum.Messages)) {
		add("Which messages were sent?", name, sum.Messages[name])
	}
	slices.SortStableFunc(sum.Connections, func(a, b *stats.Connection) int {
		return cmp.Compare(b.C2S.PayloadBytes+b.S2C.PayloadBytes, a.C2S.PayloadBytes+a.S2C.PayloadBytes)
	})
	for _, c := range sum.Connections[:5] {
		add("Which connections carried most?", c.Conn, c.C2S.PayloadBytes+c.S2C.PayloadBytes)
	}
	slices.SortFunc(sum.Procedures, func(a, b stats.Procedure) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), strings.Compare(a.Procedure, b.Procedure))
	})
	for _, p := range sum.Procedures[:min(10, len(sum.Procedures))] {
		us := func(seconds float64) int { return int(math.Round(seconds * 1e6)) }
		add("How long did the most common requests take, in microseconds?", p.Procedure, p.Count, us(p.Latency.P50), us(p.Latency.P99), us(p.Latency.Max))
	}
	return all
}

// requests are the counts of requests by kind and outcome.
func requests(sum *stats.Report) (rows [][]string) {
	for _, t := range sum.Transactions {
		for outcome, n := range map[string]uint64{"answered": t.Answered, "refused": t.Refused, "unanswered": t.Unanswered, "unknown": t.Unknown} {
			if n > 0 {
				rows = append(rows, []string{t.Kind, outcome, fmt.Sprint(n)})
			}
		}
	}
	slices.SortFunc(rows, slices.Compare)
	return rows
}

// memory are the busiest STags.
func memory(sum *stats.Report) (rows [][]string) {
	slices.SortFunc(sum.STags, func(a, b stats.STag) int {
		return cmp.Or(cmp.Compare(b.WrittenBytes+b.ReadBytes, a.WrittenBytes+a.ReadBytes), cmp.Compare(a.Conn, b.Conn), cmp.Compare(a.Dir, b.Dir), cmp.Compare(a.STag, b.STag))
	})
	for _, s := range sum.STags[:5] {
		rows = append(rows, []string{fmt.Sprint(s.Conn), s.Dir, s.STag, fmt.Sprint(s.WrittenBytes), fmt.Sprint(s.ReadBytes)})
	}
	return rows
}
