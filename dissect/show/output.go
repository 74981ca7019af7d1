package show

import (
	"bufio"
	"io"
)

// An Output is where a printer writes, through a buffer. Nothing is written after the first error.
type Output struct{ buffer *bufio.Writer }

// NewOutput returns an Output to w.
func NewOutput(w io.Writer) Output { return Output{bufio.NewWriterSize(w, 64<<10)} }

// Write implements io.Writer. Its error is that of Err, too.
func (o Output) Write(b []byte) (int, error) { return o.buffer.Write(b) }

// WriteString implements io.StringWriter.
func (o Output) WriteString(s string) (int, error) { return o.buffer.WriteString(s) }

// Flush writes what is buffered. It returns the first error that writing has met.
func (o Output) Flush() error { return o.buffer.Flush() }

// Err returns the first error that writing has met.
func (o Output) Err() error {
	_, err := o.buffer.Write(nil)
	return err
}
