package cli

import (
	"fmt"
	"io"
	"os"
)

// create opens the file called name for output, or standard output if name is empty or "-". terminal tells whether a
// person sees it. finish must be called when all is written; written files are complete only if it returns nil.
func (a *app) create(name string, inputs []string) (w io.Writer, terminal bool, finish func() error, err error) {
	if name == "" || name == "-" {
		return a.Out, a.OutIsTerminal, func() error { return nil }, nil
	}
	if out, err := os.Stat(name); err == nil {
		for _, input := range inputs {
			if in, err := os.Stat(input); err == nil && os.SameFile(in, out) {
				return nil, false, nil, fmt.Errorf("%s is to be read and to be written; choose another file to write", name)
			}
		}
	}
	file, err := os.Create(name)
	if err != nil {
		return nil, false, nil, unreadable(err)
	}
	return file, false, file.Close, nil
}
