package filter

// What a filter can match at all, before anything has come.

import (
	"slices"

	"github.com/iwarpkit/iwarp/codec/field"
	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/dissect/ulp/all"
)

// A certainty is what is known of a part of a filter.
type certainty int8

const (
	never certainty = iota - 1
	perhaps
	always
)

// MayMatch reports whether the filter can match events like e, an MPA frame or a message of which only kind and direction are known. It
// is false if tests of type and dir, of header fields that such events never have, or of one number that contradict each other rule that out.
func (f *Filter) MayMatch(e *Event) bool { return e.certaintyOf(f.root) > never }

func (e *Event) certaintyOf(n node) certainty {
	switch n := n.(type) {
	case *logic:
		terms := make([]certainty, len(n.terms))
		for i, term := range n.terms {
			terms[i] = e.certaintyOf(term)
		}
		if n.operator == "or" {
			return slices.Max(terms)
		}
		if contradict(n.terms) {
			return never
		}
		return slices.Min(terms)
	case *negation:
		return -e.certaintyOf(n.term)
	case *test:
		return e.certaintyOfTest(n)
	}
	return always
}

func (e *Event) certaintyOfTest(t *test) certainty {
	about, err := theIndex().find(t.field)
	if err != nil {
		return perhaps // it does not compile
	}
	switch {
	case about.Name == "type" || about.Name == "dir":
		one := new(Filter)
		if match, err := one.compile(t); err == nil {
			e.begin()
			if match(e) {
				return always
			}
			return never
		}
	case about.Proto != "" && about.Type != Presence && !about.upper && !e.mayHave(about.Name):
		return never
	case contradict([]node{t}):
		return never
	}
	return perhaps
}

// contradict reports whether no number passes all tests of a field that has one number. What a test says changes only at the numbers in it.
func contradict(terms []node) bool {
	type passes = func(number) bool
	tests, tried := make(map[*entry][]passes), make(map[*entry][]uint64)
	for _, term := range terms {
		t, ok := term.(*test)
		if !ok || t.operator == nil {
			continue
		}
		about, err := theIndex().find(t.field)
		if err != nil || !about.single {
			continue
		}
		c := comparison{t, about}
		holds, err := checkOf(c, c.numberCheck)
		if err != nil {
			continue
		}
		if t.operator.negate {
			holds = not(holds)
		}
		tests[about] = append(tests[about], holds)
		for _, m := range t.values {
			for _, side := range []token{m.low, m.high} {
				if k, err := c.constant(side); err == nil {
					tried[about] = append(tried[about], k.v-1, k.v, k.v+1)
				}
			}
		}
	}
	for about, all := range tests {
		if !slices.ContainsFunc(tried[about], func(v uint64) bool {
			return !slices.ContainsFunc(all, func(holds passes) bool { return !holds(number{v: v}) })
		}) {
			return true
		}
	}
	return false
}

// mayHave reports whether events of a kind can have a field of MPA, DDP or RDMAP.
func (e *Event) mayHave(name string) bool {
	var headers []*field.Table
	switch {
	case e.StartupFrame != nil:
		headers = []*field.Table{e.StartupFrame.MPA.Fields(), mpa.EnhancedFields}
		for _, l := range all.Layers() {
			headers = append(headers, l.PrivateTables...)
		}
	case e.Message != nil && !e.Message.Opcode.IsTerminate(): // which encloses others
		const padded = 1
		headers = append(e.Message.Opcode.Tables(), mpa.FPDUFields, mpa.MarkerFields, mpa.TrailerFields(padded))
	default:
		return true
	}
	return slices.ContainsFunc(headers, func(t *field.Table) bool { return t.Lookup(name) != nil })
}
