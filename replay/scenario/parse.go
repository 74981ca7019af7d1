package scenario

// The text form: its lines. parse_action.go reads actions.

import (
	"bufio"
	"io"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"time"
)

type parser struct {
	cursor
	s       *Scenario
	conn    *Conn
	oneOf   *OneOf
	payload *Payload // that a line with | continues; nil if there is none
	octets  int      // of it
	room    int      // octets of memory that may still be taken
	comment []string
	vars    map[string]*Var // of the connection
	places  map[any]place   // of connections, variables and steps
}

type place struct {
	number int
	line   string
	at     int
}

// Parse reads a Scenario from its text form and checks it. name is what errors call the text. An error is an *[Error]. Payloads may have
// up to MaxSpread octets more than the text, by repetition.
func Parse(name, text string) (*Scenario, error) {
	return Read(name, strings.NewReader(text), MaxSpread+textHeld*len(text))
}

// What takes memory beside octets, in octets: for each octet of a text at most, a line, a line of a comment, and a part of a payload with
// more than octets.
const (
	textHeld    = 80
	lineHeld    = 512
	commentHeld = 64
	partHeld    = 160
)

// Read is Parse for a text that is read as it is needed. It fails if the Scenario takes more than so many octets of memory. An error that
// is not an *Error is that of in.
func Read(name string, in io.Reader, memory int) (s *Scenario, err error) {
	p := &parser{cursor: cursor{name: name}, places: make(map[any]place), room: memory}
	defer func() {
		if f, ok := recover().(fault); ok {
			s, err = nil, f.err
		} else if err != nil {
			s = nil
		}
	}()
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, MaxLine)
	for lines.Scan() {
		p.start(strings.TrimRight(lines.Text(), "\r"))
		p.takeLine()
	}
	if err := lines.Err(); err == bufio.ErrTooLong {
		p.start("")
		p.fail(p.next, "the line is longer than %d octets; a line that begins with | continues a payload", MaxLine)
	} else if err != nil {
		return nil, err
	}
	if p.s == nil {
		p.number = max(p.number, 1)
		return nil, p.err(0, `there is no line "scenario"`)
	}
	return p.s, p.check()
}

// check returns the first Problem of what was read, at its place.
func (p *parser) check() error {
	problems := Check(p.s)
	if len(problems) == 0 {
		return nil
	}
	first := problems[0]
	var about any = first.Conn
	switch {
	case first.Step != nil:
		about = first.Step
	case first.Var != nil:
		about = first.Var
	}
	at := p.places[about]
	return &Error{Name: p.name, Line: max(at.number, 1), Column: at.at + 1, Problem: first.Text, text: at.line}
}

func (p *parser) takeLine() {
	if !p.more {
		if _, comment, ok := strings.Cut(p.line, "#"); ok {
			p.hold(token{}, commentHeld+len(p.line))
			p.comment = append(p.comment, strings.TrimRight(strings.TrimPrefix(comment, " "), " \t"))
		}
		return
	}
	first := p.take("")
	switch {
	case first.text == "|":
		p.goOn(first)
		return
	case first.text == "or" || first.text == "may":
		p.alternative(first)
		return
	}
	p.payload, p.oneOf = nil, nil
	switch {
	case first.text == "scenario":
		p.scenario(first)
	case p.s == nil:
		p.fail(first, `not a scenario, which begins with: scenario "TITLE"`)
	case first.text == "connection":
		p.connection(first)
	case first.text == "var":
		p.variable(first)
	case first.text[0] >= '0' && first.text[0] <= '9':
		p.beginStep(first)
	default:
		words := []string{"connection", "var", "or", "may"}
		p.fail(first, "%s", suggest(strconv.Quote(clip(first.text))+" cannot begin a line: a step begins with its number", first.text, words))
	}
}

func (p *parser) commented() []string {
	c := p.comment
	p.comment = nil
	return c
}

// note remembers where something was read.
func (p *parser) note(what any, t token) {
	p.hold(t, lineHeld+len(p.line))
	p.places[what] = place{p.number, p.line, t.at}
}

// hold fails if there is no room for n octets of memory.
func (p *parser) hold(t token, n int) {
	if p.room -= n; p.room < 0 {
		p.fail(t, "the scenario takes too much memory; a payload counts with all its repetitions")
	}
}

// scenario reads: scenario "title".
func (p *parser) scenario(first token) {
	p.need(p.s == nil, first, "a text has only one Scenario")
	// The title has escapes, unlike texts in a Payload.
	rest := strings.TrimLeft(p.line[first.at+len(first.text):], " \t")
	at := token{at: len(p.line) - len(rest)}
	quoted, err := strconv.QuotedPrefix(rest)
	p.need(err == nil && rest[0] == '"', at, "the title must be in quotation marks")
	title, _ := strconv.Unquote(quoted)
	p.at = at.at + len(quoted)
	p.advance()
	p.end()
	p.s = &Scenario{Title: title, Comment: p.commented()}
	p.note((*Conn)(nil), first)
}

// connection reads: connection NAME [CLIENT -> SERVER] [@TIME].
func (p *parser) connection(first token) {
	c := &Conn{Comment: p.commented(), Name: p.take("the name of the connection").text}
	if p.more && p.next.text[0] != '@' {
		c.Client = p.address()
		p.need(p.word("->"), p.next, `"->" and the address of the server are missing`)
		c.Server = p.address()
	}
	c.At = p.time()
	p.end()
	p.note(c, first)
	p.s.Conns = append(p.s.Conns, c)
	p.conn, p.vars = c, make(map[string]*Var)
}

func (p *parser) address() netip.AddrPort {
	t := p.take("an address")
	a, err := netip.ParseAddrPort(t.text)
	p.mustBe(err == nil, t, "an address with a port")
	return a
}

// time reads @SECONDS, if present.
func (p *parser) time() time.Duration {
	if !p.more || p.next.text[0] != '@' {
		return 0
	}
	t := p.take("")
	whole, fraction, point := strings.Cut(t.text[1:], ".")
	seconds, err := strconv.ParseUint(whole, 10, 32)
	nanos, err2 := strconv.ParseUint((fraction + "000000000")[:9], 10, 32)
	p.mustBe(err == nil && err2 == nil && len(fraction) <= 9 && (fraction != "" || !point), t, "a time in seconds, such as @0.000250")
	return time.Duration(seconds)*time.Second + time.Duration(nanos)
}

// inConnection fails at a line that belongs in a connection, if there is none.
func (p *parser) inConnection(first token) {
	p.need(p.conn != nil, first, `a line "connection" must precede it`)
}

// variable reads: var $NAME KIND SIDE VALUE [length N] [in $STAG].
func (p *parser) variable(first token) {
	p.inConnection(first)
	name := p.take("the name of the variable, with $")
	p.need(name.text[0] == '$', name, "the name of a variable begins with $")
	v := &Var{Comment: p.commented(), Name: name.text[1:]}
	v.Kind = Kind(p.oneWord("the kind of the variable", kindNames[:]))
	v.Owner = p.side()
	v.Value = p.number64(p.take("the recorded value"), v.Kind.Bits())
	if p.word("length") {
		v.Length = p.number64(p.take("the length"), 64)
	}
	if p.word("in") {
		v.STag = p.known(p.take("the STag"))
	}
	p.end()
	if p.vars[v.Name] != nil {
		p.fail(name, "variable %s already exists", clip(name.text))
	}
	p.note(v, first)
	p.vars[v.Name] = v
	p.conn.Vars = append(p.conn.Vars, v)
}

// oneWord reads one of the words and returns its index.
func (p *parser) oneWord(what string, words []string) int {
	t := p.take(what)
	i := slices.Index(words, t.text)
	if i < 0 {
		p.fail(t, "%s", suggest(strconv.Quote(clip(t.text))+" is not "+what+": "+strings.Join(words, ", "), t.text, words))
	}
	return i
}

func (p *parser) side() Side {
	return Side(p.oneWord("the side", []string{Client.String(), Server.String()}))
}

// known returns the name of an existing variable, from a token "$name".
func (p *parser) known(t token) string {
	name, ok := strings.CutPrefix(t.text, "$")
	p.need(ok, t, "the name of a variable begins with $")
	if p.vars[name] == nil {
		names := make([]string, 0, len(p.conn.Vars))
		for _, v := range p.conn.Vars[max(0, len(p.conn.Vars)-maxSuggested):] {
			names = append(names, "$"+v.Name)
		}
		p.fail(t, "%s", suggest("unknown variable $"+clip(name)+" before this line", t.text, names))
	}
	return name
}

// maxSuggested limits the variables that are searched for a suggestion.
const maxSuggested = 1000

// number64 reads a number with a limited number of bits, in decimal or, with 0x, in hexadecimal digits.
func (p *parser) number64(t token, bits int) uint64 {
	n, ok := parseNumber(t.text, bits)
	if !ok {
		p.fail(t, "%q is not a number of up to %d bits", clip(t.text), bits)
	}
	return n
}

func parseNumber(s string, bits int) (n uint64, ok bool) {
	base := 10
	if hex, ok := strings.CutPrefix(s, "0x"); ok {
		s, base = hex, 16
	}
	n, err := strconv.ParseUint(s, base, bits)
	return n, err == nil
}

// count reads a number that fits an int.
func (p *parser) count(what string) int {
	t := p.take(what)
	n, err := strconv.ParseUint(t.text, 10, 31)
	p.mustBe(err == nil, t, what)
	return int(n)
}

// beginStep reads: NUMBER SIDE [@TIME] [frame N] [after N] ACTION.
func (p *parser) beginStep(first token) {
	p.inConnection(first)
	number, err := strconv.ParseUint(first.text, 10, 31)
	p.mustBe(err == nil, first, "the number of a step")
	s := &Step{Comment: p.commented(), Number: int(number), Side: p.side(), At: p.time()}
	if p.word("frame") {
		s.Frame = p.number64(p.take("the number of a packet"), 64)
	}
	if p.word("after") {
		s.After = p.count("the number of a step")
	}
	p.note(s, first)
	p.conn.Steps = append(p.conn.Steps, s)
	s.Do = p.action(actions)
	p.end()
}

// alternative reads: or ACTION, and: may "WHY" ACTION.
func (p *parser) alternative(first token) {
	if p.oneOf == nil {
		p.fail(first, "%q follows a step OneOf", first.text)
	}
	p.need(len(p.comment) == 0, first, "a comment stands before a step, not within it")
	p.payload = nil
	if first.text == "or" {
		p.oneOf.Of = append(p.oneOf.Of, p.action(alternatives))
	} else {
		why := p.reason()
		p.oneOf.Tolerated = append(p.oneOf.Tolerated, Tolerated{why, p.action(alternatives)})
	}
	p.end()
}

// reason reads a text in quotation marks.
func (p *parser) reason() string {
	t := p.take("why it is harmless, in quotation marks,")
	begin, rest, _ := strings.Cut(t.text, `"`)
	why, behind, ok := strings.Cut(rest, `"`)
	p.need(ok && begin == "" && why != "" && behind == "", t, "why it is harmless stands in quotation marks")
	return why
}

// goOn reads a line of octets that continue the Payload of the previous line.
func (p *parser) goOn(first token) {
	p.need(p.payload != nil, first, "the line before has no octets to go on with")
	p.need(len(p.comment) == 0, first, "a comment stands before a step, not within it")
	p.octetsInto(p.payload)
	p.end()
}
