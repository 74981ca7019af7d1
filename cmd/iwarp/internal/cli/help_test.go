package cli

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spf13/cobra"
)

// wider are lines of help that cobra itself writes.
var wider = []string{"If it is not installed already, you can install it via your OS's package manager."}

// TestHelpFits looks whether the help of every command fits a terminal of 80 columns.
func TestHelpFits(t *testing.T) {
	root := newRoot(&app{Streams: &Streams{Env: func(string) string { return "" }}})
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	commands := 0
	var walk func(*cobra.Command)
	walk = func(c *cobra.Command) {
		commands++
		args := append(strings.Fields(c.CommandPath())[1:], "--help")
		got := run(t.Context(), nil, false, nil, args...)
		if got.code != exitOK || got.err != "" || !strings.Contains(got.out, "Usage:\n") {
			t.Errorf("%v: %+v", args, got)
		}
		for line := range strings.Lines(got.out) {
			line = strings.TrimSuffix(line, "\n")
			if n := utf8.RuneCountInString(line); n > foldWidth && !slices.Contains(wider, line) {
				t.Errorf("%s: %d characters: %s", c.CommandPath(), n, line)
			}
		}
		for _, sub := range c.Commands() {
			walk(sub)
		}
	}
	walk(root)
	if commands < 12 {
		t.Errorf("there are only %d commands", commands)
	}
}

func TestFoldText(t *testing.T) {
	const in = `A paragraph of two lines, the first of which is longer than what fits in eighty characters,
and short.

  name      an item that has to go on in another line, for it is longer than what fits
            and in a line of its own
  other     a short one
  filter    a text with tests in it; none is divided: iwarp_rdma.rdmardsz >= 4096
  long, longer, longest
            text below its term that is as long as two lines of it are, one behind the
            other`
	const want = `A paragraph of two lines, the first of which is longer than what fits in eighty
characters, and short.

  name      an item that has to go on in another line, for it is longer than
            what fits and in a line of its own
  other     a short one
  filter    a text with tests in it; none is divided:
            iwarp_rdma.rdmardsz >= 4096
  long, longer, longest
            text below its term that is as long as two lines of it are, one
            behind the other`
	if got := foldText(in); got != want {
		t.Errorf("got\n%s", got)
	}
}

func TestFoldExamples(t *testing.T) {
	const in = `  iwarp check x.pcap       # short
  iwarp check a-rather-long-name.pcap another.pcap          # what moves to the left
  iwarp stats x.pcap
  iwarp check a-name-that-is-long.pcap another-name.pcap # it goes above this line
  iwarp stats y.pcap # the column of the others
  iwarp decode -o jsonl x.pcap | jq 'a filter in quotation marks, which stays in one piece'`
	const want = `  iwarp check x.pcap                                # short
  iwarp check a-rather-long-name.pcap another.pcap  # what moves to the left
  iwarp stats x.pcap
  # it goes above this line
  iwarp check a-name-that-is-long.pcap another-name.pcap
  iwarp stats y.pcap                                # the column of the others
  iwarp decode -o jsonl x.pcap | jq \
      'a filter in quotation marks, which stays in one piece'`
	if got := foldExamples(in); got != want {
		t.Errorf("got\n%s", got)
	}
}
