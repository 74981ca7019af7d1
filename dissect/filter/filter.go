// Package filter selects events of dissect and dissect/judge by their contents, in the language of Wireshark's display
// filters; docs/filter.md describes it and lists all fields.
//
//	f, err := filter.Compile("iwarp_rdma.opcode == ReadRequest && iwarp_rdma.rdmardsz > 4096")
//	if err != nil {
//		return err // it shows the place with a caret
//	}
//	var e filter.Event
//	...
//	e.Reset()
//	e.Message = m
//	if f.Match(&e) { ... }
//
// A [Sieve] does the same as a sink before another. [Compile] checks everything: matching cannot fail, and allocates
// nothing. Headers are laid out only when the filter needs one of their fields. Header fields come from the protocols'
// field tables.
package filter

// MaxText is the greatest length of a filter in octets, MaxDepth how deep parentheses and "not" can be nested.
const (
	MaxText  = 8 << 10
	MaxDepth = 100
)

// A Filter selects events. It is safe for concurrent use.
type Filter struct {
	root  node
	match predicate
	needs Needs
}

// A predicate reports whether a part of a filter holds for an event.
type predicate func(*Event) bool

// Needs are what a Filter uses beside what every event has. Without them, the fields in question are absent.
type Needs struct {
	Payload  bool // it names fields of an upper layer that can be read in Sends of unknown connections: Event.Payload
	Analysis bool // it names what package judge finds: Event.Findings, Upper and its fields, and Transaction
	Request  bool // it names fields of requests, or such as all of an exchange has: Event.Request
}

// with returns what two parts of a filter need together.
func (n Needs) with(o Needs) Needs {
	return Needs{n.Payload || o.Payload, n.Analysis || o.Analysis, n.Request || o.Request}
}

// Compile reads a filter. An empty one matches everything. The error is an [*Error].
func Compile(text string) (*Filter, error) {
	f, err := compile(text)
	if err != nil {
		err.Text = text
		return nil, err
	}
	return f, nil
}

func compile(text string) (*Filter, *Error) {
	if len(text) > MaxText {
		return nil, errorf(MaxText, len(text)-MaxText, "the filter has %d octets, more than %d", len(text), MaxText)
	}
	root, err := parse(text)
	if err != nil {
		return nil, err
	}
	f := &Filter{root: root}
	f.match, err = f.compile(root)
	return f, err
}

// Match reports whether the filter selects an event.
func (f *Filter) Match(e *Event) bool {
	e.begin()
	return f.match(e)
}

// Needs returns what the filter needs.
func (f *Filter) Needs() Needs { return f.needs }

// String returns the filter as it was understood, with one spelling of each operator, and parentheses where they matter.
// Unless that is too long, it compiles to the same filter.
func (f *Filter) String() string { return string(f.root.append(nil)) }
