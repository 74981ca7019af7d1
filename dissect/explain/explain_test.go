package explain_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/iwarpkit/iwarp/codec/ddp"
	"github.com/iwarpkit/iwarp/codec/field"
	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/nfs"
	"github.com/iwarpkit/iwarp/codec/oncrpc"
	"github.com/iwarpkit/iwarp/codec/peers"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/codec/rfc"
	"github.com/iwarpkit/iwarp/codec/rpcrdma"
	"github.com/iwarpkit/iwarp/codec/rpcrules"
	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/codec/sctp"
	"github.com/iwarpkit/iwarp/dissect/explain"
	"github.com/iwarpkit/iwarp/dissect/judge"
	"github.com/iwarpkit/iwarp/dissect/ulp/all"
)

// names are kind and name of entries, in their order.
func names(entries []explain.Entry) (all []string) {
	for _, e := range entries {
		all = append(all, string(e.Kind)+" "+e.Name)
	}
	return all
}

func TestLookup(t *testing.T) {
	for _, test := range []struct {
		query string
		want  []string
	}{
		// Terminate codes in every form, and the reading of siw where it makes sense.
		{"1/2/05", []string{"terminate 1/2/05"}},
		{"1/2/5", []string{"terminate 1/2/05"}},
		{"term 1/2/05", []string{"terminate 1/2/05"}},
		{"Terminate code 1/2/05", []string{"terminate 1/2/05"}},
		{"term 1 2 5", []string{"terminate 1/2/05"}},
		{"0x1205", []string{"terminate 1/2/05"}},
		{"0X1205", []string{"terminate 1/2/05"}},
		{"1205", []string{"terminate 1/2/05"}},
		{"term 1205", []string{"terminate 1/2/05"}},
		{"layer 1 type 2 code 5", []string{"terminate 1/2/05"}},
		{"got TERMINATE. layer 1, type 2, code 5", []string{"terminate 1/2/05"}},
		{"Layer: 0x1, EType: 0x2, Error Code: 0x05", []string{"terminate 1/2/05"}},
		{"0/1/ff", []string{"terminate 0/1/FF"}},
		{"0/1/02", []string{"terminate 0/1/02"}},
		{"1/0/00", []string{"terminate 1/0/00", "terminate 0/1/00"}},
		{"0x2006", []string{"terminate 2/0/06", "terminate 0/2/06"}},
		{"0/2/02", []string{"terminate 0/2/02", "terminate 2/0/02"}}, // the RDMAC Verbs' code of a CRC error
		{"1/1/00", []string{"terminate 1/1/00"}},                     // the same in both orders
		{"0xFFFF", []string{"terminate F/F/FF"}},
		{"LBA Out of Range", []string{"value LBA Out of Range"}},
		{"lba out of range", []string{"value LBA Out of Range"}},
		{"Attempted Write to Read Only Range", []string{"value Connect Invalid Parameters, or Attempted Write to Read Only Range"}},
		{"CHECK CONDITION", []string{"value CHECK CONDITION"}},
		{"STATUS_ACCESS_DENIED", []string{"value STATUS_ACCESS_DENIED"}},
		{"linux-nfs-server", []string{"term linux-nfs-server"}},
		{"cafe", nil},
		{"vendor 0x8086", nil},
		{"F/F/FF", []string{"terminate F/F/FF"}},
		{"0x1205c000", []string{"terminate 1/2/05"}},
		{"0x10000700", []string{"terminate 0/1/00"}}, // 1/0/00 with reserved bits by the RFC
		{"0x20060000", []string{"terminate 2/0/06", "terminate 0/2/06"}},
		{"1/2", []string{"terminate 1/2"}},
		{"layer 2", []string{"terminate Layer 2"}},
		{"layer 1 etype 2", []string{"terminate 1/2"}},
		{"layer 9", nil},
		{"Invalid QN", []string{"terminate 1/2/01"}},
		{"Invalid STag", []string{"terminate 0/1/00", "terminate 1/1/00"}},
		{"DDP Untagged Buffer Error: Invalid QN", []string{"terminate 1/2/01"}},

		// Requirements.
		{"DDP-5.3-4", []string{"requirement DDP-5.3-4"}},
		{"ddp-5.3-4", []string{"requirement DDP-5.3-4"}},
		{"V-001", []string{"requirement V-001"}},
		{"DDP-5.3", nil},

		// What iwarp check finds.
		{"OBS-NO-REPLY", []string{"observation OBS-NO-REPLY"}},
		{"obs-no-reply", []string{"observation OBS-NO-REPLY"}},
		{"zero-window", []string{"observation OBS-ZERO-WINDOW"}},
		{"frame 12: warning OBS-STALL: nothing came", []string{"observation OBS-STALL"}},

		// Messages and small numbers.
		{"opcode 10", []string{"message AtomicRequest"}},
		{"opcode 0xA", []string{"message AtomicRequest"}},
		{"opcode a", []string{"message AtomicRequest"}},
		{"Opcode14", []string{"message Opcode14"}},
		{"SendInvalidate", []string{"message SendInvalidate"}},
		{"Send with Invalidate", []string{"message SendInvalidate"}},
		{"aopcode 2", []string{"value AOpCode 2"}},
		{"CmpSwap", []string{"value AOpCode 2"}},
		{"qn 3", []string{"value QN 3"}},
		{"mpa revision 2", []string{"value Rev 2"}},
		{"iwarp_ddp.qn == 1", []string{"value QN 1"}},
		{"rev 129", []string{"value Rev 129"}},
		{"9", []string{"message ImmediateSE"}},
		{"2", []string{"message ReadResponse", "value AOpCode 2", "value QN 2", "value Rev 2"}},

		// Fields and terms.
		{"iwarp_ddp.stag", []string{"field iwarp_ddp.stag"}},
		{"stag", []string{"term STag", "field iwarp_ddp.stag"}},
		{"field stag", []string{"term STag", "field iwarp_ddp.stag"}},
		{"SinkTO", []string{"field iwarp_rdma.sinkto"}},
		{"ulpdu_length", []string{"field iwarp_mpa.ulpdulength"}},
		{"S bit", []string{"field iwarp_mpa.enhanced_flag"}},
		{"FPDU", []string{"term FPDU"}},
		{"framed protocol data unit", []string{"term FPDU"}},
		{"0x3FFF", []string{"term 0x3fff"}},
		{"0xf6ab0e18", []string{"term 0xf6ab0e18"}},
		{"PD", []string{"term Private Data", "term Protection Domain"}},

		// Situations and documents.
		{"send-too-long", []string{"situation send-too-long"}},
		{"RFC 5041", []string{"document RFC 5041"}},

		// RPC.
		{"RDMA_NOMSG", []string{"rpcordma RDMA_NOMSG"}},
		{"ERR_CHUNK", []string{"rpcordma ERR_CHUNK"}},
		{"RDMA2_ERR_BAD_XDR", []string{"rpcordma RDMA2_ERR_BAD_XDR"}},
		{"EXCHANGE_ID", []string{"rpc EXCHANGE_ID"}},
		{"NFSv3 READ", []string{"rpc NFSv3 READ"}},
		{"nfs3 readdirplus", []string{"rpc NFSv3 READDIRPLUS"}},
		{"read", []string{"term RDMA Read", "rpc READ", "rpc READ"}},
		{"NFS4ERR_DELAY", []string{"rpc NFS4ERR_DELAY"}},
		{"10008", []string{"rpc NFS4ERR_DELAY"}},
		{"100003", []string{"rpc NFS"}},
		{"GARBAGE_ARGS", []string{"rpc GARBAGE_ARGS"}},

		// Lines of logs.
		{"12.3 s2c Terminate MSN=1 1/2/05 DDP Untagged Buffer Error: DDP Message too long", []string{"terminate 1/2/05"}},
		{"kernel: peer closed with 0x1205 after 3 s", []string{"terminate 1/2/05"}},
		{"violates DDP-5.3-1, MPA-3-1.", []string{"requirement DDP-5.3-1", "requirement MPA-3-1"}},
		{"iwarp_ddp.qn == 77", []string{"field iwarp_ddp.qn"}},

		// Nothing.
		{"", nil},
		{" \t\n", nil},
		{"?!", nil},
		{"xyzzy", nil},
		{"no such thing at all.", nil},
	} {
		if d := cmp.Diff(test.want, names(explain.Lookup(test.query))); d != "" {
			t.Errorf("%q (-want +got):\n%s", test.query, d)
		}
	}
}

// complete checks that an entry has what every entry must have.
func complete(t *testing.T, query string, e *explain.Entry) {
	t.Helper()
	if e.Kind == "" || e.Name == "" || e.Title == "" || len(e.Sources) == 0 || len(e.Text)+len(e.Facts) == 0 {
		t.Errorf("%s: not complete: %+v", query, e)
	}
	for _, s := range slices.Concat(e.Text, e.Sources, e.See, []string{e.Title}) {
		if strings.TrimSpace(s) != s || s == "" {
			t.Errorf("%s: %q", query, s)
		}
	}
	for _, f := range e.Facts {
		if f.Name == "" || f.Value == "" {
			t.Errorf("%s: fact %+v", query, f)
		}
	}
	for _, p := range e.Peers {
		if p.Name == "" || len(p.Notes) == 0 || slices.Contains(p.Notes, "") {
			t.Errorf("%s: peer %+v", query, p)
		}
	}
}

// has checks that one of a query's entries is of the kind, and returns it.
func has(t *testing.T, query string, kind explain.Kind) *explain.Entry {
	t.Helper()
	entries := explain.Lookup(query)
	for i := range entries {
		if entries[i].Kind == kind {
			complete(t, query, &entries[i])
			return &entries[i]
		}
	}
	t.Errorf("%q is not found as %s: %v", query, kind, names(entries))
	return &explain.Entry{}
}

func TestEveryTerminateCode(t *testing.T) {
	n := 0
	for c := range rdmap.Codes() {
		e := has(t, c.String(), explain.KindTerminate)
		if e.Name != c.String() || !strings.Contains(e.Title, c.Describe()) {
			t.Errorf("%v: %s %s", c, e.Name, e.Title)
		}
		if len(e.Text) < 2 && c.EType != 3 {
			t.Errorf("%v: codeMeanings in dissect/judge/meanings.go does not say what it means: %q", c, e.Text)
		}
		if strings.HasPrefix(e.LookFor, "the last messages") {
			t.Errorf("%v: codeMeanings in dissect/judge/meanings.go does not say what to look for", c)
		}
		n++
	}
	if n < 30 {
		t.Errorf("only %d codes", n)
	}
}

func TestEveryCodeOfAPeer(t *testing.T) {
	for s := rules.NoSituation + 1; s < rules.NumSituations; s++ {
		d := &rules.Situations[s]
		has(t, s.String(), explain.KindSituation)
		all := map[string]rules.Codes{"": d.RFC.Codes, "verbs": d.Verbs.In(s).Codes}
		for _, p := range peers.RNICs {
			all[p.Name] = p.Answer(s).Codes
		}
		for who, codes := range all {
			for c := range codes.All() {
				e := has(t, c.String(), explain.KindTerminate)
				if !d.RFC.Codes.Accepts(c) && !says(e, who, s.Text()) {
					t.Errorf("%v: it is not said that %s sends it if %s", c, who, s.Text())
				}
			}
		}
	}
}

// says reports whether a note about a peer has some text.
func says(e *explain.Entry, peer, text string) bool {
	return slices.ContainsFunc(e.Peers, func(p explain.Peer) bool {
		return p.Name == peer && slices.ContainsFunc(p.Notes, func(note string) bool { return strings.Contains(note, text) })
	})
}

// TestUnregistered looks at codes that nobody knows: each is explained as what it is, and leads on.
func TestUnregistered(t *testing.T) {
	for _, query := range []string{"F/F/FF", "0/1/05", "1/2/00", "3/0/00", "0xabcd"} {
		e := has(t, query, explain.KindTerminate)
		if !strings.Contains(e.Text[0], "does not have this code") {
			t.Errorf("%s: %q", query, e.Text)
		}
		for _, see := range e.See {
			if len(explain.Lookup(see)) == 0 {
				t.Errorf("%s: %q leads to nothing", query, see)
			}
		}
	}
}

func TestEveryMessage(t *testing.T) {
	for o := range rdmap.Opcode(16) {
		if e := has(t, o.String(), explain.KindMessage); e.Name != o.String() {
			t.Errorf("%v: %s", o, e.Name)
		}
	}
}

func TestEveryField(t *testing.T) {
	own := slices.Concat([]*field.Table{
		mpa.FPDUFields, mpa.TrailerFields(0), mpa.RequestFields, mpa.ReplyFields, mpa.EnhancedFields, mpa.LegacyFields,
		sctp.SegmentFields, sctp.ControlFields, ddp.TaggedFields, ddp.UntaggedFields,
	}, rdmap.Tables)
	for i, table := range slices.Concat(own, rpcrdma.Tables, oncrpc.Tables, nfs.Tables) {
		for j := range table.Fields {
			f := &table.Fields[j]
			e := has(t, f.Name, explain.KindField)
			if i < len(own) && len(e.Text) == 0 {
				t.Errorf("%s: its meaning is not said", f.Name)
			}
			has(t, f.Label, explain.KindField)
		}
	}
}

// Rules and situations name fields that exist.
func TestShownFields(t *testing.T) {
	for r := range rpcrules.All() {
		for _, name := range r.Fields() {
			if e := has(t, name, explain.KindField); e.Name != name {
				t.Errorf("%s: %s is called %s", r.Name, name, e.Name)
			}
		}
	}
	for _, s := range rules.Situations {
		for _, name := range s.Fields {
			has(t, name, explain.KindField)
		}
	}
}

// TestEveryObservation checks that each comes with advice of its own, in sentences.
func TestEveryObservation(t *testing.T) {
	given := map[string]string{}
	for o := range judge.Observations() {
		e := has(t, o.ID, explain.KindObservation)
		if e.Advice != o.Advice || !strings.HasSuffix(o.Advice, ".") && !strings.HasSuffix(o.Advice, "?") || len(o.Advice) < 60 {
			t.Errorf("%s: %q", o.ID, e.Advice)
		}
		if other := given[o.Advice]; other != "" {
			t.Errorf("%s and %s have the same advice", o.ID, other)
		}
		given[o.Advice] = o.ID
	}
	if len(given) < 20 {
		t.Errorf("only %d observations", len(given))
	}
}

func TestEveryRequirement(t *testing.T) {
	for r := range rfc.All() {
		e := has(t, r.ID, explain.KindRequirement)
		if e.Name != r.ID || strings.HasPrefix(e.Text[0], "[") {
			t.Errorf("%s: %+v", r.ID, e)
		}
	}
}

func TestEveryProcedure(t *testing.T) {
	for p := range oncrpc.Procedures() {
		has(t, p.String(), explain.KindRPC)
		has(t, p.Name(), explain.KindRPC)
	}
}

// TestSeeLeadsOn checks that whatever is suggested can be asked for.
func TestSeeLeadsOn(t *testing.T) {
	var all []explain.Suggestion
	for _, prefix := range []string{"", "iwarp", "r", "n", "0", "1", "2"} {
		all = append(all, explain.Complete(prefix)...)
	}
	if len(all) < 200 {
		t.Errorf("only %d completions", len(all))
	}
	for _, s := range all {
		entries := explain.Lookup(s.Query)
		if len(entries) == 0 || s.Title == "" {
			t.Errorf("%q %q leads to nothing", s.Query, s.Title)
		}
		for i := range entries {
			complete(t, s.Query, &entries[i])
			for _, see := range entries[i].See {
				if len(explain.Lookup(see)) == 0 {
					t.Errorf("%s: %q leads to nothing", s.Query, see)
				}
			}
		}
	}
}

func TestTerminateEntry(t *testing.T) {
	got := explain.Lookup("0/2/07")[0]
	wantCases := []explain.Case{
		{Situation: "atomic-alignment", Text: "the target of an Atomic Request is not aligned to 64 bits", Demanded: true},
		{Situation: "l-missing", Text: "a message that is one segment lacks the L bit", Decided: true},
	}
	if len(got.Cases) < 2 {
		t.Fatalf("cases: %+v", got.Cases)
	}
	if d := cmp.Diff(wantCases, got.Cases[:2]); d != "" {
		t.Errorf("cases (-want +got):\n%s", d)
	}
	notes := map[string][]string{}
	for _, p := range got.Peers {
		notes[p.Name] = p.Notes
	}
	const ird = "more Read or Atomic Requests are outstanding than IRD allows: sends it, where iwarp expects 1/2/02"
	if !slices.Contains(notes["siw"], ird) || slices.Contains(notes["cxgb4"], ird) {
		t.Errorf("siw: %q, cxgb4: %q", notes["siw"], notes["cxgb4"])
	}
	const aligned = "the target of an Atomic Request is not aligned to 64 bits: sends 0/2/FF instead"
	if !slices.Contains(notes["irdma"], aligned) {
		t.Errorf("irdma: %q", notes["irdma"])
	}
	for _, note := range slices.Concat(notes["verbs"], notes["siw"]) {
		if strings.Contains(note, "cannot happen") {
			t.Errorf("a note says nothing: %q", note)
		}
	}
}

// Each kind of wrong Read Response has its own code: DDP has one for STags and another for places.
func TestWrongResponses(t *testing.T) {
	kinds := map[string]string{"response-stag": "1/1/00", "response-bounds": "1/1/01"}
	for situation, want := range kinds {
		for _, code := range kinds {
			listed := slices.ContainsFunc(explain.Lookup(code)[0].Cases, func(c explain.Case) bool { return c.Situation == situation })
			if listed != (code == want) {
				t.Errorf("%s lists %s: %v", code, situation, listed)
			}
		}
		if decided := facts(&explain.Lookup(situation)[0])["iwarp expects"]; decided != want+" (checking is optional)" {
			t.Errorf("%s: %q", situation, decided)
		}
	}
}

func facts(e *explain.Entry) map[string]string {
	m := map[string]string{}
	for _, f := range e.Facts {
		m[f.Name] = f.Value
	}
	return m
}

func TestFacts(t *testing.T) {
	for _, test := range []struct{ query, fact, want string }{
		{"1/2/05", "On the wire", "12 05"},
		{"1/2/05", "From siw", "21 05 on the wire, on little-endian machines"},
		{"1/2/05", "Encloses", "DDP Segment Length and DDP header of the segment in error (M and D)"},
		{"0x1205c000", "HdrCt says", "DDP Segment Length (M), DDP header (D)"},
		{"0x10000700", "HdrCt says", "DDP Segment Length (M), DDP header (D), Read Request header (R)"},
		{"0x20060000", "HdrCt says", "nothing"},
		{"opcode 4", "Begins with", "41 44"},
		{"Write", "Begins with", "c1 40"},
		{"Write", "Headers", "DDP 14 octets, then payload"},
		{"ReadRequest", "Headers", "DDP 18 octets, RDMAP 28 octets"},
		{"ReadRequest", "Answered by", "ReadResponse"},
		{"AtomicResponse", "Buffers", "untagged, queue 3"},
		{"iwarp_ddp.msn", "In", "DDP untagged header, bits 80 to 111, octets 10 to 13"},
		{"iwarp_rdma.opcode", "In", "RDMAP control field, bits 4 to 7, octet 0 (octet 1 of the ULPDU), mask 0x0f"},
		{"iwarp_rdma.hdrct_d", "In", "RDMAP Terminate header, bit 17, octet 2 (octet 20 of the ULPDU), mask 0x40"},
		{"iwarp_mpa.privatedata", "In", "MPA Reply, from octet 20"},
		{"iwarp_mpa.crc", "In", "MPA FPDU trailer, the last 4 octets"},
		{"iwarp_rdma.atomic.opcode", "Values", "0 FetchAdd, 2 CmpSwap"},
		{"iwarp_rdma.term_layer", "Values", "0 RDMAP, 1 DDP, 2 LLP"},
		{"DDP-5.3-4", "Document", "RFC 5041, Direct Data Placement over Reliable Transports"},
		{"DDP-5.3-4", "Level", "MAY"},
		{"DDP-7.1-2", "Shows in", "how a live peer answers; a capture"},
		{"RDMAP-1.1-1", "Why this level", "iwarp chose it: this is stated without a key word of RFC 2119"},
		{"NFSv3 READ", "Number", "program 100003, version 3, procedure 6"},
		{"NFS4ERR_DELAY", "Value", "10008 (0x2718)"},
	} {
		entries := explain.Lookup(test.query)
		if len(entries) == 0 {
			t.Errorf("%s: nothing", test.query)
			continue
		}
		if got := facts(&entries[0])[test.fact]; got != test.want {
			t.Errorf("%s: %s is %q, want %q", test.query, test.fact, got, test.want)
		}
	}
}

func TestFieldRequirements(t *testing.T) {
	for query, want := range map[string][]string{
		"iwarp_ddp.msn":         {"DDP-4.3-1", "DDP-4.3-7", "DDP-4.3-8", "DDP-4.3-9", "DDP-4.3-10"},
		"iwarp_mpa.marker_flag": {"MPA-7.1.1-5", "MPA-7.1.1-6", "MPA-7.1.1-7"},
		"iwarp_rdma.reserved":   {"RDMAP-4.1-10", "RDMAP-4.1-11"},
		"nfs.tag":               nil,
	} {
		if d := cmp.Diff(want, explain.Lookup(query)[0].See); d != "" {
			t.Errorf("%s (-want +got):\n%s", query, d)
		}
	}
}

// TestDecided checks that a requirement is explained with all that is decided about its breaches, and that no decision is called the
// documents' Reaction.
func TestDecided(t *testing.T) {
	for r := range rpcrules.All() {
		g, ok := r.Ground()
		for _, id := range r.IDs {
			e := entryOf(t, id, explain.KindRequirement)
			told := slices.ContainsFunc(e.Facts, func(f explain.Fact) bool {
				return f.Name == "Decided by iwarp" && strings.Contains(f.Value, r.Name) && strings.HasSuffix(f.Value, ": "+g.Decided)
			})
			if ok && g.Decided != "" && !told {
				t.Errorf("%s: what is decided about %s is not in %v", id, r.Name, e.Facts)
			}
		}
	}
	for id, want := range map[string]string{"RDMAP-6.1-4": "iwarp expects", "DDP-4.2-1": "iwarp expects", "MPA-7.1.1-8": "Reaction"} {
		e := entryOf(t, id, explain.KindRequirement)
		if !slices.ContainsFunc(e.Facts, func(f explain.Fact) bool { return f.Name == want }) {
			t.Errorf("%s: no %q in %v", id, want, e.Facts)
		}
	}
}

// TestUpperLayersAreTerms checks that each upper layer has a term with its own name.
func TestUpperLayersAreTerms(t *testing.T) {
	for _, l := range all.Layers() {
		if !slices.ContainsFunc(explain.Lookup(l.Name), func(e explain.Entry) bool { return e.Kind == explain.KindTerm }) {
			t.Errorf("no term is named %s: add it to the Terms of its Layer", l.Name)
		}
	}
}

// TestLighter checks that every rule which weighs less than its requirement says why.
func TestLighter(t *testing.T) {
	n := 0
	for r := range rpcrules.All() {
		e := entryOf(t, r.Name, explain.KindRule)
		said := slices.ContainsFunc(e.Facts, func(f explain.Fact) bool { return strings.HasSuffix(f.Value, r.ID()+" says. "+r.Lighter) })
		if said != (r.Lighter != "") {
			t.Errorf("%s: %q", r.Name, e.Text)
		}
		if said {
			n++
		}
	}
	if n == 0 {
		t.Error("no rule says why")
	}
}

// Every name that a field of an upper layer gives a value is known: the statuses that iwarp check prints are among them.
func TestEveryNamedValue(t *testing.T) {
	for _, l := range all.Layers() {
		for _, table := range l.Tables {
			for _, f := range table.Fields {
				if f.Known == nil {
					continue
				}
				for v := range f.Known {
					if name := f.Names(v); explain.Lookup(name) == nil {
						t.Errorf("%s of %s is not known", name, f.Name)
					}
				}
			}
		}
	}
}

// TestUpperLayers checks that each implementation of an upper layer is explained with all that check excuses of it.
func TestUpperLayers(t *testing.T) {
	for _, p := range peers.UpperLayers {
		e := entryOf(t, p.Name, explain.KindTerm)
		for i, d := range p.Deviations {
			if len(e.Peers) != 1 || !strings.HasPrefix(e.Peers[0].Notes[i], d.Why) {
				t.Errorf("%s: %s is not in %v", p.Name, d.Why, e.Peers)
			}
		}
	}
}

// TestExcused checks that a peer is explained with all that its profile excuses.
func TestExcused(t *testing.T) {
	for _, p := range peers.Profiles {
		if p.RNIC == nil {
			continue
		}
		e := entryOf(t, p.Name, explain.KindTerm)
		notes := ""
		for _, peer := range e.Peers {
			notes += strings.Join(peer.Notes, "\n")
		}
		for r := range rpcrules.All() {
			if why, ok := p.Excuses(r); ok && (!strings.Contains(notes, why) || !strings.Contains(notes, r.Name)) {
				t.Errorf("%s: %s is not in %s", p.Name, r.Name, notes)
			}
		}
	}
}

// entryOf is what a name means as one kind of entry.
func entryOf(t *testing.T, name string, k explain.Kind) explain.Entry {
	t.Helper()
	found := explain.Lookup(name)
	i := slices.IndexFunc(found, func(e explain.Entry) bool { return e.Kind == k })
	if i < 0 {
		t.Fatalf("%s is not found as %s", name, k)
	}
	return found[i]
}

// TestRemarks checks that what peers have a remark about can be looked up, and says it.
func TestRemarks(t *testing.T) {
	for _, p := range slices.Concat(peers.RNICs, peers.UpperLayers) {
		for _, r := range p.Remarks {
			for _, about := range r.About {
				if about == "AUTH_Failure1" {
					continue // a message of NVMe that is named in verdicts only
				}
				says := func(q explain.Peer) bool { return q.Name == p.Name && slices.Contains(q.Notes, r.Notes[0]) }
				if !slices.ContainsFunc(explain.Lookup(about), func(e explain.Entry) bool { return slices.ContainsFunc(e.Peers, says) }) {
					t.Errorf("%s: nothing says %q about %q", p.Name, r.Notes[0], about)
				}
			}
		}
	}
}
