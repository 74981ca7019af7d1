package rnicsim

// The contents of a Terminate (RFC 5040, section 4.8).

import (
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/codec/rules"
)

// terminate returns the octets behind the DDP header of the Terminate that answers a problem; nil if none does. culprit
// is the ULPDU to blame, nil for none; if it is a Read Request, so many octets of the response were sent before.
func (r *RNIC) terminate(p problem, culprit []byte, answered uint32) []byte {
	code, ok := p.terminates(r.config.Profile)
	if reaction, replaced := r.quirks.reaction(p.situation); replaced && !reaction.Drop {
		code, ok = reaction.Code, true
	}
	if !ok {
		return nil
	}
	t := rdmap.Terminate{Code: code}
	enclose(&t, r.hdrCt(p.situation), culprit, answered)
	return r.encode(&t)
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
func (r *RNIC) hdrCt(s *rules.Situation) string {
	if s == situationSGE && r.config.Profile.Peer == rules.SIW {
		return "110"
	}
	return s.HdrCt
}

// encode writes a Terminate as the Profile's peer does.
func (r *RNIC) encode(t *rdmap.Terminate) []byte {
	if r.config.Profile.Peer == rules.SIW {
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
