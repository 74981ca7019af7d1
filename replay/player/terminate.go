package player

// Terminates that are not the recorded one.

import (
	"bytes"
	"fmt"

	"github.com/iwarpkit/iwarp/codec/ddp"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/replay/outcome"
)

// maxCulprits is how many segments are remembered that a Terminate may blame.
const maxCulprits = 64

// culprits are the segments that were sent of late.
type culprits struct {
	ring []culprit // up to maxCulprits
	next int
}

// A culprit is the headers of a ULPDU that was sent.
type culprit struct {
	header [ddp.UntaggedLen + rdmap.AtomicRequestLen]byte
	n      int // octets of it
	length int // of the ULPDU
}

// note remembers a ULPDU, in its parts.
func (c *culprits) note(parts ...[]byte) {
	if len(c.ring) < maxCulprits {
		c.ring = append(c.ring, culprit{})
	}
	k := &c.ring[c.next%maxCulprits]
	k.n, k.length = 0, 0
	for _, part := range parts {
		k.n += copy(k.header[k.n:], part)
		k.length += len(part)
	}
	c.next++
}

// find is the latest segment that has the header which a Terminate encloses; nil if none has.
func (c *culprits) find(t *rdmap.Terminate) *rules.Culprit {
	header, err := t.Header.AppendBinary(nil)
	if err != nil {
		return nil
	}
	for i := c.next - 1; i >= max(0, c.next-maxCulprits); i-- {
		if k := &c.ring[i%maxCulprits]; bytes.HasPrefix(k.header[:k.n], header) {
			return k.rules()
		}
	}
	return nil
}

// latest is the latest segment; nil if there is none.
func (c *culprits) latest() *rules.Culprit {
	if c.next == 0 {
		return nil
	}
	return c.ring[(c.next-1)%maxCulprits].rules()
}

// rules is the culprit as package rules has it.
func (k *culprit) rules() *rules.Culprit {
	return &rules.Culprit{Header: k.header[:k.n], ULPDU: k.length}
}

// gradeTerminate judges a Terminate that is not what is expected, of which reason says the first difference.
func (p *Player) gradeTerminate(in *incoming, c *candidate, reason string) (outcome.Verdict, string) {
	profile := p.options.Profile
	if !bytes.Equal(c.header[:in.n], in.first[:in.n]) || len(in.want.body) < rdmap.TerminateLen {
		return outcome.Mismatched, reason
	}
	octets, _ := render(c.message.Payload, c.values)
	var want, got rdmap.Terminate
	profile.DecodeTerminate(&want, append(bytes.Clone(c.header[in.n:]), octets...))
	profile.DecodeTerminate(&got, in.want.body)
	if !sameError(got.Code, want.Code) {
		s := p.situation(&want)
		if s == nil || profile.Grade(s, got.Code) < rules.Accepted {
			return outcome.Mismatched, fmt.Sprintf("it gives %s, expected is %s", codeText(got.Code), codeText(want.Code))
		}
		reason = fmt.Sprintf("%s is permitted where %s", codeText(got.Code), s.Text)
	} else {
		reason = "the error is the one that is expected, but " + reason
	}
	if why := p.malformed(&got); why != "" {
		return outcome.Mismatched, why
	}
	return outcome.Accepted, reason
}

// sameError tells whether two codes stand for the same error: Local Catastrophic Errors of RDMAP do, whatever their error
// code (RFC 5040, section 4.8).
func sameError(a, b rdmap.Code) bool {
	local := func(c rdmap.Code) bool { return c.Layer == rdmap.LayerRDMAP && c.EType == rdmap.RDMAPLocalCatastrophic }
	return a == b || local(a) && local(b)
}

// situation is the error that a Terminate reports which was recorded: the first one of those that a message like the
// enclosed one may meet with, in the order in which a receiver looks for them, that has its code; nil if there is none.
func (p *Player) situation(t *rdmap.Terminate) *rules.Situation {
	if t.HasHeader {
		for s := range rules.Hidden(t.Header.Control.Opcode) {
			if code, ok := p.options.Profile.Exact(s); ok && code == t.Code {
				return s
			}
		}
	}
	for i := range rules.Situations {
		s := &rules.Situations[i]
		if code, ok := p.options.Profile.Exact(s); ok && code == t.Code {
			return s
		}
	}
	return nil
}

// malformed tells what is wrong with a Terminate apart from its code; empty if nothing is.
func (p *Player) malformed(t *rdmap.Terminate) string {
	if err := t.Check(); err != nil {
		return err.Error()
	}
	if t.Form() != rdmap.WellFormed {
		return "its HdrCt bits do not agree with the headers that it encloses"
	}
	c := p.culprits.find(t)
	if t.HasHeader && c == nil {
		return "it blames a segment that was not sent"
	}
	for _, v := range p.options.Profile.CheckTerminate(t, c, nil) {
		if p.options.Profile.Severity(v.Rule) > rules.Note {
			return fmt.Sprintf("it has %s, expected is %s", v.Seen, v.Expected)
		}
	}
	return ""
}

// codeText is a code and what it means.
func codeText(c rdmap.Code) string { return c.String() + " (" + c.Describe() + ")" }

// terminateText is what a Terminate says that a ULPDU is.
func (p *Player) terminateText(u []byte) string {
	body := u[min(len(u), ddp.UntaggedLen):]
	if len(body) < rdmap.TerminateLen {
		return ""
	}
	var t rdmap.Terminate
	p.options.Profile.DecodeTerminate(&t, body)
	return " " + codeText(t.Code)
}
