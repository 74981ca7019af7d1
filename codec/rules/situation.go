package rules

import (
	"iter"
	"slices"
	"strings"

	"github.com/iwarpkit/iwarp/codec/rdmap"
)

// A Situation is one thing that can go wrong. A receiver encounters those with lower numbers first. [Situations] has
// the documents' demands in each.
type Situation uint8

// The situations.
const (
	NoSituation Situation = iota // no Terminate answers it
	FPDUCRC
	FPDUMarker
	MPAFrame
	MPAIRD
	MPARTR
	MPALocal
	DDPShort
	DDPVersionTagged
	DDPVersionUntagged
	RDMAPVersion
	OpcodeUnknown
	OpcodeT
	QNUndefined
	QNOpcode
	SendNoBuffer
	SendMSN
	SendMO
	SendTooLong
	LMissing
	ReceiveSGE
	ReadMSN
	AtomicResponseMSN
	ReadIRD
	ReadDisabled
	ReadLong
	ReadShort
	ReadMO
	ReadSTag
	ReadBounds
	ReadAccess
	ReadAssociation
	ReadWrap
	WriteSTag
	WriteBounds
	WriteAssociation
	WriteAccess
	WriteWrap
	WriteContinuation
	ResponseUnexpected
	ResponseSTag
	ResponseBounds
	InvalidateSTag
	InvalidateAssociation
	InvalidateAccess
	InvalidateShared
	InvalidateWindows
	TerminateBad
	AtomicShort
	AtomicLong
	AtomicAlignment
	AtomicAOpCode
	AtomicTarget
	AtomicResponse
	ImmediateLength
	LocalError
	QueueError
	RNICError
	ReadSourceLost
	NumSituations
)

// String returns the name: "write-stag"; empty for NoSituation.
func (s Situation) String() string { return Situations[s].Name }

// Text says what is wrong: "the STag of a Write is unknown or invalid".
func (s Situation) Text() string { return Situations[s].Text }

// TextFor returns Text for a message.
func (s Situation) TextFor(o rdmap.Opcode) string {
	if d := &Situations[s]; o == rdmap.OpReadResponse && d.Response != "" {
		return d.Response
	}
	return Situations[s].Text
}

// LookupSituation returns the Situation with a name; NoSituation if there is none.
func LookupSituation(name string) Situation {
	return Situation(max(0, slices.IndexFunc(Situations[:], func(d Demand) bool { return d.Name == name })))
}

// A Demand is the documents' demand in a Situation.
type Demand struct {
	Name string // "write-stag"
	Text string // "the STag of a Write is unknown or invalid"

	Response string // Text for a Read Response, where Text is for a Write

	Fields []string // names of the header fields that show it: "iwarp_ddp.stag"; nil if none does

	RFC   Answer
	HdrCt HdrCt  // of the Terminate that the RFCs demand
	Also  Codes  // which the RFCs allow besides
	Verbs Answer // RDMA Protocol Verbs Specification 1.0, figure 24

	// of draft-ietf-rddp-rdmap-00, sections 7.3 and 10.3, where it differs from RFC 5040
	Draft00     Codes // demanded
	AlsoDraft00 Codes // allowed
}

// An Act is how an implementation reacts to an error.
type Act uint8

// The acts.
const (
	Unknown    Act = iota // unknown, or impossible
	AsRFC                 // what the RFCs demand
	Terminates            // sends one of some Terminates
	Closes                // ends the connection, without a Terminate
	Resets                // resets the connection
	Ignores               // does not check for it
	Otherwise             // none of these
)

// An Answer is what an implementation does in a Situation.
type Answer struct {
	Act   Act
	Codes Codes  // of Terminates, the usual one first; empty for all other acts
	Note  string // for people: which code when, or what else is done

	ReadsUnchecked bool // it does not check Read Requests for this, whatever it does for other messages
	Rejects        bool // it may reject a Request in its Reply
}

// Ends reports whether the connection ends without a Terminate.
func (a *Answer) Ends() bool { return a.Act == Closes || a.Act == Resets }

// PassesOver reports whether the connection may continue.
func (a *Answer) PassesOver() bool { return a.Act == Ignores || a.Act == Otherwise }

// In returns the Answer for a Situation, with the RFCs' codes filled in if they apply.
func (a Answer) In(s Situation) Answer {
	if a.Act == AsRFC {
		a.Codes = Situations[s].RFC.Codes
	}
	return a
}

// Codes are those of Terminates, each as the first two octets of its header: 0x1205 is Layer 1, EType 2, Error Code 5.
type Codes []uint16

// All yields each code.
func (c Codes) All() iter.Seq[rdmap.Code] {
	return func(yield func(rdmap.Code) bool) {
		for _, word := range c {
			if !yield(rdmap.CodeOf(word)) {
				return
			}
		}
	}
}

// First returns the first code; ok is false if there is none.
func (c Codes) First() (code rdmap.Code, ok bool) {
	if len(c) == 0 {
		return code, false
	}
	return rdmap.CodeOf(c[0]), true
}

// Contains reports whether code is one of them.
func (c Codes) Contains(code rdmap.Code) bool {
	return slices.ContainsFunc(c, func(word uint16) bool { return rdmap.CodeOf(word) == code })
}

// Accepts reports whether code is one of them or equivalent: all Local Catastrophic Errors of RDMAP are, whatever their
// error code (RFC 5040, section 4.8).
func (c Codes) Accepts(code rdmap.Code) bool {
	return slices.ContainsFunc(c, func(word uint16) bool {
		each := rdmap.CodeOf(word)
		return each == code || local(each) && local(code)
	})
}

// String returns the codes as [rdmap.Code.String] writes them, joined by "or": "1/2/02 or 1/2/03".
func (c Codes) String() string {
	var words []string
	for code := range c.All() {
		words = append(words, code.String())
	}
	return strings.Join(words, " or ")
}

// local reports whether a code is a Local Catastrophic Error of RDMAP.
func local(c rdmap.Code) bool {
	return c.Layer == rdmap.LayerRDMAP && c.EType == rdmap.RDMAPLocalCatastrophic
}

// HdrCt holds the M, D and R bits of a Terminate: which headers it encloses (RFC 5040, section 4.8).
type HdrCt uint8

// The combinations that the RFCs demand.
const (
	Bare        HdrCt = 0b000
	MD          HdrCt = 0b110  // DDP Segment Length and DDP header
	MDR         HdrCt = 0b111  // and the header of the Read Request
	NoTerminate HdrCt = 0b1000 // there is no Terminate
)

// HdrCtOf returns the bits of a Terminate.
func HdrCtOf(t *rdmap.Terminate) (h HdrCt) {
	for _, bit := range [...]bool{t.M, t.D, t.R} {
		h <<= 1
		if bit {
			h |= 1
		}
	}
	return h
}

// String returns the bits, M first: "110"; empty for NoTerminate.
func (h HdrCt) String() string {
	if h == NoTerminate {
		return ""
	}
	return flag(h&0b100 != 0) + flag(h&0b010 != 0) + flag(h&0b001 != 0)
}
