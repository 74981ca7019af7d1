// Package junit writes test results in the format of JUnit, which CI systems read.
package junit

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/xml"
	"fmt"
	"io"
	"time"

	"github.com/iwarpkit/iwarp/internal/printable"
	"github.com/iwarpkit/iwarp/internal/spool"
)

// A Suite is a group of tests. Very many wait in a temporary file until Write.
type Suite struct {
	Name string
	Time time.Duration

	tests counts
	cases spool.Spool // as XML
	err   error
}

// counts are attributes.
type counts struct {
	Tests    int `xml:"tests,attr"`
	Failures int `xml:"failures,attr"`
	Errors   int `xml:"errors,attr"`
	Skipped  int `xml:"skipped,attr"`
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

type test struct {
	XMLName xml.Name `xml:"testcase"`

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

// Add adds a test.
func (s *Suite) Add(t *Test) {
	n := &s.tests
	n.Tests++
	for _, count := range []struct {
		n  *int
		is bool
	}{{&n.Failures, t.Failure != nil}, {&n.Errors, t.Fault != nil}, {&n.Skipped, t.Skipped != nil}} {
		if count.is {
			*count.n++
		}
	}
	var b bytes.Buffer
	e := xml.NewEncoder(&b)
	e.Indent("    ", "  ")
	err := e.Encode(&test{
		Class: printable.String(t.Class), Name: printable.String(t.Name), Time: seconds(t.Time),
		Failure: newNote(t.Failure), Error: newNote(t.Fault), Skipped: newNote(t.Skipped), Output: printable.Lines(t.Output),
	})
	s.err = cmp.Or(s.err, err)
	s.cases.Add(uint64(n.Tests), b.Bytes())
}

// Write writes suites as one document, which is well-formed whatever characters the texts have.
func Write(w io.Writer, name string, suites []*Suite) error {
	out := bufio.NewWriter(w)
	out.WriteString(xml.Header)
	all := element{XMLName: xml.Name{Local: "testsuites"}, Name: printable.String(name)}
	for _, s := range suites {
		all.Tests += s.tests.Tests
		all.Failures += s.tests.Failures
		all.Errors += s.tests.Errors
		all.Skipped += s.tests.Skipped
	}
	end, err := all.begin(out, "", len(suites) > 0)
	for _, s := range suites {
		err = cmp.Or(err, s.write(out))
	}
	out.WriteString(end)
	return cmp.Or(err, out.Flush())
}

func (s *Suite) write(out *bufio.Writer) error {
	defer s.cases.Close()
	end, err := (&element{xml.Name{Local: "testsuite"}, printable.String(s.Name), s.tests, seconds(s.Time)}).begin(out, "  ", s.tests.Tests > 0)
	err = cmp.Or(s.err, err, s.cases.All(func(_ uint64, b []byte) error {
		out.Write(b)
		return out.WriteByte('\n')
	}))
	out.WriteString(end)
	return err
}

// An element is one with others in it.
type element struct {
	XMLName xml.Name
	Name    string `xml:"name,attr"`
	counts
	Time string `xml:"time,attr,omitempty"`
}

// begin writes the start tag, and returns the end tag. filled says that there is something between them.
func (e *element) begin(out *bufio.Writer, indent string, filled bool) (end string, err error) {
	b, err := xml.Marshal(e)
	end = "</" + e.XMLName.Local + ">\n"
	out.WriteString(indent)
	out.Write(bytes.TrimSuffix(b, []byte(end[:len(end)-1])))
	if filled {
		out.WriteByte('\n')
		end = indent + end
	}
	return end, err
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
