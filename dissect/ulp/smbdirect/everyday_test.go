package smbdirect

import "testing"

// TestControlNames names a CtlCode that has no name by its number.
func TestControlNames(t *testing.T) {
	for code, want := range map[uint64]string{0x00060194: "FSCTL_DFS_GET_REFERRALS", 0x00090000: "0x00090000"} {
		if got := ctlCode.Names(code); got != want {
			t.Errorf("%#x: %q", code, got)
		}
	}
}

// TestEveryday has statuses that explain a failure, and such that do not.
func TestEveryday(t *testing.T) {
	const cmdCreate = 5
	for _, test := range []struct {
		exchange Exchange
		everyday bool
	}{
		{Exchange{Code: cmdCreate, Status: 0xc0000034}, true},  // STATUS_OBJECT_NAME_NOT_FOUND
		{Exchange{Code: cmdCreate, Status: 0xc0000022}, false}, // STATUS_ACCESS_DENIED
		{Exchange{Code: cmdRead, Status: 0xc0000011}, true},    // STATUS_END_OF_FILE
		{Exchange{Code: cmdIoctl, Status: 0xc00000bb}, true},   // STATUS_NOT_SUPPORTED
		{Exchange{Code: cmdWrite, Status: 0xc00000bb}, false},
		{Exchange{Code: cmdWrite, Status: 0xc000007f}, false},     // STATUS_DISK_FULL
		{Exchange{Code: cmdQueryInfo, Status: 0xc0000128}, false}, // STATUS_FILE_CLOSED
		{Exchange{Code: cmdQueryInfo, Status: 0xc0000128, Behind: true}, true},
	} {
		if got := test.exchange.Everyday(); got != test.everyday {
			t.Errorf("%+v: everyday %v", test.exchange, got)
		}
	}
}
