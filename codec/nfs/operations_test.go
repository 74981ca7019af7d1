package nfs_test

import (
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"github.com/iwarpkit/iwarp/codec/nfs"
	"github.com/iwarpkit/iwarp/codec/oncrpc"
)

// xdr makes XDR data from its description: "8" is 8 octets, "=3" the number 3, "o5" opaque data of 5 octets with length
// and fill, "b2" a bitmap of 2 words with their number.
func xdr(t testing.TB, description string) (b []byte) {
	t.Helper()
	for _, word := range strings.Fields(description) {
		var n int
		if _, err := fmt.Sscan(strings.TrimLeft(word, "=ob"), &n); err != nil {
			t.Fatalf("%s: %v", word, err)
		}
		switch word[0] {
		case '=':
			b = binary.BigEndian.AppendUint32(b, uint32(n))
		case 'o':
			b = binary.BigEndian.AppendUint32(b, uint32(n))
			b = append(b, make([]byte, (n+3)/4*4)...)
		case 'b':
			b = binary.BigEndian.AppendUint32(b, uint32(n))
			b = append(b, make([]byte, 4*n)...)
		default:
			b = append(b, make([]byte, n)...)
		}
	}
	return b
}

// opArguments are the arguments of every operation, in their variants: a stateid has 16 octets, a sessionid and a
// deviceid too, a verifier 8, a time 12.
var opArguments = map[nfs.Op][]string{
	nfs.OpAccess:             {"4"},
	nfs.OpClose:              {"4 16"},
	nfs.OpCommit:             {"8 4"},
	nfs.OpCreate:             {"=2 o3 b2 o4", "=5 o7 o3 b0 o0", "=3 8 o1 b1 o4", "=4 8 o1 b1 o4", "=7 o4 b2 o8"},
	nfs.OpDelegPurge:         {"8"},
	nfs.OpDelegReturn:        {"16"},
	nfs.OpGetattr:            {"b0", "b2"},
	nfs.OpGetFH:              {""},
	nfs.OpLink:               {"o5"},
	nfs.OpLock:               {"4 4 8 8 =1 4 16 4 8 o20", "4 4 8 8 =0 16 4"},
	nfs.OpLockT:              {"4 8 8 8 o20"},
	nfs.OpLockU:              {"4 4 16 8 8"},
	nfs.OpLookup:             {"o6"},
	nfs.OpLookupP:            {""},
	nfs.OpNVerify:            {"b2 o12"},
	nfs.OpOpen:               {"4 4 4 8 o24 =0 =0 o3", "4 4 4 8 o24 =1 =0 b2 o4 =1 4", "4 4 4 8 o24 =1 =1 b2 o4 =2 16 o3", "4 4 4 8 o24 =1 =2 8 =3 o3", "4 4 4 8 o24 =1 =3 8 b2 o4 =4", "4 4 4 8 o24 =0 =5 16", "4 4 4 8 o24 =0 =6"},
	nfs.OpOpenAttr:           {"4"},
	nfs.OpOpenConfirm:        {"16 4"},
	nfs.OpOpenDowngrade:      {"16 4 4 4"},
	nfs.OpPutFH:              {"o20", "o128"},
	nfs.OpPutPubFH:           {""},
	nfs.OpPutRootFH:          {""},
	nfs.OpRead:               {"16 8 4"},
	nfs.OpReaddir:            {"8 8 4 4 b2"},
	nfs.OpReadlink:           {""},
	nfs.OpRemove:             {"o1"},
	nfs.OpRename:             {"o3 o2"},
	nfs.OpRenew:              {"8"},
	nfs.OpRestoreFH:          {""},
	nfs.OpSaveFH:             {""},
	nfs.OpSecInfo:            {"o3"},
	nfs.OpSetattr:            {"16 b2 o8"},
	nfs.OpSetClientID:        {"8 o26 4 o3 o16 4"},
	nfs.OpSetClientIDConfirm: {"8 8"},
	nfs.OpVerify:             {"b1 o4"},
	nfs.OpWrite:              {"16 8 4 o5", "16 8 4 o0"},
	nfs.OpReleaseLockOwner:   {"8 o20"},

	nfs.OpBackchannelCtl:    {"4 =0", "4 =3 =0 =1 4 o5 8 b2 =6 4 o3 o4"},
	nfs.OpBindConnToSession: {"16 4 4"},
	nfs.OpExchangeID:        {"8 o17 4 =0 =0", "8 o17 4 =1 b2 b3 =1 o10 o80 12", "8 o17 4 =2 b1 b1 =2 o9 o9 =1 o9 4 4 =0"},
	nfs.OpCreateSession:     {"8 4 4 24 b0 24 b0 4 =1 =1 4 o3 8 b0", "8 4 4 24 b1 24 b1 4 =0"},
	nfs.OpDestroySession:    {"16"},
	nfs.OpFreeStateID:       {"16"},
	nfs.OpGetDirDelegation:  {"4 b1 12 12 b2 b2"},
	nfs.OpGetDeviceInfo:     {"16 4 4 b1"},
	nfs.OpGetDeviceList:     {"4 4 8 8"},
	nfs.OpLayoutCommit:      {"8 8 4 16 =1 8 =1 12 4 o7", "8 8 4 16 =0 =0 4 o0"},
	nfs.OpLayoutGet:         {"4 4 4 8 8 8 16 4"},
	nfs.OpLayoutReturn:      {"4 4 4 =1 8 8 16 o5", "4 4 4 =2", "4 4 4 =3"},
	nfs.OpSecInfoNoName:     {"4"},
	nfs.OpSequence:          {"16 4 4 4 4"},
	nfs.OpSetSSV:            {"o5 o20"},
	nfs.OpTestStateID:       {"=2 16 16", "=0"},
	nfs.OpWantDelegation:    {"4 =1 4", "4 =4", "4 =6"},
	nfs.OpDestroyClientID:   {"8"},
	nfs.OpReclaimComplete:   {"4"},

	nfs.OpAllocate:      {"16 8 8"},
	nfs.OpCopy:          {"16 16 8 8 8 4 4 =0", "16 16 8 8 8 4 4 =3 =1 o4 =2 o9 =3 o3 o12"},
	nfs.OpCopyNotify:    {"16 =3 o3 o12"},
	nfs.OpDeallocate:    {"16 8 8"},
	nfs.OpIOAdvise:      {"16 8 8 b1"},
	nfs.OpLayoutError:   {"8 8 16 =2 24 24"},
	nfs.OpLayoutStats:   {"8 8 16 16 16 16 4 o6"},
	nfs.OpOffloadCancel: {"16"},
	nfs.OpOffloadStatus: {"16"},
	nfs.OpReadPlus:      {"16 8 4"},
	nfs.OpSeek:          {"16 8 4"},
	nfs.OpWriteSame:     {"16 4 8 8 8 8 4 8 o3"},
	nfs.OpClone:         {"16 16 8 8 8"},
	nfs.OpGetXattr:      {"o8"},
	nfs.OpSetXattr:      {"4 o8 o11"},
	nfs.OpListXattrs:    {"8 4"},
	nfs.OpRemoveXattr:   {"o8"},
	nfs.OpIllegal:       {""},
}

var cbOpArguments = map[nfs.CBOp][]string{
	nfs.OpCBGetattr:            {"o20 b2"},
	nfs.OpCBRecall:             {"16 4 o20"},
	nfs.OpCBLayoutRecall:       {"4 4 4 =1 o20 8 8 16", "4 4 4 =2 16", "4 4 4 =3"},
	nfs.OpCBNotify:             {"16 o20 =2 b1 o5 b1 o0"},
	nfs.OpCBPushDeleg:          {"o20 =0", "o20 =1 16 4 12 o3", "o20 =2 16 4 =1 8 12 o3", "o20 =2 16 4 =2 8 12 o3", "o20 =3 =0", "o20 =3 =1 4", "o20 =3 =2 4"},
	nfs.OpCBRecallAny:          {"4 b1"},
	nfs.OpCBRecallableObjAvail: {"4 b1"},
	nfs.OpCBRecallSlot:         {"4"},
	nfs.OpCBSequence:           {"16 4 4 4 4 =0", "16 4 4 4 4 =2 16 =1 8 16 =0"},
	nfs.OpCBWantsCancelled:     {"4 4"},
	nfs.OpCBNotifyLock:         {"o20 8 o7"},
	nfs.OpCBNotifyDeviceID:     {"=1 b1 o24"},
	nfs.OpCBOffload:            {"o20 16 =0 b0 8 4 8", "o20 16 =0 =1 16 8 4 8", "o20 16 =5 8"},
	nfs.OpCBIllegal:            {""},
}

// walk goes along operations and returns their names.
func walk(ops *nfs.Operations) (names []string) {
	for ops.Next() {
		names = append(names, ops.Name())
	}
	return names
}

// reset begins a walk in minor version 2, of a COMPOUND or a CB_COMPOUND.
func reset(ops *nfs.Operations, message []byte, numOps uint32, callback bool) {
	if callback {
		ops.ResetCB(message, 0, &nfs.CBCompoundArgs{MinorVersion: 2, NumOps: numOps})
	} else {
		ops.Reset(message, 0, &nfs.CompoundArgs{MinorVersion: 2, NumOps: numOps})
	}
}

// TestArguments measures the arguments of every operation, whole and with every cut.
func TestArguments(t *testing.T) {
	for op := range nfs.Op(11000) {
		if op.Known() != (len(opArguments[op]) > 0) {
			t.Errorf("%s is not tested", op)
		}
		for _, arguments := range opArguments[op] {
			checkArguments(t, uint32(op), op.String(), arguments, false)
		}
	}
	for op := range nfs.CBOp(11000) {
		if op.Known() != (len(cbOpArguments[op]) > 0) {
			t.Errorf("%s is not tested", op)
		}
		for _, arguments := range cbOpArguments[op] {
			checkArguments(t, uint32(op), op.String(), arguments, true)
		}
	}
}

func checkArguments(t *testing.T, op uint32, name, arguments string, callback bool) {
	t.Helper()
	args := xdr(t, arguments)
	illegal := binary.BigEndian.AppendUint32(nil, uint32(nfs.OpIllegal)) // has no arguments
	message := append(append(binary.BigEndian.AppendUint32(nil, op), args...), illegal...)
	var ops nfs.Operations
	reset(&ops, message, 2, callback)
	if !ops.Next() || ops.Index != 0 || ops.Off != 0 || ops.Name() != name || len(ops.Args) != len(args) {
		t.Errorf("%s %s: index %d, %s at %d, %d octets, want %d", name, arguments, ops.Index, ops.Name(), ops.Off, len(ops.Args), len(args))
	}
	if !ops.Next() || ops.Index != 1 || ops.Off != 4+len(args) || ops.Op != nfs.OpIllegal || ops.Next() || ops.Stop() != nfs.StopEnd {
		t.Errorf("%s %s: the next was not found: index %d at %d, %s", name, arguments, ops.Index, ops.Off, ops.Stop())
	}
	if ops.Index != 2 || ops.Off != len(message) {
		t.Errorf("%s %s: ended behind %d at %d of %d", name, arguments, ops.Index, ops.Off, len(message))
	}
	for cut := 4; cut < 4+len(args); cut++ {
		reset(&ops, message[:cut:cut], 2, callback)
		if names := walk(&ops); len(names) != 1 || names[0] != name || ops.Stop() != nfs.StopShort || ops.Index != 1 || ops.Off != cut {
			t.Errorf("%s %s cut at %d: %v, %s at %d", name, arguments, cut, names, ops.Stop(), ops.Off)
		}
	}
}

// TestUndefined checks that the walk stops at a union arm that is not defined.
func TestUndefined(t *testing.T) {
	for _, tc := range []struct {
		op        uint32
		arguments string
		callback  bool
	}{
		{12, "4 4 8 8 =2 4", false},                   // LOCK: locker4
		{18, "4 4 4 8 o24 =1 =4 4 4 4", false},        // OPEN: createhow4
		{18, "4 4 4 8 o24 =0 =7 4 4 4", false},        // OPEN: open_claim4
		{40, "4 =1 =3 4 4 4 4", false},                // BACKCHANNEL_CTL: callback_sec_parms4
		{42, "8 o17 4 =3 4 4 4 4", false},             // EXCHANGE_ID: state_protect4_a
		{49, "8 8 4 16 =2 8 =1 12 4 o7", false},       // LAYOUTCOMMIT: newoffset4
		{56, "4 =2 4 4 4 4", false},                   // WANT_DELEGATION: deleg_claim4
		{61, "16 =4 o3 o12", false},                   // COPY_NOTIFY: netloc4
		{5, "4 4 4 =4 o20 8 8 16", true},              // CB_LAYOUTRECALL: layoutrecall4
		{7, "o20 =4 16 4 12 o3", true},                // CB_PUSH_DELEG: open_delegation4
		{7, "o20 =2 16 4 =3 8 12 o3", true},           // CB_PUSH_DELEG: nfs_space_limit4
		{40, "4 =1000000 =0 =0 =0 =9 4 4 4 4", false}, // the fourth of a million
	} {
		message := append(binary.BigEndian.AppendUint32(nil, tc.op), xdr(t, tc.arguments)...)
		var ops nfs.Operations
		reset(&ops, message, 2, tc.callback)
		if names := walk(&ops); len(names) != 1 || ops.Stop() != nfs.StopUnion || ops.Index != 1 || ops.Off >= len(message) {
			t.Errorf("%d %s: %v, %s at %d of %d", tc.op, tc.arguments, names, ops.Stop(), ops.Off, len(message))
		}
	}
}

func TestMinorVersion(t *testing.T) {
	for _, tc := range []struct {
		op, minor uint32
		callback  bool
		stop      nfs.Stop
	}{
		{39, 0, false, nfs.StopShort}, {40, 0, false, nfs.StopOp}, {58, 1, false, nfs.StopShort}, {59, 1, false, nfs.StopOp},
		{75, 2, false, nfs.StopShort}, {76, 2, false, nfs.StopOp}, {3, 3, false, nfs.StopOp}, {2, 0, false, nfs.StopOp},
		{10044, 0, false, nfs.StopEnd}, {10044, 1, false, nfs.StopEnd}, {10044, 2, true, nfs.StopEnd},
		{4, 0, true, nfs.StopShort}, {5, 0, true, nfs.StopOp}, {14, 1, true, nfs.StopShort}, {15, 1, true, nfs.StopOp},
		{15, 2, true, nfs.StopShort}, {16, 2, true, nfs.StopOp}, {3, 3, true, nfs.StopOp}, {10044, 1, true, nfs.StopEnd}, {10044, 0, true, nfs.StopEnd},
	} {
		b := binary.BigEndian.AppendUint32(nil, tc.op)
		var ops nfs.Operations
		if tc.callback {
			ops.ResetCB(b, 0, &nfs.CBCompoundArgs{MinorVersion: tc.minor, NumOps: 1})
		} else {
			ops.Reset(b, 0, &nfs.CompoundArgs{MinorVersion: tc.minor, NumOps: 1})
		}
		if names := walk(&ops); len(names) != 1 || ops.Stop() != tc.stop {
			t.Errorf("%d in minor version %d: %v, %s, want %s", tc.op, tc.minor, names, ops.Stop(), tc.stop)
		}
	}
}

// compound walks the operations of a Call.
func compound(t testing.TB, ops *nfs.Operations, b []byte) (numOps uint32) {
	t.Helper()
	var call oncrpc.Call
	n, err := call.Decode(b)
	if err != nil {
		t.Fatal(err)
	}
	if p := call.Procedure(); p.IsCBCompound() {
		var args nfs.CBCompoundArgs
		m, _ := args.Decode(b[n:])
		ops.ResetCB(b, n+m, &args)
		return args.NumOps
	}
	var args nfs.CompoundArgs
	m, _ := args.Decode(b[n:])
	ops.Reset(b, n+m, &args)
	return args.NumOps
}

// TestOperations walks captured COMPOUNDs; the names are tshark's.
func TestOperations(t *testing.T) {
	for name, want := range map[string]string{
		"v4.0 LOCK call":           "PUTFH LOCK",
		"v4.0 OPEN call":           "PUTFH OPEN GETFH ACCESS GETATTR",
		"v4.0 SETCLIENTID call":    "SETCLIENTID",
		"v4.1 EXCHANGE_ID call":    "EXCHANGE_ID",
		"v4.1 CREATE_SESSION call": "CREATE_SESSION",
		"v4.1 CB_RECALL call":      "CB_SEQUENCE CB_RECALL",
	} {
		b := message(t, name)
		var ops nfs.Operations
		numOps := compound(t, &ops, b)
		if names := strings.Join(walk(&ops), " "); names != want || ops.Stop() != nfs.StopEnd || ops.Off != len(b) || uint32(ops.Index) != numOps {
			t.Errorf("%s: %s, %s at %d of %d, %d of %d operations", name, names, ops.Stop(), ops.Off, len(b), ops.Index, numOps)
		}
		if ops.Next() || uint32(ops.Index) != numOps {
			t.Errorf("%s: goes on behind the end", name)
		}
	}
}

// TestReadChunk walks a COMPOUND whose WRITE data, 4097 octets at position 176, went into a Read chunk with its fill.
func TestReadChunk(t *testing.T) {
	b := message(t, "v4.1 WRITE call")
	var ops nfs.Operations
	compound(t, &ops, b)
	if names := strings.Join(walk(&ops), " "); names != "SEQUENCE PUTFH WRITE" || ops.Stop() != nfs.StopShort {
		t.Errorf("without position: %s, %s", names, ops.Stop())
	}
	ops.Positions = []uint32{176}
	compound(t, &ops, b)
	if names := strings.Join(walk(&ops), " "); names != "SEQUENCE PUTFH WRITE GETATTR" || ops.Stop() != nfs.StopEnd || ops.Off != len(b) {
		t.Errorf("with position: %s, %s at %d of %d", names, ops.Stop(), ops.Off, len(b))
	}

	// Two WRITEs: what the first one lost counts in the position of the second.
	two := append(octets(t, "00000026 00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000005"), // 5 octets at 36
		octets(t, "00000026 00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000009 0000000a")...) // 9 octets at 36 + 8 + 36
	ops.Positions = []uint32{80, 36}
	ops.Reset(two, 0, &nfs.CompoundArgs{NumOps: 3})
	if names := strings.Join(walk(&ops), " "); names != "WRITE WRITE GETFH" || ops.Stop() != nfs.StopEnd {
		t.Errorf("two chunks: %s, %s", names, ops.Stop())
	}
}

// TestOperationsHostile checks that numbers beyond the message end the walk, soon and without allocating.
func TestOperationsHostile(t *testing.T) {
	var ops nfs.Operations
	if ops.Next() || ops.Stop() != nfs.StopEnd || ops.Index != 0 {
		t.Errorf("nothing: %s", ops.Stop())
	}
	many := nfs.CompoundArgs{MinorVersion: 1, NumOps: 1<<32 - 1}
	for _, tc := range []struct {
		wire  string
		found int
	}{
		{"", 0},
		{"000000", 0},
		{"0000000a 0000000a 0000000a", 3},
		{"00000037 ffffffff 00000000", 1}, // TEST_STATEID
		{"00000009 ffffffff 00000000", 1}, // GETATTR
		{"00000028 00000000 ffffffff 00000000 00000000", 1}, // BACKCHANNEL_CTL
		{"00000016 fffffffe 00000000", 1},                   // PUTFH
	} {
		b := octets(t, tc.wire)
		ops.Reset(b, 0, &many)
		if names := walk(&ops); len(names) != tc.found || ops.Stop() != nfs.StopShort || ops.Off != len(b)&^3 && ops.Off != len(b) {
			t.Errorf("%s: %v, %s at %d", tc.wire, names, ops.Stop(), ops.Off)
		}
		if allocs := testing.AllocsPerRun(100, func() {
			for ops.Reset(b, 0, &many); ops.Next(); {
				ops.Name()
			}
		}); allocs != 0 {
			t.Errorf("%s: %v allocations", tc.wire, allocs)
		}
	}
	ops.Reset([]byte("abc"), 7, &many)
	if ops.Next() || ops.Off != 3 {
		t.Errorf("an offset behind the message: at %d", ops.Off)
	}
	if s := nfs.Stop(99).String(); s != "not ended" || nfs.StopUnion.String() != "arguments not defined" {
		t.Errorf("names: %s, %s", s, nfs.StopUnion)
	}
}

// TestOperationsAllocate checks that a walk whose state lives on the stack allocates nothing.
func TestOperationsAllocate(t *testing.T) {
	b := message(t, "v4.0 OPEN call")
	if allocs := testing.AllocsPerRun(100, func() {
		var call oncrpc.Call
		var args nfs.CompoundArgs
		var ops nfs.Operations
		n, _ := call.Decode(b)
		m, _ := args.Decode(b[n:])
		for ops.Reset(b, n+m, &args); ops.Next(); {
			ops.Name()
		}
	}); allocs != 0 {
		t.Errorf("%v allocations", allocs)
	}
}
