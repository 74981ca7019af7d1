package explain

// Names of RPC-over-RDMA. The enumerations come from package rpcrdma, which knows which values have a name.

import (
	"fmt"
	"strconv"

	"github.com/iwarpkit/iwarp/codec/rpcrdma"
)

const (
	sourceVersion2 = "draft-ietf-nfsv4-rpcrdma-version-two-01"
	source2022     = "draft-ietf-nfsv4-rpcrdma-version-two of March 2022"
)

// An enumeration is one of RPC-over-RDMA or ONC RPC whose names can be asked for.
type enumeration struct {
	kind    Kind
	what    string                  // what a value is: "RPC-over-RDMA version 1 procedure"
	prefix  string                  // what may stand before its number: "rdma_proc"
	source  string                  // where it is defined
	numbers []uint32                // the values that have a name
	name    func(v uint32) string   // the name of one
	aka     func(v uint32) string   // another name; nil if there is none
	texts   map[uint32]string       // what there is to say of some
	title   func(v uint32) string   // the title of one; nil for what and number
	see     func(v uint32) []string // nil for none
}

func (n *enumeration) topics() (topics []topic) {
	for _, v := range n.numbers {
		number := strconv.FormatUint(uint64(v), 10)
		keys := []string{n.prefix + number}
		if n.aka != nil {
			keys = append(keys, n.aka(v))
		}
		e := Entry{
			Kind: n.kind, Name: n.name(v), Title: n.what + " " + number, Sources: []string{n.source},
			Facts: []Fact{{"Value", fmt.Sprintf("%d (0x%x)", v, v)}},
		}
		if n.title != nil {
			e.Title = n.title(v)
		}
		if text := n.texts[v]; text != "" {
			e.Text = []string{text}
		}
		if n.see != nil {
			e.See = n.see(v)
		}
		topics = append(topics, e.topic(keys))
	}
	return topics
}

// numbersIf are the values from 0 to last for which known is true; nil takes all.
func numbersIf(last uint32, known func(v uint32) bool) []uint32 { return numbersFrom(0, last, known) }

// numbersFrom is numbersIf from another value than 0.
func numbersFrom(first, last uint32, known func(v uint32) bool) (all []uint32) {
	for v := first; v <= last; v++ {
		if known == nil || known(v) {
			all = append(all, v)
		}
	}
	return all
}

// numbers are single values.
func numbers[T ~uint32](all ...T) (plain []uint32) {
	for _, v := range all {
		plain = append(plain, uint32(v))
	}
	return plain
}

var rpcrdmaEnumerations = []enumeration{
	{
		what: "RPC-over-RDMA version 1 procedure", prefix: "rdma_proc", source: "RFC 8166, section 4.2.4",
		numbers: numbersIf(16, func(v uint32) bool { return rpcrdma.Proc(v).Known() }),
		name:    func(v uint32) string { return rpcrdma.Proc(v).String() },
		texts: map[uint32]string{
			0: "The RPC message follows the header, except for what the chunks hold.",
			1: "The RPC message is not in the Send: a Call is in a Position Zero Read chunk, a Reply in the Reply chunk.",
			2: "As RDMA_MSG, with padding. Not to be used any more.",
			3: "Ended the use of Read chunks by a Requester. Not to be used any more.",
			4: "The Responder could not take the header of a Call: rdma_err says why. The Call with the same XID " +
				"is the one in error, and has no other answer.",
		},
		see: func(v uint32) []string {
			if rpcrdma.Proc(v) == rpcrdma.ProcError {
				return []string{"ERR_VERS", "ERR_CHUNK"}
			}
			return []string{"RPC-over-RDMA", "chunk"}
		},
	}, {
		what: "RPC-over-RDMA version 1 error", prefix: "errcode", source: "RFC 8166, section 4.5",
		numbers: numbersIf(16, func(v uint32) bool { return rpcrdma.ErrCode(v).Known() }),
		name:    func(v uint32) string { return rpcrdma.ErrCode(v).String() },
		aka:     func(v uint32) string { return "RDMA_" + rpcrdma.ErrCode(v).String() },
		texts: map[uint32]string{
			1: "The Responder does not support the version of RPC-over-RDMA. rdma_vers_low and rdma_vers_high are " +
				"those that it does support. A client of version 2 then tries again with version 1.",
			2: "Any other error in the header of a Call: chunk lists that cannot be parsed, too many segments, or a Reply chunk or Write chunk " +
				"that is too small. Look at the chunk lists of the Call with the same XID.",
		},
		see: func(uint32) []string { return []string{"RDMA_ERROR", "chunk"} },
	}, {
		what: "RPC-over-RDMA version 2 header type", prefix: "rdma_htype", source: sourceVersion2 + ", section 6.1",
		numbers: numbersIf(16, func(v uint32) bool { return rpcrdma.HType(v).Known() }),
		name:    func(v uint32) string { return rpcrdma.HType(v).String() },
		texts: map[uint32]string{
			0: "The RPC message or a part of it follows the header, except for what the chunks hold.",
			1: "The RPC message is in a Position Zero Read chunk or the Reply chunk. Without chunks it is a credit grant.",
			4: "A message was not accepted: rdma_err says why.",
			5: "Transport properties, such as the sizes of buffers.",
		},
	}, {
		what: "RPC-over-RDMA version 2 header type (2022)", prefix: "rdma_htype", source: source2022,
		numbers: numbersIf(16, func(v uint32) bool { return rpcrdma.HType2022(v).Known() }),
		name:    func(v uint32) string { return rpcrdma.HType2022(v).String() },
		texts: map[uint32]string{
			4: "A message was not accepted: rdma_err says why.", 5: "Credits.",
			6: "Transport properties; more follow.", 7: "The last transport properties.",
			8: "The RPC Call is in the Call chunk.", 9: "A part of an RPC Call follows the header, but not the last.", 10: "An " +
				"RPC Call, or the last part of it, follows the header.",
			11: "The RPC Reply is in the Reply chunk.", 12: "A part of an RPC Reply follows the header, but not " +
				"the last.", 13: "An RPC Reply, or the last part of it, follows the header.",
		},
	}, {
		what: "RPC-over-RDMA version 2 error", prefix: "errcode", source: sourceVersion2 + ", section 7",
		numbers: numbersIf(128, func(v uint32) bool { return rpcrdma.ErrCode2(v).Known() }),
		name:    func(v uint32) string { return rpcrdma.ErrCode2(v).String() },
		texts: map[uint32]string{
			1: "The version is not supported.", 2: "The header cannot be parsed.", 3: "A transport property cannot be parsed.",
			4: "The header type is unknown, or not allowed here.", 5: "A sequence of messages that belong together is broken.",
			6: "There are too many Read chunks.", 7: "There are too many Write chunks.", 8: "There are too many segments.",
			9: "A Write chunk is too small for the result.", 10: "The Reply chunk is too small for the Reply.",
			11: "The version is not that of the messages before. In the draft of 2022 only.", 100: "Any other problem.",
		},
		see: func(uint32) []string { return []string{"RDMA2_ERROR"} },
	}, {
		what: "RPC-over-RDMA version 2 transport property", prefix: "rdma_which", source: sourceVersion2 + ", section 5.2",
		numbers: numbersIf(16, func(v uint32) bool { return rpcrdma.PropID(v).Known() }),
		name:    func(v uint32) string { return rpcrdma.PropID(v).String() },
		aka:     func(v uint32) string { return "RDMA2_PROPID_" + rpcrdma.PropID(v).String() },
		texts: map[uint32]string{
			1: "The longest Send of the sender, in octets; 4096 if it is not told.", 2: "The longest Send that the " +
				"sender takes, in octets; 4096 if it is not told.",
			3: "The longest RDMA segment, in octets; 1048576 if it is not told.", 4: "The most RDMA segments in " +
				"the header of a Requester; 16 if it is not told.",
			5: "What a client can do with Calls of the server.", 6: "A token by which the hosts authenticate each other.",
		},
	}, {
		what: "RPC-over-RDMA version 2 reverse-direction support", prefix: "brs", source: sourceVersion2 + ", section 5.2.5",
		numbers: numbersIf(3, nil),
		name:    func(v uint32) string { return "RDMA2_RVRSDIR_" + rpcrdma.ReverseSupport(v).String() },
		texts: map[uint32]string{
			0: "The client takes no Calls of the server.", 1: "The client takes Calls in the Simple Format, without chunks.",
			2: "The client takes Calls in the Simple or Continued Format, without chunks.", 3: "The client takes " +
				"whatever goes in the forward direction.",
		},
	}, {
		what: "RPC-over-RDMA version 2 flag", prefix: "rdma_flags", source: sourceVersion2 + ", section 6.2.2",
		numbers: numbers(rpcrdma.FlagResponse, rpcrdma.FlagMore, rpcrdma.FlagTPMore),
		name:    func(v uint32) string { return rpcrdma.Flags(v).String() },
		texts: map[uint32]string{
			1: "The message belongs to an RPC Reply.", 2: "The RPC message continues in the next message.", 4: "More " +
				"transport properties follow in another message.",
		},
	},
}

func rpcrdmaTopics() (topics []topic) {
	for i := range rpcrdmaEnumerations {
		rpcrdmaEnumerations[i].kind = KindRPCRDMA
		topics = append(topics, rpcrdmaEnumerations[i].topics()...)
	}
	return topics
}
