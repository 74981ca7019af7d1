package judge_test

// Legal streams that are made at random, with seeds, and in which much looks alike.

import (
	"encoding/binary"
	"math/rand/v2"
	"testing"

	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/internal/conversation"
	"github.com/iwarpkit/iwarp/pcaps"
)

// legal are the streams, by name.
var legal = map[string]func(*rand.Rand) []pcaps.Record{
	"overlapping Reads": overlapping, "one STag for all Calls": oneSTag, "continued Replies": continued,
}

// overlapping are Reads of either side into few places of one sink, which overlap (RFC 5040, section 5.5).
func overlapping(r *rand.Rand) []pcaps.Record {
	k := startTalk("10.0.0.1:40000", "10.0.0.2:7174")
	for i := range 60 {
		from := conversation.Side(r.IntN(2) * min(i, 1)) // the client begins
		var reads []rdmap.ReadRequest
		for i := range 1 + r.IntN(4) {
			read := rdmap.ReadRequest{
				SinkSTag: 0x100, SinkTO: uint64(r.IntN(4)) * 500, RDMARDSZ: uint32(r.IntN(4)) * 500, SrcSTag: 0x200, SrcTO: uint64(i),
			}
			body, _ := read.AppendBinary(nil)
			k.untagged(from, rdmap.OpReadRequest, 0, body, 100)
			reads = append(reads, read)
		}
		for _, read := range reads {
			k.tagged(1-from, rdmap.OpReadResponse, read.SinkSTag, read.SinkTO, make([]byte, read.RDMARDSZ), 500)
		}
		if r.IntN(4) == 0 {
			k.untagged(from, rdmap.OpSend, 0, make([]byte, r.IntN(1200)), 500)
		}
	}
	return k.Close(conversation.Client).Records
}

// say records a Send of words.
func (k *talker) say(from conversation.Side, words ...uint32) {
	var b []byte
	for _, w := range words {
		b = binary.BigEndian.AppendUint32(b, w)
	}
	k.untagged(from, rdmap.OpSend, 0, b, 60000)
}

// oneSTag are READs and WRITEs of NFSv3, up to three at a time. All have chunks of the same two STags, at few places.
func oneSTag(r *rand.Rand) []pcaps.Record {
	const stag, sink = 0x2200bb01, 0x99000001
	k := startTalk("10.0.0.1:40000", "10.0.0.2:20049")
	xid := uint32(0x5a000000)
	for i := range 60 {
		var open []uint32
		for range 1 + r.IntN(min(i+1, 3)) {
			xid++
			open = append(open, xid)
			at := xid % 4 * 0x1000
			if xid%2 == 0 {
				k.say(conversation.Client, xid, 1, 32, 0, 0, 1, 1, stag, 0x1000, 0, at, 0, 0,
					xid, 0, 2, 100003, 3, 6, 0, 0, 0, 0, 8, 1, 2, 0, 0, 0x1000)
				continue
			}
			k.say(conversation.Client, xid, 1, 32, 0, 1, 72, stag, 0x1000, 0, at, 0, 0, 0,
				xid, 0, 2, 100003, 3, 7, 0, 0, 0, 0, 8, 1, 2, 0, 0, 0x1000, 0, 0x1000)
		}
		r.Shuffle(len(open), func(i, j int) { open[i], open[j] = open[j], open[i] })
		for _, xid := range open {
			at := xid % 4 * 0x1000
			if xid%2 == 0 {
				k.tagged(conversation.Server, rdmap.OpWrite, stag, uint64(at), make([]byte, 0x1000), 1400)
				k.say(conversation.Server, xid, 1, 32, 0, 0, 1, 1, stag, 0x1000, 0, at, 0, 0,
					xid, 1, 0, 0, 0, 0, 0, 0, 0x1000, 1, 0x1000)
				continue
			}
			k.read(conversation.Server, rdmap.ReadRequest{SinkSTag: sink, RDMARDSZ: 0x1000, SrcSTag: stag, SrcTO: uint64(at)}, 1400)
			k.say(conversation.Server, xid, 1, 32, 0, 0, 0, 0, xid, 1, 0, 0, 0, 0, 0, 0, 0, 0x1000, 0, 1, 2)
		}
	}
	return k.Close(conversation.Client).Records
}

// continued are READs of NFSv3 with version 2 of RPC-over-RDMA (draft 01), whose Replies come in several messages. The data are
// the XID, again and again, or zeros.
func continued(r *rand.Rand) []pcaps.Record {
	const more, response = 2, 1
	k := startTalk("10.0.0.1:40000", "10.0.0.2:20049")
	k.say(conversation.Client, 0xc0000001, 2, 0x01000020, 5, 0, 0)
	k.say(conversation.Server, 0xd0000001, 2, 0x01000020, 5, 0, 0)
	for i := range uint32(60) {
		xid, parts := 0x6b000000+i, 1+r.IntN(4)
		data := make([]uint32, 8*parts)
		for j := range data {
			data[j] = xid * (i % 2)
		}
		size := uint32(len(data) * 4)
		k.say(conversation.Client, xid, 2, 0x01000004, 0, 0, 0, 0, 0, 0, xid, 0, 2, 100003, 3, 6, 0, 0, 0, 0, 8, 1, 2, 0, 0, size)
		message := append([]uint32{xid, 1, 0, 0, 0, 0, 0, 0, size, 1, size}, data...)
		for part := range parts {
			flags, n := uint32(response|more), len(message)/(parts-part)
			if part == parts-1 {
				flags, n = response, len(message)
			}
			k.say(conversation.Server, append([]uint32{xid, 2, 0x01000001, 0, flags, 0, 0, 0, 0}, message[:n]...)...)
			message = message[n:]
		}
	}
	return k.Close(conversation.Client).Records
}

// TestLegal checks that nothing but notes is found in the streams as they are.
func TestLegal(t *testing.T) {
	for name, make := range legal {
		if f := analyse(make(rand.New(rand.NewPCG(1, 0))), "rfc", nil); f.worst() > rules.Note {
			t.Errorf("%s: %v: %s", name, f.count(), f.findings[0].Text)
		}
	}
}
