package fuzz

import (
	"bytes"
	"encoding/json"
	"testing"
	"time"

	"github.com/iwarpkit/iwarp/dissect"
	"github.com/iwarpkit/iwarp/dissect/judge"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/show/page"
	"github.com/iwarpkit/iwarp/dissect/stats"
	"github.com/iwarpkit/iwarp/dissect/ulp/all"
)

// FuzzReport makes the page of what FuzzAnalysisOfSegments makes of a script, and writes one in four, which the options choose. It is whole,
// not too large, and has no more scripts than its own.
func FuzzReport(f *testing.F) {
	send, read, response := []byte{3, 0, 0, 0, 4}, []byte{1, 0, 1, 0, 4}, []byte{2 | fromServer, 0, 1, 0, 4}
	f.Add(byte(0x40), bytes.Join([][]byte{send, read, response, send}, nil))
	f.Add(byte(0xe0), bytes.Join([][]byte{read, response, {12, 0, 0, 0, 0}, {7 | fromServer, 0, 1 | 4 | 16 | 64, 0, 1}}, nil))
	f.Add(byte(0), append(bytes.Repeat(send, 10), again...))
	f.Fuzz(func(t *testing.T, options byte, script []byte) {
		p := page.New(page.Options{Files: []string{"<script>" + string(script)}})
		e := dissect.NewEngine(judge.New(p, judge.Options{ULPs: all.Layers()}), dissect.Options{})
		records := played(t, options, script)
		for i := range records {
			e.Packet(&records[i])
		}
		e.Close()
		if options&3 != 0 {
			return // writing it takes most of the time
		}
		html := emptied()
		if err := p.Write(html, e.Totals()); err != nil {
			t.Fatal(err)
		}
		if n := bytes.Count(html.Bytes(), []byte("<script")); n != 3 || html.Len() > page.MaxOctets || !bytes.HasSuffix(html.Bytes(), []byte("</html>\n")) {
			t.Errorf("%d scripts in %d octets", n, html.Len())
		}
	})
}

// FuzzTimeline sums up what FuzzAnalysisOfSegments makes of a script in intervals of some length. All messages are in one of them,
// however many intervals are joined, and JSON and CSV have as many rows.
func FuzzTimeline(f *testing.F) {
	send, read, response := []byte{3, 0, 0, 0, 4}, []byte{1, 0, 1, 0, 4}, []byte{2 | fromServer, 0, 1, 0, 4}
	f.Add(byte(0x40), uint32(1), uint8(3), bytes.Join([][]byte{send, read, response, send}, nil))
	f.Add(byte(0), uint32(1e9), uint8(0), append(bytes.Repeat(send, 10), again...))
	f.Add(byte(0), uint32(999999989), uint8(0), []byte("0000010000")) // times before the first packet
	const shortest = 250_000                                          // ns, a quarter of the time between two packets
	f.Fuzz(func(t *testing.T, options byte, interval uint32, limit uint8, script []byte) {
		line := stats.NewTimeline(time.Duration(max(interval, shortest)) + 1)
		line.Limit(int(limit) + 1)
		messages, octets := uint64(0), uint64(0)
		e := dissect.NewEngine(judge.New(record.SinkFunc(func(r *record.Record) {
			if line.Record(r); r.Kind == record.KindMessage {
				octets += r.Message.Len
				if r.Message.Complete {
					messages++
				}
			}
		}), judge.Options{ULPs: all.Layers()}), dissect.Options{})
		records := played(t, options, script)
		for i := range records {
			e.Packet(&records[i])
		}
		e.Close()
		rows := line.Intervals()
		for i := range rows {
			messages -= rows[i].Messages
			octets -= rows[i].C2S + rows[i].S2C
		}
		if messages != 0 || octets != 0 {
			t.Errorf("%d messages and %d octets are in no interval", messages, octets)
		}
		out := emptied()
		var read struct{ Intervals []stats.Interval }
		if err := line.WriteJSON(out, nil); err != nil || json.Unmarshal(out.Bytes(), &read) != nil || len(read.Intervals) != len(rows) {
			t.Errorf("%v: %d intervals in JSON, %d", err, len(read.Intervals), len(rows))
		}
		out.Reset()
		if err := line.WriteCSV(out); err != nil || bytes.Count(out.Bytes(), []byte("\n")) != len(rows)+1 {
			t.Errorf("%v: not %d rows of CSV", err, len(rows))
		}
	})
}
