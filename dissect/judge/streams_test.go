package judge_test

// Streams written by hand, each of which breaks a rule: is it noticed, there and only there?

import (
	"cmp"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	diff "github.com/google/go-cmp/cmp"

	"github.com/iwarpkit/iwarp/codec/peers"
	"github.com/iwarpkit/iwarp/codec/rfc"
	"github.com/iwarpkit/iwarp/codec/rpcrules"
	"github.com/iwarpkit/iwarp/dissect"
	"github.com/iwarpkit/iwarp/dissect/judge"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/ulp"
	"github.com/iwarpkit/iwarp/dissect/ulp/iser"
	"github.com/iwarpkit/iwarp/dissect/ulp/nvme"
	"github.com/iwarpkit/iwarp/dissect/ulp/rpc"
	"github.com/iwarpkit/iwarp/dissect/ulp/smbdirect"
	"github.com/iwarpkit/iwarp/internal/recordtest"
	"github.com/iwarpkit/iwarp/internal/transcript"
	"github.com/iwarpkit/iwarp/pcaps"
)

// A finder keeps what a Judge finds.
type finder struct {
	findings []record.Finding
	answered map[uint64]uint64 // octets of the transactions of upper layers that were answered, by their ids
	closing  []bool            // of each finding: it came when the capture was over
	over     bool
}

func (f *finder) Record(rec *record.Record) { recordtest.Pieces(rec, f) }

func (f *finder) Finding(one *record.Finding) {
	f.findings = append(f.findings, *one)
	f.closing = append(f.closing, f.over)
}

func (f *finder) Transaction(t *record.Transaction) {
	if t.Kind != record.UpperTransaction || t.Outcome != record.Answered {
		return
	}
	if f.answered == nil {
		f.answered = map[uint64]uint64{}
	}
	f.answered[t.ID] = t.Octets
}

// engine is an Engine whose events are analysed for f, judged by a profile. suppress may be nil.
func (f *finder) engine(profile string, suppress func(string) bool) *dissect.Engine {
	return dissect.NewEngine(judge.New(f, judge.Options{
		Profile:  peers.LookupProfile(profile),
		ULPs:     ulps(),
		Suppress: suppress,
	}), dissect.Options{Ports: []uint16{20049}})
}

// analyse is what is found in packets.
func analyse(records []pcaps.Record, profile string, suppress func(string) bool) *finder {
	f := &finder{}
	e := f.engine(profile, suppress)
	for i := range records {
		e.Packet(&records[i])
	}
	f.over = true
	e.Close()
	return f
}

// found is what a Judge finds in a stream, by line, as the stream's file would expect it. A finding is of the line
// whose packet is its last; what is found when the capture is over is of the end.
func found(s *transcript.Transcript, suppress func(string) bool) (all []transcript.Expectation) {
	f := analyse(s.Records, s.Profile, suppress)
	for i := range f.findings {
		one := transcript.Expectation{Line: s.Line(f.findings[i].LastFrame), Name: f.findings[i].Name}
		if f.closing[i] {
			one.Line = s.EndLine
		}
		all = append(all, one)
	}
	return sorted(all)
}

func sorted(all []transcript.Expectation) []transcript.Expectation {
	all = slices.Clone(all)
	slices.SortFunc(all, func(a, b transcript.Expectation) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), strings.Compare(a.Name, b.Name))
	})
	return all
}

const streamsFolder = "testdata/streams"

// aims are the requirements that lines of a stream break, by its path. The file names them behind the rules.
var aims = map[string][]transcript.Expectation{}

// streams are all files of streams, by their path in the folder.
var streams = sync.OnceValues(func() (map[string]*transcript.Transcript, error) {
	all := map[string]*transcript.Transcript{}
	err := fs.WalkDir(os.DirFS(streamsFolder), ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".txt" {
			return err
		}
		all[path], err = transcript.ReadFile(filepath.Join(streamsFolder, path))
		if err != nil {
			return fmt.Errorf("%s: %w", filepath.Dir(path), err)
		}
		all[path].Expected = slices.DeleteFunc(all[path].Expected, func(e transcript.Expectation) bool {
			aim := rfc.Lookup(e.Name) != nil
			if aim {
				aims[path] = append(aims[path], e)
			}
			return aim
		})
		return nil
	})
	return all, err
})

func allStreams(t *testing.T) map[string]*transcript.Transcript {
	t.Helper()
	all, err := streams()
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// TestStreams checks whether in every stream exactly that is found which its file expects.
func TestStreams(t *testing.T) {
	for path, s := range allStreams(t) {
		t.Run(strings.TrimSuffix(path, ".txt"), func(t *testing.T) {
			if s.Title == "" {
				t.Error("there is no title")
			}
			if peers.LookupProfile(s.Profile) == nil {
				t.Fatalf("%q is not a profile", s.Profile)
			}
			if d := diff.Diff(sorted(s.Expected), found(s, nil)); d != "" {
				t.Errorf("%s (-expected +found):\n%s%s", s.Title, d, texts(s))
			}
		})
	}
}

// TestAims checks whether a finding names each requirement that a line of a stream says that it breaks, or is one of a rule that checks it.
func TestAims(t *testing.T) {
	by := rulesByRequirement(t)
	for path, s := range allStreams(t) {
		f := analyse(s.Records, s.Profile, nil)
		for _, aim := range aims[path] {
			named := false
			for i := range f.findings {
				one := &f.findings[i]
				here := s.Line(one.LastFrame) == aim.Line || f.closing[i] && s.EndLine == aim.Line
				named = named || here && slices.Contains(by[aim.Name], one.Rule)
			}
			if !named {
				t.Errorf("%s: %s: no finding names it", path, aim)
			}
		}
	}
}

// texts are those of what is found in a stream.
func texts(s *transcript.Transcript) string {
	var b strings.Builder
	for _, one := range analyse(s.Records, s.Profile, nil).findings {
		fmt.Fprintf(&b, "%s: %s\n", one.Name, one.Text)
	}
	return b.String()
}

// lowerCase is the begin of a sentence that is not one.
var lowerCase = regexp.MustCompile(`^[a-z]|[.] [a-z]`)

// TestFindings checks whether every finding says all that it has to say.
func TestFindings(t *testing.T) {
	for path, s := range allStreams(t) {
		profile := peers.LookupProfile(s.Profile)
		f := analyse(s.Records, s.Profile, nil)
		for i := range f.findings {
			one := &f.findings[i]
			for _, id := range append([]string{one.ID}, one.Also...) {
				if rfc.Lookup(id) == nil && !strings.HasPrefix(id, "OBS-") {
					t.Errorf("%s: %s: %q is not a requirement", path, one.Name, id)
				}
			}
			if r := rpcrules.Lookup(one.Name); r != nil {
				if want := profile.Severity(r); one.Severity != want || one.ID != r.ID() {
					t.Errorf("%s: %s: %v %s, want %v %s", path, one.Name, one.Severity, one.ID, want, r.ID())
				}
			} else if !strings.HasPrefix(one.ID, "OBS-") {
				t.Errorf("%s: %s is neither a rule nor an observation", path, one.Name)
			}
			if one.Conn == nil || one.Frame == 0 || one.LastFrame < one.Frame || int(one.LastFrame) > len(s.Records) {
				t.Errorf("%s: %s: connection %v, frames %d to %d", path, one.Name, one.Conn, one.Frame, one.LastFrame)
			}
			if !strings.HasSuffix(one.Text, ".") || strings.Contains(one.Text, "%!") || lowerCase.MatchString(one.Text) {
				t.Errorf("%s: %s: the text is %q", path, one.Name, one.Text)
			}
		}
	}
}

// proofs are the streams that expect a finding, by its name.
func proofs(t *testing.T) map[string][]string {
	t.Helper()
	by := map[string][]string{}
	for path, s := range allStreams(t) {
		for _, e := range s.Expected {
			if !slices.Contains(by[e.Name], path) {
				by[e.Name] = append(by[e.Name], path)
			}
		}
	}
	for _, paths := range by {
		slices.Sort(paths)
	}
	return by
}

// TestEveryCheckIsProved checks whether there is a stream for every rule and every observation, and whether that stream
// would tell if the check were not made.
func TestEveryCheckIsProved(t *testing.T) {
	by := proofs(t)
	names := checks()
	for _, name := range names {
		o := judge.LookupObservation(name)
		elsewhere := o == judge.ObsGivenUp || o == judge.ObsPathDamage || o == judge.ObsBadChecksum || o == judge.ObsAltered || o == judge.ObsSpoiled || o != nil && o.TwoCaptures() // TestGivenUp, TestBadChecksum, TestAltered, TestSpoiled; TestVerdicts of dissect/ends
		if len(by[name]) == 0 && !elsewhere {
			t.Errorf("no stream expects %s: one in testdata/streams needs a line \"! %[1]s\"", name)
		}
		noticed := false
		for _, path := range by[name] {
			s := allStreams(t)[path]
			without := found(s, func(rule string) bool { return rule == name })
			noticed = noticed || !slices.Equal(sorted(s.Expected), without)
		}
		if !noticed && len(by[name]) > 0 {
			t.Errorf("%s: no stream notices that it is not checked", name)
		}
	}
	for name, paths := range by {
		if !slices.Contains(names, name) {
			t.Errorf("%v: %s is neither a rule nor an observation", paths, name)
		}
	}
}

// TestGivenUp has two connections where there is room for one, which no stream can have.
func TestGivenUp(t *testing.T) {
	f := &finder{}
	e := dissect.NewEngine(judge.New(f, judge.Options{}), dissect.Options{MaxConnections: 1})
	for _, port := range []string{"1", "2"} {
		s, err := transcript.Parse("port "+port, "port "+port+`
			c2s hex "MPA ID Req Frame" 40 01 0000
			s2c hex "MPA ID Rep Frame" 40 01 0000
			end`)
		if err != nil {
			t.Fatal(err)
		}
		for i := range s.Records {
			e.Packet(&s.Records[i])
		}
	}
	e.Close()
	if n := f.count()[judge.ObsGivenUp.Name]; n != 1 {
		t.Errorf("found %v", f.count())
	}
}

// checks are the names of all rules and observations.
func checks() (names []string) {
	for r := range rpcrules.All() {
		names = append(names, r.Name)
	}
	for o := range judge.Observations() {
		names = append(names, o.Name)
	}
	return names
}

// ulps are the upper layers that are followed.
func ulps() []*ulp.Layer {
	return []*ulp.Layer{rpc.New(rpc.Options{}), nvme.Layer, iser.Layer, smbdirect.Layer}
}
