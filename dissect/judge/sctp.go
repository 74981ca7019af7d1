package judge

// Connections over SCTP: what is judged of them in the place of MPA, and the words for them.

import (
	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/codec/sctp"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/record"
)

// words are those that differ with the transport.
type words struct {
	connection, request, both, place string
	unit                             string // what carries a segment
	fin                              string // what closes the connection
	reset                            string // what a side does to reset it
	refusal                          string // how it is refused
}

var transportWords = [...]words{
	flow.OverTCP: {
		connection: "TCP connection", request: "MPA Request", both: "MPA Request and Reply", place: "ports",
		unit: "FPDU", fin: "a FIN", reset: "reset the TCP connection",
		refusal: "the SYN was answered with a reset",
	},
	flow.OverSCTP: {
		connection: "DDP Stream Session", request: "session Initiate", both: "session Initiate and its answer", place: "streams",
		unit: "DDP segment", fin: "a session Terminate", reset: "aborted the SCTP association",
		refusal: "the INIT was answered with an ABORT",
	},
	flow.OverUDP: {connection: "exchange", request: "Call", both: "Call and Reply", place: "ports"},
}

// wordsOf are the words for what carries a connection.
func wordsOf(c *flow.Conn) *words { return &transportWords[c.Transport()] }

// closing is with what a party has closed a connection.
func closing(c *flow.Conn, by flow.Party) string {
	switch a := c.Association; {
	case a == nil:
		return "FIN"
	case a.Shutdown[direction(by)]:
		return "SHUTDOWN"
	}
	return "a session Terminate"
}

// begin begins with the session of a connection over SCTP. initiate says that this is its Initiate. Unless the capture has
// the beginning of the session, or of its association, what comes first is not known.
func (s *startup) begin(initiate bool) {
	s.session = &rules.Session{Profile: s.profile}
	ends := &s.conn.Association.Ends
	whole := ends[0].Span != (flow.Span{}) && ends[1].Span != (flow.Span{})
	if !initiate && !whole {
		s.session.Gap(true)
		s.session.Gap(false)
	}
}

// association yields what is wrong with how each end began the association.
func (s *startup) association(yield func(d flow.Direction, v rules.Violation) bool) {
	ends := &s.conn.Association.Ends
	first := flow.C2S
	if ends[1].Frame < ends[0].Frame {
		first = flow.S2C
	}
	var peer *rules.AssociationEnd
	for _, d := range []flow.Direction{first, 1 - first} {
		end := &ends[d]
		if end.Span == (flow.Span{}) || end.Cut && !end.Indicated {
			continue
		}
		now := &rules.AssociationEnd{
			Indicated: end.Indicated, Indication: end.Indication, Outbound: end.Outbound, Inbound: end.Inbound,
		}
		for _, v := range rules.CheckAssociation(now, peer, nil) {
			if !yield(d, v) {
				return
			}
		}
		peer = now
	}
}

// control judges a session control message.
func (s *startup) control(f *record.Startup, v []rules.Violation) []rules.Violation {
	code := f.Control.FunctionCode
	if code.IsInitiate() || f.MPA.Reply {
		s.frames[f.Dir] = f.Span
	}
	privateData := len(f.Octets) - sctp.ControlLen
	if code != sctp.SessionTerminate { // what was sent, captured or not
		privateData = int(f.MPA.PDLength)
	}
	return s.session.Control(f.Dir == flow.C2S, &f.Control, privateData, &f.Chunk.DDPChunk, v)
}
