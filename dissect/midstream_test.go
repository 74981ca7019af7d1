package dissect_test

// Captures that begin late, show one direction only, or lack an MPA frame.

import (
	"math/rand/v2"
	"net/netip"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/dissect"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/framing"
	"github.com/iwarpkit/iwarp/dissect/tcpip"
	"github.com/iwarpkit/iwarp/internal/conversation"
	"github.com/iwarpkit/iwarp/internal/recorded"
	"github.com/iwarpkit/iwarp/pcaps"
)

const handshake = 5 // packets of startTalk: of TCP, and the MPA frames

// without takes packets, counted from 0, out of the record.
func without(records []pcaps.Record, packets ...int) []pcaps.Record {
	records = slices.Clone(records)
	for _, i := range packets {
		records[i].Data = nil
	}
	return slices.DeleteFunc(records, func(r pcaps.Record) bool { return r.Data == nil })
}

// from are the packets of one side.
func from(side conversation.Side, k *talk, records []pcaps.Record) []pcaps.Record {
	var s tcpip.Segment
	return slices.DeleteFunc(slices.Clone(records), func(r pcaps.Record) bool {
		return s.Decode(r.LinkType, r.Data, r.OrigLen) != nil || s.Src != k.Addr[side]
	})
}

// journalOf runs records, which keep their frame numbers, through an Engine.
func journalOf(records []pcaps.Record, stated string) *journal {
	m, err := framing.ParseMPA(stated)
	if err != nil {
		panic(err)
	}
	j := &journal{}
	dissectInto(j, records, dissect.Options{MPA: m})
	return j
}

// dialogue is long enough to tell how it is framed, whoever is heard: a Write and a Send of either side.
func dialogue(request, reply mpa.Frame) *talk {
	k := startTalk(request, reply)
	for _, side := range []conversation.Side{client, server} {
		k.each(side, k.write(side, 7, 0x1000, payload, 1300)) // 4 FPDUs
		k.each(side, k.send(side, payload[:600], 600))
	}
	return k
}

// TestMidstream takes the handshake away, for all that may have been negotiated. A Write whose begin is the first that is
// captured may have begun before.
func TestMidstream(t *testing.T) {
	for _, crc := range []bool{false, true} {
		for _, fromClient := range []bool{false, true} {
			for _, fromServer := range []bool{false, true} {
				k := dialogue(mpa.Frame{Rev: 1, C: crc, M: fromServer}, mpa.Frame{Rev: 1, M: fromClient})
				j := journalOf(k.Records[handshake:], "")
				expect(t, j, `
					6 0 c2s locked on: 0 octets
					6-9 0 c2s Write 4096 in 4 incomplete
					10 0 c2s Send 600 in 1
					11 0 s2c locked on: 0 octets
					11-14 0 s2c Write 4096 in 4 incomplete
					15 0 s2c Send 600 in 1
					conn 0 ends: open`)
				c := &j.conns[0]
				if c.Requested || c.Replied || c.Agreed || !c.Traffic[0].Midstream || !c.Traffic[1].Midstream {
					t.Errorf("%+v", c)
				}
				want := rules.Agreement{Rev: 1, MarkersFromInit: fromClient, MarkersFromResp: fromServer, CRC: crc, DDPVersion: 1, InitORD: -1, RespORD: -1}
				if d := cmp.Diff(want, c.Agreement); d != "" {
					t.Errorf("Agreement (-want +got)\n%s", d)
				}
				inferred := [2]flow.Source{flow.Inferred, flow.Inferred}
				if d := cmp.Diff(flow.Sources{CRC: flow.Inferred, Markers: inferred, Version: flow.Inferred}, c.Sources); d != "" {
					t.Errorf("Sources (-want +got)\n%s", d)
				}
				verdict := map[bool]mpa.Verdict{false: mpa.Unchecked, true: mpa.Good}[crc]
				if c.Traffic[0].CRC[verdict] != 5 || c.Traffic[1].CRC[verdict] != 5 || (c.Traffic[0].Markers > 0) != fromClient {
					t.Errorf("%+v", c.Traffic)
				}
			}
		}
	}
}

// TestMidstreamBetween begins the capture in the middle of an FPDU, which lies across packets.
func TestMidstreamBetween(t *testing.T) {
	for _, mode := range modes {
		k := startTalk(mode, mode)
		k.MSS = 1000
		var all []byte
		for range 6 {
			for _, f := range k.send(client, payload[:3000], 3000) {
				all = append(all, f...)
			}
		}
		k.Send(client, all)
		j := journalOf(k.Records[handshake+1:], "")
		if c := &j.conns[0]; c.Traffic[0].Messages[rdmap.OpSend] != 5 || c.Traffic[0].Undecoded == 0 || c.Traffic[0].Undecoded > 3100 {
			t.Errorf("%s: %d Sends, %d octets undecoded\n%q", modeName(&mode), c.Traffic[0].Messages[rdmap.OpSend], c.Traffic[0].Undecoded, j.lines)
		}
	}
}

// TestMidstreamRDMAC looks at version 0 of DDP and RDMAP, which always has CRCs.
func TestMidstreamRDMAC(t *testing.T) {
	rdmac := mpa.Frame{Rev: 0, C: true, M: true}
	k := startTalk(rdmac, rdmac)
	for range 3 {
		h := rdmap.Header{Control: rdmap.Control{Opcode: rdmap.OpSend}}
		h.Untagged.L, h.Untagged.MSN = true, uint32(len(k.Records))-4
		k.Send(client, k.fpdu(client, append(encode(&h), payload[:700]...)))
	}
	c := &journalOf(k.Records[handshake:], "").conns[0]
	if c.Traffic[0].Messages[rdmap.OpSend] != 3 || c.Agreement.DDPVersion != 0 || c.Agreement.Rev != mpa.RevRDMAC || !c.Agreement.MarkersFromInit {
		t.Errorf("%d Sends, %+v", c.Traffic[0].Messages[rdmap.OpSend], c.Agreement)
	}
}

// TestMidstreamClient looks who counts as client: the sender of the SYN, else who has an ephemeral port.
func TestMidstreamClient(t *testing.T) {
	k := dialogue(crcOn, crcOn)
	for name, tc := range map[string]struct {
		records []pcaps.Record
		server  bool // counts as client
	}{
		"nothing of the handshake":    {k.Records[handshake:], false},
		"the server sends first":      {k.Records[10:], false},
		"SYN, then the server":        {without(k.Records, 1, 2, 3, 4, 5, 6, 7, 8, 9), false},
		"SYN and ACK, no MPA frames":  {without(k.Records, 0, 3, 4), false},
		"SYN and ACK, server only":    {from(server, k, without(k.Records, 4)), false},
		"MPA Reply only, server only": {from(server, k, k.Records[4:]), false},
	} {
		c := &journalOf(tc.records, "").conns[0]
		if (c.Client == k.Addr[server]) != tc.server {
			t.Errorf("%s: client %v", name, c.Client)
		}
		if c.Traffic[0].Undecoded+c.Traffic[1].Undecoded != 0 || c.Traffic[0].FPDUs+c.Traffic[1].FPDUs < 5 {
			t.Errorf("%s: %d and %d FPDUs", name, c.Traffic[0].FPDUs, c.Traffic[1].FPDUs)
		}
	}
}

var crcOn = mpa.Frame{Rev: 1, C: true}

// TestOneDirection shows the packets of one side only.
func TestOneDirection(t *testing.T) {
	for _, mode := range modes {
		k := dialogue(mode, mode)
		expect(t, journalOf(from(client, k, k.Records), ""), `
			4 0 c2s Request 20 octets
			6 0 c2s locked on: 0 octets
			6-9 0 c2s Write 4096 in 4
			10 0 c2s Send 600 in 1
			conn 0 ends: open`)
		expect(t, journalOf(from(server, k, k.Records), ""), `
			5 0 s2c Reply 20 octets
			11 0 s2c locked on: 0 octets
			11-14 0 s2c Write 4096 in 4
			15 0 s2c Send 600 in 1
			conn 0 ends: open`)
		expect(t, journalOf(from(server, k, k.Records[handshake:]), ""), `
			11 0 s2c locked on: 0 octets
			11-14 0 s2c Write 4096 in 4 incomplete
			15 0 s2c Send 600 in 1
			conn 0 ends: open`)
	}
}

// TestFrameLost loses the Request, the Reply or both. What the other says still counts.
func TestFrameLost(t *testing.T) {
	const request, reply = 3, 4
	for _, mode := range modes {
		k := dialogue(mode, mode)
		k.Ack(server).Ack(client)
		for _, tc := range []struct {
			lost          []int
			seen          string
			crc           flow.Source // if they are on: C of one frame turns them on
			markers       [2]flow.Source
			middle, whole [2]bool // by direction: FPDUs begin somewhere, and the Write is known to be whole
		}{
			{[]int{reply}, "4 0 c2s Request 20 octets", flow.Negotiated,
				[2]flow.Source{flow.Inferred, flow.Negotiated}, [2]bool{false, true}, [2]bool{true, false}},
			{[]int{request}, "5 0 s2c Reply 20 octets", flow.Negotiated,
				[2]flow.Source{flow.Negotiated, flow.Inferred}, [2]bool{true, false}, [2]bool{false, true}},
			{[]int{request, reply}, "", flow.Inferred,
				[2]flow.Source{flow.Inferred, flow.Inferred}, [2]bool{true, true}, [2]bool{false, false}},
		} {
			j := journalOf(without(k.Records, tc.lost...), "")
			c := &j.conns[0]
			if tc.seen != "" && !slices.Contains(j.lines, tc.seen) {
				t.Errorf("%q", j.lines)
			}
			if crc := tc.crc; mode.C && c.Sources.CRC != crc || c.Agreement.CRC != mode.C || c.Sources.Markers != tc.markers {
				t.Errorf("%s without %v: %+v, %+v", modeName(&mode), tc.lost, c.Agreement, c.Sources)
			}
			for d := range c.Traffic {
				tr := &c.Traffic[d]
				writes := map[bool]uint64{true: 1}[tc.whole[d]]
				if tr.Midstream != tc.middle[d] || tr.Messages[rdmap.OpWrite] != writes || tr.Messages[rdmap.OpSend] != 1 || tr.FPDUs != 5 || tr.Undecoded != 0 {
					t.Errorf("%s without %v, direction %d: %+v", modeName(&mode), tc.lost, d, tr)
				}
			}
		}
	}
}

// TestLateReply captures the Reply long after the FPDUs that it allowed. They are read without it; then it counts.
func TestLateReply(t *testing.T) {
	k := startTalk(plain, plain)
	k.sendMany(60)
	records := slices.Concat(k.Records[:4], k.Records[5:55], k.Records[4:5], k.Records[55:])
	k.each(server, k.send(server, payload[:10], 10))
	records = append(records, k.Records[len(k.Records)-1])
	c := &journalOf(records, "").conns[0]
	if !c.Agreed || c.Sources.CRC != flow.Negotiated || c.Traffic[0].Messages[rdmap.OpSend] != 60 || c.Traffic[1].Messages[rdmap.OpSend] != 1 {
		t.Errorf("%+v", c)
	}
}

// TestTooFew looks at directions that are too short to tell all of how they are framed.
func TestTooFew(t *testing.T) {
	k := startTalk(crcOn, crcOn)
	k.sendMany(3)
	c := &journalOf(k.Records[handshake:], "").conns[0]
	if c.Sources.Markers != [2]flow.Source{} || c.Sources.CRC != flow.Inferred || c.Traffic[0].Messages[rdmap.OpSend] != 3 {
		t.Errorf("108 octets show no Markers, and cannot: %+v", c.Sources)
	}
	k = startTalk(crcOn, crcOn)
	for range 6 {
		k.each(client, k.send(client, payload[:500], 500))
	}
	k.Snap(96)
	c = &journalOf(k.Records[handshake:], "").conns[0]
	if c.Sources.CRC != flow.SourceUnknown || c.Traffic[0].CRC[mpa.Unchecked] != 6 || c.Sources.Markers[0] != flow.Inferred {
		t.Errorf("no CRC was captured: %+v, %+v", c.Sources, c.Traffic[0].CRC)
	}
	// The other direction shows it.
	k.each(server, k.send(server, payload[:20], 500))
	c = &journalOf(k.Records[handshake:], "").conns[0]
	if c.Sources.CRC != flow.Inferred || !c.Agreement.CRC || c.Traffic[0].CRC[mpa.Unchecked] != 6 || c.Traffic[1].CRC[mpa.Good] != 1 {
		t.Errorf("the other side's CRC was captured: %+v, %+v", c.Sources, c.Traffic[1].CRC)
	}
	// Later one packet is whole.
	k.Drop(1)
	k.each(client, k.send(client, payload[:30], 500))
	c = &journalOf(k.Records[handshake:], "").conns[0]
	if c.Sources.CRC != flow.Inferred || !c.Agreement.CRC || c.Traffic[0].CRC[mpa.Good] != 1 {
		t.Errorf("one CRC was captured: %+v, %+v", c.Sources, c.Traffic[0].CRC)
	}
}

// TestStated states by hand what the capture does not show.
func TestStated(t *testing.T) {
	const reply = 4
	marked := mpa.Frame{Rev: 1, M: true}
	k := startTalk(plain, marked)
	k.sendMany(3)
	k.Ack(server)
	for stated, want := range map[string]flow.Sources{
		"":                       {CRC: flow.Inferred, Markers: [2]flow.Source{flow.Inferred, 0}, Version: flow.Inferred},
		"crc=off,markers-c2s=on": {CRC: flow.Stated, Markers: [2]flow.Source{flow.Stated, 0}, Version: flow.Inferred},
		"version=1":              {CRC: flow.Inferred, Markers: [2]flow.Source{flow.Inferred, 0}, Version: flow.Stated},
		"crc=on":                 {CRC: flow.Stated, Markers: [2]flow.Source{flow.Inferred, 0}, Version: flow.Inferred},
	} {
		c := &journalOf(without(k.Records, reply), stated).conns[0]
		if d := cmp.Diff(want, c.Sources); d != "" || c.Traffic[0].Messages[rdmap.OpSend] != 3 || !c.Agreement.MarkersFromInit {
			t.Errorf("%q: %d Sends; Sources (-want +got)\n%s", stated, c.Traffic[0].Messages[rdmap.OpSend], d)
		}
		if bad := c.Traffic[0].CRC[mpa.Bad]; (bad == 3) != (stated == "crc=on") {
			t.Errorf("%q: %d bad CRCs", stated, bad)
		}
	}
	// What is stated fully is believed even of octets that look like nothing.
	k = startTalk(plain, plain)
	k.Send(client, append([]byte{0, 10}, payload[:14]...))
	if c := &journalOf(without(k.Records, reply), "crc=off,markers=off").conns[0]; c.Traffic[0].FPDUs != 1 {
		t.Errorf("%+v", c.Traffic[0])
	}
	// Frames that were captured are believed rather.
	if c := &journalOf(dialogue(crcOn, crcOn).Records, "crc=off,markers=on").conns[0]; c.Traffic[0].CRC[mpa.Good] != 5 || !c.Agreed {
		t.Errorf("%+v", c.Traffic[0])
	}
}

// TestRejectedThenLoss checks that what follows a rejection is not taken for FPDUs because packets are missing, even if
// there are some of another connection in it.
func TestRejectedThenLoss(t *testing.T) {
	k := startTalk(plain, mpa.Frame{Rev: 1, R: true})
	k.Send(client, payload).Send(client, payload[:1448]).Drop(1)
	k.Send(client, slices.Concat(payload[:50], slices.Concat(k.write(client, 9, 0, payload[:600], 200)...), payload[:50])).Ack(server)
	expect(t, journalOf(k.Records, ""), `
		4 0 c2s Request 20 octets
		5 0 s2c Reply 20 octets
		conn 0 ends: reject`)
}

// TestRejectedThenAccepted loses a second handshake that follows a rejection.
func TestRejectedThenAccepted(t *testing.T) {
	k := startTalk(crcOn, mpa.Frame{Rev: 1, R: true})
	k.Send(client, payload)
	k.negotiate(crcOn, crcOn)
	k.sendMany(3)
	k.Ack(server)
	c := &journalOf(without(k.Records, 8, 9), "").conns[0]
	if c.End != flow.EndOpen || c.Traffic[0].Messages[rdmap.OpSend] != 3 || c.Traffic[0].Streaming != 4096 {
		t.Errorf("ends %v, %d Sends, %d octets streaming", c.End, c.Traffic[0].Messages[rdmap.OpSend], c.Traffic[0].Streaming)
	}
}

// TestListenAgain sends so much that is not an FPDU that nobody listens to the client any more, until the server's FPDUs show
// that the connection is iWARP.
func TestListenAgain(t *testing.T) {
	k := startTalk(crcOn, crcOn)
	k.Send(client, random(rand.New(rand.NewPCG(1, 1)), 200_000))
	for range 2 {
		k.each(server, k.send(server, payload[:600], 600))
	}
	k.sendMany(3)
	l := keep(k.Records[handshake:])
	l.audit(t, k.Records[handshake:])
	if tr := &l.conns[0].Traffic[0]; tr.Messages[rdmap.OpSend] != 3 || tr.Undecoded != 200_000 {
		t.Errorf("%d Sends, %d octets undecoded", tr.Messages[rdmap.OpSend], tr.Undecoded)
	}
}

// TestCapturesMidstream begins every capture in many places. All messages that begin after that are there, unless no side sends
// as many FPDUs as it takes to recognise a connection without CRCs; and whatever is said to be whole is.
func TestCapturesMidstream(t *testing.T) {
	for _, file := range captureFiles(t) {
		t.Run(captureName(file), func(t *testing.T) {
			t.Parallel()
			records := recorded.Packets(pcaps.Open(file))
			undamaged := keep(records)
			r := rand.New(rand.NewPCG(7, 8))
			for range 8 {
				cut := records[r.IntN(len(records)):]
				l := keep(cut)
				l.audit(t, cut)
				l.rightly(t, undamaged)
				survivors := undamaged.survivors(records, cut)
				if undamaged.withoutCRC() && tooFew(survivors) {
					continue
				}
				for d, n := range survivors {
					if found := len(l.whole[d]) + len(l.partly[d]); found < n && !l.outOfWindow() {
						t.Errorf("from frame %d: %d of %d: %v", cut[0].Frame, found, n, d)
					}
				}
			}
		})
	}
}

func (l *ledger) withoutCRC() bool {
	return slices.ContainsFunc(l.conns, func(c flow.Conn) bool { return !c.Agreement.CRC })
}

// outOfWindow reports whether packets came before the first one, where the capture reorders them.
func (l *ledger) outOfWindow() bool {
	return slices.ContainsFunc(l.conns, func(c flow.Conn) bool {
		return c.Traffic[0].TCP.OutOfWindow+c.Traffic[1].TCP.OutOfWindow > 0
	})
}

// tooFew reports whether nobody sends four messages of which the longest are short enough to be listened to.
func tooFew(messages map[deed]int) bool {
	n := map[netip.AddrPort]int{}
	for d, times := range messages {
		if n[d.from] += times; n[d.from] >= 4 && d.octets < 30_000 {
			return false
		}
	}
	return true
}
