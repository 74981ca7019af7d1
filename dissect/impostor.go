package dissect

// Resets that something else sends in the name of a side: a second host with its address, a device on the way, or a firewall on its own
// host. The side goes on, at once after one from another station, else so late that it is no packet that was captured behind the reset.

import (
	"time"

	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/tcpip"
	"github.com/iwarpkit/iwarp/pcaps"
)

// overtaking is how late a packet may be captured that its side sent before a reset.
const overtaking = int64(10 * time.Millisecond)

// revival is how long after a reset from its own station a side has to send octets to go on: TCP sends them again no sooner.
const revival = int64(150 * time.Millisecond)

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

// confirm takes another reset by h. One that comes from the station of h too is its own: the capture joins those of both ends.
func (h *half) confirm(s *tcpip.Segment, rec *pcaps.Record) {
	h.resetAt = rec.Time
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
	revives := s.Len() > 0 && rec.Time-h.resetAt >= revival
	if from := stationOf(rec); from == i.Own && (revives || from.IsOther(i.Reset)) {
		i.After = flow.At(rec.Frame, rec.Time)
	}
}
