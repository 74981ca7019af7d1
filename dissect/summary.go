package dissect

// What events come to in a word.

import (
	"github.com/iwarpkit/iwarp/codec/field"
	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/sctp"
)

// Name is "MPARequest" or "MPAReply"; over SCTP what its function code is called, "SessionInitiate".
func (f *StartupFrame) Name() string {
	if f.Conn.Transport() == OverSCTP {
		return f.Control.FunctionCode.String()
	}
	if f.MPA.Reply {
		return "MPAReply"
	}
	return "MPARequest"
}

// Fields is the field table of Octets.
func (f *StartupFrame) Fields() *field.Table {
	if f.Conn.Transport() == OverSCTP {
		return sctp.ControlFields
	}
	return f.MPA.Fields()
}

// HeaderLen is how many of Octets stand before the Private Data.
func (f *StartupFrame) HeaderLen() int {
	if f.Conn.Transport() == OverSCTP {
		return sctp.ControlLen
	}
	return mpa.FrameLen
}

// CRC is the verdict about the CRCs of all segments of the message that were seen.
func (m *Message) CRC() mpa.Verdict {
	switch {
	case m.BadCRCs > 0:
		return mpa.Bad
	case !m.Conn.Agreement.CRC, m.Missing > 0:
		return mpa.Unchecked
	}
	return mpa.Good
}
