package rpcclient

import (
	"encoding/binary"
	"testing"

	"github.com/iwarpkit/iwarp/codec/rfc"
	"github.com/iwarpkit/iwarp/codec/rpcprivate"
	"github.com/iwarpkit/iwarp/codec/rpcrdma"
	"github.com/iwarpkit/iwarp/replay/conform"
	"github.com/iwarpkit/iwarp/rnicsim/rpc"
)

// deviations are clients that each do one thing wrong.
var deviations = map[string]deviation{
	"gullible":  {gullible: true},
	"stubborn":  {stubborn: true},
	"touchy":    {touchy: true},
	"wedges":    {wedges: true},
	"lax":       {lax: true},
	"keeps":     {keeps: true},
	"picky":     {picky: true},
	"repeats":   {repeats: true},
	"credulous": {credulous: true, atOnce: 8},
	"stingy":    {receives: 6},
	"starved":   {receives: 1, atOnce: 8},
	"cramped":   {room: 512},
	"objects":   {objects: true},
	"remembers": {remembers: true},
	"looks for Private Data at their start only": {options: rpc.Options{TamperReceivedPrivate: func(private []byte) []byte {
		if off, _ := rpcprivate.Find(private); off > 0 {
			return nil
		}
		return private
	}}},
	"greedy": {atOnce: 8, options: rpc.Options{TamperReceived: func(message []byte) []byte {
		return set(message, 2, 8)
	}}},
	"more than it requests": {atOnce: 8, options: rpc.Options{Tamper: func(o *rpc.Outgoing) { o.Message = set(o.Message, 2, 2) }}},
	"long":                  {options: rpc.Options{TamperReceivedPrivate: func([]byte) []byte { return []byte{0xf6, 0xab, 0x0e, 0x18, 1, 1, 3, 3} }}},
	"deaf to Calls": {options: rpc.Options{TamperReceived: func(message []byte) []byte {
		if len(message) >= 4 && binary.BigEndian.Uint32(message) == reverseXID {
			return nil
		}
		return message
	}}},
}

// set changes a word of a message that has it.
func set(message []byte, i int, v uint32) []byte {
	if len(message) >= 4*i+4 {
		binary.BigEndian.PutUint32(message[4*i:], v)
	}
	return message
}

// ask asks a client a case.
func ask(t *testing.T, q conform.Question, d deviation) (conform.Verdict, string) {
	t.Helper()
	r := newCaseRun(find(q), nil)
	newClient(t, r, d).run()
	return r.verdict, r.actual
}

// Our Requester passes each case, and each case fails a client that does something wrong.
func TestCases(t *testing.T) {
	for _, q := range Questions() {
		if v, actual := ask(t, q, deviation{}); v != conform.Pass {
			t.Errorf("%s: %v: %s", q.ID(), v, actual)
		}
		killers := 0
		for name, d := range deviations {
			if v, actual := ask(t, q, d); v == conform.Fail {
				t.Logf("%s: %s: %s", q.ID(), name, actual)
				killers++
			}
		}
		if killers == 0 {
			t.Errorf("%s: no client fails", q.ID())
		}
	}
}

// Each case has requirements, a sentence, and a section of a document.
func TestWellFormed(t *testing.T) {
	seen := make(map[string]bool)
	for _, q := range Questions() {
		if seen[q.ID()] || q.Says == "" || len(q.Requirements) == 0 || rfc.LookupDocument(q.Section.Document) == nil {
			t.Errorf("%s is there twice, or lacks something", q.ID())
		}
		seen[q.ID()] = true
		for _, id := range q.Requirements {
			if rfc.Lookup(id) == nil {
				t.Errorf("%s: unknown requirement %s", q.ID(), id)
			}
		}
	}
}

// A client that nobody uses is not judged.
func TestNotAsked(t *testing.T) {
	r := newCaseRun(find(Questions()[0]), nil)
	r.late()
	if r.verdict != conform.NotRun {
		t.Errorf("%v: %s", r.verdict, r.actual)
	}
}

// A client of version 1 is not asked about version 2, and need not be waited for.
func TestOtherVersion(t *testing.T) {
	for _, q := range Questions() {
		if c := find(q); c.Vers == rpcrdma.Vers2 {
			r := newCaseRun(c, nil)
			r.line().received(binary.BigEndian.AppendUint32([]byte{0, 0, 0, 7}, rpcrdma.Vers1))
			if r.verdict != conform.NotRun || r.actual != "the client speaks version 1" {
				t.Errorf("%s: %v: %s", q.ID(), r.verdict, r.actual)
			}
		}
	}
}
