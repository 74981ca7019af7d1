package record

// What is on the wire: MPA frames, segments, messages, and gaps between them.

import (
	"github.com/iwarpkit/iwarp/codec/ddp"
	"github.com/iwarpkit/iwarp/codec/field"
	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/codec/sctp"
	"github.com/iwarpkit/iwarp/dissect/flow"
)

// A Place is where in the stream of its TCP direction something ends, and how much of the other direction its sender had
// acknowledged when it sent the start of it. Both count octets from the first one after the SYN, or the first that was
// captured; a FIN counts as one octet. Over SCTP it is zero.
type Place struct {
	End   uint64
	Acked uint64
}

// A Startup is an MPA Request or Reply; over SCTP, a session control message, which may also end a session.
type Startup struct {
	Origin
	Place
	MPA     mpa.Frame    // over SCTP, the frame to which Control is equivalent; see sctp.Control.Frame
	Control sctp.Control // over SCTP
	Chunk   Chunk        // over SCTP
	Octets  []byte       // the frame or message as it was on the wire; shorter if Private Data was not captured
	Late    bool         // the other side had acknowledged it before it came: what answers it may have come before
	Private *Private     `json:"-"` // Private Data of an upper layer, if an analysis recognises it; else nil
}

// A Streaming event is octets of a connection that is not in MPA: what comes before an MPA Request or Reply, between a
// rejection and the next Request, in place of them, or after a Request that is never answered.
type Streaming struct {
	Origin
	Place
	Octets []byte
}

// A Segment event is one FPDU, or over SCTP one DDP Segment Chunk, and the DDP segment in it.
type Segment struct {
	Origin
	Place
	FPDU  mpa.Deframed  // over SCTP only the ULPDU and its lengths mean something
	Chunk Chunk         // over SCTP
	RDMAP rdmap.Segment `json:"-"`
	Err   error         `json:"-"` // why RDMAP is decoded in part only: the ULPDU is shorter than its headers; nil if all is there
	Ahead bool          // its sender had by then acknowledged octets of the other side that have not come: the capture has them later, or not at all
	Late  bool          // the other side had acknowledged it before it came: what answers it may have come before
	Inner int           // octets of an FPDU with a bad CRC before another begins whose CRC is good; 0 if there is none in it, or it was not looked for
	Blind bool          // its sender had by then acknowledged no octet after the other side's MPA frame: it has received no FPDU

	Message *Message // that it belongs to, as far as it has come; nil if its headers are not there
}

// HasOpcode reports whether the octet with its opcode was captured.
func (s *Segment) HasOpcode() bool { return len(s.FPDU.ULPDU) > rdmap.ControlOff }

// Len is how many octets the FPDU has without its Markers, by its ULPDU_Length; over SCTP, the chunk.
func (s *Segment) Len() int {
	n := int(s.FPDU.ULPDULength)
	if s.Conn.Transport() == flow.OverSCTP {
		return sctp.SegmentLen + n
	}
	return mpa.FPDULen(n)
}

// HeaderLen is how many octets its DDP header has. If not even its T bit was captured, they are those of a tagged one, the
// fewest that it can have.
func (s *Segment) HeaderLen() int {
	if len(s.FPDU.ULPDU) == 0 {
		return ddp.TaggedLen
	}
	return s.RDMAP.Header.Len()
}

// A Message event is one RDMAP message, put together from all its segments.
type Message struct {
	Origin
	Opcode     rdmap.Opcode
	CRC        mpa.Verdict   // about the CRCs of all segments that were seen
	Complete   bool          // all segments were seen, from the first to the one with L
	Disordered bool          `json:"-"` // its segments come in another order than that of their MOs (RFC 5041, section 5.3)
	First      rdmap.Segment `json:"-"` // the headers of its first segment; Body holds the RDMAP header if the opcode has one, no payload
	Header     []byte        // the octets that First was decoded from
	ULPDU      int           // octets of the ULPDU of its first segment, as stated
	Len        uint64        // octets of ULP payload
	Segments   int           // DDP segments
	BadCRCs    int           // segments whose CRC was bad
	Missing    uint64        // octets of its FPDUs that the capture does not have

	Payload []byte       // ULP payload of a Send type from its first octet on, as far as it is known, if an analysis was asked for it
	Answers *Transaction // that it ends, by answering or refusing it; nil if it ends none, or without analysis
	Marks   []Mark       // findings about its segments so far
}

// Regular reports whether the first two octets and the queue are what the type of the message and the connection make them.
// All fields matter in a message that is not regular.
func (m *Message) Regular() bool {
	version := m.Conn.Agreement.DDPVersion
	return m.First.Header.Check() == nil && (!m.Conn.Agreed || m.First.DV() == version && m.First.Control.RV == version)
}

// Number is what a request that was captured whole shares with its response: MSN or Request Identifier. It is false for others.
func (m *Message) Number() (id uint64, ok bool) {
	switch {
	case m.Opcode == rdmap.OpReadRequest:
		return uint64(m.First.Untagged.MSN), true
	case m.Opcode == rdmap.OpAtomicRequest && len(m.First.Body) >= rdmap.AtomicRequestLen:
		var a rdmap.AtomicRequest
		a.Decode(m.First.Body)
		return uint64(a.RequestIdentifier), true
	}
	return 0, false
}

// A Chunk is what SCTP and its adaptation layer say of an event: of the DATA chunk that carried it, or of several that
// were fragments.
type Chunk struct {
	rules.DDPChunk
	TSN       uint32 // Transmission Sequence Number; of fragments, the last one's
	Fragments int    // DATA chunks; 1 if it was not fragmented
}

// A Note event says that part of a stream could not be decoded.
type Note struct {
	Origin
	Kind   NoteKind
	Octets uint64        // of the stream that are concerned
	FPDU   *mpa.Deframed `json:",omitempty"` // of Unfinished: its ULPDU_Length and Markers; nil if not even that length was captured
	Due    int           // of Unfinished: octets of the FPDU that never came
	Inner  int           // of Unfinished: octets before another FPDU begins, whose CRC is good; 0 if there is none among them
	Begun  *rdmap.Header `json:",omitempty"` // of Unfinished with Inner: the header of the FPDU; nil if it cannot be decoded
	Whole  bool          `json:",omitempty"` // of FramingLost: no octet is missing, and what stands where an FPDU has to begin is none
	PPID   uint32        // of ForeignChunk
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
	BadMarkers                     // Markers do not point to the start of their FPDU; Octets is how many
	LockedOn                       // MPA frames are missing: FPDUs were recognised by themselves, after Octets that are not decoded
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

// Name is "MPARequest" or "MPAReply"; over SCTP what its function code is called, "SessionInitiate".
func (f *Startup) Name() string {
	if f.Conn.Transport() == flow.OverSCTP {
		return f.Control.FunctionCode.String()
	}
	if f.MPA.Reply {
		return "MPAReply"
	}
	return "MPARequest"
}

// Fields is the field table of Octets.
func (f *Startup) Fields() *field.Table {
	if f.Conn.Transport() == flow.OverSCTP {
		return sctp.ControlFields
	}
	return f.MPA.Fields()
}

// HeaderLen is how many of Octets stand before the Private Data.
func (f *Startup) HeaderLen() int {
	if f.Conn.Transport() == flow.OverSCTP {
		return sctp.ControlLen
	}
	return mpa.FrameLen
}

// Private is Private Data of an upper layer, in an MPA frame, in a form that is known.
type Private struct {
	ULP          string       // whose it is: "RPC-over-RDMA", "SMB Direct"
	Part         field.Part   // its fields; Off counts from the beginning of the Private Data of the MPA frame
	Reason       *field.Field // of a rejection: an enumeration that says why; nil if none does
	Advice       string       // of a rejection: what to do about the reason, in sentences; empty if there is nothing in particular
	LittleEndian bool         // its octets are in the order of the sender's host; those of Part are in the right one
}
