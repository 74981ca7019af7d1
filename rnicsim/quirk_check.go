package rnicsim

// Which quirks there can be: a deviation that nobody looks at would be passed over in silence.

import (
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/iwarpkit/iwarp/codec/field"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/internal/spelling"
)

// startupRules are the Rules about how a connection begins that an RNIC checks and can be made to leave alone.
var startupRules = []string{
	"mpa-rev", "rdmac-rev", "private-data", "fpdu-before-reply", "responder-first", "rtr-kind", "rtr-length", "ird-under-ord",
}

// ownSituations are those that no segment is to blame for. They can be answered in another way, but not passed over.
var ownSituations = []string{"local", "queue", "rnic", "mpa-frame"}

// suppressible are the names of the Situations and Rules whose breach an RNIC can leave alone, in order.
func suppressible() []string {
	names := slices.Clone(startupRules)
	for i := range rules.Situations {
		if name := rules.Situations[i].Name; !slices.Contains(ownSituations, name) {
			names = append(names, name)
		}
	}
	for r := range rules.Rules {
		checked := events[r.Situation] != 0 && !strings.HasPrefix(r.Name, "rpc")
		if checked && !slices.Contains(names, r.Name) {
			names = append(names, r.Name)
		}
	}
	slices.Sort(names)
	return names
}

// Check says what of the quirk would do nothing, since there is no such Situation, Rule, message or field, or since a
// value does not fit; nil if all is well.
func (k *Quirk) Check() error {
	for _, name := range k.Suppress {
		if names := suppressible(); !slices.Contains(names, name) {
			return fmt.Errorf("rnicsim: suppress %s: no Situation, and no Rule that an RNIC checks%s", name, near(name, names))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(k.React)) {
		if err := k.React[name].check(name); err != nil {
			return fmt.Errorf("rnicsim: react %s: %w", name, err)
		}
	}
	for i := range k.Rewrite {
		if err := k.Rewrite[i].check(); err != nil {
			return fmt.Errorf("rnicsim: %v: %w", &k.Rewrite[i], err)
		}
	}
	return nil
}

// check says why there can be no such reaction.
func (r Reaction) check(situation string) error {
	switch {
	case rules.LookupSituation(situation) == nil:
		var names []string
		for i := range rules.Situations {
			names = append(names, rules.Situations[i].Name)
		}
		return fmt.Errorf("no Situation%s", near(situation, names))
	case r.Drop && r.Reset:
		return fmt.Errorf("drop and reset at once")
	case r.Drop && (slices.Contains(ownSituations, situation) || strings.HasPrefix(situation, "mpa-")):
		return fmt.Errorf("no segment to drop")
	}
	return nil
}

// check says why a field cannot be set.
func (w *Rewrite) check() error {
	tables := w.tablesOf()
	f := lookup(tables, w.Field)
	switch {
	case len(tables) <= len(framingTables) && w.Frame == InFPDU || w.Frame > InReply:
		return fmt.Errorf("no such message")
	case f == nil:
		var names []string
		for name := range namesOf(tables) {
			names = append(names, name)
		}
		return fmt.Errorf("no field %s in a %s%s", w.Field, w.message(), near(w.Field, names))
	case w.Change > Flip:
		return fmt.Errorf("no such change")
	case f.Base == field.Octets && (w.Change != SetTo || len(w.Octets) == 0):
		return fmt.Errorf("the field takes octets")
	case f.Base == field.Octets && f.Width > 0 && len(w.Octets) > f.Width/8:
		return fmt.Errorf("the field has %d octets", f.Width/8)
	case f.Base != field.Octets && (len(w.Octets) > 0 || w.Value&^mask(f) != 0):
		return fmt.Errorf("the field is a number of %d bits", f.Width)
	}
	return nil
}

// near says which words may have been meant.
func near(word string, words []string) string {
	if found := spelling.Nearest(word, words, 3); len(found) > 0 {
		return "; there is " + strings.Join(found, ", ")
	}
	return ""
}

// namesOf calls yield for the names of the fields of some tables.
func namesOf(tables []*field.Table) iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, t := range tables {
			for i := range t.Fields {
				if !yield(t.Fields[i].Name) {
					return
				}
			}
		}
	}
}

// Suppressible calls yield for the names of all Situations and Rules that a Quirk can suppress.
func Suppressible(yield func(name string) bool) {
	for _, name := range suppressible() {
		if !yield(name) {
			return
		}
	}
}

// Rewritable calls yield for every field that a Rewrite can set, with the frame or message that it is of, as the text
// of a Rewrite names it. "FPDU" stands for any message, and comes with the fields of what is around a ULPDU.
func Rewritable(yield func(message, name string) bool) {
	all := []Rewrite{{Frame: InRequest}, {Frame: InReply}, {Message: AnyMessage}}
	for op := range rdmap.Opcodes {
		all = append(all, Rewrite{Message: op})
	}
	for i := range all {
		w := &all[i]
		tables := w.tablesOf()
		if w.Frame == InFPDU && w.Message != AnyMessage {
			tables = tables[len(framingTables):]
		} else if w.Frame == InFPDU {
			tables = framingTables
		}
		for name := range namesOf(tables) {
			if !yield(w.message(), name) {
				return
			}
		}
	}
}
