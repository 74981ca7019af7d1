package analysis

import (
	"github.com/iwarpkit/iwarp/dissect"
	"github.com/iwarpkit/iwarp/dissect/record"
)

// A Sink takes the events of an Analyser. An event is valid until the method returns; a copy of the struct stays valid,
// but for its Conn and for what an upper layer has put into it.
type Sink interface {
	dissect.Sink
	Finding(*record.Finding)
	Transaction(*record.Transaction) // one that is over: answered, refused, or never to be answered
	Upper(*record.Upper)
	Verdict(*record.Verdict)
}

// Discard is a Sink that does nothing. Embed it in a Sink that wants few kinds of events.
type Discard struct{ dissect.Discard }

// Finding implements Sink.
func (Discard) Finding(*record.Finding) {}

// Transaction implements Sink.
func (Discard) Transaction(*record.Transaction) {}

// Upper implements Sink.
func (Discard) Upper(*record.Upper) {}

// Verdict implements Sink.
func (Discard) Verdict(*record.Verdict) {}
