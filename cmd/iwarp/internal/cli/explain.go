package cli

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/fatih/color"
	"github.com/spf13/cobra"

	"github.com/iwarpkit/iwarp/cmd/internal/exit"
	"github.com/iwarpkit/iwarp/cmd/internal/usage"
	"github.com/iwarpkit/iwarp/dissect/explain"
	"github.com/iwarpkit/iwarp/dissect/show/text"
	"github.com/iwarpkit/iwarp/dissect/show/tree"
	"github.com/iwarpkit/iwarp/internal/printable"
)

// explanation holds the flags of the command.
type explanation struct {
	*app
	output choice
}

func newExplain(a *app) *cobra.Command {
	x := &explanation{app: a, output: usage.NewChoice("text", "text", "json")}
	cmd := &cobra.Command{
		Use:     "explain [NAME | OCTETS | -]",
		GroupID: groupOther,
		Short:   "Explain an iWARP code, id, field or term",
		Long: `Say what a name or number means, which document says so, which peers differ, and
which command shows it in a capture. NAME is a Terminate code, a requirement, a
section of an RFC, a rule or observation of iwarp check, a message, a field, a
term, or a line of a log with one of these. It may be several words. OCTETS are
an MPA frame, FPDUs or headers in hexadecimal, also as hex dumps print them; "-"
reads the NAME or OCTETS from standard input. Without NAME, explain prints a
guide. The exit status is 2 if NAME is unknown; similar names are listed then.`,
		Example: `  iwarp explain 1/2/05       # a Terminate code; 0x1205 is the same
  iwarp explain opcode 10
  iwarp explain iwarp_ddp.stag
  iwarp explain MPA-1.2-2    # a requirement
  iwarp explain RFC 5040 section 4.8
  iwarp explain 1205c000 0044 4143 00000000 00000000 00000007 00000000
  iwarp explain -o json IRD | jq -r '.entries[0].text[]'`,
		Args:              cobra.ArbitraryArgs,
		ValidArgsFunction: completeExplain,
		RunE: func(_ *cobra.Command, args []string) error {
			query := strings.TrimSpace(strings.Join(args, " "))
			if query == "-" {
				b, err := io.ReadAll(io.LimitReader(x.In, maxExplained))
				if err != nil {
					return unreadable(err)
				}
				query = string(b)
			}
			return x.run(query)
		},
	}
	x.output.AddTo(cmd, cmd.Flags(), "output", "o", "`FORMAT` of the output")
	return cmd
}

// maxExplained is the number of octets that are read from standard input.
const maxExplained = 1 << 20

// suggestions is how many names are suggested for an unknown one.
const suggestions = 8

func (x *explanation) run(query string) error {
	var entries []explain.Entry
	if strings.TrimSpace(query) != "" {
		if entries = append(explain.Lookup(query), explainLive(query)...); len(entries) == 0 {
			return &exit.Failure{Code: exit.Usage, Err: errors.New(notKnown(query))}
		}
	}
	w := bufio.NewWriter(x.Out)
	switch {
	case x.output.Value == "json":
		if entries == nil {
			entries = []explain.Entry{}
		}
		_ = printable.WriteJSON(w, explainReport{"iwarp.explain/1", query, entries}) // Flush reports what cannot be written
	case entries == nil:
		_, _ = io.WriteString(w, guide)
	default:
		p := explainPrinter{w: w, width: x.lineWidth(x.OutIsTerminal)}
		if x.colored(x.OutIsTerminal) {
			p.title, p.label = style(color.FgCyan, color.Bold), style(color.Bold)
		}
		p.entries(entries)
	}
	if err := w.Flush(); err != nil {
		return unreadable(err)
	}
	return nil
}

// explainReport is the form of iwarp explain -o json.
type explainReport struct {
	Schema  string          `json:"schema"`
	Query   string          `json:"query"`
	Entries []explain.Entry `json:"entries"`
}

const guide = `iwarp explain NAME says what NAME means. It knows

  Terminate codes       1/2/05, term 1/2/05, 0x1205, layer 1 type 2 code 5
  groups of them        1/2, layer 1
  messages              SendInvalidate, RDMA Write, opcode 10
  header fields         STag, SinkTO, ULPDU_Length, iwarp_ddp.stag
  terms                 FPDU, Marker, IRD, RTR, Invalidate, RDMAC, siw, nvmet
  small numbers         aopcode 2, qn 1, rev 2
  errors                Invalid STag, send-too-long
  requirements          MPA-1.2-2, DDP-5.3-4
  sections              RFC 5040 section 4.8, 5040/4.8
  octets                4d504120..., a hex dump, or - for standard input
  findings of check     OBS-NO-REPLY, send-msn
  RPC and NFS           RDMA_NOMSG, ERR_CHUNK, NFSv3 READ, NFS4ERR_DELAY
  statuses              IBV_WC_REM_ACCESS_ERR, RDMA_CM_EVENT_REJECTED, EPIPE,
                        LBA Out of Range, STATUS_ACCESS_DENIED
  kernel messages       of siw, xprtrdma, svcrdma; statuses of cxgb4, irdma,
                        NVMe, iSER, SMB
  cases of conform      RFC5041/7.1/stag-without-right
  quirks of serve       drops-bad-stag, bad-crc
  symptoms              mount hangs, connection refused, slow, CRC errors

Case and punctuation do not matter in names. NAME may be a line of a log with a
code or an id. With completion set up (iwarp completion --help), the tab key
lists names.
`

// notKnown is the error about an unknown name, with similar ones.
func notKnown(query string) string {
	query = shorten(query, 60)
	near := nearCases(query)
	near = append(near, explain.Nearest(query, suggestions-len(near))...)
	if len(near) == 0 {
		return fmt.Sprintf("nothing is known about %q; run 'iwarp explain' for what it knows", query)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "nothing is known about %q; similar names are", query)
	for _, s := range near {
		fmt.Fprintf(&b, "\n  %-22s  %s", s.Query, shorten(s.Title, foldWidth-26))
	}
	return b.String()
}

// shorten cuts a text that is longer than n characters.
func shorten(s string, n int) string {
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	return string([]rune(s)[:n-3]) + "..."
}

// completeExplain completes the last word of a query.
func completeExplain(_ *cobra.Command, args []string, last string) ([]cobra.Completion, cobra.ShellCompDirective) {
	before := ""
	if len(args) > 0 {
		before = strings.Join(args, " ") + " "
	}
	var all []cobra.Completion
	for _, s := range explain.Complete(before + last) {
		completion := cobra.CompletionWithDesc(s.Query[len(before):], shorten(s.Title, 60))
		if !slices.Contains(all, completion) {
			all = append(all, completion)
		}
	}
	return all, cobra.ShellCompDirectiveNoFileComp
}

// An explainPrinter writes entries as text. Its writer keeps errors.
type explainPrinter struct {
	w            *bufio.Writer
	width        int // characters in a line
	title, label text.Style
	buf          []byte
}

func (p *explainPrinter) line(s string) { _, _ = p.w.WriteString(s + "\n") }

// manyEntries is the number of entries from which on they are listed, and not written in full.
const manyEntries = 6

// entries writes what a query can mean: all of it, or of many meanings a list.
func (p *explainPrinter) entries(all []explain.Entry) {
	listed := len(all) >= manyEntries
	width := 0
	for i := range all {
		width = max(width, utf8.RuneCountInString(all[i].Name))
		listed = listed && all[i].Body == nil
	}
	for i := range all {
		e := &all[i]
		switch {
		case listed:
			pad := strings.Repeat(" ", width-utf8.RuneCountInString(e.Name))
			p.wrapped(p.title.On+e.Name+p.title.Off+pad+"  ", strings.Repeat(" ", width+2), e.Title, width+2)
			continue
		case i > 0:
			p.line("")
		}
		p.entry(e)
	}
	if listed {
		p.line(fmt.Sprintf("\nThese are %d meanings; iwarp explain with one of these names says more.", len(all)))
	}
}

func (p *explainPrinter) entry(e *explain.Entry) {
	p.wrapped(p.title.On+e.Name+p.title.Off+"  ", "    ", e.Title, utf8.RuneCountInString(e.Name)+2)
	for _, paragraph := range e.Text {
		p.line("")
		p.wrapped("  ", "  ", paragraph, 2)
	}
	if len(e.Facts) > 0 {
		p.line("")
		p.facts(e.Facts)
	}
	p.cases("The RFCs demand it if", e.Cases, func(c *explain.Case) bool { return c.Demanded })
	p.cases("The RFCs leave it open, and iwarp expects it, if", e.Cases, func(c *explain.Case) bool { return c.Decided })
	p.cases("It is accepted too if", e.Cases, func(c *explain.Case) bool { return !c.Demanded && !c.Decided })
	if e.Advice != "" {
		p.section("Advice")
		p.wrapped("    ", "    ", e.Advice, 4)
	}
	if e.LookFor != "" {
		p.section("Look for")
		p.wrapped("    ", "    ", e.LookFor, 4)
	}
	if len(e.Peers) > 0 {
		p.section("Peers")
		p.peers(e.Peers)
	}
	if e.Body != nil {
		p.line("")
		t := tree.New(p.w, tree.Options{Width: p.width})
		t.Body(e.Body)
		_ = t.Flush() // the writer keeps the error
	}
	if len(e.See) > 0 {
		p.section("See also")
		p.wrapped("    ", "    ", strings.Join(e.See, ", "), 4)
	}
	p.section("Sources")
	p.wrapped("    ", "    ", strings.Join(e.Sources, "; "), 4)
	if e.Show == "" {
		return
	}
	where := "In a capture"
	if e.Kind == explain.KindCase || e.Kind == explain.KindQuirk {
		where = "To run it"
	}
	p.section(where)
	p.line("    " + e.Show)
}

func (p *explainPrinter) section(title string) { p.line("\n  " + p.label.On + title + p.label.Off) }

// facts writes a column of names and one of values.
func (p *explainPrinter) facts(facts []explain.Fact) {
	width := 0
	for _, f := range facts {
		width = max(width, utf8.RuneCountInString(f.Name))
	}
	for _, f := range facts {
		pad := strings.Repeat(" ", width-utf8.RuneCountInString(f.Name))
		p.wrapped("  "+p.label.On+f.Name+p.label.Off+pad+"  ", strings.Repeat(" ", width+4), f.Value, width+4)
	}
}

// cases writes the errors that are of a kind.
func (p *explainPrinter) cases(title string, cases []explain.Case, of func(*explain.Case) bool) {
	for i, first := 0, true; i < len(cases); i++ {
		if !of(&cases[i]) {
			continue
		}
		if first {
			p.section(title)
			first = false
		}
		p.wrapped("  - ", "    ", cases[i].Text+" ("+cases[i].Situation+")", 4)
	}
}

// peers writes how each peer differs, after its name.
func (p *explainPrinter) peers(peers []explain.Peer) {
	width := 0
	for i := range peers {
		width = max(width, len(peers[i].Name))
	}
	for i := range peers {
		name := fmt.Sprintf("    %-*s  ", width, peers[i].Name)
		for _, note := range peers[i].Notes {
			p.wrapped(name, strings.Repeat(" ", width+8), note, width+6)
			name = strings.Repeat(" ", width+6)
		}
	}
}

// wrapped writes words in lines of at most p.width characters. The first line begins with first, which is used columns
// wide, the others with indent.
func (p *explainPrinter) wrapped(first, indent, words string, used int) {
	p.buf = text.AppendWrapped(p.buf[:0], p.width, first, used, indent, words)
	_, _ = p.w.Write(p.buf)
}
