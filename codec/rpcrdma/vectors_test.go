package rpcrdma_test

// Whole messages, one of every form. Those called "kernel" are from captures of the Linux NFS client and server over
// siw, with handles and offsets as they were; the others are assembled by hand, word by word.

import (
	"encoding/hex"
	"strings"
	"testing"

	"github.com/iwarpkit/iwarp/codec/rpcrdma"
	"github.com/iwarpkit/iwarp/internal/codectest"
)

// A vector is a message and what its header must be decoded to.
type vector struct {
	dialect rpcrdma.Dialect
	header  string // hex
	payload string // hex
	want    codectest.Header
}

var octets = codectest.Octets

// message is the header and the payload of a vector.
func (v *vector) message(t testing.TB) []byte {
	t.Helper()
	return octets(t, v.header+v.payload)
}

// fresh makes an empty header of a dialect.
func fresh(d rpcrdma.Dialect) codectest.Header {
	switch d {
	case rpcrdma.DialectVersion1:
		return new(rpcrdma.Version1)
	case rpcrdma.DialectVersion2:
		return new(rpcrdma.Version2)
	}
	return new(rpcrdma.Draft2022)
}

// raw are the octets of a chunk list, for expectations.
func raw(s string) []byte {
	b, err := hex.DecodeString(strings.ReplaceAll(s, " ", ""))
	if err != nil {
		panic(err)
	}
	return b
}

const (
	v1 = rpcrdma.DialectVersion1
	v2 = rpcrdma.DialectVersion2
	dr = rpcrdma.DialectDraft2022
)

// nullCall is the body of an RPC Call behind its XID: NULL of NFS version 3 without credentials.
const nullCall = "00000000 00000002 000186a3 00000003 00000000 00000000 00000000 00000000 00000000"

// nullReply is the body of the RPC Reply behind its XID.
const nullReply = "00000001 00000000 00000000 00000000 00000000"

var vectors = map[string]vector{
	// Version 1, as the Linux kernel sends it. Its XIDs are little-endian numbers.

	"kernel Call": {v1,
		"41218ef8 00000001 00000080 00000000" + // xid, vers, credit 128, MSG
			"00000000 00000000 00000000", // no reads, no writes, no reply
		"41218ef8 00000000 00000002 000186a3 00000004 00000000 00000000 00000000 00000000 00000000",
		&rpcrdma.Version1{XID: 0x41218ef8, Vers: 1, Credit: 128}},
	"kernel Reply": {v1,
		"41218ef8 00000001 00000040 00000000 00000000 00000000 00000000",
		"41218ef8 00000001 00000000 00000000 00000000 00000000",
		&rpcrdma.Version1{XID: 0x41218ef8, Vers: 1, Credit: 64}},
	"kernel Call with Reply chunk": {v1, // EXCHANGE_ID
		"42218ef8 00000001 00000080 00000000 00000000 00000000" +
			"00000001 00000001" + // Reply chunk of one segment
			"7ed74e01 00001090 42218ef80d18a000", // 4240 octets
		"42218ef8 00000000 00000002 000186a3 00000004 00000001 00000001 00000018 00000000 00000003 72696700",
		&rpcrdma.Version1{XID: 0x42218ef8, Vers: 1, Credit: 128,
			Reply: raw("00000001 7ed74e01 00001090 42218ef80d18a000")}},
	"kernel Long Reply": {v1,
		"42218ef8 00000001 00000040 00000001 00000000 00000000" + // NOMSG
			"00000001 00000001 7ed74e01 0000005c 42218ef80d18a000", "", // 92 octets were written
		&rpcrdma.Version1{XID: 0x42218ef8, Vers: 1, Credit: 64, Proc: rpcrdma.ProcNoMsg,
			Reply: raw("00000001 7ed74e01 0000005c 42218ef80d18a000")}},
	"kernel Call with Read chunk": {v1, // WRITE of 3900 octets, cut behind the RPC header
		"73218ef8 00000001 00000080 00000000" +
			"00000001 000000b0 9306a106 00000f3c 73218ef80e247000" + // Position 176
			"00000000 00000000 00000000",
		"73218ef8 00000000 00000002 000186a3 00000004 00000001",
		&rpcrdma.Version1{XID: 0x73218ef8, Vers: 1, Credit: 128,
			Reads: raw("00000001 000000b0 9306a106 00000f3c 73218ef80e247000")}},
	"kernel Call with Write chunk": {v1, // READ of 4096 octets
		"92218ef8 00000001 00000080 00000000 00000000" +
			"00000001 00000001 ca363101 00001000 92218ef808365000 00000000" +
			"00000000",
		"92218ef8 00000000 00000002 000186a3 00000004 00000001",
		&rpcrdma.Version1{XID: 0x92218ef8, Vers: 1, Credit: 128,
			Writes: raw("00000001 00000001 ca363101 00001000 92218ef808365000")}},
	"kernel Reply with Write chunk": {v1, // of which one octet was used
		"92218ef8 00000001 00000040 00000000 00000000" +
			"00000001 00000001 ca363101 00000001 92218ef808365000 00000000" +
			"00000000",
		"92218ef8 00000001 00000000 00000000 00000000 00000000",
		&rpcrdma.Version1{XID: 0x92218ef8, Vers: 1, Credit: 64,
			Writes: raw("00000001 00000001 ca363101 00000001 92218ef808365000")}},
	"kernel Reply chunk of three segments": {v1, // READLINK
		"08228ef8 00000001 00000040 00000001 00000000 00000000 00000001" +
			"00000003" +
			"08403901 00000064 08228ef80dc63000" +
			"f1c74201 00000008 08228ef80d724000" +
			"2e043701 00000000 08228ef80dc63064", "", // an empty segment
		&rpcrdma.Version1{XID: 0x08228ef8, Vers: 1, Credit: 64, Proc: rpcrdma.ProcNoMsg,
			Reply: raw("00000003 08403901 00000064 08228ef80dc63000 f1c74201 00000008 08228ef80d724000 2e043701 00000000 08228ef80dc63064")}},
	"kernel NFSACL Call": {v1, // NFS version 3, from another capture
		"170b97fd 00000001 00000080 00000000 00000000 00000000 00000001" +
			"00000003" +
			"33696001 00000100 170b97fd0d45a000" +
			"af614b01 00007000 170b97fd08eb0000" +
			"4f317701 00000004 170b97fd0d45a100",
		"170b97fd 00000000 00000002 00018783 00000003 00000001",
		&rpcrdma.Version1{XID: 0x170b97fd, Vers: 1, Credit: 128,
			Reply: raw("00000003 33696001 00000100 170b97fd0d45a000 af614b01 00007000 170b97fd08eb0000 4f317701 00000004 170b97fd0d45a100")}},

	// Version 1, by hand.

	"Read chunk of two segments": {v1,
		"5a000003 00000001 00000020 00000000" + // xid, vers, credit 32, MSG
			"00000001 00000048 1100aa01 00001000 00007f0010000000" + // Position 72, 4096 octets
			"00000001 00000048 1100aa02 00000002 00007f0010400000" + // Position 72, 2 octets
			"00000000 00000000 00000000",
		"5a000003" + nullCall,
		&rpcrdma.Version1{XID: 0x5a000003, Vers: 1, Credit: 32,
			Reads: raw("00000001 00000048 1100aa01 00001000 00007f0010000000 00000001 00000048 1100aa02 00000002 00007f0010400000")}},
	"all lists": {v1,
		"5a000004 00000001 00000020 00000000" +
			"00000001 00000060 1100aa01 00000007 0000000000000001 00000000" + // one read segment
			"00000001 00000002 2200bb01 00001000 00007f0020000000 2200bb02 00001000 00007f0020001000" + // Write chunk of two
			"00000001 00000000" + // empty Write chunk
			"00000001 00000001 2200bb03 00000010 ffffffffffffffe0 00000000" + // Write chunk of one
			"00000001 00000001 3300cc02 00002000 0000000040000000", // Reply chunk of one
		"5a000004" + nullCall,
		&rpcrdma.Version1{XID: 0x5a000004, Vers: 1, Credit: 32,
			Reads:  raw("00000001 00000060 1100aa01 00000007 0000000000000001"),
			Writes: raw("00000001 00000002 2200bb01 00001000 00007f0020000000 2200bb02 00001000 00007f0020001000 00000001 00000000 00000001 00000001 2200bb03 00000010 ffffffffffffffe0"),
			Reply:  raw("00000001 3300cc02 00002000 0000000040000000")}},
	"Long Call": {v1,
		"5a000006 00000001 00000020 00000001" + // NOMSG
			"00000001 00000000 3300cc01 000007d0 0000000030000000 00000000" + // Position Zero, 2000 octets
			"00000000" +
			"00000001 00000001 3300cc02 00002000 0000000040000000", "", // Reply chunk, 8192 octets
		&rpcrdma.Version1{XID: 0x5a000006, Vers: 1, Credit: 32, Proc: rpcrdma.ProcNoMsg,
			Reads: raw("00000001 00000000 3300cc01 000007d0 0000000030000000"),
			Reply: raw("00000001 3300cc02 00002000 0000000040000000")}},
	"empty Reply chunk": {v1,
		"5a000007 00000001 00000020 00000001 00000000 00000000 00000001 00000000", "",
		&rpcrdma.Version1{XID: 0x5a000007, Vers: 1, Credit: 32, Proc: rpcrdma.ProcNoMsg, Reply: raw("00000000")}},
	"ERR_VERS": {v1,
		"5a000008 00000007 00000010 00000004" + // version 7 of the Call
			"00000001 00000001 00000002", "", // ERR_VERS, 1 to 2
		&rpcrdma.Version1{XID: 0x5a000008, Vers: 7, Credit: 16, Proc: rpcrdma.ProcError,
			Err: rpcrdma.ErrCodeVers, VersLow: 1, VersHigh: 2}},
	"ERR_CHUNK": {v1,
		"5a000009 00000001 00000010 00000004 00000002", "",
		&rpcrdma.Version1{XID: 0x5a000009, Vers: 1, Credit: 16, Proc: rpcrdma.ProcError, Err: rpcrdma.ErrCodeChunk}},
	"MSGP": {v1,
		"5a00000a 00000001 00000020 00000002" +
			"00000004 00000400" + // align 4, thresh 1024
			"00000000 00000000 00000000",
		"5a00000a" + nullCall,
		&rpcrdma.Version1{XID: 0x5a00000a, Vers: 1, Credit: 32, Proc: rpcrdma.ProcMsgP, Align: 4, Thresh: 1024}},
	"DONE": {v1,
		"5a00000b 00000001 00000020 00000003", "",
		&rpcrdma.Version1{XID: 0x5a00000b, Vers: 1, Credit: 32, Proc: rpcrdma.ProcDone}},
	"ERR_VERS to version 2": {v1, // a server that knows version 1 only: no flags word, though the version is 2
		"c0000001 00000002 00000020 00000004 00000001 00000001 00000001", "",
		&rpcrdma.Version1{XID: 0xc0000001, Vers: 2, Credit: 32, Proc: rpcrdma.ProcError,
			Err: rpcrdma.ErrCodeVers, VersLow: 1, VersHigh: 1}},

	// Version 2, draft 01.

	"CONNPROP": {v2,
		"c0000001 00000002 00080004 00000005 00000000" + // at most 8 credits, 4 granted; CONNPROP; no flags
			"00000005" + // five properties
			"00000001 00000004 00002000" + // SBSIZ 8192
			"00000002 00000004 00004000" + // RBSIZ 16384
			"00000003 00000004 00100000" + // RSSIZ 1048576
			"00000004 00000004 00000010" + // RCSIZ 16
			"00000005 00000004 00000001", "", // BRS SIMPLE
		&rpcrdma.Version2{XID: 0xc0000001, Vers: 2, CreditMax: 8, CreditGrant: 4, HType: rpcrdma.HTypeConnProp,
			Props: raw("00000005 00000001 00000004 00002000 00000002 00000004 00004000 00000003 00000004 00100000 00000004 00000004 00000010 00000005 00000004 00000001")}},
	"CONNPROP with TPMORE": {v2,
		"d0000001 00000002 00200020 00000005 00000004" + // TPMORE
			"00000003" + // three properties
			"00000006 0000000c 00000005 a1a2a3a4 a5000000" + // HOSTAUTH: 12 octets, of which 5 are material
			"0badcafe 00000003 aabbcc00" + // unknown, 3 octets
			"00000002 00000000", "", // RBSIZ by default
		&rpcrdma.Version2{XID: 0xd0000001, Vers: 2, CreditMax: 32, CreditGrant: 32, HType: rpcrdma.HTypeConnProp, Flags: rpcrdma.FlagTPMore,
			Props: raw("00000003 00000006 0000000c 00000005 a1a2a3a4 a5000000 0badcafe 00000003 aabbcc00 00000002 00000000")}},
	"CONNPROP without properties": {v2,
		"d0000002 00000002 00200001 00000005 00000000 00000000", "",
		&rpcrdma.Version2{XID: 0xd0000002, Vers: 2, CreditMax: 32, CreditGrant: 1, HType: rpcrdma.HTypeConnProp}},
	"version 2 Call": {v2,
		"6b000004 00000002 00080001 00000000 00000000" + // MSG, no flags
			"00000000" + // no remote invalidation
			"00000000 00000000 00000000",
		"6b000004" + nullCall,
		&rpcrdma.Version2{XID: 0x6b000004, Vers: 2, CreditMax: 8, CreditGrant: 1}},
	"version 2 Reply": {v2,
		"6b000004 00000002 00200001 00000000 00000001" + // RESPONSE
			"00000000 00000000 00000000 00000000",
		"6b000004" + nullReply,
		&rpcrdma.Version2{XID: 0x6b000004, Vers: 2, CreditMax: 32, CreditGrant: 1, Flags: rpcrdma.FlagResponse}},
	"version 2 Call with Read chunk": {v2,
		"6b000006 00000002 00080001 00000000 00000000" +
			"1100aa01" + // the Reply may invalidate the first handle
			"00000001 00000048 1100aa01 00001000 00007f0010000000" + // Position 72, 4096 octets
			"00000001 00000048 1100aa02 00000002 00007f0010400000" + // Position 72, 2 octets
			"00000000 00000000 00000000",
		"6b000006" + nullCall,
		&rpcrdma.Version2{XID: 0x6b000006, Vers: 2, CreditMax: 8, CreditGrant: 1, InvHandle: 0x1100aa01,
			Reads: raw("00000001 00000048 1100aa01 00001000 00007f0010000000 00000001 00000048 1100aa02 00000002 00007f0010400000")}},
	"first part of a Call": {v2,
		"6b000007 00000002 00080001 00000000 00000002" + // MORE
			"00000000 00000000 00000000 00000000",
		"6b000007 00000000 00000002 000186a3",
		&rpcrdma.Version2{XID: 0x6b000007, Vers: 2, CreditMax: 8, CreditGrant: 1, Flags: rpcrdma.FlagMore}},
	"Special Call": {v2,
		"6b000008 00000002 00080001 00000001 00000000" + // NOMSG
			"3300cc01" + // the Reply may invalidate the Call's handle
			"00000001 00000000 3300cc01 00004e20 0000000030000000 00000000" + // Position Zero, 20000 octets
			"00000000" +
			"00000001 00000001 3300cc02 00010000 0000000040000000", "", // Reply chunk, 65536 octets
		&rpcrdma.Version2{XID: 0x6b000008, Vers: 2, CreditMax: 8, CreditGrant: 1, HType: rpcrdma.HTypeNoMsg, InvHandle: 0x3300cc01,
			Reads: raw("00000001 00000000 3300cc01 00004e20 0000000030000000"),
			Reply: raw("00000001 3300cc02 00010000 0000000040000000")}},
	"Special Reply": {v2,
		"6b000008 00000002 00200001 00000001 00000001 00000000 00000000 00000000" +
			"00000001 00000001 3300cc02 00007530 0000000040000000", "", // 30000 octets were written
		&rpcrdma.Version2{XID: 0x6b000008, Vers: 2, CreditMax: 32, CreditGrant: 1, HType: rpcrdma.HTypeNoMsg, Flags: rpcrdma.FlagResponse,
			Reply: raw("00000001 3300cc02 00007530 0000000040000000")}},
	"credit grant": {v2,
		"00000000 00000002 00200010 00000001 00000000 00000000 00000000 00000000 00000000", "",
		&rpcrdma.Version2{Vers: 2, CreditMax: 32, CreditGrant: 16, HType: rpcrdma.HTypeNoMsg}},
	"version 2 Reply with Write chunk": {v2,
		"6b00000b 00000002 00200001 00000000 00000001 00000000 00000000" +
			"00000001 00000002 2200bb01 00001000 00007f0020000000 2200bb02 00000388 00007f0020001000 00000000" + // 4096 and 904 octets
			"00000000",
		"6b00000b" + nullReply,
		&rpcrdma.Version2{XID: 0x6b00000b, Vers: 2, CreditMax: 32, CreditGrant: 1, Flags: rpcrdma.FlagResponse,
			Writes: raw("00000001 00000002 2200bb01 00001000 00007f0020000000 2200bb02 00000388 00007f0020001000")}},
	"VERS":           error2("6b0000e1", "00000001 00000002 00000002", 0x6b0000e1, rpcrdma.Error2{Err: 1, VersLow: 2, VersHigh: 2}),
	"BAD_XDR":        error2("6b0000e2", "00000002", 0x6b0000e2, rpcrdma.Error2{Err: 2}),
	"BAD_PROPVAL":    error2("6b0000e3", "00000003", 0x6b0000e3, rpcrdma.Error2{Err: 3}),
	"INVAL_HTYPE":    error2("6b0000e4", "00000004", 0x6b0000e4, rpcrdma.Error2{Err: 4}),
	"INVAL_CONT":     error2("6b0000e5", "00000005", 0x6b0000e5, rpcrdma.Error2{Err: 5}),
	"READ_CHUNKS":    error2("6b0000e6", "00000006 00000003", 0x6b0000e6, rpcrdma.Error2{Err: 6, MaxChunks: 3}),
	"WRITE_CHUNKS":   error2("6b0000e7", "00000007 00000001", 0x6b0000e7, rpcrdma.Error2{Err: 7, MaxChunks: 1}),
	"SEGMENTS":       error2("6b0000e8", "00000008 00000010", 0x6b0000e8, rpcrdma.Error2{Err: 8, MaxSegments: 16}),
	"WRITE_RESOURCE": error2("6b0000e9", "00000009 00000001 00010000", 0x6b0000e9, rpcrdma.Error2{Err: 9, ChunkIndex: 1, LengthNeeded: 65536}),
	"REPLY_RESOURCE": error2("6b0000ea", "0000000a 00011170", 0x6b0000ea, rpcrdma.Error2{Err: 10, LengthNeeded: 70000}),
	"SYSTEM":         error2("6b0000eb", "00000064", 0x6b0000eb, rpcrdma.Error2{Err: 100}),

	// Version 2, draft of 2022.

	"2022 ERROR": {dr,
		"7c000005 00000002 00000022 00000004 00000008 00000010", "", // SEGMENTS, 16
		&rpcrdma.Draft2022{XID: 0x7c000005, Vers: 2, Credit: 34, HType: rpcrdma.HType2022Error,
			Error: rpcrdma.Error2{Err: rpcrdma.ErrCode2Segments, MaxSegments: 16}}},
	"2022 VERS_MISMATCH": {dr,
		"7c000005 00000001 00000022 00000004 0000000b", "",
		&rpcrdma.Draft2022{XID: 0x7c000005, Vers: 1, Credit: 34, HType: rpcrdma.HType2022Error,
			Error: rpcrdma.Error2{Err: rpcrdma.ErrCode2VersMismatch}}},
	"2022 GRANT": {dr,
		"00000000 00000002 00000030 00000005", "",
		&rpcrdma.Draft2022{Vers: 2, Credit: 48, HType: rpcrdma.HType2022Grant}},
	"2022 CONNPROP_MIDDLE": {dr,
		"7c000000 00000002 00000008 00000006 00000001 00000001 00000004 00002000", "", // SBSIZ 8192
		&rpcrdma.Draft2022{XID: 0x7c000000, Vers: 2, Credit: 8, HType: rpcrdma.HType2022ConnPropMiddle,
			Props: raw("00000001 00000001 00000004 00002000")}},
	"2022 CONNPROP_FINAL": {dr,
		"7c000001 00000002 00000008 00000007 00000001 00000002 00000004 00002000", "", // RBSIZ 8192
		&rpcrdma.Draft2022{XID: 0x7c000001, Vers: 2, Credit: 8, HType: rpcrdma.HType2022ConnPropFinal,
			Props: raw("00000001 00000002 00000004 00002000")}},
	"2022 CALL_EXTERNAL": {dr,
		"7c000006 00000002 0000000a 00000008" +
			"3300cc02" + // the Reply may invalidate this handle
			"00000001 00000000 3300cc01 000007d0 0000000030000000 00000000" + // Call chunk, 2000 octets
			"00000001 00000048 3300cc02 00000010 0000000050000000 00000000" + // Read list: Position 72, 16 octets
			"00000001 00000001 3300cc03 00000020 0000000060000000 00000000" + // Write list: 32 octets
			"00000001 00000001 3300cc04 00002000 0000000040000000", "", // Reply chunk, 8192 octets
		&rpcrdma.Draft2022{XID: 0x7c000006, Vers: 2, Credit: 10, HType: rpcrdma.HType2022CallExternal, InvHandle: 0x3300cc02,
			Call:   raw("00000001 00000000 3300cc01 000007d0 0000000030000000"),
			Reads:  raw("00000001 00000048 3300cc02 00000010 0000000050000000"),
			Writes: raw("00000001 00000001 3300cc03 00000020 0000000060000000"),
			Reply:  raw("00000001 3300cc04 00002000 0000000040000000")}},
	"2022 CALL_MIDDLE": {dr,
		"7c000007 00000002 0000000b 00000009 00000018", // 24 octets to come
		"7c000007 00000000 00000002 000186a3",
		&rpcrdma.Draft2022{XID: 0x7c000007, Vers: 2, Credit: 11, HType: rpcrdma.HType2022CallMiddle, Remaining: 24}},
	"2022 CALL_INLINE": {dr,
		"7c000002 00000002 00000009 0000000a 00000000 00000000 00000000 00000000",
		"7c000002" + nullCall,
		&rpcrdma.Draft2022{XID: 0x7c000002, Vers: 2, Credit: 9, HType: rpcrdma.HType2022CallInline}},
	"2022 REPLY_EXTERNAL": {dr,
		"7c000006 00000002 00000021 0000000b" +
			"00000001 00000001 3300cc03 00000011 0000000060000000 00000000" +
			"00000001 00000001 3300cc04 00000bb8 0000000040000000", "",
		&rpcrdma.Draft2022{XID: 0x7c000006, Vers: 2, Credit: 33, HType: rpcrdma.HType2022ReplyExternal,
			Writes: raw("00000001 00000001 3300cc03 00000011 0000000060000000"),
			Reply:  raw("00000001 3300cc04 00000bb8 0000000040000000")}},
	"2022 REPLY_MIDDLE": {dr,
		"7c000008 00000002 00000022 0000000c 00000010",
		"7c000008 00000001",
		&rpcrdma.Draft2022{XID: 0x7c000008, Vers: 2, Credit: 34, HType: rpcrdma.HType2022ReplyMiddle, Remaining: 16}},
	"2022 REPLY_INLINE": {dr,
		"7c000002 00000002 00000021 0000000d 00000000",
		"7c000002" + nullReply,
		&rpcrdma.Draft2022{XID: 0x7c000002, Vers: 2, Credit: 33, HType: rpcrdma.HType2022ReplyInline}},
}

// error2 makes the vector of an RDMA2_ERROR.
func error2(xid, body string, xidValue uint32, want rpcrdma.Error2) vector {
	return vector{v2, xid + "00000002 00200001 00000004 00000001" + body, "", &rpcrdma.Version2{
		XID: xidValue, Vers: 2, CreditMax: 32, CreditGrant: 1, HType: rpcrdma.HTypeError, Flags: rpcrdma.FlagResponse, Error: want}}
}
