package filter

// From a tree to predicates.

import (
	"strconv"

	"github.com/iwarpkit/iwarp/internal/spelling"
)

func (f *Filter) compile(n node) (predicate, *Error) {
	switch n := n.(type) {
	case *logic:
		return f.logic(n)
	case *negation:
		term, err := f.compile(n.term)
		return func(e *Event) bool { return !term(e) }, err
	case *test:
		return f.test(n)
	}
	return func(*Event) bool { return true }, nil // everything
}

func (f *Filter) logic(l *logic) (predicate, *Error) {
	terms := make([]predicate, len(l.terms))
	for i, term := range l.terms {
		var err *Error
		if terms[i], err = f.compile(term); err != nil {
			return nil, err
		}
	}
	decisive := l.operator == "or" // what one term says of which the others do not matter
	return func(e *Event) bool {
		for _, term := range terms {
			if term(e) == decisive {
				return decisive
			}
		}
		return !decisive
	}, nil
}

// A comparison is a test and the field that it names.
type comparison struct {
	*test
	*entry
}

func (f *Filter) test(t *test) (predicate, *Error) {
	e, err := theIndex().find(t.field)
	if err != nil {
		return nil, err
	}
	f.needs = f.needs.with(e.needs)
	c := comparison{t, e}
	if t.slice.kind == bracket && e.Type != Octets {
		return nil, t.slice.errorf("%s; only octets have slices", e.describe())
	}
	if t.operator == nil && t.quantifier.text != "" {
		return nil, t.quantifier.errorf("%q stands before a comparison", t.quantifier.text)
	}
	switch e.Type {
	case Octets:
		s, err := parseSlice(t.slice)
		if err != nil {
			return nil, err
		}
		return predicateOf(c, e.octets(s), c.octetsCheck)
	case Name:
		return predicateOf(c, e.names, c.nameCheck)
	case Address, Endpoint:
		return predicateOf(c, e.addresses, c.addressCheck)
	case Time:
		return predicateOf(c, e.times, c.timeCheck)
	case Seconds:
		return predicateOf(c, e.seconds, c.secondsCheck)
	case Presence:
		if t.operator != nil {
			return nil, t.at.errorf("%s, which is there or not; it has no value to compare", e.describe())
		}
		return e.present, nil
	}
	return predicateOf(c, e.numbers, c.numberCheck)
}

// A checker makes a check of a basic operator and the value on its right side.
type checker[T any] func(basic, token) (func(T) bool, *Error)

// predicateOf makes the predicate of a comparison, given the values of its field.
func predicateOf[T any](c comparison, values source[T], check checker[T]) (predicate, *Error) {
	if c.operator == nil {
		alone := func(T) bool { return true }
		if c.nonzero {
			alone, _ = check(greater, token{kind: word, text: "0"}) // a number, so this is one
		}
		return func(e *Event) bool { return values(e, alone) }, nil
	}
	holds, err := checkOf(c, check)
	if err != nil {
		return nil, err
	}
	if c.operator.negate {
		holds = not(holds)
	}
	all := c.operator.all
	if q := c.quantifier.text; q != "" {
		all = q == "all"
	}
	if !all {
		return func(e *Event) bool { return values(e, holds) }, nil
	}
	there, fails := func(T) bool { return true }, not(holds)
	return func(e *Event) bool { return values(e, there) && !values(e, fails) }, nil
}

func not[T any](check func(T) bool) func(T) bool {
	return func(v T) bool { return !check(v) }
}

// checkOf returns the check of a comparison, without its negation.
func checkOf[T any](c comparison, check checker[T]) (func(T) bool, *Error) {
	if c.operator.basic != in {
		return check(c.operator.basic, c.values[0].low)
	}
	members := make([]func(T) bool, len(c.values))
	for i, m := range c.values {
		var err *Error
		if members[i], err = memberOf(m, check); err != nil {
			return nil, err
		}
	}
	return func(v T) bool {
		for _, member := range members {
			if member(v) {
				return true
			}
		}
		return false
	}, nil
}

// memberOf returns the check for a member of a set.
func memberOf[T any](m member, check checker[T]) (func(T) bool, *Error) {
	if !m.isRange() {
		return check(equal, m.low)
	}
	low, err := check(greaterOrEqual, m.low)
	if err != nil {
		return nil, err
	}
	high, err := check(lessOrEqual, m.high)
	return func(v T) bool { return low(v) && high(v) }, err
}

// holds reports whether a basic operator is true of the result of a comparison, which is negative if the value is less.
func (b basic) holds(comparison int) bool {
	switch b {
	case less:
		return comparison < 0
	case lessOrEqual:
		return comparison <= 0
	case greater:
		return comparison > 0
	case greaterOrEqual:
		return comparison >= 0
	}
	return comparison == 0
}

// unsuitable reports an operator that the field does not have.
func (c comparison) unsuitable(reason string) *Error {
	return c.at.errorf("%v cannot stand here: %s%s", c.at, c.describe(), reason)
}

// suggest names what the author of an unknown word may have meant.
func suggest(word string, words []string) string {
	const most = 3
	return didYouMean(spelling.Nearest(word, words, most))
}

func didYouMean(nearest []string) string {
	for i, w := range nearest {
		if wordLen(w) < len(w) {
			nearest[i] = strconv.Quote(w)
		}
	}
	return spelling.DidYouMean(nearest)
}
