package cli

// Tables that fit a width.

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/iwarpkit/iwarp/dissect/show/text"
	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/renderer"
	"github.com/olekukonko/tablewriter/tw"
)

// A table has a line for its header and one for each row. Columns are two spaces apart.
type table struct {
	header []string
	left   int   // columns, from the first, that are not numbers
	keys   int   // columns, from the first, that are repeated where the others take several blocks
	spare  []int // columns that are left out if they have zeros only
	words  int   // the column that has words, which may be cut so that the others fit; -1 if there is none
	wraps  bool  // words take several lines, and are not cut
	rows   [][]string
}

// leastWords is the least width of a column of words that are cut or wrapped.
const leastWords = 24

// newTable returns a table. left is the number of columns, from the first, that are not numbers.
func newTable(left int, header ...string) *table {
	return &table{header: header, left: left, keys: 1, words: -1}
}

// add adds a row, whose last cells may be missing.
func (t *table) add(cells ...string) { t.rows = append(t.rows, cells) }

// renderMost writes a table that leaves some rows out as render does, and says how many.
func (t *table) renderMost(b *bytes.Buffer, width, more int) {
	t.render(b, width)
	if more > 0 {
		fmt.Fprintf(b, "and %s more, which -o json has too\n", grouped(uint64(more)))
	}
}

// render writes the table in lines of at most width characters. Columns that do not fit follow in further blocks, below
// the others.
func (t *table) render(b *bytes.Buffer, width int) {
	blocks := t.blocks(width)
	if t.words >= 0 && len(blocks) > 1 {
		blocks = t.squeeze(width)
	}
	for i, block := range blocks {
		if i > 0 {
			b.WriteByte('\n')
		}
		for line := range bytes.Lines(t.block(block)) {
			fmt.Fprintf(b, "%s\n", bytes.TrimRight(line, " \n"))
		}
	}
}

func (t *table) block(columns []int) []byte {
	align := make([]tw.Align, len(columns))
	for n, i := range columns {
		align[n] = tw.AlignRight
		if i < t.left {
			align[n] = tw.AlignLeft
		}
	}
	var b bytes.Buffer
	lines := tablewriter.NewTable(&b,
		tablewriter.WithRenderer(renderer.NewBlueprint(tw.Rendition{
			Borders:  tw.BorderNone,
			Symbols:  tw.NewSymbols(tw.StyleASCII),
			Settings: tw.Settings{Separators: tw.SeparatorsNone, Lines: tw.Lines{ShowHeaderLine: tw.Off}},
		})),
		tablewriter.WithHeaderAutoFormat(tw.Off),
		tablewriter.WithHeaderAlignmentConfig(tw.CellAlignment{PerColumn: align}),
		tablewriter.WithRowAlignmentConfig(tw.CellAlignment{PerColumn: align}),
		tablewriter.WithRowAutoWrap(tw.WrapNone),
		tablewriter.WithPadding(tw.Padding{Right: "  ", Overwrite: true}),
	)
	lines.Header(pick(t.header, columns))
	for _, row := range t.rows {
		if cells := pick(row, columns); strings.Join(cells, "") != "" { // else words in another block wrap
			_ = lines.Append(cells) // takes any strings
		}
	}
	_ = lines.Render() // a buffer takes all
	return b.Bytes()
}

// pick returns the cells of some columns.
func pick(row []string, columns []int) []string {
	var cells []string
	for _, i := range columns {
		cells = append(cells, cell(row, i))
	}
	return cells
}

// blocks distributes the columns, each block with the keys first, and as many as fit in the last.
func (t *table) blocks(width int) (blocks [][]int) {
	var keys []int
	used := 0
	for i := range t.keys {
		keys = append(keys, i)
		used += t.width(i) + 2
	}
	var block []int
	column := used
	for i := len(t.header) - 1; i >= t.keys; i-- {
		if slices.Contains(t.spare, i) && !slices.ContainsFunc(t.rows, func(r []string) bool { return cell(r, i) != "0" }) {
			continue
		}
		n := t.width(i) + 2
		if len(block) > 0 && column+n-2 > width {
			blocks = slices.Insert(blocks, 0, slices.Concat(keys, block))
			block, column = nil, used
		}
		block, column = slices.Insert(block, 0, i), column+n
	}
	return slices.Insert(blocks, 0, slices.Concat(keys, block))
}

// squeeze cuts or wraps words until all columns fit beside each other, if that leaves enough of the words. Otherwise those that wrap have the
// width beside the keys.
func (t *table) squeeze(width int) [][]int {
	all, left := t.blocks(math.MaxInt), width
	for _, i := range all[0] {
		if i != t.words {
			left -= t.width(i) + 2
		}
	}
	if left < leastWords {
		if all = t.blocks(width); !t.wraps {
			return all
		}
		left = width
		for i := range t.keys {
			left -= t.width(i) + 2
		}
	}
	rows := t.rows
	t.rows = nil
	for _, row := range rows {
		for i, line := range t.fold(row[t.words], left) {
			if i > 0 {
				row = make([]string, len(row))
			}
			row[t.words] = line
			t.rows = append(t.rows, row)
		}
	}
	return all
}

// fold breaks words into lines of at most n characters, or cuts them.
func (t *table) fold(s string, n int) []string {
	if !t.wraps {
		return []string{t.shorten(s, n)}
	}
	lines := strings.Split(string(text.AppendWrapped(nil, max(n, leastWords), "", 0, "", s)), "\n")
	return lines[:len(lines)-1] // after the last there is nothing
}

// shorten cuts words that are longer than n characters: at the end, or in the first column after the first word.
func (t *table) shorten(s string, n int) string {
	const dots = " ... "
	first, _, _ := strings.Cut(s, " ")
	keep := n - utf8.RuneCountInString(first) - len(dots)
	if all := []rune(s); t.words == 0 && len(all) > n && keep > 0 {
		rest := all[len(all)-keep:]
		at := slices.Index(rest, ' ')
		if at < 0 {
			at = slices.Index(rest, '_')
		}
		return first + dots + string(rest[at+1:]) // from a whole word on, or a part of FSCTL_QUERY_NETWORK_INTERFACE_INFO
	}
	return shorten(s, n)
}

func (t *table) width(i int) int {
	n := utf8.RuneCountInString(t.header[i])
	for _, row := range t.rows {
		n = max(n, utf8.RuneCountInString(cell(row, i)))
	}
	return n
}

func cell(row []string, i int) string {
	if i < len(row) {
		return row[i]
	}
	return ""
}
