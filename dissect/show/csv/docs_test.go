package csv_test

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/iwarpkit/iwarp/dissect/show"
	"github.com/iwarpkit/iwarp/dissect/ulp/all"
)

// docs/csv.md names all columns in their order, but those of upper layers.
func TestDocs(t *testing.T) {
	guide, err := os.ReadFile("../../../docs/csv.md")
	if err != nil {
		t.Fatal(err)
	}
	views := map[string]show.View{"Messages": show.Messages, "Transactions": show.Transactions, "RPCs": show.RPCs}
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
		switch view {
		case show.Messages:
			documented = append(documented, upperColumns()...)
		case show.RPCs: // those of transactions first
			all := columns(show.Transactions)
			documented = append(slices.Concat(all[:slices.Index(all, "len")+1], documented), "stream")
		}
		if d := cmp.Diff(columns(view), documented); d != "" {
			t.Errorf("docs/csv.md, %s (-columns +documented)\n%s", title, d)
		}
	}
	if len(views) > 0 {
		t.Errorf("not documented: %v", views)
	}
}

// upperColumns are the fields of all upper layers.
func upperColumns() (names []string) {
	for _, l := range all.Layers() {
		for _, t := range slices.Concat(l.PrivateTables, l.Tables) {
			for _, f := range t.Fields {
				if !slices.Contains(names, f.Name) {
					names = append(names, f.Name)
				}
			}
		}
	}
	return names
}
