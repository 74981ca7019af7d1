package cli

// The names of files, as they were given and as they are shown.

import (
	"github.com/iwarpkit/iwarp/internal/printable"
	"github.com/iwarpkit/iwarp/pcaps"
)

// displayName is what a person is shown: the name of a file must not steer the terminal.
func displayName(file string) string { return shown(plainName(file)) }

// plainName is what programs are told.
func plainName(file string) string {
	if file == pcaps.Stdin {
		return "standard input"
	}
	return file
}

func plainNames(files []string) []string {
	names := make([]string, len(files))
	for i, file := range files {
		names[i] = plainName(file)
	}
	return names
}

// shown is s as a terminal may show it. Lines stay.
func shown(s string) string { return printable.Lines(s) }
