package cli

// Where a Scenario comes from: its text, or a capture.

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/iwarpkit/iwarp/dissect/show/text"
	"github.com/iwarpkit/iwarp/pcaps"
	"github.com/iwarpkit/iwarp/replay/compile"
	"github.com/iwarpkit/iwarp/replay/scenario"
)

// load returns the Scenario in files, with the chosen connections. It fails if none can be played.
func (r *replay) load(ctx context.Context, files []string) (*scenario.Scenario, error) {
	if files[0] == pcaps.Stdin {
		if file, ok := r.In.(*os.File); ok {
			r.reads(file.Stat())
		}
		r.In = &interruptible{ctx: ctx, in: r.In, idle: func() {}}
	}
	text, err := r.scenarioText(files[0])
	if err != nil {
		return nil, unreadable(err)
	}
	if text == nil {
		return r.compile(ctx, files)
	}
	defer text.Close()
	if len(files) > 1 {
		return nil, fmt.Errorf("%s is a scenario, of which one is played at a time", displayName(files[0]))
	}
	s, err := scenario.Read(displayName(files[0]), text, r.share())
	if err != nil {
		return nil, unreadable(err)
	}
	var names []string
	for _, c := range s.Conns {
		names = append(names, c.Name)
	}
	if err := r.choose(s, names); err != nil {
		return nil, err
	}
	if len(s.Conns) == 0 {
		return nil, unreadable(fmt.Errorf("%s has no connection", displayName(files[0])))
	}
	return s, nil
}

// share is how much of --memory a Scenario may take. The rest is for playing it; against an RNIC in this process, that has the
// payloads of both ends too.
func (r *replay) share() int {
	if r.sim {
		return r.memory.octets() / 5
	}
	return r.memory.octets() / 2
}

// choose drops the connections that were not chosen. It fails if a chosen one is not among the names.
func (r *replay) choose(s *scenario.Scenario, names []string) error {
	s.Conns = slices.DeleteFunc(s.Conns, func(c *scenario.Conn) bool { return !r.conns.matches(c.Name) })
	return r.conns.missing(names)
}

// headLen is how many octets decide whether a file is a scenario or a capture.
const headLen = 512

// scenarioText opens the text of a scenario; it returns nil for a capture. A scenario begins with a comment or the word scenario.
func (r *replay) scenarioText(name string) (io.ReadCloser, error) {
	in := io.NopCloser(r.In)
	if name != pcaps.Stdin {
		file, err := r.open(name)
		if err != nil {
			return nil, err
		}
		in = file
	}
	b := bufio.NewReaderSize(in, headLen)
	head, _ := b.Peek(headLen) // the reader meets the error again
	if head = bytes.TrimSpace(head); bytes.HasPrefix(head, []byte("scenario")) || bytes.HasPrefix(head, []byte("#")) {
		return struct {
			io.Reader
			io.Closer
		}{b, in}, nil
	}
	if name == pcaps.Stdin {
		r.In = b
	}
	return nil, in.Close()
}

func (r *replay) compile(ctx context.Context, files []string) (*scenario.Scenario, error) {
	in, err := r.openFiles(ctx, files, false, func() {})
	if err != nil {
		return nil, unreadable(err)
	}
	defer in.Close()
	options := compile.Options{Title: plainName(files[0]), MPA: r.mpa.value, Memory: r.share()}
	s, report, err := compile.Capture(ctx, &awaited{in, r.newWait()}, options)
	if err != nil {
		return nil, unreadable(err)
	}
	n := r.newNotes(files, in)
	for _, err := range in.Damage() {
		fmt.Fprintf(n.w, "note: %s\n", shown(oneLine(err)))
	}
	var names []string
	for _, c := range report.Conns {
		names = append(names, c.Name)
	}
	if err := r.choose(s, names); err != nil {
		return nil, err
	}
	r.left = leftBy(report, r.conns)
	report.Conns = slices.DeleteFunc(report.Conns, func(c *compile.ConnReport) bool { return !r.conns.matches(c.Name) })
	r.tell(report, n)
	if len(s.Conns) == 0 {
		return nil, unreadable(fmt.Errorf("%s: %s", displayName(files[0]), nothingIn(report)))
	}
	return s, nil
}

// leftBy returns the chosen connections that cannot be played.
func leftBy(report *compile.Report, chosen connNames) (left []*compile.ConnReport) {
	for _, c := range report.Conns {
		if c.NotApplicable != "" && chosen.matches(c.Name) {
			left = append(left, c)
		}
	}
	return left
}

// nothingIn says why a capture has nothing to play.
func nothingIn(report *compile.Report) string {
	if len(report.Conns) == 0 {
		return string(text.AppendNothing(nil, &report.Totals))
	}
	words := "nothing in it can be played"
	for _, c := range report.Conns[:min(len(report.Conns), maxListed)] {
		words += fmt.Sprintf("\n  %s: %s", c.Name, c.NotApplicable)
	}
	return words
}
