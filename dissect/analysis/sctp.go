package analysis

// Connections over SCTP: what is judged of them in the place of MPA, and the words for them.

import (
	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/codec/sctp"
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
	record.OverTCP: {
		connection: "TCP connection", request: "MPA Request", both: "MPA Request and Reply", place: "ports",
		unit: "FPDU", fin: "a FIN", reset: "reset the TCP connection",
		refusal: "the SYN was answered with a reset",
	},
	record.OverSCTP: {
		connection: "DDP Stream Session", request: "session Initiate", both: "session Initiate and its answer", place: "streams",
		unit: "DDP segment", fin: "a session Terminate", reset: "aborted the SCTP association",
		refusal: "the INIT was answered with an ABORT",
	},
}

func (c *connection) words() *words { return &transportWords[c.conn.Transport()] }

// ending is with what a party has closed the connection.
func (c *connection) ending(by record.Party) string {
	switch a := c.conn.Association; {
	case a == nil:
		return "FIN"
	case a.Shutdown[direction(by)]:
		return "SHUTDOWN"
	}
	return "a session Terminate"
}

// begin begins with the session of a connection over SCTP, of which the next event is o. initiate says that this is its
// Initiate. Unless the capture has the begin of the session, or of its association, what comes first is not known.
func (c *connection) begin(o *record.Origin, initiate bool) {
	if c.session != nil {
		return
	}
	c.session = &rules.Session{Profile: c.a.opts.Profile}
	ends := &c.conn.Association.Ends
	whole := ends[0].Span != (record.Span{}) && ends[1].Span != (record.Span{})
	if !initiate && !whole {
		c.session.Gap(true)
		c.session.Gap(false)
	}
	c.association(o)
}

// association judges what the association was begun with. What is wrong with it is reported at the first event of the
// connection.
func (c *connection) association(o *record.Origin) {
	ends := &c.conn.Association.Ends
	first := record.C2S
	if ends[1].Frame < ends[0].Frame {
		first = record.S2C
	}
	var peer *rules.AssociationEnd
	for _, d := range []record.Direction{first, 1 - first} {
		end := &ends[d]
		if end.Span == (record.Span{}) || end.Cut && !end.Indicated {
			continue
		}
		now := &rules.AssociationEnd{
			Indicated: end.Indicated, Indication: end.Indication, Outbound: end.Outbound, Inbound: end.Inbound,
		}
		at := record.Origin{Conn: c.conn, Dir: d, Span: o.Span}
		for _, v := range rules.CheckAssociation(now, peer, nil) {
			c.violation(&at, &v, nil, func() string {
				return sentence("The association on which the session runs, begun by the %v in %s", record.Sender(d), frames(&end.Span))
			})
		}
		peer = now
	}
}

// chunkOf is what rules look at in a chunk.
func chunkOf(k *record.Chunk) *rules.DDPChunk {
	return &rules.DDPChunk{DDPSSN: k.DDPSSN, Ordered: k.Ordered, Needless: k.Needless, Hasty: k.Hasty}
}

// control judges a session control message.
func (c *connection) control(f *record.Startup) {
	code := f.Control.FunctionCode
	c.begin(&f.Origin, code.IsInitiate())
	if code.IsInitiate() || f.MPA.Reply {
		c.frames[f.Dir] = f.Span
	}
	privateData := len(f.Octets) - sctp.ControlLen
	if code != sctp.SessionTerminate { // what was sent, captured or not
		privateData = int(f.MPA.PDLength)
	}
	v := c.session.Control(f.Dir == record.C2S, &f.Control, privateData, chunkOf(&f.Chunk), c.a.violations[:0])
	if len(v) > 0 {
		c.violated(&f.Origin, code.String(), nil, v)
	}
}

// chunk judges the chunk of a segment.
func (c *connection) chunk(s *record.Segment, v []rules.Violation) []rules.Violation {
	c.begin(&s.Origin, false)
	return c.session.Segment(s.Dir == record.C2S, &s.RDMAP, int(s.FPDU.ULPDULength), chunkOf(&s.Chunk), v)
}

// chunksMissing takes in that the capture lacks chunks of a direction.
func (c *connection) chunksMissing(n *record.Note) {
	c.begin(&n.Origin, false)
	if !c.operating {
		c.operate()
	}
	c.sides[n.Dir].lost = true
	c.session.Gap(n.Dir == record.C2S)
	c.gap(n.Dir)
}

// foreign reports a chunk that is none of DDP.
func (c *connection) foreign(n *record.Note) {
	c.begin(&n.Origin, false)
	c.violated(&n.Origin, "DATA chunk", nil, c.session.Foreign(n.PPID, c.a.violations[:0]))
}

// judgeSession judges how a session ended, if the capture has its end and all before it.
func (c *connection) judgeSession() {
	if c.session == nil || !c.complete() || c.wasReset() || c.lossy(record.C2S) || c.lossy(record.S2C) {
		return
	}
	at := c.over()
	o := c.origin(direction(max(c.closer(), record.Client)), at)
	for _, v := range c.session.End(c.a.violations[:0]) {
		c.violation(o, &v, nil, func() string { return sentence("The session that is over in %s", frames(&at)) })
	}
}

// wasReset tells whether a side has reset the connection.
func (c *connection) wasReset() bool { return c.conn.RST != [2]record.Span{} }
