package oncrpc_test

import (
	"testing"

	"github.com/iwarpkit/iwarp/codec/oncrpc"
)

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
		{oncrpc.NFSStat3(0), "NFS3_OK", false, true},
		{oncrpc.NFSStat3(2), "NFS3ERR_NOENT", true, true},
		{oncrpc.NFSStat3(5), "NFS3ERR_IO", false, true},
		{oncrpc.NFSStat3(70), "NFS3ERR_STALE", false, true},
		{oncrpc.NFSStat3(10008), "NFS3ERR_JUKEBOX", true, true},
		{oncrpc.NFSStat3(4242), "NFSStat3_4242", false, false},
		{oncrpc.NFSStat4(2), "NFS4ERR_NOENT", true, true},
		{oncrpc.NFSStat4(13), "NFS4ERR_ACCESS", false, true},
		{oncrpc.NFSStat4(10013), "NFS4ERR_GRACE", true, true},
		{oncrpc.NFSStat4(10052), "NFS4ERR_BADSESSION", false, true},
		{oncrpc.NFSStat4(4242), "NFSStat4_4242", false, false},
	} {
		s := test.status
		if s.String() != test.name || s.Everyday() != test.everyday || s.Known() != test.known {
			t.Errorf("%s: %v, everyday %v, known %v", test.name, s, s.Everyday(), s.Known())
		}
	}
}

func TestNotOffered(t *testing.T) {
	for stat, want := range map[oncrpc.AcceptStat]bool{
		oncrpc.Success: false, oncrpc.ProgUnavail: true, oncrpc.ProgMismatch: true, oncrpc.ProcUnavail: true,
		oncrpc.GarbageArgs: false, oncrpc.SystemErr: false, 6: false,
	} {
		if stat.NotOffered() != want {
			t.Errorf("%v: not offered %v", stat, !want)
		}
	}
}
