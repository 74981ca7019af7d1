package judge_test

import (
	"encoding/binary"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/dissect/judge"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/internal/conversation"
	"github.com/iwarpkit/iwarp/pcaps"
)

// otherMAC gives a packet another source MAC address.
func otherMAC(r *pcaps.Record) { r.Data[11] = 0x99 }

// otherTTL gives a packet another Time to Live, or Hop Limit.
func otherTTL(r *pcaps.Record) {
	const ipv4, ipv6 = 14 + 8, 14 + 7
	at := ipv4
	if r.Data[14]>>4 == 6 {
		at = ipv6
	}
	r.Data[at] = 248
}

// TestImpostors resets connections in the name of the server, from various stations, and lets the server go on or not. What the server
// may send over another link, or another way, is never taken for that of somebody else.
func TestImpostors(t *testing.T) {
	const server, client = conversation.Server, conversation.Client
	goesOn := func(k *talker) { k.untagged(server, rdmap.OpSend, 0, make([]byte, 50), 1424) }
	everyOther := func(all []pcaps.Record) {
		for i := 1; i < len(all); i += 4 {
			otherMAC(&all[i])
		}
	}
	lastToo := func(all []pcaps.Record) { otherMAC(&all[len(all)-1]) }
	for _, tc := range []struct {
		name   string
		reset  func(*pcaps.Record)
		after  func(*talker)
		change func([]pcaps.Record)
		forged bool
	}{
		{"another host, the server goes on", otherMAC, goesOn, nil, true},
		{"a device on the way, the server goes on", otherTTL, goesOn, nil, true},
		{"another host, a keep-alive comes later", otherMAC, func(k *talker) { k.Wait(time.Second).KeepAlive(server) }, nil, true},
		{"a stray one that nobody heeds", otherMAC, func(k *talker) {
			goesOn(k)
			k.untagged(client, rdmap.OpSend, 0, make([]byte, 100), 1424)
		}, nil, false},
		{"another host, nothing follows", otherMAC, func(*talker) {}, nil, false},
		{"the server itself goes on", func(*pcaps.Record) {}, goesOn, nil, false},
		{"a firewall on the server's host, the server sends later", func(*pcaps.Record) {}, func(k *talker) { goesOn(k.later()) }, nil, true},
		{"the server acknowledges later", func(*pcaps.Record) {}, func(k *talker) { k.later().Ack(server) }, nil, false},
		{"the server sends later, and resets then", func(*pcaps.Record) {}, func(k *talker) {
			reset := len(k.Records) - 1
			goesOn(k.later())
			k.later().Repeat(len(k.Records) - reset)
		}, nil, false},
		{"a link of a bond, a packet is overtaken", otherMAC, func(k *talker) { k.Ack(server) }, nil, false},
		{"captures of both ends, the way takes 15 ms", otherMAC, func(k *talker) { k.Wait(15 * time.Millisecond).Ack(server).Disown(server) }, nil, false},
		{"links of a bond in turn", otherMAC, func(k *talker) { k.Reset(server) }, everyOther, false},
		{"a new router, and the server goes on behind it", otherMAC, goesOn, lastToo, false},
	} {
		for _, hosts := range [][2]string{{"10.0.0.1:40000", "10.0.0.2:7174"}, {"[2001:db8::1]:40000", "[2001:db8::2]:7174"}} {
			k := startTalk(hosts[0], hosts[1])
			k.untagged(client, rdmap.OpSend, 0, make([]byte, 100), 1424)
			k.Disown(server)
			reset := len(k.Records) - 1
			tc.after(k)
			tc.reset(&k.Records[reset])
			if tc.change != nil {
				tc.change(k.Records)
			}
			if v := judged(k.Records); tc.forged != (v.Cause != nil && v.Cause.Name == judge.ObsForgedReset.Name) {
				t.Errorf("%s: %s", tc.name, v.Text)
			}
		}
	}
}

// later waits for longer than TCP before it sends octets again.
func (k *talker) later() *talker {
	k.Wait(300 * time.Millisecond)
	return k
}

// TestForgotten lets a client forget its connection, begin another one with the same ports, and reset the old one when the server
// answers for that.
func TestForgotten(t *testing.T) {
	const server, client, acknowledgement = conversation.Server, conversation.Client, 14 + 20 + 8
	for _, forgets := range []bool{false, true} {
		k := startTalk("10.0.0.1:40000", "10.0.0.2:7174")
		body, _ := (&rdmap.ReadRequest{SinkSTag: 7, RDMARDSZ: 100, SrcSTag: 9}).AppendBinary(nil)
		k.untagged(client, rdmap.OpReadRequest, 0, body, 1424)
		k.Ack(server).Wait(100 * time.Millisecond)
		latest := k.Records[len(k.Records)-1].Data[acknowledgement-4:]
		next := [2]uint32{binary.BigEndian.Uint32(latest[4:]), binary.BigEndian.Uint32(latest)}
		if forgets {
			k.Begin(next[client]+1e9, next[server]).Call()
		}
		syn := len(k.Records)
		k.Begin(next[client], next[server]).Ack(server).Disown(client)
		says := fmt.Sprintf("Its host was restarted, or has lost the connection: in frame %d it began another one", syn)
		if v := judged(k.Records); forgets != strings.Contains(v.Text, says) {
			t.Errorf("SYN %v: %s", forgets, v.Text)
		}
	}
}

// TestRefusedByAnother refuses a connection that the server accepts too late, and one that nobody accepts.
func TestRefusedByAnother(t *testing.T) {
	refused := conversation.New("10.0.0.1:40000", "10.0.0.2:7174").Refuse()
	otherMAC(&refused.Records[1])
	if v := judged(refused.Records); v.Cause.Name != judge.ObsRefused.Name {
		t.Error(v.Text)
	}
	accepted := conversation.New("10.0.0.1:40000", "10.0.0.2:7174").Connect().Records
	records := append(refused.Records, accepted[1])
	records[2].Frame = 3
	if v := judged(records); v.Cause.Name != judge.ObsForgedReset.Name {
		t.Error(v.Text)
	}
}

// judged is the verdict on the first connection of a capture, whose packets have MAC addresses.
func judged(records []pcaps.Record) *record.Verdict {
	r := &reporter{}
	e := known(r)
	for i := range records {
		records[i].Data[6] = 2
		e.Packet(&records[i])
	}
	e.Close()
	return &r.verdicts[0]
}
