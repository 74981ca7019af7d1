package junit

import (
	"bytes"
	"encoding/xml"
	"io"
	"os"
	"testing"
	"time"
)

func Example() {
	one := &Suite{Name: "one", Time: time.Second}
	one.Add(&Test{Class: "one", Name: "passes"})
	one.Add(&Test{Class: "one", Name: "fails", Failure: &Note{Message: "no", Type: "wrong", Text: "line 1\nline 2"}})
	Write(os.Stdout, "suites", []*Suite{one})
	// Output:
	// <?xml version="1.0" encoding="UTF-8"?>
	// <testsuites name="suites" tests="2" failures="1" errors="0" skipped="0">
	//   <testsuite name="one" tests="2" failures="1" errors="0" skipped="0" time="1.000000">
	//     <testcase classname="one" name="passes" time="0.000000"></testcase>
	//     <testcase classname="one" name="fails" time="0.000000">
	//       <failure message="no" type="wrong"><![CDATA[
	// line 1
	// line 2]]></failure>
	//     </testcase>
	//   </testsuite>
	// </testsuites>
}

// Whatever octets a peer has sent, the document is well-formed.
func TestWriteHostile(t *testing.T) {
	all := make([]byte, 256)
	for i := range all {
		all[i] = byte(i)
	}
	hostile := string(all) + "]]>\u202e\ufffe<![CDATA[" + "\xff\xfe"
	n := Note{Message: hostile, Type: "t", Text: hostile}
	var b bytes.Buffer
	s := &Suite{Name: hostile}
	s.Add(&Test{Class: hostile, Name: hostile, Failure: &n, Fault: &n, Skipped: &n, Output: hostile})
	if err := Write(&b, hostile, []*Suite{s}); err != nil {
		t.Fatal(err)
	}
	d := xml.NewDecoder(&b)
	for {
		if _, err := d.Token(); err == io.EOF {
			return
		} else if err != nil {
			t.Fatal(err)
		}
	}
}
