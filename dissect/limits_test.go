package dissect_test

import (
	"fmt"
	"runtime"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/iwarpkit/iwarp/codec/ddp"
	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/dissect"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/judge"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/ulp/all"
	"github.com/iwarpkit/iwarp/internal/conversation"
	"github.com/iwarpkit/iwarp/internal/recordtest"
	"github.com/iwarpkit/iwarp/pcaps"
)

// talkOf is a conversation of a client with a port.
func talkOf(port int) *talk {
	return &talk{Conversation: conversation.New(fmt.Sprintf("10.0.0.1:%d", 40000+port), "10.0.0.2:7174")}
}

// giver gives the Engine the packets of conversations, in turn.
func giver(e *dissect.Engine) func(*talk) {
	frame := uint64(0)
	return func(k *talk) {
		for i := range k.Records {
			frame++
			k.Records[i].Frame = frame
			e.Packet(&k.Records[i])
		}
		k.Records = nil
	}
}

// TestConnectionLimit checks that the idlest connection is given up when there are too many.
func TestConnectionLimit(t *testing.T) {
	j := &journal{}
	e := dissect.NewEngine(j, dissect.Options{MaxConnections: 2})
	give := giver(e)
	for port := range 3 {
		k := talkOf(port)
		k.Connect()
		give(k.negotiate(mpa.Frame{Rev: 1}, mpa.Frame{Rev: 1}))
	}
	if len(j.conns) != 1 || j.conns[0].ID != 0 || e.Totals().GivenUp != 1 || e.Totals().TooLarge != 0 {
		t.Errorf("ended %d connections, gave up %d", len(j.conns), e.Totals().GivenUp)
	}
	e.Close()
	if len(j.conns) != 3 || e.Totals().Connections != 3 {
		t.Errorf("ended %d connections of %d", len(j.conns), e.Totals().Connections)
	}
}

// TestGivenUpStaysSo sends more on connections that were given up: that begins no new one, but a SYN does.
func TestGivenUpStaysSo(t *testing.T) {
	j := &journal{}
	e := dissect.NewEngine(j, dissect.Options{MaxConnections: 2})
	give := giver(e)
	var talks []*talk
	for port := range 3 {
		k := talkOf(port)
		k.Connect()
		give(k.negotiate(mpa.Frame{Rev: 1, C: true}, mpa.Frame{Rev: 1}))
		talks = append(talks, k)
	}
	for range 10 {
		for _, k := range talks {
			give(k.each(client, k.send(client, payload, 1400)).each(server, k.send(server, payload, 1400)))
		}
	}
	if n := e.Totals(); n.TCP != 3 || n.Connections != 3 || n.GivenUp != 1 {
		t.Errorf("%d TCP connections, %d of iWARP, %d given up", n.TCP, n.Connections, n.GivenUp)
	}
	again := talks[0]
	again.Begin(1_000_000, 2_000_000).Connect()
	give(again.negotiate(mpa.Frame{Rev: 1, C: true}, mpa.Frame{Rev: 1}))
	e.Close()
	if n := e.Totals(); n.TCP != 4 || n.Connections != 4 || n.GivenUp != 2 || len(j.conns) != 4 {
		t.Errorf("with one more: %d TCP connections, %d of iWARP, %d given up", n.TCP, n.Connections, n.GivenUp)
	}
}

// TestNewcomers lets two connections begin, whose handshakes were not captured, while idle ones have all places: neither of the two gives way
// to the other before it is known what it is.
func TestNewcomers(t *testing.T) {
	const places = 32
	e := dissect.NewEngine(recordtest.Discard, dissect.Options{MaxConnections: places})
	give := giver(e)
	for port := range places {
		k := talkOf(port)
		k.Connect()
		give(k.negotiate(mpa.Frame{Rev: 1, C: true}, mpa.Frame{Rev: 1}))
	}
	a, b := talkOf(places), talkOf(places+1)
	for range 50 {
		for _, k := range []*talk{a, b} {
			give(k.each(client, k.send(client, payload[:100], 1400)))
		}
	}
	if n := e.Totals(); n.TCP != places+2 || n.Connections != places+2 || n.GivenUp != 2 {
		t.Errorf("%d TCP connections, %d of iWARP, %d given up", n.TCP, n.Connections, n.GivenUp)
	}
	for port := range 3 * places { // connections of nothing known give way to one another
		k := talkOf(100 + port)
		k.Send(client, []byte("?"))
		give(k)
	}
	if n := e.Totals().GivenUp; n != 5 {
		t.Errorf("%d given up for connections that are not known to be iWARP", n)
	}
}

// TestInTurn lets more connections than there are places for send in turn, whose handshakes were not captured: those that are given up, known to
// be iWARP or found to be at their end, do not begin again.
func TestInTurn(t *testing.T) {
	const places, talks = 32, 100
	e := dissect.NewEngine(recordtest.Discard, dissect.Options{MaxConnections: places})
	all := make([]*talk, talks)
	for i := range all {
		all[i] = talkOf(i)
		all[i].framer[client].Reset(mpa.Options{CRC: true})
	}
	give := giver(e)
	for range 20 {
		for _, k := range all {
			give(k.each(client, k.send(client, payload[:100], 1400)))
		}
	}
	e.Close()
	if n := e.Totals(); n.TCP != talks || n.Connections != talks || n.GivenUp != talks-places {
		t.Errorf("%d TCP connections, %d of iWARP, %d given up", n.TCP, n.Connections, n.GivenUp)
	}
}

// TestMemory checks that a capture of very many connections, none of which ends and each of which has an FPDU that is
// not whole, is followed in less than 64 MB.
func TestMemory(t *testing.T) {
	k := startTalk(mpa.Frame{Rev: 1, C: true}, mpa.Frame{Rev: 1})
	k.each(client, k.send(client, payload, 1400))
	k.Send(client, k.send(client, payload[:1400], 1400)[0][:1000])
	e := dissect.NewEngine(recordtest.Discard, dissect.Options{})
	for i := range 20000 {
		for j := range k.Records {
			b := k.Records[j].Data
			// Another address of the client, which stands in one of two places.
			at := 26
			if b[at+3] != 1 {
				at = 30
			}
			b[at+1], b[at+2] = byte(i>>8), byte(i)
			e.Packet(&k.Records[j])
		}
	}
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	if m.HeapAlloc > 64e6 {
		t.Errorf("%d octets in use", m.HeapAlloc)
	}
	if got := e.Totals().Connections; got != 20000 {
		t.Errorf("%d connections found", got)
	}
	runtime.KeepAlive(e)
}

// TestMemoryBound follows connections with many open Calls of NFS: what is kept stays within Options.Memory, and which connections are
// given up depends on the packets only.
func TestMemoryBound(t *testing.T) {
	const most = 4 << 20
	follow := func() (*journal, *dissect.Totals) {
		j := &journal{}
		e := dissect.NewEngine(j, dissect.Options{Memory: most, Analysis: &judge.Options{ULPs: all.Layers()}})
		frame := uint64(0)
		for port := range 30 {
			k := &talk{Conversation: conversation.New(fmt.Sprintf("10.0.0.1:%d", 40000+port), "10.0.0.2:20049")}
			k.Connect()
			k.negotiate(mpa.Frame{Rev: 1}, mpa.Frame{Rev: 1})
			for xid := range byte(250) {
				call := []byte{0, 0, 0, xid, 0, 0, 0, 1, 0, 0, 0, 32, 27: 0, 31: xid, 39: 2, 41: 1, 42: 0x86, 43: 0xa3, 47: 3, 67: 0}
				k.each(client, k.send(client, call, 1400))
			}
			for i := range k.Records {
				frame++
				k.Records[i].Frame = frame
				e.Packet(&k.Records[i])
				if e.Held() > most {
					t.Fatalf("%d octets are held, want at most %d", e.Held(), most)
				}
			}
		}
		e.Close()
		return j, e.Totals()
	}
	first, totals := follow()
	again, _ := follow()
	if totals.GivenUp == 0 || totals.TooLarge != totals.GivenUp || totals.Connections != 30 {
		t.Errorf("%d of %d connections were given up", totals.GivenUp, totals.Connections)
	}
	if d := cmp.Diff(first.lines, again.lines); d != "" {
		t.Errorf("the same packets, another outcome (-first +again)\n%s", d)
	}
}

// TestOver follows connections that end: few of them are kept for stragglers.
func TestOver(t *testing.T) {
	j := &journal{}
	e := dissect.NewEngine(j, dissect.Options{})
	for port := range 2000 {
		k := &talk{Conversation: conversation.New(fmt.Sprintf("10.0.0.1:%d", 10000+port), "10.0.0.2:7174")}
		k.Connect()
		k.negotiate(mpa.Frame{Rev: 1}, mpa.Frame{Rev: 1}).Close(client)
		for i := range k.Records {
			e.Packet(&k.Records[i])
		}
	}
	if waiting := 2000 - len(j.conns); waiting > 300 || e.Totals().GivenUp != 0 {
		t.Errorf("%d connections that have ended are kept, %d given up", waiting, e.Totals().GivenUp)
	}
}

// TestPassedOver checks that packets without TCP are counted by what they are.
func TestPassedOver(t *testing.T) {
	ethernet := func(etherType uint16, ip ...byte) pcaps.Record {
		b := append(make([]byte, 12), byte(etherType>>8), byte(etherType))
		b = append(b, ip...)
		return pcaps.Record{LinkType: pcaps.LinkTypeEthernet, Data: b, OrigLen: len(b)}
	}
	udp := []byte{0x45, 0, 0, 28, 0, 0, 0, 0, 64, 17, 0, 0, 10, 0, 0, 1, 10, 0, 0, 2, 0, 1, 0, 2, 0, 8, 0, 0}
	fragment := append([]byte(nil), udp...)
	fragment[7], fragment[9] = 8, 6
	cut := ethernet(0x0800, udp[:10]...)
	cut.OrigLen = 60
	e := dissect.NewEngine(recordtest.Discard, dissect.Options{})
	for _, r := range []pcaps.Record{
		ethernet(0x0806, udp...), ethernet(0x0800, udp...), ethernet(0x0800, fragment...), cut,
		ethernet(0x0800, udp[:10]...), {LinkType: 250, Data: udp, OrigLen: len(udp)},
	} {
		e.Packet(&r)
	}
	e.Close()
	want := dissect.Totals{Packets: 6, Octets: 42 + 42 + 42 + 24 + 24 + 28, NotTCP: 2, Fragments: 1, CutShort: 1, Malformed: 1, UnknownLinks: 1, UnknownLink: 250}
	if d := cmp.Diff(want, *e.Totals()); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
}

// TestNoReply looks at octets that wait for a Reply in vain: a few are kept until the end, many are given up at once.
func TestNoReply(t *testing.T) {
	for _, n := range []int{1000, 100_000} {
		k := startTalk(mpa.Frame{Rev: 1}, mpa.Frame{Rev: 1})
		k.Drop(1)
		k.Send(client, make([]byte, n))
		j := dissectRecords(k.Records)
		if got := j.conns[0].Traffic[flow.C2S].Undecoded; got != uint64(n) {
			t.Errorf("%d octets behind the Request, %d counted as undecoded", n, got)
		}
	}
}

// TestPrivateDataMissing checks that a Request is understood although the capture lost the middle of its Private Data.
func TestPrivateDataMissing(t *testing.T) {
	request := mpa.Frame{Rev: 1, C: true, PDLength: 100, PrivateData: make([]byte, 100)}
	reply := mpa.Frame{Rev: 1, Reply: true}
	k := &talk{Conversation: conversation.New("10.0.0.1:40000", "10.0.0.2:7174")}
	k.Connect()
	octets := encode(&request)
	k.Send(client, octets[:40]).Send(client, octets[40:80]).Drop(1)
	k.Send(client, octets[80:]).Send(server, encode(&reply))
	k.framer[client].Reset(mpa.Options{CRC: true})
	// The hole is given up when it has been acknowledged and many segments have followed.
	for range 40 {
		k.each(client, k.send(client, payload[:10], 10)).Ack(server)
	}
	j := dissectRecords(k.Records)
	if len(j.conns) != 1 || j.conns[0].Traffic[flow.C2S].CRC[mpa.Good] != 40 || !j.conns[0].Agreed {
		t.Errorf("%q", j.lines)
	}
}

// TestStrange looks at what is legal for DDP, or not even that: unknown opcodes and queues, wrong Markers, a ULPDU that
// is shorter than its header.
func TestStrange(t *testing.T) {
	k := startTalk(mpa.Frame{Rev: 1, C: true}, mpa.Frame{Rev: 1, M: true})
	unknown := ddp.Untagged{L: true, DV: 1, RsvdULP: 0x4e << 32, QN: 9, MSN: 5}
	k.Send(client, k.fpdu(client, append(encode(&unknown), "what?"...)))
	k.Send(client, k.fpdu(client, []byte{0x41, 0x43, 0, 0}))
	wrong := k.fpdu(client, append(encode(&unknown), make([]byte, 1000)...))
	at := 512 - (4 + 32 + 12)
	wrong[at+2] ^= 0x10
	k.Send(client, wrong)
	j := dissectRecords(k.Records)
	expect(t, j, `
		4 0 c2s Request 20 octets
		5 0 s2c Reply 20 octets
		6 0 c2s Opcode14 5 in 1
		8 0 c2s bad Markers: 1 octets
		8 0 c2s Opcode14 1000 in 1 1 bad CRCs
		conn 0 ends: open`)
	if tr := &j.conns[0].Traffic[0]; tr.Malformed != 1 || tr.Segments[14] != 2 || tr.Segments[3] != 1 {
		t.Errorf("%+v", tr)
	}
}

// A keeper keeps clones of all events.
type keeper struct {
	events []any
}

func (k *keeper) Record(rec *record.Record) { recordtest.Pieces(rec, k) }

func (k *keeper) StartupFrame(f *record.Startup) { k.events = append(k.events, f.Clone()) }
func (k *keeper) Segment(s *record.Segment)      { k.events = append(k.events, s.Clone()) }
func (k *keeper) Message(m *record.Message)      { k.events = append(k.events, m.Clone()) }

// TestClone checks that clones are not changed by what comes after them: their octets are those of a run in which each
// packet keeps memory of its own.
func TestClone(t *testing.T) {
	c, err := pcaps.Open("../pcaps/samples/term-read-badkey.pcap")
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	one, other := &keeper{}, &keeper{}
	reused, kept := dissect.NewEngine(one, dissect.Options{}), dissect.NewEngine(other, dissect.Options{})
	var rec pcaps.Record
	scratch := make([]byte, pcaps.MaxPacket)
	for c.Next(&rec) == nil {
		own := rec
		own.Data = append([]byte(nil), rec.Data...)
		kept.Packet(&own)
		rec.Data = scratch[:copy(scratch, rec.Data)]
		reused.Packet(&rec)
		clear(scratch)
	}
	reused.Close()
	kept.Close()
	if len(one.events) != 8 || len(other.events) != 8 {
		t.Fatalf("%d and %d events", len(one.events), len(other.events))
	}
	for i := range one.events {
		// Conns are compared by their place in memory otherwise.
		opts := cmp.Comparer(func(a, b *flow.Conn) bool { return a.ID == b.ID })
		if d := cmp.Diff(other.events[i], one.events[i], opts); d != "" {
			t.Errorf("event %d (-kept +reused)\n%s", i, d)
		}
	}
}
