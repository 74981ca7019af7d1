package sim_test

import (
	"bytes"
	"flag"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/iwarpkit/iwarp/codec/peers"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/internal/golden"
	"github.com/iwarpkit/iwarp/pcaps"
	"github.com/iwarpkit/iwarp/replay/compile"
	"github.com/iwarpkit/iwarp/replay/internal/captures"
	"github.com/iwarpkit/iwarp/replay/scenario"
	"github.com/iwarpkit/iwarp/replay/sim"
)

// A recordedChange is a change of a capture: one value of one step is another one.
type recordedChange struct {
	kind string
	do   scenario.Action
}

// recordedChanges returns the changes of a step. Those whose kind begins with twice are of values that the capture shows
// elsewhere, too.
func recordedChanges(c *scenario.Conn, i int, known map[int]bool) (all []recordedChange) {
	m, ok := c.Steps[i].Do.(*scenario.Message)
	if !ok {
		return nil
	}
	values := c.Recorded()
	size, sized := m.Fields.Lookup("RDMARDSZ")
	for j, f := range m.Fields {
		if m.Opcode == rdmap.OpWrite && m.Payload.Len() == 0 || sized && size.Number == 0 {
			break // nobody looks at memory of which nothing is used
		}
		n, ok := f.Value.Resolve(values)
		if !ok || m.To != 0 {
			continue
		}
		kind := once + m.Verb() + " " + f.Name
		switch {
		case f.Value.Var != "" && f.Value.Number == 0 && (f.Name == "STag" || f.Name == "TO" || f.Name == "InvalidateSTag" || strings.HasPrefix(f.Name, "Src")):
			kind = twice + m.Verb() + " " + f.Name
		}
		for _, bit := range []uint64{1, 0x100} {
			by := ""
			if bit > 1 {
				by = " by 256 octets"
			}
			if bit > 1 && !strings.HasSuffix(f.Name, "TO") {
				continue
			}
			changed, kind := *m, kind+by
			changed.Fields = slices.Clone(m.Fields)
			changed.Fields[j].Value = scenario.Value{Number: n ^ bit}
			if v := variable(c, f.Value.Var); strings.HasPrefix(kind, twice) && v.Kind == scenario.TO && n^bit-v.Value < v.Length {
				if _, differ := contents(change(c, i, &changed)); differ == 0 {
					kind = once + m.Verb() + " " + f.Name + by // it is of the same memory, and what is read of that is the same
				}
			}
			all = append(all, recordedChange{kind, &changed})
		}
	}
	for j, part := range m.Payload {
		changed := *m
		changed.Payload = slices.Clone(m.Payload)
		switch {
		case part.Ref.Var != "":
			n, _ := part.Ref.Resolve(values)
			octets, err := (scenario.Payload{part}).AppendOctets(nil, scenario.Values{part.Ref.Var: values[part.Ref.Var] ^ 1})
			if err != nil || n == 0 {
				continue
			}
			changed.Payload[j] = scenario.Part{Octets: octets}
			all = append(all, recordedChange{twice + "payload " + variable(c, part.Ref.Var).Kind.String(), &changed})
		case len(part.Octets) > 0 && part.Times == 0:
			kind := once + "octet of a " + m.Verb()
			if known[c.Steps[i].Number] {
				kind = twice + "octet of a " + m.Verb()
			}
			octets := bytes.Clone(part.Octets)
			octets[len(octets)/2] ^= 1
			changed.Payload[j] = scenario.Part{Octets: octets}
			all = append(all, recordedChange{kind, &changed})
		}
	}
	return all
}

// variable returns the variable of c with a name, or nil.
func variable(c *scenario.Conn, name string) *scenario.Var {
	if i := slices.IndexFunc(c.Vars, func(v *scenario.Var) bool { return v.Name == name }); i >= 0 {
		return c.Vars[i]
	}
	return nil
}

// contents returns the steps whose octets were written or read before, all of them and as they are, and how many octets that
// are read are not as they were.
func contents(c *scenario.Conn) (twice map[int]bool, differ int) {
	type at struct {
		side scenario.Side
		stag uint32
		to   uint64
	}
	values, memory := c.Recorded(), make(map[at]byte)
	twice = make(map[int]bool)
	field := func(m *scenario.Message, name string) uint64 {
		v, _ := m.Fields.Lookup(name)
		n, _ := v.Resolve(values)
		return n
	}
	for _, s := range c.Steps {
		m, ok := s.Do.(*scenario.Message)
		if !ok || m.Payload.Len() > 1<<16 {
			continue
		}
		place, of := at{s.Side.Other(), uint32(field(m, "STag")), field(m, "TO")}, false
		switch m.Opcode {
		case rdmap.OpWrite:
			of = true
		case rdmap.OpReadResponse:
			if m.To != 0 {
				r := c.Step(m.To).Do.(*scenario.Message)
				place, of = at{s.Side, uint32(field(r, "SrcSTag")), field(r, "SrcTO")}, true
			}
		}
		if !of {
			continue
		}
		octets, _ := m.Payload.AppendOctets(nil, values)
		same := m.Opcode == rdmap.OpReadResponse && len(octets) > 0
		for i, o := range octets {
			was, ok := memory[at{place.side, place.stag, place.to + uint64(i)}]
			same = same && ok && was == o
			if ok && was != o && m.Opcode == rdmap.OpReadResponse {
				differ++
			}
			memory[at{place.side, place.stag, place.to + uint64(i)}] = o
		}
		twice[s.Number] = same
	}
	return twice, differ
}

var otherCaptures = flag.String("captures", "", "change the captures of this folder, and log what is noticed")

// A score is how many changes were made, and how many of them were noticed.
type score struct{ made, noticed int }

// TestRecordedChanges changes one value of a capture before it is replayed, and compares what replay --sim notices with a
// table in the documents.
func TestRecordedChanges(t *testing.T) {
	const perKind, longest = 2, 60
	scores := make(map[string]*score)
	var missed, unseen []string
	files := captures.All(t)
	if *otherCaptures != "" {
		files, _ = filepath.Glob(filepath.Join(*otherCaptures, "*.pcap*"))
	}
	for i, name := range files {
		if testing.Short() && i%12 != 0 {
			continue
		}
		s, _ := compiled(t, name)
		for _, c := range s.Conns {
			if len(c.Steps) > longest || !clean(c) {
				continue
			}
			times := make(map[string]int)
			known, _ := contents(c)
			for i := range c.Steps {
				for _, r := range recordedChanges(c, i, known) {
					if times[r.kind]++; times[r.kind] > perKind {
						continue
					}
					one := scores[r.kind]
					if one == nil {
						one = new(score)
						scores[r.kind] = one
					}
					if one.made++; notices(t, change(c, i, r.do)) {
						one.noticed++
						continue
					}
					often, what, _ := strings.Cut(r.kind, ": ")
					row := fmt.Sprintf("| %s | %s | %d | %s |\n", captures.Name(name), c.Name, c.Steps[i].Number, what)
					if often+": " == twice {
						missed = append(missed, row)
					} else if what == "ReadRequest SrcSTag" || what == "ReadRequest SrcTO" {
						unseen = append(unseen, row)
						if _, differ := contents(change(c, i, r.do)); differ > 0 {
							t.Errorf("%s reads %d octets that the capture shows otherwise elsewhere", row, differ)
						}
					}
				}
			}
		}
	}
	text := scoreText(t, scores, missed, unseen)
	if *otherCaptures != "" {
		t.Log(text)
		return
	}
	if !testing.Short() { // the table is about all captures
		golden.File(t, "../../docs/generated/replay-sim.md", text)
	}
}

// How names of each kind begin: those that the capture also shows elsewhere, and those that it does not.
const (
	twice = "twice: "
	once  = "once: "
)

// scoreText writes the table, and checks that it is good enough.
func scoreText(t *testing.T, scores map[string]*score, missed, unseen []string) string {
	var b strings.Builder
	b.WriteString("# What iwarp replay --sim notices\n\nThe test TestRecordedChanges of replay/sim writes this. It changes one value of a bundled capture " +
		"(its lowest bit, or that of\na TO, an STag or an octet in the middle of a payload; a TO by 256 octets, too), makes the CRC right, and then replays the capture with `--sim` in both\nroles.\n")
	for _, half := range []struct{ begins, title string }{
		{twice, "The capture shows the value twice: advertised and used, or written or read before and read"},
		{once, "The capture shows the value once: a program may as well have sent it, and most is not noticeable"},
	} {
		fmt.Fprintf(&b, "\n## %s\n\n| changed | times | noticed |\n|---|---|---|\n", half.title)
		var all score
		for _, kind := range slices.Sorted(maps.Keys(scores)) {
			if what, ok := strings.CutPrefix(kind, half.begins); ok {
				fmt.Fprintf(&b, "| %s | %d | %d |\n", what, scores[kind].made, scores[kind].noticed)
				all.made += scores[kind].made
				all.noticed += scores[kind].noticed
			}
		}
		fmt.Fprintf(&b, "| all | %d | %d |\n", all.made, all.noticed)
		if half.begins == twice && 100*all.noticed < 95*all.made {
			t.Errorf("%d of %d are noticed, fewer than 95 %%", all.noticed, all.made)
		}
	}
	for _, field := range []string{"SrcSTag", "SrcTO", "SrcTO by 256 octets"} {
		if s := scores[twice+"ReadRequest "+field]; s != nil && s.noticed < s.made {
			t.Errorf("%d of %d changed %s of Read Requests are noticed", s.noticed, s.made, field)
		}
	}
	if len(missed) > 0 {
		fmt.Fprintf(&b, "\n## Shown twice, and not noticed\n\n| capture | connection | step | changed |\n|---|---|---|---|\n%s", strings.Join(missed, ""))
	}
	fmt.Fprintf(&b, "\n## Sources of Read Requests that are shown once, and not noticed\n\nA program may have asked for these. What is read "+
		"is nowhere else in the capture, or is the same octets.\n\n| capture | connection | step | changed |\n|---|---|---|---|\n%s", strings.Join(unseen, ""))
	return b.String()
}

// clean reports whether a connection is played without a difference.
func clean(c *scenario.Conn) bool {
	for _, role := range []scenario.Side{scenario.Client, scenario.Server} {
		if s := sim.Run(c, role, sim.Options{Profile: peers.LookupProfile("siw")}).Outcome.Summary(); !s.Passed() || s.Accepted > 0 || s.NotApplicable > 0 {
			return false
		}
	}
	return true
}

// notices reports whether replay --sim notices that a capture is not as it was, in either role.
func notices(t *testing.T, c *scenario.Conn) bool {
	t.Helper()
	var b bytes.Buffer
	if err := compile.Write(&b, &scenario.Scenario{Conns: []*scenario.Conn{c}}, compile.WriteOptions{}); err != nil {
		return true
	}
	in, err := pcaps.NewCapture("changed", &b)
	if err != nil {
		t.Fatal(err)
	}
	s, _, err := compile.Capture(t.Context(), in, compile.Options{})
	if err != nil || len(s.Conns) != 1 {
		return true
	}
	return !clean(s.Conns[0])
}

// Several STags that differ from one in an octet are told in the same order each time.
func TestContradictionsInOrder(t *testing.T) {
	var b strings.Builder
	b.WriteString("  1 client MPARequest C Rev=1\n  2 server after 1 MPAReply C Rev=1\n  3 server Send \"memory\" 22334457\n")
	for i, stag := range []uint32{0x11110000, 0x11110001, 0x11110002, 0x11110300, 0x12110000, 0x11130000, 0x22334455} {
		fmt.Fprintf(&b, "  %d client after 3 Write STag=0x%x TO=0 \"data\"\n", 4+i, stag)
	}
	c := parsed(t, b.String())
	for _, s := range c.Steps {
		s.Frame = uint64(s.Number)
	}
	for range 10 {
		var got []string
		for _, s := range sim.Run(c, scenario.Client, sim.Options{}).Outcome.Steps {
			if strings.Contains(s.Reason, "elsewhere") {
				got = append(got, s.Reason[strings.Index(s.Reason, "STag"):])
			}
		}
		want := []string{
			"STag is 0x11110000, and 0x11110001 elsewhere", "STag is 0x11110001, and 0x11110000 elsewhere",
			"STag is 0x11110002, and 0x11110000 elsewhere", "STag is 0x11110300, and 0x11110000 elsewhere",
			"STag is 0x12110000, and 0x11110000 elsewhere", "STag is 0x11130000, and 0x11110000 elsewhere",
			"STag is 0x22334455, and 0x22334457 elsewhere",
		}
		if !slices.Equal(got, want) {
			t.Fatalf("got %q", got)
		}
	}
}

// One octet that a Read shows, and that Reads before and after it do not, is one contradiction.
func TestOneOctetDiffers(t *testing.T) {
	c := parsed(t, `
var $s stag server 0x00001200
var $t to server 0x4000 length 64 in $s
1 client MPARequest C Rev=1
2 server after 1 MPAReply C Rev=1 $t:be64 $s:be32
3 client after 2 Write STag=$s TO=$t "abcdefghijklmnopqrstuvwx"
4 client ReadRequest SinkSTag=0x9 SinkTO=0x0 RDMARDSZ=24 SrcSTag=$s SrcTO=$t
5 server after 4 ReadResponse to 4 "abcdefghijklmnopqrstuvwx"
6 client after 5 ReadRequest SinkSTag=0x9 SinkTO=0x0 RDMARDSZ=1 SrcSTag=$s SrcTO=$t+4
7 server after 6 ReadResponse to 6 "a"
8 client after 7 ReadRequest SinkSTag=0x9 SinkTO=0x0 RDMARDSZ=2 SrcSTag=$s SrcTO=$t+3
9 server after 8 ReadResponse to 8 "de"
`)
	for _, s := range c.Steps {
		s.Frame = uint64(s.Number)
	}
	var got []string
	for _, s := range sim.Run(c, scenario.Client, sim.Options{}).Outcome.Steps {
		if strings.Contains(s.Reason, "nothing else does") {
			got = append(got, s.Reason)
		}
	}
	if len(got) != 1 || !strings.Contains(got[0], "7") {
		t.Errorf("%q", got)
	}
}
