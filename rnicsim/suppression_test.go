package rnicsim

// Whether the transcripts notice when a behaviour is switched off: each thing that an RNIC minds is left alone in turn, and
// each is answered with another Terminate. That the tests notice smaller changes is what internal/tools/mutate counts.

import (
	"testing"

	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/rnicsim/quirk"
)

// notShown are deviations that no transcript shows, and why.
var notShown = map[string]string{
	"suppress fpdu-before-reply": "in a transcript nothing comes before the Reply: TestEarlyOctets shows it",
	"suppress marker-unasked":    "an RNIC reads Markers that were not agreed on as an FPDU, and minds its CRC or its length",
	"suppress terminate-again":   "after a Terminate nothing is looked at any more",
	"suppress terminate-l":       "a malformed Terminate ends the stream as another does",
	"suppress terminate-queue":   "likewise",
	"suppress terminate-short":   "likewise",
	"suppress ulpdu-empty":       "that the DDP header is missing is minded too",
}

func TestTranscriptsNotice(t *testing.T) {
	all := map[string]string{}
	for _, name := range matching(t, "testdata/*.txt") {
		all[name] = read(t, name)
	}
	quirks := []quirk.Quirk{}
	for s := range quirk.Suppressible() {
		quirks = append(quirks, quirk.Quirk{Name: "suppress " + s.String(), Suppress: []quirk.Suppression{s}})
	}
	other := rdmap.Code{Layer: rdmap.LayerRDMAP, EType: rdmap.RDMAPRemoteOperation, ErrorCode: 0x77}
	for s := rules.NoSituation + 1; s < rules.NumSituations; s++ {
		quirks = append(quirks, quirk.Quirk{Name: "react " + s.String(), React: map[rules.Situation]quirk.Reaction{s: {Code: other}}})
	}
	for _, k := range quirks {
		if shown, why := noticed(t, all, k), notShown[k.Name]; shown == (why != "") {
			t.Errorf("%s: a transcript shows it: %v; why not: %q", k.Name, shown, why)
		}
	}
	t.Logf("%d deviations, %d of them not shown by transcripts", len(quirks), len(notShown))
}

// noticed reports whether a transcript takes another way with a quirk.
func noticed(t *testing.T, all map[string]string, k quirk.Quirk) bool {
	for _, text := range all {
		if got, err := play(t, text, k); err != nil || got != text {
			return true
		}
	}
	return false
}

// MPA-7.1.2-8: octets after the Request, before the Reply, end the connection; a quirk keeps them until they are due.
func TestEarlyOctets(t *testing.T) {
	for _, k := range []quirk.Quirk{{Name: "none"}, {Suppress: []quirk.Suppression{{Rule: rules.RuleFPDUBeforeReply}}}} {
		o := defaults()
		a := newSide(t, o, nil)
		o.config.Quirks = []quirk.Quirk{k}
		b := newSide(t, o, nil)
		b.stream.Listen()
		a.stream.Connect(nil)
		b.stream.Input(a.stream.AppendTransmit(nil, 1<<10))
		early := framed(hexOctets("4143 00000000 00000000 00000001 00000000"))
		b.stream.Input(early)
		if kept := k.Suppress != nil; kept != (b.stream.Phase() == Deciding) || kept == (b.stream.Err() == ErrEarly) {
			t.Errorf("%s: %v, %v", &k, b.stream.Phase(), b.stream.Err())
			continue
		}
		must(b.qp.PostRQ(WorkRequest{}))
		b.qp.Modify(Modification{State: RTS, Stream: b.stream})
		if got := b.poll(); (k.Suppress != nil) != (len(got) == 1 && got[0].Status == Success) {
			t.Errorf("%s: %+v", &k, got)
		}
	}
}
