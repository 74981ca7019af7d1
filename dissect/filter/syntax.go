package filter

// The tree that the parser makes of a filter, and its text.

import "sync"

// A node is a part of a filter.
type node interface {
	append(dst []byte) []byte // adds the text of the part
}

// everything is the empty filter.
type everything struct{}

// A logic is terms joined by "and" or "or".
type logic struct {
	operator string // "and" or "or"
	terms    []node
}

// A negation is "not" before a term.
type negation struct{ term node }

// A test is a field, alone or compared with something.
type test struct {
	quantifier token // "any", "all" or nothing
	field      token
	slice      token // "[0:4]" or nothing
	operator   *operator
	at         token    // the operator as it stands in the filter
	values     []member // of "in" many, of others one; none if the field stands alone
}

// A member is a value, or a range from low to high.
type member struct{ low, high token }

// isRange reports whether the member is a range.
func (m member) isRange() bool { return m.high.text != "" }

// An operator compares a field with values.
type operator struct {
	symbol string // as it is written out
	basic  basic
	negate bool // the basic operator is negated
	all    bool // it must hold for all values of a field, and there must be one; else for any
}

// A basic operator is one that does not derive from another.
type basic uint8

const (
	equal basic = iota
	less
	lessOrEqual
	greater
	greaterOrEqual
	contains
	matches
	in
)

// operators maps all names of operators to them.
var operators = sync.OnceValue(func() map[string]*operator {
	m := make(map[string]*operator)
	for _, o := range []struct {
		operator
		also []string
	}{
		{operator{"==", equal, false, false}, []string{"eq", "any_eq"}},
		{operator{"!=", equal, true, true}, []string{"ne", "all_ne"}},
		{operator{"===", equal, false, true}, []string{"all_eq"}},
		{operator{"!==", equal, true, false}, []string{"any_ne"}},
		{operator{"<", less, false, false}, []string{"lt"}},
		{operator{"<=", lessOrEqual, false, false}, []string{"le"}},
		{operator{">", greater, false, false}, []string{"gt"}},
		{operator{">=", greaterOrEqual, false, false}, []string{"ge"}},
		{operator{"contains", contains, false, false}, nil},
		{operator{"matches", matches, false, false}, []string{"~"}},
		{operator{"in", in, false, false}, nil},
	} {
		m[o.symbol] = &o.operator
		for _, name := range o.also {
			m[name] = &o.operator
		}
	}
	return m
})

func (everything) append(dst []byte) []byte { return dst }

func (l *logic) append(dst []byte) []byte {
	for i, term := range l.terms {
		if i > 0 {
			dst = append(dst, " "+l.operator+" "...)
		}
		dst = appendTerm(dst, term)
	}
	return dst
}

func (n *negation) append(dst []byte) []byte { return appendTerm(append(dst, "not "...), n.term) }

// appendTerm adds a term, in parentheses if it is a logic.
func appendTerm(dst []byte, term node) []byte {
	if _, ok := term.(*logic); ok {
		return append(term.append(append(dst, '(')), ')')
	}
	return term.append(dst)
}

func (t *test) append(dst []byte) []byte {
	if t.quantifier.text != "" {
		dst = append(dst, t.quantifier.text+" "...)
	}
	dst = append(dst, t.field.text+t.slice.text...)
	if t.operator == nil {
		return dst
	}
	dst = append(dst, " "+t.operator.symbol+" "...)
	if t.operator.basic != in {
		return t.values[0].append(dst)
	}
	dst = append(dst, '{')
	for i, v := range t.values {
		if i > 0 {
			dst = append(dst, ", "...)
		}
		dst = v.append(dst)
	}
	return append(dst, '}')
}

func (m member) append(dst []byte) []byte {
	dst = append(dst, m.low.text...)
	if m.isRange() {
		dst = append(dst, ".."+m.high.text...)
	}
	return dst
}
