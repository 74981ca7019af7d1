package page

// Words of judges, as a page shows them.

import (
	"slices"
	"strconv"
	"strings"

	"github.com/iwarpkit/iwarp/internal/printable"
	"github.com/iwarpkit/iwarp/internal/quantity"
)

// counted are the things whose numbers have commas. Other numbers, such as those of frames, have none.
var counted = []string{"octets", "messages", "packets", "requests", "segments", "FPDUs", "connections", "times"}

// sentence is text of a judge. It counts in the digits of the page's tables: "281,316 octets".
func sentence(s string) string {
	s = printable.String(s)
	var b strings.Builder
	done := 0
	for i := 0; i < len(s); i++ {
		if s[i] < '0' || s[i] > '9' {
			continue
		}
		end := i + 1
		for end < len(s) && s[end] >= '0' && s[end] <= '9' {
			end++
		}
		if end-i >= 4 && (i == 0 || s[i-1] == ' ') && isCount(s[end:]) {
			if n, err := strconv.ParseUint(s[i:end], 10, 64); err == nil {
				b.WriteString(s[done:i] + quantity.Grouped(n))
				done = end
			}
		}
		i = end
	}
	return b.String() + s[done:]
}

// isCount reports whether the text after a number says that it is one of things: " octets", " of 2000 octets".
func isCount(rest string) bool {
	if of, ok := strings.CutPrefix(rest, " of "); ok {
		rest = strings.TrimLeft(of, "0123456789")
	}
	thing, ok := strings.CutPrefix(rest, " ")
	if end := strings.IndexAny(thing, " .,;:)"); end >= 0 {
		thing = thing[:end]
	}
	return ok && slices.Contains(counted, thing)
}
