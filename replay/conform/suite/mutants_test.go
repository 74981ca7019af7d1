package suite

// Reference RNICs and RPC servers that each break one rule, to test whether the cases notice: a missing check, a wrong reaction
// to an error, a wrong field in a message, a lost FPDU.

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/iwarpkit/iwarp/codec/ddp"
	"github.com/iwarpkit/iwarp/codec/field"
	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/replay/conform"
	"github.com/iwarpkit/iwarp/replay/conform/internal/reference"
	"github.com/iwarpkit/iwarp/replay/scenario"
	"github.com/iwarpkit/iwarp/rnicsim/fault"
	"github.com/iwarpkit/iwarp/rnicsim/quirk"
	"github.com/iwarpkit/iwarp/rnicsim/rpc"
)

// A mutant is one deviation. Its Name determines it: a quirk as in quirk.Parse, "fault" and a Fault as in
// fault.Parse, or "rpc" and what an RPC server does wrong.
type mutant struct {
	Name  string
	Quirk quirk.Quirk
	Fault *fault.Fault // nil for another mutant
	RPC   *rpc.Options // likewise
}

// Service returns the service that makes the mutant visible.
func (m *mutant) Service() conform.Service {
	if m.RPC != nil {
		return conform.RPCService
	}
	return conform.ConformService
}

// in returns a Peer with the mutant, given one that breaks no rule.
func (m *mutant) in(c reference.Config) reference.Config {
	switch {
	case m.Fault != nil:
		c.Device.Faults = []fault.Fault{*m.Fault}
	case m.RPC != nil:
		c.RPC.Tamper, c.RPC.Careless = m.RPC.Tamper, m.RPC.Careless
		c.RPC.TamperReceived, c.RPC.TamperReceivedPrivate = m.RPC.TamperReceived, m.RPC.TamperReceivedPrivate
	default:
		c.Device.RNIC.Quirks = []quirk.Quirk{m.Quirk}
	}
	return c
}

// parseMutant returns the mutant with a name.
func parseMutant(name string) (mutant, error) {
	if text, ok := strings.CutPrefix(name, "fault "); ok {
		f, err := fault.Parse(text)
		return mutant{Name: name, Fault: &f}, err
	}
	if strings.HasPrefix(name, rpcPrefix) {
		return parseRPC(name)
	}
	k, err := quirk.Parse(name)
	if err == nil {
		err = k.Check()
	}
	return mutant{Name: name, Quirk: k}, err
}

// mutants returns all of them: one for each thing that an RNIC checks or sends.
func mutants() (all []mutant) {
	var names []string
	for s := range rules.NumSituations {
		names = append(names, situation(s)...)
	}
	for r := range rules.Rules() {
		names = append(names, "suppress "+r.Name)
	}
	names = append(names, rewrites()...)
	names = append(names, faults()...)
	names = append(names, rpcNames()...)
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		if m, err := parseMutant(name); err == nil {
			all = append(all, m)
		}
	}
	return all
}

// stepTime is the step timeout of a mutant, which is in the same process.
const stepTime = 400 * time.Millisecond

// noSurvey stands for all cases of a mutant that fails the survey.
const noSurvey = "(the survey)"

// kills runs cases against a mutant in a role, and returns the ids of those that fail. c is the Peer without the
// mutation.
func kills(ctx context.Context, m *mutant, c reference.Config, questions []conform.Question, side scenario.Side) ([]string, error) {
	p, err := reference.Open(m.in(c))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", m.Name, err)
	}
	defer p.Close()
	o := conform.Options{Crashers: true, GoOn: true, Alone: true, StepTimeout: stepTime, Profile: c.Device.RNIC.Profile}
	report, err := p.Ask(ctx, questions, side, o)
	if err != nil {
		return []string{noSurvey}, ctx.Err()
	}
	var killed []string
	for i := range report.Results {
		if r := &report.Results[i]; r.Verdict == conform.Fail {
			killed = append(killed, r.ID())
		}
	}
	return killed, ctx.Err()
}

// situation returns the wrong ways to react to an error.
func situation(s rules.Situation) []string {
	return []string{
		"suppress " + s.String(),
		"react " + s.String() + " drop",
		"react " + s.String() + " reset",
		fmt.Sprintf("react %v %v", s, wrong(s)),
	}
}

// wrong returns a code that no document uses for the error.
func wrong(s rules.Situation) rdmap.Code {
	for _, text := range []string{"0/2/08", "1/0/00", "2/0/05"} {
		code, err := rdmap.ParseCode(text)
		if err == nil && rules.RFC.Grade(s, code) < rules.Accepted {
			return code
		}
	}
	return rdmap.Code{}
}

// rewrites flip the lowest bit of each field of each message and MPA frame, or add to it.
func rewrites() (names []string) {
	add := func(message string, t *field.Table) {
		for i := range t.Fields {
			names = append(names, fmt.Sprintf("rewrite %s %s^1", message, t.Fields[i].Name))
		}
	}
	for o := range rdmap.Opcode(16) {
		for _, t := range slices.Concat(ddp.Tables, rdmap.Tables) {
			add(o.String(), t)
		}
	}
	for _, message := range []string{"MPARequest", "MPAReply", "FPDU"} {
		for _, t := range mpa.Tables {
			add(message, t)
		}
	}
	return names
}

// faults returns what can happen to each kind of message on its way.
func faults() (names []string) {
	messages := []string{"any", "MPARequest", "MPAReply"}
	for o := range rdmap.Opcode(16) {
		messages = append(messages, o.String())
	}
	for _, message := range messages {
		for _, action := range []string{"drop", "duplicate", "crc", "truncate", "reset", "fin", "garbage=4"} {
			names = append(names, "fault "+action+":"+message)
		}
	}
	return names
}

func TestMutants(t *testing.T) {
	all := mutants()
	if len(all) < 300 {
		t.Errorf("there are only %d mutants", len(all))
	}
	for i := range all {
		if all[i].Name == "suppress write-stag" {
			return
		}
	}
	t.Error("suppress write-stag is missing")
}
