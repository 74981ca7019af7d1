package dissect

import "github.com/iwarpkit/iwarp/dissect/record"

// A Sink takes the events of an Engine. An event, with everything it points to but its Conn, is valid until the method
// returns; a Conn is valid, and is added to, until End has returned. The octets of a Segment stay until the Message that
// it ends, which comes directly after it and its Notes, has been delivered too.
type Sink interface {
	StartupFrame(*record.Startup)
	Segment(*record.Segment)
	Message(*record.Message)
	Note(*record.Note)
	End(*record.Conn) // the connection, or the capture, has ended
}

// Discard is a Sink that does nothing. Embed it in a Sink that wants few kinds of events.
type Discard struct{}

// StartupFrame implements Sink.
func (Discard) StartupFrame(*record.Startup) {}

// Segment implements Sink.
func (Discard) Segment(*record.Segment) {}

// Message implements Sink.
func (Discard) Message(*record.Message) {}

// Note implements Sink.
func (Discard) Note(*record.Note) {}

// End implements Sink.
func (Discard) End(*record.Conn) {}

// A StreamingSink is a Sink that wants the octets which come before MPA. They are given to it before the MPA Request or
// Reply of either side that follows them in the capture; else at the end of the connection.
type StreamingSink interface {
	Sink
	Streaming(*record.Streaming)
}
