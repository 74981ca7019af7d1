// Package adversary makes traffic to try whoever judges it. It is written from the specifications alone, and shares no code
// with what it tries: its headers, CRCs, Markers and packets are its own.
//
// A [Conversation] is one iWARP connection, drawn from a seed: legal in all that it says. It is a list of [Unit]s, each an
// MPA frame or a DDP segment, in the order of time. A [Segmenter] lays them out as FPDUs and puts these into TCP segments;
// Packets gives what a capture of it holds. There are no conversations over SCTP.
//
// An [Injector] breaks one requirement in one place of a Conversation, and says which requirements may then be found broken. A
// [Damage] takes from the packets what a capture may lack. Three things must then hold: in a legal Conversation nobody finds
// an error; in one with a violation that violation is found, and nothing that does not follow from it; and damage adds no error.
// The tests look with package dissect. Those of rnicsim give it the kind "Requests": it has to do what is legal, and to answer what
// is not. Package fuzz takes seeds from Conversations of all kinds.
package adversary

import (
	"encoding/binary"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
)

// A Side is one end of a connection.
type Side int

// The two sides. The Initiator opens the TCP connection, too.
const (
	Initiator Side = iota
	Responder
)

// A Unit is what a side sends as a whole: an MPA frame, or one DDP segment, which MPA puts into one FPDU.
type Unit struct {
	From    Side
	Frame   bool     // it is an MPA frame, else a DDP segment
	Octets  []byte   // the frame, or the ULPDU
	Message *Message // that the segment is a part of; nil for a frame
	Fault   Fault    // what is wrong with the FPDU
}

// A Message is one RDMAP message.
type Message struct {
	From    Side
	Opcode  byte
	STag    uint32 // of a tagged message; the one to invalidate of a Send with Invalidate; else 0
	TO      uint64 // of a tagged message
	QN      uint32 // of an untagged message, like MSN
	MSN     uint32
	Body    []byte   // after the DDP header: the RDMAP header if there is one, else ULP payload
	Request *Message // that it answers, of a Read or Atomic Response
	Upper   string   // what it is to the upper layer: "Call NFSv3 READ"; empty if nothing
	XID     uint32   // of that
	rpc     *rpcHeader
	room    int // octets of Body that fit in a segment

	consortium bool // DDP and RDMAP have version 0, that of the RDMA Consortium
}

// Tagged reports whether the message has tagged DDP headers: RDMA Writes and Read Responses have.
func (m *Message) Tagged() bool { return m.Opcode == opWrite || m.Opcode == opReadResponse }

// HasPayload reports whether Body is ULP payload, not an RDMAP header.
func (m *Message) HasPayload() bool {
	return !slices.Contains([]byte{opReadRequest, opTerminate, opAtomicRequest, opAtomicResponse}, m.Opcode)
}

// A Conversation is one connection. Injectors change it before Packets lays it out.
type Conversation struct {
	Seed     uint64
	Kind     string // what is spoken: "RDMAP", "NFSv3"
	Terms    Terms
	Units    []*Unit
	Messages []*Message // in the order in which they begin
	TCP      Segmenter
	Abort    bool // it ends with a reset, not with FINs
}

// String is the kind, the seed and the Terms.
func (c *Conversation) String() string {
	return fmt.Sprintf("%s %d, %+v", c.Kind, c.Seed, c.Terms)
}

// A language is what a Conversation may speak.
type language struct {
	port      uint16             // of the Responder
	speak     func(*talk)        // says what the sides send between the start-up and the end
	private   func(*talk) []byte // draws the Private Data of both sides; nil if they may be anything
	injectors []Injector
}

var kinds = map[string]language{
	"RDMAP": {7174, (*talk).rdmap, nil,
		slices.Concat(mpaInjectors, startupInjectors, ddpInjectors, rdmapInjectors, atomicInjectors, terminateInjectors)},
	"NVMe":       {4420, (*talk).nvme, privateNVMe, carriers},
	"iSER":       {3260, (*talk).iser, func(*talk) []byte { return octets(uint32(0x80000000)) }, carriers},
	"SMB Direct": {5445, (*talk).smbDirect, func(*talk) []byte { return []byte{} }, carriers},
	"NFS/RDMA 1": {20049, nfsRDMA(1, 0), private1, rpcInjectors(1)},
	"NFS/RDMA 2": {20049, nfsRDMA(2, 0), nil, rpcInjectors(2)},
	"Chunks 1":   {20049, nfsRDMA(1, 1), private1, rpcInjectors(1)},
	"Chunks 2":   {20049, nfsRDMA(2, 1), nil, rpcInjectors(2)},
	"RDMAC": {7174, (*talk).rdmap, nil, slices.Concat(mpaInjectors, consortiumInjectors, ddpInjectors, rdmapInjectors,
		named(startupInjectors, "R in a Request", "Private Data of more than 512 octets"))},
	"Few Reads": {7174, (*talk).rdmap, nil, carriers},
	"Rejected":  {7174, func(*talk) {}, nil, named(startupInjectors, "R in a Request", "Private Data of more than 512 octets")},
	"Requests":  {7174, (*talk).requests, nil, slices.Concat(framingInjectors, requestInjectors)},
	"Secure 1":  {20049, secureNFS(1), private1, secureInjectors(1)},
	"Secure 2":  {20049, secureNFS(2), nil, secureInjectors(2)},
}

// carriers are violations below a storage protocol. No requirement of the catalogue is about these protocols themselves.
var carriers = slices.Concat(mpaInjectors, startupInjectors, ddpInjectors, rdmapInjectors)

// Kinds are what a Conversation may speak, in order of the alphabet.
func Kinds() []string { return slices.Sorted(maps.Keys(kinds)) }

// New draws a Conversation of a kind from a seed. It breaks no requirement. The seeds of a kind keep their meaning when
// another kind changes.
func New(kind string, seed uint64) *Conversation { return Toward(nil, kind, seed) }

// Toward is New with a Responder whose STags are these, each for the octets from TO 0 to [Granted]; nil if they may be any. The
// kind "Requests" needs at most 40.
func Toward(stags []uint32, kind string, seed uint64) *Conversation {
	k := kinds[kind]
	t := newTalk(rand.New(rand.NewPCG(seed, 1)), &Conversation{Seed: seed, Kind: kind}, k.port, stags)
	if k.private != nil {
		t.private = k.private(t)
	}
	t.startup()
	k.speak(t)
	t.end()
	return t.Conversation
}

// pick draws one of several values.
func pick[T any](r *rand.Rand, values ...T) T { return values[r.IntN(len(values))] }

// octets are the values one after the other, in network byte order: unsigned integers, []byte and strings.
func octets(values ...any) []byte {
	var b []byte
	for _, v := range values {
		switch v := v.(type) {
		case byte:
			b = append(b, v)
		case uint16:
			b = binary.BigEndian.AppendUint16(b, v)
		case uint32:
			b = binary.BigEndian.AppendUint32(b, v)
		case uint64:
			b = binary.BigEndian.AppendUint64(b, v)
		case []byte:
			b = append(b, v...)
		case string:
			b = append(b, v...)
		default:
			panic("a value of a type without a size")
		}
	}
	return b
}

// random is n octets without meaning.
func random(r *rand.Rand, n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return b
}
