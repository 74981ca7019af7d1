package explain

// Octets in hexadecimal, as people copy them: plain, with 0x, blanks or commas, and as hex dumps print them.

import (
	"cmp"
	"encoding/hex"
	"strconv"
	"strings"
)

// maxHex is the number of characters of which octets are read: more than the hex dump of an FPDU has.
const maxHex = 1 << 19

var (
	// dumpOffset is what stands before the octets in a line of a hex dump.
	dumpOffset = pattern(`^\s*(?:0x)?([0-9a-fA-F]{4,8})(?::\s*|\s+|$)`)
	// hexSigns stand between octets and mean nothing.
	hexSigns = strings.NewReplacer("0x", " ", "0X", " ", `\x`, " ", ",", " ", ";", " ", "{", " ", "}", " ", `"`, " ")
	hexGroup = pattern(`^(?:[0-9a-fA-F]{2})+$`)
	// octetGroup separates octets by colons or hyphens.
	octetGroup = pattern(`^[0-9a-fA-F]{2}(?:[:-][0-9a-fA-F]{2})+$`)
)

// parseHex reads octets. It returns nil if text is anything else.
func parseHex(text string) []byte {
	if len(text) > maxHex {
		return nil
	}
	if b := parseDump(text); b != nil {
		return b
	}
	b, _ := parseGroups(hexSigns.Replace(text))
	return b
}

// parseGroups reads groups of octets, separated by white space. ok is false if anything else is among them.
func parseGroups(text string) (b []byte, ok bool) {
	for _, group := range strings.Fields(text) {
		if octetGroup().MatchString(group) {
			group = strings.NewReplacer(":", "", "-", "").Replace(group)
		}
		if !hexGroup().MatchString(group) {
			return nil, false
		}
		octets, _ := hex.DecodeString(group) // the pattern has seen to it
		b = append(b, octets...)
	}
	return b, true
}

// parseDump reads the lines of a hex dump, which begin with the offset of their octets and may end with these octets as text. It
// returns nil if the offsets do not count the octets.
func parseDump(text string) (b []byte) {
	lines := strings.Split(strings.TrimRight(text, "\r\n \t"), "\n")
	for i, line := range lines {
		m := dumpOffset().FindStringSubmatch(line)
		if m == nil || offsetOf(m[1]) != len(b) || len(lines) == 1 && !strings.ContainsAny(m[0], ":") && !strings.HasSuffix(m[0], "  ") {
			return nil
		}
		count := -1 // octets of the line, if another follows
		if i+1 < len(lines) {
			next := dumpOffset().FindStringSubmatch(lines[i+1])
			if next == nil {
				return nil
			}
			count = offsetOf(next[1]) - len(b)
		}
		octets := dumpOctets(line[len(m[0]):], count)
		if count >= 0 && len(octets) != count {
			return nil
		}
		b = append(b, octets...)
	}
	return b
}

// offsetOf reads an offset that dumpOffset has found.
func offsetOf(digits string) int {
	v, _ := strconv.ParseUint(digits, 16, 32)
	return int(v)
}

// dumpOctets reads the octets of a line of a hex dump, after the offset: count of them, or with -1 as many as there are before
// what shows them as text.
func dumpOctets(line string, count int) (b []byte) {
	line, _, _ = strings.Cut(line, "|")
	width := 0 // of the first group
	for column := range strings.SplitSeq(strings.TrimSpace(line), "  ") {
		groups := strings.Fields(column)
		if count < 0 && (len(groups) == 0 || width > 0 && len(groups[0]) != width) {
			break
		}
		for _, group := range groups {
			octets, ok := parseGroups(group)
			if !ok || count >= 0 && len(b)+len(octets) > count {
				return b
			}
			width = cmp.Or(width, len(group))
			if b = append(b, octets...); len(b) == count {
				return b
			}
		}
	}
	return b
}
