// Package draft00 asks a peer about RDMAP as draft-ietf-rddp-rdmap-00 has it, where that differs from RFC 5040. Its
// cases are for peers that are judged by the profile draft-00; of others there is nothing to ask.
package draft00

import (
	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/replay/conform"
)

// Sections are all cases, in the order of the document.
var Sections = []conform.Section{section61, section68, section73, section75, section101, section103}

// about returns a Section that asks only peers whose profile goes by the draft.
func about(number, title string, cases func() []conform.Case) conform.Section {
	return conform.Section{Document: "draft-ietf-rddp-rdmap-00", Number: number, Title: title, Cases: func() []conform.Case {
		all := cases()
		for i := range all {
			ask := all[i].Ask
			all[i].For = "a peer that is judged by the profile draft-00"
			all[i].Ask = func(s *conform.Setup) []string {
				if s.Profile.Edition != rules.Draft00 {
					return nil
				}
				return ask(s)
			}
		}
		return all
	}}
}
