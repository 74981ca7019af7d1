package fleet

// Judges: they take shares, and judge the connections in them.

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/iwarpkit/iwarp/codec/peers"
	"github.com/iwarpkit/iwarp/dissect"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/judge"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/ulp/all"
)

// The time until an unfinished task is given to another judge, unless its judge says that it works.
const lease = 10 * time.Second

const judgesName = "judges" // of their consumer

// A judgeState says what the latest judge of a share has found, and how long it has taken.
type judgeState struct {
	Took        time.Duration
	Connections int
}

// Judge takes tasks until ctx is done. What was stored before is not judged again.
func (b *Bus) Judge(ctx context.Context) error {
	for ctx.Err() == nil {
		judges, err := b.judges(ctx)
		if err != nil {
			return unlessDone(ctx, err)
		}
		for ctx.Err() == nil && b.permitted.Err() == nil {
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

// judges is the consumer whose tasks all judges share.
func (b *Bus) judges(ctx context.Context) (c jetstream.Consumer, err error) {
	err = b.persist(ctx, func(ctx context.Context) error {
		c, err = b.tasks.CreateOrUpdateConsumer(ctx, jetstream.ConsumerConfig{Durable: judgesName, AckPolicy: jetstream.AckExplicitPolicy, AckWait: lease, MaxAckPending: -1})
		return err
	})
	return c, err
}

// unlessDone is an error, except for those that come because ctx is done.
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
	if octets, err := decompressor.DecodeAll(m.Data(), nil); decode(octets, err, &t) != nil {
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
		begin := time.Now()
		if r, err = b.judge(ctx, &t); err == errAbsent {
			return m.Term() // the files have changed; there is a task for what they are now
		} else if err != nil {
			_ = m.Nak()
			return err
		}
		_ = b.putValue(ctx, judgeSubject+strconv.Itoa(t.Share), judgeState{time.Since(begin), r.Totals.Connections}) // for status only
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
	r = &result{Frames: make(map[uint64]origin), Files: make(map[int]bool)}
	defer func() {
		if fault := recover(); fault != nil {
			r, err = t.aside(fmt.Sprintf("internal error: %v", fault)), nil
		}
	}()
	merge := newMerge(ctx, b, t)
	l := listener{merge: merge, result: r}
	e := t.engine(&l, merge, l.name, l.ending)
	l.engine = e
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
		if e.Packet(&p.Record); !b.room.has(r) {
			break
		}
		l.recognise(l.now())
	}
	e.Pass(t.Latest)
	l.end = endOver
	e.CloseOver()
	l.end = endOpen
	e.Close()
	if !b.room.has(r) {
		return t.aside(tooMuch{b.room.events, "connections and findings"}.Error()), nil
	}
	r.Totals = *e.Totals()
	return r, nil
}

// engine is the one that judges the share.
func (t *Task) engine(sink record.Sink, m *merge, frames flow.Frames, ending func(dissect.Life, func())) *dissect.Engine {
	o := dissect.Options{Ending: ending, NoMounts: true, Replaced: m.replaced, Ports: all.Ports(), Analysis: &judge.Options{Profile: peers.LookupProfile(t.Profile), ULPs: all.Layers()}}
	if !t.Single {
		o.Frames = frames
	}
	e := dissect.NewEngine(sink, o)
	e.Pass(t.Begin)
	return e
}
