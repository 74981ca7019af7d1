package dissect_test

// Legal streams of which the capture lacks the MPA frames. The octets are laid out here as RFC 5044 says, sections 4.2 to
// 4.4, by no code that is tested.

import (
	"encoding/binary"
	"flag"
	"fmt"
	"hash/crc32"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/peers"
	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/dissect"
	"github.com/iwarpkit/iwarp/dissect/judge"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/internal/conversation"
	"github.com/iwarpkit/iwarp/internal/recordtest"
	"github.com/iwarpkit/iwarp/pcaps"
)

var unframed = flag.Int("unframed", 400, "streams without MPA frames that are tried")

var debug = flag.Int("debugseed", 0, "")

// A sender lays out the FPDUs of one side.
type sender struct {
	markers, crc bool
	size         func() int // of an FPDU on the wire, without a Marker that may come to lie within
	payload      func([]byte)
	tagged       bool
	stag, msn    uint32
	to           uint64
	octets       []byte
	ends         []int // of the FPDUs in octets
}

// fpdu appends an FPDU of a Send or an RDMA Write.
func (s *sender) fpdu() {
	header := make([]byte, 18, 1500)
	if s.tagged {
		header = header[:14]
		header[0], header[1] = 0xc1, 0x40
		binary.BigEndian.PutUint32(header[2:], s.stag)
		binary.BigEndian.PutUint64(header[6:], s.to)
	} else {
		s.msn++
		header[0], header[1] = 0x41, 0x43
		binary.BigEndian.PutUint32(header[10:], s.msn)
	}
	size := s.size()
	n := max(0, size-2-len(header)-4)
	ulpdu := append(header, make([]byte, n)...)
	s.payload(ulpdu[len(header):])
	s.to += uint64(n)
	at := 0
	put := func(b byte) {
		if s.markers && len(s.octets)%512 == 0 {
			s.octets = binary.BigEndian.AppendUint32(s.octets, uint32(at))
			if at > 0 {
				at += 4
			}
		}
		s.octets = append(s.octets, b)
		at++
	}
	from := len(s.octets)
	for _, b := range binary.BigEndian.AppendUint16(nil, uint16(len(ulpdu))) {
		put(b)
	}
	for _, b := range ulpdu {
		put(b)
	}
	for pad := (2 + len(ulpdu)) % 4; pad > 0 && pad < 4; pad++ {
		put(0)
	}
	// No Marker stands between the octets of the CRC: all are multiples of 4.
	if s.markers && len(s.octets)%512 == 0 {
		s.octets = binary.BigEndian.AppendUint32(s.octets, uint32(at))
	}
	var crc uint32
	if s.crc {
		crc = crc32.Checksum(s.octets[from:], crc32.MakeTable(crc32.Castagnoli))
	}
	s.octets = binary.LittleEndian.AppendUint32(s.octets, crc)
	s.ends = append(s.ends, len(s.octets))
}

// payloads are ways to fill payload.
var payloads = []func(r *rand.Rand) func([]byte){
	func(*rand.Rand) func([]byte) { return func([]byte) {} },
	func(r *rand.Rand) func([]byte) {
		return func(b []byte) {
			for i := range b {
				b[i] = byte(r.Uint32())
			}
		}
	},
	func(r *rand.Rand) func([]byte) { // numbers that would be right in a Marker nearby
		shift := 4*r.IntN(16) + 8
		skip := r.IntN(4)
		return func(b []byte) {
			for i := skip; i+4 <= len(b); i += 4 {
				binary.BigEndian.PutUint32(b[i:], uint32(i+shift))
			}
		}
	},
	func(r *rand.Rand) func([]byte) { // what looks like FPDUs
		return func(b []byte) {
			for i := 0; i+24 <= len(b); i += 24 {
				copy(b[i:], []byte{0, 18, 0x41, 0x43})
			}
		}
	},
}

// newSender draws how one side sends.
func newSender(r *rand.Rand, crc bool, mss int) *sender {
	s := &sender{markers: r.IntN(2) == 0, crc: crc, tagged: r.IntN(3) == 0, to: uint64(r.Uint32()), stag: r.Uint32()}
	if r.IntN(4) == 0 {
		s.stag = uint32(4 * r.IntN(128))
	}
	small, exact := 24+r.IntN(60), []int{508, 512, 504, 1016, 1024, 128, 256}[r.IntN(7)]
	s.size = []func() int{
		func() int { return small },
		func() int { return 24 + r.IntN(100) },
		func() int { return exact },
		func() int { return mss - 4*r.IntN(4) },
		func() int { return 24 + r.IntN(1400) },
	}[r.IntN(5)]
	s.payload = payloads[r.IntN(len(payloads))](r)
	return s
}

// An unframedStream is a connection, and which FPDUs of each side were captured whole.
type unframedStream struct {
	*conversation.Conversation
	sides [2]*sender
	name  string
}

func newUnframed(seed uint64) (*unframedStream, *rand.Rand) {
	r := rand.New(rand.NewPCG(seed, 16))
	crc, mss := r.IntN(3) > 0, []int{536, 1448, 1460, 9000}[r.IntN(4)]
	u := &unframedStream{Conversation: conversation.New("10.0.0.1:40000", "10.0.0.2:7174")}
	u.MSS = mss
	for i := range u.sides {
		u.sides[i] = newSender(r, crc, min(mss, 1500))
	}
	u.Connect()
	u.Send(client, encode(&mpa.Frame{Rev: 1, C: crc, M: u.sides[server].markers}))
	u.Send(server, encode(&mpa.Frame{Rev: 1, C: crc, M: u.sides[client].markers, Reply: true}))
	count := 70 + r.IntN(60)
	whole := r.IntN(2) == 0 // FPDUs are aligned to packets
	for n := 0; n < count; n += 10 {
		for _, side := range []conversation.Side{client, server} {
			s := u.sides[side]
			from := len(s.octets)
			for range 10 {
				s.fpdu()
				if whole {
					u.Send(side, s.octets[from:])
					from = len(s.octets)
				}
			}
			u.Send(side, s.octets[from:])
		}
	}
	u.Ack(client).Ack(server)
	u.name = fmt.Sprintf("seed %d: crc %v, markers %v %v, aligned %v, MSS %d", seed, crc, u.sides[0].markers, u.sides[1].markers, whole, mss)
	return u, r
}

// A tally is what was decoded of a stream.
type tally struct {
	segments map[string]record.Span // those that are whole, by what they are
	count    [2]int                 // of segments, by client and server
	conn     *record.Conn
	bad      uint64
	notes    []record.Note
	wrong    []string // findings
}

func (l *tally) Record(rec *record.Record) {
	for i := range rec.Findings {
		if f := rec.Findings[i]; f.Severity > rules.Note {
			l.wrong = append(l.wrong, f.Name)
		}
	}
	recordtest.Pieces(rec, l)
}

func (l *tally) StartupFrame(*record.Startup) {}
func (l *tally) Message(*record.Message)      {}
func (l *tally) Note(n *record.Note)          { l.notes = append(l.notes, *n) }
func (l *tally) End(c *record.Conn) {
	l.conn = c
	l.bad = c.Traffic[0].CRC[mpa.Bad] + c.Traffic[1].CRC[mpa.Bad]
}
func (l *tally) Segment(s *record.Segment) {
	side := 0
	if s.Conn.Peer(s.Dir).Port() == 7174 {
		side = 1
	}
	if s.FPDU.Missing == 0 {
		l.segments[fmt.Sprint(side, s.LastFrame, string(s.FPDU.ULPDU))] = s.Span
		l.count[side]++
	}
}

func tallyOf(records []pcaps.Record, stated string) *tally {
	l := &tally{segments: map[string]record.Span{}}
	dissectInto(judge.New(l, judge.Options{Profile: peers.LookupProfile("siw")}), records, dissect.Options{})
	return l
}

// losses are ways to lose packets.
var unframedDamage = []struct {
	name string
	do   func(r *rand.Rand, u *unframedStream) []pcaps.Record
}{
	{"no Request", func(_ *rand.Rand, u *unframedStream) []pcaps.Record { return without(u.Records, 3) }},
	{"no Reply", func(_ *rand.Rand, u *unframedStream) []pcaps.Record { return without(u.Records, 4) }},
	{"neither", func(_ *rand.Rand, u *unframedStream) []pcaps.Record { return without(u.Records, 3, 4) }},
	{"late", func(_ *rand.Rand, u *unframedStream) []pcaps.Record { return u.Records[5:] }},
	{"later", func(r *rand.Rand, u *unframedStream) []pcaps.Record { return u.Records[5+r.IntN(4):] }},
	{"one side", func(r *rand.Rand, u *unframedStream) []pcaps.Record {
		return from(conversation.Side(r.IntN(2)), &talk{Conversation: u.Conversation}, u.Records[5*r.IntN(2):])
	}},
	{"one side without its frame", func(r *rand.Rand, u *unframedStream) []pcaps.Record {
		return from(conversation.Side(r.IntN(2)), &talk{Conversation: u.Conversation}, without(u.Records, 3, 4))
	}},
	{"holes", func(r *rand.Rand, u *unframedStream) []pcaps.Record {
		n := 3 + 2*r.IntN(2)
		return slices.Concat(u.Records[:n], lose(10 + r.IntN(100))(r, u.Records[5:]))
	}},
	{"hole", func(r *rand.Rand, u *unframedStream) []pcaps.Record {
		return without(u.Records[r.IntN(6):], 1+r.IntN(20))
	}},
}

func TestUnframed(t *testing.T) {
	all, unknown := map[string]int{}, map[string]int{}
	for seed := range uint64(*unframed) {
		u, r := newUnframed(seed)
		whole := tallyOf(u.Records, "")
		for side := range u.sides {
			if whole.count[side] != len(u.sides[side].ends) || len(whole.wrong) > 0 {
				t.Errorf("%s: the generator is wrong: %d of %d, %v", u.name, whole.count[side], len(u.sides[side].ends), whole.wrong)
			}
		}
		for _, damage := range unframedDamage {
			records := damage.do(r, u)
			l := tallyOf(records, "")
			name := fmt.Sprintf("%s, %s", u.name, damage.name)
			false_ := 0
			for key := range l.segments {
				if _, ok := whole.segments[key]; !ok {
					false_++
				}
			}
			if *debug != 0 && uint64(*debug) == seed {
				for _, n := range l.notes {
					t.Logf("%s note %v %d %v %v", name, n.Kind, n.Octets, n.Frame, n.Dir)
				}
				for key := range l.segments {
					if _, ok := whole.segments[key]; !ok {
						t.Logf("%s none: %.60q", name, key)
					}
				}
				t.Logf("%+v", l.conn.Sources)
				for _, s := range u.sides {
					t.Logf("tagged %v stag %x ends %v", s.tagged, s.stag, s.ends[:20])
				}
			}
			if false_ > 0 || l.bad > 0 {
				t.Errorf("%s: %d segments that are none, %d bad CRCs", name, false_, l.bad)
			}
			for _, w := range slices.Compact(l.wrong) {
				t.Errorf("%s: %s", name, w)
			}
			for side := range u.sides {
				all[damage.name]++
				missed := 0
				for key, span := range whole.segments {
					if _, ok := l.segments[key]; !ok && key[0] == byte('0'+side) && hasAll(records, span) {
						missed++
					}
				}
				if missed > 0 {
					unknown[damage.name]++
					t.Logf("%s: side %d: %d of %d, %d missed", name, side, l.count[side], whole.count[side], missed)
				}
			}
		}
	}
	t.Logf("of %v unknown %v", all, unknown)
}

// hasAll reports whether all packets of a span were.
func hasAll(records []pcaps.Record, span record.Span) bool {
	n := uint64(0)
	for i := range records {
		if f := records[i].Frame; f >= span.Frame && f <= span.LastFrame {
			n++
		}
	}
	return n == span.LastFrame-span.Frame+1
}
