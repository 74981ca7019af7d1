package judge_test

// Streams without a fault, and the same with one header field changed.

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math/bits"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/iwarpkit/iwarp/codec/ddp"
	"github.com/iwarpkit/iwarp/codec/field"
	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/codec/rpcprivate"
	"github.com/iwarpkit/iwarp/codec/rpcrdma"
	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/dissect"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/internal/conversation"
	"github.com/iwarpkit/iwarp/internal/recordtest"
	"github.com/iwarpkit/iwarp/internal/transcript"
	"github.com/iwarpkit/iwarp/pcaps"
)

// A cleanStream is a connection that can be made again, with one of its steps changed.
type cleanStream struct {
	name, profile string
	port          uint16
	rpc           bool // its Sends are RPC-over-RDMA
	steps         []step
	records       []pcaps.Record
	before        map[string]int // what is found in it, by name
}

// A step is an MPA frame or an FPDU that one side sends.
type step struct {
	from   conversation.Side
	frame  bool   // an MPA frame
	octets []byte // of the frame, or the ULPDU
	framer transcript.Framer
	record int // the packet that has it
}

// A recorder takes the steps of the first connection of a capture.
type recorder struct {
	s *cleanStream
}

func (r recorder) Record(rec *record.Record) { recordtest.Pieces(rec, r) }

func (r recorder) add(o *record.Origin, frame bool, octets []byte) {
	if o.Conn.ID == 0 {
		r.s.port = o.Conn.Server.Port()
		r.s.steps = append(r.s.steps, step{from: conversation.Side(o.Dir), frame: frame, octets: bytes.Clone(octets)})
	}
}

func (r recorder) StartupFrame(f *record.Startup) { r.add(&f.Origin, true, f.Octets) }
func (r recorder) Segment(s *record.Segment)      { r.add(&s.Origin, false, s.FPDU.ULPDU) }

// mostSteps is how many steps of a stream are sent again.
const mostSteps = 100

// cleanCaptures are kernel captures of which the first connection is without a fault.
var cleanCaptures = []string{
	"basic-crc1", "bidir-q", "ird-ord-1-1", "mpav1-crc", "p2p-crc", "rping", "rstream", "sendinv-crc1", "smbdirect",
	"nfs-small-v3-inl1024-crc1", "nfs-small-v4.0-inl4096-crc1", "nfs-small-v4.1-inl4096-crc1",
}

// cleanStreams are the streams that are mutated: the begin of captures, and streams written by hand.
func cleanStreams(t *testing.T) (all []*cleanStream) {
	t.Helper()
	files := captureFiles(t)
	for _, name := range cleanCaptures {
		s := &cleanStream{name: name, profile: "rfc"}
		runCapture(t, dissect.NewEngine(recorder{s: s}, dissect.Options{}), files[name])
		s.clean(t)
		all = append(all, s)
	}
	byPath := allStreams(t)
	for _, name := range sortedKeys(byPath) {
		tr := byPath[name]
		s := &cleanStream{name: strings.TrimSuffix(name, ".txt"), profile: tr.Profile}
		switch path.Dir(name) {
		case "clean":
			s.take(tr)
			s.clean(t)
		case "answered":
			s.take(tr)
			s.build()
		default:
			continue
		}
		all = append(all, s)
	}
	return all
}

// take takes the steps of a stream written by hand.
func (s *cleanStream) take(tr *transcript.Transcript) {
	e := dissect.NewEngine(recorder{s: s}, dissect.Options{})
	for i := range tr.Records {
		e.Packet(&tr.Records[i])
	}
	e.Close()
}

// clean cuts s behind the last step, up to mostSteps, where all is well.
func (s *cleanStream) clean(t *testing.T) {
	t.Helper()
	for s.steps = s.steps[:min(len(s.steps), mostSteps)]; len(s.steps) > 2; s.steps = s.steps[:len(s.steps)-1] {
		if !s.build() {
			return
		}
	}
	t.Fatalf("%s has faults from the begin: %v", s.name, s.before)
}

// build makes the packets of s, and reports whether more than notes are found in them.
func (s *cleanStream) build() (faulty bool) {
	s.rpc = s.port == rpcrdma.Port
	talk := s.talk()
	var framer transcript.Framer
	for i := range s.steps {
		one := &s.steps[i]
		one.framer, one.record = framer, len(talk.Records)
		talk.Send(one.from, one.stream(&framer))
	}
	s.records = talk.Close(conversation.Client).Records
	f := analyse(s.records, s.profile, nil)
	s.before = f.count()
	return f.worst() > rules.Note
}

// talk begins the TCP connection. Every step is in one packet.
func (s *cleanStream) talk() *conversation.Conversation {
	talk := conversation.New("10.0.0.1:40000", fmt.Sprintf("10.0.0.2:%d", s.port))
	talk.MSS = 65400
	return talk.Connect()
}

// stream is the octets of the TCP stream that a step is.
func (one *step) stream(f *transcript.Framer) []byte {
	if one.frame {
		return f.Raw(one.from, one.octets)
	}
	return f.FPDU(one.from, one.octets)
}

// A spot is a field of a step.
type spot struct {
	name  string
	field *field.Field
	off   int // octets from the begin of what the field's table describes
	how   how
}

// A how says what a spot is in.
type how uint8

const (
	inOctets how = iota // of the step
	inLength            // ULPDU_Length
	inPAD
	inCRC
	inMarker
)

// spots are the fields of a step.
func (s *cleanStream) spots(one *step) (all []spot) {
	add := func(prefix string, t *field.Table, off int, omit *field.Field) {
		for i := range t.Fields {
			if f := &t.Fields[i]; f.Base != field.Octets && f != omit {
				all = append(all, spot{name: prefix + f.Name, field: f, off: off})
			}
		}
	}
	if one.frame {
		frameSpots(one.octets, add)
		return all
	}
	all = append(all, spot{name: "iwarp_mpa.ulpdulength", how: inLength}, spot{name: "iwarp_mpa.crc", how: inCRC})
	if mpa.Pad(len(one.octets)) > 0 {
		all = append(all, spot{name: "iwarp_mpa.pad", how: inPAD})
	}
	if one.framer.Markers(one.from) {
		all = append(all, spot{name: "iwarp_mpa.marker_fpduptr", how: inMarker})
	}
	for _, p := range rdmap.AppendLayout(nil, one.octets, len(one.octets)) {
		prefix := ""
		if p.Carried {
			prefix = "enclosed "
		}
		if p.Table != rdmap.TrailingFields {
			add(prefix, p.Table, p.Off, p.Omit)
		}
	}
	if message := s.message(one); message != nil {
		for _, p := range rpcrdma.AppendLayout(nil, message, len(message), rpcrdma.DetectDialect(message, len(message))) {
			add("", p.Table, ddp.UntaggedLen+p.Off, nil)
		}
	}
	return all
}

// frameSpots adds the fields of an MPA frame, with those of known Private Data.
func frameSpots(octets []byte, add func(string, *field.Table, int, *field.Field)) {
	var f mpa.Frame
	if _, err := f.Decode(octets); err != nil {
		return
	}
	table := mpa.RequestFields
	if f.Reply {
		table = mpa.ReplyFields
	}
	add("", table, 0, nil)
	var e mpa.Enhanced
	if f.Enhanced(&e) {
		add("", mpa.EnhancedFields, mpa.FrameLen, nil)
	}
	if off, ok := rpcprivate.Find(f.PrivateData); ok {
		add("", rpcprivate.Fields, mpa.FrameLen+off, nil)
	}
	var legacy mpa.Legacy
	if _, ok := f.Legacy(&legacy); ok {
		add("", mpa.LegacyFields, mpa.FrameLen+len(f.PrivateData)-mpa.LegacyLen, nil)
	}
}

// message is the RPC-over-RDMA message in a step; nil if it has none that is whole.
func (s *cleanStream) message(one *step) []byte {
	var seg rdmap.Segment
	_, err := seg.Decode(one.octets)
	if whole := err == nil && seg.L() && !seg.T && seg.Untagged.MO == 0; !whole || seg.Untagged.QN != rdmap.QNSend || !s.rpc {
		return nil
	}
	return one.octets[ddp.UntaggedLen:]
}

// A mutant is a stream with another value in one field.
type mutant struct {
	s      *cleanStream
	step   int
	spot   spot
	value  uint64
	source source
}

// A source is how a value was found.
type source uint8

const (
	mistaken source = iota // an implementation with a mistake would write it
	random                 // nobody would write it on purpose
	numSources
)

func (s source) String() string { return [...]string{"mistaken", "random"}[s] }

// mutants are all that can be made of s.
func (s *cleanStream) mutants() (all []mutant) {
	latest := map[string]uint64{} // by name: the value of a field in a step before
	for i := range s.steps {
		for _, p := range s.spots(&s.steps[i]) {
			old, width := s.get(i, p)
			if width == 0 {
				continue
			}
			neighbour, ok := latest[p.name]
			if latest[p.name] = old; !ok {
				neighbour = old
			}
			likely := mistakenValues(&p, old, neighbour, width)
			for _, v := range likely {
				all = append(all, mutant{s, i, p, v, mistaken})
			}
			for _, v := range randomValues(old, width, i) {
				if !slices.Contains(likely, v) {
					all = append(all, mutant{s, i, p, v, random})
				}
			}
		}
	}
	return all
}

// get is the value of a field and its width in bits.
func (s *cleanStream) get(i int, p spot) (v uint64, width int) {
	one := &s.steps[i]
	switch p.how {
	case inLength:
		return uint64(len(one.octets)), 16
	case inPAD:
		return 0, 8
	case inCRC:
		framer := one.framer
		fpdu := one.stream(&framer)
		return uint64(binary.BigEndian.Uint32(fpdu[len(fpdu)-4:])), 32
	case inMarker:
		framer := one.framer
		fpdu := one.stream(&framer)
		if at := markerAt(&framer, one.from, fpdu); at >= 0 {
			return uint64(binary.BigEndian.Uint16(fpdu[at+2:])), 16
		}
		return 0, 0
	}
	v, _ = p.field.Get(one.octets[p.off:])
	return v, p.field.Width
}

// inWords are fields that count octets of XDR, or of a stream whose FPDUs and Markers stand at multiples of 4.
var inWords = []string{"rpcordma.position", "rpcordma.rdma_length", "rpcordma.rdma_offset", "iwarp_mpa.marker_fpduptr", "iwarp_mpa.ulpdulength"}

// mistakenValues are values that a mistaken implementation would write: one unit more or less, the value of the same field in a
// previous message, and the octets in the other order.
func mistakenValues(p *spot, old, neighbour uint64, width int) []uint64 {
	unit := uint64(1)
	if slices.Contains(inWords, p.name) {
		unit = 4
	}
	values := []uint64{old + unit, old - unit, neighbour}
	if width%16 == 0 {
		values = append(values, bits.ReverseBytes64(old)>>(64-width))
	}
	return others(old, width, values...)
}

// randomValues are 0, 1, all ones, and old with one bit flipped, which of them depends on salt.
func randomValues(old uint64, width, salt int) []uint64 {
	return others(old, width, 0, 1, ^uint64(0), old^1<<(salt*7%width))
}

// others are the values, as far as a field of so many bits holds them, that are not old, each once.
func others(old uint64, width int, values ...uint64) (some []uint64) {
	for _, v := range values {
		if v &= ^uint64(0) >> (64 - width); v != old && !slices.Contains(some, v) {
			some = append(some, v)
		}
	}
	return some
}

// records are the packets of the mutant. Its CRC is right, unless that is what was changed.
func (m *mutant) records() []pcaps.Record {
	if m.spot.how == inLength {
		return m.resized()
	}
	one := m.s.steps[m.step]
	framer := one.framer
	var stream []byte
	switch m.spot.how {
	case inPAD:
		pad := make([]byte, mpa.Pad(len(one.octets)))
		pad[0] = byte(m.value)
		stream = framer.Padded(one.from, one.octets, pad)
	case inCRC:
		stream = one.stream(&framer)
		binary.BigEndian.PutUint32(stream[len(stream)-4:], uint32(m.value))
	case inMarker:
		stream = one.stream(&framer)
		binary.BigEndian.PutUint16(stream[markerAt(&framer, one.from, stream)+2:], uint16(m.value))
		crc := crc32.Checksum(stream[:len(stream)-4], crc32.MakeTable(crc32.Castagnoli))
		binary.LittleEndian.PutUint32(stream[len(stream)-4:], crc)
	default:
		one.octets = bytes.Clone(one.octets)
		if err := m.spot.field.Set(one.octets[m.spot.off:], m.value); err != nil {
			panic(err)
		}
		stream = one.stream(&framer)
	}
	records := slices.Clone(m.s.records)
	r := &records[one.record]
	headers := len(r.Data) - len(stream)
	r.Data = append(bytes.Clone(r.Data[:headers]), stream...)
	return records
}

// resized are the packets with a ULPDU that was cut, or filled with zeros, to the length of the mutant.
func (m *mutant) resized() []pcaps.Record {
	talk := m.s.talk()
	var framer transcript.Framer
	for i, one := range m.s.steps {
		if i == m.step {
			octets := make([]byte, m.value)
			copy(octets, one.octets)
			one.octets = octets
		}
		talk.Send(one.from, one.stream(&framer))
	}
	return talk.Close(conversation.Client).Records
}

// markerAt is where the first Marker of an FPDU is that was made by f; -1 if it has none.
func markerAt(f *transcript.Framer, from conversation.Side, fpdu []byte) int {
	begin := f.Pos(from) - len(fpdu)
	if at := -begin & (mpa.MarkerSpacing - 1); at < len(fpdu) {
		return at
	}
	return -1
}
