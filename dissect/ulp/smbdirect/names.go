package smbdirect

// What SMB2 commands and status codes are called: [MS-SMB2], section 2.2.1, and [MS-ERREF], section 2.3.1.

import "fmt"

// The commands that are more than a name here.
const (
	cmdRead         = 0x0008
	cmdWrite        = 0x0009
	cmdIoctl        = 0x000b
	cmdCancel       = 0x000c
	cmdChangeNotify = 0x000f
	cmdQueryInfo    = 0x0010
)

const namePrefix = "SMB2 "

// commandNames are the names by Command.
var commandNames = [...]string{
	0x0000:          "SMB2 NEGOTIATE",
	0x0001:          "SMB2 SESSION_SETUP",
	0x0002:          "SMB2 LOGOFF",
	0x0003:          "SMB2 TREE_CONNECT",
	0x0004:          "SMB2 TREE_DISCONNECT",
	0x0005:          "SMB2 CREATE",
	0x0006:          "SMB2 CLOSE",
	0x0007:          "SMB2 FLUSH",
	cmdRead:         "SMB2 READ",
	cmdWrite:        "SMB2 WRITE",
	0x000a:          "SMB2 LOCK",
	cmdIoctl:        "SMB2 IOCTL",
	cmdCancel:       "SMB2 CANCEL",
	0x000d:          "SMB2 ECHO",
	0x000e:          "SMB2 QUERY_DIRECTORY",
	cmdChangeNotify: "SMB2 CHANGE_NOTIFY",
	cmdQueryInfo:    "SMB2 QUERY_INFO",
	0x0011:          "SMB2 SET_INFO",
	0x0012:          "SMB2 OPLOCK_BREAK",
	0x0013:          "SMB2 SERVER_TO_CLIENT_NOTIFICATION",
}

// commandName is the name of a command, or of one that has none its number, "SMB2 0x00c1".
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
)

// Failed tells whether the status is an error: one of the severity STATUS_SEVERITY_ERROR that does not merely ask for
// the next step of an authentication.
func (s Status) Failed() bool { return s>>30 == 3 && s != statusMoreAuth }

// String is the name of the status, or of one that has none here its number, "0xc00000ff".
func (s Status) String() string {
	if name, ok := statusNames[s]; ok {
		return name
	}
	return fmt.Sprintf("0x%08x", uint32(s))
}

// statusNames are those that file servers use.
var statusNames = map[Status]string{
	0x00000000:     "STATUS_SUCCESS",
	statusPending:  "STATUS_PENDING",
	0x0000010b:     "STATUS_NOTIFY_CLEANUP",
	0x0000010c:     "STATUS_NOTIFY_ENUM_DIR",
	0x80000005:     "STATUS_BUFFER_OVERFLOW",
	0x80000006:     "STATUS_NO_MORE_FILES",
	0x8000001a:     "STATUS_NO_MORE_ENTRIES",
	0x8000002d:     "STATUS_STOPPED_ON_SYMLINK",
	0xc0000001:     "STATUS_UNSUCCESSFUL",
	0xc0000002:     "STATUS_NOT_IMPLEMENTED",
	0xc0000003:     "STATUS_INVALID_INFO_CLASS",
	0xc0000004:     "STATUS_INFO_LENGTH_MISMATCH",
	0xc0000008:     "STATUS_INVALID_HANDLE",
	0xc000000d:     "STATUS_INVALID_PARAMETER",
	0xc000000f:     "STATUS_NO_SUCH_FILE",
	0xc0000010:     "STATUS_INVALID_DEVICE_REQUEST",
	0xc0000011:     "STATUS_END_OF_FILE",
	statusMoreAuth: "STATUS_MORE_PROCESSING_REQUIRED",
	0xc0000022:     "STATUS_ACCESS_DENIED",
	0xc0000023:     "STATUS_BUFFER_TOO_SMALL",
	0xc0000033:     "STATUS_OBJECT_NAME_INVALID",
	0xc0000034:     "STATUS_OBJECT_NAME_NOT_FOUND",
	0xc0000035:     "STATUS_OBJECT_NAME_COLLISION",
	0xc000003a:     "STATUS_OBJECT_PATH_NOT_FOUND",
	0xc0000043:     "STATUS_SHARING_VIOLATION",
	0xc0000054:     "STATUS_FILE_LOCK_CONFLICT",
	0xc0000055:     "STATUS_LOCK_NOT_GRANTED",
	0xc0000056:     "STATUS_DELETE_PENDING",
	0xc000006a:     "STATUS_WRONG_PASSWORD",
	0xc000006d:     "STATUS_LOGON_FAILURE",
	0xc000007f:     "STATUS_DISK_FULL",
	0xc000009a:     "STATUS_INSUFFICIENT_RESOURCES",
	0xc00000ba:     "STATUS_FILE_IS_A_DIRECTORY",
	0xc00000bb:     "STATUS_NOT_SUPPORTED",
	0xc00000c9:     "STATUS_NETWORK_NAME_DELETED",
	0xc00000cc:     "STATUS_BAD_NETWORK_NAME",
	0xc00000d0:     "STATUS_REQUEST_NOT_ACCEPTED",
	0xc0000101:     "STATUS_DIRECTORY_NOT_EMPTY",
	0xc0000103:     "STATUS_NOT_A_DIRECTORY",
	0xc0000120:     "STATUS_CANCELLED",
	0xc0000121:     "STATUS_CANNOT_DELETE",
	0xc0000128:     "STATUS_FILE_CLOSED",
	0xc000019c:     "STATUS_FS_DRIVER_REQUIRED",
	0xc0000203:     "STATUS_USER_SESSION_DELETED",
	0xc0000225:     "STATUS_NOT_FOUND",
	0xc0000257:     "STATUS_PATH_NOT_COVERED",
	0xc000035c:     "STATUS_NETWORK_SESSION_EXPIRED",
}
