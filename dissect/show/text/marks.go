package text

// What stands at the end of a line: what is wrong with a message, and what it means to the upper layer.

import (
	"strconv"

	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/internal/printable"
	"github.com/iwarpkit/iwarp/internal/quantity"
)

// mark appends what is wrong with a message.
func (p *Printer) mark(words string) { p.markCount(0, "", words) }

// markCount appends what is wrong with a message: a number of things, unless that is 0, and what they are.
func (p *Printer) markCount(n uint64, thing, words string) {
	b := append(p.line, ' ')
	b = append(b, p.opts.Palette.Mark.On...)
	b = append(b, '[')
	if n > 0 {
		b = quantity.AppendCount(b, n, thing)
	}
	b = append(b, words...)
	b = append(b, ']')
	p.line = append(b, p.opts.Palette.Mark.Off...)
}

// maxMarks is how many findings are shown on a line.
const maxMarks = 8

func (p *Printer) findings(all []record.Mark) {
	for i := range all[:min(len(all), maxMarks)] {
		f := &all[i]
		style := &p.opts.Palette.Findings[f.Severity]
		b := append(p.line, ' ')
		b = append(b, style.On...)
		b = append(b, '[')
		b = AppendFinding(b, &f.Finding)
		if f.Count > 1 {
			b = append(b, "; "...)
			b = strconv.AppendInt(b, int64(f.Count), 10)
			b = append(b, " times"...)
		}
		b = append(b, ']')
		p.line = append(b, style.Off...)
	}
	if more := len(all) - maxMarks; more > 0 {
		p.markCount(uint64(more), "more finding", "")
	}
}

// AppendFinding appends what a finding says in short: "error DDP-5.2-5: MSN 7, expected MSN 5".
func AppendFinding(dst []byte, f *record.Finding) []byte {
	dst = append(dst, f.Severity.String()...)
	dst = append(dst, ' ')
	dst = append(dst, f.ID...)
	separator := ": "
	if f.Seen != "" {
		dst = printable.Append(append(dst, separator...), f.Seen)
		separator = ", "
	}
	if f.Expected != "" {
		dst = printable.Append(append(append(dst, separator...), "expected "...), f.Expected)
	}
	return dst
}

// upper appends the name of an upper-layer message.
func (p *Printer) upper(u *record.Upper) {
	b := append(p.line, ' ', ' ')
	b = append(b, p.opts.Palette.Upper.On...)
	b = AppendUpper(b, u)
	p.line = append(b, p.opts.Palette.Upper.Off...)
}

// AppendUpper appends an upper layer and the name of a message of it, and what joins that with its answer:
// "RPC-over-RDMA RDMA_MSG Call NFSv3 READ xid=0x5a000001".
func AppendUpper(dst []byte, u *record.Upper) []byte {
	dst = append(append(dst, u.ULP...), ' ')
	dst = printable.Append(dst, u.Name)
	if u.IDName != "" {
		dst = append(append(append(dst, ' '), u.IDName...), "=0x"...)
		dst = appendHex(dst, u.ID, 32)
	}
	return dst
}
