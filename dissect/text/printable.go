package text

import "github.com/iwarpkit/iwarp/dissect/internal/printable"

// AppendPrintable appends s, such as the name of a file, so that it cannot steer the terminal that shows it: octets that
// are not UTF-8, control characters and what changes how its neighbours are shown are written as \x1b or \u202e. What is
// appended is valid UTF-8 without line feeds.
func AppendPrintable(dst []byte, s string) []byte { return printable.Append(dst, s) }
