package fleet

// What is kept of the Records of a share.

import (
	"slices"

	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/dissect"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/show/check"
	"github.com/iwarpkit/iwarp/dissect/ulp/rpc"
)

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
	engine *dissect.Engine
	end    int // see place
}

// Record implements record.Sink.
func (l *listener) Record(r *record.Record) {
	if l.merge.filled && r.Kind == record.KindSegment && r.Exchange != nil && isRead(r) && hasFiller(r.Segment.RDMAP.Body) {
		l.result.Lacks = true
	}
	if frame, latest := max(r.Frame, r.Conn.Frame), l.merge.latest; latest != nil && frame == l.merge.frame {
		l.result.Files[latest.Place] = true
	} else {
		l.result.Files[l.merge.places.of(frame).File] = true
	}
	if len(r.Findings) == 0 && r.Verdict == nil {
		return
	}
	kept := record.Record{Kind: record.KindLate, Origin: r.Origin, Known: r.Known, Findings: r.Findings, Verdict: r.Verdict}
	for _, f := range r.Findings {
		check.NewFinding(f) // asks for the frames that a finding names
	}
	if r.Verdict != nil {
		kept.Kind = record.KindEnd
		check.NewConnection(r.Verdict)
	}
	l.result.Events = append(l.result.Events, event{Place: l.now(), Record: kept.Clone()})
}

// now is the place of the latest packet.
func (l *listener) now() place { return l.merge.places.of(l.merge.frame) }

// recognise gives the connections that were recognised meanwhile a place.
func (l *listener) recognise(at place) {
	for r := l.result; len(r.Recognised) < l.engine.Totals().Connections; {
		r.Recognised = append(r.Recognised, at)
	}
}

// ending puts what comes of a connection when it is forgotten into the place of the packet with which it is; at the end of the capture,
// after those with an earlier latest packet.
func (l *listener) ending(life dissect.Life, end func()) {
	r, of := l.result, l.merge.places.of
	l.recognise(l.now())
	from := len(r.Events)
	end()
	at := l.now()
	if l.end > 0 {
		at = of(life.Latest)
		if at.End = l.end; l.end == endOpen && len(r.Recognised) < l.engine.Totals().Connections {
			at.End = endUnknown
		}
	}
	l.recognise(at)
	for i := range r.Events[from:] {
		r.Events[from+i].Place = at
	}
	r.Endings = append(r.Endings, ending{of(life.First), of(life.Latest), of(life.Over), at, from, len(r.Events)})
}

// isRead reports whether a tagged segment is of a chunk that has an RPC message.
func isRead(r *record.Record) bool {
	x, ok := r.Exchange.Upper.(*rpc.Exchange)
	switch h := &r.Segment.RDMAP.Header; {
	case !ok || !h.T:
		return false
	case h.Control.Opcode == rdmap.OpWrite:
		return slices.ContainsFunc(x.ReplyChunk.Segments, func(s rpc.Segment) bool {
			return s.Handle == h.Tagged.STag && h.Tagged.TO-s.Offset < uint64(s.Length)
		})
	}
	return len(x.Reads) > 0 && x.Reads[0].Position == 0 // they are in the order of their Positions
}

// name names a frame, which the result has to know then.
func (l *listener) name(frame uint64) (file string, number uint64) {
	l.result.Frames[frame] = l.merge.places.of(frame).origin
	return l.merge.name(frame)
}
