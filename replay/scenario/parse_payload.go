package scenario

import (
	"encoding/hex"
	"strconv"
	"strings"
)

// octetsInto reads the octets up to the end of the line into dst. Lines that begin with | continue it.
func (p *parser) octetsInto(dst *Payload) {
	if p.payload != dst {
		p.payload, p.octets = dst, dst.Len()
	}
	for p.more {
		t := p.next
		part := p.part(t)
		p.advance()
		if n := len(*dst); n > 0 && (*dst)[n-1].Any == Rest {
			p.fail(t, "nothing can follow ?*, which stands for the rest")
		}
		if p.octets += part.Len(); p.octets > MaxPayload {
			p.fail(t, "more than %d octets", MaxPayload)
		}
		p.hold(t, len(part.Octets)*max(1, part.Times))
		if !part.literal() {
			p.hold(t, partHeld)
		}
		*dst = dst.Append(part)
	}
}

// part reads one item: digits or a text, both with or without *N after it, $name:be32, or ?*N.
func (p *parser) part(t token) Part {
	switch t.text[0] {
	case '$':
		return p.insertion(t)
	case '?':
		return Part{Any: p.any(t)}
	case '"':
		end := 1 + strings.IndexByte(t.text[1:], '"')
		return p.repeated(t, []byte(t.text[1:end]), t.text[end+1:])
	}
	digits, times := t.text, ""
	if at := strings.IndexByte(t.text, '*'); at >= 0 {
		digits, times = t.text[:at], t.text[at:]
	}
	octets, err := hex.DecodeString(digits)
	p.mustBe(err == nil, t, "octets: hexadecimal digits, two for each octet, or a text in quotation marks")
	return p.repeated(t, octets, times)
}

// repeated returns octets and how often they are repeated; times is *N, or empty for once.
func (p *parser) repeated(t token, octets []byte, times string) Part {
	if times == "" {
		return Part{Octets: octets}
	}
	n, err := strconv.ParseUint(strings.TrimPrefix(times, "*"), 10, 31)
	p.mustBe(err == nil && times[0] == '*' && n > 0, token{times, t.at + len(t.text) - len(times)}, "* and a number of times")
	if n > MaxPayload || int(n)*len(octets) > MaxPayload {
		p.fail(t, "more than %d octets", MaxPayload)
	}
	return Part{Octets: octets, Times: int(n)}
}

// insertion reads a variable within octets: $name:be32.
func (p *parser) insertion(t token) Part {
	name, encoding, ok := strings.Cut(t.text, ":")
	if !ok {
		p.fail(t, "the encoding of %s is missing: such as %s:be32, %s:le64", clip(name), clip(name), clip(name))
	}
	at := token{encoding, t.at + len(name) + 1}
	little := strings.HasPrefix(encoding, "le")
	bits, err := strconv.Atoi(strings.TrimPrefix(strings.TrimPrefix(encoding, "be"), "le"))
	e := Encoding{Octets: bits / 8, LittleEndian: little}
	p.mustBe(err == nil && e.Octets >= 1 && e.Octets <= 8 && e.String() == encoding, at, "an encoding: be or le and 8 to 64 bits, such as be32")
	return Part{Ref: p.reference(token{name, t.at}), Encoding: e}
}

// any reads ?*N, which is N octets, or ?*, which is the rest.
func (p *parser) any(t token) int {
	if t.text == "?*" {
		return Rest
	}
	n, err := strconv.ParseUint(strings.TrimPrefix(t.text, "?*"), 10, 31)
	p.mustBe(err == nil && n > 0 && n <= MaxPayload, t, "?* and a number of octets")
	return int(n)
}
