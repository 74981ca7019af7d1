package explain

import (
	"fmt"

	"github.com/iwarpkit/iwarp/codec/peers"
	"github.com/iwarpkit/iwarp/codec/rules"
)

// situationTopics are the error situations of package rules, by name: what every peer answers to them.
func situationTopics() (topics []topic) {
	for s := rules.NoSituation + 1; s < rules.NumSituations; s++ {
		topics = append(topics, topic{
			kind: KindSituation, name: s.String(), title: s.Text(), keys: []string{s.Text()},
			entry: func() Entry { return situationEntry(s) },
		})
	}
	return topics
}

func situationEntry(s rules.Situation) Entry {
	d := &rules.Situations[s]
	e := Entry{
		Kind: KindSituation, Name: d.Name, Title: "if " + s.Text(),
		Text: []string{"An error situation, and the Terminates that answer it."},
	}
	e.addGround(s.Ground(), s)
	if len(d.Also) > 0 {
		e.Facts = append(e.Facts, Fact{"Accepted too", d.Also.String()})
	}
	if d.HdrCt != rules.NoTerminate {
		e.Facts = append(e.Facts, Fact{"Encloses", enclosed[d.HdrCt]})
	}
	if source := s.Ground().Source; source != "" {
		e.Sources = []string{source}
	}
	for c := range d.RFC.Codes.All() {
		e.See = append(e.See, c.String())
		if source := c.Source(); len(e.Sources) == 0 || e.Sources[len(e.Sources)-1] != source {
			e.Sources = append(e.Sources, source)
		}
	}
	if e.Sources == nil {
		e.Sources = []string{"RFC 5040, section 7.1", "RFC 5044, section 7.1"}
	}
	for _, who := range answerers() {
		if a := who.answer(s); a.Act != rules.Unknown {
			e.Peers = append(e.Peers, Peer{who.name, []string{answerText(&a)}})
		}
	}
	return e
}

// addGround says which Terminate the RFCs demand in a situation, or which one is expected where they leave it open, and why.
func (e *Entry) addGround(g *rules.Ground, s rules.Situation) {
	rfc := &rules.Situations[s].RFC
	answer := answerText(rfc)
	if len(rfc.Codes) == 0 {
		answer = "that a receiver " + rfc.Note
	}
	switch {
	case s == rules.NoSituation:
	case s.Ground().Demanded():
		e.Facts = append(e.Facts, Fact{"The RFCs demand", answer})
	default:
		e.Facts = append(e.Facts, Fact{"iwarp expects", answer})
	}
	if g.Words != "" {
		e.Facts = append(e.Facts, Fact{"In their words", fmt.Sprintf("%q (%s)", g.Words, g.Source)})
	}
	if g.Decided != "" {
		e.Facts = append(e.Facts, Fact{"The reason", g.Decided})
	}
}

// An answerer is somebody whose answers need not be those of the RFCs.
type answerer struct {
	name   string
	answer func(rules.Situation) rules.Answer
}

// answerers are the Verbs, and the RNICs that are known.
func answerers() []answerer {
	all := []answerer{{rules.Verbs.String(), func(s rules.Situation) rules.Answer { return rules.Situations[s].Verbs.In(s) }}}
	for _, p := range peers.RNICs {
		all = append(all, answerer{p.Name, p.Answer})
	}
	return all
}

// answerText writes an answer as one would say it.
func answerText(a *rules.Answer) string {
	switch {
	case len(a.Codes) == 0 && a.Note == "":
		return "not known"
	case len(a.Codes) == 0:
		return a.Note
	}
	return a.Codes.String() + inBrackets(a.Note)
}
