package rnicsim

// The Terminate: what it says, and how the QP gets to send it or takes one in (Verbs, sections 6.2.3 and 6.4; RFC 5040,
// section 4.8).

import (
	"bytes"

	"github.com/iwarpkit/iwarp/codec/ddp"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/codec/rules"
)

// stop ends the stream because of a problem. culprit is the ULPDU that is to blame, nil for none; of a Read Request so
// many octets were answered before.
func (q *QP) stop(p problem, culprit []byte, answered uint32) {
	if q.state != RTS {
		return
	}
	r, replaced := q.rnic.quirks.reaction(p.situation)
	switch {
	case culprit != nil && q.rnic.quirks.drops(p.situation):
		return
	case replaced && r.Reset:
		q.reset()
		q.enterError()
		q.tell(p.event)
		return
	}
	code, ok := p.terminates(q.rnic.config.Profile)
	if replaced && !r.Drop {
		code, ok = r.Code, true
	}
	q.told = p.event == 0
	if ok {
		t := rdmap.Terminate{Code: code}
		enclose(&t, q.hdrCt(p.situation), culprit, answered)
		q.say(&t)
	} else {
		q.fallSilent()
	}
	q.tell(p.event)
}

// tell tells of an event, if a completion does not do that.
func (q *QP) tell(e EventType) {
	if e != 0 {
		q.raise(e)
	}
}

// enclose puts the headers of the culprit into a Terminate, as hdrCt says: M, D and R. None goes with a Local
// Catastrophic Error of RDMAP.
func enclose(t *rdmap.Terminate, hdrCt string, culprit []byte, answered uint32) {
	local := t.Code.Layer == rdmap.LayerRDMAP && t.Code.EType == rdmap.RDMAPLocalCatastrophic
	if culprit == nil || local || hdrCt == "" || hdrCt == "000" {
		return
	}
	t.Enclose(culprit, hdrCt == "111")
	if t.HasReadRequest && answered > 0 {
		t.ReadRequest = t.ReadRequest.Advanced(answered)
	}
}

// hdrCt says which headers a Terminate encloses. siw blames the segment for a receive buffer of its own too.
func (q *QP) hdrCt(s *rules.Situation) string {
	if s == situationSGE && q.rnic.config.Profile.Peer == rules.SIW {
		return "110"
	}
	return s.HdrCt
}

// say makes a Terminate the last message of this side.
func (q *QP) say(t *rdmap.Terminate) {
	q.last = &LastMessage{Local: true, Header: q.encode(t), queued: true}
	q.fallSilent()
}

// encode writes a Terminate as the Profile's peer does.
func (q *QP) encode(t *rdmap.Terminate) []byte {
	if q.rnic.config.Profile.Peer == rules.SIW {
		likeSIW(t)
		b, _ := t.AppendSwapped(nil)
		return b
	}
	b, _ := t.AppendBinary(nil)
	return b
}

// likeSIW makes a Terminate one of siw's, which encloses no headers for what it finds in a header itself, counts the
// payload of a segment only, and builds the header of a Read Request anew.
func likeSIW(t *rdmap.Terminate) {
	switch t.Code.String() {
	case "0/2/05", "0/2/06", "1/1/04", "1/2/06":
		*t = rdmap.Terminate{Code: t.Code}
	}
	if t.HasHeader {
		t.SegmentLength -= uint16(t.Header.Len())
		if t.Header.Control.Opcode == rdmap.OpReadRequest {
			t.SegmentLength = 0
		}
	}
	if t.HasReadRequest {
		t.Header.Untagged.MSN = t.ReadRequest.RDMARDSZ
	}
}

// fallSilent enters Terminate: nothing is processed any more. The stream closes once the Terminate was sent, if there
// is one that can be.
func (q *QP) fallSilent() {
	q.state = Terminate
	q.stream.linger()
	q.flush()
	if s := q.stream; s != nil && (q.last == nil || !q.last.queued || s.mute || s.ending != GoesOn) {
		s.Close()
	}
}

// farewell is the Terminate, as the last ULPDU of this side.
func (q *QP) farewell() ([][]byte, bool) {
	if q.last == nil || !q.last.queued {
		return nil, false
	}
	h := rdmap.Header{
		Untagged: ddp.Untagged{L: true, DV: q.version, QN: rdmap.QNTerminate, MSN: 1},
		Control:  rdmap.Control{RV: q.version, Opcode: rdmap.OpTerminate},
	}
	q.outgoing = rdmap.Segment{Header: h, Body: q.last.Header}
	b, _ := h.AppendBinary(q.header[:0])
	q.parts = append(q.parts[:0], b, q.last.Header)
	return q.rewritten(q.parts), true
}

// terminated takes in a Terminate of the peer, which is never answered.
func (q *QP) terminated(header []byte) {
	q.last = &LastMessage{Header: bytes.Clone(header)}
	q.fallSilent()
	q.raise(TerminateReceived)
}
