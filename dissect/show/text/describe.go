package text

import "github.com/iwarpkit/iwarp/dissect/record"

// A Describer says of messages and MPA frames what a Printer shows behind its columns, without colours. The zero value
// is ready. It allocates nothing in the steady state.
type Describer struct{ p Printer }

// AppendMessage appends the header fields of a message that matter, each after a space: " MSN=1".
func (d *Describer) AppendMessage(dst []byte, m *record.Message) []byte {
	d.p.line = dst
	d.p.headers(m)
	return d.p.line
}

// AppendStartupFrame appends the fields of an MPA frame that matter, each after a space: " Markers=no CRC=yes Rev=1".
func (d *Describer) AppendStartupFrame(dst []byte, f *record.Startup) []byte {
	d.p.line = dst
	d.p.startup(f)
	return d.p.line
}
