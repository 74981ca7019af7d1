package dissect_test

import (
	"testing"

	"github.com/iwarpkit/iwarp/codec/ddp"
	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/internal/conversation"
)

func TestMessages(t *testing.T) {
	k := startTalk(mpa.Frame{Rev: 1, C: true}, mpa.Frame{Rev: 1})
	k.each(client, k.write(client, 0xa2c, 0x4000, payload, 1400))
	k.each(client, k.send(client, payload[:100], 1400))
	k.each(server, k.send(server, payload[:3000], 1400))
	k.Close(client)
	expect(t, dissectRecords(k.Records), `
		4 0 c2s Request 20 octets
		5 0 s2c Reply 20 octets
		6-8 0 c2s Write 4096 in 3
		9 0 c2s Send 100 in 1
		10-12 0 s2c Send 3000 in 3
		conn 0 ends: fin`)
}

// TestMarkers looks at Markers in either direction and in both, FPDUs that are not aligned to packets, several to a
// packet, and the startup frames cut in two.
func TestMarkers(t *testing.T) {
	for _, request := range []bool{false, true} {
		for _, reply := range []bool{false, true} {
			for _, mss := range []int{1, 7, 100, 1448, 9000} {
				k := &talk{Conversation: conversation.New("[2001:db8::1]:40000", "[2001:db8::2]:7174")}
				k.MSS = mss
				k.Connect()
				k.negotiate(mpa.Frame{Rev: 1, C: true, M: request}, mpa.Frame{Rev: 1, M: reply})
				for _, from := range []conversation.Side{client, server} {
					var all []byte
					for _, f := range append(k.write(from, 1, 0, payload, 1300), k.send(from, payload, 600)...) {
						all = append(all, f...)
					}
					k.Send(from, all)
				}
				k.Close(server)
				j := dissectRecords(k.Records)
				if len(j.conns) != 1 {
					t.Fatalf("MSS %d: %d connections", mss, len(j.conns))
				}
				c := &j.conns[0]
				for d, markers := range []bool{reply, request} {
					tr := &c.Traffic[d]
					if tr.FPDUs != 4+7 || tr.CRC[mpa.Good] != 11 || tr.Undecoded != 0 || (tr.Markers > 0) != markers {
						t.Errorf("MSS %d, direction %d, markers %v: %+v", mss, d, markers, tr)
					}
					if tr.Messages[rdmap.OpWrite] != 1 || tr.Messages[rdmap.OpSend] != 1 || tr.Payload != 8192 {
						t.Errorf("MSS %d, direction %d: %+v", mss, d, tr)
					}
				}
			}
		}
	}
}

func TestStartup(t *testing.T) {
	request, reply := mpa.Frame{Rev: 1}, mpa.Frame{Rev: 1}
	reject := mpa.Frame{Rev: 1, R: true}
	for _, tc := range []struct {
		name string
		make func() *talk
		want string
	}{
		{"streaming octets before a delayed Request", func() *talk {
			k := &talk{Conversation: conversation.New("10.0.0.1:40000", "10.0.0.2:7174")}
			k.Connect().Send(client, []byte("hello, MPA ID R")).Send(server, []byte("go ahead"))
			k.negotiate(request, reply)
			return k.each(client, k.send(client, payload[:10], 10))
		}, `
			6 0 c2s Request 20 octets
			7 0 s2c Reply 20 octets
			8 0 c2s Send 10 in 1
			conn 0 ends: open`},
		{"the sender of the Request is the client, whoever connected", func() *talk {
			k := &talk{Conversation: conversation.New("10.0.0.1:40000", "10.0.0.2:7174")}
			k.Connect().Send(server, encode(&request))
			reply := reply
			reply.Reply = true
			k.Send(client, encode(&reply))
			return k.each(server, k.send(server, payload[:10], 10))
		}, `
			4 0 c2s Request 20 octets
			5 0 s2c Reply 20 octets
			6 0 c2s Send 10 in 1
			conn 0 ends: open`},
		{"a rejection, then a second handshake", func() *talk {
			k := startTalk(request, reject)
			k.negotiate(request, reply)
			k.each(client, k.send(client, payload[:10], 10))
			k.Close(client)
			return k
		}, `
			4 0 c2s Request 20 octets
			5 0 s2c Reply 20 octets
			6 0 c2s Request 20 octets
			7 0 s2c Reply 20 octets
			8 0 c2s Send 10 in 1
			conn 0 ends: fin`},
		{"a rejection", func() *talk {
			k := startTalk(request, reject)
			k.Close(client)
			return k
		}, `
			4 0 c2s Request 20 octets
			5 0 s2c Reply 20 octets
			conn 0 ends: reject`},
		{"no Reply", func() *talk {
			k := startTalk(request, reply)
			k.Drop(1)
			k.Reset(server)
			return k
		}, `
			4 0 c2s Request 20 octets
			conn 0 ends: reset`},
		{"the first FPDU captured before the Reply", func() *talk {
			k := startTalk(request, reply)
			k.each(client, k.send(client, payload[:10], 10))
			r := k.Records
			r[4], r[5] = r[5], r[4]
			return k
		}, `
			4 0 c2s Request 20 octets
			6 0 s2c Reply 20 octets
			5 0 c2s Send 10 in 1
			conn 0 ends: open`},
		{"the Reply captured before the Request", func() *talk {
			k := startTalk(request, reply)
			k.each(client, k.send(client, payload[:10], 10))
			r := k.Records
			r[3], r[4] = r[4], r[3]
			return k
		}, `
			4 0 s2c Reply 20 octets
			5 0 c2s Request 20 octets
			6 0 c2s Send 10 in 1
			conn 0 ends: open`},
		{"both ends believe to be the Initiator", func() *talk {
			k := startTalk(request, request)
			b := k.Records[4].Data
			copy(b[len(b)-20:], encode(&request))
			k.each(client, k.send(client, payload[:10], 10))
			return k
		}, `
			4 0 c2s Request 20 octets
			5 0 s2c Request 20 octets
			6 0 c2s locked on: 0 octets
			6 0 c2s Send 10 in 1
			conn 0 ends: open`},
		{"octets behind a Request that gets no Reply", func() *talk {
			k := startTalk(request, reply)
			k.Drop(1)
			k.Send(client, payload[:44])
			return k
		}, `
			4 0 c2s Request 20 octets
			1-5 0 c2s no negotiation: 44 octets
			conn 0 ends: open`},
		{"refused", func() *talk {
			k := &talk{Conversation: conversation.New("10.0.0.1:40000", "10.0.0.2:7174")}
			k.Connect().Drop(2)
			k.Reset(server)
			return k
		}, `conn 0 ends: refused`},
		{"not refused: the SYN-ACK and a packet are lost", func() *talk {
			k := &talk{Conversation: conversation.New("10.0.0.1:40000", "10.0.0.2:7174")}
			k.Connect().Send(client, payload[:44]).Ack(server).Reset(server)
			k.Records = without(k.Records, 1, 3)
			return k
		}, ``},
		{"a text about MPA is not a handshake", func() *talk {
			k := &talk{Conversation: conversation.New("10.0.0.1:40000", "10.0.0.2:80")}
			k.Connect().Send(server, []byte(`senders MUST set this field to "MPA ID Req Frame" or (in byte order) 4D 50 41 20`)).Close(client)
			return k
		}, ``},
		{"not iWARP", func() *talk {
			k := &talk{Conversation: conversation.New("10.0.0.1:40000", "10.0.0.2:80")}
			k.Connect().Send(client, []byte("GET / HTTP/1.1\r\n\r\n")).Send(server, payload).Close(client)
			return k
		}, ``},
		{"the same ports again", func() *talk {
			k := startTalk(request, reply)
			k.Close(client)
			again := &talk{Conversation: conversation.New("10.0.0.1:40000", "10.0.0.2:7174")}
			again.Begin(5000, 7000).Connect()
			again.negotiate(request, reply)
			k.Records = append(k.Records, again.Records...)
			return k
		}, `
			4 0 c2s Request 20 octets
			5 0 s2c Reply 20 octets
			conn 0 ends: fin
			11 1 c2s Request 20 octets
			12 1 s2c Reply 20 octets
			conn 1 ends: open`},
		{"private data longer than is allowed", func() *talk {
			k := startTalk(mpa.Frame{Rev: 1, PDLength: 513}, reply)
			return k
		}, `
			4 0 c2s Request 20 octets
			5 0 s2c Reply 20 octets
			conn 0 ends: open`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			j := dissectRecords(tc.make().Records)
			if tc.want == "" {
				tc.want = "\n"
				j.lines = append(j.lines, "")
			}
			expect(t, j, tc.want)
		})
	}
}

// TestDamage looks at what the capture does not have: lost packets, cut packets, a broken CRC, an end in the middle.
func TestDamage(t *testing.T) {
	crc := mpa.Frame{Rev: 1, C: true}
	for _, tc := range []struct {
		name string
		make func() *talk
		want string
	}{
		{"the capture lost a packet within an FPDU", func() *talk {
			k := startTalk(crc, crc)
			fpdu := k.send(client, payload, 4096)[0]
			k.Send(client, fpdu[:1000]).Send(client, fpdu[1000:2000])
			k.Drop(1)
			k.Send(client, fpdu[2000:])
			k.each(client, k.send(client, payload[:10], 10)).Ack(server).Close(client)
			return k
		}, `
			4 0 c2s Request 20 octets
			5 0 s2c Reply 20 octets
			6-8 0 c2s Send 4096 in 1 missing 1000
			9 0 c2s Send 10 in 1
			conn 0 ends: fin`},
		{"the capture lost whole FPDUs", func() *talk {
			k := startTalk(crc, crc)
			k.each(client, k.write(client, 7, 0, payload, 1400)[:1])
			k.each(client, k.write(client, 7, 1400, payload, 1400)[:1])
			k.Drop(1)
			k.each(client, k.write(client, 7, 2800, payload[2800:], 1400))
			k.each(client, k.send(client, payload[:10], 10)).Ack(server)
			return k
		}, `
			4 0 c2s Request 20 octets
			5 0 s2c Reply 20 octets
			6 0 c2s framing lost: 1420 octets
			7 0 c2s framing found: 0 octets
			6-7 0 c2s Write 2696 in 2 incomplete
			8 0 c2s Send 10 in 1
			conn 0 ends: open`},
		{"behind a loss comes the middle of an FPDU, then one that is aligned", func() *talk {
			k := startTalk(crc, crc)
			fpdu := k.send(client, payload[:2000], 2000)[0]
			k.Send(client, fpdu[:700]).Drop(1)
			k.Send(client, fpdu[700:])
			k.each(client, k.send(client, payload[:10], 10)).Ack(server)
			return k
		}, `
			4 0 c2s Request 20 octets
			5 0 s2c Reply 20 octets
			4 0 c2s framing lost: 700 octets
			7 0 c2s framing found: 1324 octets
			7 0 c2s Send 10 in 1
			conn 0 ends: open`},
		{"a bad CRC", func() *talk {
			k := startTalk(crc, crc)
			fpdu := k.send(client, payload[:10], 10)[0]
			fpdu[22] ^= 1
			k.Send(client, fpdu)
			return k
		}, `
			4 0 c2s Request 20 octets
			5 0 s2c Reply 20 octets
			6 0 c2s Send 10 in 1 1 bad CRCs
			conn 0 ends: open`},
		{"the capture ends within an FPDU", func() *talk {
			k := startTalk(crc, crc)
			k.Send(client, k.send(client, payload[:1000], 1000)[0][:300])
			return k
		}, `
			4 0 c2s Request 20 octets
			5 0 s2c Reply 20 octets
			6 0 c2s unfinished: 300 octets
			conn 0 ends: open`},
		{"the capture ends within a message", func() *talk {
			k := startTalk(crc, crc)
			k.each(client, k.send(client, payload[:1000], 400)[:2])
			return k
		}, `
			4 0 c2s Request 20 octets
			5 0 s2c Reply 20 octets
			6-7 0 c2s Send 800 in 2 incomplete
			conn 0 ends: open`},
		{"packets out of order and repeated", func() *talk {
			k := startTalk(crc, crc)
			k.each(client, k.send(client, payload, 1000))
			r := k.Records
			r[5], r[6], r[7], r[8] = r[8], r[7], r[6], r[5]
			k.Records = append(r[:9:9], r[5], r[6], r[9])
			return k
		}, `
			4 0 c2s Request 20 octets
			5 0 s2c Reply 20 octets
			6-12 0 c2s Send 4096 in 5
			conn 0 ends: open`},
		{"a Terminate", func() *talk {
			k := startTalk(crc, crc)
			h := ddp.Untagged{L: true, DV: 1, RsvdULP: 0x47 << 32, QN: 2, MSN: 1}
			k.Send(server, k.fpdu(server, append(encode(&h), 0x20, 0x02, 0, 0)))
			k.Reset(server)
			return k
		}, `
			4 0 c2s Request 20 octets
			5 0 s2c Reply 20 octets
			6 0 s2c Terminate 0 in 1
			conn 0 ends: terminate`},
	} {
		t.Run(tc.name, func(t *testing.T) { expect(t, dissectRecords(tc.make().Records), tc.want) })
	}
}

// TestInterleaved looks at two messages of one direction in progress at a time, an untagged and a tagged one, and at
// messages that lack their end because another one begins.
func TestInterleaved(t *testing.T) {
	plain := mpa.Frame{Rev: 1}
	k := startTalk(plain, plain)
	w, s := k.write(client, 9, 0, payload[:300], 100), k.send(client, payload[:300], 100)
	for i := range w {
		k.Send(client, w[i]).Send(client, s[i])
	}
	k.each(client, k.write(client, 9, 0, payload[:300], 100)[:2]) // no end
	k.each(client, k.write(client, 8, 0, payload[:10], 100))
	k.each(client, k.write(client, 9, 200, payload[:100], 100)) // that end
	k.each(client, k.send(client, payload[:300], 100)[:1])      // no end
	k.each(client, k.send(client, payload[:10], 100))
	k.each(client, k.send(client, payload[:300], 100)[1:]) // no begin
	expect(t, dissectRecords(k.Records), `
		4 0 c2s Request 20 octets
		5 0 s2c Reply 20 octets
		6-10 0 c2s Write 300 in 3
		7-11 0 c2s Send 300 in 3
		12-13 0 c2s Write 200 in 2 incomplete
		14 0 c2s Write 10 in 1
		15 0 c2s Write 100 in 1 incomplete
		16 0 c2s Send 100 in 1 incomplete
		17 0 c2s Send 10 in 1
		18-19 0 c2s Send 200 in 2 incomplete
		conn 0 ends: open`)
}

// TestSnaplen cuts packets so that headers are kept and payload is not: nothing is lost but the CRCs' verdicts.
func TestSnaplen(t *testing.T) {
	k := startTalk(mpa.Frame{Rev: 1, C: true}, mpa.Frame{Rev: 1})
	k.each(client, k.write(client, 1, 0, payload, 1400))
	k.each(client, k.send(client, payload, 1400))
	whole, cut := dissectRecords(k.Records), dissectRecords(k.Snap(96).Records)
	a, b := &whole.conns[0].Traffic[0], &cut.conns[0].Traffic[0]
	if a.Segments != b.Segments || a.Messages != b.Messages || a.Payload != b.Payload {
		t.Errorf("whole: %+v\n  cut: %+v", a, b)
	}
	if b.CRC != [3]uint64{mpa.Unchecked: 6} || a.CRC != [3]uint64{mpa.Good: 6} || b.Undecoded != 0 {
		t.Errorf("whole: %+v\n  cut: %+v", a, b)
	}
}
