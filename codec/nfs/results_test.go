package nfs_test

import (
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"github.com/iwarpkit/iwarp/codec/nfs"
)

// opResults are the results of every operation that succeeded, in their variants, in the notation of xdr. A change_info
// has 20 octets: 4, 8 and 8.
var opResults = map[nfs.Op][]string{
	nfs.OpAccess:             {"4 4"},
	nfs.OpClose:              {"16"},
	nfs.OpCommit:             {"8"},
	nfs.OpCreate:             {"20 b2"},
	nfs.OpDelegPurge:         {""},
	nfs.OpDelegReturn:        {""},
	nfs.OpGetattr:            {"b2 o100", "b0 o0"},
	nfs.OpGetFH:              {"o20", "o128"},
	nfs.OpLink:               {"20"},
	nfs.OpLock:               {"16"},
	nfs.OpLockT:              {""},
	nfs.OpLockU:              {"16"},
	nfs.OpLookup:             {""},
	nfs.OpLookupP:            {""},
	nfs.OpNVerify:            {""},
	nfs.OpOpen:               {"16 20 4 b2 =0", "16 20 4 b0 =1 16 4 4 4 4 o5", "16 20 4 b1 =2 16 4 =1 8 12 o7", "16 20 4 b1 =2 16 4 =2 4 4 12 o7", "16 20 4 b1 =3 =1 4", "16 20 4 b1 =3 =2 4", "16 20 4 b1 =3 =7"},
	nfs.OpOpenAttr:           {""},
	nfs.OpOpenConfirm:        {"16"},
	nfs.OpOpenDowngrade:      {"16"},
	nfs.OpPutFH:              {""},
	nfs.OpPutPubFH:           {""},
	nfs.OpPutRootFH:          {""},
	nfs.OpRead:               {"=1 o0", "=0 o4095"},
	nfs.OpReaddir:            {"8 =0 =1", "8 =1 8 o3 b2 o24 =1 8 o11 b0 o0 =0 =0"},
	nfs.OpReadlink:           {"o9"},
	nfs.OpRemove:             {"20"},
	nfs.OpRename:             {"20 20"},
	nfs.OpRenew:              {""},
	nfs.OpRestoreFH:          {""},
	nfs.OpSaveFH:             {""},
	nfs.OpSecInfo:            {"=0", "=3 =1 =6 o9 4 4 =0"},
	nfs.OpSetattr:            {"b2", "b0"},
	nfs.OpSetClientID:        {"8 8"},
	nfs.OpSetClientIDConfirm: {""},
	nfs.OpVerify:             {""},
	nfs.OpWrite:              {"4 4 8"},
	nfs.OpReleaseLockOwner:   {""},

	nfs.OpBackchannelCtl:    {""},
	nfs.OpBindConnToSession: {"16 4 4"},
	nfs.OpExchangeID:        {"8 4 4 =0 8 o10 o12 =0", "8 4 4 =1 b1 b2 8 o1 o2 =1 o7 o3 12", "8 4 4 =2 b1 b1 4 4 4 4 =2 o8 o9 8 o1 o2 =0"},
	nfs.OpCreateSession:     {"16 4 4 24 =0 24 =1 4"},
	nfs.OpDestroySession:    {""},
	nfs.OpFreeStateID:       {""},
	nfs.OpGetDirDelegation:  {"=0 8 16 b1 b2 b3", "=1 4"},
	nfs.OpGetDeviceInfo:     {"4 o40 b1"},
	nfs.OpGetDeviceList:     {"8 8 =2 16 16 4"},
	nfs.OpLayoutCommit:      {"=0", "=1 8"},
	nfs.OpLayoutGet:         {"4 16 =0", "4 16 =2 8 8 4 4 o30 8 8 4 4 o0"},
	nfs.OpLayoutReturn:      {"=0", "=1 16"},
	nfs.OpSecInfoNoName:     {"=1 =6 o11 4 4"},
	nfs.OpSequence:          {"16 4 4 4 4 4"},
	nfs.OpSetSSV:            {"o20"},
	nfs.OpTestStateID:       {"=3 4 4 4"},
	nfs.OpWantDelegation:    {"=0", "=1 16 4 12 o5"},
	nfs.OpDestroyClientID:   {""},
	nfs.OpReclaimComplete:   {""},

	nfs.OpAllocate:      {""},
	nfs.OpCopy:          {"=0 8 4 8 4 4", "=1 16 8 4 8 4 4"},
	nfs.OpCopyNotify:    {"12 16 =2 =1 o5 =3 o3 o14"},
	nfs.OpDeallocate:    {""},
	nfs.OpIOAdvise:      {"b1"},
	nfs.OpLayoutError:   {""},
	nfs.OpLayoutStats:   {""},
	nfs.OpOffloadCancel: {""},
	nfs.OpOffloadStatus: {"8 =0", "8 =1 4"},
	nfs.OpReadPlus:      {"4 =0", "4 =3 =0 8 o5 =1 8 8 =0 8 o0"},
	nfs.OpSeek:          {"4 8"},
	nfs.OpWriteSame:     {"=0 8 4 8", "=1 16 8 4 8"},
	nfs.OpClone:         {""},
	nfs.OpGetXattr:      {"o6"},
	nfs.OpSetXattr:      {"20"},
	nfs.OpListXattrs:    {"8 =2 o3 o4 4"},
	nfs.OpRemoveXattr:   {"20"},
}

// opFailures are the results of operations that failed and yet have more than a status.
var opFailures = []struct {
	op     nfs.Op
	status nfs.Stat4
	rest   string
}{
	{nfs.OpSetattr, 13, "b0"},
	{nfs.OpLock, 10010, "8 8 4 8 o9"},
	{nfs.OpLockT, 10010, "8 8 4 8 o0"},
	{nfs.OpLock, 10013, ""},
	{nfs.OpSetClientID, 10017, "o3 o15"},
	{nfs.OpGetDeviceInfo, 10005, "4"},
	{nfs.OpLayoutGet, 10058, "4"},
	{nfs.OpLayoutGet, 10059, ""},
	{nfs.OpCopy, 10094, "4 4"},
	{nfs.OpRead, 10025, ""},
	{nfs.OpIllegal, 10044, ""},
}

// result is the result of an operation with what follows its status.
func result(t testing.TB, op nfs.Op, status nfs.Stat4, rest string) []byte {
	b := binary.BigEndian.AppendUint32(nil, uint32(op))
	b = binary.BigEndian.AppendUint32(b, uint32(status))
	return append(b, xdr(t, rest)...)
}

// checkResult walks along a result and another one behind it, and along every beginning of them.
func checkResult(t *testing.T, what string, one []byte, callback bool) {
	t.Helper()
	next := result(t, nfs.OpIllegal, 10044, "")
	b := append(append([]byte("before"), one...), next...)
	var r nfs.Results
	r.Reset(b, 6, &nfs.CompoundRes{NumRes: 2}, callback)
	last := 0
	for r.Next() {
		last = r.Off
	}
	if r.Index != 2 || last != 6+len(one) || r.Stop() != nfs.StopEnd || r.Off != len(b) {
		t.Errorf("%s: result %d at %d, want 2 at %d: %v", what, r.Index, r.Off, len(b), r.Stop())
	}
	for n := 6; n < 6+len(one); n++ {
		r.Reset(b[:n:n], 6, &nfs.CompoundRes{NumRes: 2}, callback)
		for r.Next() {
		}
		if r.Stop() != nfs.StopShort {
			t.Errorf("%s, %d octets: %v", what, n, r.Stop())
		}
	}
}

func TestResults(t *testing.T) {
	for op := nfs.OpAccess; op <= nfs.OpRemoveXattr; op++ {
		variants, ok := opResults[op]
		if !ok {
			t.Errorf("%v is not tested", op)
		}
		for _, v := range variants {
			checkResult(t, op.String()+" "+v, result(t, op, nfs.OK4, v), false)
		}
		if op != nfs.OpSetattr {
			checkResult(t, op.String()+" that fails", result(t, op, 10006, ""), false)
		}
	}
	for _, f := range opFailures {
		checkResult(t, fmt.Sprint(f.op, f.status), result(t, f.op, f.status, f.rest), false)
	}
}

func TestCallbackResults(t *testing.T) {
	for op := nfs.OpCBGetattr; op <= nfs.OpCBOffload; op++ {
		rest := map[nfs.CBOp]string{nfs.OpCBGetattr: "b2 o16", nfs.OpCBSequence: "16 4 4 4 4"}[op]
		checkResult(t, op.String(), result(t, nfs.Op(op), nfs.OK4, rest), true)
		checkResult(t, op.String()+" that fails", result(t, nfs.Op(op), 10006, ""), true)
	}
}

func TestResultsStop(t *testing.T) {
	for what, tc := range map[string]struct {
		octets []byte
		want   nfs.Stop
	}{
		"an unknown operation":     {result(t, 99, 0, "8"), nfs.StopOp},
		"an undefined delegation":  {result(t, nfs.OpOpen, 0, "16 20 4 b1 =9"), nfs.StopUnion},
		"an undefined READ_PLUS":   {result(t, nfs.OpReadPlus, 0, "4 =1 =2"), nfs.StopUnion},
		"an absurd bitmap":         {append(result(t, nfs.OpSetattr, 0, ""), 0xff, 0xff, 0xff, 0xff), nfs.StopShort},
		"an absurd number of them": {append(result(t, nfs.OpSecInfo, 0, ""), 0xff, 0xff, 0xff, 0xff), nfs.StopShort},
	} {
		var r nfs.Results
		r.Reset(tc.octets, 0, &nfs.CompoundRes{NumRes: 5}, false)
		if !r.Next() || r.Index != 0 || r.Next() || r.Stop() != tc.want {
			t.Errorf("%s: %v, want %v", what, r.Stop(), tc.want)
		}
	}
}

func TestResultsDoNotAllocate(t *testing.T) {
	b := result(t, nfs.OpOpen, 0, "16 20 4 b2 =0")
	var r nfs.Results
	if n := testing.AllocsPerRun(100, func() {
		for r.Reset(b, 0, &nfs.CompoundRes{NumRes: 1}, false); r.Next(); {
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
	var results nfs.Results
	for results.Reset(message, 0, &nfs.CompoundRes{NumRes: 3}, false); results.Next(); {
		fmt.Println(results.Off, results.Name(), results.Status)
	}
	fmt.Println(results.Stop())
	// Output:
	// 0 PUTFH NFS4_OK
	// 8 ACCESS NFS4_OK
	// 24 GETATTR NFS4ERR_DELAY
	// all operations
}

func TestStat3(t *testing.T) {
	for s := range nfs.Stat3(10010) {
		if name := s.String(); s.Known() != !strings.HasPrefix(name, "NFSStat3_") {
			t.Errorf("%d is %s", s, name)
		}
	}
	if nfs.OK3.String() != "NFS3_OK" || nfs.Stat3(70).String() != "NFS3ERR_STALE" {
		t.Error(nfs.OK3, nfs.Stat3(70))
	}
}
