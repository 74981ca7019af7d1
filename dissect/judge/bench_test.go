package judge_test

// What analysing costs beside plain decoding, in time and in memory.

import (
	"fmt"
	"math"
	"net/netip"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/dissect"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/judge"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/ulp"
	"github.com/iwarpkit/iwarp/internal/conversation"
	"github.com/iwarpkit/iwarp/internal/recorded"
	"github.com/iwarpkit/iwarp/pcaps"
)

// A talker makes the packets of a connection, one FPDU each.
type talker struct {
	*conversation.Conversation
	framers [2]mpa.Framer
	msn     [2]map[uint32]uint32 // the latest of each queue
}

// startTalk records the handshakes of TCP and MPA, with CRCs.
func startTalk(client, server string) *talker {
	k := &talker{Conversation: conversation.New(client, server), msn: [2]map[uint32]uint32{{}, {}}}
	k.MSS = 65000
	k.Connect()
	for side, f := range []mpa.Frame{{Rev: 1, C: true}, {Rev: 1, C: true, Reply: true}} {
		b, _ := f.AppendBinary(nil)
		k.Send(conversation.Side(side), b)
		k.framers[side].CRC = true
	}
	return k
}

// ulpdu records one FPDU.
func (k *talker) ulpdu(from conversation.Side, h rdmap.Header, body []byte) *talker {
	head, err := h.AppendBinary(nil)
	if err != nil {
		panic(err)
	}
	b, err := k.framers[from].Append(nil, head, body)
	if err != nil {
		panic(err)
	}
	k.Send(from, b)
	return k
}

// tagged records a Write or Read Response in segments of n octets.
func (k *talker) tagged(from conversation.Side, o rdmap.Opcode, stag uint32, to uint64, body []byte, n int) *talker {
	for first := true; first || len(body) > 0; first = false {
		cut := min(n, len(body))
		h := rdmap.Header{T: true, Control: rdmap.Control{RV: 1, Opcode: o}}
		h.Tagged.L, h.Tagged.DV, h.Tagged.STag, h.Tagged.TO = cut == len(body), 1, stag, to
		k.ulpdu(from, h, body[:cut])
		body, to = body[cut:], to+uint64(cut)
	}
	return k
}

// untagged records a message with the next MSN of its queue in segments of n octets.
func (k *talker) untagged(from conversation.Side, o rdmap.Opcode, invalidate uint32, body []byte, n int) *talker {
	qn, _ := o.QN()
	k.msn[from][qn]++
	for mo, first := 0, true; first || mo < len(body); first = false {
		cut := min(n, len(body)-mo)
		h := rdmap.Header{Control: rdmap.Control{RV: 1, Opcode: o}, InvalidateSTag: invalidate}
		h.Untagged.L, h.Untagged.DV, h.Untagged.QN = mo+cut == len(body), 1, qn
		h.Untagged.MSN, h.Untagged.MO = k.msn[from][qn], uint32(mo)
		k.ulpdu(from, h, body[mo:mo+cut])
		mo += cut
	}
	return k
}

// read records an RDMA Read by a side, and its response.
func (k *talker) read(from conversation.Side, r rdmap.ReadRequest, n int) *talker {
	b, _ := r.AppendBinary(nil)
	k.untagged(from, rdmap.OpReadRequest, 0, b, n)
	return k.tagged(1-from, rdmap.OpReadResponse, r.SinkSTag, r.SinkTO, make([]byte, r.RDMARDSZ), n)
}

// round records what a storage protocol does: a request, two reads, writes, and an answer that invalidates.
func (k *talker) round(i int) *talker {
	block := make([]byte, 16<<10)
	stag := uint32(i)<<8 | 1
	k.untagged(conversation.Client, rdmap.OpSend, 0, block[:200], 1424)
	k.read(conversation.Server, rdmap.ReadRequest{SinkSTag: stag, RDMARDSZ: uint32(len(block)), SrcSTag: stag + 1}, 1428)
	k.read(conversation.Server, rdmap.ReadRequest{SinkSTag: stag, RDMARDSZ: 100, SrcSTag: stag + 1}, 1428)
	k.tagged(conversation.Server, rdmap.OpWrite, stag+1, 0, block, 1428)
	return k.untagged(conversation.Server, rdmap.OpSendInvalidate, stag+1, block[:3000], 1424)
}

// TestNoAllocationPerSegment checks that traffic with transactions, invalidated STags and Sends of several segments
// costs no allocation once buffers have their size.
func TestNoAllocationPerSegment(t *testing.T) {
	k := startTalk("10.0.0.1:40000", "10.0.0.2:7174")
	const rounds = 120
	ends := []int{len(k.Records)}
	for i := range rounds {
		k.round(i)
		ends = append(ends, len(k.Records))
	}
	sink := &counter{}
	e := dissect.NewEngine(judge.New(sink, judge.Options{ULPs: []*ulp.Layer{quiet}}), dissect.Options{})
	from := 0
	feed := func() {
		for ; from < ends[0]; from++ {
			e.Packet(&k.Records[from])
		}
		ends = ends[1:]
	}
	for range 20 {
		feed()
	}
	if allocs := testing.AllocsPerRun(rounds-25, feed); allocs != 0 {
		t.Errorf("%v allocations in %d packets", allocs, len(k.Records)/rounds)
	}
	if sink.transactions == 0 || sink.findings != 0 {
		t.Errorf("%d transactions, %d findings", sink.transactions, sink.findings)
	}
}

// A counter counts.
type counter struct {
	segments, messages, transactions, findings int
}

func (c *counter) Record(rec *record.Record) {
	c.transactions += len(rec.Over)
	c.findings += len(rec.Findings)
	switch rec.Kind {
	case record.KindSegment:
		c.segments++
	case record.KindMessage:
		c.messages++
	}
}

// quiet is an upper layer that takes every connection and says nothing.
var quiet = &ulp.Layer{Name: "quiet", Recognise: func(*flow.Conn, *record.Message, []byte) ulp.Follower { return ulp.Idle{} }}

// fullSize is traffic whose packets are as long as Ethernet allows: Writes of 64 KiB both ways, and Sends between them.
func fullSize() []pcaps.Record {
	k := startTalk("10.0.0.1:40000", "10.0.0.2:7174")
	block := make([]byte, 64<<10)
	for range 200 {
		k.tagged(conversation.Client, rdmap.OpWrite, 1, 0, block, 1428)
		k.untagged(conversation.Client, rdmap.OpSend, 0, block[:100], 1424)
		k.tagged(conversation.Server, rdmap.OpWrite, 2, 0, block, 1428)
	}
	return k.Records
}

// kernelTraffic is what the kernel's NVMe, iSER, NFS and rsockets sent: short packets, half of them without payload.
func kernelTraffic(b testing.TB) (all []pcaps.Record) {
	for i, name := range []string{"nvme-rdma", "iser", "nfs-small-v3-inl1024-crc1", "nfs-small-v4.0-inl4096-crc1", "rstream", "term-die-midstream"} {
		for _, packet := range recorded.Packets(pcaps.Open("../testdata/captures/" + name + ".pcap.gz")) {
			if at := 26; len(packet.Data) > at+8 {
				packet.Data[at+2], packet.Data[at+6] = byte(i), byte(i) // addresses of its own
			}
			packet.Frame = uint64(len(all) + 1)
			all = append(all, packet)
		}
	}
	return all
}

// BenchmarkAnalysis compares decoding alone with decoding and analysing, without upper layers, with one that looks at
// all payload and does nothing, and with those that there are. Both are run in turn, so that both meet the same
// machine, and the medians are compared.
func BenchmarkAnalysis(b *testing.B) {
	for _, traffic := range []struct {
		name    string
		records []pcaps.Record
	}{{"full-size", fullSize()}, {"recorded", kernelTraffic(b)}} {
		for _, with := range []struct {
			name string
			ulps []*ulp.Layer
		}{{"alone", nil}, {"payload", []*ulp.Layer{quiet}}, {"upper-layers", ulps()}} {
			b.Run(traffic.name+"/"+with.name, func(b *testing.B) {
				var decoding, analysing []time.Duration
				for b.Loop() {
					decoding = append(decoding, timed(&counter{}, traffic.records))
					analyser := judge.New(&counter{}, judge.Options{ULPs: with.ulps})
					analysing = append(analysing, timed(analyser, traffic.records))
				}
				packets := float64(len(traffic.records))
				b.ReportMetric(median(decoding)/packets, "ns-decoding/packet")
				b.ReportMetric(median(analysing)/packets, "ns/packet")
				b.ReportMetric(median(analysing)/median(decoding), "times-decoding")
				b.ReportMetric(0, "ns/op")
			})
		}
	}
}

// median is the middle one of durations, in nanoseconds.
func median(all []time.Duration) float64 {
	slices.Sort(all)
	return float64(all[len(all)/2].Nanoseconds())
}

// timed is how long an Engine with a sink takes for packets.
func timed(sink record.Sink, records []pcaps.Record) time.Duration {
	begin := time.Now()
	e := dissect.NewEngine(sink, dissect.Options{})
	for i := range records {
		e.Packet(&records[i])
	}
	e.Close()
	return time.Since(begin)
}

// BenchmarkMemory reports how many octets a connection takes that has come to FPDUs and is still open, of 100,000.
func BenchmarkMemory(b *testing.B) {
	const connections = 100_000
	for _, with := range []struct {
		name string
		sink func() record.Sink
	}{
		{"decoding", func() record.Sink { return &counter{} }},
		{"analysing", func() record.Sink { return judge.New(&counter{}, judge.Options{}) }},
	} {
		b.Run(with.name, func(b *testing.B) {
			for b.Loop() {
				before := heap()
				e := dissect.NewEngine(with.sink(), dissect.Options{MaxConnections: connections, Memory: math.MaxInt})
				for i := range connections {
					client := netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, byte(i >> 16), byte(i >> 8), byte(i)}), 40000)
					for _, r := range startTalk(client.String(), "10.255.0.2:7174").round(0).Records {
						e.Packet(&r)
					}
				}
				b.ReportMetric(float64(heap()-before)/connections, "octets/connection")
				if n := e.Totals().Connections; n != connections {
					b.Fatal(fmt.Sprint(n, " connections"))
				}
				runtime.KeepAlive(e)
			}
		})
	}
}

// heap is how many octets are in use.
func heap() uint64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
