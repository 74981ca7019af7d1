package printable

import "strings"

// Lines is String, but keeps line feeds.
func Lines(s string) string {
	var b []byte
	for line := range strings.Lines(s) {
		before, feed := strings.CutSuffix(line, "\n")
		b = Append(b, before)
		if feed {
			b = append(b, '\n')
		}
	}
	return string(b)
}
