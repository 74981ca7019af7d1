package dissect

import (
	"net/netip"

	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/codec/sctp"
	"github.com/iwarpkit/iwarp/dissect/reassembly"
)

// A Direction says which end of a connection sent something.
type Direction uint8

// The two directions. The client is the sender of the MPA Request, or over SCTP of the Initiate; else of the SYN, or the
// INIT; else who speaks to the well-known port of a service that is used over iWARP; else the sender of the first packet.
const (
	C2S Direction = iota // from the client to the server
	S2C                  // from the server to the client
)

// String is "c2s" or "s2c".
func (d Direction) String() string {
	if d == S2C {
		return "s2c"
	}
	return "c2s"
}

// A Span is the packets that carried something: the lowest and the highest frame number, from 1, and when these were
// captured, in nanoseconds since 1970-01-01 UTC.
type Span struct {
	Frame, LastFrame uint64
	Time, LastTime   int64
}

// Include widens s so that it covers o. The zero Span covers nothing.
func (s *Span) Include(o Span) {
	if *s == (Span{}) {
		*s = o
		return
	}
	if o.Frame < s.Frame {
		s.Frame, s.Time = o.Frame, o.Time
	}
	if o.LastFrame > s.LastFrame {
		s.LastFrame, s.LastTime = o.LastFrame, o.LastTime
	}
}

// Origin is what every event has: whose it is and which packets carried it.
type Origin struct {
	Conn *Conn
	Dir  Direction
	Span
}

// A StartupFrame event is an MPA Request or Reply; over SCTP, a session control message, which may also end a session.
type StartupFrame struct {
	Origin
	Place
	MPA     mpa.Frame    // over SCTP, the frame to which Control is equivalent; see sctp.Control.Frame
	Control sctp.Control // over SCTP
	Chunk   Chunk        // over SCTP
	Octets  []byte       // the frame or message as it was on the wire; shorter if Private Data was not captured
	Late    bool         // the other side had acknowledged it before it came: what answers it may have come before
}

// A Segment event is one FPDU, or over SCTP one DDP Segment Chunk, and the DDP segment in it.
type Segment struct {
	Origin
	Place
	FPDU  mpa.Deframed // over SCTP only the ULPDU and its lengths mean something
	Chunk Chunk        // over SCTP
	RDMAP rdmap.Segment
	Err   error // why RDMAP is decoded in part only: the ULPDU is shorter than its headers; nil if all is there
	Ahead bool  // its sender had by then acknowledged octets of the other side that have not come: the capture has them later, or not at all
	Late  bool  // the other side had acknowledged it before it came: what answers it may have come before
	Blind bool  // its sender had by then acknowledged no octet behind the other side's MPA frame: it has received no FPDU
}

// A Message event is one RDMAP message, put together from all its segments.
type Message struct {
	Origin
	Opcode   rdmap.Opcode
	First    rdmap.Segment // the headers of its first segment; Body holds the RDMAP header if the opcode has one, no payload
	Header   []byte        // the octets that First was decoded from
	ULPDU    int           // octets of the ULPDU of its first segment, as stated
	Len      uint64        // octets of ULP payload
	Segments int           // DDP segments
	BadCRCs  int           // segments whose CRC was bad
	Missing  uint64        // octets of its FPDUs that the capture does not have
	Complete bool          // all segments were seen, from the first to the one with L
}

// A Note event says that part of a stream could not be decoded.
type Note struct {
	Origin
	Kind   NoteKind
	Octets uint64 // of the stream that are concerned
	ULPDU  int    // of Unfinished: octets of the ULPDU, as stated; -1 if not even that was captured
	PPID   uint32 // of ForeignChunk
}

// NoteKind is what a Note is about.
type NoteKind uint8

// What a Note is about.
const (
	FramingLost    NoteKind = iota // octets are missing in the capture, or no FPDU can be where one should: where the next begins is unknown
	FramingFound                   // an FPDU was found: decoding goes on, after Octets passed over
	Undecoded                      // at the end of a connection: Octets that were captured and passed over, for no FPDU was found among them
	Unfinished                     // at the end of a connection: Octets of an FPDU were captured, the rest of it never came
	NoNegotiation                  // MPA frames are missing, and Octets, which should be FPDUs, do not look so: they are not decoded
	BadMarkers                     // Markers do not point to the begin of their FPDU; Octets is how many
	LockedOn                       // MPA frames are missing: FPDUs were recognised by themselves, behind Octets that are not decoded
	GivenUp                        // too many connections are followed at a time: what comes of this one from now on is not decoded
	ChunksMissing                  // over SCTP: chunks are missing in the capture, by their DDP-SSNs; Octets is how many
	ForeignChunk                   // over SCTP: a chunk on the same stream is none of DDP, by its PPID; Octets is those of its User Data
	MarkersMissing                 // Markers were agreed on, and the stream has none: it is read without
	MarkersUnasked                 // no Markers were agreed on, and the stream has some: it is read with them
)

var noteNames = [...]string{
	"framing lost", "framing found", "undecoded", "unfinished", "no negotiation", "bad Markers", "locked on", "given up", "chunks missing", "foreign chunk",
	"Markers missing", "Markers unasked",
}

// String is a word or two: "framing lost".
func (k NoteKind) String() string { return noteNames[k] }

// A Sink takes the events of an Engine. An event, with everything it points to but its Conn, is valid until the method
// returns; a Conn is valid, and is added to, until End has returned. The octets of a Segment stay until the Message that
// it ends, which comes directly after it and its Notes, has been delivered too.
type Sink interface {
	StartupFrame(*StartupFrame)
	Segment(*Segment)
	Message(*Message)
	Note(*Note)
	End(*Conn) // the connection, or the capture, has ended
}

// Discard is a Sink that does nothing. Embed it in a Sink that wants few kinds of events.
type Discard struct{}

// StartupFrame implements Sink.
func (Discard) StartupFrame(*StartupFrame) {}

// Segment implements Sink.
func (Discard) Segment(*Segment) {}

// Message implements Sink.
func (Discard) Message(*Message) {}

// Note implements Sink.
func (Discard) Note(*Note) {}

// End implements Sink.
func (Discard) End(*Conn) {}

// Clone returns a copy of the event that stays valid.
func (f *StartupFrame) Clone() *StartupFrame {
	c := *f
	c.Octets = append([]byte(nil), f.Octets...)
	if f.Conn.Transport() == OverSCTP {
		c.Control.Decode(c.Octets)
		c.MPA.PrivateData = c.Control.PrivateData
	} else {
		c.MPA.Decode(c.Octets)
	}
	return &c
}

// Clone returns a copy of the event that stays valid.
func (s *Segment) Clone() *Segment {
	c := *s
	c.FPDU.ULPDU = append([]byte(nil), s.FPDU.ULPDU...)
	c.FPDU.PAD = append([]byte(nil), s.FPDU.PAD...)
	c.RDMAP.Decode(c.FPDU.ULPDU)
	return &c
}

// Clone returns a copy of the event that stays valid.
func (m *Message) Clone() *Message {
	c := *m
	c.Header = append([]byte(nil), m.Header...)
	c.First.Decode(c.Header)
	return &c
}

// An End is how a connection ended.
type End uint8

// The ways a connection ends, the most telling first: of several the first counts.
const (
	EndTerminate End = iota // an RDMAP Terminate was sent
	EndReject               // the Responder rejected the connection
	EndRefused              // the SYN was answered with a reset; over SCTP, an INIT that names DDP with an ABORT
	EndReset                // a reset was sent; over SCTP, an ABORT
	EndFIN                  // a FIN was sent; over SCTP, a session Terminate or a SHUTDOWN
	EndOpen                 // the capture ends before the connection does
)

var endNames = [...]string{"terminate", "reject", "refused", "reset", "fin", "open"}

// String is "terminate", "reject", "refused", "reset", "fin" or "open".
func (e End) String() string { return endNames[e] }

// NumOpcodes is how many values an RDMAP opcode can have.
const NumOpcodes = 16

// Traffic is what was seen of one direction of a connection.
type Traffic struct {
	Packets       uint64             // packets with a TCP segment, or over SCTP with DATA chunks, of this direction
	Octets        uint64             // TCP payload, or User Data of SCTP, on the wire, retransmissions included
	FPDUs         uint64             // FPDUs found; over SCTP, DDP Segment Chunks
	CRC           [3]uint64          // FPDUs by mpa.Verdict
	Markers       uint64             // Markers found
	Segments      [NumOpcodes]uint64 // DDP segments by opcode
	Messages      [NumOpcodes]uint64 // complete messages by opcode
	Incomplete    [NumOpcodes]uint64 // messages of which segments were not seen, by opcode
	Payload       uint64             // octets of ULP payload, in all messages
	Malformed     uint64             // FPDUs whose ULPDU is shorter than its headers
	Streaming     uint64             // octets before MPA began
	Undecoded     uint64             // octets that were captured and belong to no whole FPDU
	MissingOctets uint64             // octets of FPDU streams that the capture does not have
	Duplicates    uint64             // packets that were captured twice, as on two interfaces: the further ones are passed over
	ZeroWindows   uint64             // packets that say that the sender can take in nothing
	Unseen        uint64             // octets that the other side has acknowledged, and that never came
	Midstream     bool               // the begin of its FPDUs is not in the capture, or was not found; their places count from an octet before
	TCP           reassembly.Counters
}

// A Conn is one iWARP connection.
type Conn struct {
	ID               int // from 0, in the order in which connections were recognised
	Client, Server   netip.AddrPort
	Span                             // all of its packets
	Earliest, Latest int64           // times of these packets, which need not be in the order of the frames; 0 if none has one
	Association      *Association    // over SCTP: what carries it; nil over TCP
	Requested        bool            // an MPA Request was seen; over SCTP, a kind of Initiate
	Replied          bool            // an MPA Reply was seen; over SCTP, an Accept, a Reject, or a session Terminate in its place
	Request, Reply   mpa.Frame       // the latest ones, in octets of their own; over SCTP, the frames to which they are equivalent
	Whole            bool            // the SYNs of both sides were seen; over SCTP, INIT and INIT ACK
	Agreed           bool            // Agreement holds: both frames were seen and the connection was not rejected
	Agreement        rules.Agreement // what both frames fix, kept to or not; if one is missing, what Sources says is known of it
	Sources          Sources         // where Agreement is known from; zero as long as no FPDU can be read
	End              End
	Reused           Span       // the SYN with which a new connection took the ports of this one before it was closed; zero if none did
	FIN, RST         [2]Span    // by Direction: the first packet of that side with a FIN, and with a reset that counts, or with what does the same over SCTP; zero if there was none
	Heard            [2]uint64  // by Direction: octets of the other side that it had acknowledged by its FIN or reset; see Place
	Traffic          [2]Traffic // by Direction
}

// Peer returns the address that sends in the given direction.
func (c *Conn) Peer(d Direction) netip.AddrPort {
	if d == S2C {
		return c.Server
	}
	return c.Client
}
