package dissect

// Reading a capture: all of it into a Sink, or Record by Record in a loop.

import (
	"context"
	"errors"
	"io"
	"iter"
	"sync/atomic"

	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/pcaps"
)

// A Source gives packets, one after the other, and then io.EOF: a [pcaps.Capture], or a [pcaps.Reader].
type Source interface {
	Next(*pcaps.Record) error
}

// Run takes all packets of a source and then closes the Engine. If ctx is done before that, it closes the Engine with
// what has come and returns the error of ctx. Other errors are those of the source. Damage of a Capture is not an
// error: see its Damage.
func (e *Engine) Run(ctx context.Context, src Source) error { return e.run(ctx, src, new(atomic.Bool)) }

// run is Run. It also stops once stop is set, which it is when ctx is done: that costs less per packet than to ask ctx.
func (e *Engine) run(ctx context.Context, src Source, stop *atomic.Bool) error {
	defer e.Close()
	stop.Store(ctx.Err() != nil)
	defer context.AfterFunc(ctx, func() { stop.Store(true) })()
	var packet pcaps.Record
	for !stop.Load() {
		if err := src.Next(&packet); err != nil {
			if errors.Is(err, io.EOF) {
				break
			}
			return err
		}
		e.Packet(&packet)
	}
	return ctx.Err()
}

// Records ranges over what happens in the packets of a source. A Record is valid until the loop goes on; see its Clone. An
// error, with a nil Record, comes last: that of the source, or of ctx if that is done.
func Records(ctx context.Context, src Source, o Options) iter.Seq2[*record.Record, error] {
	return func(yield func(*record.Record, error) bool) {
		over, stop := false, new(atomic.Bool)
		err := NewEngine(record.SinkFunc(func(r *record.Record) {
			if !over && !yield(r, nil) {
				over = true
				stop.Store(true)
			}
		}), o).run(ctx, src, stop)
		if err != nil && !over {
			yield(nil, err)
		}
	}
}

// Messages ranges over the RDMAP messages in a capture file, of all connections, in the order in which they become whole or
// turn out to be cut. A Message is valid until the loop goes on; see its Clone. An error, with a nil Message, comes last:
// that of [pcaps.NewReader], of reading, or of ctx if that is done.
func Messages(ctx context.Context, file io.Reader) iter.Seq2[*record.Message, error] {
	return func(yield func(*record.Message, error) bool) {
		packets, err := pcaps.NewReader(file)
		if err != nil {
			yield(nil, err)
			return
		}
		for r, err := range Records(ctx, packets, Options{}) {
			if err != nil {
				yield(nil, err)
				return
			}
			if r.Kind == record.KindMessage && !yield(r.Message, nil) {
				return
			}
		}
	}
}
