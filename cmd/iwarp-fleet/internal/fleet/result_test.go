package fleet

import (
	"context"
	"encoding/json"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/show/check"
	"github.com/iwarpkit/iwarp/dissect/show/text"
	"github.com/iwarpkit/iwarp/pcaps"
)

// resultOf is the result of a sample, as if it were the only share.
func resultOf(t testing.TB, sample string) *result {
	in, err := pcaps.Open("../../../../pcaps/samples/" + sample)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	r := &result{Frames: map[uint64]origin{1: {}}}
	e := new(Task).engine(record.SinkFunc(func(rec *record.Record) {
		if len(rec.Findings) > 0 || rec.Verdict != nil {
			kept := record.Record{Kind: record.KindLate, Origin: rec.Origin, Findings: rec.Findings, Verdict: rec.Verdict}
			r.Events = append(r.Events, event{Record: kept.Clone()})
		}
	}), new(merge), nil, nil)
	var rec pcaps.Record
	for in.Next(&rec) == nil {
		e.Packet(&rec)
	}
	e.Close()
	r.Totals = *e.Totals()
	r.Recognised = make([]place, r.Totals.Connections)
	return r
}

// wrongValues are what a value of a result is replaced by, in JSON.
var wrongValues = []string{"null", "-1", "0", "1", "2", "255", "1e18", `""`, `"x"`, "true", "[]", "[null]", "{}", `{"7":null}`}

// wrongValue is one of them, a new one each time: what is replaced next may be within it.
func wrongValue(n byte) (v any) {
	_ = json.Unmarshal([]byte(wrongValues[int(n)%len(wrongValues)]), &v) // they are right
	return v
}

// replace replaces the nth value below v by another one. It returns what v is then, and how many values are left to go.
func replace(v any, n int, by any) (any, int) {
	if n == 0 {
		return by, -1
	}
	n--
	switch v := v.(type) {
	case map[string]any:
		keys := make([]string, 0, len(v))
		for k := range v {
			keys = append(keys, k)
		}
		slices.Sort(keys)
		for _, k := range keys {
			if v[k], n = replace(v[k], n, by); n < 0 {
				break
			}
		}
	case []any:
		for i := range v {
			if v[i], n = replace(v[i], n, by); n < 0 {
				break
			}
		}
	}
	return v, n
}

// FuzzResults replaces values in results of judges. What is not refused is joined and printed.
func FuzzResults(f *testing.F) {
	samples := []string{"term-read-badkey.pcap", "reject-pd32.pcap", "refused.pcap", "term-send-nobuf.pcap", "rping.pcap"}
	var seeds [][]byte
	for _, name := range samples {
		r := resultOf(f, name)
		if err := r.check(1); err != nil {
			f.Fatalf("%s: %v", name, err)
		}
		seeds = append(seeds, encode(r))
	}
	for i := range seeds {
		f.Add(uint8(i), []byte{0, 0, 1})
		f.Add(uint8(i), []byte{0, 40, 0, 1, 7, 6})
	}
	f.Fuzz(func(t *testing.T, seed uint8, script []byte) {
		var tree any
		if err := json.Unmarshal(seeds[int(seed)%len(seeds)], &tree); err != nil {
			t.Fatal(err)
		}
		for step := range slices.Chunk(script[:min(len(script), 30)], 3) {
			if len(step) == 3 {
				tree, _ = replace(tree, 1+int(step[0])<<8+int(step[1]), wrongValue(step[2]))
			}
		}
		r := new(result)
		if json.Unmarshal(encode(tree), r) != nil || r.check(2) != nil {
			return
		}
		files := []File{{Name: "a.pcap"}, {Name: "b.pcap"}}
		a := join(files, files, []Task{{}}, []*result{r}, frameNames(files, false))
		d := check.NewDocument(io.Discard, check.Head{Files: a.Files})
		a.Give(d)
		if err := d.Finish(a.Damage); err != nil {
			t.Error(err)
		}
		p := check.NewText(io.Discard, check.Options{All: true, Lines: 24})
		a.Give(p)
		p.Nothing = text.Nothing(&a.Totals)
		if err := p.Finish(nil); err != nil {
			t.Error(err)
		}
	})
}

// TestFalseNames has a task and a file that name what the server cannot be asked for. Nobody waits for an answer.
func TestFalseNames(t *testing.T) {
	b := bus(t)
	ctx, stop := context.WithTimeout(t.Context(), 5*time.Second)
	defer stop()
	for _, name := range []string{"", "*", ">", "a b", "a.b", "a\r\nPING\r\n"} {
		for _, f := range []part{{ID: name, Parts: []lot{{In: "x"}}}, {ID: "x", Parts: []lot{{In: name}}}, {ID: "x", Parts: []lot{{In: "x", Of: name + " "}}}} {
			r, err := b.judge(ctx, &Task{Files: []part{f}})
			if err != nil || !strings.Contains(r.Aside, "is not a valid") {
				t.Fatalf("%+v: %+v, %v", f, r, err)
			}
		}
		of := File{Name: "a.pcap", Agent: "a", Capture: true}
		of.Parts[3] = []lot{{In: name}}
		for _, f := range []File{{Name: "a.pcap", Agent: name, Capture: true}, of} {
			if err := b.putValue(ctx, fileSubject+"x", &f); err != nil {
				t.Fatal(err)
			}
			if _, _, err := b.Files(ctx); err == nil || !strings.Contains(err.Error(), "is not a valid") {
				t.Fatalf("%+v: %v", f, err)
			}
		}
	}
}
