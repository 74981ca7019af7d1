package rfc6581

// Sections 10 and 12: unenhanced peers, and odd values.

import (
	"fmt"

	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/replay/conform"
)

var section10 = about("10", "Interoperability", func() []conform.Case {
	return conform.Alike(conform.Case{Role: conform.AsInitiator}, []conform.Case{
		{Name: "enhanced", Requirements: []string{"EMPA-10-1", "EMPA-6-1", "EMPA-6-4"}, Bare: true, Need: conform.Enhanced,
			Says: "An enhanced Request gets an enhanced Reply of revision 2.",
			Ask: conform.Text(`
				> request
				< reply`)},
		{Name: "unenhanced", Requirements: []string{"EMPA-10-2", "EMPA-10-4", "EMPA-6-6", "EMPA-6-9"},
			Begin: conform.Begin{Rev: 1},
			Says:  "An unenhanced Request gets an unenhanced Reply, and the connection works.",
			Ask: conform.Text(`
				> Send {write! 8 0 0x1000 0x20000}
				< Write STag=0x1000 TO=0x20000 00*8
				< Send {done write}`)},
		{Name: "revision-2-without-s", Requirements: []string{"EMPA-10-2", "EMPA-10-4", "EMPA-6-9"}, Bare: true,
			Need: conform.Enhanced,
			Says: "The same holds for one of revision 2 without S: its Private Data belongs to the upper layer.",
			Ask: conform.Each(`
				> MPARequest C Rev=2 %s
				< MPAReply M=? C=? Rev=? "iwcf" ?*`, "", "00", "80014001", `"private data"`)},
		{Name: "enhanced-to-an-unenhanced-one", Requirements: []string{"EMPA-10-5", "MPA-7.1.1-16"}, Bare: true,
			If: func(s *conform.Setup) bool { return !s.Peer.Enhanced }, For: "a peer without MPA revision 2",
			Says: "A Responder that does not support revision 2 closes; it may first state its revision.",
			Ask: conform.Text(request("IRD=16 ORD=1") + `
				< OneOf
				or FIN
				or Reset
				may "it says first which revision it has" MPAReply M=? C=? R=? Rev=1 ?*
				> FIN`)},
	})
})

var section12 = about("12", "Security considerations", func() []conform.Case {
	return conform.Alike(conform.Case{Bare: true, Need: conform.Enhanced}, []conform.Case{
		{Name: "odd-requests", Requirements: []string{"EMPA-12-1", "EMPA-10-1"}, Role: conform.AsInitiator,
			Says: "The smallest and largest IRDs and ORDs get an enhanced Reply, and do no harm.",
			Ask:  conform.Texts(append(oddRequests(""), oddRequests("B C D")...)...)},
		{Name: "odd-requests-of-peers", Requirements: []string{"EMPA-12-1", "EMPA-10-1", "EMPA-9.2-3"},
			Role: conform.AsInitiator, Crasher: true,
			Says: "The same holds in the peer-to-peer model, even if the connection is closed before the RTR.",
			Ask:  conform.Texts(oddRequests("A B C D")...)},
		{Name: "odd-replies", Requirements: []string{"EMPA-12-1", "EMPA-9.1-8", "EMPA-9.1-13"}, Role: conform.AsResponder,
			Says: "The smallest and largest values in a Reply do no harm: the connection continues, or ends for insufficient IRD.",
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

// oddDepths returns the smallest and largest of both together.
func oddDepths() (all []pair) {
	odd := []int{0, 1, mpa.NotNegotiated - 1, mpa.NotNegotiated}
	for _, ird := range odd {
		for _, ord := range odd {
			all = append(all, pair{ird, ord})
		}
	}
	return all
}
