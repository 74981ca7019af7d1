package smbdirect

// What an analysis asks of a command.

import (
	"fmt"

	"github.com/iwarpkit/iwarp/dissect/analysis"
)

// Identify implements analysis.Identifier.
func (f *follower) Identify(t *analysis.Transaction) string { return fmt.Sprintf("MessageId %d", t.ID) }

// Everyday implements analysis.Everyday: the status tells of files and locks, or that the server does not offer what
// clients ask for; or the command failed with the one that it was compounded with.
func (x *Exchange) Everyday() bool {
	switch x.Code {
	case cmdIoctl, cmdQueryInfo:
		if notOffered[x.Status] {
			return true
		}
	}
	return x.Behind || everyday[x.Status]
}

// notOffered are the statuses that say that the server does not know what is asked for.
var notOffered = map[Status]bool{
	0xc0000002: true, // STATUS_NOT_IMPLEMENTED
	0xc0000003: true, // STATUS_INVALID_INFO_CLASS
	0xc0000010: true, // STATUS_INVALID_DEVICE_REQUEST
	0xc00000bb: true, // STATUS_NOT_SUPPORTED
	0xc000019c: true, // STATUS_FS_DRIVER_REQUIRED: no DFS
}

// everyday are the statuses that tell of files and locks.
var everyday = map[Status]bool{
	0xc000000f: true, // STATUS_NO_SUCH_FILE
	0xc0000011: true, // STATUS_END_OF_FILE
	0xc0000023: true, // STATUS_BUFFER_TOO_SMALL
	0xc0000034: true, // STATUS_OBJECT_NAME_NOT_FOUND
	0xc0000035: true, // STATUS_OBJECT_NAME_COLLISION
	0xc000003a: true, // STATUS_OBJECT_PATH_NOT_FOUND
	0xc0000043: true, // STATUS_SHARING_VIOLATION
	0xc0000052: true, // STATUS_NO_EAS_ON_FILE
	0xc0000054: true, // STATUS_FILE_LOCK_CONFLICT
	0xc0000055: true, // STATUS_LOCK_NOT_GRANTED
	0xc0000056: true, // STATUS_DELETE_PENDING
	0xc000007e: true, // STATUS_RANGE_NOT_LOCKED
	0xc00000ba: true, // STATUS_FILE_IS_A_DIRECTORY
	0xc0000101: true, // STATUS_DIRECTORY_NOT_EMPTY
	0xc0000103: true, // STATUS_NOT_A_DIRECTORY
	0xc0000120: true, // STATUS_CANCELLED
	0xc0000225: true, // STATUS_NOT_FOUND
	0xc0000257: true, // STATUS_PATH_NOT_COVERED: to be asked for with DFS
	0xc0000275: true, // STATUS_NOT_A_REPARSE_POINT
}
