package judge

// How a connection began: its MPA frames or session control messages, and what they allow after them.

import (
	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/match"
	"github.com/iwarpkit/iwarp/dissect/record"
)

// A startup judges how a connection began.
type startup struct {
	conn    *flow.Conn
	profile *rules.Profile
	frames  [2]flow.Span // of the MPA Request and Reply, or of what does the same over SCTP, by direction
	mpa     rules.Startup
	session *rules.Session // over SCTP, in the place of mpa; nil over TCP
}

// frame judges an MPA Request or Reply. again says that the capture has the Reply before this Request, the network had
// not: the Reply is to be judged again.
func (s *startup) frame(f *record.Startup, v []rules.Violation) (_ []rules.Violation, again bool) {
	s.frames[f.Dir] = f.Span
	s.mpa.Profile = s.profile
	again = !f.MPA.Reply && f.Late && s.conn.Replied
	if again {
		s.mpa = rules.Startup{Profile: s.profile}
	}
	return s.mpa.Frame(&f.MPA, v), again
}

// replyAgain judges the Reply by the Request that the capture has after it. What is wrong with it by itself has been
// reported.
func (s *startup) replyAgain(v []rules.Violation) []rules.Violation {
	alone := rules.Startup{Profile: s.profile}
	reported := len(alone.Frame(&s.conn.Reply, nil))
	v = s.mpa.Frame(&s.conn.Reply, v)
	return v[min(reported, len(v)):]
}

// segment judges whether a segment may come where it does. early says that the capture has it before the Reply.
func (s *startup) segment(seg *record.Segment, v []rules.Violation) []rules.Violation {
	n := int(seg.FPDU.ULPDULength)
	client := seg.Dir == flow.C2S
	if client && match.Before(&seg.Span, &s.frames[flow.S2C]) && !seg.Ahead {
		v = s.mpa.Early(true, &seg.RDMAP, v)
	}
	if !client && seg.Blind {
		v = s.mpa.Unasked(&seg.RDMAP, v)
	}
	return s.mpa.Segment(client, &seg.RDMAP, n, v)
}

func frameName(f *mpa.Frame) string {
	if f.Reply {
		return "MPA Reply"
	}
	return "MPA Request"
}

// misstatedTale says that octets follow an MPA frame that are none of an FPDU.
func (s *startup) misstatedTale(d flow.Direction) tale {
	f := &s.conn.Request
	if d == flow.S2C {
		f = &s.conn.Reply
	}
	return told("The %v's %s in %s states a wrong length of its Private Data: PD_Length is %d, and what follows in the same packet is not an FPDU",
		flow.Sender(d), frameName(f), frames(s.conn, s.frames[d]), f.PDLength)
}
