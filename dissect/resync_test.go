package dissect_test

// Finding FPDUs again after what the capture does not have.

import (
	"slices"
	"testing"

	"github.com/iwarpkit/iwarp/codec/ddp"
	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/internal/conversation"
	"github.com/iwarpkit/iwarp/pcaps"
)

// row sends n FPDUs, each a Send of 500 octets, one directly after the other in packets of 1000 octets. Without Markers
// an FPDU has 524 octets.
func row(mode mpa.Frame, n int) *talk {
	k := startTalk(mode, mode)
	k.MSS = 1000
	var all []byte
	for range n {
		for _, f := range k.send(client, payload[:500], 500) {
			all = append(all, f...)
		}
	}
	k.Send(client, all).Ack(server)
	return k
}

// TestFoundBetween loses a packet in which FPDUs begin and end: octets 1000 to 1999 of the stream, in which FPDUs begin at
// 1048 and 1572. The next one begins at 2096, in the middle of a packet.
func TestFoundBetween(t *testing.T) {
	for _, mode := range []mpa.Frame{{Rev: 1}, crcOn} {
		k := row(mode, 8)
		expect(t, journalOf(without(k.Records, handshake+1), ""), `
			4 0 c2s Request 20 octets
			5 0 s2c Reply 20 octets
			6 0 c2s Send 500 in 1
			6 0 c2s Send 500 in 1 missing 48
			6 0 c2s framing lost: 1000 octets
			8 0 c2s framing found: 96 octets
			8 0 c2s Send 500 in 1
			8-9 0 c2s Send 500 in 1
			9 0 c2s Send 500 in 1
			9-10 0 c2s Send 500 in 1
			conn 0 ends: open`)
	}
}

// TestFoundByMarkers does the same with Markers, at all phases of the 512 octets: from one run to the next the FPDUs lie
// four octets further on.
func TestFoundByMarkers(t *testing.T) {
	for _, mode := range []mpa.Frame{{Rev: 1, M: true}, {Rev: 1, C: true, M: true}} {
		for shift := 1; shift <= 128; shift++ {
			k := startTalk(mode, mode)
			k.MSS = 1000
			all := k.send(client, payload[:4*shift], 600)[0]
			for range 12 {
				all = append(all, k.send(client, payload[:500], 500)[0]...)
			}
			k.Send(client, all).Ack(server)
			l := keep(without(k.Records, handshake+2))
			l.audit(t, k.Records)
			tr := &l.conns[0].Traffic[0]
			sends := tr.Messages[rdmap.OpSend] // of one more FPDU there may be nothing but its ULPDU_Length
			if sends < 10 || tr.FPDUs-sends > 1 || tr.CRC[mpa.Bad] != 0 || tr.Undecoded > 600 {
				t.Errorf("%s, %d octets before: %d FPDUs, %d octets undecoded", modeName(&mode), 4*shift, tr.FPDUs, tr.Undecoded)
			}
		}
	}
}

// TestFoundFarAway loses the header of an FPDU that goes on for many packets.
func TestFoundFarAway(t *testing.T) {
	for _, mode := range modes {
		k := startTalk(mode, mode)
		k.each(client, k.send(client, payload[:100], 100))
		long := make([]byte, 60_000)
		k.each(client, k.send(client, long, 60_000))
		k.sendMany(4)
		k.Ack(server)
		j := journalOf(without(k.Records, handshake+1), "")
		if tr := &j.conns[0].Traffic[0]; tr.Messages[rdmap.OpSend] != 5 || tr.Undecoded < 58_000 || tr.Undecoded > 60_000 {
			t.Errorf("%s: %d Sends, %d octets undecoded", modeName(&mode), tr.Messages[rdmap.OpSend], tr.Undecoded)
		}
	}
}

// TestFoundInTheEnd loses all but the last FPDU: nothing follows that could confirm it.
func TestFoundInTheEnd(t *testing.T) {
	for _, mode := range modes {
		k := startTalk(mode, mode)
		k.sendMany(1)
		k.each(client, k.write(client, 5, 0, payload[:1000], 1000))
		k.each(client, k.write(client, 6, 0, payload[:900], 1000))
		k.Ack(server)
		j := journalOf(without(k.Records, handshake+1), "")
		if tr := &j.conns[0].Traffic[0]; tr.Incomplete[rdmap.OpWrite] != 1 || tr.Undecoded != 0 {
			t.Errorf("%s: %q", modeName(&mode), j.lines)
		}
	}
}

// TestLengthDamaged damages a ULPDU_Length among FPDUs in one packet, so that it becomes larger or smaller. With CRCs that
// shows; without, what it makes of the octets after it cannot be FPDUs. Others are found again in the same packet or the
// next.
func TestLengthDamaged(t *testing.T) {
	for _, mode := range modes {
		for _, bit := range []byte{0x40, 0x10, 0x08, 0x04} { // 28 becomes 92, 12, 20 or 24
			k := startTalk(mode, mode)
			k.sendMany(30)
			var together []byte
			for range 10 {
				together = append(together, k.send(client, payload[:10], 10)[0]...)
			}
			k.Send(client, together)
			k.sendMany(30)
			b := k.Records[handshake+30].Data
			b[len(b)-len(together)+slices.Index(together[100:], 28)+100] ^= bit
			l := keep(k.Records)
			l.audit(t, k.Records)
			tr := &l.conns[0].Traffic[0]
			if sends := tr.Messages[rdmap.OpSend]; sends < 60 || mode.C && sends < 65 || tr.FPDUs > sends+1 || tr.Undecoded == 0 {
				t.Errorf("%s: %d FPDUs, %d Sends, %d octets undecoded", modeName(&mode), tr.FPDUs, sends, tr.Undecoded)
			}
		}
	}
}

// TestLostAtOnce begins a direction with FPDUs of which the last but one has a wrong ULPDU_Length; the last lies in two
// packets.
func TestLostAtOnce(t *testing.T) {
	k := startTalk(crcOn, crcOn)
	var all []byte
	for range 5 {
		all = append(all, k.send(server, payload[:100], 100)[0]...)
	}
	const fpdu = 124
	all[4*fpdu+1] ^= 0x10
	write := k.write(server, 9, 0, payload[:100], 100)[0]
	k.Send(server, append(all, write[:50]...)).Send(server, write[50:])
	const synAck, reply = 1, 4
	records := without(k.Records, synAck, reply)
	l := keep(records)
	l.audit(t, records)
	if tr := &l.conns[0].Traffic[1]; tr.CRC[mpa.Good] != 5 || tr.CRC[mpa.Bad] != 1 || tr.Incomplete[rdmap.OpWrite] != 1 {
		t.Errorf("%+v", tr)
	}
}

// TestStrangeStays checks that FPDUs with headers that cannot be are shown as they are: without CRCs too they are FPDUs if
// what follows is one.
func TestStrangeStays(t *testing.T) {
	k := startTalk(plain, plain)
	strange := ddp.Untagged{L: true, DV: 1, RsvdULP: 0x4e << 32, QN: 9, MSN: 5}
	fpdu := k.fpdu(client, append(encode(&strange), payload[:3000]...))
	k.Send(client, append(fpdu, k.send(client, payload[:10], 10)[0]...))
	k.Send(client, fpdu)
	k.sendMany(1)
	expect(t, journalOf(k.Records, ""), `
		4 0 c2s Request 20 octets
		5 0 s2c Reply 20 octets
		6-8 0 c2s Opcode14 3000 in 1
		8 0 c2s Send 10 in 1
		9-11 0 c2s Opcode14 3000 in 1
		12 0 c2s Send 10 in 1
		conn 0 ends: open`)
}

// TestWholeOrNot looks at tagged messages of which nobody can know whether they are whole.
func TestWholeOrNot(t *testing.T) {
	parts := func(k *talk) [][]byte { return k.write(client, 7, 0, payload[:3000], 1000) }
	for _, tc := range []struct {
		name string
		make func(k *talk) []pcaps.Record
		want string
	}{
		{"the same buffer written twice, and what is missing may have been one Write or two", func(k *talk) []pcaps.Record {
			k.each(client, parts(k)).each(client, parts(k)).Ack(server)
			return without(k.Records, handshake+1, handshake+2, handshake+3)
		}, `
			6 0 c2s framing lost: 3060 octets
			10 0 c2s framing found: 0 octets
			6-11 0 c2s Write 3000 in 3 incomplete`},
		{"the beginning of the second Write is missing, with the end of the first", func(k *talk) []pcaps.Record {
			k.each(client, parts(k)).each(client, k.write(client, 8, 0, payload[:3000], 1000)).Ack(server)
			return without(k.Records, handshake+2, handshake+3)
		}, `
			7 0 c2s framing lost: 2040 octets
			10 0 c2s framing found: 0 octets
			6-7 0 c2s Write 2000 in 2 incomplete
			10-11 0 c2s Write 2000 in 2 incomplete`},
		{"a TO is wrong, as the CRC shows: the Write seems to be three", func(k *talk) []pcaps.Record {
			k.sendMany(1).each(client, parts(k))
			k.Records[handshake+2].Data[54+15] ^= 0x80
			return k.Records
		}, `
			6 0 c2s Send 10 in 1
			7 0 c2s Write 1000 in 1 incomplete
			8 0 c2s Write 1000 in 1 incomplete 1 bad CRCs
			9 0 c2s Write 1000 in 1 incomplete`},
	} {
		k := startTalk(crcOn, crcOn)
		j := journalOf(tc.make(k), "")
		j.lines = j.lines[2 : len(j.lines)-1]
		t.Run(tc.name, func(t *testing.T) { expect(t, j, tc.want) })
	}
}

// TestPayloadLikeFPDUs sends a message whose payload is FPDUs, and loses its header. Their CRCs are wrong, and CRCs are on.
func TestPayloadLikeFPDUs(t *testing.T) {
	inner := &talk{Conversation: conversation.New("10.0.0.1:1", "10.0.0.2:2")}
	var content []byte
	for range 20 {
		content = append(content, inner.send(client, payload[:100], 100)[0]...)
	}
	k := startTalk(crcOn, crcOn)
	k.sendMany(3)
	k.each(client, k.send(client, content, len(content)))
	k.sendMany(1)
	k.Ack(server)
	expect(t, journalOf(without(k.Records, handshake+3), ""), `
		4 0 c2s Request 20 octets
		5 0 s2c Reply 20 octets
		6 0 c2s Send 10 in 1
		7 0 c2s Send 10 in 1
		8 0 c2s Send 10 in 1
		8 0 c2s framing lost: 1448 octets
		11 0 c2s framing found: 1056 octets
		11 0 c2s Send 10 in 1
		conn 0 ends: open`)
}
