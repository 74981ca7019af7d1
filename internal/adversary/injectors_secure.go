package adversary

// Violations of Calls of the server (RFC 8167), of RPCSEC_GSS, and of errors that answer a Call (RFC 8166, section 4.5).

import "slices"

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
	if version == 2 {
		return all
	}
	wrongVersion := header(all2(calls, alone, notFirst), func(_ *Place, h *rpcHeader) { h.version = 7 })
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
		{"an error twice", "RPCRDMA1-4.5-7|RPCRDMA1-4.5-4" + chunkIDs1, func(p *Place) bool {
			if !refused(wrongChunk, 1, errChunk)(p) {
				return false
			}
			p.answer(slices.Clone(p.last().Message.Body))
			return true
		}},
	})
}

// refused is what breaks a Call, which an error of version 1 then answers: its rdma_vers, rdma_err, and what follows.
func refused(breaks func(*Place) bool, version, code uint32, more ...uint32) func(*Place) bool {
	return func(p *Place) bool {
		if !fatal(breaks)(p) {
			return false
		}
		body := octets(p.Message.Body[:4], version, uint32(1), uint32(rdmaERROR), code)
		for _, v := range more {
			body = octets(body, v)
		}
		p.answer(body)
		return true
	}
}

// answer adds a Send of the Responder to the end.
func (p *Place) answer(body []byte) {
	m := &Message{From: Responder, Opcode: opSend, MSN: p.nextMSN(Responder), Body: body}
	p.Units = append(p.Units, &Unit{From: Responder, Octets: append(m.header(0, true), body...), Message: m})
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

// last is the last Unit.
func (p *Place) last() *Unit { return p.Units[len(p.Units)-1] }

// change flips bits of the octet at an offset of the payload.
func (u *Unit) change(at int, bits byte) bool {
	u.Octets[untaggedHeader+at] ^= bits
	return true
}
