package flow

// Where in a capture something was, and who sent it.

import (
	"encoding/json"
	"fmt"
)

// A Direction says which end of a connection sent something.
type Direction uint8

// The two directions. The client is the sender of the MPA Request, or over SCTP of the Initiate; else of the SYN, or the
// INIT; else who speaks to the well-known port of a service that is used over iWARP; else the sender of the first packet.
const (
	C2S Direction = iota // from the client to the server
	S2C                  // from the server to the client
)

// String is "c2s" or "s2c".
func (d Direction) String() string {
	if d == S2C {
		return "s2c"
	}
	return "c2s"
}

// UnmarshalJSON implements json.Unmarshaler. A number that is not a Direction is an error.
func (d *Direction) UnmarshalJSON(b []byte) error {
	var n uint8
	err := json.Unmarshal(b, &n)
	if err == nil && n > uint8(S2C) {
		err = fmt.Errorf("flow: direction %d; it is 0 or 1", n)
	}
	*d = Direction(n & 1)
	return err
}

// A Span is the packets that carried something: the lowest and the highest frame number, from 1, and when these were
// captured, in nanoseconds since 1970-01-01 UTC.
type Span struct {
	Frame, LastFrame uint64
	Time, LastTime   int64
}

// At is the Span of one packet.
func At(frame uint64, time int64) Span { return Span{frame, frame, time, time} }

// setBack is how much earlier a packet must be than the latest one so that the clock was set back, or had a wrong time there, in nanoseconds.
// Captures with several interfaces have packets out of order, by far less.
const setBack = 10e9

// Later returns until when packets reach, in nanoseconds: the latest one so far, or the next one if the clock was set back before that.
func Later(latest, next int64) int64 {
	if next != 0 && next < latest-setBack {
		return next
	}
	return max(latest, next)
}

// Include widens s so that it covers o. The zero Span covers nothing.
func (s *Span) Include(o Span) {
	if *s == (Span{}) {
		*s = o
		return
	}
	if o.Frame < s.Frame {
		s.Frame, s.Time = o.Frame, o.Time
	}
	if o.LastFrame > s.LastFrame {
		s.LastFrame, s.LastTime = o.LastFrame, o.LastTime
	}
}

// A Party is an end of a connection, or nobody.
type Party uint8

// The parties.
const (
	Nobody Party = iota
	Client
	Server
)

var partyNames = [...]string{"nobody", "client", "server"}

// String is "nobody", "client" or "server".
func (p Party) String() string { return partyNames[p] }

// Sender is who sends in a direction.
func Sender(d Direction) Party {
	if d == S2C {
		return Server
	}
	return Client
}
