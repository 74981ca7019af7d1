package nfs_test

import (
	"testing"

	"github.com/iwarpkit/iwarp/codec/nfs"
)

// TestBars has statuses with which a WRITE is lost, and such with which clients go on; and those of files that others have.
func TestBars(t *testing.T) {
	for status, want := range map[uint32]struct{ bars, contends bool }{13: {true, false}, 70: {true, false}, 28: {}, 10008: {}, 10010: {false, true}, 10025: {}} {
		if s := nfs.Stat4(status); s.LosesData() != want.bars || s.IsHeld() != want.contends {
			t.Errorf("%v: bars %v, contends %v", s, s.LosesData(), s.IsHeld())
		}
		if s := nfs.Stat3(status); s.LosesData() != want.bars || s.IsHeld() {
			t.Errorf("%v: bars %v, contends %v", s, s.LosesData(), s.IsHeld())
		}
	}
}

// TestMountStat3 has a status with a name, and one without.
func TestMountStat3(t *testing.T) {
	for status, want := range map[nfs.MountStat3]string{13: "MNT3ERR_ACCES", 4242: "mountstat3 4242"} {
		if got := status.String(); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

// TestEveryday has statuses that tell of trouble, and such that do not.
func TestEveryday(t *testing.T) {
	for _, test := range []struct {
		status interface {
			String() string
			Everyday() bool
			Known() bool
		}
		name            string
		everyday, known bool
	}{
		{nfs.Stat3(0), "NFS3_OK", false, true},
		{nfs.Stat3(2), "NFS3ERR_NOENT", true, true},
		{nfs.Stat3(5), "NFS3ERR_IO", false, true},
		{nfs.Stat3(70), "NFS3ERR_STALE", false, true},
		{nfs.Stat3(10008), "NFS3ERR_JUKEBOX", true, true},
		{nfs.Stat3(4242), "NFSStat3_4242", false, false},
		{nfs.Stat4(2), "NFS4ERR_NOENT", true, true},
		{nfs.Stat4(13), "NFS4ERR_ACCESS", false, true},
		{nfs.Stat4(10013), "NFS4ERR_GRACE", true, true},
		{nfs.Stat4(10016), "NFS4ERR_WRONGSEC", false, true},
		{nfs.Stat4(10052), "NFS4ERR_BADSESSION", true, true},
		{nfs.Stat4(4242), "NFSStat4_4242", false, false},
	} {
		s := test.status
		if s.String() != test.name || s.Everyday() != test.everyday || s.Known() != test.known {
			t.Errorf("%s: %v, everyday %v, known %v", test.name, s, s.Everyday(), s.Known())
		}
	}
}
