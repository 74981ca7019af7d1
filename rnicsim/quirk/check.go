package quirk

// The possible quirks. A deviation without effect would otherwise go unnoticed.

import (
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/iwarpkit/iwarp/codec/field"
	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/internal/spelling"
)

// startupRules are the Rules about start-up that an RNIC checks, and that a quirk can suppress.
var startupRules = []*rules.Rule{
	rules.RuleMPARev, rules.RuleRDMACRev, rules.RulePrivateData, rules.RuleFPDUBeforeReply, rules.RuleResponderFirst,
	rules.RuleRTRKind, rules.RuleRTRLength, rules.RuleIRDUnderORD,
}

// ownSituations are not caused by a segment. A quirk can replace the response to them, but not suppress them.
var ownSituations = []rules.Situation{rules.LocalError, rules.QueueError, rules.RNICError, rules.MPAFrame}

// ofMemory are situations that the RNIC decides by its memory, not by a Rule.
var ofMemory = []rules.Situation{rules.WriteWrap, rules.ReadWrap}

// possible reports whether an RNIC makes the check that s suppresses, and can omit it.
func (s Suppression) possible() bool {
	if s.Rule == nil {
		return s.Situation != rules.NoSituation && s.Situation < rules.NumSituations && !slices.Contains(ownSituations, s.Situation)
	}
	of := s.Rule.Situation
	return slices.Contains(startupRules, s.Rule) || of != rules.NoSituation && !slices.Contains(ofMemory, of) &&
		!slices.Contains(ownSituations, of) && !slices.Contains(replySituations, of)
}

// Suppressible yields everything that a Quirk can suppress, once for each name, in order.
func Suppressible() iter.Seq[Suppression] { return slices.Values(suppressible()) }

var suppressible = sync.OnceValue(func() (all []Suppression) {
	for s := range rules.NumSituations {
		all = append(all, Suppression{Situation: s})
	}
	for r := range rules.Rules() {
		if rules.LookupSituation(r.Name) == rules.NoSituation {
			all = append(all, Suppression{Rule: r})
		}
	}
	all = slices.DeleteFunc(all, func(s Suppression) bool { return !s.possible() })
	slices.SortFunc(all, func(a, b Suppression) int { return strings.Compare(a.String(), b.String()) })
	return all
})

// lookupSuppression finds what a Quirk can suppress by its name.
func lookupSuppression(name string) (Suppression, error) {
	var names []string
	for s := range Suppressible() {
		if s.String() == name {
			return s, nil
		}
		names = append(names, s.String())
	}
	return Suppression{}, fmt.Errorf("rnicsim: suppress %s: no Situation, and no Rule that an RNIC checks%s", name, spelling.Suggest(name, names, 3))
}

// Check returns an error if part of the quirk would have no effect: an unknown Situation, Rule, message or field, or a
// value that does not fit.
func (k *Quirk) Check() error {
	for _, s := range k.Suppress {
		if !s.possible() {
			_, err := lookupSuppression(s.String())
			return err
		}
	}
	for _, s := range slices.Sorted(maps.Keys(k.React)) {
		if err := k.React[s].check(s); err != nil {
			return fmt.Errorf("rnicsim: react %v: %w", s, err)
		}
	}
	for i := range k.Rewrite {
		if err := k.Rewrite[i].check(); err != nil {
			return fmt.Errorf("rnicsim: %v: %w", &k.Rewrite[i], err)
		}
	}
	return nil
}

// check returns why the reaction is impossible.
func (r Reaction) check(s rules.Situation) error {
	switch {
	case r.Drop && r.Reset:
		return fmt.Errorf("drop and reset at once")
	case r.Drop && (slices.Contains(ownSituations, s) || slices.Contains(replySituations, s)):
		return fmt.Errorf("no segment to drop")
	}
	return nil
}

// replySituations are those of a Reply, which are not caused by a segment either.
var replySituations = []rules.Situation{rules.MPAIRD, rules.MPARTR, rules.MPALocal}

func lookupSituation(name string) (rules.Situation, error) {
	if s := rules.LookupSituation(name); s != rules.NoSituation {
		return s, nil
	}
	var names []string
	for i := range rules.Situations {
		names = append(names, rules.Situations[i].Name)
	}
	return 0, fmt.Errorf("rnicsim: react %s: no Situation%s", name, spelling.Suggest(name, names[1:], 3))
}

// check returns why the field cannot be set.
func (w *Rewrite) check() error {
	tables := w.tablesOf()
	if len(tables) <= len(framingTables) && w.Frame == InFPDU || w.Frame > InReply {
		return fmt.Errorf("unknown message")
	}
	return w.checkField(w.message(), tables)
}

// checkField returns why the field cannot be set in what some tables describe.
func (w *Rewrite) checkField(of string, tables []*field.Table) error {
	switch f := lookup(tables, w.Field); {
	case f == nil:
		var names []string
		for _, f := range field.All(tables) {
			names = append(names, f.Name)
		}
		return fmt.Errorf("no field %s in a %s%s", w.Field, of, spelling.Suggest(w.Field, names, 3))
	case w.Change > Flip:
		return fmt.Errorf("unknown change")
	case f.Base == field.Octets && (w.Change != SetTo || len(w.Octets) == 0):
		return fmt.Errorf("the value must be octets")
	case f.Base == field.Octets && f.Width > 0 && len(w.Octets) > f.Width/8:
		return fmt.Errorf("the field has %d octets", f.Width/8)
	case f.Base != field.Octets && (len(w.Octets) > 0 || w.Value&^mask(f) != 0):
		return fmt.Errorf("the field is a number of %d bits", f.Width)
	}
	return nil
}
