package rfc5044

// Who sends what when, until FPDUs go to and fro.

import (
	"fmt"
	"slices"
	"strings"

	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/replay/conform"
)

var section712 = about("7.1.2", "Connection start-up rules", func() []conform.Case {
	return []conform.Case{
		{Name: "request-first", Requirements: []string{"MPA-7.1.2-2"},
			Says: "The Responder says nothing before it has the Request.",
			Role: conform.AsInitiator, Bare: true,
			Ask: func(s *conform.Setup) []string {
				return []string{silent(s) + "> request\n< reply"}
			}},
		{Name: "whole-request-first", Requirements: []string{"MPA-7.1.2-2", "MPA-7.1.2-19"},
			Says: "Nor does it before it has all of the Request, Private Data and all.",
			Role: conform.AsInitiator, Bare: true, Begin: conform.Begin{Rev: 1},
			Ask: func(s *conform.Setup) (scripts []string) {
				whole := request(s, "private")
				for _, n := range []int{1, len(mpa.RequestKey), mpa.FrameLen - 1, mpa.FrameLen, len(whole) - 1} {
					scripts = append(scripts, step(whole[:n])+silent(s)+step(whole[n:])+accepted)
				}
				return scripts
			}},
		{Name: "request-split-at-every-octet", Requirements: []string{"MPA-7.1.2-2", "MPA-7.1.2-6", "MPA-5.1-5"},
			Says: "A Request is taken in wherever a TCP segment ends in it.",
			Role: conform.AsInitiator, Bare: true, Begin: conform.Begin{Rev: 1},
			Ask: func(s *conform.Setup) (scripts []string) {
				whole := request(s, "data")
				for at := 1; at < len(whole); at++ {
					scripts = append(scripts, splitRequest(whole, fmt.Sprint(at)))
				}
				return scripts
			}},
		{Name: "request-octet-by-octet", Requirements: []string{"MPA-7.1.2-2", "MPA-7.1.2-6", "MPA-5.1-5"},
			Says: "A Request is taken in though each of its octets has a TCP segment of its own.",
			Role: conform.AsInitiator, Bare: true, Begin: conform.Begin{Rev: 1},
			Ask: requested("data", func(request []byte) string { return splitRequest(request, offsets(1, len(request), 1)) })},
		{Name: "request-cut-short", Requirements: []string{"MPA-7.1.2-2", "MPA-7.1.2-3", "MPA-8-4"},
			Says: "A Request of which only the begin comes, and then the end of the connection, is not answered.",
			Role: conform.AsInitiator, Bare: true, Crasher: true,
			Ask: func(s *conform.Setup) (scripts []string) {
				whole := request(s, "data")
				for n := range whole {
					scripts = append(scripts, step(whole[:n])+"> FIN"+unanswered)
				}
				return scripts
			}},
		{Name: "reset-while-it-begins", Requirements: []string{"MPA-7.1.2-2"},
			Says: "A connection that is reset before or in its Request does no harm.",
			Role: conform.AsInitiator, Bare: true, Crasher: true,
			Ask: func(s *conform.Setup) []string {
				whole := request(s, "data")
				return []string{"> Reset", step(whole[:1]) + "> Reset", step(whole[:19]) + "> Reset", step(whole[:21]) + "> Reset"}
			}},
		{Name: "fpdu-with-the-request", Requirements: []string{"MPA-7.1.2-2", "MPA-7.1.1-19", "MPA-8-4"},
			Says: "An FPDU in the TCP segment of the Request comes before the Reply: the connection is closed.",
			Role: conform.AsInitiator, Bare: true, Begin: conform.Begin{Rev: 1},
			Ask: func(s *conform.Setup) []string {
				return []string{step(append(request(s, ""), newStream(s).send(make([]byte, 4))...)) + `
					< OneOf
					or FIN
					or Reset
					may "it has answered before it looked behind the Request" reply
					> FIN`}
			}},
		{Name: "two-requests", Requirements: []string{"MPA-7.1.2-2", "MPA-7.1.1-19", "MPA-8-4"},
			Says: "Nor may a second Request come before the Reply to the first one.",
			Role: conform.AsInitiator, Bare: true, Begin: conform.Begin{Rev: 1},
			Ask: requested("", func(request []byte) string {
				return step(slices.Repeat(request, 2)) + `
					< OneOf
					or FIN
					or Reset
					may "it has answered before it looked behind the Request" reply
					> FIN`
			})},
		{Name: "accepted", Requirements: []string{"MPA-7.1.2-6", "MPA-7.1.2-7", "MPA-7.1.2-11"},
			Says: "A Request that is well formed is accepted, and from then on there are FPDUs.",
			Ask:  conform.Text("")},
		{Name: "first-fpdu-split", Requirements: []string{"MPA-7.1.2-7", "MPA-5.1-5"},
			Says: "The first FPDU is taken in wherever a TCP segment ends in it.",
			Role: conform.AsInitiator,
			Ask: func(*conform.Setup) (scripts []string) {
				for at := 1; at < 32; at++ {
					scripts = append(scripts, fmt.Sprintf("> FPDU split=%d Send {echo 61*4}\n< Send {echo 61*4}", at))
				}
				return scripts
			}},
		{Name: "initiator-first", Requirements: []string{"MPA-7.1.2-12"},
			Says: "The Responder sends no FPDU before one of the Initiator has come.",
			Role: conform.AsInitiator, Ask: silentBehindReply},
		{Name: "initiator-first-with-markers", Requirements: []string{"MPA-7.1.2-12"},
			Says: "Nor does it send a Marker.",
			Role: conform.AsInitiator, Begin: conform.Begin{Markers: true}, Need: conform.Markers, Ask: silentBehindReply},
		{Name: "initiator-first-and-whole", Requirements: []string{"MPA-7.1.2-12", "MPA-6-3"},
			Says: "Nor does it while the Initiator's first FPDU is not whole.",
			Role: conform.AsInitiator,
			Ask: func(s *conform.Setup) []string {
				t := newStream(s)
				message := echo("now")
				fpdu := t.send(message)
				n := len(fpdu) - 1
				return []string{step(fpdu[:n]) + silent(s) + step(fpdu[n:]) + answered(message) + t.goOn()}
			}},
		{Name: "closed-behind-the-reply", Requirements: []string{"MPA-7.1.2-12"},
			Says: "A connection that ends behind the Reply, without an FPDU, ends at the Responder too.",
			Role: conform.AsInitiator,
			Ask: conform.Text(`
				> FIN
				< OneOf
				or FIN
				or Reset`)},
		{Name: "rejected", Requirements: []string{"MPA-7.1.2-10"},
			Says: "Behind a Reply that rejects the Initiator sends no FPDU.",
			Role: conform.AsResponder, Bare: true,
			Ask: func(s *conform.Setup) []string {
				return []string{`
					< request
					> reply R
					< OneOf
					or FIN
					or Reset
					or Silence ` + s.Quiet.String() + `
					> FIN`}
			}},
		{Name: "reply-cut-short", Requirements: []string{"MPA-7.1.2-9", "MPA-8-4"},
			Says: "A Reply of which only the begin comes, and then the end of the connection, is none: no FPDU follows.",
			Role: conform.AsResponder, Bare: true, Crasher: true,
			Ask: func(s *conform.Setup) (scripts []string) {
				whole := reply(s, "data")
				for _, n := range []int{0, 1, 10, 16, 19, 20, 23} {
					scripts = append(scripts, "< request\n"+step(whole[:n])+"> FIN"+over)
				}
				return scripts
			}},
		{Name: "no-request", Requirements: []string{"MPA-7.1.2-18", "MPA-7.1.2-21"},
			Says: "A Responder to which no Request comes gives up after some time.",
			Role: conform.AsInitiator, Bare: true, Patient: true,
			Ask: conform.Text(givesUp)},
		{Name: "half-a-request", Requirements: []string{"MPA-7.1.2-18", "MPA-7.1.2-21"},
			Says: "A Responder to which only a part of the Request comes gives up after some time.",
			Role: conform.AsInitiator, Bare: true, Patient: true,
			Ask: requested("data", func(request []byte) string { return step(request[:mpa.FrameLen]) + givesUp })},
		{Name: "no-reply", Requirements: []string{"MPA-7.1.2-21"},
			Says: "An Initiator to which no Reply comes gives up after some time.",
			Role: conform.AsResponder, Bare: true, Patient: true,
			Ask: conform.Text("< request\n" + givesUp)},
	}
})

const (
	// accepted is the Reply to a Request without an Enhanced word.
	accepted = "< reply\n" + closed

	// closed ends a connection on which nothing is wrong.
	closed = "> FIN" + unanswered

	// unanswered is that the peer has nothing to say when we have closed.
	unanswered = `
		< OneOf
		or FIN
		or Reset`

	// givesUp is that the peer ends a connection because of the time.
	givesUp = `
		< OneOf
		or FIN
		or Reset
		may "a time-out is only recommended, and it has none of less than 45 seconds" Silence 45s
		> FIN`
)

// splitRequest sends a Request in TCP segments that end at some offsets.
func splitRequest(whole []byte, at string) string {
	return strings.Replace(step(whole), "Octets", "Octets split="+at, 1) + accepted
}

// silentBehindReply proves that nothing comes after the Reply until we send.
func silentBehindReply(s *conform.Setup) []string {
	return []string{silent(s) + "> Send {echo}\n< Send {echo}\n"}
}
