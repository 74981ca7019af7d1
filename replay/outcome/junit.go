package outcome

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"
)

// suites is a Report in the form of JUnit: a suite for each connection, a case for each step of the other side.
type suites struct {
	XMLName  xml.Name `xml:"testsuites"`
	Name     string   `xml:"name,attr"`
	Tests    int      `xml:"tests,attr"`
	Failures int      `xml:"failures,attr"`
	Skipped  int      `xml:"skipped,attr"`
	Suites   []suite  `xml:"testsuite"`
}

type suite struct {
	Name     string `xml:"name,attr"`
	Tests    int    `xml:"tests,attr"`
	Failures int    `xml:"failures,attr"`
	Skipped  int    `xml:"skipped,attr"`
	Time     string `xml:"time,attr"`
	Cases    []test `xml:"testcase"`
}

type test struct {
	Class   string `xml:"classname,attr"`
	Name    string `xml:"name,attr"`
	Time    string `xml:"time,attr"`
	Failure *note  `xml:"failure"`
	Skipped *note  `xml:"skipped"`
	Output  string `xml:"system-out,omitempty"`
}

type note struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr,omitempty"`
	Text    string `xml:",cdata"` // fit for a terminal, so fit for this
}

// WriteJUnit writes a Report as a JUnit document. What is mismatched or not reached is a failure, what is not applicable
// is skipped.
func WriteJUnit(w io.Writer, r *Report) error {
	all := suites{Name: clean(r.Title)}
	for _, c := range r.Conns {
		s := newSuite(c)
		all.Tests += s.Tests
		all.Failures += s.Failures
		all.Skipped += s.Skipped
		all.Suites = append(all.Suites, s)
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	e := xml.NewEncoder(w)
	e.Indent("", "  ")
	if err := e.Encode(&all); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

func newSuite(c *Conn) suite {
	s := suite{Name: clean(c.Name)}
	if c.NotApplicable != "" {
		s.Cases = append(s.Cases, test{Class: s.Name, Name: "connection", Time: "0.000000", Skipped: &note{Message: clean(c.NotApplicable)}})
	}
	var last float64
	for i := range c.Steps {
		each := &c.Steps[i]
		if each.Verdict == Sent {
			continue
		}
		last = max(last, seconds(each.At))
		s.Cases = append(s.Cases, newTest(c, each))
	}
	for i := range s.Cases {
		s.Tests++
		if s.Cases[i].Failure != nil {
			s.Failures++
		}
		if s.Cases[i].Skipped != nil {
			s.Skipped++
		}
	}
	s.Time = fmt.Sprintf("%.6f", last)
	return s
}

func newTest(c *Conn, s *Step) test {
	t := test{Class: clean(c.Name), Name: strings.TrimSpace(s.title(c.Role)), Time: fmt.Sprintf("%.6f", seconds(s.At))}
	switch s.Verdict {
	case Mismatched, NotReached, NotSent:
		t.Failure = &note{Message: clean(s.Reason), Type: s.Verdict.String()}
		if s.Diff != nil {
			var lines texter
			lines.diff(s.Diff)
			t.Failure.Text = "\n" + lines.b.String()
		}
	case NotApplicable:
		t.Skipped = &note{Message: clean(s.Reason)}
	case Accepted:
		t.Output = "accepted: " + clean(s.Reason)
	}
	return t
}
