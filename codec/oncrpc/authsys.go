package oncrpc

// The body of an AUTH_SYS credential, RFC 5531, appendix A:
//
//	+-----------------------------------+
//	| stamp                             |  4 octets
//	| machinename (length, data, fill)  |  4 and up to 256
//	| uid                               |  4
//	| gid                               |  4
//	| number of gids                    |  4
//	| gids                              |  4 each, up to 16
//	+-----------------------------------+

import (
	"iter"

	"github.com/iwarpkit/iwarp/codec/field"
)

// AuthSysParms is the body of an AUTH_SYS credential (RFC 5531, appendix A).
type AuthSysParms struct {
	Stamp       uint32 // any number
	MachineName Opaque // the caller's machine, at most 255 octets
	UID, GID    uint32 // the caller's effective user and group
	NumGIDs     uint32 // as stated, at most 16
	GIDs        []byte // 4 octets each, see [AuthSysParms.Groups]; aliases the input of Decode; nil if empty
}

var (
	errsMachineName = NewOpaqueErrors(AuthSysFields, "rpc.auth.machinename.length", "rpc.auth.machinename",
		"machinename is at most 255 octets (RFC 5531, appendix A)")
	errShortGIDs = AuthSysIDFields.Err("rpc.auth.gids", field.ErrShort, "")
)

// Decode reads the body of an AUTH_SYS credential at the beginning of b and returns its length. If b ends before it
// does, Decode returns len(b) and an error that wraps field.ErrShort and names the first incomplete field: the
// fields before it are valid, and GIDs or MachineName.Data is the part that is there.
func (a *AuthSysParms) Decode(b []byte) (n int, err error) {
	*a = AuthSysParms{}
	if len(b) < 4 {
		return len(b), AuthSysFields.Short(len(b))
	}
	a.Stamp = order.Uint32(b)
	n, err = a.MachineName.Decode(b[4:], errsMachineName)
	if n += 4; err != nil {
		return n, err
	}
	return a.decodeIDs(b, n)
}

func (a *AuthSysParms) decodeIDs(b []byte, off int) (n int, err error) {
	ids := b[off:]
	if len(ids) < AuthSysIDFields.Len() {
		var whole [12]byte
		copy(whole[:], ids)
		a.UID, a.GID = order.Uint32(whole[0:]), order.Uint32(whole[4:])
		return len(b), AuthSysIDFields.Short(len(ids))
	}
	a.UID, a.GID, a.NumGIDs = order.Uint32(ids[0:]), order.Uint32(ids[4:]), order.Uint32(ids[8:])
	if ids = ids[12:]; uint64(len(ids)) < 4*uint64(a.NumGIDs) {
		a.GIDs = ids
		return len(b), errShortGIDs
	}
	if end := 4 * int(a.NumGIDs); end > 0 {
		a.GIDs = ids[:end:end]
	}
	return off + 12 + len(a.GIDs), nil
}

// AppendBinary appends the body to b: the stated numbers, right or wrong. It never fails.
func (a *AuthSysParms) AppendBinary(b []byte) ([]byte, error) {
	b = a.MachineName.Append(order.AppendUint32(b, a.Stamp))
	b = order.AppendUint32(b, a.UID)
	b = order.AppendUint32(b, a.GID)
	b = order.AppendUint32(b, a.NumGIDs)
	return append(b, a.GIDs...), nil
}

// Len returns the number of octets that AppendBinary writes.
func (a *AuthSysParms) Len() int { return 4 + a.MachineName.Len() + 12 + len(a.GIDs) }

// Groups yields every complete gid.
func (a *AuthSysParms) Groups() iter.Seq[uint32] {
	return func(yield func(gid uint32) bool) {
		for b := a.GIDs; len(b) >= 4; b = b[4:] {
			if !yield(order.Uint32(b)) {
				return
			}
		}
	}
}
