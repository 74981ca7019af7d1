package flow_test

import (
	"testing"

	"github.com/iwarpkit/iwarp/dissect/flow"
)

// inTwo is of two files, the first of which has ten frames.
func inTwo(frame uint64) (string, uint64) {
	switch {
	case frame > 100:
		return "", frame
	case frame > 10:
		return "b.pcap", frame - 10
	}
	return "a.pcap", frame
}

func TestFrames(t *testing.T) {
	for _, test := range []struct {
		first, last uint64
		one, two    string
	}{
		{3, 3, "frame 3", "frame a.pcap:3"}, {3, 9, "frames 3-9", "frames a.pcap:3-9"}, {9, 12, "frames 9-12", "frames a.pcap:9-b.pcap:2"},
		{11, 19, "frames 11-19", "frames b.pcap:1-9"}, {101, 101, "frame 101", "frame 101"},
	} {
		s := flow.Span{Frame: test.first, LastFrame: test.last}
		if got := flow.Frames(nil).Text(s); got != test.one {
			t.Errorf("got %s, want %s", got, test.one)
		}
		if got := flow.Frames(inTwo).Text(s); got != test.two {
			t.Errorf("got %s, want %s", got, test.two)
		}
	}
	for _, test := range []struct {
		first, last uint64
		want        bool
	}{{11, 19, true}, {9, 12, false}, {3, 9, false}} {
		own, ok := flow.Frames(inTwo).In("b.pcap", &flow.Span{Frame: test.first, LastFrame: test.last})
		if ok != test.want || ok && own != (flow.Span{Frame: test.first - 10, LastFrame: test.last - 10}) {
			t.Errorf("%+v: %+v, %v", test, own, ok)
		}
	}
	if file, number := flow.Frames(nil).Place(12); file != "" || number != 12 {
		t.Errorf("got %s:%d", file, number)
	}
}
