// Package junit writes test results in the format of JUnit, which CI systems read.
package junit

import (
	"encoding/xml"
	"fmt"
	"io"
	"time"

	"github.com/iwarpkit/iwarp/internal/printable"
)

// A Suite is a group of tests.
type Suite struct {
	Name  string
	Time  time.Duration
	Tests []Test
}

// A Test is one test. At most one of Failure, Fault and Skipped is set; if none is, it passed.
type Test struct {
	Class   string
	Name    string
	Time    time.Duration
	Failure *Note
	Fault   *Note // it could not be run
	Skipped *Note
	Output  string // any other output
}

// A Note says why a test did not pass.
type Note struct {
	Message string // one line
	Type    string
	Text    string // any number of lines
}

// root is the document.
type root struct {
	XMLName  xml.Name `xml:"testsuites"`
	Name     string   `xml:"name,attr"`
	Tests    int      `xml:"tests,attr"`
	Failures int      `xml:"failures,attr"`
	Errors   int      `xml:"errors,attr"`
	Skipped  int      `xml:"skipped,attr"`
	Suites   []suite  `xml:"testsuite"`
}

type suite struct {
	Name     string `xml:"name,attr"`
	Tests    int    `xml:"tests,attr"`
	Failures int    `xml:"failures,attr"`
	Errors   int    `xml:"errors,attr"`
	Skipped  int    `xml:"skipped,attr"`
	Time     string `xml:"time,attr"`
	Cases    []test `xml:"testcase"`
}

type test struct {
	Class   string `xml:"classname,attr"`
	Name    string `xml:"name,attr"`
	Time    string `xml:"time,attr"`
	Failure *note  `xml:"failure"`
	Error   *note  `xml:"error"`
	Skipped *note  `xml:"skipped"`
	Output  string `xml:"system-out,omitempty"`
}

type note struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr,omitempty"`
	Text    string `xml:",cdata"`
}

// Write writes suites as one document, which is well-formed whatever characters the texts have.
func Write(w io.Writer, name string, suites []Suite) error {
	all := root{Name: printable.String(name)}
	for i := range suites {
		s := newSuite(&suites[i])
		all.Tests += s.Tests
		all.Failures += s.Failures
		all.Errors += s.Errors
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

func newSuite(s *Suite) suite {
	x := suite{Name: printable.String(s.Name), Time: seconds(s.Time), Tests: len(s.Tests)}
	for i := range s.Tests {
		t := &s.Tests[i]
		for _, count := range []struct {
			n  *int
			is bool
		}{{&x.Failures, t.Failure != nil}, {&x.Errors, t.Fault != nil}, {&x.Skipped, t.Skipped != nil}} {
			if count.is {
				*count.n++
			}
		}
		x.Cases = append(x.Cases, test{
			Class: printable.String(t.Class), Name: printable.String(t.Name), Time: seconds(t.Time),
			Failure: newNote(t.Failure), Error: newNote(t.Fault), Skipped: newNote(t.Skipped), Output: printable.Lines(t.Output),
		})
	}
	return x
}

func newNote(n *Note) *note {
	if n == nil {
		return nil
	}
	x := &note{Message: printable.String(n.Message), Type: n.Type}
	if n.Text != "" {
		x.Text = "\n" + printable.Lines(n.Text)
	}
	return x
}

func seconds(d time.Duration) string { return fmt.Sprintf("%.6f", d.Seconds()) }
