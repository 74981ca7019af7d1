package show_test

import (
	"fmt"
	"testing"

	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/show"
	"github.com/iwarpkit/iwarp/dissect/transit"
)

func TestFileOf(t *testing.T) {
	frames := flow.Frames(func(frame uint64) (string, uint64) { return fmt.Sprintf("%d.pcap", frame/100), frame % 100 })
	for _, c := range []struct {
		frames      flow.Frames
		first, last uint64
		ends        *transit.Ends
		want        string
	}{
		{frames, 110, 120, nil, "1.pcap"},
		{frames, 110, 210, nil, ""},
		{frames, 110, 120, new(transit.Ends), ""},
		{nil, 110, 120, nil, ""},
	} {
		conn := &flow.Conn{Frames: c.frames, Span: flow.Span{Frame: c.first, LastFrame: c.last}}
		if got := show.FileOf(&record.Verdict{Conn: conn, Ends: c.ends}); got != c.want {
			t.Errorf("%d to %d: %q, want %q", c.first, c.last, got, c.want)
		}
	}
}

func TestWithin(t *testing.T) {
	for _, c := range []struct {
		file   string
		known  bool
		before string
		after  string
	}{
		{"a.pcap", false, "the Write in frame a.pcap:10 (frames a.pcap:12-19): see frame a.pcap:6.", "the Write in frame a.pcap:10 (frames 12-19): see frame 6."},
		{"a.pcap", true, "frame a.pcap:10: MPA frames from the client in frame a.pcap:12", "frame 10: MPA frames from the client in frame 12"},
		{"a.pcap", true, "in frame b.pcap:3 and in frame a.pcap:4, then in frame a.pcap:5", "in frame b.pcap:3 and in frame a.pcap:4, then in frame 5"},
		{"a.pcap", true, "in frames a.pcap:3-b.pcap:1, in frame a.pcap:4", "in frames 3-b.pcap:1, in frame a.pcap:4"},
		{"my file.pcap", true, "in frame my file.pcap:3, frame my file.pcap:4", "in frame 3, frame 4"},
		{"a.pcap", true, "in frame the other.pcap:3 and in frame a.pcap:4 (2): done", "in frame the other.pcap:3 and in frame a.pcap:4 (2): done"},
		{"", true, "in frame a.pcap:3 of a.pcap:4", "in frame a.pcap:3 of a.pcap:4"},
		{"a", true, "schema:1 in frame a:3", "schema:1 in frame 3"},
		{"a.pcap", true, "frame", "frame"},
	} {
		got := show.Within(c.file, c.known, c.before)
		if got != c.after {
			t.Errorf("%q: %q, want %q", c.before, got, c.after)
		}
		if again := show.Within(c.file, c.known, got); c.known && again != got {
			t.Errorf("%q, the second time: %q", got, again)
		}
	}
}
