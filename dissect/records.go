package dissect

// Reading a capture: all of it into a Sink, or Record by Record in a loop.

import (
	"context"
	"errors"
	"io"
	"iter"

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
func (e *Engine) Run(ctx context.Context, src Source) error {
	defer e.Close()
	var packet pcaps.Record
	for done := ctx.Done(); ; e.Packet(&packet) {
		select {
		case <-done: // without the lock that ctx.Err takes
			return ctx.Err()
		default:
		}
		if err := src.Next(&packet); err != nil {
			if errors.Is(err, io.EOF) {
				return nil
			}
			return err
		}
	}
}

// Records ranges over what happens in the packets of a source. A Record is valid until the loop goes on; see its Clone. An
// error, with a nil Record, comes last: that of the source, or of ctx if that is done.
func Records(ctx context.Context, src Source, o Options) iter.Seq2[*record.Record, error] {
	return func(yield func(*record.Record, error) bool) {
		ctx, stop := context.WithCancel(ctx)
		defer stop()
		over := false
		err := NewEngine(record.SinkFunc(func(r *record.Record) {
			if !over && !yield(r, nil) {
				over = true
				stop()
			}
		}), o).Run(ctx, src)
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
