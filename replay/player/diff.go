package player

// What a difference shows, and its text.

import (
	"bytes"
	"fmt"

	"github.com/iwarpkit/iwarp/replay/outcome"
	"github.com/iwarpkit/iwarp/replay/scenario"
)

// difference returns the first difference that d shows.
func difference(d *outcome.Diff) string {
	if !bytes.Equal(d.Expected, d.Actual) {
		for _, f := range d.Fields() {
			switch {
			case !f.Differs:
			case f.Actual == "":
				return f.Name + " is missing, expected " + f.Expected
			case f.Expected == "":
				return f.Name + " is " + f.Actual + ", expected none"
			default:
				return f.Name + " is " + f.Actual + ", expected " + f.Expected
			}
		}
		return "the header differs"
	}
	at := d.Want.From + common(d.Want.Octets, d.Got.Octets)
	if d.Want.Length >= 0 && d.Want.Length != d.Got.Length {
		return fmt.Sprintf("the payload has %d octets, expected %d", d.Got.Length, d.Want.Length)
	}
	for i := range min(len(d.Want.Octets), len(d.Got.Octets)) {
		if d.Want.Octets[i] != d.Got.Octets[i] && !(d.Want.Any != nil && d.Want.Any[i]) {
			at = d.Want.From + i
			break
		}
	}
	return fmt.Sprintf("the payload differs at octet %d", at)
}

// streamDiff shows unexpected octets.
func streamDiff(b []byte) *outcome.Diff {
	return &outcome.Diff{Layer: outcome.Stream, Got: outcome.NewExcerpt(b, nil, 0, len(b))}
}

// head copies the octets of an FPDU or ULPDU that may be headers.
func head(b []byte) []byte { return append([]byte{}, b[:min(len(b), outcome.MaxHeader)]...) }

// common returns the length of the longest common prefix of a and b.
func common(a, b []byte) (n int) {
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}

// render returns the octets of a payload. mask is set for wildcards, unknown variables included.
func render(payload scenario.Payload, values scenario.Values) (octets []byte, mask []bool) {
	for i := range payload {
		part := &payload[i]
		from := len(octets)
		b, err := payload[i:i+1].AppendOctets(octets, values)
		if err != nil {
			b = append(octets, make([]byte, part.Len())...)
		}
		octets = b
		for range len(octets) - from {
			mask = append(mask, err != nil || part.Any != 0)
		}
	}
	return octets, mask
}

// wanted returns an excerpt of an expected payload around an offset.
func wanted(payload scenario.Payload, values scenario.Values, at int) outcome.Excerpt {
	at = min(at, payload.Len())
	from := max(0, at-16) &^ 15
	octets, mask := render(payload.Slice(from, from+outcome.MaxExcerpt), values)
	e := outcome.NewExcerpt(octets, mask, 0, bound(payload))
	e.From = from
	return e
}
