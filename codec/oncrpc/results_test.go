package oncrpc_test

import (
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"github.com/iwarpkit/iwarp/codec/oncrpc"
)

// opResults are the results of every operation that succeeded, in their variants, in the notation of xdr. A change_info
// has 20 octets: 4, 8 and 8.
var opResults = map[oncrpc.Op][]string{
	oncrpc.OpAccess:             {"4 4"},
	oncrpc.OpClose:              {"16"},
	oncrpc.OpCommit:             {"8"},
	oncrpc.OpCreate:             {"20 b2"},
	oncrpc.OpDelegPurge:         {""},
	oncrpc.OpDelegReturn:        {""},
	oncrpc.OpGetattr:            {"b2 o100", "b0 o0"},
	oncrpc.OpGetFH:              {"o20", "o128"},
	oncrpc.OpLink:               {"20"},
	oncrpc.OpLock:               {"16"},
	oncrpc.OpLockT:              {""},
	oncrpc.OpLockU:              {"16"},
	oncrpc.OpLookup:             {""},
	oncrpc.OpLookupP:            {""},
	oncrpc.OpNVerify:            {""},
	oncrpc.OpOpen:               {"16 20 4 b2 =0", "16 20 4 b0 =1 16 4 4 4 4 o5", "16 20 4 b1 =2 16 4 =1 8 12 o7", "16 20 4 b1 =2 16 4 =2 4 4 12 o7", "16 20 4 b1 =3 =1 4", "16 20 4 b1 =3 =2 4", "16 20 4 b1 =3 =7"},
	oncrpc.OpOpenAttr:           {""},
	oncrpc.OpOpenConfirm:        {"16"},
	oncrpc.OpOpenDowngrade:      {"16"},
	oncrpc.OpPutFH:              {""},
	oncrpc.OpPutPubFH:           {""},
	oncrpc.OpPutRootFH:          {""},
	oncrpc.OpRead:               {"=1 o0", "=0 o4095"},
	oncrpc.OpReaddir:            {"8 =0 =1", "8 =1 8 o3 b2 o24 =1 8 o11 b0 o0 =0 =0"},
	oncrpc.OpReadlink:           {"o9"},
	oncrpc.OpRemove:             {"20"},
	oncrpc.OpRename:             {"20 20"},
	oncrpc.OpRenew:              {""},
	oncrpc.OpRestoreFH:          {""},
	oncrpc.OpSaveFH:             {""},
	oncrpc.OpSecInfo:            {"=0", "=3 =1 =6 o9 4 4 =0"},
	oncrpc.OpSetattr:            {"b2", "b0"},
	oncrpc.OpSetClientID:        {"8 8"},
	oncrpc.OpSetClientIDConfirm: {""},
	oncrpc.OpVerify:             {""},
	oncrpc.OpWrite:              {"4 4 8"},
	oncrpc.OpReleaseLockOwner:   {""},

	oncrpc.OpBackchannelCtl:    {""},
	oncrpc.OpBindConnToSession: {"16 4 4"},
	oncrpc.OpExchangeID:        {"8 4 4 =0 8 o10 o12 =0", "8 4 4 =1 b1 b2 8 o1 o2 =1 o7 o3 12", "8 4 4 =2 b1 b1 4 4 4 4 =2 o8 o9 8 o1 o2 =0"},
	oncrpc.OpCreateSession:     {"16 4 4 24 =0 24 =1 4"},
	oncrpc.OpDestroySession:    {""},
	oncrpc.OpFreeStateID:       {""},
	oncrpc.OpGetDirDelegation:  {"=0 8 16 b1 b2 b3", "=1 4"},
	oncrpc.OpGetDeviceInfo:     {"4 o40 b1"},
	oncrpc.OpGetDeviceList:     {"8 8 =2 16 16 4"},
	oncrpc.OpLayoutCommit:      {"=0", "=1 8"},
	oncrpc.OpLayoutGet:         {"4 16 =0", "4 16 =2 8 8 4 4 o30 8 8 4 4 o0"},
	oncrpc.OpLayoutReturn:      {"=0", "=1 16"},
	oncrpc.OpSecInfoNoName:     {"=1 =6 o11 4 4"},
	oncrpc.OpSequence:          {"16 4 4 4 4 4"},
	oncrpc.OpSetSSV:            {"o20"},
	oncrpc.OpTestStateID:       {"=3 4 4 4"},
	oncrpc.OpWantDelegation:    {"=0", "=1 16 4 12 o5"},
	oncrpc.OpDestroyClientID:   {""},
	oncrpc.OpReclaimComplete:   {""},

	oncrpc.OpAllocate:      {""},
	oncrpc.OpCopy:          {"=0 8 4 8 4 4", "=1 16 8 4 8 4 4"},
	oncrpc.OpCopyNotify:    {"12 16 =2 =1 o5 =3 o3 o14"},
	oncrpc.OpDeallocate:    {""},
	oncrpc.OpIOAdvise:      {"b1"},
	oncrpc.OpLayoutError:   {""},
	oncrpc.OpLayoutStats:   {""},
	oncrpc.OpOffloadCancel: {""},
	oncrpc.OpOffloadStatus: {"8 =0", "8 =1 4"},
	oncrpc.OpReadPlus:      {"4 =0", "4 =3 =0 8 o5 =1 8 8 =0 8 o0"},
	oncrpc.OpSeek:          {"4 8"},
	oncrpc.OpWriteSame:     {"=0 8 4 8", "=1 16 8 4 8"},
	oncrpc.OpClone:         {""},
	oncrpc.OpGetXattr:      {"o6"},
	oncrpc.OpSetXattr:      {"20"},
	oncrpc.OpListXattrs:    {"8 =2 o3 o4 4"},
	oncrpc.OpRemoveXattr:   {"20"},
}

// opFailures are the results of operations that failed and yet have more than a status.
var opFailures = []struct {
	op     oncrpc.Op
	status oncrpc.NFSStat4
	rest   string
}{
	{oncrpc.OpSetattr, 13, "b0"},
	{oncrpc.OpLock, 10010, "8 8 4 8 o9"},
	{oncrpc.OpLockT, 10010, "8 8 4 8 o0"},
	{oncrpc.OpLock, 10013, ""},
	{oncrpc.OpSetClientID, 10017, "o3 o15"},
	{oncrpc.OpGetDeviceInfo, 10005, "4"},
	{oncrpc.OpLayoutGet, 10058, "4"},
	{oncrpc.OpLayoutGet, 10059, ""},
	{oncrpc.OpCopy, 10094, "4 4"},
	{oncrpc.OpRead, 10025, ""},
	{oncrpc.OpIllegal, 10044, ""},
}

// result is the result of an operation with what follows its status.
func result(t testing.TB, op oncrpc.Op, status oncrpc.NFSStat4, rest string) []byte {
	b := binary.BigEndian.AppendUint32(nil, uint32(op))
	b = binary.BigEndian.AppendUint32(b, uint32(status))
	return append(b, xdr(t, rest)...)
}

// checkResult walks along a result and another one behind it, and along every beginning of them.
func checkResult(t *testing.T, what string, one []byte, callback bool) {
	t.Helper()
	next := result(t, oncrpc.OpIllegal, 10044, "")
	b := append(append([]byte("before"), one...), next...)
	var r oncrpc.Results
	r.Reset(b, 6, &oncrpc.CompoundRes{NumRes: 2}, callback)
	last := 0
	for r.Next() {
		last = r.Off
	}
	if r.Index != 2 || last != 6+len(one) || r.Stop() != oncrpc.StopEnd || r.Off != len(b) {
		t.Errorf("%s: result %d at %d, want 2 at %d: %v", what, r.Index, r.Off, len(b), r.Stop())
	}
	for n := 6; n < 6+len(one); n++ {
		r.Reset(b[:n:n], 6, &oncrpc.CompoundRes{NumRes: 2}, callback)
		for r.Next() {
		}
		if r.Stop() != oncrpc.StopShort {
			t.Errorf("%s, %d octets: %v", what, n, r.Stop())
		}
	}
}

func TestResults(t *testing.T) {
	for op := oncrpc.OpAccess; op <= oncrpc.OpRemoveXattr; op++ {
		variants, ok := opResults[op]
		if !ok {
			t.Errorf("%v is not tested", op)
		}
		for _, v := range variants {
			checkResult(t, op.String()+" "+v, result(t, op, oncrpc.NFS4OK, v), false)
		}
		if op != oncrpc.OpSetattr {
			checkResult(t, op.String()+" that fails", result(t, op, 10006, ""), false)
		}
	}
	for _, f := range opFailures {
		checkResult(t, fmt.Sprint(f.op, f.status), result(t, f.op, f.status, f.rest), false)
	}
}

func TestCallbackResults(t *testing.T) {
	for op := oncrpc.OpCBGetattr; op <= oncrpc.OpCBOffload; op++ {
		rest := map[oncrpc.CBOp]string{oncrpc.OpCBGetattr: "b2 o16", oncrpc.OpCBSequence: "16 4 4 4 4"}[op]
		checkResult(t, op.String(), result(t, oncrpc.Op(op), oncrpc.NFS4OK, rest), true)
		checkResult(t, op.String()+" that fails", result(t, oncrpc.Op(op), 10006, ""), true)
	}
}

func TestResultsStop(t *testing.T) {
	for what, tc := range map[string]struct {
		octets []byte
		want   oncrpc.Stop
	}{
		"an unknown operation":     {result(t, 99, 0, "8"), oncrpc.StopOp},
		"an undefined delegation":  {result(t, oncrpc.OpOpen, 0, "16 20 4 b1 =9"), oncrpc.StopUnion},
		"an undefined READ_PLUS":   {result(t, oncrpc.OpReadPlus, 0, "4 =1 =2"), oncrpc.StopUnion},
		"an absurd bitmap":         {append(result(t, oncrpc.OpSetattr, 0, ""), 0xff, 0xff, 0xff, 0xff), oncrpc.StopShort},
		"an absurd number of them": {append(result(t, oncrpc.OpSecInfo, 0, ""), 0xff, 0xff, 0xff, 0xff), oncrpc.StopShort},
	} {
		var r oncrpc.Results
		r.Reset(tc.octets, 0, &oncrpc.CompoundRes{NumRes: 5}, false)
		if !r.Next() || r.Index != 0 || r.Next() || r.Stop() != tc.want {
			t.Errorf("%s: %v, want %v", what, r.Stop(), tc.want)
		}
	}
}

func TestResultsDoNotAllocate(t *testing.T) {
	b := result(t, oncrpc.OpOpen, 0, "16 20 4 b2 =0")
	var r oncrpc.Results
	if n := testing.AllocsPerRun(100, func() {
		for r.Reset(b, 0, &oncrpc.CompoundRes{NumRes: 1}, false); r.Next(); {
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func ExampleResults() {
	message := []byte{
		0, 0, 0, 22, 0, 0, 0, 0, // PUTFH
		0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 31, 0, 0, 0, 3, // ACCESS
		0, 0, 0, 9, 0, 0, 39, 24, // GETATTR
	}
	var results oncrpc.Results
	for results.Reset(message, 0, &oncrpc.CompoundRes{NumRes: 3}, false); results.Next(); {
		fmt.Println(results.Off, results.Name(), results.Status)
	}
	fmt.Println(results.Stop())
	// Output:
	// 0 PUTFH NFS4_OK
	// 8 ACCESS NFS4_OK
	// 24 GETATTR NFS4ERR_DELAY
	// all operations
}

func TestNFSStat3(t *testing.T) {
	for s := range oncrpc.NFSStat3(10010) {
		if name := s.String(); s.Known() != !strings.HasPrefix(name, "NFSStat3_") {
			t.Errorf("%d is %s", s, name)
		}
	}
	if oncrpc.NFS3OK.String() != "NFS3_OK" || oncrpc.NFSStat3(70).String() != "NFS3ERR_STALE" {
		t.Error(oncrpc.NFS3OK, oncrpc.NFSStat3(70))
	}
}
