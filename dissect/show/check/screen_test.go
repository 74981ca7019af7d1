package check_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/show/check"
	"github.com/iwarpkit/iwarp/internal/junit"
	"github.com/iwarpkit/iwarp/internal/recordtest"
)

// failed is the verdict on c, whose server sent a Terminate, for a cause of its own.
func failed(c *flow.Conn, cause string) *record.Verdict {
	v := terminated(c)
	f := wrongMSN(c, c.Frame+1)
	f.Name = cause
	v.Cause, v.Culprit, v.Headline = f, flow.Client, "The server ended it."
	return v
}

// However many connections there are, a screen has the worst of them, and counts the others.
func TestScreen(t *testing.T) {
	for _, connections := range []int{1, 2, 3, 10, 30, 2000} {
		for _, width := range []int{40, 80} {
			const lines = 24
			got := printed(t, check.Options{Lines: lines, Width: width}, func(r *check.Text) {
				for id := range connections {
					c := connection(id)
					recordtest.Alone(r).Finding(wrongMSN(c, uint64(id)))
					if id < connections/2 {
						recordtest.Alone(r).Verdict(terminated(c))
					} else {
						recordtest.Alone(r).Verdict(failed(c, fmt.Sprint("cause-", id)))
					}
				}
			})
			if n := strings.Count(got, "\n"); n > lines {
				t.Errorf("%d connections, %d columns: %d lines\n%s", connections, width, n, got)
			}
			for line := range strings.Lines(got) {
				if len(strings.TrimSuffix(line, "\n")) > width {
					t.Errorf("%d connections, %d columns: %q", connections, width, line)
				}
			}
			if first := fmt.Sprintf("Connection %d: ", connections/2); !strings.Contains(got, first) {
				t.Errorf("%d connections: the first that failed is not shown\n%s", connections, got)
			}
		}
	}
}

// A screen of a line can be too small even for nothing.
func TestScreenOfNothing(t *testing.T) {
	whole := printed(t, check.Options{Width: 40}, func(*check.Text) {})
	if got := printed(t, check.Options{Lines: 1, Width: 40}, func(*check.Text) {}); got != whole || strings.Count(got, "\n") != 2 {
		t.Errorf("got %q, want %q", got, whole)
	}
}

func TestScreenCountsTheRest(t *testing.T) {
	got := printed(t, check.Options{Lines: 6, Brief: "--group-by rule, peer or conn"}, func(r *check.Text) {
		for id := range 40 {
			recordtest.Alone(r).Verdict(failed(connection(id), fmt.Sprint("cause-", id)))
		}
		recordtest.Alone(r).Verdict(failed(connection(40), "cause-0"))
		v := closed(connection(41))
		v.Warnings = 1
		recordtest.Alone(r).Verdict(v)
	})
	const want = `39 more connections failed, 1 more connection has warnings.
42 connections, 41 failed. Findings: 82 errors, 42 warnings.
Use --all to see everything, or --group-by rule, peer or conn for counts.
`
	if !strings.HasPrefix(got, "The server ended it ") || !strings.HasSuffix(got, want) {
		t.Errorf("got\n%s", got)
	}
}

// TestHint checks that what is not shown of connections with a verdict is pointed to, and that healthy ones have one line.
func TestHint(t *testing.T) {
	for _, test := range []struct {
		failed, fine, notes int
		want                string
	}{
		{1, 0, 0, "2 errors, 1 warning.\n"},
		{1, 0, 1, "1 note.\nUse --all to see everything.\n"},
		{1, 1, 0, "2 errors, 1 warning.\nUse --all to see everything, or --group-by rule, peer or conn for counts.\n"},
		{0, 2, 0, "2 connections, none failed. No findings.\n"},
		{0, 1, 1, "1 connection, none failed. Findings: 1 note (see --all).\n"},
	} {
		got := printed(t, check.Options{Lines: 24, Width: 100, Brief: "--group-by rule, peer or conn"}, func(r *check.Text) {
			for id := range test.failed + test.fine {
				v := closed(connection(id))
				if id < test.failed {
					v = failed(connection(id), "cause")
				}
				if id == 0 {
					v.Notes = uint64(test.notes)
				}
				recordtest.Alone(r).Verdict(v)
			}
		})
		if !strings.HasSuffix(got, test.want) || test.failed == 0 && got != test.want {
			t.Errorf("%+v:\n%s", test, got)
		}
	}
}

// TestTallyOrder gives connections in several orders, as a fleet does. What is told is of the first of them.
func TestTallyOrder(t *testing.T) {
	for _, order := range [][]int{{0, 1, 2}, {2, 0, 1}, {1, 2, 0}} {
		tally := check.NewTally(check.ByPeer)
		sink := recordtest.Alone(tally)
		for _, id := range order {
			c := connection(id)
			sink.Finding(wrongMSN(c, uint64(id)))
			v := failed(c, "send-msn")
			v.Headline = fmt.Sprintf("Connection %d failed.", id)
			if id == 0 {
				v.Cause.Time++ // later than the others, which fail at the same time
			}
			sink.Verdict(v)
		}
		if got := tally.Rows()[0]; got.Story != "Connection 1 failed." {
			t.Errorf("%v: %+v", order, got)
		}
	}
}

// inTwo is of two files, the first of which has 100 frames.
func inTwo(frame uint64) (string, uint64) {
	if frame > 100 {
		return "b", frame - 100
	}
	return "a", frame
}

// TestShortOfFiles shortens verdicts of connections in several files to one line, which still says where they are.
func TestShortOfFiles(t *testing.T) {
	got := printed(t, check.Options{Lines: 13}, func(r *check.Text) {
		for id := range 2 {
			c := connection(id)
			c.Frames = inTwo
			recordtest.Alone(r).Verdict(failed(c, fmt.Sprint("cause ", id)))
		}
	})
	if !strings.Contains(got, "\nConnection 1, frames b:1-99: The server ended it.\n") {
		t.Errorf("got\n%s", got)
	}
}

func TestTally(t *testing.T) {
	for _, test := range []struct {
		by   check.Grouping
		want []check.Row
	}{
		{check.ByRule, []check.Row{
			{Name: "DDP-5.3-4 (send-msn)", Conns: 2, Failed: 1, Worst: rules.Error, Found: 3},
			{Name: "OBS-TERMINATE (terminate)", Conns: 1, Worst: rules.Warning, Found: 1},
		}},
		{check.ByPeer, []check.Row{
			{Name: "10.0.0.1", Conns: 3, Failed: 1, Worst: rules.Error, Found: 3},
			{Name: "10.0.0.2", Conns: 3, Worst: rules.Warning, Found: 1},
		}},
		{check.ByConn, []check.Row{
			{Name: "1: 10.0.0.1:44600 > 10.0.0.2:7509", Conns: 1, Failed: 1, Worst: rules.Error, Found: 2},
			{Name: "0: 10.0.0.1:44600 > 10.0.0.2:7509", Conns: 1, Worst: rules.Error, Found: 1},
			{Name: "2: 10.0.0.1:44600 > 10.0.0.2:7509", Conns: 1},
		}},
		{check.ByFile("none"), []check.Row{
			{Name: "b", Conns: 2, Failed: 1, Worst: rules.Error, Found: 2}, {Name: "a", Conns: 1, Worst: rules.Error, Found: 1},
		}},
	} {
		tally := check.NewTally(test.by)
		sink := recordtest.Alone(tally)
		for id := range 3 {
			c := connection(id)
			c.Frames = inTwo
			whole := c.Span
			c.Span = flow.Span{} // it is not known before the end
			for i := range []int{1, 2, 0}[id] {
				sink.Finding(wrongMSN(c, whole.Frame+uint64(i)))
			}
			c.Span = whole
			if id == 1 {
				sink.Finding(observation(c, 150, ended))
				sink.Verdict(failed(c, "send-msn"))
			} else {
				sink.Verdict(closed(c))
			}
		}
		got := tally.Rows()
		for i := range got {
			if failed := got[i].Failed > 0; failed != strings.HasPrefix(got[i].Story, "The server ended it") {
				t.Errorf("%s: %q", got[i].Name, got[i].Story)
			}
			got[i].Story = ""
		}
		if d := cmp.Diff(test.want, got); d != "" {
			t.Errorf("(-want +got)\n%s", d)
		}
		if tally.Connections != 3 || tally.Summary.Failed != 1 {
			t.Errorf("got %+v", tally.Summary)
		}
	}
}

// Lines have the objects of the Document. The connection that came after a failure has a line of its own.
func TestLines(t *testing.T) {
	give := func(sink record.Sink) {
		c := connection(0)
		recordtest.Alone(sink).Finding(wrongMSN(c, 12))
		recordtest.Alone(sink).Verdict(failed(c, "send-msn"))
		recordtest.Alone(sink).Verdict(failed(connection(1), "send-msn"))
	}
	head := check.Head{Files: []string{"a.pcap"}, Profile: "rfc"}
	var whole, each bytes.Buffer
	d, l := check.NewDocument(&whole, head), check.NewLines(&each, head)
	give(d)
	give(l)
	if err := errors.Join(d.Finish(nil), l.Finish(nil)); err != nil {
		t.Fatal(err)
	}
	var document map[string]any
	if err := json.Unmarshal(whole.Bytes(), &document); err != nil {
		t.Fatal(err)
	}
	connections := document["connections"].([]any)
	verdict := connections[0].(map[string]any)["verdict"].(map[string]any)
	next := map[string]any{"conn": 0.0, "next": verdict["next"]}
	delete(verdict, "next")
	want := []any{document["findings"].([]any)[0], connections[0], connections[1], next, document["summary"]}
	for i, kind := range []string{"finding", "connection", "connection", "next", "summary"} {
		line, err := each.ReadBytes('\n')
		var got map[string]any
		if err := errors.Join(err, json.Unmarshal(line, &got)); err != nil {
			t.Fatalf("%v in %s", err, line)
		}
		if got["schema"] != check.Schema || got["type"] != kind || got["files"].([]any)[0] != "a.pcap" {
			t.Errorf("got %v", got)
		}
		for _, key := range []string{"schema", "type", "files", "damage"} {
			delete(got, key)
		}
		if d := cmp.Diff(want[i], any(got)); d != "" {
			t.Errorf("%s: (-want +got)\n%s", kind, d)
		}
	}
}

func TestTests(t *testing.T) {
	tests := check.NewTests("a.pcap", func(failed bool, _, _ uint64) bool { return failed })
	for id, v := range []*record.Verdict{closed(connection(0)), failed(connection(1), "send-msn")} {
		if id == 1 {
			v.Conn.Frames = inTwo
		}
		recordtest.Alone(tests).Finding(wrongMSN(v.Conn, uint64(id)))
		recordtest.Alone(tests).Verdict(v)
	}
	var b strings.Builder
	if err := junit.Write(&b, "check", []*junit.Suite{tests.Suite}); err != nil {
		t.Fatal(err)
	}
	passed, failed, _ := strings.Cut(b.String(), "</testcase>")
	if !strings.Contains(b.String(), `tests="2" failures="1"`) || strings.Contains(passed, "<failure") || !strings.Contains(passed, "DDP-5.3-4") {
		t.Errorf("got %s", b.String())
	}
	if !strings.Contains(passed, `classname="a.pcap"`) || !strings.Contains(failed, `classname="b" name="connection 1: 10.0.0.1:44600`) {
		t.Errorf("got %s", b.String())
	}
	if !strings.Contains(failed, `<failure message="The server ended it`) || !strings.Contains(failed, `type="send-msn"`) || !strings.Contains(failed, "frame a:1: DDP-5.3-4") {
		t.Errorf("got %s", failed)
	}
}

// Every frame in JSON is numbered as in its file.
func TestPlaces(t *testing.T) {
	var b bytes.Buffer
	d := check.NewDocument(&b, check.Head{})
	c := connection(1)
	c.Frames = func(frame uint64) (string, uint64) { return "b.pcap", frame + 100_000 }
	recordtest.Alone(d).Finding(wrongMSN(c, 12))
	v := failed(c, "send-msn")
	v.Consequences = append(v.Consequences, wrongMSN(c, 13))
	v.Peers[flow.S2C][flow.RNIC] = flow.Ground{Peer: "siw", Frame: 14}
	v.Terminations[0].Invalidated, v.Evidence.Span = 15, span(16, 16)
	recordtest.Alone(d).Verdict(v)
	if err := d.Finish(nil); err != nil {
		t.Fatal(err)
	}
	var all any
	if err := json.Unmarshal(b.Bytes(), &all); err != nil {
		t.Fatal(err)
	}
	frames := 0
	var walk func(any)
	walk = func(v any) {
		switch v := v.(type) {
		case []any:
			for _, e := range v {
				walk(e)
			}
		case map[string]any:
			for key, e := range v {
				if n, ok := e.(float64); ok && (strings.HasSuffix(key, "frame") || key == "invalidated") {
					frames++
					if n < 100_000 || key == "frame" && v["file"] != "b.pcap" {
						t.Errorf("%s is %v in %v", key, n, v)
					}
				}
				walk(e)
			}
		}
	}
	walk(all)
	if frames < 15 {
		t.Errorf("%d frames in %s", frames, b.String())
	}
}
