package sim

// The parts of a Plan. None of these types can hold a header: they name verbs, memory and octets only.

import (
	"time"

	"github.com/iwarpkit/iwarp/replay/scenario"
	"github.com/iwarpkit/iwarp/rnicsim"
)

// A Plan is what the Consumer of the reference RNIC has and does, so that the RNIC behaves like the recorded peer.
// STags and TOs are the recorded ones. They serve as names; the RNIC chooses its own when the Plan is played.
//
// Each action of the Consumer follows the step of the other side that it had received. Where the peer answered late,
// the RNIC is delayed as long. Variables of the Scenario stand for STags and TOs in the Consumer's messages; those that
// no message contains are given to the Player. The Ready to Receive (RFC 6581, section 9.2) may have any STag and TO.
type Plan struct {
	Side     scenario.Side // the side of the RNIC
	Startup  Startup
	EMSS     int       // octets of a TCP segment; 0 if the recording does not show it
	Regions  []*Region // registered before anything else
	Receives []Receive // posted before the peer sends
	Acts     []*Act    // in order

	Values    scenario.Values // of variables that keep the recorded value
	Variables []Variable      // the others

	// ReadyStep is the Number of the step that is the Ready to Receive, which the RNIC sends by itself; 0 if there is
	// none.
	ReadyStep int

	// Silenced holds the Numbers of steps that were sent although a Terminate had arrived. The RNIC sends nothing then,
	// as it may (RFC 5040, section 5.4).
	Silenced []int

	// Partial means that the recording ends within a message of the RNIC. Later messages of the RNIC are not judged.
	Partial bool

	// BrokenOff is the Number of a step that is a FIN within a message, which no verb sends; 0 if there is none.
	BrokenOff int

	// Unplayable is the first step that verbs cannot perform; nil if they can perform all. No Acts follow it.
	Unplayable *Unplayable
}

// An Unplayable is a step that no Consumer can cause, or all steps.
type Unplayable struct {
	Step int // its Number; 0 if the memory of all is too large
	Why  string
}

// A Variable stands for the STag of a Region, or for a TO in it.
type Variable struct {
	Name   string
	Region int    // index
	TO     bool   // it stands for a TO; else for the STag
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
	Reserved     uint8 // bits of Res in the frame
}

// A Ready is the Ready to Receive of a peer-to-peer connection (RFC 6581, section 9.2).
type Ready struct{ Due, Send, Write, Read bool }

// A Region is a Memory Region.
type Region struct {
	STag         uint32 // in the recording
	TO           uint64 // of the first octet, in the recording
	Length       uint64 // octets
	Rights       rnicsim.Rights
	Advertised   bool     // variables tell the STag
	AdvertisedTO bool     // variables tell the TO
	Contents     []Placed // what it holds at the beginning; the rest is zero
}

// Placed is octets in a Region.
type Placed struct {
	At     uint64 // offset
	Octets scenario.Payload
}

// A Place is octets of a Region, or of memory of the peer.
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

// An Act is one action of the Consumer.
type Act struct {
	Step    int  // of the peer that it stands for; 0 for none
	After   int  // the step of the own side that must arrive before; 0 for none
	Settled bool // the RNIC must have answered everything that arrived
	Do      Operation
}

// An Operation is the action of an Act: one of the types below, or a pointer to one with fields.
type Operation interface{ operation() }

// The operations.
type (
	// Begin begins MPA as the Initiator.
	Begin struct{ PrivateData scenario.Payload }

	// Listen begins MPA as the Responder.
	Listen struct{}

	// Accept accepts the received MPA Request.
	Accept struct{ PrivateData scenario.Payload }

	// Reject rejects the received MPA Request.
	Reject struct{ PrivateData scenario.Payload }

	// Stream sends octets outside of MPA.
	Stream struct{ Octets scenario.Payload }

	// Post posts a Work Request to the Send Queue. Op decides which fields matter.
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
		Cut         int  // segments to be sent before the next Act; 0 for all
	}

	// Store changes octets of a Region, as the program that owns it would.
	Store struct {
		Region int // index
		Placed
	}

	// Withdraw deallocates a Region.
	Withdraw struct{ Region int }

	// Hold keeps the RNIC from sending until a step of the own side has arrived: the recorded peer, or the path, was as
	// slow.
	Hold struct {
		Behind int // the step of the peer after which it begins; 0 for none
		Until  int
	}

	// Pause lets time pass.
	Pause struct{ For time.Duration }

	// Close closes the connection when no work is outstanding.
	Close struct{}

	// Abort destroys the QP, and with it the connection.
	Abort struct{}
)

func (*Begin) operation()    {}
func (Listen) operation()    {}
func (*Accept) operation()   {}
func (*Reject) operation()   {}
func (*Stream) operation()   {}
func (*Post) operation()     {}
func (*Store) operation()    {}
func (*Withdraw) operation() {}
func (*Hold) operation()     {}
func (*Pause) operation()    {}
func (Close) operation()     {}
func (Abort) operation()     {}
