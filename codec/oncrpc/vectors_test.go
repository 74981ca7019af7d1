package oncrpc_test

import (
	"testing"

	"github.com/iwarpkit/iwarp/internal/codectest"
)

var octets = codectest.Octets

// The parts that most messages have: a credential or verifier of AUTH_NONE, the credential of root at machine "rig", and
// what COMPOUND and CB_COMPOUND Calls have behind the xid.
const (
	noAuth   = " 00000000 00000000 "
	sysAuth  = " 00000001 00000018 00000000 00000003 72696700 00000000 00000000 00000000 "
	nfs4Call = "00000000 00000002 000186a3 00000004 00000001"
	cbCall   = "00000000 00000002 40000000 00000001 00000001"
)

// captured are RPC messages that Linux exchanged over RPC-over-RDMA; the frames are those of nfs-small-v3-inl1024-crc1
// (v3), nfs-small-v4.0-inl4096-crc1 (v4.0) and nfs-small-v4.1-inl4096-crc1 (v4.1).
var captured = map[string]string{
	"v3 NULL call":             "0f0b97fd 00000000 00000002 000186a3 00000003 00000000" + noAuth + noAuth,                                                                                                                                                                                                                                                                                                                                                                       // frame 8
	"v3 NULL reply":            "0f0b97fd 00000001 00000000" + noAuth + "00000000",                                                                                                                                                                                                                                                                                                                                                                                              // frame 9
	"v3 READ call":             "5b0b97fd 00000000 00000002 000186a3 00000003 00000006" + sysAuth + noAuth + "00000014 01000101 00000000 1c393794 84010000 00000000 00000000 00000000 00001000",                                                                                                                                                                                                                                                                                 // frame 640
	"v4.0 LOCK call":           "e1e58651" + nfs4Call + sysAuth + noAuth + "00000000 00000000 00000002 00000016 00000014 01000101 00000000 377ba579 70000000 00000000 0000000c 00000004 00000000 00000000 00000000 ffffffff ffffffff 00000001 000000eb 00000001 054d016b 843e9df7 78000000 00000000 054d016b 843e9df7 00000014 6c6f636b 2069643a 00000023 00000000 00000000",                                                                                                    // frame 3384
	"v4.0 OPEN call":           "50e48651" + nfs4Call + sysAuth + noAuth + "00000000 00000000 00000005 00000016 00000014 01000101 00000000 100dd473 62000000 00000000 00000012 00000000 00000002 00000000 054d016b 843e9df7 00000018 6f70656e 2069643a 00000023 00000000 00000003 7f7d6d9f 00000001 00000000 00000002 00000010 00000002 0000000c 00000000 00000000 000001a4 00000000 00000002 66300000 0000000a 00000003 0000003d 00000009 00000002 0010011a 00b0a23a",          // frame 46
	"v4.0 SETCLIENTID call":    "3fe48651" + nfs4Call + sysAuth + noAuth + "00000000 00000000 00000001 00000023 18e9fff7 50f81081 0000001a 4c696e75 78204e46 5376342e 30207269 672f3130 2e302e30 2e320000 40000000 00000003 74637000 00000010 31302e30 2e302e31 2e313533 2e313037 00000001",                                                                                                                                                                                     // frame 10
	"v4.0 LOOKUP reply":        "00e58651 00000001 00000000" + noAuth + "00000000 00000002 00000000 00000002 00000016 00000000 0000000f 00000002",                                                                                                                                                                                                                                                                                                                               // frame 2761
	"v4.1 EXCHANGE_ID call":    "42218ef8" + nfs4Call + sysAuth + noAuth + "00000000 00000001 00000001 0000002a 18e9fff7 50f81081 00000011 4c696e75 78204e46 5376342e 31207269 67000000 00000101 00000000 00000001 0000000a 6b65726e 656c2e6f 72670000 00000050 4c696e75 7820362e 312e302d 35362d61 6d643634 20233120 534d5020 50524545 4d50545f 44594e41 4d494320 44656269 616e2036 2e312e31 39322d32 20283230 32362d31 312d3136 29207838 365f3634 00000000 00000000 00000000", // frame 10
	"v4.1 CREATE_SESSION call": "44218ef8" + nfs4Call + sysAuth + noAuth + "00000000 00000001 00000001 0000002b 054d016b 873e9df7 00000001 00000003 00000000 00100414 00100388 00001da0 00000008 00000040 00000000 00000000 00000fe4 00000fe4 00000000 00000002 00000010 00000000 40000000 00000001 00000001 50f81081 00000003 72696700 00000000 00000000 00000000",                                                                                                             // frame 18
	"v4.1 WRITE call":          "7c218ef8" + nfs4Call + sysAuth + noAuth + "00000000 00000001 00000004 00000035 054d016b 873e9df7 01000000 00000000 00000038 00000000 00000000 00000000 00000016 00000014 01000101 00000000 428c03ea d1000000 00000000 00000026 00000000 054d016b 873e9df7 0f000000 00000000 00000000 00000002 00001001 00000009 00000002 00000018 00302000",                                                                                                    // frame 190
	"v4.1 CB_RECALL call":      "f8086c08" + cbCall + sysAuth + noAuth + "00000000 00000001 00000000 00000002 0000000b 054d016b 873e9df7 01000000 00000000 00000002 00000000 00000000 00000000 00000000 00000004 00000001 054d016b 873e9df7 9b000000 00000000 00000014 01000101 00000000 23172349 cb000000 00000000",                                                                                                                                                            // frame 3922
	"v4.1 CB_RECALL_ANY reply": "f7086c08 00000001 00000000" + noAuth + "00000000 00000000 00000000 00000002 0000000b 00000000 054d016b 873e9df7 01000000 00000000 00000001 00000000 0000000f 0000000f 00000008 00000000",                                                                                                                                                                                                                                                       // frame 2753
}

// made are messages assembled by hand from RFC 5531, section 9, and RFC 2203, section 5.
var made = map[string]string{
	"call with odd auth":    "00000001 00000000 00000002 000186a5 00000003 00000001 00000002 00000005 0102030405 000000 00000003 00000002 0a0b 0000 00000004 2f6d6e74",
	"call with GSS context": "00000002 00000000 00000002 000186a3 00000004 00000000 00000006 00000014 00000001 00000001 00000000 00000001 00000000" + noAuth + "00000004 deadbeef",
	"call with integrity":   "00000003" + nfs4Call + " 00000006 00000018 00000001 00000000 00000007 00000002 00000004 11223344 00000006 00000004 aabbccdd 0000001c 00000007 00000000 00000001 00000001 00000035 12345678 9abcdef0 00000004 55667788",
	"call with privacy":     "00000004" + nfs4Call + " 00000006 00000018 00000001 00000000 00000008 00000003 00000004 11223344 00000006 00000004 aabbccdd 00000008 0102030405060708",

	"PROG_UNAVAIL":   "00000005 00000001 00000000" + noAuth + "00000001",
	"PROG_MISMATCH":  "00000005 00000001 00000000" + noAuth + "00000002 00000002 00000004",
	"PROC_UNAVAIL":   "00000005 00000001 00000000" + noAuth + "00000003",
	"GARBAGE_ARGS":   "00000005 00000001 00000000" + noAuth + "00000004",
	"SYSTEM_ERR":     "00000005 00000001 00000000" + noAuth + "00000005",
	"AcceptStat6":    "00000005 00000001 00000000" + noAuth + "00000006",
	"short verifier": "00000005 00000001 00000000 00000002 00000003 616263 00 00000000",
	"RPC_MISMATCH":   "00000005 00000001 00000001 00000000 00000002 00000002",
	"AUTH_TOOWEAK":   "00000005 00000001 00000001 00000001 00000005",
}

// message is one of captured or made.
func message(t testing.TB, name string) []byte {
	t.Helper()
	s, ok := captured[name]
	if !ok {
		s, ok = made[name]
	}
	if !ok {
		t.Fatalf("there is no message %q", name)
	}
	return octets(t, s)
}

// everyMessage calls f for all of captured and made.
func everyMessage(t testing.TB, f func(name string, message []byte)) {
	t.Helper()
	for _, messages := range []map[string]string{captured, made} {
		for name, s := range messages {
			f(name, octets(t, s))
		}
	}
}
