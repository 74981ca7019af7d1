package explain

import (
	"github.com/iwarpkit/iwarp/codec/rules"
)

// situationTopics are the error situations of package rules, by name: what every peer answers to them.
func situationTopics() (topics []topic) {
	for i := range rules.Situations {
		s := &rules.Situations[i]
		topics = append(topics, topic{
			kind: KindSituation, name: s.Name, title: s.Text, keys: []string{s.Text},
			entry: func() Entry { return situationEntry(s) },
		})
	}
	return topics
}

func situationEntry(s *rules.Situation) Entry {
	e := Entry{
		Kind: KindSituation, Name: s.Name, Title: "if " + s.Text,
		Text: []string{"An error situation, and the Terminates that answer it."},
	}
	rfc := &s.Answers[rules.RFC]
	e.Facts = []Fact{{"The RFCs demand", answerText(rfc)}}
	if len(s.Also) > 0 {
		e.Facts = append(e.Facts, Fact{"They also allow", codeList(s.Also)})
	}
	if s.HdrCt != "" {
		e.Facts = append(e.Facts, Fact{"Encloses", enclosed[s.HdrCt]})
	}
	for _, c := range rfc.Codes {
		e.See = append(e.See, c.String())
		if source := c.Source(); len(e.Sources) == 0 || e.Sources[len(e.Sources)-1] != source {
			e.Sources = append(e.Sources, source)
		}
	}
	if e.Sources == nil {
		e.Sources = []string{"RFC 5040, section 7.1", "RFC 5044, section 7.1"}
	}
	for p := rules.RFC + 1; p < rules.NumPeers; p++ {
		if a := &s.Answers[p]; a.Known {
			e.Peers = append(e.Peers, Peer{p.String(), []string{answerText(a)}})
		}
	}
	return e
}

// answerText writes an answer as one would say it.
func answerText(a *rules.Answer) string {
	switch {
	case len(a.Codes) == 0 && a.Note == "":
		return "not known"
	case len(a.Codes) == 0:
		return a.Note
	}
	return codeList(a.Codes) + inBrackets(a.Note)
}
