package nfs_test

import (
	"testing"

	"github.com/iwarpkit/iwarp/codec/nfs"
	"github.com/iwarpkit/iwarp/internal/codectest"
)

// TestEnums checks the names of known and unknown values.
func TestEnums(t *testing.T) {
	codectest.Names(t, "Op", nfs.Op.String, map[nfs.Op]string{
		3: "ACCESS", 22: "PUTFH", 39: "RELEASE_LOCKOWNER", 53: "SEQUENCE", 58: "RECLAIM_COMPLETE", 59: "ALLOCATE", 71: "CLONE",
		75: "REMOVEXATTR", 10044: "ILLEGAL", 2: "Op2", 76: "Op76"})
	codectest.Names(t, "CBOp", nfs.CBOp.String, map[nfs.CBOp]string{
		3: "CB_GETATTR", 11: "CB_SEQUENCE", 15: "CB_OFFLOAD", 10044: "CB_ILLEGAL", 16: "CBOp16"})
	codectest.Names(t, "NFSStat4", nfs.Stat4.String, map[nfs.Stat4]string{
		0: "NFS4_OK", 2: "NFS4ERR_NOENT", 70: "NFS4ERR_STALE", 10008: "NFS4ERR_DELAY", 10048: "NFS4ERR_CB_PATH_DOWN", 10052: "NFS4ERR_BADSESSION",
		10063: "NFS4ERR_SEQ_MISORDERED", 10087: "NFS4ERR_DELEG_REVOKED", 10096: "NFS4ERR_XATTR2BIG", 3: "NFSStat4_3"})
	if !nfs.OK4.Known() || nfs.Stat4(3).Known() {
		t.Error("Known is wrong")
	}
}
