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

// Any is a Word that may be anything: of what the peer sends, that is. Whoever sends it sends zero.
const Any Word = -1

// String returns the Word as octets of a Scenario.
func (w Word) String() string {
	if w < 0 {
		return "?*4"
	}
	return fmt.Sprintf("%08x", uint32(w))
}

// Words returns several, one behind the other.
func Words(words ...Word) string {
	var all []string
	for _, w := range words {
		all = append(all, w.String())
	}
	return Join(all...)
}

// Join puts octets one behind the other. Empty ones leave no trace.
func Join(parts ...string) string {
	var all []string
	for _, p := range parts {
		if p != "" {
			all = append(all, p)
		}
	}
	return strings.Join(all, " ")
}

// shortest is how many octets are written one by one although all are the same.
const shortest = 16

// Octets returns the octets of a Scenario that stand for b: 61*4096 if there are many and all are the same.
func Octets(b []byte) string {
	if len(b) > shortest && bytes.Count(b, b[:1]) == len(b) {
		return fmt.Sprintf("%02x*%d", b[0], len(b))
	}
	return fmt.Sprintf("%x", b)
}

// Cut returns what is left of octets of which only the first n are sent. They are in hexadecimal digits alone, and are at
// least n: it panics for others, as for a case that is wrong.
func Cut(octets string, n int) string { return Part(octets, 0, n) }

// Part returns n octets of others, which are in hexadecimal digits alone.
func Part(octets string, before, n int) string {
	digits := strings.ReplaceAll(octets, " ", "")
	if strings.ContainsAny(digits, `?*"$`) {
		panic(fmt.Sprintf("not all of %q is in digits", octets))
	}
	var words []string
	for digits = digits[2*before : 2*(before+n)]; len(digits) > 8; digits = digits[8:] {
		words = append(words, digits[:8])
	}
	return Join(append(words, digits)...)
}

// Plain returns octets in hexadecimal digits alone, which had runs of the same octet such as 61*4096.
func Plain(octets string) string {
	words := strings.Fields(octets)
	for i, w := range words {
		if octet, times, run := strings.Cut(w, "*"); run {
			n, _ := strconv.Atoi(times) // it is our own
			words[i] = strings.Repeat(octet, n)
		}
	}
	return Join(words...)
}

// Len returns how many octets there are in hexadecimal digits.
func Len(octets string) int { return len(strings.ReplaceAll(octets, " ", "")) / 2 }

// Opaque returns data as an XDR opaque of variable length: its length, its octets, and up to three zeros (RFC 4506, section
// 4.10).
func Opaque(data []byte) string {
	return Join(Words(Word(len(data))), Octets(data), strings.Repeat("00", Padding(len(data))))
}

// Padding returns how many octets fill n octets up to a multiple of four, 0 to 3.
func Padding(n int) int { return -n & 3 }
