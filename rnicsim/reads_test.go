package rnicsim

import (
	"bytes"
	"testing"

	"github.com/iwarpkit/iwarp/codec/rdmap"
)

// The ORRQ is full when it has as many requests as ORD. A Ready to Receive does not count as a Read.
func TestORRQ(t *testing.T) {
	q := orrq{ord: 2}
	q.push(orrqEntry{rtr: true})
	if q.reading() || q.full() {
		t.Error("a Ready to Receive counts as a Read")
	}
	q.push(orrqEntry{index: 7})
	if !q.reading() || !q.full() {
		t.Error("no Read is outstanding")
	}
	for _, want := range []orrqEntry{{rtr: true}, {index: 7}} {
		if e, ok := q.pop(); !ok || e != want {
			t.Errorf("%+v %v, want %+v", e, ok, want)
		}
	}
	if _, ok := q.pop(); ok || (&orrq{}).full() {
		t.Error("there is no request")
	}
}

// The IRRQ keeps the ULPDU of each request, and knows how long the response is.
func TestIRRQ(t *testing.T) {
	var q irrq
	read := rdmap.ReadRequest{SinkSTag: 1, SinkTO: 2, RDMARDSZ: 3, SrcSTag: 4, SrcTO: 5}
	for _, op := range []rdmap.Opcode{rdmap.OpReadRequest, rdmap.OpAtomicRequest} {
		g := rdmap.Segment{Header: rdmap.Header{Control: rdmap.Control{Opcode: op}}}
		ulpdu, _ := g.Header.AppendBinary(nil)
		if op == rdmap.OpReadRequest {
			ulpdu, _ = read.AppendBinary(ulpdu)
		} else {
			ulpdu, _ = (&rdmap.AtomicRequest{}).AppendBinary(ulpdu)
		}
		g.Decode(ulpdu)
		q.admit(&g, ulpdu)
		e := q.entries.at(q.entries.len() - 1)
		if !bytes.Equal(e.octets(), ulpdu) || e.atomic == (e.payload() == 3) {
			t.Errorf("%v: % x, %d octets of payload", op, e.octets(), e.payload())
		}
	}
	if e := q.entries.at(0); e.read != read {
		t.Errorf("%+v", e.read)
	}
}
