package rfc6581

// Who is the first to speak: the peer-to-peer model and its Ready to Receive (RTR).

import (
	"slices"
	"strings"

	"github.com/iwarpkit/iwarp/replay/conform"
)

var section92 = about("9.2", "Peer-to-peer connection negotiation", func() []conform.Case {
	return slices.Concat(peersOfReplies(), peersOfInitiators())
})

var peersOfReplies = func() []conform.Case {
	return []conform.Case{
		{Name: "all-offered", Requirements: []string{"EMPA-9.2-3", "EMPA-9.2-4", "EMPA-9.2-6"},
			Says: "A Request with A gets a Reply with A, and with at least one kind of RTR.",
			Role: conform.AsInitiator, Bare: true, Need: conform.Enhanced,
			Ask: func(s *conform.Setup) []string {
				some := oneOf(func(flags string) string { return or(flags != "") })
				return []string{request("A B C D IRD=16 ORD=1") + some + sends(s, "B C D")}
			}},
		{Name: "some-offered", Requirements: []string{"EMPA-9.2-4", "EMPA-9.2-5", "EMPA-9.2-6", "EMPA-9.2-7"},
			Says: "Of the kinds that the Request offers the Reply has all that the peer supports.",
			Role: conform.AsInitiator, Bare: true, Need: conform.Enhanced,
			Ask: func(s *conform.Setup) (scripts []string) {
				for _, offer := range subsets() {
					if common(offer, s.Peer.Ready) {
						some := oneOf(supported(offer, s.Peer.Ready))
						scripts = append(scripts, request("A "+offer+" IRD=16 ORD=1")+some+sends(s, offer))
					}
				}
				return scripts
			}},
		{Name: "none-supported", Requirements: []string{"EMPA-9.2-4", "EMPA-9.2-8"},
			Says: "Where the peer supports none of the kinds that the Request offers the Reply says which it does.",
			Role: conform.AsInitiator, Bare: true, Crasher: true, Need: conform.Enhanced,
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
			Says: "Each kind of RTR that the Reply has is taken in, and nothing comes of it but the answer to a Read.",
			Role: conform.AsInitiator, Bare: true, Need: conform.Enhanced,
			Ask: func(s *conform.Setup) (scripts []string) {
				for _, k := range kinds {
					if common(k.flag, s.Peer.Ready) {
						scripts = append(scripts, request("A "+k.flag+" IRD=16 ORD=1")+oneOf(supported(k.flag, s.Peer.Ready))+k.sends)
					}
				}
				return scripts
			}},
		{Name: "read-with-an-ord-of-zero", Requirements: []string{"EMPA-9.1-3", "EMPA-9.2-4"},
			Says: "If only a Read can be the RTR an ORD of zero in the Request does not prevent it.",
			Role: conform.AsInitiator, Bare: true, Crasher: true, Need: conform.Enhanced,
			Ask: func(s *conform.Setup) []string {
				if !common("D", s.Peer.Ready) {
					return nil
				}
				return []string{request("A D IRD=16 ORD=0") + oneOf(supported("D", s.Peer.Ready)) + closed}
			}},
		{Name: "clients-and-servers", Requirements: []string{"EMPA-9.2-12", "EMPA-9.2-13"},
			Says: "A Request without A gets a Reply without A, and without kinds of RTR.",
			Role: conform.AsInitiator, Bare: true, Need: conform.Enhanced,
			Ask: conform.Text(request("IRD=16 ORD=1") + "< " + accepts("IRD=? ORD=?") + "\n")},
		{Name: "kinds-without-a", Requirements: []string{"EMPA-9.2-14", "EMPA-9.2-12", "EMPA-9.2-13"},
			Says: "Without A in the Request the kinds of RTR in it mean nothing: the first FPDU can be any.",
			Role: conform.AsInitiator, Bare: true, Need: conform.Enhanced,
			Ask: conform.Each("> MPARequest C S Rev=2 enhanced %s IRD=16 ORD=1\n< "+accepts("IRD=? ORD=?"), subsets()...)},
	}
}

var peersOfInitiators = func() []conform.Case {
	return []conform.Case{
		{Name: "no-rtr-in-common", Requirements: []string{"EMPA-9.2-10"},
			Says: "An Initiator that can send none of the kinds of RTR in the Reply sends a Terminate that says so.",
			Role: conform.AsResponder, Bare: true, Need: conform.Enhanced,
			For: "an Initiator that offers an RTR, but not each kind",
			Ask: func(s *conform.Setup) (scripts []string) {
				for _, flags := range subsets() {
					if offered(s) != "" && !common(flags, offered(s)) {
						scripts = append(scripts, "< request\n"+reply("A "+flags+" "+depths(s))+"< refuses mpa-rtr\n")
					}
				}
				return scripts
			}},
		{Name: "no-a-in-the-reply", Requirements: []string{"EMPA-9.2-9", "EMPA-9.2-10"},
			Says: "A Reply without A has not agreed on an RTR: the Initiator says so, or goes on as a client would.",
			Role: conform.AsResponder, Bare: true, Need: conform.Enhanced,
			For: "an Initiator that offers an RTR",
			Ask: func(s *conform.Setup) []string {
				if offered(s) == "" {
					return nil
				}
				return []string{"< request\n" + reply(depths(s)) + `
					< OneOf
					or Refusal mpa-rtr
					or Send 00000000
					> FIN`}
			}},
		{Name: "kinds-without-a-in-the-reply", Requirements: []string{"EMPA-9.2-14"},
			Says: "Without A in the frames the kinds of RTR in the Reply mean nothing: none is sent.",
			Role: conform.AsResponder, Bare: true, Need: conform.Enhanced,
			Ask: func(s *conform.Setup) (scripts []string) {
				if offered(s) != "" {
					return nil
				}
				for _, flags := range subsets() {
					scripts = append(scripts, "< request\n"+reply(flags+" "+depths(s))+"< Send 00000000\n")
				}
				return scripts
			}},
	}
}

// or returns the word before what is right; empty for what is not.
func or(right bool) string {
	if right {
		return "or"
	}
	return ""
}

// oneOf expects one of the Replies with A. word says for flags what stands before the Reply that has them; nothing if
// it must not be.
func oneOf(word func(flags string) string) string {
	script := "< OneOf\n"
	for _, flags := range subsets() {
		if w := word(flags); w != "" {
			script += w + " " + accepts("A "+withAny(flags)) + "\n"
		}
	}
	return script
}

// withAny returns flags of an Enhanced word in their order, between an IRD and ORD that can be any.
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

// supported judges the flags of a Reply to an offer, for a peer that supports some kinds.
func supported(offer, ready string) func(flags string) string {
	return func(flags string) string {
		all := true
		for _, k := range kinds {
			if common(k.flag, offer) && common(k.flag, ready) && !common(k.flag, flags) {
				all = false
			}
		}
		switch {
		case all && flags != "":
			return "or"
		case common(flags, offer):
			return `may "it leaves out a kind of RTR that it supports"`
		}
		return ""
	}
}
