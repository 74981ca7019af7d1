package rfc5044

// Sections 7.1 and 8: MPA Requests and Replies, the order of start-up, and errors.

import (
	"fmt"
	"slices"
	"strings"

	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/replay/conform"
	"github.com/iwarpkit/iwarp/replay/conform/internal/parts"
)

var section711 = about("7.1.1", "MPA Request and Reply frame format", func() []conform.Case {
	return slices.Concat(keyCases(), flagCases(), revCases(), privateCases())
})

// The end of a connection after a wrong Reply: over means after we have closed, ends that the peer closes first.
const (
	over = `
		< OneOf
		or FIN
		or Reset
		may known terminates mpa-frame "tells of a wrong Reply by a Terminate before it closes" Terminate`
	ends = over + `
		> FIN`
)

var keyCases = func() []conform.Case {
	return []conform.Case{
		{Name: "key-wrong", Requirements: []string{"MPA-7.1.1-2", "MPA-7.1.2-3", "MPA-7.1.2-13", "MPA-8-4", "MPA-8-7"},
			Says: "A Request with one wrong octet in its Key, whichever it is, closes the connection.",
			Role: conform.AsInitiator, Bare: true,
			Ask: func(s *conform.Setup) []string { return wrongKeys("", request(s, ""), "< closes or resets") }},
		{Name: "key-of-a-reply", Requirements: []string{"MPA-7.1.1-2", "MPA-7.1.2-13", "MPA-7.1.2-17", "MPA-8-4", "MPA-8-7"},
			Says: "A Reply in place of the Request closes the connection.",
			Role: conform.AsInitiator, Bare: true,
			Ask: func(s *conform.Setup) []string { return []string{step(reply(s, "")) + "< closes or resets"} }},
		{Name: "no-mpa", Requirements: []string{"MPA-7.1.1-2", "MPA-7.1.2-3", "MPA-7.1.2-13", "MPA-8-4", "MPA-8-7"},
			Says: "Octets that are not MPA close the connection.",
			Role: conform.AsInitiator, Bare: true,
			Ask: conform.Each("> Octets %s\n< closes or resets", foreign...)},
		{Name: "reply-key-wrong", Requirements: []string{"MPA-7.1.1-4", "MPA-7.1.2-9", "MPA-7.1.2-13", "MPA-8-4", "MPA-8-7"},
			Says: "A Reply with one wrong octet in its Key, whichever it is, closes the connection.",
			Role: conform.AsResponder, Bare: true,
			Ask: func(s *conform.Setup) []string { return wrongKeys("< request\n", reply(s, ""), ends) }},
		{Name: "key-of-a-request", Requirements: []string{"MPA-7.1.1-4", "MPA-7.1.2-13", "MPA-7.1.2-17", "MPA-8-4", "MPA-8-7"},
			Says: "A Request in place of the Reply means two Initiators, and closes the connection.",
			Role: conform.AsResponder, Bare: true,
			Ask: requested("", func(request []byte) string { return "< request\n" + step(request) + ends })},
		{Name: "no-mpa-as-reply", Requirements: []string{"MPA-7.1.1-4", "MPA-7.1.2-9", "MPA-7.1.2-13", "MPA-8-4", "MPA-8-7"},
			Says: "Octets that are not MPA in place of the Reply close the connection.",
			Role: conform.AsResponder, Bare: true, Crasher: true,
			Ask: conform.Each("< request\n> Octets %s"+ends, foreign...)},
	}
}

// foreign is what other protocols send first: HTTP, TLS, SSH, RPC, 20 zeros, and an FPDU.
var foreign = []string{
	`"GET / HTTP/1.1" 0d0a "Host: x" 0d0a0d0a`,
	`16030100 c8010000 c40303 00*32`,
	`"SSH-2.0-OpenSSH_9.2" 0d0a`,
	`80000028 00000001 00000000 00000002 000186a3 00000004`,
	`00*20`,
	`ff*20`,
	`0016 4143 00000000 00000000 00000001 00000000 00000000 00000000`,
}

// wrongKeys sends a frame on each connection, each with another octet of the Key wrong.
func wrongKeys(before string, frame []byte, behind string) (scripts []string) {
	for i := range mpa.RequestKey {
		scripts = append(scripts, before+step(flipped(frame, i, 5))+behind)
	}
	return scripts
}

var flagCases = func() []conform.Case {
	return []conform.Case{
		{Name: "reserved-bits", Requirements: []string{"MPA-7.1.1-12"},
			Says: "The reserved bits of a Request are ignored.",
			Role: conform.AsInitiator, Bare: true, Begin: conform.Begin{Rev: 1},
			Ask: conform.Each(`
				> request %s
				< reply`, "S", "Res=8", "Res=4", "Res=2", "Res=1", "Res=15", "S Res=15")},
		{Name: "r-in-a-request", Requirements: []string{"MPA-7.1.1-13", "MPA-7.1.1-12"},
			Says: "R is ignored in a Request, with or without reserved bits.",
			Role: conform.AsInitiator, Bare: true, Begin: conform.Begin{Rev: 1},
			Ask: conform.Each(`
				> request R%s
				< reply`, "", " S", " Res=15", " S Res=15")},
		{Name: "each-flag-without-crc", Requirements: []string{"MPA-7.1.1-12", "MPA-7.1.1-13", "MPA-7.1.2-6"},
			Says: "The same holds for a Request without CRCs.",
			Role: conform.AsInitiator, Bare: true, Begin: conform.Begin{Rev: 1, NoCRC: true},
			Ask: conform.Each(`
				> request%s
				< reply`, "", " R", " S", " Res=1", " Res=15", " R S Res=15")},
		{Name: "each-flag-with-markers", Requirements: []string{"MPA-7.1.1-5", "MPA-7.1.1-12", "MPA-7.1.1-13", "MPA-4.3-1"},
			Says: "The same holds for a Request with Markers: the peer's stream has them, with CRCs and without.",
			Role: conform.AsInitiator, Bare: true, Need: conform.Markers, Begin: conform.Begin{Rev: 1, NoCRC: true},
			Ask: conform.Each(`
				> request M%s
				< reply`, "", " R", " S", " Res=15", " R S Res=15", " C", " C R", " C S", " C Res=15", " C R S Res=15")},
		{Name: "reserved-bits-in-a-reply", Requirements: []string{"MPA-7.1.1-12"},
			Says: "The reserved bits of a Reply are ignored.",
			Role: conform.AsResponder, Bare: true,
			Ask: conform.Each(`
				< request
				> reply Res=%d
				< hello`, 8, 4, 2, 1, 15)},
		{Name: "markers-for-the-responder", Requirements: []string{"MPA-7.1.1-6", "MPA-4.3-1", "MPA-4.3-7"},
			Says: "After a Reply that asks for Markers, the Initiator inserts them into its stream.",
			Role: conform.AsResponder, Begin: conform.Begin{Markers: true},
			Ask: conform.Text(echoes(0, 500, 2000))},
		{Name: "no-markers", Requirements: []string{"MPA-7.1.1-7"},
			Says: "A stream has no Markers if none were requested.",
			Ask:  conform.Text(echoes(0, 500, 2000))},
		{Name: "marker-not-asked-for", Requirements: []string{"MPA-7.1.1-7", "MPA-8-2"},
			Says: "An unrequested Marker reads as an FPDU without a ULPDU, whose CRC is wrong.",
			If:   withoutMarkers,
			Ask: conform.Text(parts.Greeting + `
				> Octets 00000000
				> Send {quiet}
				< refuses fpdu-crc`)},
		{Name: "marker-left-out", Requirements: []string{"MPA-4.3-7", "MPA-7.1.1-6", "MPA-8-2"},
			Says: "An FPDU without the requested Marker before it is refused.",
			Role: conform.AsInitiator,
			If:   withMarkers, For: "a peer that requests Markers",
			Ask: func(s *conform.Setup) []string {
				unmarked := newStream(s)
				unmarked.framer.Reset(mpa.Options{CRC: true})
				return []string{step(unmarked.send(echo("?"))) + step(unmarked.send(make([]byte, 600))) + `
					< OneOf
					or Refusal fpdu-crc
					or Refusal fpdu-marker
					> FIN`}
			}},
	}
}

var revCases = func() []conform.Case {
	return []conform.Case{
		{Name: "own-frame", Requirements: []string{"MPA-7.1.1-11", "MPA-7.1.1-15"},
			Says: "The peer's own MPA frame has no reserved bits, and a defined revision.",
			Ask:  conform.Text("")},
		{Name: "rev-1", Requirements: []string{"MPA-7.1.1-16", "MPA-7.1.2-6", "MPA-7.1.2-7", "MPA-7.1.2-11"},
			Says:  "A connection begins with frames of revision 1.",
			Begin: conform.Begin{Rev: 1}, Role: conform.AsInitiator, Ask: conform.Text("")},
		{Name: "rev-unknown", Requirements: []string{"MPA-7.1.1-16", "MPA-7.1.2-3", "MPA-8-4", "MPA-8-7"},
			Says: "A Request with an unknown revision closes the connection; a Reply may first state the supported one.",
			Role: conform.AsInitiator, Bare: true,
			Ask: func(s *conform.Setup) []string {
				script := "> MPARequest C Rev=%d\n" + before(s.Peer.Later) + "< closes or resets"
				return conform.Each(script, unknownRevs...)(s)
			}},
		{Name: "reply-rev-unknown", Requirements: []string{"MPA-7.1.1-16", "MPA-7.1.2-9", "MPA-8-4", "MPA-8-7"},
			Says: "A Reply with an unknown revision closes the connection.",
			Role: conform.AsResponder, Bare: true,
			Ask: func(s *conform.Setup) []string {
				word := ""
				if s.Peer.Enhanced { // only its revision is to be wrong
					word = "S enhanced IRD=16 ORD=1"
				}
				return conform.Each("< request\n> MPAReply C Rev=%d "+word+ends, unknownRevs...)(s)
			}},
	}
}

// unknownRevs are undefined revisions of MPA, the next one and some with other bits.
var unknownRevs = []int{3, 4, 16, 127, 128, 129, 254, 255}

// before returns the Reply in which a peer states its revision before it closes, if it is known to do that.
func before(known *mpa.Frame) string {
	if known == nil {
		return ""
	}
	return `
		< OneOf
		or MPAReply M=? C=? R=? Rev=1 ?*
		or MPAReply M=? C=? R=? S=? Rev=2 ?*
		may "it rejects it in its own words" MPAReply M=? C=? R S=? Rev=? ?*
		`
}

var privateCases = func() []conform.Case {
	return []conform.Case{
		{Name: "private-data", Requirements: []string{"MPA-7.1.1-19", "MPA-7.1.2-19", "MPA-7.1.2-20", "MPA-7.1.2-6"},
			Says: "Private Data of up to 512 octets is accepted.",
			Role: conform.AsInitiator, Bare: true, Begin: conform.Begin{Rev: 1},
			Ask: conform.Each(`
				> request
				| 5a*%d
				< reply`, 1, 2, 3, 4, 5, 20, 127, 128, 251, 252, 255, 256, 257, 507, 508, 509, 511, 512)},
		{Name: "private-data-too-long", Requirements: []string{"MPA-7.1.1-19", "MPA-7.1.2-3", "MPA-7.1.2-20", "MPA-8-7"},
			Says: "A Request with more than 512 octets of Private Data closes the connection.",
			Role: conform.AsInitiator, Bare: true,
			Ask: conform.Each(`
				> MPARequest C Rev=1 5a*%d
				< closes or resets`, 513, 514, 768, 1024, 4096, 65535)},
		{Name: "private-data-missing", Requirements: []string{"MPA-7.1.1-19", "MPA-7.1.2-3", "MPA-7.1.2-19", "MPA-8-4"},
			Says: "A Request with less Private Data than its PD_Length is not answered: the connection is closed after a timeout.",
			Role: conform.AsInitiator, Bare: true, Crasher: true,
			Ask: conform.Each(`
				> MPARequest C Rev=1 PD_Length=%d "1234"
				> FIN
				< OneOf
				or FIN
				or Reset`, 5, 6, 8, 260, 512)},
		{Name: "octets-behind-the-request", Requirements: []string{"MPA-7.1.1-19", "MPA-7.1.2-19", "MPA-7.1.2-2", "MPA-8-4"},
			Says: "Octets after the Private Data of a Request, before the Reply, close the connection.",
			Role: conform.AsInitiator, Bare: true,
			Ask: conform.Each(`
				> MPARequest C Rev=1 PD_Length=%d 5a*64
				< OneOf
				or FIN
				or Reset
				may "it has answered before it looked past the Request" MPAReply M=? C=? Rev=1 ?*
				> FIN`, 0, 1, 4, 60, 63)},
		{Name: "private-data-of-a-reply", Requirements: []string{"MPA-7.1.1-19", "MPA-7.1.2-11", "MPA-7.1.2-20"},
			Says: "Private Data of up to 512 octets in a Reply, an Enhanced word included, is accepted.",
			Role: conform.AsResponder, Bare: true, Crasher: true,
			Ask: func(s *conform.Setup) []string {
				most := mpa.MaxPrivateData
				if s.Peer.Enhanced {
					most -= mpa.EnhancedLen
				}
				return conform.Each(`
					< request
					> reply
					| 5a*%d
					< hello`, 1, 4, 255, 256, most-1, most)(s)
			}},
		{Name: "private-data-of-a-reply-too-long", Requirements: []string{"MPA-7.1.1-19", "MPA-7.1.2-9", "MPA-8-4", "MPA-8-7"},
			Says: "A Reply with more than 512 octets of Private Data closes the connection.",
			Role: conform.AsResponder, Bare: true, Crasher: true,
			Ask: conform.Each(`
				< request
				> reply
				| 5a*%d`+ends, 513, 514, 1024, 65531)},
		{Name: "private-data-of-a-reply-missing", Requirements: []string{"MPA-7.1.2-9", "MPA-7.1.2-19", "MPA-8-4"},
			Says: "A Reply with less Private Data than its PD_Length is incomplete: the connection ends after a timeout.",
			Role: conform.AsResponder, Bare: true, Crasher: true,
			Ask: conform.Each(`
				< request
				> reply PD_Length=%d
				| "1234"
				> FIN`+over, 9, 12, 512)},
	}
}

var section712 = about("7.1.2", "Connection start-up rules", func() []conform.Case {
	return []conform.Case{
		{Name: "request-first", Requirements: []string{"MPA-7.1.2-2"},
			Says: "The Responder sends nothing before it has the Request.",
			Role: conform.AsInitiator, Bare: true,
			Ask: conform.Text(silent + "> request\n< reply")},
		{Name: "whole-request-first", Requirements: []string{"MPA-7.1.2-2", "MPA-7.1.2-19"},
			Says: "The Responder sends nothing before it has the complete Request, Private Data included.",
			Role: conform.AsInitiator, Bare: true, Begin: conform.Begin{Rev: 1},
			Ask: func(s *conform.Setup) []string {
				whole := request(s, "private")
				return conform.EachOf(func(n int) string { return step(whole[:n]) + silent + step(whole[n:]) + accepted },
					1, len(mpa.RequestKey), mpa.FrameLen-1, mpa.FrameLen, len(whole)-1)(s)
			}},
		{Name: "request-split-at-every-octet", Requirements: []string{"MPA-7.1.2-2", "MPA-7.1.2-6", "MPA-5.1-5"},
			Says: "A Request is accepted wherever a TCP segment ends in it.",
			Role: conform.AsInitiator, Bare: true, Begin: conform.Begin{Rev: 1},
			Ask: func(s *conform.Setup) (scripts []string) {
				whole := request(s, "data")
				for at := 1; at < len(whole); at++ {
					scripts = append(scripts, splitRequest(whole, fmt.Sprint(at)))
				}
				return scripts
			}},
		{Name: "request-octet-by-octet", Requirements: []string{"MPA-7.1.2-2", "MPA-7.1.2-6", "MPA-5.1-5"},
			Says: "A Request is accepted even if each octet has a TCP segment of its own.",
			Role: conform.AsInitiator, Bare: true, Begin: conform.Begin{Rev: 1},
			Ask: requested("data", func(request []byte) string { return splitRequest(request, offsets(1, len(request), 1)) })},
		{Name: "request-cut-short", Requirements: []string{"MPA-7.1.2-2", "MPA-7.1.2-3", "MPA-8-4"},
			Says: "A Request cut off by the end of the connection is not answered.",
			Role: conform.AsInitiator, Bare: true, Crasher: true,
			Ask: func(s *conform.Setup) (scripts []string) {
				whole := request(s, "data")
				for n := range whole {
					scripts = append(scripts, step(whole[:n])+"> FIN"+unanswered)
				}
				return scripts
			}},
		{Name: "reset-while-it-begins", Requirements: []string{"MPA-7.1.2-2"},
			Says: "A reset before or within the Request does no harm.",
			Role: conform.AsInitiator, Bare: true, Crasher: true,
			Ask: func(s *conform.Setup) []string {
				whole := request(s, "data")
				return []string{"> Reset", step(whole[:1]) + "> Reset", step(whole[:19]) + "> Reset", step(whole[:21]) + "> Reset"}
			}},
		{Name: "fpdu-with-the-request", Requirements: []string{"MPA-7.1.2-2", "MPA-7.1.1-19", "MPA-8-4"},
			Says: "An FPDU before the Reply, in the TCP segment of the Request, closes the connection.",
			Role: conform.AsInitiator, Bare: true, Begin: conform.Begin{Rev: 1},
			Ask: func(s *conform.Setup) []string {
				return []string{step(append(request(s, ""), newStream(s).send(make([]byte, 4))...)) + `
					< OneOf
					or FIN
					or Reset
					may "it has answered before it looked past the Request" reply
					> FIN`}
			}},
		{Name: "two-requests", Requirements: []string{"MPA-7.1.2-2", "MPA-7.1.1-19", "MPA-8-4"},
			Says: "A second Request before the Reply closes the connection.",
			Role: conform.AsInitiator, Bare: true, Begin: conform.Begin{Rev: 1},
			Ask: requested("", func(request []byte) string {
				return step(slices.Repeat(request, 2)) + `
					< OneOf
					or FIN
					or Reset
					may "it has answered before it looked past the Request" reply
					> FIN`
			})},
		{Name: "accepted", Requirements: []string{"MPA-7.1.2-6", "MPA-7.1.2-7", "MPA-7.1.2-11"},
			Says: "A well-formed Request is accepted, and FPDUs follow.",
			Ask:  conform.Text("")},
		{Name: "first-fpdu-split", Requirements: []string{"MPA-7.1.2-7", "MPA-5.1-5"},
			Says: "The first FPDU is accepted wherever a TCP segment ends in it.",
			Role: conform.AsInitiator,
			Ask: func(*conform.Setup) (scripts []string) {
				for at := 1; at < 32; at++ {
					scripts = append(scripts, fmt.Sprintf("> FPDU split=%d Send {echo 61*4}\n< Send {echo 61*4}", at))
				}
				return scripts
			}},
		{Name: "initiator-first", Requirements: []string{"MPA-7.1.2-12"},
			Says: "The Responder sends no FPDU before it has received one.",
			Role: conform.AsInitiator, Ask: conform.Text(silentAfterReply)},
		{Name: "initiator-first-with-markers", Requirements: []string{"MPA-7.1.2-12"},
			Says: "The Responder sends no Marker before it has received an FPDU.",
			Role: conform.AsInitiator, Begin: conform.Begin{Markers: true}, Need: conform.Markers,
			Ask: conform.Text(silentAfterReply)},
		{Name: "initiator-first-and-whole", Requirements: []string{"MPA-7.1.2-12", "MPA-6-3"},
			Says: "The Responder sends no FPDU while the Initiator's first one is incomplete.",
			Role: conform.AsInitiator,
			Ask: func(s *conform.Setup) []string {
				t := newStream(s)
				message := echo("now")
				fpdu := t.send(message)
				n := len(fpdu) - 1
				return []string{step(fpdu[:n]) + silent + step(fpdu[n:]) + answered(message) + t.goOn()}
			}},
		{Name: "closed-behind-the-reply", Requirements: []string{"MPA-7.1.2-12"},
			Says: "A connection that ends after the Reply, without an FPDU, ends at the Responder too.",
			Role: conform.AsInitiator,
			Ask: conform.Text(`
				> FIN
				< OneOf
				or FIN
				or Reset`)},
		{Name: "rejected", Requirements: []string{"MPA-7.1.2-10"},
			Says: "After a rejecting Reply the Initiator sends no FPDU.",
			Role: conform.AsResponder, Bare: true,
			Ask: conform.Text(`
				< request
				> reply R
				< OneOf
				or FIN
				or Reset
				or Silence
				> FIN`)},
		{Name: "reply-cut-short", Requirements: []string{"MPA-7.1.2-9", "MPA-8-4"},
			Says: "After a Reply cut off by the end of the connection, no FPDU follows.",
			Role: conform.AsResponder, Bare: true, Crasher: true,
			Ask: conform.EachWith(func(s *conform.Setup, n int) string {
				return "< request\n" + step(reply(s, "data")[:n]) + "> FIN" + over
			}, 0, 1, 10, 16, 19, 20, 23)},
		{Name: "no-request", Requirements: []string{"MPA-7.1.2-18", "MPA-7.1.2-21"},
			Says: "A Responder without a Request times out.",
			Role: conform.AsInitiator, Bare: true, Patient: true,
			Ask: conform.Text(givesUp)},
		{Name: "half-a-request", Requirements: []string{"MPA-7.1.2-18", "MPA-7.1.2-21"},
			Says: "A Responder with an incomplete Request times out.",
			Role: conform.AsInitiator, Bare: true, Patient: true,
			Ask: requested("data", func(request []byte) string { return step(request[:mpa.FrameLen]) + givesUp })},
		{Name: "no-reply", Requirements: []string{"MPA-7.1.2-21"},
			Says: "An Initiator without a Reply times out.",
			Role: conform.AsResponder, Bare: true, Patient: true,
			Ask: conform.Text("< request\n" + givesUp)},
	}
})

const (
	// accepted is the Reply to a Request without an Enhanced word.
	accepted = "< reply\n" + closed

	// closed ends a correct connection.
	closed = "> FIN" + unanswered

	// unanswered expects that the peer sends nothing after we have closed.
	unanswered = `
		< OneOf
		or FIN
		or Reset`

	// givesUp expects that the peer ends a connection after a timeout.
	givesUp = `
		< OneOf
		or FIN
		or Reset
		may "a time-out is only recommended, and it has none of less than 45 seconds" Silence 45s
		> FIN`
)

// splitRequest sends a Request in TCP segments that end at given offsets.
func splitRequest(whole []byte, at string) string {
	return strings.Replace(step(whole), "Octets", "Octets split="+at, 1) + accepted
}

// silentAfterReply proves that nothing follows the Reply until we send.
const silentAfterReply = silent + "> Send {echo}\n< Send {echo}\n"

var section8 = about("8", "Error semantics", func() []conform.Case {
	return []conform.Case{
		{Name: "crc-told", Requirements: []string{"MPA-8-2", "MPA-8-10"},
			Says: "A wrong CRC is reported by a Terminate: MPA does not close the connection by itself.",
			Ask: conform.Texts(`
				> FPDU CRC=bad Send {echo}
				< refuses fpdu-crc`, echoes(1, 2, 3)+`
				> FPDU CRC=bad Send {echo}
				< refuses fpdu-crc`)},
		{Name: "nothing-behind-a-wrong-crc", Requirements: []string{"MPA-8-9", "MPA-8-2"},
			Says: "No FPDU after one with a wrong CRC is processed, even if it is correct.",
			Role: conform.AsInitiator,
			Ask: func(s *conform.Setup) []string {
				t := newStream(s)
				wrong := t.send(echo("wrong"))
				wrong = flipped(wrong, len(wrong)-1, 0)
				right := newStream(s)
				right.framer.Skip(t.framer.Pos())
				// One has the MSN that is due if the wrong FPDU does not count, the other the MSN that is due if it
				// does.
				octets := append(wrong, right.send(echo("right"))...)
				right.msn = 1
				return []string{step(append(octets, right.send(echo("right"))...)) + "< refuses fpdu-crc"}
			}},
		{Name: "marker-told", Requirements: []string{"MPA-8-3", "MPA-8-6", "MPA-8-10", "MPA-5.2-2"},
			Says: "A Marker that disagrees with ULPDU_Length is reported, unless the peer uses ULPDU_Length alone.",
			If:   withMarkers, For: "a peer that requests Markers",
			Ask: conform.Text(`
				> [bad] FPDU Markers=bad Send {echo 61*2000}
				< OneOf
				or Refusal fpdu-marker
				may "on an ordered stream Markers need not be looked at" Send {echo 61*2000}
				> FIN`)},
	}
})
