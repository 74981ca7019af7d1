package nvme

// The authentication of host and controller by DH-HMAC-CHAP: NVM Express Base Specification 2.0, section 8.13.5. Its messages are the data of
// Authentication Send and Authentication Receive.

import (
	"encoding/binary"
	"fmt"

	"github.com/iwarpkit/iwarp/codec/field"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/ulp"
)

// Messages by AUTH_TYPE and AUTH_ID, their first octets, and where those that tell of a failure have the reason.
const (
	authSuccess1 = 0x0103 // of the controller
	authFailure1 = 0x00f1 // likewise
	authFailure2 = 0x00f0 // of the host

	authExplanation = 7
	authFailureLen  = 8

	authRequired = 3 << 17 // in Dword 0 of the completion of a Connect: ATR and ASCR
)

// authExplanations are the names of Reason Code Explanations.
var authExplanations = &field.Enum{Kind: "explanation ", Values: []field.Value{
	{Number: 1, Name: "Authentication failed"},
	{Number: 2, Name: "Authentication protocol not usable"},
	{Number: 3, Name: "Secure channel concatenation mismatch"},
	{Number: 4, Name: "Hash function not usable"},
	{Number: 5, Name: "DH group not usable"},
	{Number: 6, Name: "Incorrect payload"},
	{Number: 7, Name: "Incorrect protocol message"},
}}

// An authentication is how far the one of a queue has come.
type authentication struct {
	latest  record.Origin // the latest completion of it, or that of the Connect that demands it; zero if it is not demanded
	begun   bool
	over    bool
	refused bool // the host has refused the controller's part
}

// isAuth reports whether a command carries a message of an authentication.
func (c *Command) isAuth() bool {
	return c.Opcode == opFabrics && (c.FabricsType == fcAuthSend || c.FabricsType == fcAuthReceive)
}

// message takes the beginning of a message.
func (a *authentication) message(x *Exchange, octets []byte) {
	if !x.isAuth() || len(octets) < authFailureLen {
		return
	}
	switch id, received := binary.BigEndian.Uint16(octets), x.FabricsType == fcAuthReceive; {
	case received && id == authSuccess1:
		a.over = true
	case received && id == authFailure1:
		*a = authentication{}
		x.refusal = "AUTH_Failure1, " + authExplanations.Name(uint64(octets[authExplanation]))
	case !received && id == authFailure2:
		a.over, a.refused = false, true
	}
}

// completed takes a completion of the command.
func (a *authentication) completed(o *record.Origin, c *Command, completion []byte) {
	switch {
	case c.connects():
		if responseDW0.Number(completion)&authRequired != 0 {
			a.latest = *o
		}
	case a.latest.Conn == nil:
	case c.isAuth():
		a.latest, a.begun = *o, true
	default:
		a.over = true // the host goes on
	}
}

// abandoned is an authentication that a side gave up; not ok if there is none.
func (a *authentication) abandoned(e *ulp.Ending) (c ulp.Conclusion, ok bool) {
	if a.latest.Conn == nil || a.over {
		return c, false
	}
	o, at := a.latest, a.latest.Conn.Frames.Text(a.latest.Span)
	o.Dir = e.Dir()
	c = ulp.Conclusion{Origin: o, Name: record.SetUpAbandoned, Advice: secretAdvice}
	switch {
	case a.refused:
		c.Dir = flow.C2S
		c.Says = fmt.Sprintf("The host refused the controller's part of the authentication (DH-HMAC-CHAP) with the AUTH_Failure2 that %s completes", at)
	case a.begun:
		c.Says = fmt.Sprintf("The %v gave up the authentication (DH-HMAC-CHAP) after the completion in %s", e.By, at)
	default:
		c.Says = fmt.Sprintf("The controller demands authentication (DH-HMAC-CHAP) in the completion of the Connect in %s, and the %v ended the connection without it",
			at, e.By)
	}
	return c, true
}
