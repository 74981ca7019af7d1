package fleet

// Results: what was found in shares.

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/iwarpkit/iwarp/dissect"
	"github.com/iwarpkit/iwarp/dissect/record"
)

// A result is what was found in a share.
type result struct {
	Totals     dissect.Totals
	Recognised []place           // where each connection was, by its number in the share
	Events     []event           // in their order
	Endings    []ending          // of all connections, in their order
	Frames     map[uint64]origin // that these name
	Files      map[int]bool      // that have iWARP; not known of results that earlier versions stored
	Lacks      bool              // payload that an agent has replaced had to be read
	Aside      string            // why the share could not be judged; empty if it could
}

// check says what is wrong in a result that somebody else may have written, for so many files. What remains can be joined.
func (r *result) check(files int) error {
	ended := make(map[int]bool)
	for i, e := range r.Events {
		if e.Record == nil {
			return fmt.Errorf("fleet: event %d of a result is null", i)
		}
		if e.Record.Verdict == nil {
			continue
		}
		if id := e.Record.Conn.ID; id < 0 || id >= len(r.Recognised) || ended[id] {
			return fmt.Errorf("fleet: event %d of a result ends connection %d of %d, or ends it again", i, id, len(r.Recognised))
		}
		ended[e.Record.Conn.ID] = true
	}
	for i, e := range r.Events {
		if id := e.Record.Conn.ID; !ended[id] {
			return fmt.Errorf("fleet: event %d of a result is of connection %d, which has no verdict", i, id)
		}
	}
	for i, e := range r.Endings {
		if e.From < 0 || e.From > e.To || e.To > len(r.Events) {
			return fmt.Errorf("fleet: ending %d of a result has events %d to %d of %d", i, e.From, e.To, len(r.Events))
		}
	}
	for f := range r.Files {
		if f < 0 || f >= files {
			return fmt.Errorf("fleet: a result has iWARP in file %d of %d", f, files)
		}
	}
	for frame, o := range r.Frames {
		if o.File < 0 || o.File >= files {
			return fmt.Errorf("fleet: frame %d of a result is in file %d of %d", frame, o.File, files)
		}
	}
	return nil
}

// An origin is where a frame comes from.
type origin struct {
	File   int    `json:"f"` // among all files
	Number uint64 `json:"n"` // there
}

// A place is the packet with which something became known, or at the end of a capture, that by which connections are ended in their order.
type place struct {
	End  int   `json:"e,omitempty"` // 0 before the end; then come the connections that were over, those that turn out to be iWARP at the end, and the others
	Turn int64 `json:"t"`
	origin
}

func (p *place) compare(q *place) int {
	return cmp.Or(cmp.Compare(p.End, q.End), cmp.Compare(p.Turn, q.Turn), cmp.Compare(p.File, q.File), cmp.Compare(p.Number, q.Number))
}

// An event is a Record with findings, or with the verdict at the end of a connection; of the Record nothing else is kept.
type event struct {
	Place  place
	Record *record.Record
	before bool // what else happens there
}

// A resultHead says in how many parts a result is stored.
type resultHead struct{ Parts int }

// putResult stores a result. Its head comes last: what has a head is whole.
func (b *Bus) putResult(ctx context.Context, t *Task, r *result) error {
	whole, task, n := encode(r), t.name(), 0
	if len(whole) > maxResult {
		whole = encode(t.aside(tooMuch{maxResult, "octets of findings"}.Error()))
	}
	octets := compressor.EncodeAll(whole, nil)
	for chunk := range slices.Chunk(octets, maxPart) {
		if err := b.put(ctx, fmt.Sprintf("%s%s.%d", resultSubject, task, n), chunk); err != nil {
			return err
		}
		n++
	}
	return b.putValue(ctx, resultSubject+task, resultHead{n})
}

// result reads a result. The error is errAbsent if there is none.
func (b *Bus) result(ctx context.Context, task string) (*result, error) {
	var head resultHead
	if err := b.getValue(ctx, resultSubject+task, &head); err != nil {
		return nil, err
	}
	if most := (maxResult + maxPart - 1) / maxPart; head.Parts > most {
		return nil, fmt.Errorf("fleet: a result in %d parts; it has %d at most", head.Parts, most)
	}
	var octets []byte
	for i := range head.Parts {
		chunk, err := b.get(ctx, fmt.Sprintf("%s%s.%d", resultSubject, task, i))
		if err != nil {
			return nil, err
		}
		octets = append(octets, chunk...)
	}
	octets, err := decompressor.DecodeAll(octets, nil)
	if err != nil {
		return nil, err
	}
	r := new(result)
	return r, json.Unmarshal(octets, r)
}
