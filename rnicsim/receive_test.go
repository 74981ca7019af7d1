package rnicsim

import (
	"testing"

	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/rnicsim/quirk"
)

// A validator alone says what is wrong with an FPDU and with its segment.
func TestValidator(t *testing.T) {
	v := validator{profile: &rules.RFC, quirks: new(quirk.Set)}
	s, rq := New(Config{}).NewStream(StreamConfig{Rev: mpa.Rev1, CRC: true}), &receiveQueue{workQueue: workQueue{depth: 1}}
	rq.postReceives(&rq.elements, make([]WorkRequest, 1), 0)
	s.initiator = true // so that no Ready to Receive is due
	v.reset(1, 0)
	if p, bad := v.fpdu(&mpa.Deframed{Verdict: mpa.Bad}, mpa.Options{CRC: true}); !bad || p.event != LLPInvalidCRC {
		t.Errorf("%+v", p)
	}
	for i, c := range []struct {
		ulpdu string
		want  EventType
	}{
		{"4143 00000000 00000000 00000001 00000000", 0},
		{"4143 00000000 00000000 00000003 00000000", RQMSNGap},
		{"4143 00000000 00000000 00000001 00000000", RQMSNRange},
		{"4141 00000000 00000001 00000001 00000000 0000000000000000000000000000000000000000000000000000 0000", RemoteReadNotEnabled},
		{"c140 00000000 00000000 00000000", 0},
	} {
		p, bad, _ := v.ulpdu(hexOctets(c.ulpdu), rq, s)
		if bad != (c.want != 0) || p.event != c.want {
			t.Errorf("segment %d: %v, %q, want %q", i, bad, p.event, c.want)
		}
		if !bad {
			v.count(&v.segment)
		}
	}
	rq.begin()
	rq.pop()
	if p, bad, _ := v.ulpdu(hexOctets("4143 00000000 00000000 00000002 00000000"), rq, s); !bad || p.situation != rules.SendNoBuffer {
		t.Errorf("without a Receive: %v, %+v", bad, p)
	}
}
