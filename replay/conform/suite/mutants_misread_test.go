package suite

// Mutants of an RPC server that misread received messages.

import (
	"bytes"
	"encoding/binary"
	"slices"

	"github.com/iwarpkit/iwarp/codec/rpcprivate"
	"github.com/iwarpkit/iwarp/codec/rpcrdma"
	"github.com/iwarpkit/iwarp/rnicsim/rpc"
)

// The words of a header of version 1, and of the RPC message after a header without chunks.
const (
	wordXID, wordVers, wordCredit, wordProc, wordLists = 0, 1, 2, 3, 4

	wordRPCXID, wordRPCType = 7, 8
)

// procOther is an rdma_proc that does not exist.
const procOther rpcrdma.Proc = 5

// misread maps the names of mutants to their changes of a received message. They leave other messages as they are.
var misread = map[string]func([]byte) []byte{
	"short-filled": func(b []byte) []byte { return filled(b, 0) },
	"error-filled": func(b []byte) []byte { return filled(b, rpcrdma.MinVersion1Error) },
	"done-unknown": proc(rpcrdma.ProcDone, procOther),
	"done-message": proc(rpcrdma.ProcDone, rpcrdma.ProcMsg),
	"error-unknown": func(b []byte) []byte {
		return filled(proc(rpcrdma.ProcError, procOther)(b), rpcrdma.MinVersion1Error)
	},
	"unknown-done": func(b []byte) []byte {
		if word(b, wordProc) > uint32(rpcrdma.ProcError) {
			return with(b, wordProc, uint32(rpcrdma.ProcDone))
		}
		return b
	},
	"padded-done": proc(rpcrdma.ProcMsgP, rpcrdma.ProcDone),
	"padded-message": func(b []byte) []byte {
		if word(b, wordProc) == uint32(rpcrdma.ProcMsgP) {
			return without(with(b, wordProc, uint32(rpcrdma.ProcMsg)), wordLists, 2)
		}
		return b
	},
	"bodiless-done": func(b []byte) []byte {
		if word(b, wordProc) == uint32(rpcrdma.ProcNoMsg) && word(b, wordLists) == 0 {
			return with(b, wordProc, uint32(rpcrdma.ProcDone))
		}
		return b
	},
	"error-of-chunks": func(b []byte) []byte {
		if word(b, wordProc) == uint32(rpcrdma.ProcError) && word(b, wordLists) > uint32(rpcrdma.ErrCodeChunk) {
			return with(b, wordLists, uint32(rpcrdma.ErrCodeChunk))
		}
		return b
	},
	"done-lost": func(b []byte) []byte {
		if word(b, wordProc) == uint32(rpcrdma.ProcDone) {
			return nil
		}
		return b
	},
	"short-lost": func(b []byte) []byte {
		if len(b) < rpcrdma.MinVersion1 {
			return nil
		}
		return b
	},
	"credits-of-replies":   reply(func(b []byte) []byte { return with(b, wordCredit, 32) }),
	"one-credit":           reply(func(b []byte) []byte { return with(b, wordCredit, 1) }),
	"reply-xid-of-header":  reply(func(b []byte) []byte { return with(b, wordRPCXID, word(b, wordXID)) }),
	"reply-xid-of-payload": reply(func(b []byte) []byte { return with(b, wordXID, word(b, wordRPCXID)) }),
	"any-version":          func(b []byte) []byte { return with(b, wordVers, rpcrdma.Vers1) },
	"any-list-word": func(b []byte) []byte {
		for i := wordLists; i < 12 && i != wordRPCType; i++ {
			if slices.Contains([]uint32{2, 0x100, 0x01000000, 0x80000000, 0xffffffff}, word(b, i)) {
				b = with(b, i, 1)
			}
		}
		return b
	},
	"position-aligned": func(b []byte) []byte {
		if word(b, wordLists) == 1 {
			return with(b, wordLists+1, word(b, wordLists+1)&^3)
		}
		return b
	},
	"reads-exchanged": func(b []byte) []byte {
		if first, second := wordLists+1, wordLists+7; len(b) >= 64 && word(b, second-1) == 1 && word(b, first) == word(b, second) {
			return slices.Concat(b[:20], b[44:64], b[40:44], b[20:40], b[64:])
		}
		return b
	},
	"reply-without-reads": func(b []byte) []byte {
		if word(b, wordLists) == 1 && word(b, wordRPCType+5) == 1 {
			return without(b, wordLists, 6)
		}
		return b
	},
}

// misreadPrivate maps the names of mutants to their changes of received Private Data.
var misreadPrivate = map[string]func([]byte) []byte{
	"none":              func([]byte) []byte { return nil },
	"invalidates":       private(func(b []byte) []byte { b[5] |= 1; return b }),
	"reserved-refused":  private(func(b []byte) []byte { return b[:len(b)*bit(b[5]&0xfe == 0)] }),
	"any-version":       private(func(b []byte) []byte { b[4] = rpcprivate.Version; return b }),
	"receives-more":     private(func(b []byte) []byte { b[7] = 255; return b }),
	"receives-less":     private(func(b []byte) []byte { b[7] = 0; return b }),
	"only-at-the-begin": func(b []byte) []byte { return b[:len(b)*bit(bytes.Index(b, identifier) == 0)] },
	"only-aligned":      func(b []byte) []byte { return b[:len(b)*bit(bytes.Index(b, identifier)%4 == 0)] },
	"without-looking":   func([]byte) []byte { return append(slices.Clip(identifier), 1, 0, 3, 3) },
	"other-identifier":  func(b []byte) []byte { return bytes.ReplaceAll(b, []byte{0xf6, 0xab, 0x0e, 0x19}, identifier) },
	"other-order":       func(b []byte) []byte { return bytes.ReplaceAll(b, []byte{0x18, 0x0e, 0xab, 0xf6}, identifier) },
	"cut-short": func(b []byte) []byte {
		if bytes.Contains(b, identifier) {
			b = append(slices.Clip(b), 3, 3, 3, 3)
		}
		return b
	},
}

// identifier begins the Private Data of RPC-over-RDMA.
var identifier = binary.BigEndian.AppendUint32(nil, rpcprivate.FormatIdentifier)

// private changes the Private Data of RPC-over-RDMA, which other Private Data may precede and follow.
func private(change func([]byte) []byte) func([]byte) []byte {
	return func(b []byte) []byte {
		if i := bytes.Index(b, identifier); i >= 0 && len(b) >= i+rpcprivate.Len {
			return slices.Concat(b[:i], change(b[i:]))
		}
		return b
	}
}

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}

// filled returns a message with at least n octets, with zeros added if it is shorter.
func filled(b []byte, least int) []byte {
	if len(b) == 0 || len(b) < least || len(b) >= rpcrdma.MinVersion1 {
		return b
	}
	return append(slices.Clip(b), make([]byte, rpcrdma.MinVersion1-len(b))...)
}

// proc makes a change that replaces one rdma_proc by another.
func proc(from, to rpcrdma.Proc) func([]byte) []byte {
	return func(b []byte) []byte {
		if word(b, wordProc) == uint32(from) {
			return with(b, wordProc, uint32(to))
		}
		return b
	}
}

// reply changes Replies without chunks.
func reply(change func([]byte) []byte) func([]byte) []byte {
	return func(b []byte) []byte {
		if word(b, wordProc) == uint32(rpcrdma.ProcMsg) && word(b, wordLists) == 0 && word(b, wordRPCType) == 1 {
			return change(b)
		}
		return b
	}
}

func with(b []byte, i int, v uint32) []byte {
	if len(b) < 4*i+4 {
		return b
	}
	b = slices.Clone(b)
	binary.BigEndian.PutUint32(b[4*i:], v)
	return b
}

// without returns a message without n of its words.
func without(b []byte, i, n int) []byte {
	if len(b) < 4*(i+n) {
		return b
	}
	return slices.Concat(b[:4*i], b[4*(i+n):])
}

func misreading() map[string]rpc.Options {
	all := make(map[string]rpc.Options)
	for name, f := range misread {
		all["hear "+name] = rpc.Options{TamperReceived: f}
	}
	for name, f := range misreadPrivate {
		all["hear-private "+name] = rpc.Options{TamperReceivedPrivate: f}
	}
	return all
}
