// Package dissect turns captured packets into what happened on iWARP connections: their MPA negotiation, their DDP
// segments and their RDMAP messages.
//
// An [Engine] takes packets and gives events to a [Sink]. Connections are found by their MPA handshake, on any port, or
// if that is not in the capture, by their FPDUs; over SCTP, by the Payload Protocol Identifiers of DDP. Each direction
// goes through TCP reassembly and MPA framing, or through SCTP and its adaptation layer, and RDMAP on its own. Nothing is allocated per packet in the steady state, and payload is never copied but where an FPDU is spread over
// several TCP segments.
package dissect

import (
	"errors"
	"io"

	"github.com/iwarpkit/iwarp/dissect/association"
	"github.com/iwarpkit/iwarp/dissect/framing"
	"github.com/iwarpkit/iwarp/dissect/reassembly"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/tcpip"
	"github.com/iwarpkit/iwarp/internal/recency"
	"github.com/iwarpkit/iwarp/pcaps"
)

// Options say what is known beforehand, and limit what an Engine keeps. The zero value stands for the defaults.
type Options struct {
	Reassembly     reassembly.Limits // octets that wait behind gaps; default 4 MiB a direction, 16 MiB in all
	MPA            framing.MPA       // what is known of connections whose MPA frames are not in the capture
	MaxConnections int               // TCP connections, and DDP streams over SCTP, known at a time, and SCTP associations; of more, those that are over are forgotten first, then the idlest, and what comes of them later is passed over; default 4096
}

// Totals are what an Engine saw in all.
type Totals struct {
	Packets      uint64 // packets taken in
	Octets       uint64 // their captured octets
	NotTCP       uint64 // packets without TCP or SCTP
	Fragments    uint64 // IP fragments behind the first, which are passed over
	CutShort     uint64 // packets that the snaplen cut within their headers
	PayloadCut   uint64 // packets that the snaplen cut within their TCP payload or SCTP chunks
	Malformed    uint64 // packets whose headers contradict themselves
	UnknownLinks uint64 // packets of a link type that is not known
	TCP          uint64 // TCP connections
	SCTP         uint64 // SCTP associations
	Connections  int    // iWARP connections
	GivenUp      uint64 // iWARP connections given up because of Options.MaxConnections
}

// An Engine follows all TCP connections and SCTP associations of a capture. It is not safe for concurrent use.
type Engine struct {
	sink      Sink
	streaming StreamingSink // sink, if it is one
	budget    *reassembly.Budget
	totals    Totals

	halves   map[flow]*half
	unknown  recency.List[pair] // connections that are not known to be iWARP
	iwarp    recency.List[pair]
	over     recency.List[pair] // connections that have ended, but for stragglers
	conns    int
	maxConns int
	given    forgotten
	recent   [2]*half // both directions of the latest connection
	framing  framing.Shared
	stated   framing.MPA

	endpoints map[flow]*endpoint // of SCTP; nil until the first packet

	packet  tcpip.Segment
	sctp    tcpip.SCTP
	message association.Message
	event   struct { // one of each, used again and again
		startup record.Startup
		framing.Output
	}
}

// NewEngine returns an Engine that gives its events to sink.
func NewEngine(sink Sink, o Options) *Engine {
	if o.Reassembly.Half <= 0 {
		o.Reassembly.Half = 4 << 20
	}
	if o.Reassembly.Total <= 0 {
		o.Reassembly.Total = 16 << 20
	}
	if o.MaxConnections <= 0 {
		o.MaxConnections = 4096
	}
	streaming, _ := sink.(StreamingSink)
	return &Engine{
		streaming: streaming,
		sink:      sink,
		budget:    reassembly.NewBudget(o.Reassembly),
		halves:    make(map[flow]*half),
		maxConns:  o.MaxConnections,
		stated:    o.MPA,
	}
}

// Totals is what was seen up to now.
func (e *Engine) Totals() *Totals { return &e.totals }

// Run takes in all packets of a capture and then closes the Engine. A damaged capture is no error here; ask
// Capture.Damage. stop, which may be nil, is asked between packets and ends the run early.
func (e *Engine) Run(c *pcaps.Capture, stop func() bool) error {
	defer e.Close()
	var rec pcaps.Record
	for stop == nil || !stop() {
		if err := c.Next(&rec); err != nil {
			if errors.Is(err, io.EOF) {
				return nil
			}
			return err
		}
		e.Packet(&rec)
	}
	return nil
}

// Packet takes in the next packet. What the sink is given of it aliases rec.Data.
func (e *Engine) Packet(rec *pcaps.Record) {
	e.totals.Packets++
	e.totals.Octets += uint64(len(rec.Data))
	s := &e.packet
	if err := s.Decode(rec.LinkType, rec.Data, rec.OrigLen); err == tcpip.ErrSCTP {
		e.sctpPacket(rec)
		return
	} else if err != nil {
		e.passOver(err)
		return
	}
	if s.Missing > 0 {
		e.totals.PayloadCut++
	}
	h := e.follow(s)
	if h == nil {
		return
	}
	t := h.pair
	t.include(rec)
	if h.sightings.repeats(s, rec.Time) {
		h.traffic.Duplicates++
		return
	}
	h.traffic.Packets++
	h.traffic.Octets += uint64(s.Len())
	switch {
	case t.retired:
	case s.Flags&tcpip.RST != 0:
		e.reset(h, rec)
	default:
		e.deliver(h, s, rec)
	}
}

// include widens the span of t by one packet.
func (t *pair) include(rec *pcaps.Record) {
	t.span.Include(record.At(rec.Frame, rec.Time))
	if t.reuse.from != nil && t.reuse.span == (record.Span{}) {
		t.reuse.span = record.At(rec.Frame, rec.Time)
	}
	if rec.Time == 0 {
		return // a Simple Packet Block has none
	}
	if t.earliest == 0 || rec.Time < t.earliest {
		t.earliest = rec.Time
	}
	t.latest = max(t.latest, rec.Time)
}

// deliver hands a segment to the reassembly of its direction and takes what is ready.
func (e *Engine) deliver(h *half, s *tcpip.Segment, rec *pcaps.Record) {
	if s.Flags&tcpip.ACK != 0 {
		h.peer.asm.Acked(s.Ack)
		if !h.acks || int32(s.Ack-h.acked) > 0 { // an earlier one may come late
			h.acked, h.acks = s.Ack, true
		}
	}
	if s.Window == 0 {
		h.traffic.ZeroWindows++
	}
	if s.Len() == 0 && s.Flags&(tcpip.SYN|tcpip.FIN) == 0 {
		return
	}
	if s.Flags&tcpip.SYN != 0 {
		h.syn, h.answers = true, s.Flags&tcpip.ACK != 0
	}
	if s.Flags&tcpip.FIN != 0 && !h.fin {
		h.fin, h.finAt, h.finAcked = true, record.At(rec.Frame, rec.Time), h.acknowledged()
	}
	h.asm.Push(&reassembly.Segment{
		Seq: s.Seq, SYN: s.Flags&tcpip.SYN != 0, FIN: s.Flags&tcpip.FIN != 0,
		Data: s.Payload, Missing: s.Missing, Frame: rec.Frame, Time: rec.Time,
	})
	e.drain(h)
	if h.fin && h.peer.fin {
		e.retire(h.pair)
	}
}

// passOver counts a packet that is not followed.
func (e *Engine) passOver(err error) {
	switch err {
	case tcpip.ErrNotTCP:
		e.totals.NotTCP++
	case tcpip.ErrFragment:
		e.totals.Fragments++
	case tcpip.ErrShort:
		e.totals.CutShort++
	case tcpip.ErrLinkType:
		e.totals.UnknownLinks++
	default:
		e.totals.Malformed++
	}
}

// drain takes what is ready of a direction.
func (e *Engine) drain(h *half) {
	var p reassembly.Piece
	for h.asm.Next(&p) {
		e.take(h, &p)
	}
}

// Close ends all connections: what waits is decoded as far as it can be, and every connection's End event is given to
// the sink. The Engine can be used again, with its Totals going on.
func (e *Engine) Close() {
	for _, l := range []*recency.List[pair]{&e.over, &e.unknown, &e.iwarp} {
		for l.Idlest() != nil {
			e.finish(l.Idlest())
		}
	}
	for _, x := range e.endpoints {
		e.framing.Hold(-x.held)
	}
	clear(e.endpoints)
}
