package fleet

// Answers: each share with packets becomes a task, which judges take from a queue, and the results are joined.

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"reflect"
	"slices"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/iwarpkit/iwarp/dissect"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/judge"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/internal/printable"
	"github.com/iwarpkit/iwarp/internal/quantity"
)

// A Question says how to judge.
type Question struct {
	Profile  string // one of package peers; empty to recognise each side by what it does
	Programs bool   // the answer is for programs, which know files by their full names
	Agents   int    // to wait for; 1 at least
}

// An Answer is what was found in all files.
type Answer struct {
	Files   []string // in the order of their names
	Damage  []string // what could not be read, and what was set aside
	Aside   bool     // files or shares were set aside
	Without []string // files without iWARP, in the order in which they are read; nil if that is not known
	Clocks  []string // which hosts' clocks differ, in sentences
	Lacks   bool     // the findings may be wrong: payload had to be read that agents have replaced; see [Agent.Payload]
	Totals  dissect.Totals
	Begin   int64   // time of the first packet
	events  []event // of all shares, in the order in which one process would have met them
	shares  []judged
}

// A judged share has connections.
type judged struct {
	task  Task
	conns map[identity]*flow.Conn
}

// An identity tells the connections of a share apart: by their ends, and how many of these were recognised before.
type identity struct {
	path
	before int
}

// pathOfConn is the path of the packets of a connection.
func pathOfConn(c *flow.Conn) path {
	if c.Transport() == flow.OverSCTP {
		return portsOf(c.Client, c.Server)
	}
	return pathOf(c.Client, c.Server)
}

// Answer waits until the agents have sent what they have found and all of it is judged, by judges that work meanwhile.
func (b *Bus) Answer(ctx context.Context, q Question) (*Answer, error) {
	for {
		if err := b.settled(ctx, max(1, q.Agents)); err != nil {
			return nil, err
		}
		sent, ordered, err := b.Files(ctx)
		if err != nil {
			return nil, err
		}
		given, clocks, err := b.correct(ctx, sent)
		if err != nil {
			return nil, err
		}
		tasks := tasks(given, inOrder(given), q)
		results, err := b.results(ctx, tasks, ordered)
		if err != nil {
			return nil, err
		}
		if results != nil {
			a := join(given, inOrder(given), tasks, results, frameNames(given, q.Programs))
			a.Clocks = clocks
			return a, nil
		}
	}
}

// A Progress is how far a fleet has come.
type Progress struct {
	Agents, Found, Sent int           // agents, files that they have found, and of these sent
	Octets, Done        int64         // of the files
	Left                time.Duration // until the slowest agent has sent all, as far as that is known
	Tasks               int           // that wait for a judge, or have one
	Judges              int           // that have one
	Judging             time.Duration // until all are done, if each takes as long as the latest of each share; 0 if that is not known
	Connections         int           // that were judged, of the shares as they were by then
	Stored              int64         // octets at the server
}

// String says it in sentences.
func (p Progress) String() string {
	count := func(n int, what string) string { return quantity.GroupedCount(n, what) }
	octets := func(n int64) string { return quantity.GroupedCount(n, "octet") }
	left := func(format string, d time.Duration) string {
		if d <= 0 {
			return ""
		}
		return fmt.Sprintf(format, max(d.Round(time.Second), time.Second))
	}
	return fmt.Sprintf("%s sent %s of %s (%s of %s%s). Judged: %s. Waiting for a judge: %s%s. The server stores %s.",
		count(p.Agents, "agent"), quantity.Grouped(p.Sent), count(p.Found, "file"), quantity.Grouped(p.Done), octets(p.Octets), left("; about %v left", p.Left),
		count(p.Connections, "connection"), count(p.Tasks, "task"), left(" (about %v left)", p.Judging), octets(p.Stored))
}

// LacksJudge reports whether tasks wait while no judge works or asks for one.
func (b *Bus) LacksJudge(ctx context.Context) (lacks bool, err error) {
	err = b.persist(ctx, func(ctx context.Context) error {
		lacks = false
		tasks, err := b.tasks.Info(ctx)
		if err != nil || tasks.State.Msgs == 0 {
			return err
		}
		judges, err := b.tasks.Consumer(ctx, judgesName)
		switch {
		case errors.Is(err, jetstream.ErrConsumerNotFound):
			lacks = true
			return nil
		case err != nil:
			return err
		}
		info := judges.CachedInfo()
		lacks = info.NumAckPending == 0 && info.NumWaiting == 0
		return nil
	})
	return lacks, err
}

// add counts an agent, or says what is wrong with what it says of itself, which anybody may have written.
func (p *Progress) add(a *agentState) error {
	const mostFiles, mostOctets = 1 << 24, 1 << 50 // of an agent, so that sums do not overflow
	if a.Sent < 0 || a.Sent > a.Found || a.Found > mostFiles || a.Done < 0 || a.Done > a.Octets || a.Octets > mostOctets {
		return fmt.Errorf("fleet: an agent claims to have sent %d of %d files, %d of %d octets, which is impossible", a.Sent, a.Found, a.Done, a.Octets)
	}
	p.Agents++
	p.Found, p.Sent, p.Octets, p.Done = p.Found+a.Found, p.Sent+a.Sent, p.Octets+a.Octets, p.Done+a.Done
	p.Left = max(p.Left, a.Left)
	return nil
}

// Progress asks for it.
func (b *Bus) Progress(ctx context.Context) (p Progress, err error) {
	if p, err = b.sending(ctx); err != nil {
		return p, err
	}
	err = b.persist(ctx, func(ctx context.Context) error {
		store, err := b.store.Info(ctx)
		if err != nil {
			return err
		}
		tasks, err := b.tasks.Info(ctx)
		if err == nil {
			p.Stored, p.Tasks = int64(store.State.Bytes), int(tasks.State.Msgs)
		}
		return err
	})
	if err != nil {
		return p, err
	}
	err = b.judging(ctx, &p)
	return p, err
}

// sending asks for what agents have done.
func (b *Bus) sending(ctx context.Context) (p Progress, err error) {
	err = eachValue(ctx, b, agentSubject, func(a *agentState, _ int) error { return p.add(a) })
	return p, err
}

// judging fills in what judges have done, and are doing.
func (b *Bus) judging(ctx context.Context, p *Progress) error {
	var took time.Duration // for a share
	err := eachValue(ctx, b, judgeSubject, func(s *judgeState, of int) error {
		p.Connections += min(max(s.Connections, 0), maxEvents)
		took += s.Took / time.Duration(of)
		return nil
	})
	if err != nil || p.Tasks == 0 {
		return err
	}
	err = b.persist(ctx, func(ctx context.Context) error {
		judges, err := b.tasks.Consumer(ctx, judgesName)
		if errors.Is(err, jetstream.ErrConsumerNotFound) {
			return nil
		}
		if err == nil {
			p.Judges = judges.CachedInfo().NumAckPending
		}
		return err
	})
	if err == nil && p.Judges > 0 {
		p.Judging = took * time.Duration((p.Tasks+p.Judges-1)/p.Judges)
	}
	return err
}

// settled waits until there are so many agents, and all have sent what they have found.
func (b *Bus) settled(ctx context.Context, agents int) error {
	for {
		p, err := b.sending(ctx)
		if err != nil || p.Agents >= agents && p.Sent == p.Found {
			return err
		}
		if err := pause(ctx, 100*time.Millisecond); err != nil {
			return err
		}
	}
}

// pause waits before something is done again.
func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
	return ctx.Err()
}

// tasks are those of all shares that have packets.
func tasks(given, inOrder []File, q Question) (all []Task) {
	names := frameNames(given, q.Programs)
	var latest int64
	for i := range inOrder {
		latest = max(latest, inOrder[i].Latest)
	}
	for share := range Shares {
		t := Task{Share: share, Latest: latest, Profile: q.Profile, Single: len(given) == 1}
		for place, f := range inOrder {
			if t.Begin == 0 && f.Packets > 0 {
				t.Begin = f.First
			}
			if lots := slices.Clone(f.Parts[share]); lots != nil {
				for i := range lots {
					lots[i].Is, lots[i].Files = nil, 0
				}
				t.Files = append(t.Files, part{nameOf([]byte(f.Name)), place, names[f.Name], f.First, f.clocks, lots})
			}
		}
		if t.Files != nil {
			all = append(all, t)
		}
	}
	return all
}

// frameNames are what files are called before frames: by their full names for programs, in short for people.
func frameNames(files []File, programs bool) map[string]string {
	names, bases := make(map[string]string), make(map[string]int)
	for _, f := range files {
		bases[filepath.Base(f.Name)]++
	}
	for _, f := range files {
		switch base := filepath.Base(f.Name); {
		case programs:
			names[f.Name] = f.Name
		case bases[base] > 1:
			names[f.Name] = printable.Lines(f.Name)
		default:
			names[f.Name] = printable.Lines(base)
		}
	}
	return names
}

// results returns those of all tasks, and gives the tasks that have none. It returns nil if the files that were sent change meanwhile.
func (b *Bus) results(ctx context.Context, tasks []Task, ordered []File) ([]*result, error) {
	results := make([]*result, len(tasks), len(tasks)+1) // not nil
	var looked time.Time
	for again := time.Duration(0); ; { // time until tasks are given again, if they were lost, and files are looked at again
		missing, due := 0, time.Since(looked) >= again
		for i := range tasks {
			if results[i] != nil {
				continue
			}
			r, err := b.result(ctx, tasks[i].name())
			if errors.Is(err, errAbsent) {
				if missing, err = missing+1, nil; due {
					err = b.give(ctx, &tasks[i])
				}
			} else if err == nil {
				err = r.check(len(ordered))
			}
			if err != nil {
				return nil, err
			}
			results[i] = r
		}
		if missing == 0 {
			return results, nil
		}
		if due {
			looked = time.Now()
			if _, now, err := b.Files(ctx); err != nil || !reflect.DeepEqual(now, ordered) {
				return nil, err
			}
			again = max(time.Second, 10*time.Since(looked))
		}
		if err := pause(ctx, 100*time.Millisecond); err != nil {
			return nil, err
		}
	}
}

// give gives a task to the judges, unless it waits already.
func (b *Bus) give(ctx context.Context, t *Task) error {
	err := b.put(ctx, taskSubject+t.name(), compressor.EncodeAll(encode(t), nil))
	if isBusy(err) {
		return nil
	}
	return err
}

// join makes an answer of the results of all shares. Connections are numbered in the order in which they were recognised.
func join(given, inOrder []File, tasks []Task, results []*result, names map[string]string) *Answer {
	a := new(Answer)
	for i := range given {
		a.Files = append(a.Files, given[i].Name)
		if aside := given[i].Aside; aside != "" {
			a.Aside, a.Damage = true, append(a.Damage, aside)
		}
	}
	ended := slices.Clone(inOrder)
	slices.SortStableFunc(ended, func(a, b File) int { return cmp.Compare(a.Turn, b.Turn) })
	for i := range ended {
		a.Damage = append(a.Damage, ended[i].Damage...)
		a.Totals.Add(&ended[i].Totals)
	}
	a.Without = without(inOrder, results)
	forget(results)
	var recognised []recognition
	for i, r := range results {
		a.Begin = tasks[i].Begin
		a.Lacks = a.Lacks || r.Lacks
		if r.Aside != "" {
			a.Aside, a.Damage = true, append(a.Damage, r.Aside)
		}
		a.Totals.Add(&r.Totals)
		var frames flow.Frames
		if len(given) > 1 {
			frames = func(frame uint64) (string, uint64) {
				o := r.Frames[frame]
				return names[inOrder[o.File].Name], o.Number
			}
		}
		of, share := r.unite(frames), judged{tasks[i], make(map[identity]*flow.Conn)}
		before := make(map[path]int)
		slices.SortFunc(of, func(a, b recognition) int { return cmp.Compare(a.conn.ID, b.conn.ID) })
		for _, c := range of {
			at := pathOfConn(c.conn)
			share.conns[identity{at, before[at]}] = c.conn
			before[at]++
		}
		recognised, a.shares = append(recognised, of...), append(a.shares, share)
		a.events = append(a.events, r.Events...)
	}
	slices.SortStableFunc(recognised, func(a, b recognition) int { return a.at.compare(b.at) })
	for i := range recognised {
		recognised[i].conn.ID = i
	}
	slices.SortStableFunc(a.events, func(a, b event) int {
		switch order := a.Place.compare(&b.Place); {
		case order != 0 || a.before == b.before:
			return order
		case a.before:
			return -1
		}
		return 1
	})
	return a
}

// without are the files without iWARP, of those that some have; nil if that is not known.
func without(inOrder []File, results []*result) (all []string) {
	having := make(map[int]bool)
	for _, r := range results {
		if r.Aside != "" || r.Totals.Connections > 0 && r.Files == nil {
			return nil
		}
		maps.Copy(having, r.Files)
	}
	for i, f := range inOrder {
		if len(having) > 0 && !having[i] {
			all = append(all, f.Name)
		}
	}
	return all
}

// A recognition is the place where a connection was recognised.
type recognition struct {
	at   *place
	conn *flow.Conn
}

// unite gives all events of a connection the Conn that it had at its end, which names its frames.
func (r *result) unite(frames flow.Frames) (recognised []recognition) {
	conns := make(map[int]*flow.Conn)
	for _, e := range r.Events {
		if c := e.Record.Conn; e.Record.Verdict != nil {
			c.Frames = frames
			conns[c.ID] = c
			recognised = append(recognised, recognition{&r.Recognised[c.ID], c})
		}
	}
	for _, e := range r.Events {
		c := conns[e.Record.Conn.ID]
		e.Record.Conn = c
		for _, f := range e.Record.Findings {
			f.Conn = c
		}
	}
	return recognised
}

// Give gives what was found to a sink: Records that have findings, or a verdict.
func (a *Answer) Give(sink record.Sink) {
	mender := judge.Mend(sink)
	for _, e := range a.events {
		mender.Record(e.Record)
	}
	mender.Flush()
}
