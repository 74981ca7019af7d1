package rpcrdma2

// Which scripts of a case suit a peer: messages that fit in its Receives, and no more of them than it grants credits
// for.

import (
	"cmp"
	"encoding/hex"
	"strconv"
	"strings"

	"github.com/iwarpkit/iwarp/codec/rpcrdma"
	"github.com/iwarpkit/iwarp/replay/conform"
)

// adapted returns a section whose cases omit the scripts that do not suit a peer. Sections about the limits of a peer
// do not need this, nor does 4.2.3.2, whose peer has no properties and grants nothing.
func adapted(number, title string, cases func() []conform.Case) conform.Section {
	return about(number, title, func() []conform.Case {
		all := cases()
		for i := range all {
			c := &all[i]
			ask := c.Ask
			c.Ask = func(s *conform.Setup) (some []string) {
				for _, script := range ask(s) {
					if within(s, script, c.Begin.NoProperties) {
						some = append(some, script)
					}
				}
				return some
			}
			c.For = cmp.Or(c.For, "a peer with longer messages, more segments or more credits")
		}
		return all
	})
}

// within reports whether a script keeps the limits of a peer. A peer may grant credits unasked when all are used up, so
// the last one is used only where an answer is due.
func within(s *conform.Setup, script string, bare bool) bool {
	credits := int(s.Peer.RPC.Granted)
	granted := !bare // if bare, the peer's first message brings the credits, and ours needs none
	lines := strings.Split(script, "\n")
	for i, line := range lines {
		octets, sent := sentOctets(line)
		switch {
		case sent && !fitsPeer(s, octets):
			return false
		case sent && !(bare && i == 0):
			credits--
			if due := i+1 < len(lines) && strings.HasPrefix(lines[i+1], "<"); credits < 0 || credits == 0 && !due {
				return false
			}
		case strings.HasPrefix(line, "< Send"), strings.HasPrefix(line, "< OneOf"):
			if granted {
				credits++
			}
			granted = true
		}
		if theirs, ok := strings.CutPrefix(line, "< Send "); ok && len(octetsOf(theirs)) > property(s, rpcrdma.PropSBSIZ) {
			return false
		}
	}
	return true
}

func sentOctets(line string) (octets []byte, sent bool) {
	text, sent := strings.CutPrefix(line, "> Send")
	return octetsOf(text), sent
}

// fitsPeer reports whether a message fits in the peer's Receives and segment limit.
func fitsPeer(s *conform.Setup, octets []byte) bool {
	var m rpcrdma.Message
	m.Decode(octets, len(octets), rpcrdma.DialectVersion2)
	return len(octets) <= property(s, rpcrdma.PropRBSIZ) && m.Segments() <= property(s, rpcrdma.PropRCSIZ)
}

// property returns the value of a numeric property of the peer.
func property(s *conform.Setup, id rpcrdma.PropID) int {
	value, _ := id.Default()
	if p, ok := s.Peer.RPC.Properties.Lookup(id); ok {
		if v, ok := p.Uint32(); ok {
			value = v
		}
	}
	return int(value)
}

// octetsOf returns the octets that a script text stands for. Wildcards and variables are zero.
func octetsOf(text string) (all []byte) {
	for word := range strings.FieldsSeq(text) {
		what, times, repeated := strings.Cut(word, "*")
		n, err := strconv.Atoi(times)
		if !repeated {
			n = 1
		}
		octets, bad := hex.DecodeString(what)
		switch {
		case what == "?" && err == nil:
			octets = []byte{0}
		case strings.HasPrefix(what, "$"):
			octets = make([]byte, 4)
		case bad != nil:
			continue
		}
		for range n {
			all = append(all, octets...)
		}
	}
	return all
}
