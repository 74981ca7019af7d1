package compile

// The octets of a step.

import (
	"slices"

	"github.com/iwarpkit/iwarp/replay/scenario"
)

// A ref is a variable within octets.
type ref struct {
	at       int
	value    scenario.Value
	encoding scenario.Encoding
}

// minRun is the shortest run of equal octets that is written as a repetition.
const minRun = 16

// add appends octets, and a number of unknown ones. Octets beyond the limit are unknown; then kept is false.
func (b *body) add(c *Compiler, octets []byte, unknown int) (kept bool) {
	if b.more = b.more || len(b.octets)+len(octets)+unknown > scenario.MaxPayload; b.more {
		return false
	}
	if kept = c.take(len(octets)); !kept {
		octets, unknown = nil, unknown+len(octets)
	}
	if b.more = unknown > max(c.options.Memory/4, 64<<10)-c.blanks; b.more {
		return false
	}
	c.blanks += unknown
	b.octets = append(b.octets, octets...)
	if unknown > 0 {
		at := len(b.octets)
		b.octets = append(b.octets, make([]byte, unknown)...)
		b.unknown = append(b.unknown, extent{at, at + unknown})
	}
	return kept
}

// filled gives back the room for unknown octets, of which a Payload has only the number.
func (b *body) filled(c *Compiler) {
	for _, u := range b.unknown {
		c.blanks -= u.to - u.from
	}
}

// slice returns the octets from one offset up to another, without refs.
func (b *body) slice(from, to int) body {
	s := body{octets: b.octets[from:to:to]}
	for _, u := range b.unknown {
		if lo, hi := max(u.from, from), min(u.to, to); lo < hi {
			s.unknown = append(s.unknown, extent{lo - from, hi - from})
		}
	}
	return s
}

// refer puts a variable into the octets. It fails if the place has another one, or unknown octets.
func (b *body) refer(r ref) bool {
	end := r.at + r.encoding.Octets
	for _, other := range b.refs {
		if r.at < other.at+other.encoding.Octets && other.at < end {
			return other == r
		}
	}
	for _, u := range b.unknown {
		if r.at < u.to && u.from < end {
			return false
		}
	}
	b.refs = append(b.refs, r)
	return true
}

// payload makes parts of the octets. Without room for parts, repetitions are written out.
func (b *body) payload(c *Compiler) (p scenario.Payload) {
	slices.SortFunc(b.refs, func(a, b ref) int { return a.at - b.at })
	at, refs, unknown := 0, b.refs, b.unknown
	for at < len(b.octets) {
		switch {
		case len(refs) > 0 && refs[0].at == at:
			p = p.Append(scenario.Part{Ref: refs[0].value, Encoding: refs[0].encoding})
			at += refs[0].encoding.Octets
			refs = refs[1:]
		case len(unknown) > 0 && unknown[0].from <= at:
			p = p.Append(scenario.Part{Any: unknown[0].to - at})
			at = unknown[0].to
			unknown = unknown[1:]
		default:
			end := len(b.octets)
			if len(refs) > 0 {
				end = min(end, refs[0].at)
			}
			if len(unknown) > 0 {
				end = min(end, unknown[0].from)
			}
			p = c.appendRuns(p, b.octets[at:end], at)
			at = end
		}
	}
	if b.more {
		p = p.Append(scenario.Part{Any: scenario.Rest})
	}
	return p
}

// wholeWords shortens a run of n octets, which begins at index from of octets at an offset, to whole words, which are
// easier to read. It leaves a run from a letter to the end of the octets as it is.
func wholeWords(octets []byte, from, n, offset int) (lead, length int) {
	const word = 4
	if last := from+n == len(octets); !last || from > 0 && (octets[from-1] < ' ' || octets[from-1] > '~') {
		lead = -(offset + from) & (word - 1)
	}
	if length = n - lead; from+n < len(octets) {
		length &^= word - 1
	}
	if length < minRun-word {
		return 0, n
	}
	return lead, length
}

// appendRuns appends octets at an offset, writing runs as repetitions.
func (c *Compiler) appendRuns(p scenario.Payload, octets []byte, offset int) scenario.Payload {
	from, at := 0, 0
	for at < len(octets) {
		n := 1
		for at+n < len(octets) && octets[at+n] == octets[at] {
			n++
		}
		if n >= minRun {
			lead, length := wholeWords(octets, at, n, offset)
			at, n = at+lead, length
		}
		if n >= minRun && c.take(partHeld) {
			p = p.Append(scenario.Part{Octets: octets[from:at]})
			p = p.Append(scenario.Part{Octets: octets[at : at+1 : at+1], Times: n})
			from = at + n
		}
		at += n
	}
	return p.Append(scenario.Part{Octets: octets[from:]})
}
