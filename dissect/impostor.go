package dissect

// Resets that something else sends in the name of a side: a second host with its address, or a device on the way. They come from
// another station, and the side goes on.

import (
	"time"

	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/tcpip"
	"github.com/iwarpkit/iwarp/pcaps"
)

// overtaking is how late a packet may be captured that its side sent before a reset.
const overtaking = int64(10 * time.Millisecond)

func stationOf(rec *pcaps.Record) (s flow.Station) {
	s.MAC, s.TTL = tcpip.Station(rec.LinkType, rec.Data)
	return s
}

// meet takes one of the first packets of h.
func (h *half) meet(rec *pcaps.Record) {
	if h.Impostor.Own == (flow.Station{}) {
		h.Impostor.Own = stationOf(rec)
	}
}

// confirm takes a reset by h. One that comes from the station of h too is its own: the capture joins those of both ends.
func (h *half) confirm(s *tcpip.Segment, rec *pcaps.Record) {
	if i := &h.Impostor; s.Seq == h.resetSeq && h.Bare == !s.Flags.Has(tcpip.ACK) && stationOf(rec) == i.Own {
		*i = flow.Impostor{Own: i.Own, Reset: i.Own}
	}
}

// goOn takes a packet of h that came after a reset, by h or by its peer. If both go on, the reset had no effect.
func (h *half) goOn(s *tcpip.Segment, rec *pcaps.Record) {
	if i := &h.peer.Impostor; h.peer.Reset && i.After != (flow.Span{}) && (s.Len() > 0 || s.Flags.Has(tcpip.FIN)) {
		*i = flow.Impostor{Own: i.Own, Reset: i.Own}
	}
	i := &h.Impostor
	sentBefore := !s.Flags.Has(tcpip.SYN) && int32(s.Seq+uint32(s.Len())-h.resetSeq) <= 0 && rec.Time-h.RST.Time < overtaking
	if !h.Reset || i.After != (flow.Span{}) || sentBefore {
		return
	}
	if from := stationOf(rec); from == i.Own && from.IsOther(i.Reset) {
		i.After = flow.At(rec.Frame, rec.Time)
	}
}
