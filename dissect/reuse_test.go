package dissect_test

// Ports that are used again, where packets of the second handshake are missing.

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"
	"testing"

	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/internal/conversation"
	"github.com/iwarpkit/iwarp/pcaps"
)

// TestPortsAgain loses the packets of each part of the second handshake. The first connection never ends. One SYN and what
// comes right after it tell the connections apart.
func TestPortsAgain(t *testing.T) {
	crc, markers := mpa.Frame{Rev: 1, C: true}, mpa.Frame{Rev: 1, M: true}
	first := startTalk(crc, crc)
	first.each(client, first.send(client, payload[:10], 10)).Ack(server)
	again := &talk{Conversation: conversation.New("10.0.0.1:40000", "10.0.0.2:7174")}
	again.Begin(500_000, 700_000).Connect()
	again.negotiate(markers, markers)
	again.each(client, again.send(client, payload[:20], 20)).Ack(server)
	const syn, synACK, ack, request = 1 << 0, 1 << 1, 1 << 2, 1 << 3 // packets of the second connection
	for lost := range uint(1 << 4) {
		onlySYN := lost&synACK != 0 && lost&ack != 0 && lost&request != 0
		if lost&(syn|synACK) == syn|synACK || onlySYN {
			continue
		}
		t.Run(fmt.Sprintf("%04b", lost), func(t *testing.T) {
			var gone []int
			for rest := lost; rest != 0; rest &= rest - 1 {
				gone = append(gone, bits.TrailingZeros(rest))
			}
			j := dissectRecords(slices.Concat(first.Records, without(again.Records, gone...)))
			has := func(what string) bool {
				return slices.ContainsFunc(j.lines, func(line string) bool { return strings.Contains(line, what) })
			}
			if !has(" 0 c2s Send 10 in 1") || !has(" 1 s2c Reply") || lost&request == 0 && !has(" 1 c2s Send 20 in 1") || has(" 0 c2s framing") || has("conn 2") {
				t.Error(strings.Join(j.lines, "\n"))
			}
		})
	}
}

// TestPortsAgainWithoutSYNs loses both SYNs of the second connection, and its Request as well, after the first has ended.
func TestPortsAgainWithoutSYNs(t *testing.T) {
	crc := mpa.Frame{Rev: 1, C: true}
	first := startTalk(crc, crc)
	first.Close(client).Ack(client)
	for _, begin := range []uint32{500_000, 1 << 31, 0xfff00000} { // after the first, and before it
		again := &talk{Conversation: conversation.New("10.0.0.1:40000", "10.0.0.2:7174")}
		again.Begin(begin, begin+200_000).Connect()
		again.negotiate(crc, crc)
		again.each(client, again.write(client, 7, 0, payload, 1000)).Ack(server)
		for lost, want := range map[int]string{3: " 1 c2s Request", 4: " 1 c2s Write"} {
			j := dissectRecords(slices.Concat(first.Records, again.Records[lost:]))
			if text := strings.Join(j.lines, "\n"); !strings.Contains(text, want) || !strings.Contains(text, "conn 1 ends") || strings.Contains(text, "conn 2") {
				t.Errorf("%d packets lost:\n%s", lost, text)
			}
		}
	}
}

// TestStraySYNs sends SYNs of another connection, or of nobody, into one that goes on.
func TestStraySYNs(t *testing.T) {
	for answered := range 2 {
		k := startTalk(mpa.Frame{Rev: 1, C: true}, mpa.Frame{Rev: 1, C: true})
		stray := conversation.New("10.0.0.1:40000", "10.0.0.2:7174").Begin(500_000, 700_000).Connect().Records[answered]
		k.Records = append(k.Records, stray)
		k.each(client, k.send(client, payload[:10], 10)).Ack(server)
		k.each(server, k.send(server, payload[:20], 20))
		expect(t, dissectRecords(k.Records), `
			4 0 c2s Request 20 octets
			5 0 s2c Reply 20 octets
			7 0 c2s Send 10 in 1
			9 0 s2c Send 20 in 1
			conn 0 ends: open`)
	}
}

// TestOvertakenWithoutSYN lets the client's second packet overtake its first, whose place only the SYN-ACK tells.
func TestOvertakenWithoutSYN(t *testing.T) {
	k := startTalk(mpa.Frame{Rev: 1, C: true}, mpa.Frame{Rev: 1, C: true})
	request := k.Records[3].Data
	at := len(request) - mpa.FrameLen
	split := &talk{Conversation: conversation.New("10.0.0.1:40000", "10.0.0.2:7174")}
	split.Connect().Send(client, request[at:at+5]).Send(client, request[at+5:])
	r := split.Records
	expect(t, dissectRecords([]pcaps.Record{r[1], r[4], r[3], k.Records[4]}), `
		2-3 0 c2s Request 20 octets
		4 0 s2c Reply 20 octets
		conn 0 ends: open`)
}
