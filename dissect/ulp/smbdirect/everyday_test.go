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
		{Exchange{Code: cmdCreate, Status: 0xc0000034}, true}, // STATUS_OBJECT_NAME_NOT_FOUND
		{Exchange{Code: cmdCreate, Status: accessDenied}, true},
		{Exchange{Code: cmdTreeConnect, Status: accessDenied}, false},
		{Exchange{Code: cmdRead, Status: 0xc0000011}, true},  // STATUS_END_OF_FILE
		{Exchange{Code: cmdIoctl, Status: 0xc00000bb}, true}, // STATUS_NOT_SUPPORTED
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

// TestLocal has statuses that are about data, and such that are not.
func TestLocal(t *testing.T) {
	for status, local := range map[Status]struct{ write, read bool }{
		0xc000007f:   {true, true}, // STATUS_DISK_FULL
		accessDenied: {false, false},
		0xc0000203:   {false, false}, // STATUS_USER_SESSION_DELETED
		0xc0000008:   {true, false},  // STATUS_INVALID_HANDLE
		0xc00000ff:   {true, false},  // it has no name
	} {
		for code, want := range map[uint16]bool{cmdWrite: local.write, cmdRead: local.read} {
			if x := (Exchange{Code: code, Status: status, id: 7}); x.Local() != want || x.Place() != 7 {
				t.Errorf("%v of %d: %v at %d", status, code, x.Local(), x.Place())
			}
		}
	}
}

// TestAdvice has advice by the status, and about any NEGOTIATE of SMB2 that fails.
func TestAdvice(t *testing.T) {
	const notSupported, diskFull = 0xc00000bb, 0xc000007f
	for want, x := range map[string]Exchange{
		negotiateAdvice: {Code: cmdNegotiate, Status: notSupported},
		fullAdvice:      {Code: cmdWrite, Status: diskFull},
		"":              {Code: cmdNegotiate, Status: notSupported, direct: true},
	} {
		if got := x.Advice(); got != want {
			t.Errorf("%+v: %q", x, got)
		}
	}
}
