package iser

// The life of a session, as far as it is why its connection ended: the login that comes to no end, and the end that the target announces.

import (
	"bytes"
	"fmt"

	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/ulp"
)

// A life is how far the session of a connection has come.
type life struct {
	login     record.Origin // the latest PDU of a login that is under way; zero if there is none
	stage     uint64        // of that
	proves    bool          // it has the initiator's CHAP response
	answered  bool          // a Login Response has come
	full      record.Origin // the Login Response that began the full feature phase; zero if there is none
	left      record.Origin // the Logout Request; zero if there is none
	announced record.Origin // the Asynchronous Message that announces the end; zero if there is none
	event     uint64        // of that
}

// Where a login leads, and the events that announce the end of a connection: RFC 7143, sections 11.12.3 and 11.9.1.
const (
	fullFeature   = 3
	asksLogout    = 1
	dropsThis     = 2
	dropsAll      = 3
	transitInNext = 0x80 // T, in octet 1
)

// chapResponse is the key with which an initiator proves that it knows its secret (RFC 7143, section 12.1.3).
var chapResponse = []byte("CHAP_R=")

// authenticationFailed is the Status-Class and Status-Detail for that.
const authenticationFailed = 0x0201

// take takes a PDU that came in o.
func (l *life) take(p *PDU, o *record.Origin) {
	switch p.Opcode {
	case OpLoginRequest:
		l.login, l.stage, l.proves = *o, currentStage.Number(p.bhs), bytes.Contains(p.data, chapResponse)
	case OpLoginResponse:
		l.answered = true
		l.login, l.stage = *o, currentStage.Number(p.bhs)
		complete := p.bhs[1]&transitInNext != 0 && nextStage.Number(p.bhs) == fullFeature
		if !p.Result().Good() || complete {
			l.login = record.Origin{} // it was refused, or led elsewhere, or is complete
		}
		if p.Result().Good() && complete {
			l.full = *o
		}
	case OpLogoutReq:
		l.left = *o
	case OpAsync:
		if event := asyncEvent.Number(p.bhs); event == asksLogout || event == dropsThis || event == dropsAll {
			l.announced, l.event = *o, event
		}
	}
}

// Conclude implements ulp.Concluding.
func (f *follower) Conclude(e *ulp.Ending) (c ulp.Conclusion, ok bool) {
	l := &f.life
	switch _, open := f.Oldest(flow.C2S); {
	case e.By == flow.Nobody:
	case l.announced.Conn != nil && (l.event != asksLogout || e.By == flow.Server && l.left.Conn == nil): // else the initiator did as it was asked
		return ulp.Conclusion{Origin: l.announced, Name: record.EndAnnounced, Says: fmt.Sprintf(
			"The target announced the end of the connection with the Asynchronous Message in %s: AsyncEvent %d, %s",
			l.announced.Conn.Frames.Text(l.announced.Span), l.event, asyncEvents.Name(l.event))}, true
	case e.Whole && open == 1 && l.login.Conn != nil && l.login.Dir == flow.C2S && e.By == flow.Server:
		o := l.login
		o.Dir = flow.S2C
		switch c = l.abandoned(&o, ""); {
		case l.proves:
			c = l.abandoned(&o, ": the request has the initiator's CHAP response (CHAP_R), which the target does not seem to accept")
			c.Advice = loginAdvice[authenticationFailed]
		case !l.answered && l.stage != securityNegotiation:
			c = l.abandoned(&o, ": the initiator had not been authenticated")
			c.Advice = fmt.Sprintf(unnamedAdvice, "demand CHAP (then set node.session.auth of open-iscsi), ")
		case !l.answered:
			c.Advice = fmt.Sprintf(unnamedAdvice, "")
		}
		return c, true
	case !e.Whole || open > 0: // a task that waits says more
	case l.full.Conn != nil && l.left.Conn == nil && e.By == flow.Server:
		o := l.full
		o.Dir, o.Span = flow.S2C, e.Span
		return ulp.Conclusion{Origin: o, Name: record.SessionDropped, Advice: droppedAdvice, Says: fmt.Sprintf(
			"The target ended the connection in %s, in the full feature phase, without a Logout of the initiator or an Asynchronous Message",
			o.Conn.Frames.Text(o.Span))}, true
	case l.login.Conn == nil:
	case l.left.Conn != nil:
		return l.abandoned(&l.left, fmt.Sprintf(": the initiator logged out in %s", l.left.Conn.Frames.Text(l.left.Span))), true
	default:
		o := l.login
		o.Dir = e.Dir()
		return l.abandoned(&o, ""), true
	}
	return c, false
}

// unnamedAdvice is what to do if a target ends the connection in place of an answer to the first Login Request.
const unnamedAdvice = "Targets of Linux do so if they %sdo not admit the initiator, have no target with the TargetName of the Login Request, or if its portal " +
	"group is off: compare InitiatorName and TargetName with what the target has (targetcli ls), and see its log."

// abandoned is a login that a side gave up. how says in which way, if another than that it ended the connection.
func (l *life) abandoned(o *record.Origin, how string) ulp.Conclusion {
	latest := "Login Response"
	if l.login.Dir == flow.C2S {
		latest = "Login Request"
	}
	return ulp.Conclusion{Origin: *o, Name: record.SetUpAbandoned, Says: fmt.Sprintf(
		"The %v gave up the iSCSI login after the %s in %s, in the stage %s, before the full feature phase%s",
		flow.Sender(o.Dir), latest, o.Conn.Frames.Text(l.login.Span), stages.Name(l.stage), how)}
}
