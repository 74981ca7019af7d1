package reassembly_test

import (
	"bytes"
	"errors"
	"io"
	"net/netip"
	"testing"
	"time"

	"github.com/google/gopacket"
	"github.com/google/gopacket/layers"
	"github.com/google/gopacket/tcpassembly"

	"github.com/iwarpkit/iwarp/dissect/reassembly"
	"github.com/iwarpkit/iwarp/dissect/tcpip"
	"github.com/iwarpkit/iwarp/pcaps"
	"github.com/iwarpkit/iwarp/pcaps/samples"
)

// direction names a half-connection.
type direction struct{ src, dst netip.AddrPort }

func (d direction) reverse() direction { return direction{d.dst, d.src} }

// The bundled captures, one of which was recorded on a lossy network, must be put together as tcpassembly does it.
func TestLikeTCPAssembly(t *testing.T) {
	for _, name := range samples.Names() {
		t.Run(name, func(t *testing.T) {
			budget := reassembly.NewBudget(reassembly.Limits{})
			halves := map[direction]*reassembly.Half{}
			got := map[direction][]byte{}
			theirs := recorder{}
			assembler := tcpassembly.NewAssembler(tcpassembly.NewStreamPool(theirs))

			r, err := samples.Open(name)
			if err != nil {
				t.Fatal(err)
			}
			for rec := (pcaps.Record{}); ; {
				if err := r.Next(&rec); errors.Is(err, io.EOF) {
					break
				} else if err != nil {
					t.Fatal(err)
				}
				packet := gopacket.NewPacket(rec.Data, layers.LinkType(rec.LinkType), gopacket.Default)
				if tcp, ok := packet.TransportLayer().(*layers.TCP); ok {
					assembler.AssembleWithTimestamp(packet.NetworkLayer().NetworkFlow(), tcp, time.Unix(0, rec.Time))
				}
				var s tcpip.Segment
				if s.Decode(rec.LinkType, rec.Data, rec.OrigLen) != nil {
					continue
				}
				d := direction{s.Src, s.Dst}
				half := halves[d]
				if half == nil {
					half = reassembly.NewHalf(budget)
					halves[d] = half
				}
				half.Push(&reassembly.Segment{
					Seq: s.Seq, SYN: s.Flags.Has(tcpip.SYN), FIN: s.Flags.Has(tcpip.FIN), RST: s.Flags.Has(tcpip.RST),
					Data: s.Payload, Missing: s.Missing, Frame: rec.Frame, Time: rec.Time,
				})
				if other := halves[d.reverse()]; other != nil && s.Flags.Has(tcpip.ACK) {
					other.Acked(s.Ack)
				}
				for p := (reassembly.Piece{}); half.Next(&p); {
					got[d] = append(got[d], p.Data...)
				}
			}
			assembler.FlushAll()
			for d, half := range halves {
				if c := half.Counters(); c.Holes+c.Dropped+c.Conflicting+c.OutOfWindow != 0 || half.Held() != 0 {
					t.Errorf("%v: %+v", d, c)
				}
				var want []byte
				if recording := theirs[d]; recording != nil { // it knows no half-connection without data
					want = recording.octets
				}
				if !bytes.Equal(got[d], want) {
					t.Errorf("%v: %d octets differ from those of tcpassembly", d, len(got[d]))
				}
			}
		})
	}
}

// recorder collects what tcpassembly delivers of each half-connection.
type recorder map[direction]*recording

type recording struct{ octets []byte }

func (r recorder) New(network, transport gopacket.Flow) tcpassembly.Stream {
	endpoint := func(address, port gopacket.Endpoint) netip.AddrPort {
		ip, _ := netip.AddrFromSlice(address.Raw())
		return netip.AddrPortFrom(ip, uint16(port.Raw()[0])<<8|uint16(port.Raw()[1]))
	}
	d := direction{endpoint(network.Src(), transport.Src()), endpoint(network.Dst(), transport.Dst())}
	if r[d] == nil {
		r[d] = new(recording)
	}
	return r[d]
}

func (r *recording) Reassembled(pieces []tcpassembly.Reassembly) {
	for _, p := range pieces {
		r.octets = append(r.octets, p.Bytes...)
	}
}

func (r *recording) ReassemblyComplete() {}
