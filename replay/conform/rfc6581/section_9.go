package rfc6581

// Section 9: IRD and ORD, the Ready to Receive (RTR), and errors.

import (
	"fmt"
	"slices"
	"strings"

	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/replay/conform"
)

var section91 = about("9.1", "IRD and ORD negotiation", func() []conform.Case {
	return slices.Concat(depthsOfReplies(), depthsOfInitiators())
})

var depthsOfReplies = func() []conform.Case {
	return conform.Alike(conform.Case{Role: conform.AsInitiator, Need: conform.Enhanced}, []conform.Case{
		{Name: "ord-within-our-ird", Requirements: []string{"EMPA-9.1-4", "EMPA-9.1-2", "EMPA-9.1-14", "EMPA-9-1"},
			Bare: true,
			Says: "The ORD of the Reply is at most the IRD of the Request.",
			Ask: func(*conform.Setup) (scripts []string) {
				for ird := range 9 {
					script := request(fmt.Sprintf("IRD=%d ORD=1", ird)) + "< OneOf\n"
					for ord := range ird + 1 {
						script += "or " + accepts(fmt.Sprintf("IRD=? ORD=%d", ord)) + "\n"
					}
					scripts = append(scripts, script+`may "it needs more Reads than we accept, and says so" `+rejects+"\n"+closed)
				}
				return scripts
			}},
		{Name: "ird-for-our-ord", Requirements: []string{"EMPA-9.1-15", "EMPA-9.1-14", "EMPA-9-1"}, Bare: true,
			If:   func(s *conform.Setup) bool { return s.Peer.IRD <= mostListed },
			For:  fmt.Sprintf("a peer whose IRD is at most %d", mostListed),
			Says: "The IRD of the Reply is at least the ORD of the Request, if the peer can accept that many.",
			Ask: func(s *conform.Setup) (scripts []string) {
				for ord := range min(s.Peer.IRD, 16) + 1 {
					script := request(fmt.Sprintf("IRD=16 ORD=%d", ord)) + "< OneOf\n"
					for ird := ord; ird <= max(s.Peer.IRD, ord); ird++ {
						script += "or " + accepts(fmt.Sprintf("IRD=%d ORD=?", ird)) + "\n"
					}
					scripts = append(scripts, script+closed)
				}
				return scripts
			}},
		{Name: "ord-too-large", Requirements: []string{"EMPA-9.1-15", "EMPA-10-1", "MPA-7.1.2-5"}, Bare: true, If: hasLimit,
			Says: "An ORD beyond the peer's limit is rejected, by an enhanced Reply without a following FPDU.",
			Ask: conform.Text(request("IRD=16 ORD=16382") + `
				< OneOf
				or ` + rejects + `
				or ` + accepts("IRD=16382 ORD=?") + `
				may "it offers an IRD below our ORD, and leaves it to us to do with that" ` + accepts("IRD=? ORD=?") + "\n" + closed)},
		{Name: "ord-not-negotiated", Requirements: []string{"EMPA-9.1-10"}, Bare: true,
			Says: "If the Request has an ORD of 0x3FFF, the Reply has an IRD of 0x3FFF.",
			Ask:  conform.Text(request("IRD=16 ORD=16383") + "< " + accepts("IRD=16383 ORD=?") + goesOn)},
		{Name: "ird-not-negotiated", Requirements: []string{"EMPA-9.1-12"}, Bare: true,
			Says: "If the Request has an IRD of 0x3FFF, the Reply has an ORD of 0x3FFF.",
			Ask:  conform.Text(request("IRD=16383 ORD=1") + "< " + accepts("IRD=? ORD=16383") + goesOn)},
		{Name: "nothing-negotiated", Requirements: []string{"EMPA-9.1-10", "EMPA-9.1-12"}, Bare: true,
			Says: "If the Request has 0x3FFF in both, the Reply has 0x3FFF in both.",
			Ask:  conform.Text(request("IRD=16383 ORD=16383") + "< " + accepts("IRD=16383 ORD=16383") + goesOn)},
		{Name: "no-reads-from-us", Requirements: []string{"EMPA-9.1-4", "EMPA-9.1-14", "V-142"},
			Begin: conform.Begin{IRD: -1},
			Says:  "After a Request with an IRD of zero no Read Request is sent, even if the upper layer asks for one.",
			Ask: conform.Text(`
				> Send {read! 8 0 0x1000 0x20000}
				< OneOf
				or Send {answer read 1 0}
				or Send {answer read 2 0}
				> FIN` + over)},
		{Name: "one-read-at-a-time", Requirements: []string{"EMPA-9.1-4", "EMPA-9.1-14", "V-140", "V-141"},
			Begin: conform.Begin{IRD: 1},
			Says:  "With an IRD of one in the Request the Responder has one Read Request outstanding at a time.",
			Ask:   conform.Text(readsFromUs(4, 1))},
	})
}

// mostListed is the largest IRD up to which each value is written out.
const mostListed = 1024

var depthsOfInitiators = func() []conform.Case {
	return conform.Alike(conform.Case{Role: conform.AsResponder, Bare: true, Need: conform.Enhanced}, []conform.Case{
		{Name: "ord-of-the-reply", Requirements: []string{"EMPA-9.1-7", "EMPA-9.1-14"},
			Says: "An Initiator accepts an ORD up to its own IRD.",
			Ask: func(s *conform.Setup) []string {
				most := min(s.Peer.IRD, mpa.NotNegotiated-1)
				return []string{goesWell(s, fmt.Sprintf("IRD=16 ORD=%d", most)), goesWell(s, "IRD=16 ORD=0")}
			}},
		{Name: "ord-beyond-its-ird", Requirements: []string{"EMPA-9.1-8", "EMPA-9.1-6", "EMPA-9.1-7"}, If: hasLimit,
			Says: "An ORD beyond its IRD makes an Initiator send a Terminate for insufficient IRD, unless it raises its IRD.",
			Ask: func(s *conform.Setup) []string {
				return []string{tooDeep(s, pair{16, s.Peer.IRD + 1}.String()), tooDeep(s, pair{16, mpa.NotNegotiated - 1}.String())}
			}},
		{Name: "ird-below-its-ord", Requirements: []string{"EMPA-9.1-7", "EMPA-9.1-14", "V-140", "V-141"},
			Says: "With an IRD of one in the Reply the Initiator has one Read Request outstanding at a time.",
			If:   func(s *conform.Setup) bool { return s.Peer.ORD > 0 },
			Ask:  func(s *conform.Setup) []string { return []string{goesWell(s, "IRD=1 ORD=0") + readsFromUs(4, 1)} }},
		{Name: "no-ird", Requirements: []string{"EMPA-9.1-7", "EMPA-9.1-14", "V-142"},
			Says: "With an IRD of zero in the Reply the Initiator sends no Read Request.",
			If:   func(s *conform.Setup) bool { return s.Offered() != "D" },
			Ask: func(s *conform.Setup) []string {
				return []string{goesWell(s, "IRD=0 ORD=0") + `
					> Send {read! 8 0 0x1000 0x20000}
					< OneOf
					or Send {answer read 1 0}
					or Send {answer read 2 0}
					> FIN` + over}
			}},
		{Name: "ird-of-the-reply-not-negotiated", Requirements: []string{"EMPA-9.1-11"},
			Says: "An IRD of 0x3FFF in the Reply leaves the Initiator's ORD as it is.",
			If:   func(s *conform.Setup) bool { return s.Peer.ORD > 0 && s.Peer.ORD <= mostReads },
			Ask: func(s *conform.Setup) []string {
				return []string{goesWell(s, "IRD=16383 ORD=0") + readsFromUs(s.Peer.ORD+2, s.Peer.ORD)}
			}},
		{Name: "ord-of-the-reply-not-negotiated", Requirements: []string{"EMPA-9.1-13"},
			Says: "An ORD of 0x3FFF in the Reply leaves the Initiator's IRD as it is: it is not too large.",
			If:   func(s *conform.Setup) bool { return s.Peer.IRD > 0 },
			Ask:  func(s *conform.Setup) []string { return []string{goesWell(s, "IRD=16 ORD=16383") + goesOn} }},
	})
}

// hasLimit reports whether an ORD can exceed the IRD of the peer.
func hasLimit(s *conform.Setup) bool { return s.Peer.IRD < mpa.NotNegotiated-1 }

// goesOn expects that the connection works, with a Read of ours that was not negotiated.
const goesOn = `
	> echoes
	> [r] ReadRequest SinkSTag=0x1000 SinkTO=0x20000 RDMARDSZ=0 SrcSTag=0x12345678 SrcTO=0
	< ReadResponse to [r]`

const mostReads = 64

// readsFromUs asks the peer for more Reads than may be outstanding, and proves that it keeps to the limit.
func readsFromUs(reads, outstanding int) string {
	var script strings.Builder
	fmt.Fprintf(&script, "> Send {reads! %d 8 0 0x1000 0x20000}\n", reads)
	request := func(i int) {
		fmt.Fprintf(&script, "< [r%d] ReadRequest RDMARDSZ=8 SrcSTag=0x1000 SrcTO=0x%x\n", i, 0x20000+8*i)
	}
	for i := range outstanding {
		request(i)
	}
	script.WriteString("< Silence\n")
	for i := range reads {
		fmt.Fprintf(&script, "> ReadResponse to [r%d] 00*8\n", i)
		if next := i + outstanding; next < reads {
			request(next)
			if i == 0 {
				script.WriteString("< Silence\n")
			}
		}
	}
	return script.String() + "< Send {done read}\n"
}

// picked returns the flags of our Reply: the first that the peer's Request offers.
func picked(s *conform.Setup) string {
	if flags := s.Offered(); flags != "" {
		return oneKind(flags[:1])
	}
	return ""
}

// firstMessage returns the first message of an Initiator, as an alternative.
func firstMessage(s *conform.Setup) string {
	for _, k := range kinds {
		if picked(s) == oneKind(k.flag) {
			return k.comes
		}
	}
	return "or Send 00000000\n"
}

// goesWell returns a connection with a correct Enhanced word in the Reply.
func goesWell(s *conform.Setup, word string) string {
	return "< request\n" + reply(picked(s)+word) + "< hello\n"
}

// tooDeep returns one with an ORD beyond the Initiator's IRD in the Reply.
func tooDeep(s *conform.Setup, word string) string {
	script := "< request\n" + reply(picked(s)+word) + `
		< OneOf
		or Refusal mpa-ird
		` + firstMessage(s) + closed
	if picked(s) != "" {
		script += `
			may "it has made its IRD larger, and goes on" Send 00000000`
	}
	return script
}

var section92 = about("9.2", "Peer-to-peer connection negotiation", func() []conform.Case {
	return slices.Concat(peersOfReplies(), peersOfInitiators())
})

var peersOfReplies = func() []conform.Case {
	return conform.Alike(conform.Case{Role: conform.AsInitiator, Bare: true, Need: conform.Enhanced}, []conform.Case{
		{Name: "all-offered", Requirements: []string{"EMPA-9.2-3", "EMPA-9.2-4", "EMPA-9.2-6"},
			Says: "A Request with A gets a Reply with A, and with at least one kind of RTR.",
			Ask: func(s *conform.Setup) []string {
				some := oneOf(func(flags string) string { return or(flags != "") })
				return []string{request("A B C D IRD=16 ORD=1") + some + sends(s, "B C D")}
			}},
		{Name: "some-offered", Requirements: []string{"EMPA-9.2-4", "EMPA-9.2-5", "EMPA-9.2-6", "EMPA-9.2-7"},
			Says: "The Reply has all kinds that the Request offers and the peer supports.",
			Ask: func(s *conform.Setup) (scripts []string) {
				for _, offer := range subsets() {
					if common(offer, s.Peer.Ready) {
						some := oneOf(supported(offer, s.Peer.Ready))
						scripts = append(scripts, request("A "+offer+" IRD=16 ORD=1")+some+sends(s, offer))
					}
				}
				return scripts
			}},
		{Name: "none-supported", Requirements: []string{"EMPA-9.2-4", "EMPA-9.2-8"}, Crasher: true,
			Says: "If the peer supports none of the offered kinds, the Reply has those that it supports.",
			Ask: func(s *conform.Setup) (scripts []string) {
				for _, offer := range subsets() {
					if !common(offer, s.Peer.Ready) {
						known := oneOf(func(flags string) string {
							return or(flags != "" && (s.Peer.Ready == "" || common(flags, s.Peer.Ready)))
						})
						scripts = append(scripts, request("A "+offer+" IRD=16 ORD=1")+known+closed)
					}
				}
				return scripts
			}},
		{Name: "rtr-taken-in", Requirements: []string{"EMPA-9.2-3", "EMPA-9.2-5", "EMPA-9.2-15", "EMPA-9.3-2"},
			Says: "Each kind of RTR in the Reply is accepted, without a reaction but the answer to a Read.",
			Ask: func(s *conform.Setup) (scripts []string) {
				for _, k := range kinds {
					if common(k.flag, s.Peer.Ready) {
						scripts = append(scripts, request("A "+k.flag+" IRD=16 ORD=1")+oneOf(supported(k.flag, s.Peer.Ready))+k.sends)
					}
				}
				return scripts
			}},
		{Name: "read-with-an-ord-of-zero", Requirements: []string{"EMPA-9.1-3", "EMPA-9.2-4"}, Crasher: true,
			Says: "An ORD of zero in the Request does not prevent a Read as RTR.",
			If:   func(s *conform.Setup) bool { return common("D", s.Peer.Ready) },
			Ask: func(s *conform.Setup) []string {
				return []string{request("A D IRD=16 ORD=0") + oneOf(supported("D", s.Peer.Ready)) + closed}
			}},
		{Name: "clients-and-servers", Requirements: []string{"EMPA-9.2-12", "EMPA-9.2-13"},
			Says: "A Request without A gets a Reply without A, and without kinds of RTR.",
			Ask:  conform.Text(request("IRD=16 ORD=1") + "< " + accepts("IRD=? ORD=?") + "\n")},
		{Name: "kinds-without-a", Requirements: []string{"EMPA-9.2-14", "EMPA-9.2-12", "EMPA-9.2-13"},
			Says: "Without A in the Request its kinds of RTR are ignored: any FPDU can be the first.",
			Ask:  conform.Each("> MPARequest C S Rev=2 enhanced %s IRD=16 ORD=1\n< "+accepts("IRD=? ORD=?"), subsets()...)},
	})
}

var peersOfInitiators = func() []conform.Case {
	return conform.Alike(conform.Case{Role: conform.AsResponder, Bare: true, Need: conform.Enhanced}, []conform.Case{
		{Name: "no-rtr-in-common", Requirements: []string{"EMPA-9.2-10"},
			For:  "an Initiator that offers an RTR, but not all kinds",
			Says: "An Initiator that supports no kind of RTR in the Reply sends the Terminate for that.",
			Ask: func(s *conform.Setup) (scripts []string) {
				for _, flags := range subsets() {
					if s.Offered() != "" && !common(flags, s.Offered()) {
						scripts = append(scripts, "< request\n"+reply("A "+flags+" "+depths(s))+"< refuses mpa-rtr\n")
					}
				}
				return scripts
			}},
		{Name: "no-a-in-the-reply", Requirements: []string{"EMPA-9.2-9", "EMPA-9.2-10"},
			If: func(s *conform.Setup) bool { return s.Offered() != "" }, For: "an Initiator that offers an RTR",
			Says: "After a Reply without A the Initiator reports that no RTR was agreed on, or continues without one.",
			Ask: func(s *conform.Setup) []string {
				return []string{"< request\n" + reply(depths(s)) + `
					< OneOf
					or Refusal mpa-rtr
					or Send 00000000
					> FIN`}
			}},
		{Name: "kinds-without-a-in-the-reply", Requirements: []string{"EMPA-9.2-14"},
			Says: "Without A the kinds of RTR in the Reply are ignored: none is sent.",
			If:   func(s *conform.Setup) bool { return s.Offered() == "" },
			Ask: conform.EachWith(func(s *conform.Setup, flags string) string {
				return "< request\n" + reply(flags+" "+depths(s)) + "< Send 00000000\n"
			}, subsets()...)},
	})
}

// or returns the word for a right alternative, and nothing for a wrong one.
func or(right bool) string {
	if right {
		return "or"
	}
	return ""
}

// oneOf expects one of the Replies with A. word returns what precedes the Reply with some flags; nothing if that Reply is
// wrong.
func oneOf(word func(flags string) string) string {
	script := "< OneOf\n"
	for _, flags := range subsets() {
		if w := word(flags); w != "" {
			script += w + " " + accepts("A "+withAny(flags)) + "\n"
		}
	}
	return script
}

// withAny returns flags of an Enhanced word in their order, with any IRD and ORD.
func withAny(flags string) string {
	var before, behind []string
	for _, f := range strings.Fields(flags) {
		if f == "B" {
			before = append(before, f)
		} else {
			behind = append(behind, f)
		}
	}
	return strings.Join(slices.Concat(before, []string{"IRD=?"}, behind, []string{"ORD=?"}), " ")
}

// supported checks the flags of a Reply to an offer of a peer that supports some kinds.
func supported(offer, ready string) func(flags string) string {
	return func(flags string) string {
		omits := func(k kind) bool { return common(k.flag, offer) && common(k.flag, ready) && !common(k.flag, flags) }
		switch {
		case flags != "" && !slices.ContainsFunc(kinds, omits):
			return "or"
		case common(flags, offer):
			return `may "it omits a kind of RTR that it supports"`
		}
		return ""
	}
}

var section93 = about("9.3", "Enhanced connection negotiation flow", func() []conform.Case {
	return []conform.Case{
		{Name: "read-as-rtr-without-ird", Requirements: []string{"EMPA-9.3-1", "EMPA-9.1-7"},
			Says: "An Initiator whose only RTR is a Read sends a Terminate if the Responder has no IRD.",
			Role: conform.AsResponder, Bare: true, Need: conform.Enhanced,
			If:  func(s *conform.Setup) bool { return common("D", s.Offered()) },
			For: "an Initiator that offers a Read as the RTR",
			Ask: conform.Text("< request\n" + reply("A D IRD=0 ORD=0") + `
				< OneOf
				or Refusal mpa-local
				or Refusal mpa-rtr
				may "it takes the agreement on a Read as RTR for an IRD of one" ReadRequest RDMARDSZ=0
				> FIN`)},
	}
})
