// Package mutants has reference RNICs and RPC servers that each break one rule, to test whether the cases of package
// conform notice: a missing check, a wrong reaction to an error, a wrong field in a message, a lost FPDU.
package mutants

import (
	"fmt"
	"slices"
	"strings"

	"github.com/iwarpkit/iwarp/codec/ddp"
	"github.com/iwarpkit/iwarp/codec/field"
	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/replay/conform"
	"github.com/iwarpkit/iwarp/replay/conform/internal/reference"
	"github.com/iwarpkit/iwarp/rnicsim/fault"
	"github.com/iwarpkit/iwarp/rnicsim/quirk"
	"github.com/iwarpkit/iwarp/rnicsim/rpc"
)

// A Mutant is one deviation. Its Name determines it: a quirk as in quirk.Parse, "fault" and a Fault as in
// fault.Parse, or "rpc" and what an RPC server does wrong.
type Mutant struct {
	Name  string
	Quirk quirk.Quirk
	Fault *fault.Fault // nil for another Mutant
	RPC   *rpc.Options // likewise
}

// Service returns the service that makes the Mutant visible.
func (m *Mutant) Service() conform.Service {
	if m.RPC != nil {
		return conform.RPCService
	}
	return conform.ConformService
}

// in returns a Peer with the Mutant, given one that breaks no rule.
func (m *Mutant) in(c reference.Config) reference.Config {
	switch {
	case m.Fault != nil:
		c.Device.Faults = []fault.Fault{*m.Fault}
	case m.RPC != nil:
		c.RPC.Tamper, c.RPC.Careless = m.RPC.Tamper, m.RPC.Careless
		c.RPC.Mishear, c.RPC.MishearPrivate = m.RPC.Mishear, m.RPC.MishearPrivate
	default:
		c.Device.RNIC.Quirks = []quirk.Quirk{m.Quirk}
	}
	return c
}

// Parse returns the Mutant with a name.
func Parse(name string) (Mutant, error) {
	if text, ok := strings.CutPrefix(name, "fault "); ok {
		f, err := fault.Parse(text)
		return Mutant{Name: name, Fault: &f}, err
	}
	if strings.HasPrefix(name, rpcPrefix) {
		return parseRPC(name)
	}
	k, err := quirk.Parse(name)
	if err == nil {
		err = k.Check()
	}
	return Mutant{Name: name, Quirk: k}, err
}

// All returns all mutants: one for each thing that an RNIC checks or sends.
func All() (all []Mutant) {
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
		if m, err := Parse(name); err == nil {
			all = append(all, m)
		}
	}
	return all
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
