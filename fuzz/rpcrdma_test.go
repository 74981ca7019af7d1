package fuzz

// RPC-over-RDMA messages of any octets: package rpcrdma.

import (
	"bytes"
	"encoding/binary"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/codec/rpcprivate"
	"github.com/iwarpkit/iwarp/codec/rpcrdma"
	"github.com/iwarpkit/iwarp/internal/codectest"
)

// Whole messages, one of every form: of version 1, of version 2, and of the draft of 2022.
const rpcrdmaMessages = `
41218ef8000000010000008000000000 000000000000000000000000 41218ef80000000000000002000186a3
42218ef8000000010000004000000001 0000000000000000 00000001000000017ed74e010000005c42218ef80d18a000
73218ef8000000010000008000000000 00000001000000b09306a10600000f3c73218ef80e247000 00000000 0000000000000000 73218ef80000000000000002000186a3
08228ef8000000010000004000000001 0000000000000000 0000000100000003 084039010000006408228ef80dc63000f1c742010000000808228ef80d7240002e0437010000000008228ef80dc63064
5a000004000000010000002000000000 00000001000000601100aa01000000070000000000000001 00000000 00000001000000012200bb010000100000007f0020000000 0000000100000000 00000000 00000000 5a00000400000000
5a000008000000070000001000000004 000000010000000100000002
5a000009000000010000001000000004 00000002
5a00000a000000010000002000000002 0000000400000400 000000000000000000000000 5a00000a00000000
5a00000b000000010000002000000003
c0000001000000020008000400000005 00000000 00000002 000000010000000400002000 000000050000000400000001
d0000001000000020020002000000005 00000004 00000002 000000060000000c00000005a1a2a3a4a5000000 0badcafe00000003aabbcc00
6b000006000000020008000100000000 00000000 1100aa01 00000001000000481100aa010000100000007f0010000000 00000000 0000000000000000 6b00000600000000
6b000007000000020008000100000000 00000002 00000000 000000000000000000000000 6b000007
00000000000000020020001000000001 00000000 00000000 000000000000000000000000
6b0000e1000000020020000100000004 00000001 000000010000000200000002
6b0000e7000000020020000100000004 00000001 0000000700000001
6b0000e9000000020020000100000004 00000001 000000090000000100010000
6b0000eb000000020020000100000004 00000001 00000064
c0000001000000020000002000000004 000000010000000100000001
7c000005000000020000002200000004 0000000800000010
00000000000000020000003000000005
7c000000000000020000000800000006 00000001 000000010000000400002000
7c000006000000020000000a00000008 3300cc02 00000001000000003300cc01000007d00000000030000000 00000000 00000000 00000000 00000001000000013300cc04000020000000000040000000
7c000007000000020000000b00000009 00000018 7c00000700000000
7c00000200000002000000090000000a 00000000 000000000000000000000000 7c00000200000000
7c00000600000002000000210000000b 00000001000000013300cc03000000110000000060000000 00000000 00000001000000013300cc0400000bb80000000040000000
7c00000200000002000000210000000d 00000000 7c00000200000001
`

// rpcrdmaHeaders are a header of every dialect that was used before: nothing may stay behind.
var rpcrdmaHeaders = map[rpcrdma.Dialect]codectest.Header{
	rpcrdma.DialectVersion1:  new(rpcrdma.Version1),
	rpcrdma.DialectVersion2:  new(rpcrdma.Version2),
	rpcrdma.DialectDraft2022: new(rpcrdma.Draft2022),
}

// FuzzRPCRDMA decodes any octets in every dialect. What is decoded is encoded to the same octets, without exception: the
// encoding has no two forms of the same that the structs would not tell apart. The iterators see as much as the lists
// hold, and the parts of the layout cover the header without a gap.
func FuzzRPCRDMA(f *testing.F) {
	for _, seed := range rdmapSeeds(f, rpcrdmaMessages) {
		f.Add(seed, len(seed))
		f.Add(seed[:len(seed)-3], len(seed))
	}
	for _, seed := range captured(f).bodies(rdmap.OpSend, rdmap.OpSendInvalidate) {
		f.Add(seed, len(seed))
	}
	f.Fuzz(func(t *testing.T, message []byte, length int) {
		for d, used := range rpcrdmaHeaders {
			var h codectest.Header
			switch d {
			case rpcrdma.DialectVersion1:
				h = new(rpcrdma.Version1)
			case rpcrdma.DialectVersion2:
				h = new(rpcrdma.Version2)
			default:
				h = new(rpcrdma.Draft2022)
			}
			reencodes(t, h, message)
			if used.Decode(message); !cmp.Equal(h, used) {
				t.Errorf("decoded into a used header: (-new +used)\n%s", cmp.Diff(h, used))
			}
			listsAgree(t, h)
			n, err := h.Decode(message)
			partsCover(t, message, len(message), d, n, err)
			partsCover(t, message, length, d, -1, nil)
			d.Of(message, length)
		}
		if d, ok := rpcrdma.Recognize(message, len(message)); ok && d == rpcrdma.DialectUnknown {
			t.Errorf("% x is recognised as nothing", message)
		}
		rpcrdma.Recognize(message, length)

		var private rpcprivate.Data
		reencodes(t, &private, message)
		if off, ok := rpcprivate.Find(message); ok {
			if n, err := private.Decode(message[off:]); n != rpcprivate.Len || err != nil {
				t.Errorf("found at %d: %d octets, %v", off, n, err)
			}
		}
		reencodes(t, new(rpcrdma.Error2), message)
		reencodes(t, new(rpcrdma.Propval), message)
		decodesAsTable(t, new(rpcrdma.Segment), rpcrdma.SegmentFields, message)
		decodesAsTable(t, new(rpcrdma.ReadSegment), rpcrdma.ReadSegmentFields, message)
	})
}

// listsAgree builds the lists of a header again from what the iterators yield, if they are whole, and checks that
// nothing was lost.
func listsAgree(t *testing.T, h codectest.Header) {
	t.Helper()
	var (
		reads  []rpcrdma.ReadList
		writes rpcrdma.WriteList
		reply  rpcrdma.WriteChunk
		props  rpcrdma.PropSet
	)
	switch h := h.(type) {
	case *rpcrdma.Version1:
		reads, writes, reply = []rpcrdma.ReadList{h.Reads}, h.Writes, h.Reply
	case *rpcrdma.Version2:
		reads, writes, reply, props = []rpcrdma.ReadList{h.Reads}, h.Writes, h.Reply, h.Props
	case *rpcrdma.Draft2022:
		reads, writes, reply, props = []rpcrdma.ReadList{h.Call, h.Reads}, h.Writes, h.Reply, h.Props
	}
	for _, l := range reads {
		var again rpcrdma.ReadList
		total := uint64(0)
		for s := range l.Segments() {
			again = again.Append(s.Position, s.Segment)
			total += uint64(s.Length)
		}
		if !bytes.Equal(again, l) || l.Count() != len(l)/24 {
			t.Errorf("Read list % x\nagain % x", l, again)
		}
		last, chunks := int64(-1), 0
		for position := range l.Positions() {
			if int64(position) <= last || !l.Has(position) {
				t.Errorf("Position %d behind %d", position, last)
			}
			last = int64(position)
			total -= l.Length(position)
			if chunks++; chunks == 100 {
				return // quadratic from here on
			}
		}
		if total != 0 {
			t.Errorf("%d octets are in no chunk of % x", total, l)
		}
	}
	var again rpcrdma.WriteList
	for c := range writes.Chunks() {
		again = again.Append(segmentsOf(c)...)
	}
	if !bytes.Equal(again, writes) {
		t.Errorf("Write list % x\nagain % x", writes, again)
	}
	if reply.Present() && !bytes.Equal(rpcrdma.WriteChunk(nil).Append(segmentsOf(reply)...), reply) {
		t.Errorf("Reply chunk % x", reply)
	}
	octets := 4
	for p := range props.Properties() {
		octets += p.Len()
	}
	if len(props) != 0 && octets != len(props) {
		t.Errorf("properties of %d octets in % x", octets, props)
	}
}

func segmentsOf(c rpcrdma.WriteChunk) (all []rpcrdma.Segment) {
	for s := range c.Segments() {
		all = append(all, s)
	}
	return all
}

// partsCover checks that the parts of a message follow each other without a gap, and that those of a header which was
// decoded end where it does.
func partsCover(t *testing.T, message []byte, length int, d rpcrdma.Dialect, n int, err error) {
	t.Helper()
	at, end := 0, min(len(message), max(length, 0))
	header := 0
	for _, p := range rpcrdma.AppendLayout(nil, message, length, d) {
		if p.Off != at || p.Off >= end || len(p.Octets) == 0 {
			t.Fatalf("%s: %s of %d octets at %d, the part before ends at %d", d, p.Table.Name, len(p.Octets), p.Off, at)
		}
		at += len(p.Octets)
		if p.Table != rpcrdma.TrailingFields {
			header = at
		}
		for i := range p.Table.Fields {
			p.AppendValue(nil, &p.Table.Fields[i])
		}
	}
	if n >= 0 && err == nil && header != n {
		t.Errorf("%s: the parts end at %d, the header at %d", d, header, n)
	}
}

// FuzzRPCRDMABuild makes headers from any values, encodes and decodes them: nothing may be lost on the way.
func FuzzRPCRDMABuild(f *testing.F) {
	for kind := range byte(14) {
		f.Add(kind, kind%2 == 0, uint64(kind)<<40|77, []byte("0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"))
	}
	f.Add(byte(5), false, uint64(0), []byte{})
	f.Fuzz(func(t *testing.T, kind byte, present bool, values uint64, seed []byte) {
		seed = seed[:min(len(seed), 64)] // the lists grow with its square
		var (
			reads, call rpcrdma.ReadList
			writes      rpcrdma.WriteList
			reply       rpcrdma.WriteChunk
			props       rpcrdma.PropSet
		)
		for i, b := range seed {
			s := rpcrdma.Segment{Handle: uint32(values) + uint32(i), Length: uint32(b) << (i % 25), Offset: values << (i % 40)}
			switch b % 5 {
			case 0:
				reads = reads.Append(uint32(values>>32)+uint32(b), s)
				props = props.AppendUint32(rpcrdma.PropID(b), s.Length)
			case 1:
				call = call.Append(uint32(b), s)
				props = props.Append(rpcrdma.PropID(b), seed[:i])
			case 2:
				writes = writes.Append()
				props = props.AppendHostAuth(seed[i:])
			case 3:
				writes = writes.Append(s, s)
			case 4:
				if present {
					reply = reply.Append(s)
				}
			}
		}
		if present {
			reply = reply.Append()
		}
		word, high := uint32(values), uint32(values>>32)
		one := rpcrdma.Version1{XID: word, Vers: high, Credit: word, Proc: rpcrdma.Proc(kind)}
		switch one.Proc {
		case rpcrdma.ProcMsgP:
			one.Align, one.Thresh = word, high
			fallthrough
		case rpcrdma.ProcMsg, rpcrdma.ProcNoMsg:
			one.Reads, one.Writes, one.Reply = reads, writes, reply
		case rpcrdma.ProcError:
			if one.Err = rpcrdma.ErrCode(high); one.Err == rpcrdma.ErrCodeVers {
				one.VersLow, one.VersHigh = word, word+1
			}
		}
		two := rpcrdma.Version2{XID: word, Vers: high, CreditMax: uint16(word), CreditGrant: uint16(high), HType: rpcrdma.HType(kind), Flags: rpcrdma.Flags(values >> 16)}
		switch two.HType {
		case rpcrdma.HTypeMsg, rpcrdma.HTypeNoMsg:
			two.InvHandle, two.Reads, two.Writes, two.Reply = word, reads, writes, reply
		case rpcrdma.HTypeError:
			two.Error.Decode(append(binary.BigEndian.AppendUint32(nil, high%13), seed...))
		case rpcrdma.HTypeConnProp:
			two.Props = props
		}
		latest := rpcrdma.Draft2022{XID: word, Vers: high, Credit: word, HType: rpcrdma.HType2022(kind)}
		switch latest.HType {
		case rpcrdma.HType2022CallExternal:
			latest.Call = call
			fallthrough
		case rpcrdma.HType2022CallInline:
			latest.InvHandle, latest.Reads = high, reads
			fallthrough
		case rpcrdma.HType2022ReplyExternal:
			latest.Reply = reply
			fallthrough
		case rpcrdma.HType2022ReplyInline:
			latest.Writes = writes
		case rpcrdma.HType2022CallMiddle, rpcrdma.HType2022ReplyMiddle:
			latest.Remaining = high
		case rpcrdma.HType2022ConnPropMiddle, rpcrdma.HType2022ConnPropFinal:
			latest.Props = props
		}
		decodesToSame(t, &one, new(rpcrdma.Version1))
		decodesToSame(t, &two, new(rpcrdma.Version2))
		decodesToSame(t, &latest, new(rpcrdma.Draft2022))
	})
}

// decodesToSame encodes a header with octets after it, and decodes it.
func decodesToSame(t *testing.T, h, got codectest.Header) {
	t.Helper()
	b, err := h.AppendBinary(nil)
	if err != nil || len(b) != h.Len() {
		t.Fatalf("%+v: AppendBinary: %v, %d octets, Len %d", h, err, len(b), h.Len())
	}
	if n, err := got.Decode(append(b, 1, 2, 3, 4)); n != len(b) || err != nil {
		t.Errorf("%+v: n = %d of %d, %v", h, n, len(b), err)
	}
	if d := cmp.Diff(h, got); d != "" {
		t.Errorf("(-encoded +decoded)\n%s", d)
	}
}
