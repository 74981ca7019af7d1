package rfc6581

// Values that are odd, but not malformed.

import (
	"fmt"

	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/replay/conform"
)

var section12 = about("12", "Security considerations", func() []conform.Case {
	return conform.Alike(conform.Case{Bare: true, Need: conform.Enhanced}, []conform.Case{
		{Name: "odd-requests", Requirements: []string{"EMPA-12-1", "EMPA-10-1"}, Role: conform.AsInitiator,
			Says: "The least and the largest IRDs and ORDs get an enhanced Reply, and do no harm.",
			Ask:  conform.Texts(append(oddRequests(""), oddRequests("B C D")...)...)},
		{Name: "odd-requests-of-peers", Requirements: []string{"EMPA-12-1", "EMPA-10-1", "EMPA-9.2-3"},
			Role: conform.AsInitiator, Crasher: true,
			Says: "So they do in the peer-to-peer model, even if the connection is closed before the RTR.",
			Ask:  conform.Texts(oddRequests("A B C D")...)},
		{Name: "odd-replies", Requirements: []string{"EMPA-12-1", "EMPA-9.1-8", "EMPA-9.1-13"}, Role: conform.AsResponder,
			Says: "The least and the largest values in a Reply do no harm: the connection goes on, or for want of IRD does not.",
			Ask: func(s *conform.Setup) (scripts []string) {
				for _, d := range oddDepths() {
					switch {
					case d.ird == 0 && picked(s) == oneKind("D"): // it needs one for its RTR
					case d.ord > s.Peer.IRD && d.ord != mpa.NotNegotiated:
						scripts = append(scripts, tooDeep(s, d.String()))
					default:
						scripts = append(scripts, goesWell(s, d.String()))
					}
				}
				return scripts
			}},
	})
})

func oddRequests(flags string) (scripts []string) {
	for _, d := range oddDepths() {
		scripts = append(scripts, request(flags+" "+d.String())+`
			< OneOf
			or `+accepts("A=? B=? IRD=? C=? D=? ORD=?")+`
			or `+rejects+"\n"+closed)
	}
	return scripts
}

type pair struct{ ird, ord int }

func (p pair) String() string { return fmt.Sprintf("IRD=%d ORD=%d", p.ird, p.ord) }

// oddDepths returns the least and the largest of both together.
func oddDepths() (all []pair) {
	odd := []int{0, 1, mpa.NotNegotiated - 1, mpa.NotNegotiated}
	for _, ird := range odd {
		for _, ord := range odd {
			all = append(all, pair{ird, ord})
		}
	}
	return all
}
