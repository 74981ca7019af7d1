package fuzz

// ONC RPC messages of any octets: package oncrpc.

import (
	"bytes"
	"encoding/hex"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/iwarpkit/iwarp/codec/field"
	"github.com/iwarpkit/iwarp/codec/nfs"
	"github.com/iwarpkit/iwarp/codec/oncrpc"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/internal/codectest"
)

// oncrpcMessages are a NULL Call and its Reply, a COMPOUND of PUTFH, OPEN, GETFH, ACCESS and GETATTR, one whose WRITE
// data went into a Read chunk, one protected by RPCSEC_GSS, a CB_COMPOUND, its results, and Replies of every kind.
const oncrpcMessages = `
0f0b97fd 00000000 00000002 000186a3 00000003 00000000 00000000 00000000 00000000 00000000
0f0b97fd 00000001 00000000 00000000 00000000 00000000
50e48651 00000000 00000002 000186a3 00000004 00000001 00000001 00000018 00000000 00000003 72696700 00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000005 00000016 00000014 01000101 00000000 100dd473 62000000 00000000 00000012 00000000 00000002 00000000 054d016b 843e9df7 00000018 6f70656e 2069643a 00000023 00000000 00000003 7f7d6d9f 00000001 00000000 00000002 00000010 00000002 0000000c 00000000 00000000 000001a4 00000000 00000002 66300000 0000000a 00000003 0000003d 00000009 00000002 0010011a 00b0a23a
7c218ef8 00000000 00000002 000186a3 00000004 00000001 00000001 00000018 00000000 00000003 72696700 00000000 00000000 00000000 00000000 00000000 00000000 00000001 00000003 00000016 00000004 00000001 00000026 00000000 054d016b 873e9df7 0f000000 00000000 00000000 00000002 00001001 00000009 00000002 00001800 00302000
00000003 00000000 00000002 000186a3 00000004 00000001 00000006 00000018 00000001 00000000 00000007 00000002 00000004 11223344 00000006 00000004 aabbccdd 00000024 00000007 00000000 00000001 00000001 00000035 12345678 9abcdef0 00000004 55667788
f7086c08 00000000 00000002 40000000 00000001 00000001 00000000 00000000 00000000 00000000 00000000 00000001 00000000 00000002 0000000b 054d016b 873e9df7 01000000 00000000 00000001 00000000 00000000 00000000 00000000 00000008 00000000 00000001 00000001
f7086c08 00000001 00000000 00000000 00000000 00000000 00000000 00000000 00000002 0000000b 00000000 054d016b 873e9df7 01000000 00000000 00000001 00000000 0000000f 0000000f 00000008 00000000
00000005 00000001 00000000 00000002 00000003 61626300 00000002 00000002 00000004
00000005 00000001 00000001 00000000 00000002 00000002
00000005 00000001 00000001 00000001 00000005
00000006 00000000 00000002 000186a3 00000004 00000001 00000000 00000000 00000000 00000000 00000000 00000001 00000001 0000002b 054d016b 873e9df7 00000001 00000003 00000000 00100414 00100388 00001da0 00000008 00000040 00000000 00000000 0000fe40 0000fe40 00000000 00000002 00000010 00000000 40000000 00000002 00000001 50f81081 00000003 72696700 00000000 00000000 00000000 00000000
`

// FuzzONCRPC decodes any octets as every header of ONC RPC and NFSv4. Whatever is decoded is encoded to the same
// octets; the walk along operations ends, and stays, as the layout does, within the message.
func FuzzONCRPC(f *testing.F) {
	for _, line := range strings.Split(strings.TrimSpace(oncrpcMessages), "\n") {
		message, err := hex.DecodeString(strings.ReplaceAll(line, " ", ""))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(message, uint32(0))
		f.Add(message, uint32(112))
		f.Add(message[:len(message)*2/3], uint32(0))
	}
	const rpcrdmaHeader = 28 // octets of a version 1 header without chunks
	for _, seed := range captured(f).bodies(rdmap.OpSend, rdmap.OpSendInvalidate) {
		f.Add(seed[min(rpcrdmaHeader, len(seed)):], uint32(0))
	}
	var used struct { // not new every time: nothing may stay behind from the decoding before
		call  oncrpc.Call
		reply oncrpc.Reply
	}
	f.Fuzz(func(t *testing.T, message []byte, position uint32) {
		var call oncrpc.Call
		var reply oncrpc.Reply
		isCall := decodesBack(t, &call, message)
		isReply := decodesBack(t, &reply, message)
		if isCall && !oncrpc.IsCall(message) || isReply && !oncrpc.IsReply(message) || isCall && isReply {
			t.Errorf("% x: Call %v, Reply %v", message, isCall, isReply)
		}
		used.call.Decode(message)
		used.reply.Decode(message)
		if !cmp.Equal(call, used.call) || !cmp.Equal(reply, used.reply) {
			t.Errorf("decoded into a used struct: (-new +used)\n%s%s", cmp.Diff(call, used.call), cmp.Diff(reply, used.reply))
		}
		for _, h := range []codectest.Header{new(oncrpc.AuthSysParms), new(oncrpc.GSSCred), new(nfs.CompoundArgs),
			new(nfs.CBCompoundArgs), new(nfs.CompoundRes), new(nfs.Result)} {
			decodesBack(t, h, message)
			decodesBack(t, h, call.Cred.Body.Data)
		}

		x := call.Exchange()
		body := message[min(call.Len(), len(message)):]
		args, off, ok := x.Protection.Unwrap(body)
		if ok && (off+len(args) > len(body) || !bytes.Equal(args, body[off:off+len(args)])) {
			t.Errorf("%s: %d octets at %d of %d", x.Protection, len(args), off, len(body))
		}
		partsWithin(t, message, x)
		partsWithin(t, message, oncrpc.Exchange{Procedure: oncrpc.Procedure{Program: oncrpc.ProgramNFS, Version: 4, Number: 1}})
		partsWithin(t, message, oncrpc.Exchange{Procedure: oncrpc.Procedure{Program: oncrpc.ProgramNFSCB, Version: 1, Number: 1}, Protection: oncrpc.Integrity})
		operationsWithin(t, message, position)
	})
}

// decodesBack decodes a header and checks that it is encoded to the same octets, if there is no error; that an error
// says where it is; and that nothing panics. It is false if there is an error.
func decodesBack(t *testing.T, h codectest.Header, b []byte) bool {
	t.Helper()
	n, err := h.Decode(b)
	switch {
	case n > len(b), errors.Is(err, field.ErrShort) && n != len(b), errors.Is(err, field.ErrValue) && n >= len(b):
		t.Errorf("%T: n = %d of %d, %v", h, n, len(b), err)
	case err != nil:
		return false
	}
	if out, err := h.AppendBinary(nil); err != nil || !bytes.Equal(out, b[:n]) || h.Len() != n {
		t.Errorf("%T: AppendBinary: %v, Len %d\n got % x\nwant % x", h, err, h.Len(), out, b[:n])
	}
	return true
}

// partsWithin checks that the parts of a message are no more than they may be, and lie within it.
func partsWithin(t *testing.T, message []byte, x oncrpc.Exchange) {
	t.Helper()
	parts := nfs.AppendLayout(nil, message, &nfs.MessageContext{Exchange: x})
	headers := 0
	for _, p := range parts {
		if p.Depth == 0 {
			headers++
		}
	}
	if headers > nfs.MaxParts || len(message) > 0 && (len(parts) == 0 || parts[0].Off != 0) {
		t.Errorf("%d parts of %d octets", len(parts), len(message))
	}
	for _, p := range parts {
		if p.Off < 0 || len(p.Octets) == 0 || p.End() > len(message) {
			t.Fatalf("%s: %d octets at %d of %d", p.Table.Name, len(p.Octets), p.Off, len(message))
		}
		for f := range p.Fields() {
			p.AppendValue(nil, f)
		}
	}
}

// operationsWithin walks the octets as operations, of COMPOUND and of CB_COMPOUND, in every minor version.
func operationsWithin(t *testing.T, message []byte, position uint32) {
	t.Helper()
	ops := nfs.Operations{Positions: []uint32{position}}
	walk := func(numOps uint32) {
		found, end := 0, 0
		for ops.Next() {
			if ops.Index != found || ops.Off != end || ops.Off+4+len(ops.Args) > len(message) {
				t.Fatalf("operation %d, want %d, at %d, want %d, of %d", ops.Index, found, ops.Off, end, len(message))
			}
			found++
			end = ops.Off + 4 + len(ops.Args)
		}
		if ops.Index != found || ops.Off != end || ops.Stop() == nfs.StopEnd && uint32(found) != numOps {
			t.Fatalf("%d of %d operations, index %d, at %d, want %d: %s", found, numOps, ops.Index, ops.Off, end, ops.Stop())
		}
	}
	for minor := range uint32(4) {
		for _, numOps := range []uint32{0, 1, 1<<32 - 1} {
			ops.Reset(message, 0, &nfs.CompoundArgs{MinorVersion: minor, NumOps: numOps})
			walk(numOps)
			ops.ResetCB(message, 0, &nfs.CBCompoundArgs{MinorVersion: minor, NumOps: numOps})
			walk(numOps)
		}
	}
}
