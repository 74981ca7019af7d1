package recorded

import (
	"testing"

	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/sctp"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/internal/conversation"
	"github.com/iwarpkit/iwarp/pcaps"
)

// OverSCTP returns the packets of an SCTP association that carries what the connections of a sample sent over TCP: each
// connection is a DDP Stream Session, on the stream of its number. MPA frames become Initiates and answers; DDP segments stay
// as they are.
func OverSCTP(t testing.TB, sample string) []pcaps.Record {
	t.Helper()
	talk := conversation.New("10.0.0.1:40000", "10.0.0.2:20049").Over(conversation.DDP()).Connect()
	talk.MSS = 65000
	c := &carrier{talk: talk, next: map[*flow.Conn]*[2]uint16{}}
	Analyse(t, sample, 0, c)
	return talk.Records
}

// A carrier sends over SCTP what its Records contain.
type carrier struct {
	talk *conversation.Conversation
	next map[*flow.Conn]*[2]uint16 // DDP-SSNs
}

// send sends a DATA chunk with the next DDP-SSN, which is acknowledged at once.
func (c *carrier) send(conn *flow.Conn, d flow.Direction, ppid uint32, octets []byte) {
	next := c.next[conn]
	if next == nil {
		next = new([2]uint16)
		c.next[conn] = next
	}
	head := sctp.SegmentChunk{DDPSSN: next[d]}
	next[d]++
	userData, _ := head.AppendBinary(nil) // never fails
	from := conversation.Side(d)
	const whole = conversation.FlagUnordered | conversation.FlagBegin | conversation.FlagEnd
	c.talk.Send(from, c.talk.Data(from, uint16(conn.ID), ppid, whole, append(userData, octets...)))
	c.talk.Ack(1 - from)
}

// control sends a session control message.
func (c *carrier) control(conn *flow.Conn, d flow.Direction, code sctp.FunctionCode, privateData []byte) {
	c.send(conn, d, sctp.PPIDControl, append([]byte{byte(code >> 8), byte(code)}, privateData...))
}

// Record implements record.Sink.
func (c *carrier) Record(r *record.Record) {
	switch r.Kind {
	case record.KindStartup:
		c.startupFrame(r.Startup)
	case record.KindSegment:
		c.send(r.Conn, r.Dir, sctp.PPIDSegment, r.Segment.FPDU.ULPDU)
	case record.KindEnd:
		if r.Conn.Agreed && r.Conn.End == flow.EndFIN {
			c.control(r.Conn, flow.C2S, sctp.SessionTerminate, nil)
		}
	}
}

func (c *carrier) startupFrame(f *record.Startup) {
	code := sctp.SessionInitiate
	switch {
	case f.MPA.Reply && f.MPA.R:
		code = sctp.SessionReject
	case f.MPA.Reply:
		code = sctp.SessionAccept
	}
	if f.MPA.S && f.MPA.Rev >= mpa.Rev2 {
		code += sctp.EnhancedInitiate - sctp.SessionInitiate
	}
	c.control(f.Conn, f.Dir, code, f.MPA.PrivateData)
}
