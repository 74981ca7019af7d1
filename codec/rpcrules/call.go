package rpcrules

// Checks a Reply against its Call: the chunks that it repeats (RFC 8166, sections 3.4.6 and 4.3; draft 01, section
// 4.3.6), and the handle that it may invalidate (RFC 8797, section 4.1; draft 01, section 6.2.4).

import (
	"fmt"

	"github.com/iwarpkit/iwarp/codec/oncrpc"
	"github.com/iwarpkit/iwarp/codec/rpcrdma"
	"github.com/iwarpkit/iwarp/codec/rules"
)

var (
	// For an operation without data, NFSv4 returns a chunk without segments (RFC 8267, section 6.4.1), although RFC
	// 8166, section 4.3.2.2, demands the segments with lengths of zero. Both are accepted.
	ruleEcho = newPair("echo", rules.Error,
		"A Reply must repeat the Write list and Reply chunk of its Call, with the octets written as lengths.",
		"RPCRDMA1-3.4.6-3 RPCRDMA1-4.3.2.2-3 RPCRDMA1-4.3.2.3-1", "RPCRDMA2-4.3.6-2", grave)
	ruleFill = newPair("fill", rules.Error,
		"A chunk must be filled from its first segment on, without gaps.", "RPCRDMA1-3.4.6-2", "RPCRDMA2-4.3.6-3", grave)
	ruleReplyChunk = newRule("rpc1-reply-chunk", rules.Error,
		"A Reply must have the Reply chunk of its Call, even an unused one.", "RPCRDMA1-4.3.3-3", grave)
	ruleReplyUnused = newRule("rpc2-reply-chunk-unused", rules.Warning,
		"A Reply that does not fit in one message must be put into the Reply chunk, if it is large enough.",
		"RPCRDMA2-4.4.3-3",
		lighter("Section 6.4 of the draft leaves the choice between the Reply chunk and a sequence of messages."))
	ruleInvalidate = newPair("invalidate", rules.Error,
		"Send with Invalidate must carry Replies only, to a Requester that accepts it.",
		"RPCPD-4.1-3 RPCPD-3.2-1", "RPCRDMA2-6.2.4-3", answered(rules.InvalidateAccess))
	// Unannounced is about Send with Invalidate that the receiver did not ask for.
	Unannounced = newRule("rpc1-invalidate-unannounced", rules.Error,
		"A Responder that uses Send with Invalidate must have set R in its Private Data, too.", "RPCPD-4.1-3")
	ruleInvalidateSTag = newPair("invalidate-stag", rules.Error,
		"The STag that a Reply invalidates must be one that its Call offers for that.",
		"RPCPD-4.1-2", "RPCRDMA2-6.2.4-2", answered(rules.InvalidateSTag))
	ruleReverse = newPair("reverse", rules.Error,
		"A server must call its client only after the client has shown that it accepts such Calls, and in the form that it accepts.",
		"RPCBIDI-6-1", "RPCRDMA2-4.5.3-1 RPCRDMA2-5.2.5-1 RPCRDMA2-4.5.4-3")
	ruleKindRefused = newRule("rpc2-type-refused", rules.Error,
		"A header type that the peer reported as unsupported must not be used again.", "RPCRDMA2-7.1.2-3", in("rpcordma.msg_type"))
)

// A Call holds what is needed of a Call's header to check the answer.
type Call struct {
	Dialect   rpcrdma.Dialect
	XID, Vers uint32
	Kind      uint32 // rdma_proc or rdma_htype
	Form      rpcrdma.Form
	InvHandle uint32
	Credit    uint32
	Parts     int    // messages that it was split into
	Fault     *Fault // why it cannot be accepted; nil if it can
	Cut       bool   // its lists are missing, because they are too long or were not captured: nothing is checked by them

	Procedure oncrpc.Procedure // the procedure called; for callbacks one of ProgramNFSCB; zero if unknown

	Reads  rpcrdma.ReadList   // the Call chunk and the Read list
	Writes rpcrdma.WriteList  // as offered
	Reply  rpcrdma.WriteChunk // as offered
	lists  []byte
}

// Keep copies into c what it needs of m, the last message of a Call or one that replaces a Call, and m's fault, if any.
// The lists are copied only if they have no more than limit octets. Keep reuses the memory of c.
func (c *Call) Keep(m *rpcrdma.Message, parts int, fault *Fault, limit int) {
	*c = Call{
		Dialect: m.Dialect, XID: m.XID, Vers: m.Vers, Kind: m.Kind, Form: m.Form,
		InvHandle: m.InvHandle, Credit: m.Credit, Parts: parts, Fault: fault, lists: c.lists[:0],
	}
	if c.Cut = len(m.Call)+len(m.Reads)+len(m.Writes)+len(m.Reply) > limit; c.Cut {
		return
	}
	b := append(append(append(append(c.lists, m.Call...), m.Reads...), m.Writes...), m.Reply...)
	c.lists = b
	reads := len(m.Call) + len(m.Reads)
	writes := reads + len(m.Writes)
	c.Reads, c.Writes, c.Reply = b[:reads:reads], b[reads:writes:writes], b[writes:]
}

// Lose records that the last message of the Call, which has its lists, was not seen.
func (c *Call) Lose() { c.Cut, c.Reads, c.Writes, c.Reply = true, nil, nil, nil }

// Empty resets the Call and keeps its memory.
func (c *Call) Empty() { *c = Call{lists: c.lists[:0]} }

// Len returns the number of octets of the lists.
func (c *Call) Len() int { return len(c.lists) }

// header returns a message with the type and the lists of the Call.
func (c *Call) header() *rpcrdma.Message {
	return &rpcrdma.Message{Dialect: c.Dialect, Kind: c.Kind, Reads: c.Reads, Writes: c.Writes, Reply: c.Reply}
}

// Called records a complete Call of a side, which does not repeat an open one, and appends the violations known by now
// to v.
func (s *Stream) Called(from Side, c *Call, v []rules.Violation) []rules.Violation {
	if c.Vers != rpcrdma.Vers2 {
		return s.requesters[from].called(c.Credit, v)
	}
	for _, kind := range s.requesters[from].refused {
		if kind == c.Kind+1 {
			v = append(v, ruleKindRefused.Breach(c.header().KindName(), "another header type"))
		}
	}
	props := &s.sides[Client].props
	if from != Server || props.unknown {
		return v
	}
	chunks := len(c.Reads) != 0 || len(c.Writes) != 0 || c.Reply.Present()
	seen := ""
	switch {
	case props.reverse == rpcrdma.ReverseNone || props.reverse > rpcrdma.ReverseGenl:
		seen = "a Call of the server"
	case chunks && props.reverse != rpcrdma.ReverseGenl:
		seen = "a Call of the server with chunks"
		c.Fault = faultReverse
	case c.Parts > 1 && props.reverse == rpcrdma.ReverseSimple:
		seen = "a continued Call of the server"
	default:
		return v
	}
	return append(v, ruleReverse.two.Breach(
		seen, "Reverse-Direction Support of the client that allows it: it is "+props.reverse.String()))
}

// Answered records the Reply of a side to an open Call, or the error that replaces it, and appends its violations to v.
// If the Reply has several parts, m is the last one; inline is the octets of payload in all of them.
func (s *Stream) Answered(
	from Side, c *Call, m *rpcrdma.Message, parts int, inline uint64, v []rules.Violation,
) []rules.Violation {
	if m.Vers != rpcrdma.Vers2 {
		s.requesters[1-from].reply(m.Credit)
	}
	if m.Form == rpcrdma.FormError {
		s.requesters[1-from].refuse(c, m)
		s.sides[1-from].sequence.refuse(c.XID)
		return c.checkError(m, s.sides[from].props.segmentSize, v)
	}
	if c.Fault != nil && len(c.Fault.Codes(c.Dialect)) > 0 {
		v = append(v, ruleRefusal.Breach(c.Dialect, "a Reply", c.Fault.expected(c.Dialect)))
	}
	if room := c.Reply.Length(); parts > 1 && room >= inline && room > 0 {
		v = append(v, ruleReplyUnused.Breach(
			fmt.Sprintf("a Reply in %d messages", parts), fmt.Sprintf("the Reply chunk of %d octets", room)))
	}
	if c.Cut {
		return v
	}
	return c.checkEcho(m, v)
}

// refuse records an error that may report an unsupported header type.
func (r *requester) refuse(c *Call, m *rpcrdma.Message) {
	aboutType := c.Fault == nil || c.Form == rpcrdma.FormUnknown
	if m.Error.Err == rpcrdma.ErrCode2InvalHType && m.Vers == rpcrdma.Vers2 && aboutType {
		copy(r.refused[1:], r.refused[:])
		r.refused[0] = c.Kind + 1
	}
}

// checkEcho checks what a Reply repeats of its Call's chunks.
func (c *Call) checkEcho(m *rpcrdma.Message, v []rules.Violation) []rules.Violation {
	if len(c.Writes) != 0 || len(m.Writes) != 0 {
		v = c.checkWriteList(m, v)
	}
	switch {
	case !c.Reply.Present() && !m.Reply.Present():
	case !m.Reply.Present() && m.Dialect == rpcrdma.DialectVersion1:
		v = append(v, ruleReplyChunk.Breach(
			"none", fmt.Sprintf("a Reply chunk of %d segments", c.Reply.Count())))
	case !m.Reply.Present():
	case !c.Reply.Present():
		v = append(v, ruleEcho.Breach(m.Dialect, "a Reply chunk", "none: the Call has none"))
	default:
		v = checkChunk(m, replyChunk, c.Reply, m.Reply, v)
	}
	if n := m.Reply.Length(); m.Form == rpcrdma.FormBody && n%4 != 0 {
		v = append(v, ruleBodyLength.Breach(m.Dialect,
			fmt.Sprintf("%d octets in the Reply chunk", n), "a multiple of 4"))
	}
	return v
}

func (c *Call) checkWriteList(m *rpcrdma.Message, v []rules.Violation) []rules.Violation {
	offered, i := c.Writes, 0
	for returned := range m.Writes.Chunks() {
		var chunk rpcrdma.WriteChunk
		for chunk = range offered.Chunks() {
			break
		}
		if !chunk.Present() {
			break
		}
		offered = offered[4+len(chunk):]
		i++
		if returned.Count() == 0 && c.Procedure.IsCompound() {
			continue
		}
		v = checkChunk(m, i, chunk, returned, v)
	}
	if n, want := m.Writes.Count(), c.Writes.Count(); n != want {
		v = append(v, ruleEcho.Breach(m.Dialect, fmt.Sprintf("%d Write chunks", n), fmt.Sprintf("%d", want)))
	}
	return v
}

// replyChunk is the index of the Reply chunk; Write chunks are counted from 1.
const replyChunk = 0

func chunkName(i int) string {
	if i == replyChunk {
		return "the Reply chunk"
	}
	return fmt.Sprintf("Write chunk %d", i)
}

// checkChunk checks one chunk of a Reply against that of the Call. It reports at most one violation per chunk.
func checkChunk(m *rpcrdma.Message, i int, offered, returned rpcrdma.WriteChunk, v []rules.Violation) []rules.Violation {
	if n, want := returned.Count(), offered.Count(); n != want {
		return append(v, ruleEcho.Breach(m.Dialect,
			fmt.Sprintf("%s of %d segments", chunkName(i), n), fmt.Sprint(want)))
	}
	var o rpcrdma.Segment
	rest := offered[4:]
	short := false
	for r := range returned.Segments() {
		o.Decode(rest)
		rest = rest[rpcrdma.SegmentLen:]
		switch {
		case r.Handle != o.Handle || r.Offset != o.Offset:
			return append(v, ruleEcho.Breach(m.Dialect,
				fmt.Sprintf("%s: %s at %#x", chunkName(i), hex32(r.Handle), r.Offset),
				fmt.Sprintf("%s at %#x", hex32(o.Handle), o.Offset)))
		case r.Length > o.Length:
			return append(v, ruleEcho.Breach(m.Dialect,
				fmt.Sprintf("%s: %d octets", chunkName(i), r.Length), fmt.Sprintf("at most %d", o.Length)))
		case short && r.Length > 0:
			return append(v, ruleFill.Breach(m.Dialect,
				chunkName(i)+" with octets after a segment that is not full", "no gaps"))
		}
		short = short || r.Length < o.Length
	}
	return v
}

// Invalidated checks a message of a side that invalidates an STag of the other. c is the Call that it answers, nil if
// unknown.
func (s *Stream) Invalidated(from Side, m *rpcrdma.Message, stag uint32, c *Call, v []rules.Violation) []rules.Violation {
	own, two := &s.sides[from], m.Vers == rpcrdma.Vers2
	reply := m.Role == rpcrdma.Responder && hasRPC(m)
	takes := two || s.midstream || s.sides[1-from].r
	switch {
	case m.Cut && m.Role == rpcrdma.RoleNone:
		return v
	case !reply:
		return append(v, ruleInvalidate.Breach(m.Dialect, "Send with Invalidate that is not a Reply", "a plain Send"))
	case !takes, two && c != nil && !c.Cut && c.InvHandle == 0:
		return append(v, ruleInvalidate.Breach(m.Dialect, "Send with Invalidate", "a plain Send"))
	case !two && !s.midstream && !own.r && !own.invalid:
		own.invalid = true
		v = append(v, Unannounced.Breach("a Send with Invalidate, though R is not set in the Private Data of its sender", "R set, or a plain Send"))
	}
	switch {
	case c == nil || c.Cut:
	case two && stag != c.InvHandle:
		return append(v, ruleInvalidateSTag.Breach(m.Dialect,
			"invalidates STag "+hex32(stag), "rdma_inv_handle of the Call, "+hex32(c.InvHandle)))
	case !c.header().HasHandle(stag):
		return append(v, ruleInvalidateSTag.Breach(m.Dialect, "invalidates STag "+hex32(stag), "an STag that the Call offers"))
	}
	return v
}
