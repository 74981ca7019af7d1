package filter

// From tokens to a tree. The grammar, where "and" binds tighter than "or", and "not" tighter than both:
//
//	filter = [ or ]
//	or     = and { ( "or" | "||" ) and }
//	and    = not { ( "and" | "&&" ) not }
//	not    = { "not" | "!" } ( "(" or ")" | test )
//	test   = [ "any" | "all" ] field [ slice ] [ operator value | [ "not" ] "in" set ]
//	set    = "{" value [ ".." value ] { "," value [ ".." value ] } "}"

import "strings"

// A parser reads a filter.
type parser struct {
	lexer lexer
	token token // the next one
	depth int   // of nesting
}

func parse(text string) (node, *Error) {
	p := &parser{lexer: lexer{text: text}}
	if err := p.advance(); err != nil {
		return nil, err
	}
	if p.token.kind == end {
		return everything{}, nil
	}
	n, err := p.or()
	if err != nil {
		return nil, err
	}
	switch t := p.token; {
	case t.kind == end:
		return n, nil
	case t.is(")"):
		return nil, t.errorf("there is no parenthesis to close")
	default:
		return nil, t.errorf("%v is not expected here; \"and\", \"or\" or the end of the filter is", t)
	}
}

// advance goes to the next token.
func (p *parser) advance() (err *Error) {
	p.token, err = p.lexer.next()
	return err
}

// accept skips the token if it is one of these.
func (p *parser) accept(some ...string) (ok bool, err *Error) {
	if !p.token.is(some...) {
		return false, nil
	}
	return true, p.advance()
}

func (p *parser) or() (node, *Error) { return p.logic("or", p.and, "or", "||") }

func (p *parser) and() (node, *Error) { return p.logic("and", p.not, "and", "&&") }

// logic reads terms that are joined by an operator.
func (p *parser) logic(operator string, term func() (node, *Error), spellings ...string) (node, *Error) {
	var terms []node
	for {
		n, err := term()
		if err != nil {
			return nil, err
		}
		if l, ok := n.(*logic); ok && l.operator == operator { // out of parentheses that do not matter
			terms = append(terms, l.terms...)
		} else {
			terms = append(terms, n)
		}
		if ok, err := p.accept(spellings...); err != nil {
			return nil, err
		} else if !ok {
			break
		}
	}
	if len(terms) == 1 {
		return terms[0], nil
	}
	return &logic{operator, terms}, nil
}

func (p *parser) not() (node, *Error) {
	p.depth++
	defer func() { p.depth-- }()
	t := p.token
	if p.depth > MaxDepth {
		return nil, t.errorf("parentheses and \"not\" are nested more than %d deep", MaxDepth)
	}
	if ok, err := p.accept("not", "!"); err != nil {
		return nil, err
	} else if ok {
		term, err := p.not()
		return &negation{term}, err
	}
	if ok, err := p.accept("("); err != nil {
		return nil, err
	} else if !ok {
		return p.test()
	}
	n, err := p.or()
	if err != nil {
		return nil, err
	}
	ok, err := p.accept(")")
	if err == nil && !ok {
		err = t.errorf("the parenthesis is not closed")
		if p.token.kind != end {
			err = p.token.errorf("%v is not expected here; \"and\", \"or\" or a closing parenthesis is", p.token)
		}
	}
	return n, err
}

func (p *parser) test() (node, *Error) {
	var t test
	if p.token.is("any", "all") {
		t.quantifier = p.token
		t.quantifier.text = strings.ToLower(t.quantifier.text)
		if err := p.advance(); err != nil {
			return nil, err
		}
	}
	t.field = p.token
	if t.field.kind != word || keyword(t.field) {
		return nil, p.token.errorf("a field is expected here, not %v", p.token)
	}
	if err := p.advance(); err != nil {
		return nil, err
	}
	if p.token.kind == bracket {
		t.slice = p.token
		if err := p.advance(); err != nil {
			return nil, err
		}
	}
	negated, err := p.comparison(&t)
	if err != nil {
		return nil, err
	}
	if negated {
		return &negation{&t}, nil
	}
	return &t, nil
}

// keyword reports whether a word has a meaning of its own.
func keyword(t token) bool {
	return t.is("and", "or", "not", "any", "all") || operators()[strings.ToLower(t.text)] != nil
}

// comparison reads an operator and its right side, if there is one. "not in" negates it.
func (p *parser) comparison(t *test) (negated bool, err *Error) {
	t.at = p.token
	if p.token.is("not") {
		negated = true
		if err = p.advance(); err == nil && !p.token.is("in") {
			err = t.at.errorf("\"not\" stands before a comparison, or before \"in\"")
		}
		if err != nil {
			return false, err
		}
		t.at = p.token
	}
	if t.at.kind == word || t.at.kind == symbol {
		t.operator = operators()[strings.ToLower(t.at.text)]
	}
	if t.operator == nil {
		if t.at.is("=") {
			err = t.at.errorf("write == to compare")
		}
		return false, err
	}
	if err := p.advance(); err != nil {
		return false, err
	}
	if t.operator.basic == in {
		return negated, p.set(t)
	}
	m := member{}
	m.low, err = p.value(t)
	t.values = []member{m}
	return false, err
}

// set reads the members of a set.
func (p *parser) set(t *test) *Error {
	open := p.token
	if ok, err := p.accept("{"); err != nil {
		return err
	} else if !ok {
		return p.token.errorf("a set is expected after \"in\": {1, 2, 5..9}")
	}
	for {
		m, err := p.member(t)
		if err != nil {
			return err
		}
		t.values = append(t.values, m)
		if ok, err := p.accept(","); err != nil {
			return err
		} else if ok {
			continue
		}
		switch {
		case p.token.is("}"):
			return p.advance()
		case p.token.kind == end:
			return open.errorf("the set is not closed")
		}
		return p.token.errorf("%v is not expected here; a comma or a closing brace is", p.token)
	}
}

// member reads a value or a range.
func (p *parser) member(t *test) (m member, err *Error) {
	if m.low, err = p.value(t); err != nil {
		return m, err
	}
	if ok, err := p.accept(".."); err != nil || !ok {
		return m, err
	}
	m.high, err = p.value(t)
	return m, err
}

// value reads a value for the operator of t.
func (p *parser) value(t *test) (token, *Error) {
	v := p.token
	if v.kind == end || v.kind == symbol || v.is("and", "or", "not") {
		return v, v.errorf("a value is expected after %v, not %v", t.at, v)
	}
	return v, p.advance()
}
