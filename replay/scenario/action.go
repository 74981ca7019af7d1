package scenario

import (
	"time"

	"github.com/iwarpkit/iwarp/codec/field"
	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/rdmap"
)

// An Action is what a side does in a step: a *[Frame], *[Message], *[Segment], *[FPDU], *[Octets], [FIN], [Reset],
// *[Silence], [Probe], *[Refusal] or *[OneOf]. The last two can only be expected: the other side, or a rules.Profile,
// decides between several reactions.
type Action interface {
	// Verb returns the action's word in the text form: "MPARequest", "Send", "FIN".
	Verb() string
}

// A Frame is an MPA Request or MPA Reply (RFC 5044, section 7.1).
type Frame struct {
	Reply       bool
	M, C, R, S  bool          // as in [mpa.Frame]
	Res         uint8         // 4 bits
	Rev         uint8         // revision of MPA
	PDLength    *uint16       // as stated; nil if correct
	Enhanced    *mpa.Enhanced // the Private Data begins with this word (RFC 6581, section 9); nil if not
	PrivateData Payload       // of the upper layer

	// Any names fields as mpa.Frame.Fields and mpa.EnhancedFields do, in wire order: "iwarp_mpa.rev". They are not
	// compared when the frame is expected, and are zero when it is sent.
	Any []string
}

// Verb returns "MPARequest" or "MPAReply".
func (f *Frame) Verb() string {
	if f.Reply {
		return "MPAReply"
	}
	return "MPARequest"
}

// A Message is an RDMAP message whose headers break no rule of DDP and RDMAP. It is divided into segments when it is
// sent.
//
// It has the fields that its sender chooses. QN, MSN, MO, L and the versions are those of the live connection. STag and
// TO of an RDMA Read Response are those of the request that it answers, if To is set. SinkSTag, SinkTO and Request
// Identifier of a request matter to its sender only: they are sent as given, and not compared unless they are
// variables, which later steps use.
//
// In a OneOf it is a pattern: omitted Fields are not compared. Elsewhere they are zero.
type Message struct {
	Opcode  rdmap.Opcode // a known one
	To      int          // of a Read or Atomic Response: the step whose request it answers; 0 if Fields are complete
	Fields  Fields       // the non-zero ones of [MessageFields], in this order
	Payload Payload      // ULP payload; of a Terminate what follows its first 4 octets
}

// Verb returns the name of the message: "SendSE".
func (m *Message) Verb() string { return m.Opcode.String() }

// A Segment is one ULPDU, right or wrong. Omitted Fields are those of a correct segment at that place, so that the text
// names only what is wrong.
type Segment struct {
	Raw     bool         // Payload is the whole ULPDU; else there is a header
	Opcode  rdmap.Opcode // that of the header, if Fields do not say otherwise
	Fields  Fields       // those of [SegmentFields] that differ from what the header would have, in this order
	Payload Payload      // what follows the header
}

// Verb returns "Segment".
func (s *Segment) Verb() string { return "Segment" }

// An FPDU is a Segment with framing that may be wrong.
type FPDU struct {
	Segment
	ULPDULength *uint16 // as stated; nil if correct
	PAD         []byte  // nil if correct: 0 to 3 zero octets; not nil and empty for no PAD
	CRC         *uint32 // as a number, not in wire order; nil if it is correct, or BadCRC is set
	BadCRC      bool    // every bit of it is wrong
	Markers     Markers // faults of its Markers, if the connection has Markers
	Splits      []int   // offsets in the FPDU, Markers included, at which TCP segments end; ascending
}

// Verb returns "FPDU".
func (f *FPDU) Verb() string { return "FPDU" }

// Markers is a fault of the Markers of an FPDU (RFC 5044, section 4.2). Its CRC covers them as they are.
type Markers uint8

// The faults of Markers.
const (
	RightMarkers    Markers = iota
	BadMarkers              // FPDUPTR points 4 octets before the beginning of the FPDU
	ReservedMarkers         // RESERVED is 0xFFFF
	LowMarkers              // the two lowest bits of FPDUPTR are set
	numMarkers
)

var markersNames = [numMarkers]string{"right", "bad", "reserved", "low"}

// String returns the word for it in the text form: "bad".
func (m Markers) String() string { return field.NameIn(markersNames[:], m, "markers") }

// Octets are octets of the TCP stream outside of FPDUs: in streaming mode, or wrong ones.
type Octets struct {
	Payload Payload
	Splits  []int // offsets at which TCP segments end; ascending
}

// Verb returns "Octets".
func (o *Octets) Verb() string { return "Octets" }

// FIN closes the side's direction of the TCP connection.
type FIN struct{}

// Verb returns "FIN".
func (FIN) Verb() string { return "FIN" }

// Reset resets the TCP connection.
type Reset struct{}

// Verb returns "Reset".
func (Reset) Verb() string { return "Reset" }

// Silence sends nothing for a time.
type Silence struct{ For time.Duration }

// Verb returns "Silence".
func (*Silence) Verb() string { return "Silence" }

// Probe makes sure that the other side is still there: it sends a request that must be answered, and waits for the
// answer.
type Probe struct{}

// Verb returns "Probe".
func (Probe) Verb() string { return "Probe" }
