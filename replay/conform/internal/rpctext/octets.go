package rpctext

// Octets of a Scenario.

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
)

// A Word is 32 bits of a message, most significant octet first, or Any.
type Word int64

// Any is a Word of the peer that may be anything. It is zero when it is sent.
const Any Word = -1

// String returns the Word as octets of a Scenario.
func (w Word) String() string {
	if w < 0 {
		return "?*4"
	}
	return fmt.Sprintf("%08x", uint32(w))
}

// Words returns several Words, one after the other.
func Words(words ...Word) string {
	var all []string
	for _, w := range words {
		all = append(all, w.String())
	}
	return Join(all...)
}

// Join joins octets. It ignores empty ones.
func Join(parts ...string) string {
	var all []string
	for _, p := range parts {
		if p != "" {
			all = append(all, p)
		}
	}
	return strings.Join(all, " ")
}

// shortest is the length of the longest run of equal octets that is written octet by octet.
const shortest = 16

// Octets returns b as octets of a Scenario: 61*4096 if there are many and all are equal.
func Octets(b []byte) string {
	if len(b) > shortest && bytes.Count(b, b[:1]) == len(b) {
		return fmt.Sprintf("%02x*%d", b[0], len(b))
	}
	return fmt.Sprintf("%x", b)
}

// Cut returns the first n of some octets, which must be hexadecimal digits. It panics if there are fewer: the case is
// wrong.
func Cut(octets string, n int) string { return Part(octets, 0, n) }

// Part returns n octets after an offset, like Cut.
func Part(octets string, before, n int) string {
	digits := strings.ReplaceAll(octets, " ", "")
	if strings.ContainsAny(digits, `?*"$`) {
		panic(fmt.Sprintf("%q is not all digits", octets))
	}
	var words []string
	for digits = digits[2*before : 2*(before+n)]; len(digits) > 8; digits = digits[8:] {
		words = append(words, digits[:8])
	}
	return Join(append(words, digits)...)
}

// Plain returns octets as hexadecimal digits, without runs of equal octets such as 61*4096.
func Plain(octets string) string {
	words := strings.Fields(octets)
	for i, w := range words {
		if octet, times, run := strings.Cut(w, "*"); run {
			n, _ := strconv.Atoi(times) // cannot fail: Octets wrote it
			words[i] = strings.Repeat(octet, n)
		}
	}
	return Join(words...)
}

// Len returns the length in octets of hexadecimal digits.
func Len(octets string) int { return len(strings.ReplaceAll(octets, " ", "")) / 2 }

// Opaque returns data as an XDR opaque of variable length: its length, its octets, and up to three zeros (RFC 4506, section
// 4.10).
func Opaque(data []byte) string {
	return Join(Words(Word(len(data))), Octets(data), strings.Repeat("00", Padding(len(data))))
}

// Padding returns how many octets are missing to a multiple of four, 0 to 3.
func Padding(n int) int { return -n & 3 }
