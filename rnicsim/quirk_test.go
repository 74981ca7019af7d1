package rnicsim

import (
	"testing"

	"github.com/iwarpkit/iwarp/codec/ddp"
	"github.com/iwarpkit/iwarp/codec/field"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/codec/rules"
)

// Quirks speak of Rules, Situations and fields that there are.
func TestQuirksNameWhatThereIs(t *testing.T) {
	seen := map[string]bool{}
	for _, k := range Quirks() {
		if k.Name == "" || k.Text == "" || seen[k.Name] {
			t.Errorf("%q is no name, or there twice", k.Name)
		}
		seen[k.Name] = true
		if len(k.Suppress)+len(k.React)+len(k.Rewrite) == 0 {
			t.Errorf("%s does nothing", k.Name)
		}
		for _, name := range k.Suppress {
			if rules.LookupRule(name) == nil && rules.LookupSituation(name) == nil {
				t.Errorf("%s: no rule or situation %s", k.Name, name)
			}
		}
		for name, r := range k.React {
			if rules.LookupSituation(name) == nil || r.Drop && r.Reset {
				t.Errorf("%s: %s %+v", k.Name, name, r)
			}
		}
		for _, w := range k.Rewrite {
			if !known(w.Field) {
				t.Errorf("%s: no field %s", k.Name, w.Field)
			}
		}
	}
	if _, ok := LookupQuirk("nothing"); ok {
		t.Error("there is a quirk of no name")
	}
}

// known tells that a field of DDP or RDMAP has the name.
func known(name string) bool {
	for _, tables := range [][]*field.Table{ddp.Tables, rdmap.Tables} {
		for _, table := range tables {
			if table.Lookup(name) != nil {
				return true
			}
		}
	}
	return false
}

// What is known of siw is not what the RFCs demand, and both are in the table of situations only.
func TestPeerAnswers(t *testing.T) {
	siw, ok := LookupQuirk("siw")
	if !ok {
		t.Fatal("no siw")
	}
	want := rdmap.Code{Layer: rdmap.LayerRDMAP, EType: rdmap.RDMAPRemoteOperation, ErrorCode: 7}
	if got := siw.React["read-ird"].Code; got != want {
		t.Errorf("%v, want %v", got, want)
	}
	if _, ok := siw.React["write-stag"]; ok {
		t.Error("siw answers a Write to a wrong STag as the RFCs do")
	}
	if !siw.React["read-long"].Reset {
		t.Error("siw closes the connection for a Read Request that is too long")
	}
}

// Every field of an outgoing header can be set, also those of a Terminate; what it encloses stays.
func TestRewrite(t *testing.T) {
	o := defaults()
	o.config.Quirks = []Quirk{{Rewrite: []Rewrite{
		{rdmap.OpTerminate, "iwarp_rdma.hdrct_r", 1},
		{rdmap.OpTerminate, "iwarp_ddp.mo", 5},
		{rdmap.OpWrite, "iwarp_ddp.tagged_offset", 0x1234},
	}}}
	a, b := newPair(t, o, o)
	var sent []byte
	a.pulled = func(octets []byte) { sent = octets }
	b.pulled = func(octets []byte) { sent = octets }
	must(a.qp.PostSQ(WorkRequest{Op: OpWrite}))
	a.move()
	var s rdmap.Segment
	if s.Decode(sent[2:]); s.Tagged.TO != 0x1234 {
		t.Errorf("TO %#x", s.Tagged.TO)
	}
	b.stream.Input(must(a.stream.framer.Append(nil, hexOctets("c140 00000001 00000000 00000000 ff"))))
	b.move()
	var h rdmap.Terminate
	s.Decode(sent[2 : len(sent)-4])
	if h.Decode(s.Body); s.Untagged.MO != 5 || !h.R || h.Header.Tagged.STag != 1 {
		t.Errorf("%+v %+v", s, h)
	}
}
