package adversary

// Violations of RPC-over-RDMA: RFC 8166, RFC 8797, and draft-ietf-nfsv4-rpcrdma-version-two-01.

import (
	"encoding/binary"
	"slices"
	"strings"
)

// both makes an Injector of either version of what both versions demand; the ids of version 1 come first.
func both(version int, name, ids1, ids2 string, breaks func(*Place) bool) (all []Injector) {
	ids := ids1
	if version == 2 {
		ids = ids2
	}
	if ids != "" {
		all = append(all, Injector{name, ids, breaks})
	}
	return all
}

const (
	echo1 = " RPCRDMA1-3.4.6-3 RPCRDMA1-4.3.2.2-3 RPCRDMA1-4.3.2.3-1 RPCRDMA1-3.5.2-2 RPCRDMA1-3.4.6.2-3 RPCRDMA1-4.3.2-1 RPCRDMA1-3.4.6-2"
	echo2 = " RPCRDMA2-4.3.6-2 RPCRDMA2-4.3.6.2-3 RPCRDMA2-A.1-2 RPCRDMA2-4.3.6-3"
	read1 = " RPCRDMA1-3.4.5-1 RPCRDMA1-3.4.5-2 RPCRDMA1-3.4.2-2 RPCRDMA1-6.1-1 RPCRDMA1-3.4.5.2-3 RPCRDMA1-3.4.5.2-1 RPCRDMA1-3.4.4.4-2 RPCRDMA1-3.4.4-2"
	read2 = " RPCRDMA2-4.3.5-1 RPCRDMA2-4.3.5-3 RPCRDMA2-4.3.2-2 RPCRDMA2-4.3.5.2-2 RPCRDMA2-4.3.5.2-1 RPCRDMA2-4.3.4.4-2 RPCRDMA2-4.3.4-2"
)

// splitIDs are those of what is left of a message without a part.
const splitIDs = " RPCRDMA2-4-1 RPCRDMA2-4.3.5.1-1 RPCRDMA2-4.3.6-1 RPCRDMA2-4.3.6.2-1 RPCRDMA2-7.2.1-1 RPCRDMA2-3.1.3.4-1 RPCRDMA2-4.3.2-2"

// rpcInjectors are those of a version.
func rpcInjectors(version int) []Injector {
	return slices.Concat(
		both(version, "another XID in the header", "RPCRDMA1-4.2.1-1", "RPCRDMA2-7.2-1|RPCRDMA2-4.5.1-1|RPCRDMA2-6.3.2-1",
			fatal(header(all2(calls, inline, alone), func(_ *Place, h *rpcHeader) { h.xid++ }))),
		both(version, "another version", "RPCRDMA1-4.2.2-1 RPCBIDI-5.1-1", "RPCRDMA2-4.2.3.3-2",
			fatal(header(all2(calls, alone, notFirst), func(_ *Place, h *rpcHeader) { h.version = 7 }))),
		both(version, "a grant of nothing", "RPCRDMA1-3.3.1-2 RPCBIDI-5.2-3 RPCRDMA1-3.3.1-1", "RPCRDMA2-4.2.1.1-3 RPCRDMA2-7-5 RPCRDMA2-4.2.1.1-4",
			header(replies, func(p *Place, h *rpcHeader) { h.credit &^= 0xffff })),
		both(version, "an unknown kind", "RPCRDMA1-4.2.4-1 RPCRDMA1-4.6.1-1 RPCRDMA1-4.6.2-1", "RPCRDMA2-7.2-1",
			fatal(header(all2(calls, alone, notFirst), func(p *Place, h *rpcHeader) { h.kind = pick[uint32](p.r, 9, 77) }))),
		both(version, "RDMA_MSGP", "RPCRDMA1-4.6.1-1 RPCRDMA1-4.2.4-1", "", fatal(header(calls, func(_ *Place, h *rpcHeader) { h.kind = 2 }))),
		both(version, "RDMA_DONE", "RPCRDMA1-4.6.2-1 RPCRDMA1-4.2.4-1", "", fatal(header(calls, func(_ *Place, h *rpcHeader) { h.kind = 3 }))),
		both(version, "a Read list in a Reply", "RPCRDMA1-4.3.1-1", "RPCRDMA2-4.4.1.1-2 RPCRDMA2-6.2.3-1",
			header(all2(replies, alone, brief), func(p *Place, h *rpcHeader) {
				h.reads = append(h.reads, readSegment{64, region{p.r.Uint32(), 4096, 16}})
			})),
		both(version, "a Position four octets further", "RPCRDMA1-3.4.5-1|RPCRDMA1-3.4.2-2"+read1, "RPCRDMA2-4.3.5-1|RPCRDMA2-4.3.2-2"+read2, header(all2(calls, alone, reduces), shift(4))),
		both(version, "a Position four octets before", "RPCRDMA1-3.4.5-1|RPCRDMA1-3.4.2-2"+read1, "RPCRDMA2-4.3.5-1|RPCRDMA2-4.3.2-2"+read2, header(all2(calls, alone, reduces), shift(-4))),
		both(version, "a Position that is not a multiple of four", "RPCRDMA1-3.4.5-3"+read1, "RPCRDMA2-4.3.5-2"+read2, fatal(header(all2(calls, alone, reduces), shift(2)))),
		both(version, "a segment count that is too high", "RPCRDMA1-4.1.2-1 RPCRDMA1-4-1"+echo1, "RPCRDMA2-8.3-1"+echo2,
			fatal(raw(all2(calls, offers, alone), func(p *Place, h *rpcHeader) {
				body := slices.Clone(p.Message.Body)
				copy(body[h.listsAt()+24*len(h.reads)+4+4:], octets(uint32(1000)))
				p.recut(body)
			}))),
		both(version, "a discriminator of 2", "RPCRDMA1-4.1.2-1 RPCRDMA1-4-1", "RPCRDMA2-8.3-1",
			fatal(raw(all2(calls, alone), func(p *Place, h *rpcHeader) { p.body()[h.listsAt()+3] = 2 }))),
		both(version, "a Send that is too short", "RPCRDMA1-3.2-1 RPCRDMA1-4.5-1", "RPCRDMA2-4.1-1 RPCRDMA2-7-1",
			fatal(raw(all2(calls, notFirst, alone), func(p *Place, _ *rpcHeader) { p.recut(slices.Clone(p.Message.Body[:pick(p.r, 4, 12, 16)])) }))),
		both(version, "a handle that the Call did not offer", "RPCRDMA1-3.4.6-3"+echo1, "RPCRDMA2-4.3.6-2"+echo2,
			header(all2(replies, writes), func(_ *Place, h *rpcHeader) { h.writes[0][0].stag ^= 0x100 })),
		both(version, "an offset that the Call did not offer", "RPCRDMA1-3.4.6-3"+echo1, "RPCRDMA2-4.3.6-2"+echo2,
			header(all2(replies, writes), func(_ *Place, h *rpcHeader) { h.writes[0][0].to += 8 })),
		both(version, "a Write chunk left out of the Reply", "RPCRDMA1-3.4.6-3 RPCRDMA1-3.2-1"+echo1, "RPCRDMA2-4.3.6-2 RPCRDMA2-4.1-2"+echo2,
			header(all2(replies, writes), func(_ *Place, h *rpcHeader) { h.writes = nil })),
		both(version, "four octets more than were written", "RPCRDMA1-3.5.2-2|RPCRDMA1-3.4.6-3|RPCRDMA1-3.4.6.2-3"+echo1, "RPCRDMA2-4.3.6-2|RPCRDMA2-4.3.6.2-3"+echo2,
			header(all2(replies, writes), func(_ *Place, h *rpcHeader) { h.writes[0][0].size += 4 })),
		both(version, "an octet less than was written", "RPCRDMA1-3.4.6.2-3 RPCRDMA1-3.4.6.2-2"+echo1, "RPCRDMA2-4.3.6.2-3 RPCRDMA2-4.3.6.2-2"+echo2,
			header(all2(replies, writes, func(h *rpcHeader) bool { return h.writes[0][0].size > 1 }), func(_ *Place, h *rpcHeader) { h.writes[0][0].size-- })),
		both(version, "no Reply chunk though the Call has one", "RPCRDMA1-4.3.3-3", "", header(all2(replies, inline, answersInChunk), func(_ *Place, h *rpcHeader) { h.lists.reply = nil })),
		both(version, "octets behind an RDMA_NOMSG", "RPCRDMA1-3.5.3-7", "RPCRDMA2-4.4.3-5 RPCRDMA2-6.3.3-1",
			fatal(header(external, func(_ *Place, h *rpcHeader) { h.stream = make([]byte, 8) }))),
		both(version, "an RDMA_NOMSG without what it stands for", "RPCRDMA1-4.2.4-3 RPCRDMA1-3.5.3-2", "RPCRDMA2-6.3.2-1|RPCRDMA2-6.3.2-2 RPCRDMA2-4.4.3-1 RPCRDMA2-6.2.4-1",
			fatal(header(all2(calls, external), func(p *Place, h *rpcHeader) {
				h.lists = pick(p.r, lists{}, lists{writes: []chunk{{{p.r.Uint32(), 4096, 16}}}})
			}))),
		both(version, "a record mark", "RPCRDMA1-3.2-2 RPCRDMA1-4.2.1-1", "RPCRDMA2-4.1-7 RPCRDMA2-7.2-1 RPCRDMA2-4.5.1-1",
			fatal(header(all2(calls, inline, alone, brief), func(_ *Place, h *rpcHeader) { h.stream = octets(1<<31|uint32(len(h.stream)), h.stream) }))),
		rpcPayloadInjectors(version), rpcChunkInjectors(version), [][]Injector{1: rpc1Injectors, 2: rpc2Injectors}[version],
	)
}

// rpcPayloadInjectors break what passes beside the headers, or what the headers say of it.
func rpcPayloadInjectors(version int) []Injector {
	return slices.Concat(
		both(version, "a Write left out", "RPCRDMA1-3.5.2-2"+echo1, "RPCRDMA2-4.3.6-2"+echo2, ofWrite((*Place).removeMessage)),
		both(version, "a Write to another place", "RPCRDMA1-3.4.3-1 RPCRDMA1-3.5.2-2"+echo1, "RPCRDMA2-4-1 RPCRDMA2-4.3.3-1"+echo2, ofWrite(func(p *Place) { p.addToAll(toAt, 8, 1<<24) })),
		both(version, "a Write to another STag", "RPCRDMA1-3.4.3-1 RPCRDMA1-3.5.2-2"+echo1, "RPCRDMA2-4-1 RPCRDMA2-4.3.3-1"+echo2, ofWrite(func(p *Place) { p.addToAll(stagAt, 4, 0x100) })),
		both(version, "a Write behind its Reply", "RPCRDMA1-3.5.2-2 RPCRDMA1-3.4.5.1-1 RPCRDMA1-3.4.3-1"+echo1, "RPCRDMA2-4.3.6-2 RPCRDMA2-4.3.5.1-1 RPCRDMA2-4-1"+echo2, ofWrite((*Place).behindReply)),
		both(version, "a Read from another place", "RPCRDMA1-3.4.3-1 RPCRDMA1-3.4.5-4", "RPCRDMA2-4-1 RPCRDMA2-4.3.3-1 RPCRDMA2-4.3.5-4", in(is(opReadRequest), func(p *Place) { p.add(sourceAt, 8, 1<<24) })),
		both(version, "a result that is not reduced", "RPCRDMA1-4.3.2-1 RPCRDMA1-4.3.2.1-1 RPCRDMA1-6.1-5 RPCRDMA1-3.4.6.2-2 RPCRDMA1-3.4.6.2-3", "RPCRDMA2-A.1-2 RPCRDMA2-4.3.6.2-2 RPCRDMA2-4.3.6.2-3",
			header(all2(replies, writes, inline, alone, small), func(_ *Place, h *rpcHeader) {
				for i := range h.writes[0] {
					h.writes[0][i].size = 0
				}
				h.stream, _ = h.exchange.answer().reduce(func(i int, _ []byte) bool { return 0 < i && i < len(h.writes) })
			})),
		both(version, "a Reply to another Call", "RPCRDMA1-3.3.1-7|RPCBIDI-2.4-2 RPCRDMA1-3.3.3-1 RPCRDMA1-3.3.1-1", "RPCRDMA2-3.1.3.4-2",
			header(all2(replies, inline, alone), func(_ *Place, h *rpcHeader) {
				h.xid ^= 1 << 30
				h.stream = octets(h.xid, h.stream[4:])
			})),
		both(version, "a segment that ends beyond 64 bits", "RPCRDMA1-2.3.2-1", "RPCRDMA2-3.2.2.1-1",
			fatal(header(all2(calls, alone, writes, func(h *rpcHeader) bool { return h.writes[0][0].size > 1 }), func(_ *Place, h *rpcHeader) { h.writes[0][0].to = ^uint64(0) }))),
	)
}

// rpcChunkInjectors break what a Call offers.
func rpcChunkInjectors(version int) []Injector {
	odd := func(h *rpcHeader) bool { // and there is no other chunk
		return reduces(h) && h.positionedLen()%4 != 0 && h.reads[0].position == h.reads[len(h.reads)-1].position
	}
	return slices.Concat(
		both(version, "a Read chunk longer than its item", "RPCRDMA1-3.4.5.2-3"+read1, "RPCRDMA2-4.3.5.2-2"+read2,
			fatal(header(all2(calls, inline, alone, reduces), func(_ *Place, h *rpcHeader) { h.positioned().size += 8 }))),
		both(version, "roundup octets in a Read chunk", "RPCRDMA1-3.4.5.2-1|RPCRDMA1-3.4.5.2-3"+read1, "RPCRDMA2-4.3.5.2-1|RPCRDMA2-4.3.5.2-2"+read2,
			fatal(header(all2(calls, inline, alone, odd), func(_ *Place, h *rpcHeader) { h.positioned().size += -h.positionedLen() & 3 }))),
		both(version, "roundup octets of what is in a Read chunk", "RPCRDMA1-3.4.4.4-2|RPCRDMA1-3.4.5-1|RPCRDMA1-3.2-1"+read1, "RPCRDMA2-4.3.4.4-2|RPCRDMA2-4.3.5-1|RPCRDMA2-4.1-2"+read2,
			fatal(header(all2(calls, inline, alone, odd, brief), func(_ *Place, h *rpcHeader) {
				at := int(h.positioned().position)
				h.stream = octets(h.stream[:at], make([]byte, -h.positionedLen()&3), h.stream[at:])
			}))),
		both(version, "a Write chunk that is too small", "RPCRDMA1-3.4.6-1", "RPCRDMA2-4.3.6-1 RPCRDMA2-6.2.4-1",
			fatal(header(all2(calls, inline, alone, writes, func(h *rpcHeader) bool { return h.exchange.wants() > 1 }), func(_ *Place, h *rpcHeader) { h.writes[0] = chunk{{h.writes[0][0].stag, h.writes[0][0].to, 1}} }))),
		both(version, "a chunk for what is not eligible", "RPCRDMA1-3.4.2-2|RPCRDMA1-3.4.5-1"+read1, "RPCRDMA2-4.3.2-2|RPCRDMA2-4.3.5-1"+read2, fatal(header(all2(calls, inline, alone, reduces), shift(-20)))),
		both(version, "a chunk for a file handle", "RPCRDMA1-3.4.2-2"+read1, "RPCRDMA2-4.3.2-2 RPCRDMA2-4.3.4.1-1"+read2,
			fatal(header(all2(calls, inline, alone, func(h *rpcHeader) bool { return h.exchange.version == 3 && h.exchange.proc > 0 && h.reads == nil }), func(p *Place, h *rpcHeader) {
				at := 32 + int(h.stream[31])
				at += 8 + int(h.stream[at+7]) + 4
				n := int(h.stream[at-1])
				h.reads = []readSegment{{uint32(at), region{p.r.Uint32(), 4096, n}}}
				h.stream = octets(h.stream[:at], h.stream[at+n:])
			}))),
		both(version, "a Write chunk with room for roundup octets", "RPCRDMA1-3.4.6.2-1", "RPCRDMA2-4.3.6.2-1 RPCRDMA2-6.2.4-1",
			fatal(header(all2(calls, inline, alone, writes, func(h *rpcHeader) bool { return h.exchange.wants() > 0 && h.exchange.wants()%4 != 0 }), func(_ *Place, h *rpcHeader) {
				h.writes[0] = chunk{{h.writes[0][0].stag, h.writes[0][0].to, (h.exchange.wants() + 3) &^ 3}}
			}))),
		both(version, "a Position Zero chunk without its roundup octets", "RPCRDMA1-3.5.3-6|RPCRDMA1-3.2-1"+read1, "RPCRDMA2-4.4.3-4|RPCRDMA2-4.1-2"+read2,
			fatal(header(all2(calls, external, func(h *rpcHeader) bool { return h.reads != nil && h.reads[0].size > 1 }), func(_ *Place, h *rpcHeader) { h.reads[0].size-- }))),
		both(version, "a Call with the XID of one that is open", "RPCBIDI-2.4-1 RPCRDMA1-3.2-1 RPCRDMA1-3.3.3-1 RPCRDMA1-3.3.1-1", "RPCRDMA2-3.1.3.4-1 RPCRDMA2-4.1-2", fatal(raw(all2(calls, inline, alone, brief, func(h *rpcHeader) bool { return len(h.exchange.stags) == 0 }), func(p *Place, h *rpcHeader) {
			other := *h
			other.stream = octets(h.stream, uint32(0))
			p.again(&other, 1, 0)
		}))),
	)
}

// wants is how many octets a Call reads, if it has a single READ and nothing else with eligible results; else 0.
func (x *exchange) wants() (n int) {
	if strings.Count(x.name, " READ") != 1 || strings.Contains(x.name, "READLINK") {
		return 0
	}
	for _, p := range x.results {
		if p.eligible {
			n = len(p.octets)
		}
	}
	return n
}

// again lets the sender of a message send it so many times more, each with the next XID but one.
func (p *Place) again(h *rpcHeader, times, step uint32) {
	p.i += len(p.message()) - 1
	for i := range times {
		again := *h
		again.xid += (times - i) * step
		again.stream = octets(again.xid, h.stream[4:])
		m := &Message{From: p.From, Opcode: opSend, MSN: p.Message.MSN + times - i, Body: again.octets(), room: p.Message.room, rpc: p.Message.rpc}
		for _, u := range slices.Backward(m.segments()) {
			u.Message = p.Message
			p.insert(u)
		}
	}
}

// rpc1Injectors are those that version 2 has nothing like.
var rpc1Injectors = []Injector{
	{"a Read segment of nothing", "RPCRDMA1-4.3.1-2 RPCRDMA1-3.2-1" + read1, fatal(header(all2(calls, inline, alone, brief, func(h *rpcHeader) bool { return h.reads == nil }), func(p *Place, h *rpcHeader) {
		h.reads = []readSegment{{uint32(len(h.stream)), region{p.r.Uint32(), 4096, 0}}}
	}))},
	{"more Calls than granted", "RPCRDMA1-3.3.1-1|RPCRDMA1-3.3.3-1 RPCRDMA1-3.3.1-3 RPCBIDI-4.1-1",
		fatal(raw(all2(calls, inline, alone, brief, func(h *rpcHeader) bool { return len(h.exchange.stags) == 0 }), func(p *Place, h *rpcHeader) { p.again(h, requested+1, 1) }))},
	{"Sends longer than the Private Data say", "RPCRDMA1-3.3.2-1 RPCRDMA1-3.3.3-4 RPCRDMA1-4.3.3-1 RPCRDMA1-4.2.4-6 RPCRDMA1-3.5.3-1 RPCPD-4.2-2", func(p *Place) bool {
		long := slices.ContainsFunc(p.Messages, func(m *Message) bool { return m.rpc != nil && len(m.Body) > 1024 })
		return long && privateData(func(_ *Place, b []byte) { b[6], b[7] = 0, 0 })(p)
	}},
	{"Private Data of another version", "RPCPD-4-2 RPCPD-4.1-3 RPCPD-3.2-1 RPCPD-5.1-1 RPCRDMA1-3.3.3-4 RPCRDMA1-4.3.3-1", privateData(func(_ *Place, b []byte) { b[4] = 2 })},
	{"NFS on another port", "RPCRDMA1-5-3", raw(all2(calls, inline, notFirst), func(p *Place, _ *rpcHeader) { p.TCP.Ports[Responder] = 2050 })},
	{"Sends of more than 1024 octets without Private Data", "RPCRDMA1-3.3.3-4|RPCPD-5.1-1 RPCPD-4.1-3 RPCPD-3.2-1", func(p *Place) bool {
		long := slices.ContainsFunc(p.Messages, func(m *Message) bool { return m.rpc != nil && len(m.Body) > 1024 })
		for _, u := range p.Units[:2] {
			if i := strings.Index(string(u.Octets), "\xf6\xab\x0e\x18"); long && i > 0 {
				u.Octets = u.Octets[:i]
				binary.BigEndian.PutUint16(u.Octets[lengthAt:], uint16(i-enhancedAt))
			}
		}
		return long
	}},
	{"Private Data with reserved bits", "RPCPD-4-3", privateData(func(p *Place, b []byte) { b[5] |= 2 << p.r.IntN(7) })},
	{"Remote Invalidation that nobody announced", "RPCPD-4.1-3 RPCPD-3.2-1", func(p *Place) bool {
		return (len(p.private()) == 0 || p.private()[5]&1 == 0) && p.invalidating(func(h *rpcHeader) uint32 { return h.exchange.stags[0] })
	}},
	{"Remote Invalidation of an STag of nobody", "RPCPD-4.1-2", func(p *Place) bool {
		return len(p.private()) > 0 && p.private()[5]&1 != 0 && p.invalidating(func(*rpcHeader) uint32 { return 0x12345678 })
	}},
}

// Conditions of headers.
func any2(*rpcHeader) bool         { return true }
func calls(h *rpcHeader) bool      { return h.exchange != nil && !h.reply && !h.back }
func replies(h *rpcHeader) bool    { return h.exchange != nil && h.reply && !h.back }
func inline(h *rpcHeader) bool     { return h.kind == rdmaMSG }
func begins(h *rpcHeader) bool     { return h.exchange != nil && h.flags&flagMore != 0 } // and does not end
func external(h *rpcHeader) bool   { return h.kind == rdmaNOMSG && h.exchange != nil }
func properties(h *rpcHeader) bool { return h.properties != nil }
func offers(h *rpcHeader) bool     { return len(h.writes) > 0 }
func writes(h *rpcHeader) bool {
	return len(h.writes) > 0 && len(h.writes[0]) > 0 && h.writes[0][0].size > 0
}
func reduces(h *rpcHeader) bool        { return h.positioned() != nil }
func brief(h *rpcHeader) bool          { return len(h.stream) < 400 } // it may become longer
func small(h *rpcHeader) bool          { return brief(h) && h.written() < 300 }
func answersInChunk(h *rpcHeader) bool { return h.lists.reply != nil }

// alone tells that no other Send carries a part of the message.
func alone(h *rpcHeader) bool {
	return h.flags&flagMore == 0 && (h.kind != rdmaMSG || len(h.stream) > 8 && binary.BigEndian.Uint32(h.stream) == h.xid)
}

// notFirst tells that it is not the first Call: that may decide how all others are read.
func notFirst(h *rpcHeader) bool { return !h.exchange.first }

func all2(conditions ...func(*rpcHeader) bool) func(*rpcHeader) bool {
	return func(h *rpcHeader) bool {
		return !slices.ContainsFunc(conditions, func(holds func(*rpcHeader) bool) bool { return !holds(h) })
	}
}

// positioned is the first entry of the Read list that is not at Position Zero.
func (h *rpcHeader) positioned() *readSegment {
	for i := range h.reads {
		if h.reads[i].position > 0 {
			return &h.reads[i]
		}
	}
	return nil
}

// positionedLen is how many octets the first chunk has that is not at Position Zero.
func (h *rpcHeader) positionedLen() (n int) {
	for _, r := range h.reads {
		if r.position == h.positioned().position {
			n += r.size
		}
	}
	return n
}

// written is how many octets the first Write chunk has.
func (h *rpcHeader) written() (n int) {
	for _, r := range h.writes[0] {
		n += r.size
	}
	return n
}

// listsAt is the offset of the chunk lists.
func (h *rpcHeader) listsAt() int {
	if h.version == 2 {
		return 24
	}
	return 16
}

// shift moves the first chunk that is not at Position Zero.
func shift(by int) func(*Place, *rpcHeader) {
	return func(_ *Place, h *rpcHeader) {
		from := h.positioned().position
		for i := range h.reads {
			if h.reads[i].position == from {
				h.reads[i].position += uint32(by)
			}
		}
	}
}

// raw changes the octets of a message whose header a condition holds for.
func raw(holds func(*rpcHeader) bool, change func(*Place, *rpcHeader)) func(*Place) bool {
	return func(p *Place) bool {
		var found []*Message
		for _, m := range p.Messages {
			if m.rpc != nil && holds(m.rpc) {
				found = append(found, m)
			}
		}
		if len(found) == 0 {
			return false
		}
		m := pick(p.r, found...)
		p.i = p.firstOf(m)
		p.Unit = p.Units[p.i]
		change(p, m.rpc)
		return true
	}
}

// header changes a header that a condition holds for.
func header(holds func(*rpcHeader) bool, change func(*Place, *rpcHeader)) func(*Place) bool {
	return raw(holds, func(p *Place, h *rpcHeader) {
		change(p, h)
		p.recut(h.octets())
	})
}

// body is what the first segment carries.
func (p *Place) body() []byte { return p.Octets[untaggedHeader:] }

// fatal ends the Conversation after the message that is broken: its receiver cannot know what was meant.
func fatal(breaks func(*Place) bool) func(*Place) bool {
	return func(p *Place) bool {
		if !breaks(p) {
			return false
		}
		p.Units = p.Units[:p.firstOf(p.Message)+len(p.message())]
		return true
	}
}

// recut gives the message another body.
func (p *Place) recut(body []byte) {
	i := p.firstOf(p.Message)
	p.removeMessage()
	p.Message.Body = body
	p.Units = slices.Insert(p.Units, i, p.Message.segments()...)
}

// ofWrite changes an RDMA Write that carries results.
func ofWrite(change func(*Place)) func(*Place) bool {
	return in(all(is(opWrite), filled, first), change)
}

// removeMessage takes the message away.
func (p *Place) removeMessage() {
	m := p.Message
	p.Units = slices.DeleteFunc(p.Units, func(u *Unit) bool { return u.Message == m })
}

// behindReply moves the message after the next Send of its sender.
func (p *Place) behindReply() {
	moved := p.message()
	p.removeMessage()
	i := p.i
	for ; i < len(p.Units); i++ {
		if u := p.Units[i]; u.From == p.From && sends(u) && last(u) && u.Message.rpc != nil && replies(u.Message.rpc) && u.Message.rpc.flags&flagMore == 0 {
			break
		}
	}
	p.Units = slices.Insert(p.Units, min(i+1, len(p.Units)), moved...)
}

// private is the Private Data of the Request that are those of RFC 8797; nil if there are none.
func (p *Place) private() []byte {
	b := p.Units[Initiator].Octets
	if i := strings.Index(string(b), "\xf6\xab\x0e\x18"); i > 0 {
		return b[i:]
	}
	return nil
}

// privateData changes the Private Data of the Request.
func privateData(change func(*Place, []byte)) func(*Place) bool {
	return func(p *Place) bool {
		b := p.private()
		if b != nil {
			change(p, b)
		}
		return b != nil
	}
}

// invalidating makes a Reply that is a plain Send invalidate an STag.
func (p *Place) invalidating(stag func(*rpcHeader) uint32) bool {
	return raw(func(h *rpcHeader) bool { return replies(h) && alone(h) && len(h.exchange.stags) > 0 }, func(p *Place, h *rpcHeader) {
		p.Message.Opcode, p.Message.STag = opSendInvalidate, stag(h)
		p.recut(p.Message.Body)
	})(p)
}
