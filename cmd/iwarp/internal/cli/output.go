package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
)

// create prepares the file called name for output, or standard output if name is empty or "-". The file is created or
// truncated by the first write, or by finish, so that an unreadable input does no harm. terminal reports whether the output
// is a terminal. finish must be called after the last write; the file is complete only if it returns nil.
func (a *app) create(name string, inputs []string) (w io.Writer, terminal bool, finish func() error, err error) {
	if name == "" || name == "-" {
		return a.Out, a.OutIsTerminal, func() error { return nil }, nil
	}
	if out, err := os.Stat(name); err == nil {
		for _, input := range inputs {
			if in, err := a.stat(input); err == nil && os.SameFile(in, out) {
				return nil, false, nil, fmt.Errorf("%s is both input and output; choose another output file", name)
			}
		}
	}
	file := &outputFile{name: name}
	return file, false, file.Close, nil
}

// writtenName is the name given to create, for people.
func writtenName(name string) string {
	if name == "" || name == "-" {
		return "standard output"
	}
	return name
}

// stat is os.Stat, also of standard input.
func (a *app) stat(input string) (os.FileInfo, error) {
	if file, ok := a.In.(*os.File); ok && input == "-" {
		return file.Stat()
	}
	return os.Stat(input)
}

// An outputFile is created by the first write.
type outputFile struct {
	name string
	file *os.File
}

func (o *outputFile) make() (err error) {
	if o.file == nil {
		o.file, err = os.Create(o.name)
	}
	return err
}

func (o *outputFile) Write(b []byte) (int, error) {
	if err := o.make(); err != nil {
		return 0, err
	}
	return o.file.Write(b)
}

// Close completes the file, and creates it if nothing was written.
func (o *outputFile) Close() error {
	if err := o.make(); err != nil {
		return err
	}
	return o.file.Close()
}

// writeJSON writes a value as indented JSON.
func writeJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(v)
}
