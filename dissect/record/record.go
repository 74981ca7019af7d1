// Package record holds what happens on iWARP connections: MPA frames, DDP segments, RDMAP messages, requests with their
// responses, and what is wrong.
//
// Package dissect makes a [Record] of each, package judge adds what it finds, and a [Sink] reads them:
//
//	func (p *printer) Record(r *record.Record) {
//		if r.Kind == record.KindMessage {
//			p.message(r.Message, r.Marks)
//		}
//	}
package record

import (
	"slices"

	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/transit"
)

// A Kind says what a Record is about, and which of its pointers is set.
type Kind uint8

// The kinds of Records.
const (
	KindStartup   Kind = iota // Startup: an MPA frame, or a session control message over SCTP
	KindStreaming             // Streaming: octets before MPA, if Options.Streaming of the Engine asks for them
	KindSegment               // Segment: an FPDU, or a DDP Segment Chunk over SCTP
	KindMessage               // Message; it comes after the Segment that ended it
	KindNote                  // Note: part of a stream could not be decoded
	KindLate                  // none: what became known later of earlier frames, in Findings, Over, Upper and Marks
	KindEnd                   // Verdict, if there was an analysis: the connection, or the capture, has ended
)

var kindNames = [...]string{"startup", "streaming", "segment", "message", "note", "late", "end"}

// String is a word: "segment".
func (k Kind) String() string { return kindNames[k] }

// A Record is one thing that happened on a connection, with all that is known of it by then. The Record and what it points
// to are valid until Sink.Record returns, except for its Conn, which changes until its KindEnd. Clone makes copies that last.
type Record struct {
	Kind Kind
	Origin
	Known uint64 // the frame with which it became known, after those of Origin in a KindLate; math.MaxUint64 at the end of the capture

	Startup   *Startup
	Streaming *Streaming
	Segment   *Segment
	Message   *Message
	Note      *Note
	Verdict   *Verdict

	// Elsewhere is where the capture of the other end has the last octet of a Startup, a Segment or a whole Message, if both ends
	// are shown: a packet by its own number, and its time by the clock of the Record. Own is 0 if that capture lacks it.
	Elsewhere transit.Sighting

	Upper    *Upper         // the message of an upper layer that a Message ends; nil if there is none
	Exchange *Transaction   // of an upper layer, to which a Segment or Message belongs: it carries the request or the response, or moves data
	Body     Body           `json:"-"` // the request of Exchange, if it did not come in Sends but was read, and is whole now; else nil
	Over     []*Transaction // that are over with this Record; each Transaction comes once
	Findings []*Finding     // that were found with this Record; each Finding comes once

	// Marks are the findings to be shown with a Startup or Message: about it and its segments, those of one ID together.
	// In a Record of another kind they are those that no Startup or Message shows. Each Finding is in the Marks of one
	// Record only.
	Marks []Mark
}

// A Mark is one or more findings of one ID about the same thing.
type Mark struct {
	Finding      // the first
	Count   int  // how many there are
	Hidden  bool // a filter has left them out
}

// AppendMark adds a finding to marks.
func AppendMark(marks []Mark, f *Finding, hidden bool) []Mark {
	for i := range marks {
		if k := &marks[i]; k.ID == f.ID && k.Hidden == hidden {
			k.Count++
			k.LastFrame = max(k.LastFrame, f.LastFrame)
			return marks
		}
	}
	return append(marks, Mark{*f, 1, hidden})
}

// HideMark makes a finding that was added to marks last one that a filter has left out.
func HideMark(marks []Mark, f *Finding) []Mark {
	i := slices.IndexFunc(marks, func(m Mark) bool { return m.ID == f.ID && !m.Hidden })
	if i >= 0 {
		marks[i].Count--
	}
	marks = slices.DeleteFunc(marks, func(m Mark) bool { return m.Count == 0 })
	return AppendMark(marks, f, true)
}

// A Sink takes Records.
type Sink interface{ Record(*Record) }

// A SinkFunc is a Sink that calls itself.
type SinkFunc func(*Record)

// Record implements Sink.
func (f SinkFunc) Record(r *Record) { f(r) }

// Origin is what every event has: whose it is and which packets carried it.
type Origin struct {
	Conn *flow.Conn `json:"-"` // a Record writes it once
	Dir  flow.Direction
	flow.Span
}
