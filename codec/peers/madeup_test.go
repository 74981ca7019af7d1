package peers_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/iwarpkit/iwarp/codec/peers"
	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/dissect"
	"github.com/iwarpkit/iwarp/dissect/judge"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/pcaps"
	"github.com/iwarpkit/iwarp/replay/conform"
	"github.com/iwarpkit/iwarp/replay/scenario"
	"github.com/iwarpkit/iwarp/replay/sim"
)

// acme is a made-up RNIC, and madeUp its Profile. Only this test knows them.
var (
	acme = rules.Peer{
		Name: "acme", Title: "acme, an RNIC that nobody makes",
		Answers: rules.Answers{
			rules.WriteSTag: {Act: rules.Terminates, Codes: rules.Codes{0x02FF}, Note: "as for everything"},
			rules.SendMSN:   {Act: rules.Resets, Note: "closes the connection without a Terminate"},
			rules.ReadMO:    {Act: rules.Ignores, Note: "is not checked"},
		},
		Deviations: []rules.Deviation{{Why: "acme leaves headers out", Rules: []*rules.Rule{rules.RuleTerminateHdrCt}}},
		Terminate:  rules.Style{Bare: rules.Codes{0x02FF}},
	}
	madeUp = rules.Profile{Name: "acme", RNIC: &acme}
)

// The reference RNIC behaves like the peer; the player accepts that by the Profile, and says why.
func TestMadeUpIsPlayed(t *testing.T) {
	for bad, want := range map[string]string{
		`Write STag=0x12345600 TO=0x10 "abc"` + "\n5 server after 4 Refusal write-stag to 4": "accepted: 0/2/FF (RDMAP Remote Operation " +
			"Error: Unspecified Error) is permitted where the STag of a Write is unknown or invalid; acme: as for everything",
		`Segment Send MSN=7 "abc"` + "\n5 server after 4 Refusal send-msn to 4": "accepted: acme: closes the connection without a Terminate",
		`Segment ReadRequest MO=4` + "\n5 server after 4 Refusal read-mo to 4":  "accepted: no Terminate; acme: is not checked",
	} {
		s, err := scenario.Parse("made up", `scenario "made up"
connection c0
1 client MPARequest Rev=1 C
2 server after 1 MPAReply Rev=1 C
3 client after 2 Segment Send "before"
4 client `+bad+`
6 server FIN
7 client after 6 FIN
`)
		if err != nil {
			t.Fatal(err)
		}
		o := sim.Run(s.Conns[0], scenario.Client, sim.Options{Profile: &madeUp}).Outcome
		var got []string
		for _, step := range o.Steps {
			if step.Expected != nil && step.Expected.Number == 5 {
				got = append(got, step.Verdict.String()+": "+step.Reason)
			}
		}
		if !slices.Equal(got, []string{want}) {
			t.Errorf("%s: %q (%s)", bad, got, o.End)
		}
	}
}

// Conformance tolerates the peer's known deviations.
func TestMadeUpIsTolerated(t *testing.T) {
	s := conform.Assume(scenario.Client)
	s.Profile = &madeUp
	made, err := conform.Build(conform.Question{
		Case: &conform.Case{Name: "case", Says: "It is so.", Ask: conform.Text(`
			> [bad] Segment ReadRequest MO=4 SinkSTag=0x1000 RDMARDSZ=4 SrcSTag=$data SrcTO=$data_to
			< OneOf
			or Refusal read-mo to [bad]
			may known unchecked read-mo "does not look" ReadResponse ?*
			may known unchecked read-stag "is not blind" FIN
			< ends`)},
		Section: &conform.Section{Document: "RFC5041", Number: "7.1"},
	}, s)
	if err != nil {
		t.Fatal(err)
	}
	if text := made.String(); !strings.Contains(text, `may "acme does not look" ReadResponse`) || strings.Contains(text, "blind") {
		t.Error(text)
	}
}

// graded records the grades of an analysis.
type graded struct{ all []string }

// Record implements record.Sink.
func (g *graded) Record(r *record.Record) {
	for _, f := range r.Findings {
		g.all = append(g.all, fmt.Sprintf("%s %v", f.Name, f.Severity))
	}
}

// An analysis excuses deviations of the peer, and no others.
func TestMadeUpIsExcused(t *testing.T) {
	c, err := pcaps.Open("../../pcaps/samples/term-write-badkey.pcap")
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	p := madeUp
	p.RNIC = &rules.Peer{Name: "other", Deviations: []rules.Deviation{{Why: "other swaps bits", Rules: []*rules.Rule{rules.RuleTerminateSwapped}}}}
	var g graded
	e := dissect.NewEngine(judge.New(&g, judge.Options{Profile: &p}), dissect.Options{})
	if err := e.Run(context.Background(), c); err != nil {
		t.Fatal(err)
	}
	if !slices.Contains(g.all, "terminate-swapped note") {
		t.Errorf("%q", g.all)
	}
}

// naming are the files that name peers although these are data, each with the reason.
var naming = map[string]string{
	"dissect/explain/status.go": "drivers have constants of their own",
	"replay/sim/doc.go":         "a document is called after one",
}

// Nobody else names peers, and nobody else states facts about one: they are data.
func TestNobodyElseNamesPeers(t *testing.T) {
	var names []string
	for _, p := range slices.Concat(peers.RNICs, peers.UpperLayers) {
		names = append(names, p.Name)
	}
	const root = "../../"
	read, named := 0, 0
	for _, folder := range []string{"codec", "dissect", "replay", "rnicsim"} {
		err := filepath.WalkDir(root+folder, func(path string, entry fs.DirEntry, err error) error {
			file := filepath.ToSlash(strings.TrimPrefix(path, root))
			switch {
			case err != nil:
				return err
			case file == "codec/peers":
				return fs.SkipDir
			case entry.IsDir() || !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go"):
				return nil
			}
			read++
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			words := strings.FieldsFunc(strings.ToLower(string(text)), func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') })
			i := slices.IndexFunc(names, func(name string) bool { return slices.Contains(words, name) })
			switch {
			case naming[file] != "" && i >= 0:
				named++
			case i >= 0:
				t.Errorf("%s speaks of %s: only files in codec/peers may", file, names[i])
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if read == 0 || named != len(naming) {
		t.Errorf("%d files, of which %d may and do name peers, want %d", read, named, len(naming))
	}
}

// Files in this package and in words suffice to add a peer, as CONTRIBUTING.md says.
func TestFilesAddPeer(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the command")
	}
	dir := t.TempDir()
	write := func(name, text string) string {
		name = filepath.Join(dir, name)
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return name
	}
	own, err := filepath.Abs(".")
	if err != nil {
		t.Fatal(err)
	}
	files, err := json.Marshal(map[string]map[string]string{"Replace": {
		filepath.Join(own, "acme.go"): write("acme.go", `package peers

import "github.com/iwarpkit/iwarp/codec/rules"

func init() { addRNIC(&ACME, nil) }

// ACME is an RNIC that nobody makes.
var ACME = rules.Peer{Name: "acme", Title: "acme, an RNIC that nobody makes", Answers: rules.Answers{
	rules.WriteSTag: {Act: rules.Resets, Note: "closes the connection without a Terminate"}},
	Deviations: []rules.Deviation{{Why: "acme leaves octets in the PAD", Rules: breaks{rules.RuleFPDUPad}}},
	Remarks: []rules.Remark{{About: about{"fpdu-crc"}, Notes: []string{"has a bad adder"}}}}
`),
		filepath.Join(own, "words/acme.go"): write("words.go", `package words

import "github.com/iwarpkit/iwarp/codec/peers"

func init() { add(&acme) }

var acme = Peer{Peer: &peers.ACME, Title: "an RNIC that nobody makes", Text: "It is made up."}
`),
	}})
	if err != nil {
		t.Fatal(err)
	}
	iwarp := filepath.Join(dir, "iwarp")
	run := func(name string, args ...string) string {
		out, err := exec.Command(name, args...).CombinedOutput()
		if err != nil {
			t.Fatalf("%s %q: %v\n%s", name, args, err, out)
		}
		return string(out)
	}
	run("go", "build", "-overlay", write("overlay.json", string(files)), "-o", iwarp, "../../cmd/iwarp")
	for _, tc := range []struct{ command, says string }{
		{"explain acme", "It is made up."},
		{"explain fpdu-crc", "acme has a bad adder"},
		{"explain write-stag", "acme closes the connection without a Terminate"},
		{"serve --list-quirks", "answers as acme, an RNIC that nobody makes"},
		{"check --profile acme ../../pcaps/samples/rping.pcap", ""},
		{"check --all ../../pcaps/samples/mpav1-crc.pcap", "It is a known deviation: siw does not clear the PAD octets of an FPDU, or acme leaves octets in the PAD."},
		{"check ../../pcaps/samples/mpav1-crc.pcap", "1 deviation excused"},
	} {
		if out := run(iwarp, strings.Fields(tc.command)...); !strings.Contains(strings.Join(strings.Fields(out), " "), tc.says) {
			t.Errorf("iwarp %s:\n%s", tc.command, out)
		}
	}
}
