// Package rpcrules holds the demands of RFC 8166, RFC 8167, RFC 8797 and draft 01 of version 2 on the RPC-over-RDMA
// messages of a connection. A [Stream] checks the messages of both sides:
//
//	fault, violations = stream.Message(rpcrules.Client, &message, violations[:0])
//
// The receiver answers a [Fault] with an RDMA_ERROR. A [Call] checks its answer. Callers check the rules in memory.go,
// about the memory that chunks name.
package rpcrules

import (
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/iwarpkit/iwarp/codec/rpcprivate"
	"github.com/iwarpkit/iwarp/codec/rpcrdma"
	"github.com/iwarpkit/iwarp/codec/rules"
)

// all holds every Rule, by subject.
var all []*rules.Rule

// newRule adds a Rule to all. ids are those of the requirements, separated by blanks, the primary one first.
func newRule(name string, severity rules.Severity, text, ids string, more ...func(*rules.Rule)) *rules.Rule {
	r := &rules.Rule{Name: name, Text: text, IDs: strings.Fields(ids), Severity: severity, Upper: true}
	for _, add := range more {
		add(r)
	}
	all = append(all, r)
	return r
}

// answered sets which Terminates answer a violation.
func answered(s rules.Situation) func(*rules.Rule) { return func(r *rules.Rule) { r.Situation = s } }

// in sets the names of the fields that show a violation.
func in(fields ...string) func(*rules.Rule) { return func(r *rules.Rule) { r.Shown = fields } }

// lighter sets why a violation weighs less than the primary requirement.
func lighter(why string) func(*rules.Rule) { return func(r *rules.Rule) { r.Lighter = why } }

// grave says that a breach may explain by itself why a connection fails.
func grave(r *rules.Rule) { r.Grave = true }

// elsewhere says that a rule is about where a service is.
func elsewhere(r *rules.Rule) { r.Elsewhere = true }

// Rules yields every Rule about RPC-over-RDMA.
func Rules() iter.Seq[*rules.Rule] { return slices.Values(all) }

// All yields every Rule: those of package rules and those of RPC-over-RDMA.
func All() iter.Seq[*rules.Rule] {
	return func(yield func(*rules.Rule) bool) {
		for _, some := range [...]iter.Seq[*rules.Rule]{rules.Rules(), Rules()} {
			for r := range some {
				if !yield(r) {
					return
				}
			}
		}
	}
}

// Lookup returns the Rule of All with a name; nil if there is none.
func Lookup(name string) *rules.Rule {
	for r := range All() {
		if r.Name == name {
			return r
		}
	}
	return nil
}

// A Pair is a demand that both versions of RPC-over-RDMA make, each in its own document: it has a Rule for each.
type Pair struct{ one, two *rules.Rule }

// newPair adds both Rules to all, named "rpc1-" and "rpc2-" and the name. one and two are the ids of the requirements
// of version 1 and version 2.
func newPair(name string, severity rules.Severity, text, one, two string, more ...func(*rules.Rule)) Pair {
	return Pair{newRule("rpc1-"+name, severity, text, one, more...), newRule("rpc2-"+name, severity, text, two, more...)}
}

// Of returns the Rule for messages of a dialect.
func (r Pair) Of(d rpcrdma.Dialect) *rules.Rule {
	if d == rpcrdma.DialectVersion2 || d == rpcrdma.DialectDraft2022 {
		return r.two
	}
	return r.one
}

// Breach returns a violation of r by a message of a dialect.
func (r Pair) Breach(d rpcrdma.Dialect, seen, expected string) rules.Violation {
	return r.Of(d).Breach(seen, expected)
}

// A Side is an end of a connection.
type Side uint8

// The sides.
const (
	Client Side = iota // opened the connection
	Server
)

// Conditions are what is known of a connection before its first RPC-over-RDMA message.
type Conditions struct {
	Midstream bool                // the beginning of the connection was not seen
	Private   [2]*rpcprivate.Data // by Side: what it has sent; nil if invalid or absent
	Cut       bool                // Private Data was captured incompletely: nothing is checked by it
}

// A Stream checks the RPC-over-RDMA messages of one connection. Give it the messages of both sides in wire order. It
// does not follow RDMA Reads and Writes, so it does not check the memory that chunks name. [Stream.Called] and
// [Stream.Answered] tell it which Calls are open.
type Stream struct {
	midstream  bool
	private    bool              // both sides have sent Private Data
	agreed     rpcprivate.Agreed // what follows from it or its absence
	version    version
	sides      [2]sender
	requesters [2]requester
}

// A sender is what is known of one side's messages.
type sender struct {
	sent     bool // it has sent a message
	r        bool // R of its Private Data: it supports remote invalidation
	invalid  bool // that it uses remote invalidation without announcing it was reported
	sequence sequence
	props    properties
	credits  credits
}

// Reset prepares s for a new connection.
func (s *Stream) Reset(c Conditions) {
	client, server := c.Private[Client], c.Private[Server]
	*s = Stream{midstream: c.Midstream, private: client != nil && server != nil}
	s.agreed = rpcprivate.Agree(client, server)
	for side := range s.sides {
		s.sides[side].props.reset()
		s.sides[side].r = c.Private[side] != nil && c.Private[side].R
		if c.Midstream {
			s.Missed(Side(side))
			s.Broken(Side(side))
		}
	}
	if c.Cut {
		s.private = false
		s.agreed = rpcprivate.Agreed{ClientToServer: rpcprivate.MaxSize, ServerToClient: rpcprivate.MaxSize}
		s.sides[Client].r, s.sides[Server].r = true, true
	}
	if !c.Midstream {
		s.sides[Client].credits.limit = 1
	}
}

// Missed records that messages of a side may not have been seen. What depends on them is not checked from then on. If a
// message was certainly missed, call Broken before the next message of the side.
func (s *Stream) Missed(from Side) {
	own, other := &s.sides[from], &s.sides[1-from]
	own.sent = true
	own.props.missed()
	other.credits.unknown = true
	s.version.unseen = s.version.unseen || from == Server
	s.missedCall()
}

// Broken records that the message of a side before the next one was missed.
func (s *Stream) Broken(from Side) { s.sides[from].sequence.missed() }

// missedCall records that a Call or its answer may not have been seen.
func (s *Stream) missedCall() {
	for side := range s.requesters {
		s.requesters[side].missed()
	}
}

// Unmatched records a Reply from a side whose Call may not have been seen: what it grants may have been used since.
func (s *Stream) Unmatched(from Side) { s.requesters[1-from].missed() }

// A Use is what a receiver does with a message.
type Use uint8

// The uses.
const (
	Drop  Use = iota // nothing: it is faulty, or belongs to an earlier message
	Other            // it carries no RPC message: an error, properties, credits
	Part             // its payload continues in a later message
	Whole            // it is whole, or the last part of an RPC message
)

// A Fate is the result of checking a message.
type Fate struct {
	Use   Use
	Fault *Fault // why it is dropped, if an RDMA_ERROR can report that
	First bool   // of a Part or Whole: no part of it came before
	Ends  bool   // of a Drop: it belongs to the sequence in progress, and ends it
	Cut   bool   // its header was captured incompletely: its kind is unknown
}

// Message records the next message of a side and appends its violations to v.
func (s *Stream) Message(from Side, m *rpcrdma.Message, v []rules.Violation) (Fate, []rules.Violation) {
	if m.Cut && m.HeaderLen < m.Dialect.PrefixLen() && m.Len >= rpcrdma.Version1Len {
		s.Missed(from)
		s.Broken(from)
		return Fate{Cut: true}, v
	}
	d := s.dialect(m)
	if short := minLen(d, m.Form); m.Len < short {
		v = append(v, ruleHeader.Breach(d, octets(m.Len), fmt.Sprintf("at least %d octets", short)))
		return Fate{}, v
	}
	v = s.length(from, m, v)
	fault, v := s.version.check(from, m, v)
	if fault != nil {
		s.sides[from].sent = true
		return Fate{Fault: fault}, v
	}
	v = s.credit(from, m, v)
	s.sides[from].sent = true
	undirected := m.Form == rpcrdma.FormInline && m.Role == rpcrdma.RoleNone
	if m.Cut && (m.Err != nil || undirected && len(m.Payload) < 8) {
		if m.Form == rpcrdma.FormProperties {
			s.sides[from].props.missed()
		} else {
			s.sides[from].sequence.missed()
			s.missedCall()
		}
		return Fate{Cut: true}, v
	}
	fault, v = checkHeader(m, v)
	if m.Form == rpcrdma.FormProperties {
		if fault == nil {
			fault, v = s.properties(from, m, v)
		}
	} else if fault == nil && (m.Form == rpcrdma.FormInline || m.Form == rpcrdma.FormBody) {
		v = s.early(from, m, v)
		v = s.limits(from, m, v)
	}
	return s.sides[from].sequence.step(m, fault, v)
}

// dialect returns that of a message or, if the message is too short to show it, of the connection.
func (s *Stream) dialect(m *rpcrdma.Message) rpcrdma.Dialect {
	if m.Dialect == rpcrdma.DialectUnknown && s.version.pinned == rpcrdma.Vers2 {
		return rpcrdma.DialectVersion2
	}
	return m.Dialect
}

// minLen returns the length in octets below which a receiver silently drops a message (RFC 8166, section 4.5; draft 01,
// section 7; the header of the draft of 2022 is a prefix of that).
func minLen(d rpcrdma.Dialect, f rpcrdma.Form) int {
	switch {
	case d == rpcrdma.DialectVersion2:
		return rpcrdma.Version2Len
	case d == rpcrdma.DialectDraft2022 || f == rpcrdma.FormDone:
		return rpcrdma.Draft2022Len
	case f == rpcrdma.FormError:
		return rpcrdma.MinVersion1Error
	}
	return rpcrdma.MinVersion1
}

// A Fault is a fault of a Call, or of what replaces one, that its receiver answers with an RDMA_ERROR.
type Fault struct{ one, two []rpcrdma.ErrCode2 }

// Codes returns the errors that a Responder of the dialect may choose from, the usual one first; those of version 1 are
// rpcrdma.ErrCodes. If there are none, the fault is not answered.
func (f *Fault) Codes(d rpcrdma.Dialect) []rpcrdma.ErrCode2 {
	switch d {
	case rpcrdma.DialectVersion2, rpcrdma.DialectDraft2022:
		return f.two
	}
	return f.one
}

const (
	errVers1  = rpcrdma.ErrCode2(rpcrdma.ErrCodeVers)
	errChunk1 = rpcrdma.ErrCode2(rpcrdma.ErrCodeChunk)
)

var (
	faultSilent  = &Fault{}
	faultVersion = &Fault{
		[]rpcrdma.ErrCode2{errVers1}, []rpcrdma.ErrCode2{rpcrdma.ErrCode2Vers, rpcrdma.ErrCode2VersMismatch},
	}
	faultKind = &Fault{
		[]rpcrdma.ErrCode2{errChunk1}, []rpcrdma.ErrCode2{rpcrdma.ErrCode2InvalHType, rpcrdma.ErrCode2InvalCont},
	}
	faultXDR = &Fault{
		[]rpcrdma.ErrCode2{errChunk1}, []rpcrdma.ErrCode2{rpcrdma.ErrCode2BadXDR, rpcrdma.ErrCode2InvalCont},
	}
	faultProperty      = &Fault{two: []rpcrdma.ErrCode2{rpcrdma.ErrCode2BadPropval}}
	faultPropertyShort = &Fault{two: []rpcrdma.ErrCode2{rpcrdma.ErrCode2BadPropval, rpcrdma.ErrCode2BadXDR}}
	faultProperties    = &Fault{two: []rpcrdma.ErrCode2{rpcrdma.ErrCode2BadXDR, rpcrdma.ErrCode2BadPropval}}
	faultLate          = &Fault{two: []rpcrdma.ErrCode2{rpcrdma.ErrCode2InvalHType, rpcrdma.ErrCode2InvalCont}}
	faultContinuation  = &Fault{two: []rpcrdma.ErrCode2{rpcrdma.ErrCode2InvalCont, rpcrdma.ErrCode2BadXDR}}
	faultReverse       = &Fault{two: []rpcrdma.ErrCode2{
		rpcrdma.ErrCode2ReadChunks, rpcrdma.ErrCode2WriteChunks,
		rpcrdma.ErrCode2Segments, rpcrdma.ErrCode2ReplyResource,
	}}
)

func octets[N int | int64](n N) string { return fmt.Sprintf("%d octets", n) }

func hex32(n uint32) string { return fmt.Sprintf("0x%08x", n) }
