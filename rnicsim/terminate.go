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
	if reaction, replaced := r.quirks.Reaction(p.situation); replaced && !reaction.Drop {
		code, ok = reaction.Code, true
	}
	if !ok {
		return nil
	}
	t := rdmap.Terminate{Code: code}
	style := r.config.Profile.Style()
	enclose(&t, style.HdrCt(p.situation), culprit, answered)
	header, _ := style.Append(nil, &t)
	return header
}

// terminates returns the code of the Terminate that answers a problem; ok is false if none does.
func (p *problem) terminates(profile *rules.Profile) (code rdmap.Code, ok bool) {
	code, ok = profile.Exact(p.situation)
	fits := code
	if fits.ErrorCode = p.code; p.code != 0 && profile.Due(p.situation).Codes.Contains(fits) {
		code = fits
	}
	return code, ok
}

// enclose puts the headers of the culprit into a Terminate. None goes with a Local Catastrophic Error of RDMAP.
func enclose(t *rdmap.Terminate, h rules.HdrCt, culprit []byte, answered uint32) {
	local := t.Code.Layer == rdmap.LayerRDMAP && t.Code.EType == rdmap.RDMAPLocalCatastrophic
	if culprit == nil || local || h == rules.Bare || h == rules.NoTerminate {
		return
	}
	t.Enclose(culprit, h == rules.MDR)
	if t.HasReadRequest && answered > 0 {
		t.ReadRequest = t.ReadRequest.Advanced(answered)
	}
}
