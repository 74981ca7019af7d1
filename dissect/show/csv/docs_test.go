package csv_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/iwarpkit/iwarp/dissect/show"
	"github.com/iwarpkit/iwarp/dissect/show/csv"
)

// docs/csv.md names all columns, in their order.
func TestDocs(t *testing.T) {
	guide, err := os.ReadFile("../../../docs/csv.md")
	if err != nil {
		t.Fatal(err)
	}
	views := map[string]show.View{"Messages": show.Messages, "Transactions": show.Transactions}
	name := regexp.MustCompile("`([^`]+)`")
	for _, section := range strings.Split(string(guide), "\n## ")[1:] {
		title, body, _ := strings.Cut(section, "\n")
		view, ok := views[title]
		if !ok {
			continue
		}
		delete(views, title)
		var documented []string
		for line := range strings.Lines(body) {
			if cells := strings.Split(line, "|"); len(cells) > 2 {
				for _, m := range name.FindAllStringSubmatch(cells[1], -1) {
					documented = append(documented, m[1])
				}
			}
		}
		if d := cmp.Diff(csv.Columns(view), documented); d != "" {
			t.Errorf("%s (-columns +documented)\n%s", title, d)
		}
	}
	if len(views) > 0 {
		t.Errorf("not documented: %v", views)
	}
}
