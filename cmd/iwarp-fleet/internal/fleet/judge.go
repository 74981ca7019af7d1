package fleet

// Judges: they take shares, and judge the connections in them.

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/iwarpkit/iwarp/codec/peers"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/dissect"
	"github.com/iwarpkit/iwarp/dissect/ends"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/judge"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/show/report"
	"github.com/iwarpkit/iwarp/dissect/ulp/all"
	"github.com/iwarpkit/iwarp/dissect/ulp/rpc"
)

// A Task is a share to be judged. Its name is that of its JSON, so that the same packets are judged the same way once.
type Task struct {
	Share   int
	Begin   int64  // time of the first packet of all files
	Latest  int64  // time of the latest packet
	Profile string // by which is judged: one of package peers; empty for none
	Files   []part // with packets of the share, in the order in which they are read
	Single  bool   // there is no other file: frames need no name
}

// A part is what a Task has of a file.
type part struct {
	ID    string // of the file
	Place int    // among all files
	Name  string // in front of frames
	First int64  // when its turn comes

	Clocks []ends.Clock `json:",omitempty"` // what takes the times of its packets to those that count
	Parts  []string
}

func (t *Task) name() string { return nameOf(encode(t)) }

// check says what is wrong in a task that somebody else may have written. Of what remains, packets can be asked for.
func (t *Task) check() error {
	for _, f := range t.Files {
		if !isName(f.ID) || !areNames(f.Parts) {
			return fmt.Errorf("fleet: a task names file %q with parts %q; such names are not given", f.ID, f.Parts)
		}
	}
	return nil
}

// aside is the result of a share that is set aside.
func (t *Task) aside(why string) *result {
	return &result{Aside: fmt.Sprintf("share %d of %d was set aside: %s", t.Share, Shares, why)}
}

// A result is what was found in a share.
type result struct {
	Totals     dissect.Totals
	Recognised []place           // where each connection was, by its number in the share
	Events     []event           // in their order
	Frames     map[uint64]origin // that these name
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
	for frame, o := range r.Frames {
		if o.File < 0 || o.File >= files {
			return fmt.Errorf("fleet: frame %d of a result is in file %d of %d", frame, o.File, files)
		}
	}
	return nil
}

// An origin is where a frame comes from.
type origin struct {
	File   int    // among all files
	Number uint64 // there
}

// A place is the packet with which something became known, or at the end of a capture, that by which connections are ended in their order.
type place struct {
	End  int // 0 before the end; then come the connections that were over, those that turn out to be iWARP at the end, and the others
	Turn int64
	origin
}

func (p *place) compare(q *place) int {
	return cmp.Or(cmp.Compare(p.End, q.End), cmp.Compare(p.Turn, q.Turn), cmp.Compare(p.File, q.File), cmp.Compare(p.Number, q.Number))
}

// An event is a Record with findings, or with the verdict at the end of a connection; of the Record nothing else is kept.
type event struct {
	Place  place
	Record *record.Record
}

// The time until an unfinished task is given to another judge, unless its judge says that it works.
const lease = 10 * time.Second

// Judge takes tasks until ctx is done. What was stored before is not judged again.
func (b *Bus) Judge(ctx context.Context) error {
	for ctx.Err() == nil {
		var judges jetstream.Consumer
		err := persist(ctx, func(ctx context.Context) (err error) {
			judges, err = b.tasks.CreateOrUpdateConsumer(ctx, jetstream.ConsumerConfig{Durable: "judges", AckPolicy: jetstream.AckExplicitPolicy, AckWait: lease, MaxAckPending: -1})
			return err
		})
		if err != nil {
			return unlessDone(ctx, err)
		}
		for ctx.Err() == nil {
			batch, err := judges.Fetch(1, jetstream.FetchMaxWait(2*time.Second))
			if err != nil {
				break
			}
			for m := range batch.Messages() {
				if err := b.attend(ctx, m); err != nil {
					return unlessDone(ctx, err)
				}
			}
			if batch.Error() != nil {
				time.Sleep(100 * time.Millisecond)
				break
			}
		}
	}
	return nil
}

// unlessDone is an error, but for those that come because ctx is done.
func unlessDone(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return nil
	}
	return err
}

// attend does a task, and acknowledges it when its result is stored.
func (b *Bus) attend(ctx context.Context, m jetstream.Msg) error {
	working, stop := context.WithCancel(ctx)
	defer stop()
	go func() {
		for tick := time.Tick(lease / 4); ; {
			select {
			case <-working.Done():
				return
			case <-tick:
				_ = m.InProgress() // another judge may take it: the result is the same
			}
		}
	}()
	var t Task
	if err := json.Unmarshal(m.Data(), &t); err != nil {
		return m.Term()
	}
	var r *result
	meta, err := m.Metadata()
	switch {
	case err != nil:
		return err
	case b.getValue(ctx, resultSubject+t.name(), new(resultHead)) == nil: // somebody was faster
	case meta.NumDelivered > maxTries:
		r = t.aside(fmt.Sprintf("%d judges ended while they judged it", maxTries))
	default:
		if r, err = b.judge(ctx, &t); err == errAbsent {
			return m.Term() // the files have changed; there is a task for what they are now
		} else if err != nil {
			_ = m.Nak()
			return err
		}
	}
	if r != nil {
		if err := b.putResult(ctx, &t, r); err != nil {
			_ = m.Nak()
			return err
		}
	}
	_ = m.Ack() // if it is lost, the next judge finds the result
	return nil
}

// judge judges a share. The error is errAbsent if its packets are no longer stored.
func (b *Bus) judge(ctx context.Context, t *Task) (r *result, err error) {
	if err := t.check(); err != nil {
		return t.aside(err.Error()), nil
	}
	r = &result{Frames: make(map[uint64]origin)}
	defer func() {
		if fault := recover(); fault != nil {
			r, err = t.aside(fmt.Sprintf("internal error: %v", fault)), nil
		}
	}()
	merge := newMerge(ctx, b, t)
	l := listener{merge: merge, result: r}
	e := t.engine(&l, l.name)
	for {
		p, err := merge.next()
		if much := (tooMuch{}); errors.As(err, &much) {
			return t.aside(much.Error()), nil
		}
		if err != nil {
			return nil, err
		}
		if p == nil {
			break
		}
		e.Packet(&p.Record)
		if len(r.Events) > b.room.events {
			return t.aside(tooMuch{b.room.events, "connections and findings"}.Error()), nil
		}
		for len(r.Recognised) < e.Totals().Connections {
			r.Recognised = append(r.Recognised, merge.places.of(merge.frame))
		}
	}
	e.Pass(t.Latest)
	l.before, l.ending = len(r.Recognised), len(r.Events)
	l.end = endOver
	e.CloseOver()
	l.end = endOpen
	e.Close()
	if len(r.Events) > b.room.events {
		return t.aside(tooMuch{b.room.events, "connections and findings"}.Error()), nil
	}
	r.Totals = *e.Totals()
	return r, nil
}

// engine is the one that judges the share.
func (t *Task) engine(sink record.Sink, frames flow.Frames) *dissect.Engine {
	o := dissect.Options{Ports: all.Ports(), Analysis: &judge.Options{Profile: peers.LookupProfile(t.Profile), ULPs: all.Layers()}}
	if !t.Single {
		o.Frames = frames
	}
	e := dissect.NewEngine(sink, o)
	e.Pass(t.Begin)
	return e
}

// The values of place.End at the end of the packets.
const (
	endOver    = 1 + iota // connections that were over
	endUnknown            // connections of which nobody knew yet that they matter
	endOpen
)

// A listener keeps what a result has, of the Records of a share.
type listener struct {
	merge  *merge
	result *result
	end    int // see place
	before int // connections that were recognised before the end
	ending int // events from here on belong to a connection that is being ended
}

// Record implements record.Sink.
func (l *listener) Record(r *record.Record) {
	if l.merge.filled && r.Kind == record.KindSegment && r.Exchange != nil && isRead(r) && hasFiller(r.Segment.RDMAP.Body) {
		l.result.Lacks = true
	}
	if len(r.Findings) == 0 && r.Verdict == nil {
		return
	}
	kept := record.Record{Kind: record.KindLate, Origin: r.Origin, Known: r.Known, Findings: r.Findings, Verdict: r.Verdict}
	for _, f := range r.Findings {
		report.NewFinding(f) // asks for the frames that a finding names
	}
	if r.Verdict != nil {
		kept.Kind = record.KindEnd
		report.NewConnection(r.Verdict)
	}
	l.result.Events = append(l.result.Events, event{l.merge.places.of(l.merge.frame), kept.Clone()})
	if l.end > 0 && r.Verdict != nil {
		l.close(r.Conn)
	}
}

// isRead reports whether a tagged segment is of a chunk that has an RPC message.
func isRead(r *record.Record) bool {
	x, ok := r.Exchange.Upper.(*rpc.Exchange)
	switch h := &r.Segment.RDMAP.Header; {
	case !ok || !h.T:
		return false
	case h.Control.Opcode == rdmap.OpWrite:
		return slices.ContainsFunc(x.ReplyChunk.Segments, func(s rpc.Segment) bool { return s.Handle == h.Tagged.STag })
	}
	return len(x.Reads) > 0 && x.Reads[0].Position == 0 // they are in the order of their Positions
}

// close puts what came of a connection at the end in the place where it is ended: after those with an earlier latest packet.
func (l *listener) close(c *flow.Conn) {
	at := l.merge.places.of(c.LastFrame)
	if at.End = l.end; l.end == endOpen && c.ID >= l.before {
		at.End = endUnknown
	}
	if c.ID >= len(l.result.Recognised) {
		l.result.Recognised = append(l.result.Recognised, at)
	}
	for i := l.ending; i < len(l.result.Events); i++ {
		l.result.Events[i].Place = at
	}
	l.ending = len(l.result.Events)
}

// name names a frame, which the result has to know then.
func (l *listener) name(frame uint64) (file string, number uint64) {
	l.result.Frames[frame] = l.merge.places.of(frame).origin
	return l.merge.name(frame)
}

// A merge reads the packets of a share in the order in which one process would read those of all files.
type merge struct {
	ctx     context.Context
	bus     *Bus
	task    *Task
	waiting []part
	open    []*reading
	latest  *reading
	names   map[int]string // of files, by their places
	frame   uint64         // of the latest packet
	places  index          // of all packets up to now
	filled  bool           // an agent has replaced payload in one of them
}

// A reading is a file that is being read.
type reading struct {
	part
	in   *unpacker
	head packet
}

func newMerge(ctx context.Context, b *Bus, t *Task) *merge {
	m := &merge{ctx: ctx, bus: b, task: t, waiting: t.Files, names: make(map[int]string)}
	for _, f := range t.Files {
		m.names[f.Place] = f.Name
	}
	return m
}

// next returns the next packet, numbered in the order of time; nil after the last one. It is valid until the next call.
func (m *merge) next() (*packet, error) {
	if m.latest != nil {
		if err := m.advance(m.latest); err != nil {
			return nil, err
		}
	}
	for {
		first := m.first()
		if len(m.waiting) > 0 && (first == nil || m.waiting[0].First <= first.head.turn) {
			r := &reading{part: m.waiting[0]}
			m.waiting, m.open = m.waiting[1:], append(m.open, r)
			if err := m.advance(r); err != nil {
				return nil, err
			}
			continue
		}
		m.latest = first
		if first == nil {
			return nil, nil
		}
		p := &first.head
		if m.places.n == m.bus.room.packets {
			return nil, tooMuch{m.places.n, "packets"}
		}
		at := place{Turn: p.turn, origin: origin{first.Place, p.Frame}}
		p.Frame = m.number(p)
		m.places.add(p.Frame, &at)
		return p, nil
	}
}

// number is the number of a packet: its own if there is one file; else one that grows with its time, for results of several shares are
// compared by it.
func (m *merge) number(p *packet) uint64 {
	const ties = 10 // bits for packets of the same time
	if m.task.Single {
		m.frame = p.Frame
	} else {
		since := uint64(max(0, p.turn-m.task.Begin))
		m.frame = max(m.frame+1, min(since, math.MaxInt64>>ties)<<ties)
	}
	return m.frame
}

// first is the file whose turn it is; nil if none is open.
func (m *merge) first() *reading {
	if len(m.open) == 0 {
		return nil
	}
	return slices.MinFunc(m.open, func(a, b *reading) int {
		return cmp.Or(cmp.Compare(a.head.turn, b.head.turn), cmp.Compare(a.Place, b.Place))
	})
}

// advance reads the next packet of a file, or ends it.
func (m *merge) advance(r *reading) error {
	for {
		if r.in != nil {
			ok, err := r.in.next(&r.head)
			if ok || err != nil {
				r.head.Time, r.head.turn = shown(r.Clocks, r.head.Time), max(shown(r.Clocks, r.head.turn), r.First)
				return err
			}
		}
		if len(r.Parts) == 0 {
			m.open = slices.DeleteFunc(m.open, func(o *reading) bool { return o == r })
			return nil
		}
		octets, err := m.bus.get(m.ctx, packetSubject+r.ID+"."+r.Parts[0])
		if err != nil {
			return err
		}
		if r.in, err = newUnpacker(octets); err != nil {
			return err
		}
		m.filled = m.filled || r.in.filled
		r.Parts = r.Parts[1:]
	}
}

// name names a frame.
func (m *merge) name(frame uint64) (file string, number uint64) {
	o := m.places.of(frame).origin
	return m.names[o.File], o.Number
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
