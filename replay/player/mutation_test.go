package player_test

import (
	"flag"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/internal/golden"
	"github.com/iwarpkit/iwarp/replay/player"
	"github.com/iwarpkit/iwarp/replay/scenario"
)

// mutated names the captures whose steps are changed: short ones, which together have all kinds of steps.
var mutated = []string{
	"../../pcaps/samples/p2p-crc.pcap", "../../pcaps/samples/mpav1-crc.pcap", "../../pcaps/samples/sendinv-crc1.pcap",
	"../../pcaps/samples/reject-pd32.pcap", "../../pcaps/samples/pd-c16-s255.pcap", "../../pcaps/samples/term-read-badkey.pcap",
	"../../pcaps/samples/term-send-nobuf.pcap", "../../pcaps/samples/term-write-badkey.pcap", "../../pcaps/samples/perf-nocm.pcap",
	"../../dissect/testdata/captures/term-write-wrap.pcap.gz", "../../dissect/testdata/captures/rc_pingpong.pcap.gz",
	"../../dissect/testdata/captures/term-read-oob.pcap.gz", "../../dissect/testdata/captures/rdma_server.pcap.gz",
}

// extensions is what no capture has.
const extensions = `scenario "RFC 7306"
connection c0
  1 client MPARequest M C Rev=1
  2 server after 1 MPAReply M C Rev=1
  3 client after 2 AtomicRequest AOpCode=FetchAdd RequestIdentifier=7 RemoteSTag=0x00000100 RemoteTaggedOffset=0x1000 AddData=1 AddMask=2
  4 server after 3 AtomicResponse to 3 OriginalRemoteDataValue=5
  5 client after 4 AtomicRequest AOpCode=CmpSwap RequestIdentifier=8 RemoteSTag=0x00000100 RemoteTaggedOffset=0x1000 SwapData=1 SwapMask=2 CompareData=3 CompareMask=4
  6 server after 5 AtomicResponse to 5 OriginalRemoteDataValue=6
  7 client after 6 Immediate ImmediateData=0x0102030405060708
  8 server after 7 ImmediateSE ImmediateData=0x0102030405060708
  9 client after 8 Write STag=0x00000100 TO=0x2000 00*2000
 10 client SendSEInvalidate InvalidateSTag=0x00000100 "0123456789"*60
 11 client FIN
 12 server after 11 FIN
`

// A mutation changes a copy of a step.
type mutation struct {
	name  string
	apply func(*scenario.Step)
}

// mutations returns the changes that are possible for a step of a connection.
func mutations(c *scenario.Conn, s *scenario.Step) (all []mutation) {
	switch do := s.Do.(type) {
	case *scenario.Frame:
		return frameMutations(do)
	case *scenario.Message:
		do = explicit(c, do)
		all = messageMutations(do)
		if do.Payload.Len() <= 1000 {
			all = append(all, segmentMutations(do)...)
		}
	case *scenario.Octets:
		all = octetMutations("Octets", do.Payload, func(s *scenario.Step, p scenario.Payload) { s.Do = &scenario.Octets{Payload: p} })
	}
	return all
}

func frameMutations(f *scenario.Frame) (all []mutation) {
	add := func(name string, change func(*scenario.Frame)) {
		all = append(all, mutation{f.Verb() + " " + name, func(s *scenario.Step) {
			c := *f
			if c.Enhanced != nil {
				c.Enhanced = new(*c.Enhanced)
			}
			change(&c)
			s.Do = &c
		}})
	}
	add("M", func(f *scenario.Frame) { f.M = !f.M })
	add("C", func(f *scenario.Frame) { f.C = !f.C })
	add("R", func(f *scenario.Frame) { f.R = !f.R })
	add("S", func(f *scenario.Frame) { f.S = !f.S })
	add("Res", func(f *scenario.Frame) { f.Res ^= 4 })
	add("Rev", func(f *scenario.Frame) { f.Rev ^= 3 })
	add("Key", func(f *scenario.Frame) { f.Reply = !f.Reply })
	add("PD_Length", func(f *scenario.Frame) {
		n := uint16(f.PrivateData.Len()) + 3
		if f.Enhanced != nil {
			n += mpa.EnhancedLen
		}
		f.PDLength = &n
	})
	if f.Enhanced != nil {
		add("A", func(f *scenario.Frame) { f.Enhanced.A = !f.Enhanced.A })
		add("B", func(f *scenario.Frame) { f.Enhanced.B = !f.Enhanced.B })
		add("C (RTR)", func(f *scenario.Frame) { f.Enhanced.C = !f.Enhanced.C })
		add("D", func(f *scenario.Frame) { f.Enhanced.D = !f.Enhanced.D })
		add("IRD", func(f *scenario.Frame) { f.Enhanced.IRD ^= 1 })
		add("ORD", func(f *scenario.Frame) { f.Enhanced.ORD ^= 1 })
	}
	return append(all, octetMutations(f.Verb()+" Private Data", f.PrivateData, func(s *scenario.Step, p scenario.Payload) {
		c := *f
		c.PrivateData = p
		s.Do = &c
	})...)
}

// explicit returns a response whose Fields have what it takes from its request. It returns other messages as they are.
func explicit(c *scenario.Conn, m *scenario.Message) *scenario.Message {
	if m.To == 0 {
		return m
	}
	e := *m
	e.To, e.Fields = 0, nil
	request := c.Step(m.To).Do.(*scenario.Message)
	for _, pair := range [][2]string{{"STag", "SinkSTag"}, {"TO", "SinkTO"}, {"OriginalRequestIdentifier", "RequestIdentifier"}} {
		if slices.Contains(scenario.MessageFields(m.Opcode), pair[0]) {
			v, _ := request.Fields.Lookup(pair[1])
			e.Fields = append(e.Fields, scenario.Field{Name: pair[0], Value: v})
		}
	}
	e.Fields = append(e.Fields, m.Fields...)
	return &e
}

// messageMutations change a field, or octets of the payload.
func messageMutations(m *scenario.Message) (all []mutation) {
	for _, name := range scenario.MessageFields(m.Opcode) {
		if _, there := m.Fields.Lookup(name); m.Opcode == rdmap.OpAtomicRequest && !there && name != "Reserved" {
			continue // a field of the other form
		}
		all = append(all, mutation{m.Verb() + " " + name, func(s *scenario.Step) {
			c := *m
			c.Fields = withField(m.Opcode, scenario.MessageFields(m.Opcode), m.Fields, name, 1)
			s.Do = &c
		}})
	}
	return append(all, octetMutations(m.Verb()+" payload", m.Payload, func(s *scenario.Step, p scenario.Payload) {
		c := *m
		c.Payload = p
		s.Do = &c
	})...)
}

// withField returns fields with one bit of a field changed, in the order of names.
func withField(o rdmap.Opcode, names []string, fields scenario.Fields, name string, otherwise uint64) (all scenario.Fields) {
	for _, n := range names {
		v, there := fields.Lookup(n)
		switch {
		case n == name && there && v.Var != "":
			all = append(all, scenario.Field{Name: n, Value: scenario.Value{Var: v.Var, Number: v.Number ^ 1}})
		case n == name && there:
			all = append(all, scenario.Field{Name: n, Value: scenario.Value{Number: v.Number ^ 1}})
		case n == name:
			all = append(all, scenario.Field{Name: n, Value: scenario.Value{Number: otherwise}})
		case there:
			all = append(all, scenario.Field{Name: n, Value: v})
		}
	}
	return all
}

// segmentMutations turn the message into one segment with a wrong field or wrong framing.
func segmentMutations(m *scenario.Message) (all []mutation) {
	tagged := m.Opcode.Tagged()
	names := scenario.SegmentFields(m.Opcode, tagged)
	add := func(name string, change func(*scenario.FPDU)) {
		all = append(all, mutation{m.Verb() + " " + name, func(s *scenario.Step) {
			f := &scenario.FPDU{Segment: scenario.Segment{Opcode: m.Opcode, Fields: slices.Clone(m.Fields), Payload: m.Payload}}
			if len(f.Fields) == 0 && m.Opcode.RDMAPHeaderLen() > 0 {
				f.Fields = withField(m.Opcode, names, nil, scenario.MessageFields(m.Opcode)[0], 0)
			}
			change(f)
			s.Do = f
		}})
	}
	for _, name := range names {
		otherwise := uint64(1)
		switch name {
		case "DV", "RV", "L", "MO":
			otherwise = 0
		case "T":
			otherwise = 1
			if tagged {
				otherwise = 0
			}
		case "Opcode":
			otherwise = uint64(m.Opcode ^ 1)
		case "QN":
			qn, _ := m.Opcode.QN()
			otherwise = uint64(qn ^ 1)
		case "MSN":
			otherwise = 77
		}
		if name == "MO" {
			otherwise = 1
		}
		if slices.Contains(scenario.MessageFields(m.Opcode), name) {
			continue
		}
		add("header "+name, func(f *scenario.FPDU) { f.Fields = withField(m.Opcode, names, f.Fields, name, otherwise) })
	}
	add("FPDU CRC", func(f *scenario.FPDU) { f.BadCRC = true })
	add("FPDU ULPDU_Length", func(f *scenario.FPDU) {
		f.ULPDULength = new(uint16(m.Opcode.RDMAPHeaderLen() + f.Payload.Len() + 30))
	})
	add("FPDU PAD", func(f *scenario.FPDU) { f.PAD = []byte{0, 0, 0, 0} })
	if m.Payload.Len() > mpa.MarkerSpacing {
		add("FPDU Markers", func(f *scenario.FPDU) { f.Markers = scenario.BadMarkers })
	}
	return all
}

// octetMutations change one octet: the first, one in the middle or the last of each literal part. They also remove an
// octet, or add one.
func octetMutations(name string, p scenario.Payload, set func(*scenario.Step, scenario.Payload)) (all []mutation) {
	add := func(p scenario.Payload) {
		all = append(all, mutation{name, func(s *scenario.Step) { set(s, p) }})
	}
	for i := range p {
		part := p[i]
		if part.Ref.Var != "" || part.Any != 0 {
			continue
		}
		n := len(part.Octets)
		for _, at := range slices.Compact([]int{0, n / 2, n - 1}) {
			c := slices.Clone(p)
			c[i].Octets = slices.Clone(part.Octets)
			c[i].Octets[at] ^= 0x10
			add(c)
		}
	}
	if n := p.Len(); n > 0 {
		add(p.Slice(0, n-1))
	}
	add(slices.Clone(p).Append(scenario.Part{Octets: []byte{0x5a}}))
	return all
}

// TestMutations changes one thing that one side does, and checks whether the other side, which expects the recorded steps,
// finds a mismatch. The golden file counts how often it does.
func TestMutations(t *testing.T) {
	type rate struct{ found, of int }
	rates := make(map[string]rate)
	scenarios := map[string]*scenario.Scenario{"RFC 7306": parsed(t, extensions)}
	for _, name := range mutated {
		scenarios[filepath.Base(name)] = compiled(t, name)
	}
	for _, name := range slices.Sorted(maps.Keys(scenarios)) {
		for _, c := range scenarios[name].Conns {
			for i, s := range c.Steps {
				if i >= 40 {
					break
				}
				for _, m := range mutations(c, s) {
					r := rates[m.name]
					r.of++
					if found(t, c, i, m) {
						r.found++
					} else if *verbose {
						t.Logf("%s: step %d: %s", name, s.Number, m.name)
					}
					rates[m.name] = r
				}
			}
		}
	}
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(rates)) {
		fmt.Fprintf(&b, "%-50s %4d of %4d\n", name, rates[name].found, rates[name].of)
	}
	golden.File(t, "testdata/mutations.golden", b.String())
}

var verbose = flag.Bool("missed", false, "tell of mutations that are not found")

// found reports whether the other side finds a mismatch if one side changes a step.
func found(t *testing.T, c *scenario.Conn, step int, m mutation) bool {
	t.Helper()
	changed := *c
	changed.Steps = slices.Clone(c.Steps)
	s := *c.Steps[step]
	changed.Steps[step] = &s
	m.apply(&s)
	conns := [2]*scenario.Conn{c, c}
	conns[s.Side] = &changed
	outcomes := pair(t, conns[0], conns[1], player.Options{}).run(t)
	summary := outcomes[s.Side.Other()].Summary()
	return summary.Mismatched > 0
}

func parsed(t testing.TB, text string) *scenario.Scenario {
	t.Helper()
	s, err := scenario.Parse("test", text)
	if err != nil {
		t.Fatal(err)
	}
	return s
}
