package judge

import (
	"strings"
	"testing"

	"github.com/iwarpkit/iwarp/codec/peers"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/codec/rpcrules"
	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/record"
)

// TestObservations checks that observations are told apart from each other and from rules, and can be looked up.
func TestObservations(t *testing.T) {
	n := 0
	for o := range Observations() {
		n++
		if LookupObservation(o.ID) != o || LookupObservation(o.Name) != o || rpcrules.Lookup(o.Name) != nil || o.Text == "" {
			t.Errorf("%+v", o)
		}
	}
	if n != len(observations) || LookupObservation("OBS-NOTHING") != nil {
		t.Errorf("%d observations", n)
	}
}

// TestRecovered refuses a request, and lets others with the same name and another Task succeed: the name decides nothing.
func TestRecovered(t *testing.T) {
	var s story
	f := &record.Finding{Origin: record.Origin{Dir: flow.S2C}, Name: ObsRefusedUpper.Name}
	s.add(f, decision, 0, asked{task: 1}, func() statement { return statement{} })
	for _, step := range []struct {
		task      uint64
		recovered bool
	}{{2, false}, {1, true}} {
		s.succeeded(&record.Transaction{Dir: flow.C2S, Name: "READ", Task: step.task})
		if got := s.candidates[0].recovered; got != step.recovered {
			t.Errorf("after task %d: %v", step.task, got)
		}
	}
}

// placed is an Exchange that was refused because of its place, or succeeded there.
type placed uint64

func (p placed) Answer() string { return "" }
func (p placed) Everyday() bool { return false }
func (p placed) Copy() any      { return p }
func (p placed) Place() uint64  { return uint64(p) }
func (p placed) Local() bool    { return true }

// TestRecoveredAtPlaces refuses requests at places: only what succeeds at the same one, if that is the only one, shows that they are
// refused no more. One that has recovered makes room for others.
func TestRecoveredAtPlaces(t *testing.T) {
	for _, test := range []struct {
		refused   []placed
		succeeds  placed
		recovered bool
	}{{[]placed{1}, 2, false}, {[]placed{1}, 1, true}, {[]placed{1, 1}, 1, true}, {[]placed{1, 2}, 1, false}} {
		var s story
		refuse := func(task uint64, at placed) {
			f := &record.Finding{Origin: record.Origin{Dir: flow.S2C}, Name: ObsRefusedUpper.Name}
			s.add(f, decision, 0, askedFor(&record.Transaction{Task: task, Upper: at}), func() statement { return statement{} })
		}
		for _, at := range test.refused {
			refuse(1, at)
		}
		s.succeeded(&record.Transaction{Dir: flow.C2S, Task: 1, Upper: test.succeeds})
		if got := s.candidates[0].recovered; got != test.recovered || s.candidates[0].more != len(test.refused)-1 {
			t.Errorf("%+v: %v", test, got)
		}
		for other := range uint64(2 * maxCandidates) {
			refuse(2+other, 1)
		}
		if n := len(s.candidates); n != maxCandidates || s.candidates[0].recovered {
			t.Errorf("%+v: %d candidates", test, n)
		}
	}
}

// TestMeaningForWrites checks that what is said of a Write that an RNIC refuses by the codes for Read Requests is not about Reads.
func TestMeaningForWrites(t *testing.T) {
	for code := range uint8(5) {
		c := rdmap.Code{Layer: rdmap.LayerRDMAP, EType: rdmap.RDMAPRemoteProtection, ErrorCode: code}
		if m := meaningFor(c, rdmap.OpWrite); m.LookFor() == "" || strings.Contains(m.Text+m.LookFor(), "Read") || strings.Contains(m.LookFor(), "Src") {
			t.Errorf("%v: %+v", c, m)
		}
		if m := meaningFor(c, rdmap.OpReadRequest); m != MeaningOf(c) {
			t.Errorf("%v: %+v", c, m)
		}
	}
}

// TestJoinOfOthers checks that of several exchanges the first counts, and of its bodies the last.
func TestJoinOfOthers(t *testing.T) {
	a := Judge{judged: new(record.Record)}
	one, other := new(record.Transaction), new(record.Transaction)
	for _, j := range []struct {
		t    *record.Transaction
		body string
	}{{one, "a"}, {other, "b"}, {one, "c"}} {
		a.join(j.t, named(j.body))
	}
	if r := a.judged; r.Exchange != one || r.Body != named("c") {
		t.Errorf("%+v", r)
	}
}

// named is a Body that is told from others by its name.
type named string

// Lay implements record.Body.
func (named) Lay(*record.View) {}

// TestRemarks checks whose remarks are told: those of the peer that a side is known to be, else of all that it may be.
func TestRemarks(t *testing.T) {
	nobody, smb, neither := newIdentity(nil), newIdentity(nil), newIdentity(nil)
	smb.recognise(flow.UpperLayer, &peers.KSMBD, "", &flow.Span{})
	neither.ruledOut[flow.UpperLayer] = 1<<len(peers.UpperLayers) - 1
	irdma := newIdentity(&rules.Profile{RNIC: &peers.IRDMA})
	const (
		samba = " ksmbd depends on the daemon ksmbd.mountd."
		nfs   = " The Linux NFS server depends on the daemons nfsd and rpc.mountd."
	)
	for _, tc := range []struct {
		who   *identity
		about string
		want  string
	}{
		{&nobody, ObsUnansweredUpper.Name, samba + nfs},
		{&smb, ObsUnansweredUpper.Name, samba},
		{&neither, ObsUnansweredUpper.Name, ""},
		{&irdma, ObsUnansweredUpper.Name, samba + nfs},
		{&irdma, ObsMarkers.Name, ""},
		{&nobody, "", ""},
	} {
		if got := tc.who.remarks(tc.about); got != tc.want {
			t.Errorf("%q: got %q, want %q", tc.about, got, tc.want)
		}
	}
	if got := nobody.remarks(ObsMarkers.Name); !strings.HasPrefix(got, " siw never sends Markers") {
		t.Errorf("Markers: %q", got)
	}
}
