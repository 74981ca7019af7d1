package show_test

import (
	"testing"

	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/show"
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
		{3, 3, "3", "a.pcap:3"}, {3, 9, "3-9", "a.pcap:3-9"}, {9, 12, "9-12", "a.pcap:9-b.pcap:2"},
		{11, 19, "11-19", "b.pcap:1-9"}, {101, 101, "101", "101"},
	} {
		s := &record.Span{Frame: test.first, LastFrame: test.last}
		if got := string(show.Frames(nil).Append(nil, s)); got != test.one {
			t.Errorf("got %s, want %s", got, test.one)
		}
		if got := string(show.Frames(inTwo).Append(nil, s)); got != test.two {
			t.Errorf("got %s, want %s", got, test.two)
		}
	}
	const words = "At 3 ms the Send in frames 9-12 (MSN 7), and 3 more until frame 20; unframed 5 frames, frame 3: Frame 1"
	const want = "At 3 ms the Send in frames a.pcap:9-b.pcap:2 (MSN 7), and 3 more until frame b.pcap:10; unframed 5 frames, " +
		"frame a.pcap:3: Frame a.pcap:1"
	if got := show.Frames(inTwo).Words(words); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if got := show.Frames(nil).Words(words); got != words {
		t.Errorf("got %s", got)
	}
	if file, number := show.Frames(nil).Place(12); file != "" || number != 12 {
		t.Errorf("got %s:%d", file, number)
	}
}
