package smbdirect

// The names of SMB2 commands and status codes: [MS-SMB2], section 2.2.1, and [MS-ERREF], section 2.3.1.

import (
	"fmt"
	"iter"
	"maps"
	"slices"
)

// The commands that this package treats specially.
const (
	cmdNegotiate      = 0x0000
	cmdSessionSetup   = 0x0001
	cmdLogoff         = 0x0002
	cmdTreeConnect    = 0x0003
	cmdTreeDisconnect = 0x0004
	cmdRead           = 0x0008
	cmdWrite          = 0x0009
	cmdIoctl          = 0x000b
	cmdCancel         = 0x000c
	cmdChangeNotify   = 0x000f
	cmdEcho           = 0x000d
	cmdQueryInfo      = 0x0010
	cmdNotification   = 0x0013
)

const namePrefix = "SMB2 "

// commandNames are the names by Command.
var commandNames = [...]string{
	cmdNegotiate:      "SMB2 NEGOTIATE",
	cmdSessionSetup:   "SMB2 SESSION_SETUP",
	cmdLogoff:         "SMB2 LOGOFF",
	cmdTreeConnect:    "SMB2 TREE_CONNECT",
	cmdTreeDisconnect: "SMB2 TREE_DISCONNECT",
	0x0005:            "SMB2 CREATE",
	0x0006:            "SMB2 CLOSE",
	0x0007:            "SMB2 FLUSH",
	cmdRead:           "SMB2 READ",
	cmdWrite:          "SMB2 WRITE",
	0x000a:            "SMB2 LOCK",
	cmdIoctl:          "SMB2 IOCTL",
	cmdCancel:         "SMB2 CANCEL",
	cmdEcho:           "SMB2 ECHO",
	0x000e:            "SMB2 QUERY_DIRECTORY",
	cmdChangeNotify:   "SMB2 CHANGE_NOTIFY",
	cmdQueryInfo:      "SMB2 QUERY_INFO",
	0x0011:            "SMB2 SET_INFO",
	0x0012:            "SMB2 OPLOCK_BREAK",
	cmdNotification:   "SMB2 SERVER_TO_CLIENT_NOTIFICATION",
}

// name returns the name of the command, with what an IOCTL asks: "SMB2 IOCTL FSCTL_PIPE_WAIT", or its number.
func (c *Command) name() string {
	if c.Control == 0 {
		return commandName(c.Code)
	}
	return controlName(c.Control)
}

const ioctlPrefix = "SMB2 IOCTL "

// controlName returns the name of an IOCTL with this CtlCode, or its number, "SMB2 IOCTL 0x00000001".
func controlName(code uint32) string {
	if name, ok := controls[code]; ok {
		return name
	}
	return fmt.Sprintf("%s0x%08x", ioctlPrefix, code)
}

// controls are the names of IOCTLs by CtlCode: [MS-SMB2], section 2.2.31.
var controls = map[uint32]string{
	0x00060194: ioctlPrefix + "FSCTL_DFS_GET_REFERRALS",
	0x000601b0: ioctlPrefix + "FSCTL_DFS_GET_REFERRALS_EX",
	0x000900a4: ioctlPrefix + "FSCTL_SET_REPARSE_POINT",
	0x00098208: ioctlPrefix + "FSCTL_FILE_LEVEL_TRIM",
	0x00110018: ioctlPrefix + "FSCTL_PIPE_WAIT",
	0x0011400c: ioctlPrefix + "FSCTL_PIPE_PEEK",
	0x0011c017: ioctlPrefix + "FSCTL_PIPE_TRANSCEIVE",
	0x00140078: ioctlPrefix + "FSCTL_SRV_REQUEST_RESUME_KEY",
	0x001401d4: ioctlPrefix + "FSCTL_LMR_REQUEST_RESILIENCY",
	0x001401fc: ioctlPrefix + "FSCTL_QUERY_NETWORK_INTERFACE_INFO",
	0x00140204: ioctlPrefix + "FSCTL_VALIDATE_NEGOTIATE_INFO",
	0x00144064: ioctlPrefix + "FSCTL_SRV_ENUMERATE_SNAPSHOTS",
	0x001440f2: ioctlPrefix + "FSCTL_SRV_COPYCHUNK",
	0x001441bb: ioctlPrefix + "FSCTL_SRV_READ_HASH",
	0x001480f2: ioctlPrefix + "FSCTL_SRV_COPYCHUNK_WRITE",
}

// commandName returns the name of a command, or its number, "SMB2 0x00c1".
func commandName(code uint16) string {
	if int(code) < len(commandNames) {
		return commandNames[code]
	}
	return fmt.Sprintf("%s0x%04x", namePrefix, code)
}

// A Status is an NTSTATUS.
type Status uint32

const (
	statusPending  Status = 0x00000103
	statusMoreAuth Status = 0xc0000016
	accessDenied   Status = 0xc0000022
)

// Failed reports whether the status is an error: its severity is STATUS_SEVERITY_ERROR, and it does not merely ask for the
// next step of an authentication.
func (s Status) Failed() bool { return s>>30 == 3 && s != statusMoreAuth }

// String returns the name of the status, or its number, "0xc00000ff".
func (s Status) String() string {
	if known, ok := statuses[s]; ok {
		return known.name
	}
	return fmt.Sprintf("0x%08x", uint32(s))
}

// known yields the numbers that have a name, in ascending order.
func known[K ~uint32, V any](names map[K]V) iter.Seq[uint64] {
	return func(yield func(uint64) bool) {
		for _, number := range slices.Sorted(maps.Keys(names)) {
			if !yield(uint64(number)) {
				return
			}
		}
	}
}

// A use is what a status means for an analysis.
type use uint8

const (
	other      use = iota // success, or trouble
	everyday              // it is about files and locks that programs ask for
	notOffered            // the server does not offer a feature, such as DFS
	local                 // data could not be read or stored
	denied                // the client may not do this
	gone                  // the server no longer has the session, the share or the file, or no room for more: clients begin anew
)

// statuses are those that file servers use.
var statuses = map[Status]struct {
	name string
	use  use
}{
	0x00000000:     {"STATUS_SUCCESS", other},
	statusPending:  {"STATUS_PENDING", other},
	0x0000010b:     {"STATUS_NOTIFY_CLEANUP", other},
	0x0000010c:     {"STATUS_NOTIFY_ENUM_DIR", other},
	0x80000005:     {"STATUS_BUFFER_OVERFLOW", other},
	0x80000006:     {"STATUS_NO_MORE_FILES", other},
	0x8000001a:     {"STATUS_NO_MORE_ENTRIES", other},
	0x8000002d:     {"STATUS_STOPPED_ON_SYMLINK", other},
	0xc0000001:     {"STATUS_UNSUCCESSFUL", other},
	0xc0000002:     {"STATUS_NOT_IMPLEMENTED", notOffered},
	0xc0000003:     {"STATUS_INVALID_INFO_CLASS", notOffered},
	0xc0000004:     {"STATUS_INFO_LENGTH_MISMATCH", other},
	0xc0000008:     {"STATUS_INVALID_HANDLE", other},
	0xc000000d:     {"STATUS_INVALID_PARAMETER", other},
	0xc000000e:     {"STATUS_NO_SUCH_DEVICE", other},
	0xc000000f:     {"STATUS_NO_SUCH_FILE", everyday},
	0xc0000010:     {"STATUS_INVALID_DEVICE_REQUEST", notOffered},
	0xc0000011:     {"STATUS_END_OF_FILE", everyday},
	statusMoreAuth: {"STATUS_MORE_PROCESSING_REQUIRED", other},
	0xc0000017:     {"STATUS_NO_MEMORY", gone},
	accessDenied:   {"STATUS_ACCESS_DENIED", denied},
	0xc0000023:     {"STATUS_BUFFER_TOO_SMALL", everyday},
	0xc000002a:     {"STATUS_NOT_LOCKED", everyday},
	0xc0000033:     {"STATUS_OBJECT_NAME_INVALID", everyday},
	0xc0000034:     {"STATUS_OBJECT_NAME_NOT_FOUND", everyday},
	0xc0000035:     {"STATUS_OBJECT_NAME_COLLISION", everyday},
	0xc000003a:     {"STATUS_OBJECT_PATH_NOT_FOUND", everyday},
	0xc000003e:     {"STATUS_DATA_ERROR", local},
	0xc000003f:     {"STATUS_CRC_ERROR", local},
	0xc0000043:     {"STATUS_SHARING_VIOLATION", everyday},
	0xc000004f:     {"STATUS_EAS_NOT_SUPPORTED", everyday},
	0xc0000052:     {"STATUS_NO_EAS_ON_FILE", everyday},
	0xc0000054:     {"STATUS_FILE_LOCK_CONFLICT", everyday},
	0xc0000055:     {"STATUS_LOCK_NOT_GRANTED", everyday},
	0xc0000056:     {"STATUS_DELETE_PENDING", everyday},
	0xc0000044:     {"STATUS_QUOTA_EXCEEDED", local},
	0xc000005e:     {"STATUS_NO_LOGON_SERVERS", other},
	0xc0000061:     {"STATUS_PRIVILEGE_NOT_HELD", denied},
	0xc0000064:     {"STATUS_NO_SUCH_USER", other},
	0xc000006a:     {"STATUS_WRONG_PASSWORD", other},
	0xc000006d:     {"STATUS_LOGON_FAILURE", other},
	0xc000006e:     {"STATUS_ACCOUNT_RESTRICTION", other},
	0xc000006f:     {"STATUS_INVALID_LOGON_HOURS", other},
	0xc0000070:     {"STATUS_INVALID_WORKSTATION", other},
	0xc0000071:     {"STATUS_PASSWORD_EXPIRED", other},
	0xc0000072:     {"STATUS_ACCOUNT_DISABLED", other},
	0xc000007e:     {"STATUS_RANGE_NOT_LOCKED", everyday},
	0xc000007f:     {"STATUS_DISK_FULL", local},
	0xc000009a:     {"STATUS_INSUFFICIENT_RESOURCES", gone},
	0xc000009c:     {"STATUS_DEVICE_DATA_ERROR", local},
	0xc00000a2:     {"STATUS_MEDIA_WRITE_PROTECTED", local},
	0xc00000a5:     {"STATUS_BAD_IMPERSONATION_LEVEL", other},
	0xc00000ac:     {"STATUS_PIPE_NOT_AVAILABLE", everyday},
	0xc00000ae:     {"STATUS_PIPE_BUSY", everyday},
	0xc00000b0:     {"STATUS_PIPE_DISCONNECTED", everyday},
	0xc00000b5:     {"STATUS_IO_TIMEOUT", local},
	0xc00000ba:     {"STATUS_FILE_IS_A_DIRECTORY", everyday},
	0xc00000bb:     {"STATUS_NOT_SUPPORTED", notOffered},
	0xc00000c9:     {"STATUS_NETWORK_NAME_DELETED", gone},
	0xc00000cc:     {"STATUS_BAD_NETWORK_NAME", other},
	0xc00000ce:     {"STATUS_TOO_MANY_SESSIONS", other},
	0xc00000d0:     {"STATUS_REQUEST_NOT_ACCEPTED", other},
	0xc00000e2:     {"STATUS_OPLOCK_NOT_GRANTED", everyday},
	0xc00000e3:     {"STATUS_INVALID_OPLOCK_PROTOCOL", everyday},
	0xc00000e5:     {"STATUS_INTERNAL_ERROR", other},
	0xc00000e9:     {"STATUS_UNEXPECTED_IO_ERROR", local},
	0xc0000101:     {"STATUS_DIRECTORY_NOT_EMPTY", everyday},
	0xc0000102:     {"STATUS_FILE_CORRUPT_ERROR", local},
	0xc0000103:     {"STATUS_NOT_A_DIRECTORY", everyday},
	0xc0000120:     {"STATUS_CANCELLED", everyday},
	0xc0000121:     {"STATUS_CANNOT_DELETE", other},
	0xc0000128:     {"STATUS_FILE_CLOSED", gone},
	0xc0000133:     {"STATUS_TIME_DIFFERENCE_AT_DC", other},
	0xc000015b:     {"STATUS_LOGON_TYPE_NOT_GRANTED", other},
	0xc0000184:     {"STATUS_INVALID_DEVICE_STATE", other},
	0xc0000185:     {"STATUS_IO_DEVICE_ERROR", local},
	0xc0000193:     {"STATUS_ACCOUNT_EXPIRED", other},
	0xc000019c:     {"STATUS_FS_DRIVER_REQUIRED", notOffered},
	0xc00001a1:     {"STATUS_INVALID_LOCK_RANGE", everyday},
	0xc0000203:     {"STATUS_USER_SESSION_DELETED", gone},
	0xc0000205:     {"STATUS_INSUFF_SERVER_RESOURCES", gone},
	0xc0000225:     {"STATUS_NOT_FOUND", everyday},
	0xc000022a:     {"STATUS_DUPLICATE_OBJECTID", other},
	0xc0000224:     {"STATUS_PASSWORD_MUST_CHANGE", other},
	0xc0000234:     {"STATUS_ACCOUNT_LOCKED_OUT", other},
	0xc0000257:     {"STATUS_PATH_NOT_COVERED", everyday},
	0xc0000275:     {"STATUS_NOT_A_REPARSE_POINT", everyday},
	0xc0000279:     {"STATUS_IO_REPARSE_TAG_NOT_HANDLED", everyday},
	0xc00002f0:     {"STATUS_OBJECTID_NOT_FOUND", everyday},
	0xc000035c:     {"STATUS_NETWORK_SESSION_EXPIRED", gone},
	0xc00000be:     {"STATUS_BAD_NETWORK_PATH", other},
	0xc000018d:     {"STATUS_TRUSTED_RELATIONSHIP_FAILURE", other},
	0xc000020c:     {"STATUS_CONNECTION_DISCONNECTED", gone},
	0xc0000466:     {"STATUS_SERVER_UNAVAILABLE", gone},
	0xc0000480:     {"STATUS_SHARE_UNAVAILABLE", gone},
	0xc05d0000:     {"STATUS_SMB_NO_PREAUTH_INTEGRITY_HASH_OVERLAP", other},
}
