package outcome

import (
	"io"
	"strings"

	"github.com/iwarpkit/iwarp/internal/junit"
)

// WriteJUnit writes a Report as a JUnit document: a suite for each connection, a test for each step of the other side, and for each
// of the own side that was not sent. A mismatched step, or one not reached, is a failure. One that is not applicable is skipped, and so is
// one that was not sent, unless nothing else failed.
func WriteJUnit(w io.Writer, r *Report) error {
	var suites []*junit.Suite
	for _, c := range r.Conns {
		suites = append(suites, newSuite(c))
	}
	return junit.Write(w, r.Title, suites)
}

func newSuite(c *Conn) *junit.Suite {
	s := &junit.Suite{Name: c.Name}
	if c.NotApplicable != "" {
		s.Add(&junit.Test{Class: c.Name, Name: "connection", Skipped: &junit.Note{Message: c.NotApplicable}})
	}
	for i := range c.Steps {
		if each := &c.Steps[i]; each.Verdict != Sent {
			s.Time = max(s.Time, each.At)
			s.Add(newTest(c, each))
		}
	}
	return s
}

func newTest(c *Conn, s *Step) *junit.Test {
	t := &junit.Test{Class: c.Name, Name: strings.TrimSpace(s.title(c.Role)), Time: s.At}
	switch s.Verdict {
	case NotSent:
		if sum := c.Summary(); sum.Mismatched+sum.NotReached > 0 {
			t.Skipped = &junit.Note{Message: c.why(s)}
			break
		}
		t.Failure = &junit.Note{Message: c.why(s), Type: s.Verdict.String()}
	case Mismatched, NotReached:
		t.Failure = &junit.Note{Message: c.why(s), Type: s.Verdict.String()}
		if s.Diff != nil {
			var lines texter
			lines.diff(s.Diff)
			t.Failure.Text = lines.b.String()
		}
	case NotApplicable:
		t.Skipped = &junit.Note{Message: s.Reason}
	case Accepted:
		t.Output = "accepted: " + s.Reason
	}
	return t
}

// why is the reason of a verdict: that of the step, or why the connection was over before it.
func (c *Conn) why(s *Step) string {
	switch {
	case s.Reason != "":
		return s.Reason
	case c.End != "":
		return "the connection ended early: " + c.End
	}
	return strings.ReplaceAll(s.Verdict.String(), "_", " ")
}
