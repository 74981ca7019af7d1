package conform

// Scripts: the lines of a case, and their translation to the text of a Scenario.

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/replay/scenario"
)

type writer struct {
	*Setup
	service Service
	begin   Begin
	script  string
	out     strings.Builder
	names   map[string]int // steps by their names

	number   int           // of the latest step
	last     scenario.Side // its side
	others   [2]int        // the latest step of each side
	first    int           // the first of our steps since the peer's latest
	ours     int           // our latest step that a Refusal can be about
	ended    bool          // the script has ended the connection
	comments []string      // for the next step
	left     bool          // the previous line was omitted, and so are those that depend on it
}

// step writes a step of one side. Our steps wait for the peer's latest step. The peer's may arrive as soon as the first
// of our steps that are sent together has arrived.
func (w *writer) step(side scenario.Side, action string) {
	for _, c := range w.comments {
		fmt.Fprintf(&w.out, "  # %s\n", c)
	}
	w.comments = nil
	w.number++
	begins, wait := w.number == 1 || w.last != side, w.first
	if side == w.Side {
		wait = w.others[side.Other()]
		if begins {
			w.first = w.number
		}
	}
	if !begins {
		wait = 0
	}
	w.write(side, wait, action)
}

// write writes a step that waits for another one, or for none.
func (w *writer) write(side scenario.Side, wait int, action string) {
	if wait > 0 {
		action = fmt.Sprintf("after %d %s", wait, action)
	}
	fmt.Fprintf(&w.out, "  %d %s %s\n", w.number, side, action)
	w.last, w.others[side] = side, w.number
}

// we and they write a step of ours or of the peer.
func (w *writer) we(action string)   { w.step(w.Side, action) }
func (w *writer) they(action string) { w.step(w.Side.Other(), action) }

// more writes a line that belongs to the previous step.
func (w *writer) more(line string) { fmt.Fprintf(&w.out, "    %s\n", line) }

func (w *writer) line(line string) error {
	sign, rest, _ := strings.Cut(line, " ")
	rest = strings.TrimSpace(rest)
	switch sign {
	case "#":
		w.comments = append(w.comments, rest)
		return nil
	case ">", "<":
		return w.action(sign == ">", rest)
	case "or", "may":
		return w.alternative(sign, rest)
	case "var":
		return w.variable(rest)
	case "|":
		if w.left {
			return nil
		}
		rest, err := expand(rest)
		w.more("| " + rest)
		return err
	}
	return fmt.Errorf("a line begins with >, <, or, may, var, | or #, not with %q", sign)
}

func (w *writer) action(ours bool, text string) error {
	w.left = false
	name := ""
	if strings.HasPrefix(text, "[") {
		inner, rest, closed := strings.Cut(text[1:], "]")
		if !closed {
			return fmt.Errorf("the name of a step lacks its ]: %q", text)
		}
		name, text = inner, strings.TrimSpace(rest)
	}
	text, err := w.resolve(text)
	if err != nil {
		return err
	}
	verb, rest, _ := strings.Cut(text, " ")
	switch verb {
	case "FIN", "Reset":
		w.ended = true
	case "request", "reply":
		return w.frame(ours, verb, rest)
	}
	macro := macros[verb]
	if ours {
		macro = exchanges(verb)
	}
	switch {
	case macro != nil:
		if err := macro(w, rest); err != nil {
			return err
		}
	case ours:
		w.we(text)
		w.ours = w.number
	default:
		w.they(text)
	}
	if name != "" {
		w.names[name] = w.number
	}
	return nil
}

// exchanges returns what a word for a step of ours and the answer that the peer has to give does; nil for any other word.
func exchanges(verb string) func(*writer, string) error {
	switch verb {
	case "reads":
		return (*writer).readBack
	case "echoes":
		return func(w *writer, text string) error { return w.exchange("Send {echo "+text+"}", "Send {echo "+text+"}") }
	case "revokes":
		return func(w *writer, region string) error {
			return w.exchange("Send {revoke! "+region+"}", "Send {done revoke}")
		}
	}
	return nil
}

// readBack reads octets of a region of the peer, and expects them: `4 $data+16 "data"`.
func (w *writer) readBack(rest string) error {
	size, rest, _ := strings.Cut(rest, " ")
	from, octets, whole := strings.Cut(rest, " ")
	if !whole {
		return errors.New("reads needs a number of octets, a region and the octets there")
	}
	region, offset, moved := strings.Cut(from, "+")
	if moved {
		offset = "+" + offset
	}
	return w.exchange(fmt.Sprintf("ReadRequest SinkSTag=0x1000 RDMARDSZ=%s SrcSTag=%s SrcTO=%s_to%s", size, region, region, offset),
		fmt.Sprintf("ReadResponse to %d %s", w.number+1, octets))
}

func (w *writer) exchange(ours, theirs string) error {
	ours, err := expand(ours)
	theirs, wrong := expand(theirs)
	w.we(ours)
	w.ours = w.number
	w.they(theirs)
	return cmp.Or(err, wrong)
}

// resolve replaces commands by their octets, and the names of steps by their numbers. It says how long a Silence is.
func (w *writer) resolve(text string) (string, error) {
	text, err := expand(text)
	if err != nil {
		return "", err
	}
	if strings.HasSuffix(text, "Silence") {
		text += " " + w.Quiet.String()
	}
	const sign = " to ["
	for {
		before, rest, found := strings.Cut(text, sign)
		if !found {
			return text, nil
		}
		name, after, closed := strings.Cut(rest, "]")
		n, known := w.names[name]
		if !closed || !known {
			return "", fmt.Errorf("no earlier step is named %q", name)
		}
		text = fmt.Sprintf("%s to %d%s", before, n, after)
	}
}

// alternative writes a line after OneOf. It omits the line if that tolerates a peer other than the Profile's.
func (w *writer) alternative(sign, rest string) error {
	w.left = false
	if behind, tolerated := strings.CutPrefix(rest, "known "); tolerated {
		line, ok, err := w.tolerance(behind)
		if w.left = !ok; w.left {
			return err
		}
		rest = line
	}
	rest, err := w.resolve(rest)
	why, action := "", rest
	if sign == "may" {
		why, action = reason(rest)
	}
	if action == "request" || action == "reply" {
		action = w.theirFrame(action)
	}
	w.more(sign + " " + why + action)
	return err
}

// reason divides what follows may into the reason, in quotation marks and with a blank, and the action.
func reason(rest string) (why, action string) {
	end := strings.LastIndex(rest, `" `)
	if end < 0 {
		return "", rest
	}
	return rest[:end+2], rest[end+2:]
}

// variable declares a number that the peer chooses: "$a xid".
func (w *writer) variable(rest string) error {
	words := strings.Fields(rest)
	if len(words) != 2 {
		return fmt.Errorf("var needs a name and a kind, not %q", rest)
	}
	fmt.Fprintf(&w.out, "  var %s %s %s 0x0\n", words[0], words[1], w.Side.Other())
	return nil
}

// known maps the words in scripts for tolerated behaviour to whether a peer is known for it in a Situation.
var known = map[string]func(*rules.Peer, rules.Situation) bool{
	"unchecked": func(p *rules.Peer, s rules.Situation) bool {
		a := p.Answer(s)
		return a.Act == rules.Ignores || a.ReadsUnchecked
	},
	"otherwise":  func(p *rules.Peer, s rules.Situation) bool { return p.Answer(s).Act == rules.Otherwise },
	"terminates": func(p *rules.Peer, s rules.Situation) bool { return p.Answer(s).Act == rules.Terminates },
	"rejects":    func(p *rules.Peer, s rules.Situation) bool { return p.Answer(s).Rejects },
}

// tolerance handles the words after "known": a word of known, a Situation of codec/rules, the peer's behaviour in
// quotation marks, and the action. line is the reason, with the name of the peer, and the action; ok is false if the
// Profile's peer is not known for that.
func (w *writer) tolerance(rest string) (line string, ok bool, err error) {
	word, rest, _ := strings.Cut(rest, " ")
	name, rest, _ := strings.Cut(rest, " ")
	fits, s := known[word], rules.LookupSituation(name)
	if fits == nil || s == rules.NoSituation || !strings.HasPrefix(rest, `"`) {
		return "", false, fmt.Errorf("known %s %s: want known, for what, a Situation, and a reason", word, name)
	}
	peer := w.Profile.RNIC
	if peer == nil || !fits(peer, s) {
		return "", false, nil
	}
	return `"` + peer.Name + " " + rest[1:], true, nil
}

// macros are words for several steps of the peer.
var macros = map[string]func(*writer, string) error{
	"refuses": (*writer).refuses,
	"closes":  (*writer).closes,
	"ends":    (*writer).ends,
	"hello":   (*writer).hello,
}

// refuses expects that the peer ends the connection because of a Situation of codec/rules, with the Terminate that is
// due.
func (w *writer) refuses(rest string) error {
	name, rest, _ := strings.Cut(rest, " ")
	s := rules.LookupSituation(name)
	if s == rules.NoSituation {
		return fmt.Errorf("codec/rules has no Situation %q", name)
	}
	if rest == "" && rules.Situations[s].HdrCt != rules.Bare {
		rest = fmt.Sprintf("to %d", w.ours)
	}
	refusal := strings.TrimSpace("Refusal " + name + " " + rest)
	known := w.Profile.RNIC.Answer(s)
	if !known.PassesOver() {
		w.they(refusal)
		return w.ends("")
	}
	w.they("OneOf") // the peer does not check that, and answers the message
	w.more("or " + refusal)
	for _, answer := range []string{"ReadResponse ?*", "AtomicResponse", "Send ?*"} {
		w.more(fmt.Sprintf("may %q %s", w.Profile.RNIC.Name+": "+known.Note, answer))
	}
	return w.ends("")
}

// ends expects that both sides close the connection after a Terminate, or after an alternative. Neither waits for the
// FIN of the other.
func (w *writer) ends(rest string) error {
	if rest != "" {
		return fmt.Errorf("unexpected %q after ends", rest)
	}
	refused := w.others[w.Side.Other()]
	w.they("OneOf")
	w.more("or FIN")
	w.more(`may "RDMAP-6.2.1-4 demands a FIN here, but the Terminate has arrived all the same" Reset`)
	w.number++
	w.write(w.Side, refused, "FIN")
	w.ended = true
	return nil
}

// closes expects that the peer ends the connection without a Terminate. "or resets" may follow, if a reset is
// equivalent.
func (w *writer) closes(rest string) error {
	w.they("OneOf")
	w.more("or FIN")
	switch rest {
	case "":
		w.more(`may "it resets the connection instead of closing it" Reset`)
	case "or resets":
		w.more("or Reset")
	default:
		return fmt.Errorf("only \"or resets\" may follow closes, not %q", rest)
	}
	w.we("FIN")
	w.ended = true
	return nil
}

// end ends a connection that the script leaves open, after a proof that it still works. The proof has no PAD, so that a
// peer with wrong PAD does not fail all cases.
func (w *writer) end() {
	if w.service == RPCService {
		w.null()
	} else {
		w.we(`Send 01000000 "all is well."`)
		w.they(`Send 01000000 "all is well."`)
	}
	w.we("FIN")
	w.they("OneOf")
	w.more("or FIN")
	w.more(`may "it resets an idle connection" Reset`)
}
