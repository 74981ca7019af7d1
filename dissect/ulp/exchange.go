package ulp

// What an upper layer can say of its requests and responses, beside a [record.Exchange].

import (
	"time"

	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/record"
)

// A Passage is whether an error of everyday use explains a failure all the same, by what follows it.
type Passage uint8

// The passages.
const (
	Lasting   Passage = iota // it never does, or is not of everyday use
	Temporary                // it does unless such a request succeeds later: the server asks the client to come back, or to begin anew
	Starting                 // as Temporary, if the client waited: the server refuses nothing, and is not ready yet
	Versioned                // as Temporary, unless the client connects again and asks for another version
	Absent                   // it does unless any request succeeds, or as Versioned: clients try which program, version or procedure the server has
	Denied                   // it does unless a request that does work succeeds later: programs ask for what they may not have
	Missing                  // as Denied, if the client ends its session or the connection: it could not mount what it wants, else it goes on without
	Repeated                 // it does if it comes again for long, and no such request succeeds: clients mend the cause by themselves
	Probe                    // it does if the client ends the connection after it: clients go on without an optional feature
)

// A Passing Exchange may have been refused with an error that is temporary on a healthy server, or that a probe meets.
type Passing interface {
	record.Exchange
	Passage() Passage
}

// A Preparing Exchange may only prepare work, as the start of a session does.
type Preparing interface {
	record.Exchange
	// Prepares reports whether it does no work itself.
	Prepares() bool
}

// A Leaving Exchange may end a session, or a part of one.
type Leaving interface {
	record.Exchange
	// Leaves reports whether it asks for nothing but that.
	Leaves() bool
}

// A Placed Exchange works on something, such as blocks of a disk, and can be refused because of what is there: a medium has an error, or
// is full.
type Placed interface {
	record.Exchange
	// Place is a number for what it works on. Requests of the same kind with other numbers work on something else.
	Place() uint64
	// Local reports whether the error is about the place: that requests succeed elsewhere does not mend it.
	Local() bool
}

// An Advising Exchange may know what to do next about its response, if that is an error.
type Advising interface {
	record.Exchange
	// Advice is that in sentences; empty if there is nothing in particular.
	Advice() string
}

// A Probing Exchange may ask only whether the other side is there.
type Probing interface {
	record.Exchange
	// Probes reports whether it asks for no work, which the end of the connection would leave undone.
	Probes() bool
}

// A Detailed Exchange has a line of its own in the view of RPCs.
type Detailed interface {
	record.Exchange
	// AppendDetail appends what the line says after the name of the transaction. frames appends numbers of frames.
	AppendDetail(dst []byte, frames flow.Frames) []byte
	// Object is what its object in JSON has in addition to those of other transactions. frames numbers frames.
	Object(frames flow.Frames) any
	// Cells are the values of the columns that Layer.Details names.
	Cells() []string
}

// A Credited Exchange belongs to an upper layer whose responders say how many requests they take at a time.
type Credited interface {
	record.Exchange
	// Credits are those that the request asked for, and those that the response granted; 0 of a part that was not seen.
	Credits() (asked, granted uint32)
}

// A Limiting Follower may know for how long one side may send nothing: longer, and the other side ends the connection.
type Limiting interface {
	Follower
	// Silence is that time, and the direction of the side; 0 if there is no such time.
	Silence() (d flow.Direction, most time.Duration)
}

// An Ending is how a connection ended, as far as the capture shows.
type Ending struct {
	By      flow.Party    // who closed or reset it; Nobody if it is open when the capture ends
	Span    flow.Span     // the packet with which; zero if it is open
	At      int64         // when, in nanoseconds since 1970-01-01 UTC; if it is open, the latest time of the capture
	MaxWait time.Duration // for how long a side of an open connection may leave the other waiting
	Whole   bool          // the capture lacks nothing of the connection
}

// Dir is the direction in which the side sends that ended the connection.
func (e *Ending) Dir() flow.Direction {
	if e.By == flow.Server {
		return flow.S2C
	}
	return flow.C2S
}

// Hindered reports whether what began at a time, in nanoseconds as At is, and stopped a side from going on, lasted long enough to be why it gave up.
func (e *Ending) Hindered(since int64) bool {
	least := time.Second
	if e.By == flow.Nobody {
		least = e.MaxWait
	}
	return since != 0 && e.At-since >= int64(least)
}

// A Conclusion is what went wrong on a connection, as its upper layer has it.
type Conclusion struct {
	record.Origin        // whose doing it is, and where it shows
	Name          string // of the observation: record.Starved and the like
	Says          string // in a sentence without a full stop
	Advice        string // what to do next, in sentences; empty if the observation says it
}

// A Concluding Follower may see at the end of a connection that something went wrong with it that no single message shows.
type Concluding interface {
	Follower
	// Conclude is called once, before End.
	Conclude(*Ending) (c Conclusion, ok bool)
}

// A Speaker is a Body, or the Upper of a Transaction, that can belong to a protocol of which it has no header fields.
type Speaker interface {
	// Speaks reports whether it belongs to a protocol, given the name that has in field tables: "nfs".
	Speaks(proto string) bool
}
