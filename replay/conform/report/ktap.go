package report

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/iwarpkit/iwarp/internal/printable"
	"github.com/iwarpkit/iwarp/replay/conform"
)

// WriteKTAP writes a Report in version 1 of KTAP, as specified by Documentation/dev-tools/ktap.rst of the Linux kernel:
// a test for each section, with a subtest for each case. Cases that were not run are skipped, and expected failures
// have XFAIL.
func WriteKTAP(w io.Writer, r *conform.Report) error {
	var b bytes.Buffer
	all := parts(r)
	fmt.Fprintf(&b, "KTAP version 1\n1..%d\n", len(all))
	for i, p := range all {
		fmt.Fprintf(&b, "  KTAP version 1\n  1..%d\n", len(p.Results))
		result, skipped := "ok", " # SKIP no case was run"
		for j, each := range p.Results {
			line, diagnostics := ktapResult(each, r.Again)
			for _, text := range diagnostics {
				fmt.Fprintf(&b, "  # %s\n", printable.String(text))
			}
			fmt.Fprintf(&b, "  %s\n", fmt.Sprintf(line, j+1, each.Name))
			if strings.HasPrefix(line, "not ok") && each.Known == "" {
				result = "not ok"
			}
			if each.Verdict != conform.Unsupported && each.Verdict != conform.NotRun {
				skipped = ""
			}
		}
		fmt.Fprintf(&b, "%s %d %s/%s %s%s\n", result, i+1, p.Document, p.Number, p.Title, skipped)
	}
	s := r.Summary()
	fmt.Fprintf(&b, "# %v\n", &s)
	_, err := w.Write(b.Bytes())
	return err
}

// ktapResult returns the result line of a case, with verbs for its number and name, and the diagnostic lines before it.
func ktapResult(r *conform.Result, again func(conform.Question) string) (line string, diagnostics []string) {
	with := func(result, directive, data string) string {
		text := strings.ReplaceAll(printable.String(data), "%", "%%")
		return strings.TrimRight(result+" %d %s # "+directive+text, " ")
	}
	switch r.Verdict {
	case conform.Pass:
		return "ok %d %s", nil
	case conform.Fail:
		if r.Known != "" {
			return with("not ok", "XFAIL ", r.Known), nil
		}
		return with("not ok", "", r.Detail), failure(r, again)
	case conform.Error:
		return with("not ok", "ERROR ", r.Detail), nil
	case conform.Accepted:
		return with("ok", "", "accepted: "+r.Detail), nil
	}
	return with("ok", "SKIP ", r.Detail), nil
}
