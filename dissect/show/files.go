package show

import (
	"strings"

	"github.com/iwarpkit/iwarp/dissect/record"
)

// FileOf is the file in which the connection of a verdict begins and ends; empty if that is not one of several, or if there are captures of
// both ends.
func FileOf(v *record.Verdict) string {
	file, _ := v.Conn.Frames.Place(v.Conn.Frame)
	if last, _ := v.Conn.Frames.Place(v.Conn.LastFrame); v.Ends != nil || last != file {
		return ""
	}
	return file
}

// Within leaves out of a sentence about a connection the file before frames, if it is the one that FileOf returns, and readers know that:
// because it is known to them before the sentence, or stands there before the frame that is named before.
func Within(file string, known bool, sentence string) string {
	var b strings.Builder
	for file != "" {
		before, after, found := strings.Cut(sentence, "frame")
		if !found {
			break
		}
		b.WriteString(before + "frame")
		for _, word := range []string{"s", " "} {
			if rest, ok := strings.CutPrefix(after, word); ok {
				b.WriteString(word)
				after = rest
			}
		}
		rest, own := strings.CutPrefix(after, file+":")
		if own && known {
			after = rest
		}
		known = known || own
		known = known && !namesPlace(rest) // of another file
		sentence = after
	}
	return b.String() + sentence
}

// namesPlace reports whether a number after a colon comes before the next frame.
func namesPlace(sentence string) bool {
	sentence, _, _ = strings.Cut(sentence, "frame")
	for i := 1; i < len(sentence); i++ {
		if sentence[i-1] == ':' && sentence[i] >= '0' && sentence[i] <= '9' {
			return true
		}
	}
	return false
}
