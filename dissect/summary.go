package dissect

// What events come to in a word.

import "github.com/iwarpkit/iwarp/codec/mpa"

// Name is "MPARequest" or "MPAReply".
func (f *StartupFrame) Name() string {
	if f.MPA.Reply {
		return "MPAReply"
	}
	return "MPARequest"
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
