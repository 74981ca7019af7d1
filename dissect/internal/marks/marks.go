// Package marks keeps findings and upper-layer messages until the message comes that they are about, for printers that
// show them together.
package marks

import (
	"slices"

	"github.com/iwarpkit/iwarp/dissect/record"
)

// maxPending is how many of either wait at a time. An Analyser gives them just before their message, so few do.
const maxPending = 256

// Pending is what waits for its message. The zero value is empty. It allocates nothing in the steady state.
type Pending struct {
	Loose func(*record.Finding) // takes findings that turn out to be about no message; nil drops them

	findings []Finding
	uppers   []Upper
	taken    Taken
}

// A Finding is one or more findings of one id about a message: the first, and how many there are.
type Finding struct {
	record.Finding
	Count int
}

// An Upper is an upper-layer message, as far as it has a place on a line.
type Upper struct {
	record.Origin
	ULP, Name string
	ID        uint64
}

// Taken is what is about one message. It is valid until the next call of a method of Pending.
type Taken struct {
	Findings []Finding
	Uppers   []Upper
}

// Finding keeps a finding.
func (p *Pending) Finding(f *record.Finding) {
	for i := range p.findings {
		if k := &p.findings[i]; k.ID == f.ID && k.Conn == f.Conn && k.Dir == f.Dir {
			k.Count++
			k.LastFrame = max(k.LastFrame, f.LastFrame)
			return
		}
	}
	if len(p.findings) == maxPending {
		p.loose(&p.findings[0])
		p.findings = slices.Delete(p.findings, 0, 1)
	}
	p.findings = append(p.findings, Finding{*f, 1})
	p.findings[len(p.findings)-1].Also = slices.Clone(f.Also)
}

// Upper keeps an upper-layer message.
func (p *Pending) Upper(u *record.Upper) {
	if len(p.uppers) == maxPending {
		p.uppers = slices.Delete(p.uppers, 0, 1)
	}
	p.uppers = append(p.uppers, Upper{u.Origin, u.ULP, u.Name, u.ID})
}

// Take takes out what is about the event of the given origin.
func (p *Pending) Take(event *record.Origin) *Taken {
	t := &p.taken
	p.findings, t.Findings = take(p.findings, t.Findings, func(f *Finding) bool { return about(&f.Origin, event) })
	p.uppers, t.Uppers = take(p.uppers, t.Uppers, func(u *Upper) bool { return about(&u.Origin, event) })
	return t
}

// take moves what is wanted from one list to another, which loses what it had.
func take[T any](from, to []T, wanted func(*T) bool) (rest, taken []T) {
	n := 0
	for i := range from {
		if wanted(&from[i]) {
			n++
		}
	}
	if n == len(from) {
		return to[:0], from // so it nearly always is
	}
	rest, taken = from[:0], to[:0]
	for i := range from {
		if wanted(&from[i]) {
			taken = append(taken, from[i])
		} else {
			rest = append(rest, from[i])
		}
	}
	return rest, taken
}

// about says whether what comes from o can be about an event: they share a frame.
func about(o, event *record.Origin) bool {
	return o.Conn == event.Conn && o.Dir == event.Dir && o.Frame <= event.LastFrame && o.LastFrame >= event.Frame
}

// End lets go of what is left of a connection.
func (p *Pending) End(c *record.Conn) {
	for i := range p.findings {
		if p.findings[i].Conn == c {
			p.loose(&p.findings[i])
		}
	}
	p.findings = slices.DeleteFunc(p.findings, func(f Finding) bool { return f.Conn == c })
	p.uppers = slices.DeleteFunc(p.uppers, func(u Upper) bool { return u.Conn == c })
}

func (p *Pending) loose(f *Finding) {
	if p.Loose != nil {
		p.Loose(&f.Finding)
	}
}
