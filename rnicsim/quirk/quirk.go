// Package quirk describes deviations of an RNIC from the documents, such as those of other RNICs.
//
//	k, err := quirk.Parse("suppress write-access; react write-stag drop")
//	r := rnicsim.New(rnicsim.Config{Quirks: []quirk.Quirk{k}})
//
// [Named] has the quirks with a name, among them those of known peers; a [Quirk] can also be composed of its parts. The
// RNIC asks a [Set] of them.
package quirk

import (
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/codec/rules"
)

// A Quirk is a set of deviations with a name. String writes it as text, which Parse reads. [Quirk.Check] finds
// deviations that would have no effect.
type Quirk struct {
	Name string
	Text string // what it does, in a sentence

	Suppress []Suppression
	React    map[rules.Situation]Reaction // replaces what the Profile demands
	Rewrite  []Rewrite
}

// A Suppression is an omitted check: a Situation, or the breach of a Rule.
type Suppression struct {
	Situation rules.Situation // NoSituation for a Rule
	Rule      *rules.Rule     // nil for a Situation
}

// String returns the name of the Situation or Rule.
func (s Suppression) String() string {
	if s.Rule != nil {
		return s.Rule.Name
	}
	return s.Situation.String()
}

// A Reaction is the response to a problem: a Terminate, unless Drop or Reset is set.
type Reaction struct {
	Code  rdmap.Code
	Drop  bool // the segment is ignored
	Reset bool // the connection is reset
}

// A Rewrite sets a field of a sent message: in the headers of a segment, in its FPDU, or in an MPA frame. If the field
// is absent, as in a Request that is not enhanced, it does nothing.
//
// The CRC of an FPDU is correct, unless a Rewrite sets it.
type Rewrite struct {
	Frame   Frame
	Message rdmap.Opcode // for InFPDU: the message, or AnyMessage
	Field   string       // its name in the tables of codec/mpa, codec/ddp and codec/rdmap: "iwarp_ddp.msn"
	Change  Change
	Value   uint64
	Octets  []byte // replaces Value in a field that is not a number: its first octets
}

// A Frame is the place of a field.
type Frame uint8

// The frames.
const (
	InFPDU Frame = iota
	InRequest
	InReply
)

// AnyMessage stands for all messages.
const AnyMessage rdmap.Opcode = 0xff

// A Change is a way to change a field.
type Change uint8

// The changes. A sum is truncated to the width of the field.
const (
	SetTo Change = iota
	AddTo
	Flip // the bits of Value
)
