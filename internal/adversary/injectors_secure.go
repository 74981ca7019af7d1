package adversary

// Violations of Calls of the server (RFC 8167), of RPCSEC_GSS, and of errors that answer a Call (RFC 8166, section 4.5).

import (
	"slices"
	"strings"
)

// Errors of RPC-over-RDMA.
const (
	rdmaERROR = 4

	errVersion = 1
	errChunk   = 2
)

func callbacks(h *rpcHeader) bool { return h.back && !h.reply }
func answers(h *rpcHeader) bool   { return h.back && h.reply }

// versionIDs1 and chunkIDs1 are of the faults that errors of version 1 answer.
const (
	versionIDs1 = " RPCRDMA1-4.2.2-1 RPCBIDI-5.1-1"
	chunkIDs1   = " RPCRDMA1-4.1.2-1 RPCRDMA1-4-1"
	refusalIDs1 = " RPCRDMA1-4.5-2 RPCRDMA1-4.5.2-1 RPCRDMA1-4.5.1-1"
)

// secureInjectors are those of a version.
func secureInjectors(version int) []Injector {
	all := slices.Concat(
		both(version, "another XID in a reverse Call", "RPCBIDI-5.1-2|RPCRDMA1-4.2.1-1", "RPCRDMA2-7.2-1|RPCRDMA2-4.5.1-1|RPCRDMA2-6.3.2-1",
			fatal(header(callbacks, func(_ *Place, h *rpcHeader) { h.xid++ }))),
		both(version, "another XID in a reverse Reply", "RPCBIDI-5.2-2|RPCBIDI-2.4-2 RPCRDMA1-3.3.1-7 RPCRDMA1-4.2.1-1", "RPCRDMA2-7.2-1|RPCRDMA2-3.1.3.4-2 RPCRDMA2-4.5.1-1",
			fatal(header(answers, func(_ *Place, h *rpcHeader) { h.xid++ }))),
		both(version, "another version in a reverse Reply", "RPCBIDI-5.2-1|RPCRDMA1-4.2.2-1 RPCBIDI-5.1-1 RPCRDMA1-3.3.3-1 RPCRDMA1-3.3.1-1", "RPCRDMA2-4.2.3.3-2",
			fatal(header(answers, func(_ *Place, h *rpcHeader) { h.version = 7 }))),
		both(version, "a reverse Reply that grants nothing", "RPCBIDI-5.2-3|RPCRDMA1-3.3.1-2", "RPCRDMA2-4.2.1.1-3 RPCRDMA2-7-5 RPCRDMA2-4.2.1.1-4",
			fatal(header(answers, func(_ *Place, h *rpcHeader) { h.credit &^= 0xffff }))),
	)
	all = append(all, both(version, "a chunk in a credential", "RPCRDMA1-8.2.2-1"+read1, "RPCRDMA2-11.2.2-1"+read2, fatal(header(all2(calls, inline, alone, reduces, func(h *rpcHeader) bool { return h.stream[31] > 0 }),
		func(_ *Place, h *rpcHeader) { shift(32-int(h.positioned().position))(nil, h) })))...)
	all = append(all, both(version, "a chunk of what is protected", "RPCRDMA1-8.2.2.3-2"+read1, "RPCRDMA2-11.2.2.3-2"+read2, fatal(header(all2(calls, inline, alone, brief,
		func(h *rpcHeader) bool { return h.exchange.service >= gssIntegrity }), func(p *Place, h *rpcHeader) {
		h.reads = append(h.reads, readSegment{uint32(len(h.stream)) - 40, region{p.r.Uint32(), 4096, 16}})
	})))...)
	if version == 2 {
		return append(all, refusedInjectors2...)
	}
	wrongChunk := raw(all2(calls, alone, notFirst), func(p *Place, h *rpcHeader) { p.body()[h.listsAt()+3] = 2 })
	return slices.Concat(all, []Injector{
		{"a version that is refused", "RPCRDMA1-4.2.2-1" + versionIDs1, refused(wrongVersion, 7, errVersion, 1, 1)},
		{"a chunk list that is refused", "RPCRDMA1-4.1.2-1" + chunkIDs1, refused(wrongChunk, 1, errChunk)},
		{"an error that is not defined", "RPCRDMA1-4.1.2-1" + chunkIDs1 + refusalIDs1, refused(wrongChunk, 1, 9)},
		{"ERR_CHUNK for an unknown version", "RPCRDMA1-4.5.1-1|RPCRDMA1-4.5-2" + versionIDs1 + refusalIDs1, refused(wrongVersion, 7, errChunk)},
		{"ERR_VERS for a wrong chunk list", "RPCRDMA1-4.5.2-1|RPCRDMA1-4.5-2" + chunkIDs1 + refusalIDs1, refused(wrongChunk, 1, errVersion, 2, 3)},
		{"ERR_VERS with the version of the Call", "RPCRDMA1-4.5.1-1" + versionIDs1 + refusalIDs1, refused(wrongVersion, 7, errVersion, 1, 9)},
		{"a range of versions that ends before it begins", "RPCRDMA1-4.5.1-1" + versionIDs1 + refusalIDs1, refused(wrongVersion, 7, errVersion, 3, 1)},
		{"an error with another rdma_vers", "RPCRDMA1-4.5-5" + chunkIDs1, refused(wrongChunk, 2, errChunk)},
		{"an error with another XID", "RPCRDMA1-4.5-4 RPCRDMA1-4.2.4-4" + chunkIDs1, func(p *Place) bool {
			return refused(wrongChunk, 1, errChunk)(p) && p.last().change(3, 0x40)
		}},
		{"a Call that was refused before", "RPCRDMA1-4.5-7 RPCRDMA1-3.3.1-1 RPCRDMA1-3.3.3-1" + chunkIDs1, again(refused(header(all2(calls, inline, alone, brief, notFirst), func(*Place, *rpcHeader) {}), 1, errChunk))},
		{"a session without Calls of the server", "RPCBIDI-6-1 RPCRDMA1-3.2-1" + echo1, func(p *Place) bool {
			isBack := func(m *Message) bool { return m.rpc != nil && callbacks(m.rpc) }
			return slices.ContainsFunc(p.Messages, isBack) && header(all2(calls, inline, func(h *rpcHeader) bool {
				return strings.HasSuffix(h.exchange.name, "CREATE_SESSION") && h.exchange.service == 0
			}), func(_ *Place, h *rpcHeader) {
				h.stream[strings.LastIndex(string(h.stream), string(octets(uint32(43))))+3]++
			})(p)
		}},
		{"an error twice", "RPCRDMA1-4.5-7|RPCRDMA1-4.5-4" + chunkIDs1, func(p *Place) bool {
			if !refused(wrongChunk, 1, errChunk)(p) {
				return false
			}
			p.answer(slices.Clone(p.last().Message.Body))
			return true
		}},
	})
}

// refused is what breaks a Call, which an error then answers: its rdma_vers, and what follows the kind.
func refused(breaks func(*Place) bool, version uint32, more ...uint32) func(*Place) bool {
	return func(p *Place) bool {
		if !fatal(breaks)(p) {
			return false
		}
		body := octets(p.Message.Body[:4], version, uint32(2*plenty<<16|1), uint32(rdmaERROR)) // credits of version 2; to version 1 these are many
		for _, v := range more {
			body = octets(body, v)
		}
		p.answer(body)
		return true
	}
}

// answer adds a Send of the Responder to the end.
func (p *Place) answer(body []byte) {
	p.Units = append(p.Units, p.only(&Message{From: Responder, Opcode: opSend, MSN: p.nextMSN(Responder), Body: body}))
}

// nextMSN is the MSN of the next Send of a side.
func (c *Conversation) nextMSN(from Side) uint32 {
	msn := uint32(1)
	for _, u := range c.Units {
		if u.From == from && !u.Frame && untagged(u) && u.Message.QN == queueSend {
			msn = u.Message.MSN + 1
		}
	}
	return msn
}

func (p *Place) last() *Unit { return p.Units[len(p.Units)-1] }

// change flips bits of the octet at an offset of the payload.
func (u *Unit) change(at int, bits byte) bool {
	u.Octets[untaggedHeader+at] ^= bits
	return true
}

// versionIDs2 and faultIDs2 are of the faults that errors of version 2 answer.
const (
	versionIDs2 = " RPCRDMA2-4.2.3.3-2"
	faultIDs2   = " RPCRDMA2-7.2-1 RPCRDMA2-8.3-1"
	refusalIDs2 = " RPCRDMA2-7.2.1-1"
)

// refusedInjectors2 break Calls of version 2 and the errors that answer them: sections 6.3.3 and 7 of the draft.
var refusedInjectors2 = []Injector{
	{"a kind that is refused as a chunk list", "RPCRDMA2-7.2.1-1" + faultIDs2, refused(wrongKind, 2, flagResponse, errXDR2)},
	{"an error without RESPONSE", "RPCRDMA2-6.2.2.1-4" + faultIDs2, refused(wrongKind, 2, 0, errKind2)},
	{"an error of another version", "RPCRDMA2-7-3|RPCRDMA2-4.2.3.3-2" + versionIDs2, refused(wrongVersion, 3, flagResponse, errVersion, 2, 2)},
	{"an error that version 2 does not define", "RPCRDMA2-8.4-1" + faultIDs2 + refusalIDs2, refused(wrongKind, 2, flagResponse, 55)},
	{"a range of versions with the one of the Call", "RPCRDMA2-7.1.1-1" + versionIDs2 + refusalIDs2, refused(wrongVersion, 7, flagResponse, errVersion, 9, 2)},
	{"a limit that the Call keeps", "RPCRDMA2-7.3.1-1" + faultIDs2, refused(header(all2(calls, inline, alone, brief, notFirst), func(*Place, *rpcHeader) {}), 2, flagResponse, errReads2, 100)},
	{"an error with another XID", "RPCRDMA2-7-2" + faultIDs2, func(p *Place) bool {
		return refused(wrongKind, 2, flagResponse, errKind2)(p) && p.last().change(3, 0x40)
	}},
	{"a kind that was refused before", "RPCRDMA2-7.1.2-3" + faultIDs2, again(refused(wrongKind, 2, flagResponse, errKind2))},
	{"version 2 though it was refused", "RPCRDMA2-7.1.1-3|RPCRDMA2-4.2.3.2-2", func(p *Place) bool {
		client := p.Messages[slices.IndexFunc(p.Messages, func(m *Message) bool { return m.rpc != nil && m.From == Initiator })]
		p.i = slices.IndexFunc(p.Units, func(u *Unit) bool { return u.Message != nil && u.Message.rpc != nil && u.From == Responder })
		p.Unit = p.Units[p.i]
		p.recut(octets(client.rpc.xid, uint32(2), uint32(1), uint32(rdmaERROR), uint32(errVersion), uint32(1), uint32(1)))
		next := slices.IndexFunc(p.Units[p.i+1:], func(u *Unit) bool { return u.Message.rpc != nil && u.From == Initiator && last(u) })
		p.Units = slices.DeleteFunc(p.Units[:p.i+1+next+1], func(u *Unit) bool {
			return u.From == Responder && u.Message != nil && u.Message.rpc != nil && u.Message != p.Message
		})
		return next >= 0
	}},
}

// again repeats a Call that was refused.
func again(breaks func(*Place) bool) func(*Place) bool {
	return func(p *Place) bool {
		if !breaks(p) {
			return false
		}
		m := *p.Message
		m.MSN++
		p.Units = append(p.Units, p.only(&m))
		return len(m.Body) <= p.Message.room
	}
}

// Errors of version 2.
const (
	errXDR2   = 2
	errKind2  = 4
	errReads2 = 6
)

var (
	wrongVersion = header(all2(calls, alone, notFirst), func(_ *Place, h *rpcHeader) { h.version = 7 })
	wrongKind    = header(all2(calls, inline, alone, notFirst), func(_ *Place, h *rpcHeader) { h.kind = 77 })
)
