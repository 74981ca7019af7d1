package rnicsim

import "testing"

// What each change of state leads to, without a stream or work.
func TestLifecycle(t *testing.T) {
	inRTS := lifecycle{state: RTS}
	sending := lifecycle{state: Terminate, last: &LastMessage{queued: true}}
	reported := lifecycle{state: Terminate, reported: true}
	for name, c := range map[string]struct {
		from lifecycle
		step func(*lifecycle) transition
		to   State
		want transition
	}{
		"problem": {inRTS, func(l *lifecycle) transition { return l.terminate([]byte{1}, RQMSNGap) }, Terminate,
			transition{stream: streamLingers, close: true, event: RQMSNGap}},
		"Terminate of the peer": {inRTS, func(l *lifecycle) transition { return l.terminated(nil) }, Terminate,
			transition{stream: streamLingers, close: true, event: TerminateReceived}},
		"verb":          {inRTS, func(l *lifecycle) transition { return l.abort(0) }, Error, transition{stream: streamReset}},
		"close":         {inRTS, func(l *lifecycle) transition { return l.close(false) }, Closing, transition{close: true}},
		"close at work": {inRTS, func(l *lifecycle) transition { return l.close(true) }, Error, transition{stream: streamReset, event: BadClose}},
		"closed by both": {lifecycle{state: Closing}, func(l *lifecycle) transition { return l.closed(nil, false) }, Closing,
			transition{stream: streamDetached, event: LLPCloseComplete, idle: true}},
		"closed at work": {inRTS, func(l *lifecycle) transition { return l.closed(nil, true) }, Error,
			transition{stream: streamDetached, event: BadLLPClose}},
		"reset in RTS": {inRTS, func(l *lifecycle) transition { return l.closed(ErrReset, false) }, Error,
			transition{stream: streamDetached, event: LLPConnectionReset}},
		"reset in Closing": {lifecycle{state: Closing}, func(l *lifecycle) transition { return l.closed(ErrReset, false) }, Error,
			transition{stream: streamDetached, event: LLPConnectionLost}},
		"closed in Terminate":      {sending, func(l *lifecycle) transition { return l.closed(nil, false) }, Error, transition{stream: streamDetached}},
		"lost in Terminate":        {sending, func(l *lifecycle) transition { return l.closed(ErrLost, false) }, Error, transition{stream: streamDetached, event: BadClose}},
		"lost, cause was reported": {reported, func(l *lifecycle) transition { return l.closed(ErrLost, false) }, Error, transition{stream: streamDetached}},
	} {
		l := c.from
		if got := c.step(&l); got != c.want || l.state != c.to {
			t.Errorf("%s: %+v in %v, want %+v in %v", name, got, l.state, c.want, c.to)
		}
		if l.queued() != (name == "problem") {
			t.Errorf("%s: a Terminate waits: %v", name, l.queued())
		}
	}
}
