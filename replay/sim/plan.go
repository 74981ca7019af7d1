package sim

// What a Plan is made of. None of these types can hold a header: they name verbs, memory and octets only.

import (
	"time"

	"github.com/iwarpkit/iwarp/replay/scenario"
	"github.com/iwarpkit/iwarp/rnicsim"
)

// A Plan is what the Consumer of the reference RNIC has and does, so that it does what the recorded peer did. STags and
// TOs are the recorded ones: they are names here, for those of the RNIC are given out when it is played.
type Plan struct {
	Side     scenario.Side // that the RNIC takes
	Startup  Startup
	EMSS     int       // octets of a TCP segment; 0 if the recording does not show it
	Regions  []*Region // that are registered before anything else
	Receives []Receive // that are posted before anything comes
	Acts     []*Act    // in the order in which they are done

	Values    scenario.Values // of variables that keep what was recorded
	Variables []Variable      // the others

	// ReadyStep is the Number of the step that is the Ready to Receive, which the RNIC sends by itself; 0 if there is
	// none.
	ReadyStep int

	// Silenced are the Numbers of steps that were sent although a Terminate had come in. The RNIC stops then, as it may
	// (RFC 5040, section 5.4).
	Silenced []int

	// Partial tells that the recording ends within a message of the RNIC: what it sends behind that is not judged.
	Partial bool

	// BrokenOff is the Number of the step that is a FIN within a message; 0 if there is none. No verb does that.
	BrokenOff int

	// Unplayable is why a step cannot be done by verbs; nil if all can. There are no Acts behind it.
	Unplayable *Unplayable
}

// An Unplayable is a step that no Consumer can make its RNIC do.
type Unplayable struct {
	Step int // its Number
	Why  string
}

// A Variable is one that stands for a Region: for its STag, or a TO in it.
type Variable struct {
	Name   string
	Region int    // index
	TO     bool   // else the STag
	Offset uint64 // of the TO in the Region
}

// A Startup is how the Consumer configures MPA.
type Startup struct {
	Initiates    bool
	Rev          uint8 // revision of MPA
	Markers, CRC bool  // wanted
	Enhanced     bool  // IRD and ORD are negotiated (RFC 6581)
	IRD, ORD     uint16
	Ready        Ready
	GSO          bool // siw: large segments are asked for
}

// A Ready is the Ready to Receive of a peer-to-peer connection (RFC 6581, section 9.2).
type Ready struct{ Due, Send, Write, Read bool }

// A Region is a Memory Region.
type Region struct {
	STag     uint32 // in the recording
	TO       uint64 // of the first octet, in the recording
	Length   uint64 // octets
	Rights   rnicsim.Rights
	Told     bool     // variables tell the STag
	ToldTO   bool     // and the TO
	Contents []Placed // what it holds at the begin; zero where nothing is said
}

// Placed is octets in a Region.
type Placed struct {
	At     uint64 // offset
	Octets scenario.Payload
}

// A Place is some octets of a Region, or of the peer's.
type Place struct {
	STag   uint32
	TO     uint64
	Length uint32 // octets
}

// A Receive is a Work Request of the Receive Queue.
type Receive struct {
	Length int
	Broken bool // its Scatter/Gather List names no memory
}

// An Act is something that the Consumer does at a time.
type Act struct {
	Step    int  // of the peer that it stands for; 0 for none
	After   int  // the step of the own side that has to have come in before; 0 for none
	Settled bool // the RNIC has to have answered all that came
	Do      Deed
}

// A Deed is what an Act does: one of the types below, or a pointer to one that has fields.
type Deed interface{ deed() }

// Deeds.
type (
	// Begin begins MPA as the Initiator.
	Begin struct{ PrivateData scenario.Payload }

	// Listen begins MPA as the Responder.
	Listen struct{}

	// Accept accepts the MPA Request that has come.
	Accept struct{ PrivateData scenario.Payload }

	// Reject rejects it.
	Reject struct{ PrivateData scenario.Payload }

	// Stream sends octets outside of MPA.
	Stream struct{ Octets scenario.Payload }

	// Post posts a Work Request to the Send Queue. Which fields count depends on Op.
	Post struct {
		Op          rnicsim.Op
		Octets      scenario.Payload // of Sends and Writes
		Local       Place            // the sink of a Read
		Remote      Place
		STag        uint32 // that a Send with Invalidate invalidates
		Data, Mask  uint64 // of Immediate Data and Atomics
		CompareData uint64
		CompareMask uint64
		Broken      bool // its Scatter/Gather List names no memory
		Cut         int  // segments that go out before the next Act; 0 for all
	}

	// Store changes octets of a Region, as the program does to which it belongs.
	Store struct {
		Region int // index
		Placed
	}

	// Withdraw deallocates a Region.
	Withdraw struct{ Region int }

	// Hold keeps back what the RNIC sends until a step of the own side has come in: the recorded peer was as slow, or
	// the way as long.
	Hold struct {
		Behind int // the step of the peer behind which it begins; 0 for none
		Until  int
	}

	// Pause lets time pass.
	Pause struct{ For time.Duration }

	// Close closes the connection when no work is left.
	Close struct{}

	// Abort destroys the QP, and with it the connection.
	Abort struct{}
)

func (*Begin) deed()    {}
func (Listen) deed()    {}
func (*Accept) deed()   {}
func (*Reject) deed()   {}
func (*Stream) deed()   {}
func (*Post) deed()     {}
func (*Store) deed()    {}
func (*Withdraw) deed() {}
func (*Hold) deed()     {}
func (*Pause) deed()    {}
func (Close) deed()     {}
func (Abort) deed()     {}
