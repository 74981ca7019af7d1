package fuzz

import (
	"bytes"
	"testing"

	"github.com/iwarpkit/iwarp/dissect"
	"github.com/iwarpkit/iwarp/dissect/judge"
	"github.com/iwarpkit/iwarp/dissect/show/page"
	"github.com/iwarpkit/iwarp/dissect/ulp/all"
)

// FuzzReport makes the page of what FuzzAnalysisOfSegments makes of a script. It is whole, not too large, and has no more scripts
// than its own.
func FuzzReport(f *testing.F) {
	send, read, response := []byte{3, 0, 0, 0, 4}, []byte{1, 0, 1, 0, 4}, []byte{2 | fromServer, 0, 1, 0, 4}
	f.Add(byte(0x40), bytes.Join([][]byte{send, read, response, send}, nil))
	f.Add(byte(0xe0), bytes.Join([][]byte{read, response, {12, 0, 0, 0, 0}, {7 | fromServer, 0, 1 | 4 | 16 | 64, 0, 1}}, nil))
	f.Add(byte(0), bytes.Repeat(send, 90))
	f.Fuzz(func(t *testing.T, options byte, script []byte) {
		p := page.New(page.Options{Files: []string{"<script>" + string(script)}})
		e := dissect.NewEngine(judge.New(p, judge.Options{ULPs: all.Layers()}), dissect.Options{})
		records := played(options, script)
		for i := range records {
			e.Packet(&records[i])
		}
		e.Close()
		var html bytes.Buffer
		if err := p.Write(&html, e.Totals()); err != nil {
			t.Fatal(err)
		}
		if n := bytes.Count(html.Bytes(), []byte("<script")); n != 3 || html.Len() > page.MaxOctets || !bytes.HasSuffix(html.Bytes(), []byte("</html>\n")) {
			t.Errorf("%d scripts in %d octets", n, html.Len())
		}
	})
}
