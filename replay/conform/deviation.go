package conform

// Deviations: header fields that the peer always gets wrong. They fail the cases about them, and are ignored in other
// cases.

import (
	"cmp"
	"fmt"
	"slices"
	"sync"

	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/replay/outcome"
	"github.com/iwarpkit/iwarp/replay/player"
)

// A Deviation is an error of the peer in many cases: a header field, or all messages of a kind.
type Deviation struct {
	player.Deviation          // the header field, which is ignored in other cases; zero for a kind of message
	Says             string   // what is wrong, in a clause
	Requirement      string   // id of the requirement that the header field breaks
	Failed           []string // ids of the cases that fail because of it
}

// maxDeviations limits the Deviations that are learned of a peer.
const maxDeviations = 32

// A duty is a requirement about a header field, and the cases that test it.
type duty struct {
	requirement string
	cases       []string
}

// constant are the fields whose correct value does not depend on what the peer means to say. If one is wrong,
// everything else can still be read.
var constant = sync.OnceValue(func() map[string]duty {
	return map[string]duty{
		"iwarp_mpa.res":              {"MPA-7.1.1-11", []string{"RFC5044/7.1.1/own-frame"}},
		"iwarp_mpa.rev":              {"MPA-7.1.1-15", []string{"RFC5044/7.1.1/own-frame"}},
		"iwarp_mpa.crc":              {"MPA-4.4-6", []string{"RFC5044/4.4/asked-for-by-one-side"}},
		"iwarp_mpa.pad":              {"MPA-4.1-3", []string{"RFC5044/4.1/peers-layout"}},
		"iwarp_mpa.marker_fpduptr":   {"MPA-4.3-3", []string{"RFC5044/4.3/every-512-octets"}},
		"iwarp_mpa.marker_res":       {"MPA-4.2-2", nil},
		"iwarp_ddp.rsvd":             {"DDP-4.1-8", []string{"RFC5041/4.1/own-segments", "RFC5041/4.1/own-sends"}},
		"iwarp_ddp.dv":               {"DDP-4.1-10", []string{"RFC5041/4.1/own-segments", "RFC5041/4.1/own-sends"}},
		"iwarp_ddp.qn":               {"RDMAP-4.1-6", []string{"RFC5040/4.1/control-of-sends"}},
		"iwarp_ddp.msn":              {"DDP-4.3-7", []string{"RFC5041/4.3/own-untagged"}},
		"iwarp_rdma.version":         {"RDMAP-4.1-7", []string{"RFC5040/4.1/control-of-sends", "RFC5040/4.1/control-of-others"}},
		"iwarp_rdma.rsv":             {"RDMAP-4.1-8", []string{"RFC5040/4.1/control-of-sends", "RFC5040/4.1/control-of-others"}},
		"iwarp_rdma.reserved":        {"RDMAP-4.1-10", []string{"RFC5040/4.1/control-of-sends", "RFC5040/4.1/control-of-others"}},
		"iwarp_rdma.term_rsvd":       {"RDMAP-4.8-7", []string{"RFC5040/4.8/local-error"}},
		"iwarp_rdma.atomic.reserved": {"RDMAPX-5.2.1-10", nil},
	}
})

// about reports whether a case tests what a Deviation breaks.
func (d *Deviation) about(q Question) bool { return slices.Contains(constant()[d.Field].cases, q.ID()) }

// deviationsIn returns the wrong header fields of a step; none if something else is wrong, too.
func deviationsIn(s *outcome.Step) (all []Deviation) {
	if id := constant()[s.Framing].requirement; id != "" {
		label := mpa.FPDUFields.Lookup(s.Framing)
		name := "Marker of an FPDU"
		if label != nil {
			name = label.Label + " of an FPDU"
		}
		return []Deviation{{Deviation: player.Deviation{Field: s.Framing}, Says: name + " is wrong", Requirement: id}}
	}
	if s.Diff == nil || s.Expected == nil {
		return nil
	}
	of, in := rdmap.Opcode(0), "an MPA frame"
	if s.Diff.Layer == outcome.ULPDU && len(s.Diff.Actual) > rdmap.ControlOff {
		of = rdmap.Opcode(s.Diff.Actual[rdmap.ControlOff] & 15)
		in = "a " + of.String()
	}
	for _, f := range s.Diff.Fields() {
		switch id := constant()[f.Filter].requirement; {
		case !f.Differs:
		case id == "":
			return nil
		default:
			all = append(all, Deviation{
				Deviation: player.Deviation{Field: f.Filter, Message: of}, Requirement: id,
				Says: fmt.Sprintf("%s of %s is %s, expected %s", f.Name, in, f.Actual, f.Expected),
			})
		}
	}
	return all
}

// learn learns from a case that failed. It reports whether to run the case again, because everything wrong is something
// that it does not test.
func (r *run) learn(result *Result) (again bool) {
	if result.Verdict != Fail || r.Alone {
		return false
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, c := range result.Outcome {
		if passed(c) || c.First() == nil {
			continue
		}
		for _, d := range deviationsIn(c.First()) {
			i := slices.IndexFunc(r.report.Deviations, func(known Deviation) bool { return known.Deviation == d.Deviation })
			if i < 0 && len(r.report.Deviations) < maxDeviations {
				r.report.Deviations = append(r.report.Deviations, d)
				i = len(r.report.Deviations) - 1
			}
			again = again || i >= result.taken && (!d.about(result.Question) || c.Name == alive)
			if i >= 0 && d.about(result.Question) && !slices.Contains(r.report.Deviations[i].Failed, result.ID()) {
				r.report.Deviations[i].Failed = append(r.report.Deviations[i].Failed, result.ID())
			}
		}
	}
	return again
}

// deviations returns the deviations ignored in a connection of a case.
func (r *run) deviations(q Question, conn string) (all []player.Deviation) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for i := range r.report.Deviations {
		if d := &r.report.Deviations[i]; conn == alive || !d.about(q) {
			all = append(all, d.Deviation)
		}
	}
	return all
}

// amend corrects the fields of an MPA frame that the peer may not set. rev is the revision of our own frame; 0 if
// unknown.
func (s *surveyor) amend(f *mpa.Frame, rev uint8) {
	note := func(field, label string, seen, expected uint8) {
		d := Deviation{
			Deviation: player.Deviation{Field: field}, Requirement: constant()[field].requirement,
			Says: fmt.Sprintf("%s of an MPA frame is %d, expected %d", label, seen, expected),
		}
		if !slices.ContainsFunc(s.deviations, func(known Deviation) bool { return known.Deviation == d.Deviation }) {
			s.deviations = append(s.deviations, d)
		}
	}
	if f.Res != 0 {
		note("iwarp_mpa.res", "Res", f.Res, 0)
		f.Res = 0
	}
	if right := min(cmp.Or(rev, mpa.Rev2), mpa.Rev2); f.Rev > mpa.Rev2 {
		note("iwarp_mpa.rev", "Rev", f.Rev, right)
		f.Rev = right
	}
}
