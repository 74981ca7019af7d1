package adversary

// Violations of RPC-over-RDMA version 2 alone: draft-ietf-nfsv4-rpcrdma-version-two-01.

import "slices"

// rpc2Injectors are those that version 1 has nothing like.
var rpc2Injectors = []Injector{
	{"a reserved flag", "RPCRDMA2-6.2.2-1", header(any2, func(p *Place, h *rpcHeader) { h.flags |= 8 << p.r.IntN(29) })},
	{"RESPONSE in a Call", "RPCRDMA2-6.2.2.1-1|RPCRDMA2-4.5.1-3|RPCRDMA2-4.4.1.1-2 RPCRDMA2-6.2.2.1-2 RPCRDMA2-4.5.2-3", fatal(header(all2(calls, inline, alone), func(_ *Place, h *rpcHeader) { h.flags |= flagResponse }))},
	{"no RESPONSE in a Reply", "RPCRDMA2-6.2.2.1-1|RPCRDMA2-4.5.2-3 RPCRDMA2-6.2.2.1-2 RPCRDMA2-4.5.1-3 RPCRDMA2-4.5.3-1 RPCRDMA2-6.2.4-3", fatal(header(all2(replies, inline, alone), func(_ *Place, h *rpcHeader) { h.flags &^= flagResponse }))},
	{"MORE in an RDMA2_NOMSG", "RPCRDMA2-6.2.2.2-5 RPCRDMA2-6.2.2.2-9", fatal(header(external, func(_ *Place, h *rpcHeader) { h.flags |= flagMore }))},
	{"TPMORE in a Call", "RPCRDMA2-6.2.2.3-1", fatal(header(all2(calls, alone), func(_ *Place, h *rpcHeader) { h.flags |= flagTPMore }))},
	{"a handle to invalidate that is not offered", "RPCRDMA2-6.2.4-1 RPCRDMA2-6.2.4-2", header(all2(calls, alone), func(_ *Place, h *rpcHeader) { h.handle = 0x7f7f7f7f })},
	{"properties behind the last", "RPCRDMA2-6.2.2.3-3|RPCRDMA2-6.2.2.3-4 RPCRDMA2-6.3.4-3", func(p *Place) bool {
		last := header(all2(properties, func(h *rpcHeader) bool { return h.flags == 0 }), func(_ *Place, h *rpcHeader) { h.flags = flagTPMore })
		return slices.ContainsFunc(p.Messages, func(m *Message) bool { return m.rpc != nil && calls(m.rpc) }) && last(p)
	}},
	{"a property that is too short", "RPCRDMA2-5.1-2 RPCRDMA2-5.1-1 RPCRDMA2-7.2.2-1 RPCRDMA2-6.3.4-1 RPCRDMA2-6.2.2.3-4 RPCRDMA2-4.2.2-1 RPCRDMA2-4.2.2-2",
		header(all2(properties, func(h *rpcHeader) bool { return len(h.properties) > 8 }), func(_ *Place, h *rpcHeader) { h.properties[11] = 2 })},
	{"Remote Invalidation of another STag", "RPCRDMA2-6.2.4-2|RPCRDMA2-6.2.4-3", func(p *Place) bool {
		return p.invalidating(func(*rpcHeader) uint32 { return 0x12345678 })
	}},
	{"a part that is marked as the last", "RPCRDMA2-7.2-1|RPCRDMA2-4.5.1-1|RPCRDMA2-6.2.4-3|RPCRDMA2-4.1-2 RPCRDMA2-4.5.2-3 RPCRDMA2-3.1.3.4-2 RPCRDMA2-4.1-2" + splitIDs + echo2 + read2, header(begins, func(_ *Place, h *rpcHeader) { h.flags &^= flagMore })},
	{"chunks in a part that is not the last", "RPCRDMA2-6.2.2.2-7 RPCRDMA2-6.2.2.2-9 RPCRDMA2-4.2.2-2", fatal(header(all2(begins, calls), func(p *Place, h *rpcHeader) { h.writes = []chunk{{{p.r.Uint32(), 4096, 16}}} }))},
	{"parts with different XIDs", "RPCRDMA2-6.2.2.2-2|RPCRDMA2-4.1-6 RPCRDMA2-7.2-1 RPCRDMA2-4.5.1-1 RPCRDMA2-4.1-5 RPCRDMA2-3.1.3.4-2 RPCRDMA2-4.1-2 RPCRDMA2-6.2.4-3 RPCRDMA2-4.5.2-3" + splitIDs + echo2 + read2, header(begins, func(_ *Place, h *rpcHeader) { h.xid++ })},
	{"more messages than granted", "RPCRDMA2-4.2.1.1-1|RPCRDMA2-4.2.1.1-4 RPCRDMA2-6.2.2.2-10", fatal(raw(all2(calls, inline, alone, brief), func(p *Place, h *rpcHeader) { p.again(h, 3*plenty, 1) }))},
	{"a grant above the maximum", "RPCRDMA2-4.2.1.1-2", header(any2, func(_ *Place, h *rpcHeader) { h.credit = max(2, h.credit&0xffff) | 1<<16 })},
	{"an RDMA2_MSG with nothing", "RPCRDMA2-6.3.1-1|RPCRDMA2-4.1-2" + read2, fatal(header(all2(calls, inline, alone), func(_ *Place, h *rpcHeader) { h.stream = nil }))},
	{"a Reply in several Sends though there is a Reply chunk", "RPCRDMA2-4.4.3-3" + echo2, func(p *Place) bool {
		return raw(all2(replies, begins), func(p *Place, h *rpcHeader) {
			call := func(c *rpcHeader) bool { return calls(c) && c.flags&flagMore == 0 && c.exchange == h.exchange }
			header(call, func(p *Place, c *rpcHeader) { c.lists.reply = chunk{{p.r.Uint32(), 4096, 1 << 16}} })(p)
		})(p)
	}},
	{"no properties", "RPCRDMA2-4.2.2-1|RPCRDMA2-4.2.2-2", func(p *Place) bool {
		long := slices.ContainsFunc(p.Messages, func(m *Message) bool { return m.rpc != nil && len(m.Body) > 4096 })
		for i := 0; long && i < len(p.Messages); i++ {
			if m := p.Messages[i]; m.rpc != nil && m.rpc.properties != nil {
				p.Unit, m.rpc.kind, m.rpc.xid, m.rpc.flags, m.rpc.properties = p.Units[p.firstOf(m)], rdmaNOMSG, 0, 0, nil
				p.recut(m.rpc.octets())
			}
		}
		return long
	}},
	{"a second message before the server's first", "RPCRDMA2-4.2.3-1 RPCRDMA2-4.2.1.1-4", func(p *Place) bool {
		server := slices.IndexFunc(p.Units, func(u *Unit) bool { return u.Message != nil && u.Message.rpc != nil && u.From == Responder })
		for i := server; i < len(p.Units); i++ {
			if u := p.Units[i]; u.From == Initiator && u.Message.rpc != nil && first(u) && last(u) {
				p.Units = slices.Insert(slices.Delete(p.Units, i, i+1), server, u)
				return true
			} else if u.From == Initiator {
				break
			}
		}
		return false
	}},
	{"an answer of version 1", "RPCRDMA2-4.2.3.1-1|RPCRDMA2-4.2.3.3-2|RPCRDMA1-3.2-1", fatal(raw(properties, func(p *Place, _ *rpcHeader) {
		p.i = slices.IndexFunc(p.Units, func(u *Unit) bool { return u.Message != nil && u.Message.rpc != nil && u.From == Responder })
		p.Unit = p.Units[p.i]
		p.body()[7] = 1
	}))},
	{"a property twice", "RPCRDMA2-5.1-5", ofProperties(uint32(propertySBSIZ), uint32(4), uint32(8192))},
	{"first properties of more than 1024 octets", "RPCRDMA2-4.2.3-2 RPCRDMA2-6.3.4-2", ofProperties(uint32(99), uint32(1100), make([]byte, 1100))},
	{"a segment of more than 1048576 octets", "RPCRDMA2-5.2.3-1", fatal(header(all2(calls, alone, writes), func(_ *Place, h *rpcHeader) { h.writes[0][0].size = 1<<20 + 1 }))},
	{"more than 16 segments", "RPCRDMA2-5.2.4-1 RPCRDMA2-6.2.4-1 RPCRDMA2-4.3.6-1", fatal(header(all2(calls, alone, writes, brief), func(_ *Place, h *rpcHeader) { h.writes[0] = slices.Repeat(h.writes[0][:1], 17) }))},
	{"a Call in place of the first properties", "RPCRDMA2-6.3.4-1", func(p *Place) bool {
		i := slices.IndexFunc(p.Messages, func(m *Message) bool { return m.rpc != nil })
		p.Unit = p.Units[p.firstOf(p.Messages[i])]
		h := &rpcHeader{version: 2, xid: 77, credit: p.Message.rpc.credit, stream: octets(uint32(77), uint32(0), uint32(2), uint32(programNFS), uint32(3), uint32(0), uint64(0), uint64(0))}
		p.recut(h.octets())
		return true
	}},
}

// ofProperties appends a property to those with which the client begins.
func ofProperties(property ...any) func(*Place) bool {
	return func(p *Place) bool {
		m := p.Messages[slices.IndexFunc(p.Messages, func(m *Message) bool { return m.rpc != nil && m.From == Initiator })]
		return header(func(h *rpcHeader) bool { return h == m.rpc && h.properties != nil }, func(_ *Place, h *rpcHeader) {
			h.properties = octets(h.properties, octets(property...))
			h.properties[3]++
		})(p)
	}
}
