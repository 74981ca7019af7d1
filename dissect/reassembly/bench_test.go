package reassembly_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/gopacket"
	"github.com/google/gopacket/layers"
	"github.com/google/gopacket/tcpassembly"

	"github.com/iwarpkit/iwarp/dissect/reassembly"
)

const (
	benchFlows    = 4
	benchSegments = 4096
	benchOctets   = 1460
)

// benchOrder returns the order in which the segments of a flow are sent: in sequence, but each with a probability of
// percent coming one to five places too late.
func benchOrder(percent int) []int {
	random := rand.New(rand.NewPCG(1, 2))
	order := make([]int, benchSegments/benchFlows)
	for i := range order {
		order[i] = i
	}
	for i := 0; i+5 < len(order); i++ {
		if random.IntN(100) < percent {
			late, by := order[i], 1+random.IntN(5)
			copy(order[i:], order[i+1:i+1+by])
			order[i+by] = late
		}
	}
	return order
}

func BenchmarkInOrder(b *testing.B)     { benchmark(b, 0) }
func BenchmarkReordered12(b *testing.B) { benchmark(b, 12) }

func benchmark(b *testing.B, percent int) {
	order, data := benchOrder(percent), make([]byte, benchOctets)
	b.Run("Half", func(b *testing.B) { benchHalf(b, order, data) })
	b.Run("gopacket", func(b *testing.B) { benchTCPAssembly(b, order, data) })
}

func benchHalf(b *testing.B, order []int, data []byte) {
	budget := reassembly.NewBudget(reassembly.Limits{})
	var halves [benchFlows]reassembly.Half
	s, p := reassembly.Segment{Data: data}, reassembly.Piece{}
	octets := 0
	b.SetBytes(benchOctets)
	b.ReportAllocs()
	n := 0
	for b.Loop() {
		flow, place := n%benchFlows, n%benchSegments/benchFlows
		half := &halves[flow]
		if place == 0 {
			if n >= benchSegments {
				half.Close()
			}
			half.Init(budget)
			half.Push(&reassembly.Segment{Seq: 999, SYN: true})
			half.Acked(1000)
		}
		s.Seq, s.Frame = 1000+uint32(order[place]*benchOctets), uint64(n)
		half.Push(&s)
		for half.Next(&p) {
			octets += len(p.Data)
		}
		n++
	}
	if rest := n*benchOctets - octets; rest > benchFlows*6*benchOctets {
		b.Fatalf("%d octets were not delivered", rest)
	}
}

type countingStream struct{ octets int }

func (c *countingStream) New(_, _ gopacket.Flow) tcpassembly.Stream { return c }
func (c *countingStream) ReassemblyComplete()                       {}
func (c *countingStream) Reassembled(pieces []tcpassembly.Reassembly) {
	for _, p := range pieces {
		c.octets += len(p.Bytes)
	}
}

func benchTCPAssembly(b *testing.B, order []int, data []byte) {
	counting := new(countingStream)
	assembler := tcpassembly.NewAssembler(tcpassembly.NewStreamPool(counting))
	network := gopacket.NewFlow(layers.EndpointIPv4, []byte{10, 0, 0, 1}, []byte{10, 0, 0, 2})
	now := time.Unix(0, 0)
	var tcp [benchFlows]layers.TCP
	for flow := range tcp {
		tcp[flow] = layers.TCP{SrcPort: layers.TCPPort(flow), DstPort: 5001}
		tcp[flow].SetInternalPortsForTesting()
	}
	b.SetBytes(benchOctets)
	b.ReportAllocs()
	n := 0
	for b.Loop() {
		flow, place := n%benchFlows, n%benchSegments/benchFlows
		t := &tcp[flow]
		if place == 0 {
			if flow == 0 {
				assembler.FlushAll()
			}
			t.SYN, t.Seq, t.Payload = true, 999, nil
			assembler.AssembleWithTimestamp(network, t, now)
			t.SYN, t.Payload = false, data
		}
		t.Seq = 1000 + uint32(order[place]*benchOctets)
		assembler.AssembleWithTimestamp(network, t, now)
		n++
	}
	if rest := n*benchOctets - counting.octets; rest > benchFlows*6*benchOctets {
		b.Fatalf("%d octets were not delivered", rest)
	}
}
