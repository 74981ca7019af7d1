package fleet

// All that happened on connections, not only findings: a judge reads their packets again.

import (
	"context"

	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/judge"
	"github.com/iwarpkit/iwarp/dissect/record"
)

// Records gives a sink what one process would have given it about the chosen connections, one share after the other. About the other
// connections it gives what Give does.
func (b *Bus) Records(ctx context.Context, a *Answer, chosen func(*flow.Conn) bool, sink record.Sink) error {
	told, mender := make(map[*flow.Conn]bool), judge.Mend(sink)
	for i := range a.shares {
		g := again{told: told, sink: mender, conns: make(map[identity]*flow.Conn), met: make(map[*flow.Conn]*flow.Conn), before: make(map[path]int)}
		for id, c := range a.shares[i].conns {
			if chosen(c) {
				g.conns[id] = c
			}
		}
		if err := g.read(ctx, b, &a.shares[i].task); err != nil {
			return err
		}
	}
	for _, e := range a.events {
		if !told[e.Record.Conn] {
			mender.Record(e.Record)
		}
	}
	mender.Flush()
	return nil
}

// An again gives the Records of those connections of a share that are chosen, under the numbers that they have among all.
type again struct {
	conns  map[identity]*flow.Conn
	met    map[*flow.Conn]*flow.Conn // by those of the Engine; nil for those that were not chosen
	before map[path]int              // connections that were met
	told   map[*flow.Conn]bool
	sink   record.Sink
}

// read reads the packets of the chosen connections, and of others between the same ends.
func (g *again) read(ctx context.Context, b *Bus, t *Task) error {
	if len(g.conns) == 0 {
		return nil
	}
	paths := make(map[path]bool)
	for id := range g.conns {
		paths[id.path] = true
	}
	merge := newMerge(ctx, b, t)
	e := t.engine(g, merge, merge.name, nil)
	var s sorter
	for {
		p, err := merge.next()
		if err != nil {
			return err
		}
		if p == nil {
			break
		}
		if of, _, _ := s.path(&p.Record); paths[of] {
			e.Packet(&p.Record)
		}
	}
	e.Pass(t.Latest)
	e.Close()
	return nil
}

// Record implements record.Sink.
func (g *again) Record(r *record.Record) {
	if r.Conn == nil {
		return
	}
	c, met := g.met[r.Conn]
	if !met {
		at := pathOfConn(r.Conn)
		if c = g.conns[identity{at, g.before[at]}]; c != nil {
			g.told[c], r.Conn.ID = true, c.ID
		}
		g.before[at]++
		g.met[r.Conn] = c
	}
	if c != nil {
		g.sink.Record(r)
	}
	if r.Kind == record.KindEnd {
		delete(g.met, r.Conn)
	}
}
