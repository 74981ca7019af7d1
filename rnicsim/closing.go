package rnicsim

// Termination and closing: how a QP leaves RTS, and the effect on its stream (Verbs, sections 6.2.2 to 6.2.5, 6.4 and
// 6.6.2).

import (
	"bytes"

	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/codec/rules"
)

// A LastMessage is the Terminate that ended a stream.
type LastMessage struct {
	Local  bool   // this side sent it, or meant to
	Header []byte // octets after the DDP header; an [rdmap.Terminate]
	queued bool   // it is still to be sent
}

// A lifecycle is the state of a QP. Its methods change the state and return the transition.
type lifecycle struct {
	state    State
	last     *LastMessage // the Terminate
	reported bool         // an event reported why Terminate was entered
}

// A transition is the consequence of a change of state, in this order: the effect on the stream, flushing all
// outstanding work, closing the stream, and an event.
type transition struct {
	stream streamEffect
	close  bool
	event  EventType // 0 for none
	idle   bool      // after the event, go from Closing to Idle
}

// A streamEffect is the first effect of a transition on the stream.
type streamEffect uint8

const (
	streamStays   streamEffect = iota
	streamLingers              // it must be closed within a time
	streamDetached
	streamReset // and detached
)

// queued reports whether a Terminate is to be sent.
func (l *lifecycle) queued() bool { return l.state == Terminate && l.last != nil && l.last.queued }

// terminate enters Terminate: nothing more is processed. terminate is the last message of this side; nil if there is
// none. event is 0 if a verb or a completion reports the cause.
func (l *lifecycle) terminate(header []byte, event EventType) transition {
	l.state, l.reported = Terminate, event != 0
	if header != nil {
		l.last = &LastMessage{Local: true, Header: header, queued: true}
	}
	return transition{stream: streamLingers, close: true, event: event}
}

// terminated enters Terminate because of a Terminate of the peer, which is never answered.
func (l *lifecycle) terminated(header []byte) transition {
	l.state, l.reported = Terminate, true
	l.last = &LastMessage{Header: bytes.Clone(header)}
	return transition{stream: streamLingers, close: true, event: TerminateReceived}
}

// abort enters Error and resets the stream. event is 0 if a verb asked for that.
func (l *lifecycle) abort(event EventType) transition {
	l.state = Error
	return transition{stream: streamReset, event: event}
}

// close begins a graceful close. Outstanding work, which the Consumer should have awaited, makes it fail.
func (l *lifecycle) close(busy bool) transition {
	if busy {
		return l.abort(BadClose)
	}
	l.state = Closing
	return transition{close: true}
}

// closed ends a stream whose connection is over. err is that of the Stream.
func (l *lifecycle) closed(err error, busy bool) transition {
	switch {
	case err == ErrReset && l.state == RTS:
		return l.lost(LLPConnectionReset)
	case err != nil:
		return l.lost(LLPConnectionLost)
	case l.state == Terminate:
		l.state = Error
		return transition{stream: streamDetached}
	case l.state == RTS && busy:
		return l.lost(BadLLPClose)
	}
	l.state = Closing
	return transition{stream: streamDetached, event: LLPCloseComplete, idle: true}
}

// lost enters Error because the stream has failed. In Terminate that is a Bad Close, unless an event has reported why
// Terminate was entered.
func (l *lifecycle) lost(event EventType) transition {
	switch {
	case l.state == Terminate && l.reported:
		event = 0
	case l.state == Terminate:
		event = BadClose
	}
	l.state = Error
	return transition{stream: streamDetached, event: event}
}

// stop ends the stream because of a problem, and reports whether it does: a quirk may ignore the problem. culprit is
// the ULPDU that caused it, nil for none; if it is a Read Request, answered octets of the response were sent before.
func (q *QP) stop(p problem, culprit []byte, answered uint32) bool {
	if q.life.state != RTS || culprit != nil && q.rnic.quirks.Drops(p.situation) {
		return false
	}
	if r, replaced := q.rnic.quirks.Reaction(p.situation); replaced && r.Reset {
		q.apply(q.life.abort(p.event))
	} else {
		q.apply(q.life.terminate(q.rnic.terminate(p, culprit, answered), p.event))
	}
	return true
}

// apply applies a transition. It calls handlers, which may use any verb, even to destroy the QP.
func (q *QP) apply(t transition) {
	switch t.stream {
	case streamLingers:
		q.stream.linger()
	case streamDetached:
		q.detach()
	case streamReset:
		q.reset()
	}
	q.flush()
	if s := q.stream; t.close && s != nil && !(q.life.queued() && s.maySend()) {
		s.Close()
	}
	if t.event != 0 {
		q.raise(t.event)
	}
	if t.idle && q.life.state == Closing {
		q.life.state = Idle
	}
}

// detach detaches the QP from its stream, if any, and returns the stream.
func (q *QP) detach() *Stream {
	s := q.stream
	if s != nil {
		s.detach()
		q.stream = nil
	}
	return s
}

// reset resets the stream, if there is one, and detaches it.
func (q *QP) reset() {
	if s := q.detach(); s != nil {
		s.Abort()
	}
}

// raise raises an event about the QP, if that still exists.
func (q *QP) raise(e EventType) {
	if q.id != 0 {
		q.rnic.raise(Event{Type: e, QP: q})
	}
}

// Busy reports whether the SQ or IRRQ has outstanding work, whether completions were polled or not: going to Closing
// would end in a Bad Close (Verbs, section 6.2.5).
func (q *QP) Busy() bool { return q.exists() && q.busy() }

func (q *QP) busy() bool {
	return q.sq.elements.len() > 0 || q.orrq.entries.len() > 0 || q.irrq.entries.len() > 0
}

// fin implements carried: the peer has closed its side.
func (q *QP) fin() {
	switch {
	case q.life.state != RTS:
	case q.busy():
		q.stop(problem{situation: rules.QueueError, event: BadLLPClose}, nil, 0)
	default:
		q.apply(q.life.close(false))
	}
}

// closed implements carried: the connection is over.
func (q *QP) closed(err error) {
	if q.stream != nil {
		q.apply(q.life.closed(err, q.busy()))
	}
}

// terminate returns the octets after the DDP header of the Terminate that answers a problem; nil if none does. culprit
// is the ULPDU to blame, nil for none; if it is a Read Request, so many octets of the response were sent before.
func (r *RNIC) terminate(p problem, culprit []byte, answered uint32) []byte {
	code, ok := p.terminates(r.config.Profile)
	if reaction, replaced := r.quirks.Reaction(p.situation); replaced && !reaction.Drop {
		code, ok = reaction.Code, true
	}
	if !ok {
		return nil
	}
	t := rdmap.Terminate{Code: code}
	style := r.config.Profile.Style()
	enclose(&t, style.HdrCt(p.situation), culprit, answered)
	header, _ := style.Append(nil, &t)
	return header
}

// terminates returns the code of the Terminate that answers a problem; ok is false if none does.
func (p *problem) terminates(profile *rules.Profile) (code rdmap.Code, ok bool) {
	code, ok = profile.Exact(p.situation)
	fits := code
	if fits.ErrorCode = p.code; p.code != 0 && profile.Due(p.situation).Codes.Contains(fits) {
		code = fits
	}
	return code, ok
}

// enclose puts the headers of the culprit into a Terminate. A Local Catastrophic Error of RDMAP has none.
func enclose(t *rdmap.Terminate, h rules.HdrCt, culprit []byte, answered uint32) {
	local := t.Code.Layer == rdmap.LayerRDMAP && t.Code.EType == rdmap.RDMAPLocalCatastrophic
	if culprit == nil || local || h == rules.Bare || h == rules.NoTerminate {
		return
	}
	t.Enclose(culprit, h == rules.MDR)
	if t.HasReadRequest && answered > 0 {
		t.ReadRequest = t.ReadRequest.Advanced(answered)
	}
}
