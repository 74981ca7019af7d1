package session

import (
	"slices"
	"testing"

	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/framing"
)

// TestStartup feeds MPA frames to a startup.
func TestStartup(t *testing.T) {
	request, reply := mpa.Frame{Rev: 1}, mpa.Frame{Rev: 1, Reply: true}
	reject, long := mpa.Frame{Rev: 1, Reply: true, R: true}, mpa.Frame{Rev: 1, PDLength: 513}
	type sent struct {
		side  int
		frame mpa.Frame
	}
	for _, tc := range []struct {
		name   string
		before [2]phase
		frames []sent
		steps  []step
		phases [2]phase
	}{
		{"agreement", [2]phase{}, []sent{{0, request}, {1, reply}}, []step{stepWait, stepAgree}, [2]phase{full, full}},
		{"Reply first", [2]phase{}, []sent{{1, reply}, {0, request}}, []step{stepWait, stepAgree}, [2]phase{full, full}},
		{"two Requests", [2]phase{}, []sent{{0, request}, {1, request}}, []step{stepWait, stepWait}, [2]phase{waiting, waiting}},
		{"rejection", [2]phase{}, []sent{{0, request}, {1, reject}}, []step{stepWait, stepReject}, [2]phase{streaming, streaming}},
		{
			"second handshake", [2]phase{}, []sent{{0, request}, {1, reject}, {0, request}, {1, reply}},
			[]step{stepWait, stepReject, stepWait, stepAgree}, [2]phase{full, full},
		},
		{"long Private Data", [2]phase{}, []sent{{0, long}, {1, reply}}, []step{stepRefuse, stepWait}, [2]phase{opaque, waiting}},
		{"late Reply", [2]phase{full, streaming}, []sent{{1, reply}}, []step{stepWait}, [2]phase{full, waiting}},
		{"late Reply, Request seen", [2]phase{waiting, streaming}, []sent{{0, request}, {1, reply}}, []step{stepWait, stepAgree}, [2]phase{full, full}},
	} {
		s, c := startup{phases: tc.before}, new(flow.Conn)
		var steps []step
		for _, f := range tc.frames {
			keepFrame(c, &f.frame)
			steps = append(steps, s.frame(f.side, &f.frame, c))
		}
		if !slices.Equal(steps, tc.steps) || s.phases != tc.phases {
			t.Errorf("%s: steps %v to %v, want %v to %v", tc.name, steps, s.phases, tc.steps, tc.phases)
		}
	}
	s, c := startup{phases: [2]phase{full, streaming}}, &flow.Conn{Requested: true}
	if keepFrame(c, &reply); s.frame(1, &reply, c) != stepLate || s.phases[1] != full {
		t.Error("a late Reply does not begin full operation")
	}
}

// TestTerms collects what is known of a direction from several sources.
func TestTerms(t *testing.T) {
	stated := framing.MPA{CRC: framing.Off, Markers: [2]framing.Setting{framing.On, framing.On}}
	c := &flow.Conn{Request: mpa.Frame{Rev: 1, C: true, M: true}, Requested: true}
	on := func(from flow.Source) framing.Term { return framing.Term{Setting: framing.On, From: from} }
	if got := termsOf(c, flow.S2C, &stated); got.CRC != on(flow.Negotiated) || got.Markers != on(flow.Negotiated) {
		t.Errorf("of the Request: %+v", got)
	}
	if got := termsOf(c, flow.C2S, &stated); got.Markers != on(flow.Stated) {
		t.Errorf("of the statement: %+v", got)
	}
	learn(c, flow.C2S, &framing.Terms{CRC: on(flow.Inferred), RDMAC: framing.Term{Setting: framing.Off, From: flow.Inferred}})
	if got := termsOf(c, flow.C2S, new(framing.MPA)); got.RDMAC.From != flow.Inferred || got.CRC != on(flow.Negotiated) || got.Markers.Setting != framing.Unset {
		t.Errorf("of the other direction: %+v", got)
	}
	reply := mpa.Frame{Rev: 1, Reply: true, M: true}
	keepFrame(c, &reply)
	negotiate(c)
	if got := agreedTerms(c, flow.C2S); got.CRC != on(flow.Negotiated) || got.Markers != on(flow.Negotiated) || !c.Agreed {
		t.Errorf("of both frames: %+v", got)
	}
}
