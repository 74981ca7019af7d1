package cli

// Names of files, for people and for programs.

import (
	"github.com/iwarpkit/iwarp/internal/printable"
	"github.com/iwarpkit/iwarp/pcaps"
)

// displayName is the name for people, without octets that control the terminal.
func displayName(file string) string { return shown(plainName(file)) }

// plainName is the name for programs.
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

// shown is s without octets that control a terminal, except line feeds.
func shown(s string) string { return printable.Lines(s) }
