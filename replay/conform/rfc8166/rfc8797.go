package rfc8166

// RFC 8797: sizes and remote invalidation in Private Data.

import (
	"fmt"

	"github.com/iwarpkit/iwarp/codec/rpcprivate"
	"github.com/iwarpkit/iwarp/replay/conform"
	"github.com/iwarpkit/iwarp/replay/conform/internal/rpctext"
)

// The Private Data that cases begin with: for Sends and Receives of 4096 octets, and of the maximum.
const (
	sizes4096 = "f6ab0e18 01 00 03 03"
	sizesMost = "f6ab0e18 01 00 ff ff"
	invalid4k = "f6ab0e18 01 01 03 03" // with remote invalidation
)

// announcesSizes is the kind of peer that the cases about sizes apply to.
const announcesSizes = "a peer that sends Private Data of RPC-over-RDMA, with Sends of more than 1024 octets"

var section8797d4 = aboutRFC8797("4", "Private Data", func() []conform.Case {
	return []conform.Case{
		{Name: "new-on-each-connection", Requirements: []string{"RPCPD-4-1", "RPCPD-5.1-1"},
			Need: conform.RPCProgram | conform.Enhanced,
			Says: "Private Data apply to their connection, and not to the next one.", Bare: true,
			If: sendsBeyond, For: announcesSizes,
			Ask: func(s *conform.Setup) (scripts []string) {
				for _, private := range []string{sizes4096, "", "f6ab0e18 01 00 03 00", sizes4096, "f6ab0e18 01 01 00 00"} {
					asked := notInline(beyond)
					if private == sizes4096 {
						asked = inline(beyond)
					}
					request := fmt.Sprintf("> MPARequest C S Rev=2 enhanced IRD=1 ORD=%d %s", min(16, s.Peer.IRD), private)
					scripts = append(scripts, script(request, "< reply", asked))
				}
				return scripts
			}},
		{Name: "reserved-bits", Requirements: []string{"RPCPD-4-4"}, Need: conform.RPCProgram, If: sendsBeyond, For: announcesSizes,
			Begin: conform.Begin{IRD: 1, Private: "f6ab0e18 01 fe 03 03"},
			Says:  "Reserved bits are ignored: the rest of the Private Data applies.",
			Ask:   conform.Text(inline(beyond))},
		{Name: "reserved-bits-of-null", Requirements: []string{"RPCPD-4-4"},
			Begin: conform.Begin{Private: "f6ab0e18 01 ff 00 00"},
			Says:  "Reserved bits are not a reason to reject a connection.",
			Ask:   func(s *conform.Setup) []string { return []string{null(s, firstXID)} }},
	}
})

var section8797d42 = aboutRFC8797("4.2", "sizes", func() []conform.Case {
	return conform.Alike(conform.Case{Need: conform.RPCProgram, Begin: conform.Begin{IRD: 1, Private: sizes4096}}, []conform.Case{
		{Name: "longest-reply", Requirements: []string{"RPCPD-4.2-2", "RPCPD-4.2-1"}, For: announcesSizes,
			Says: "A Reply up to the smaller of the peer's Send size and our Receive size is inline; a longer one is not.",
			Ask:  longestTo(4096)},
		{Name: "longest-reply-to-2048", Requirements: []string{"RPCPD-4.2-2", "RPCPD-4.2-1"}, For: announcesSizes,
			Begin: conform.Begin{IRD: 1, Private: "f6ab0e18 01 00 00 01"},
			Says:  "That does not depend on our Send size.",
			Ask:   longestTo(2048)},
		{Name: "longest-reply-to-1024", Requirements: []string{"RPCPD-4.2-2", "RPCPD-4.2-1"},
			Begin: conform.Begin{IRD: 1, Private: "f6ab0e18 01 00 ff 00"},
			Says:  "A size of zero means 1024 octets.",
			Ask:   conform.Texts(inline(1024), notInline(1028))},
		{Name: "longest-call", Requirements: []string{"RPCPD-4.2-2", "RPCRDMA1-3.3.2-1"}, For: announcesSizes,
			Begin: conform.Begin{Private: sizesMost},
			Says:  "A Call as long as the peer's Receives is accepted.",
			Ask: func(s *conform.Setup) []string {
				p := s.Peer.RPC.Private
				if p == nil {
					return nil
				}
				longest := rpcprivate.DecodeSize(p.ReceiveSize)
				if toUs(s, rpcprivate.MaxSize) < longest {
					return nil // its Reply would not be inline
				}
				item := rpctext.Filled('a', longest-rpctext.MinHeader-rpctext.CallLen-rpctext.ItemsLen(rpctext.Item{}))
				return []string{script(asks(firstXID, rpctext.ProcPlain, none, item), gives(firstXID, none, item))}
			}},
		{Name: "reply-chunk", Requirements: []string{"RPCPD-4.2-2", "RPCRDMA1-3.5.3-4"}, For: announcesSizes,
			Begin: conform.Begin{IRD: 1, Private: "f6ab0e18 01 00 03 00"},
			Says:  "Our Receive size, not the peer's Send size, decides whether the Reply chunk is used.",
			Ask:   conform.Text(longReply(inlineWithReply+4, 4096))},
	})
})

// beyond is the length of a Reply that exceeds the limit without Private Data.
const beyond = 2048

// toUs returns the maximum length of the peer's messages, in octets, for a size of our Receives.
func toUs(s *conform.Setup, receives int) int {
	if s.Peer.RPC.Private == nil {
		return rpcprivate.MinSize
	}
	return min(rpcprivate.DecodeSize(s.Peer.RPC.Private.SendSize), receives)
}

// longestTo returns the longest Reply that is inline, for a size of our Receives, and one that is longer.
func longestTo(receives int) func(*conform.Setup) []string {
	return func(s *conform.Setup) []string {
		if s.Peer.RPC.Private == nil {
			return nil
		}
		return []string{inline(toUs(s, receives)), notInline(toUs(s, receives) + 4)}
	}
}

// sendsBeyond reports whether a Reply of that length is inline if our Private Data are read.
func sendsBeyond(s *conform.Setup) bool { return toUs(s, 4096) >= beyond }

var section8797d32 = aboutRFC8797("3.2", "remote invalidation", func() []conform.Case {
	return conform.Alike(conform.Case{Begin: oneAtATime}, []conform.Case{
		{Name: "not-without-private-data", Requirements: []string{"RPCPD-3.2-1", "RPCPD-4.1-3", "RPCPD-5.1-1"},
			Need: conform.RPCProgram,
			Says: "Without Private Data of ours the peer uses no Send with Invalidate, whatever the chunks.",
			Ask:  withAllChunks},
		{Name: "not-without-r", Requirements: []string{"RPCPD-3.2-1", "RPCPD-4.1-3"}, Need: conform.RPCProgram,
			Begin: conform.Begin{IRD: 1, Private: "f6ab0e18 01 00 03 00"},
			Says:  "If we do not announce remote invalidation, the peer uses no Send with Invalidate.",
			Ask:   withAllChunks},
		{Name: "not-by-reserved-bits", Requirements: []string{"RPCPD-3.2-1", "RPCPD-4.1-3", "RPCPD-4-4"},
			Need:  conform.RPCProgram,
			Begin: conform.Begin{IRD: 1, Private: "f6ab0e18 01 fe 03 00"},
			Says:  "Only the R bit announces it, not those next to it.",
			Ask:   withAllChunks},
		{Name: "not-by-foreign-data", Requirements: []string{"RPCPD-3.2-1", "RPCPD-5.2-2"}, Need: conform.RPCProgram,
			Begin: conform.Begin{IRD: 1, Private: "f6ab0e19 01 01 03 03"},
			Says:  "Private Data of other protocols do not announce it either.",
			Ask:   withAllChunks},
		{Name: "not-for-null", Requirements: []string{"RPCPD-3.2-1", "RPCPD-4.1-3"},
			Begin: conform.Begin{Private: sizes4096},
			Says:  "The Reply to a NULL with a Write chunk is a Send without Invalidate, too.",
			Ask:   unusedByNull([]int{64})},
	})
})

// withAllChunks returns Calls with each kind of chunk, whose Replies are plain Sends.
func withAllChunks(*conform.Setup) []string {
	return []string{
		inChunk(numbered(64)), pushed(numbered(64), 64), longCall(rpctext.ProcEcho, numbered(64)), reducedAndLong(),
	}
}

var section8797d41 = aboutRFC8797("4.1", "the R field", func() []conform.Case {
	return conform.Alike(conform.Case{Begin: conform.Begin{Private: invalid4k}}, []conform.Case{
		{Name: "stag-of-the-call", Requirements: []string{"RPCPD-4.1-2", "RPCPD-4.1-1"}, Need: conform.RPCProgram,
			Begin: conform.Begin{IRD: 1, Private: invalid4k},
			Says:  "A Reply that invalidates an STag invalidates one of its own Call, of any chunk.",
			Ask: func(s *conform.Setup) []string {
				item, read, write, reply := numbered(64), source(0, 64), sink(0, 64), room(0, 8)
				reads1 := []rpctext.ReadSegment{at(rpctext.Position(0, item), read)}
				writes1 := [][]rpctext.Segment{{write}}
				pull, push := rpctext.Read(read, rpctext.Octets(item.Data)), pushes(writes1[0], item.Data)
				all := rpctext.Chunks{Reads: reads1, Writes: writes1, Reply: []rpctext.Segment{reply}} // too small to be used
				back := rpctext.Chunks{Writes: writes1, Reply: []rpctext.Segment{reply.Of(0)}}
				return []string{
					script(asks(firstXID, rpctext.ProcEcho, readList(reads1...), item.InChunk()), pull,
						invalidates(s, messageOf(firstXID, none, item), read)),
					script(asks(firstXID, rpctext.ProcEcho, writeList(writes1...), item), push,
						invalidates(s, messageOf(firstXID, writeList(writes1...), item.InChunk()), write)),
					script(asks(firstXID, rpctext.ProcEcho, all, item.InChunk()),
						pull, push, invalidates(s, messageOf(firstXID, back, item.InChunk()), read, write, reply)),
				}
			}},
		{Name: "stag-of-which-call", Requirements: []string{"RPCPD-4.1-2"}, Need: conform.RPCProgram, If: grantsTwo, For: twoCredits,
			Says: "For two simultaneous Calls, each Reply invalidates an STag of its own Call.",
			Ask: func(s *conform.Setup) []string {
				var ours []string
				var replies []alternative
				for i := range 2 {
					xid, item, chunk := firstXID+1+rpctext.Word(i), rpctext.Item{Absent: true}, sinks(i, 64)
					offered, back := writeList(chunk), writeList(rpctext.Used(0, chunk...))
					ours = append(ours, asks(xid, rpctext.ProcEcho, offered, item))
					replies = append(replies, alternative{messageOf(xid, back, item), chunk})
				}
				return []string{script(null(s, firstXID), script(ours...), either(s, replies...), either(s, replies...))}
			}},
		{Name: "no-stag", Requirements: []string{"RPCPD-4.1-2"},
			Says: "A Call without chunks has no STag: its Reply is a plain Send.",
			Ask:  func(s *conform.Setup) []string { return []string{script(null(s, firstXID), null(s, firstXID+1))} }},
		{Name: "no-stag-in-errors", Requirements: []string{"RPCPD-4.1-2"},
			Says: "An RDMA_ERROR for a message without chunks is a plain Send.",
			Ask: func(s *conform.Setup) []string {
				m := nullMessage(s, firstXID, none)
				m.Proc = 5
				return []string{allRefused(m)}
			}},
		{Name: "stag-of-null", Requirements: []string{"RPCPD-4.1-2", "RPCPD-4.1-1"},
			Says: "The Reply to a NULL with Write chunks invalidates an STag of them, or none.",
			Ask: func(s *conform.Setup) []string {
				chunk := sinks(0, 64, 64)
				back := writeList(rpctext.Used(0, chunk...))
				reply := rpctext.Msg(firstXID, back, nullReply(s, firstXID)).Theirs()
				return []string{script(
					sends(nullMessage(s, firstXID, writeList(chunk)).String()), invalidates(s, reply, chunk...))}
			}},
	})
})

func messageOf(xid rpctext.Word, back rpctext.Chunks, items ...rpctext.Item) string {
	return rpctext.Msg(xid, back, itemsReply(xid, items...)).Theirs()
}

// An alternative is a possible message, with the Segments of its Call.
type alternative struct {
	message  string
	segments []rpctext.Segment
}

// invalidates expects a message, which may invalidate the STag of one of some Segments, if the peer has announced that.
func invalidates(s *conform.Setup, message string, segments ...rpctext.Segment) string {
	return either(s, alternative{message, segments})
}

func either(s *conform.Setup, replies ...alternative) string {
	lines := []string{"< OneOf"}
	for _, r := range replies {
		lines = append(lines, "or Send "+r.message)
		if p := s.Peer.RPC.Private; p == nil || !p.R {
			continue
		}
		for _, segment := range r.segments {
			lines = append(lines, fmt.Sprintf("or SendInvalidate InvalidateSTag=0x%x %s", segment.Handle, r.message),
				fmt.Sprintf("or SendSEInvalidate InvalidateSTag=0x%x %s", segment.Handle, r.message))
		}
	}
	return script(lines...)
}

var section8797d52 = aboutRFC8797("5.2", "Private Data of other protocols", func() []conform.Case {
	return []conform.Case{
		foreign("rpc-none", "Without Private Data the limit is that of RFC 8166: 1024 octets.", ""),
		foreign("rpc-foreign", "Private Data of other protocols is ignored.", `"neither of us" ff*64`),
		foreign("rpc-other-identifier", "Private Data with another identifier is ignored.", "f6ab0e19 01 01 03 03"),
		foreign("rpc-other-order", "The identifier has the most significant octet first; in another order it is ignored.",
			"180eabf6 01 01 03 03"),
		foreign("rpc-other-version", "Private Data of an unknown version is ignored.", "f6ab0e18 02 01 03 03"),
		foreign("rpc-version-zero", "Private Data of version 0 is ignored.", "f6ab0e18 00 01 03 03"),
		foreign("rpc-too-short", "Private Data that is too short is ignored.", "f6ab0e18 01 01 03"),
		foreign("rpc-identifier-only", "Private Data of only an identifier is ignored.", "f6ab0e18"),
		foreign("rpc-cut-at-the-end", "Private Data cut off after that of others is ignored.", `"others" 00*101 f6ab0e18 01 01`),
		found("rpc-first", "Private Data of RPC-over-RDMA is found alone.", sizes4096),
		found("rpc-behind-a-word", "They are found after a word of other Private Data.", "00010001 "+sizes4096),
		found("rpc-behind-an-octet", "They are found at an odd offset.", "aa "+sizes4096),
		found("rpc-behind-much", "They are found at a large offset, and before other Private Data.",
			`"others" 00*101 `+sizes4096+` "and others"`),
		found("rpc-with-more", "Octets after them are ignored.", sizes4096+" ff*32"),
	}
})

// foreign returns a case whose Private Data must be ignored: no message of the peer is longer than 1024 octets, or
// invalidates an STag.
func foreign(name, says, octets string) conform.Case {
	return conform.Case{
		Name: name, Requirements: []string{"RPCPD-5.2-2", "RPCPD-5.2-3", "RPCPD-5.1-1"}, Says: says,
		Begin: conform.Begin{IRD: 1, Private: octets},
		Ask: func(s *conform.Setup) []string {
			scripts := []string{null(s, firstXID), unusedByNull([]int{64})(s)[0]}
			if s.Peer.RPC.Conform {
				scripts = append(scripts, inline(1024), notInline(beyond))
			}
			return scripts
		},
	}
}

// found returns one whose Private Data must be found, wherever they are.
func found(name, says, octets string) conform.Case {
	return conform.Case{
		Name: name, Requirements: []string{"RPCPD-5.2-1", "RPCPD-5.2-2"}, Says: says, Need: conform.RPCProgram,
		If: sendsBeyond, For: announcesSizes,
		Begin: conform.Begin{IRD: 1, Private: octets}, Ask: conform.Text(inline(beyond)),
	}
}

var section52 = conform.Section{Document: "RFC8797", Number: "5.2", Title: "Private Data of other protocols",
	Cases: func() []conform.Case {
		return []conform.Case{
			private("rpc", "Private Data of RPC-over-RDMA do not disturb another upper layer.", "f6ab0e18 01 01 03 03"),
			private("rpc-reserved-bits", "Private Data of RPC-over-RDMA with reserved bits do not disturb another upper layer.",
				"f6ab0e18 01 ff ff ff"),
			private("rpc-unknown-version", "Private Data of RPC-over-RDMA of an unknown version do not disturb another upper layer.",
				"f6ab0e18 ff 00 00 00"),
			private("rpc-cut-short", "Private Data of RPC-over-RDMA that is too short does not disturb another upper layer.", "f6ab0e18 01"),
			private("rpc-later", "Private Data of RPC-over-RDMA after that of others does not disturb another upper layer.",
				`"others" 00*101 f6ab0e18 01 01 00 00`),
			private("not-rpc", "Unknown Private Data does not disturb another upper layer.", `"neither of us" ff*64`),
		}
	}}

// private returns a case that begins with Private Data of ours.
func private(name, says, octets string) conform.Case {
	return conform.Case{
		Name: name, Requirements: []string{"RPCPD-5.2-2"}, Says: says, Begin: conform.Begin{Private: octets},
		Ask: conform.Text("> Send {echo \"as ever\"}\n< Send {echo \"as ever\"}"),
	}
}
