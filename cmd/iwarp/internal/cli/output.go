package cli

import (
	"fmt"
	"io"
	"os"
)

// create prepares the file called name for output, or standard output if name is empty or "-". The file is made, and
// what it held is lost, with the first octet that is written, or by finish: an input that cannot be read does no harm.
// terminal reports whether a person sees it. finish must be called when all is written; written files are complete only if
// it returns nil.
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

// writtenName is what a person is shown of the name that create was given.
func writtenName(name string) string {
	if name == "" || name == "-" {
		return "standard output"
	}
	return name
}

// stat is os.Stat, of standard input too.
func (a *app) stat(input string) (os.FileInfo, error) {
	if file, ok := a.In.(*os.File); ok && input == "-" {
		return file.Stat()
	}
	return os.Stat(input)
}

// An outputFile is made when something is written.
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

// Close completes the file, and makes it if nothing was written.
func (o *outputFile) Close() error {
	if err := o.make(); err != nil {
		return err
	}
	return o.file.Close()
}
