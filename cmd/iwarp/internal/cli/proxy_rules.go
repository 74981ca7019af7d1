package cli

// The rules of iwarp proxy: flags, a file, and the list of actions.

import (
	"errors"
	"fmt"

	"github.com/iwarpkit/iwarp/replay/proxy"
)

// A rulesFlag collects rules: --on begins one, each --do adds an action to it.
type rulesFlag struct {
	on  []string
	do  [][]string
	all []*proxy.Rule
}

type (
	onFlag rulesFlag
	doFlag rulesFlag
)

func (r *onFlag) String() string { return "" }
func (r *onFlag) Type() string   { return "FILTER" }

func (r *onFlag) Set(s string) error {
	r.on, r.do = append(r.on, s), append(r.do, nil)
	return nil
}

func (r *doFlag) String() string { return "" }
func (r *doFlag) Type() string   { return "ACTION" }

func (r *doFlag) Set(s string) error {
	if len(r.on) == 0 {
		return errors.New("want --on FILTER before it, which selects what is altered, as in --on 'type == Send' --do drop")
	}
	last := &r.do[len(r.do)-1]
	*last = append(*last, s)
	return nil
}

// parse makes rules of the flags, and reads those of a file if there is one.
func (r *rulesFlag) parse(a *app, file string) error {
	for i, on := range r.on {
		rule, err := proxy.ParseRule(on, r.do[i]...)
		if err != nil {
			return worded(err)
		}
		r.all = append(r.all, rule)
	}
	if file == "" {
		return nil
	}
	in, err := a.open(file)
	if err != nil {
		return unreadable(err)
	}
	defer in.Close()
	some, err := proxy.ReadRules(in)
	if err != nil {
		return fmt.Errorf("%s: %w", displayName(file), worded(err))
	}
	r.all = append(r.all, some...)
	return nil
}

// printActions prints what rules can do.
func (p *proxying) printActions() error {
	var b []byte
	for _, a := range proxy.Actions() {
		b = appendItem(b, a.Form, a.Text)
	}
	_, err := p.Out.Write(append(b, actionForms...))
	return failed(err)
}

const actionForms = `
--do takes [raw] ACTION[=VALUE][:WHICH] for what --on selects. WHICH is 3 for
the third on each connection, once for the first, 3+ for the third and all later
ones, /3 for every third, 5% for a random choice, 5%/42 for one with a seed. The
default is all. WHICH follows the word: inject:3 client Send 01. With raw, MSNs
and MPA frames after the action stay as they are.

An ACTION alters a message or MPA frame. Of a Write or Read Response, drop, set,
duplicate and reorder apply to all segments, the others to the first selected
one alone.
`
