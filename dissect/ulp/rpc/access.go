package rpc

// Rights that a server does not grant: ACCESS succeeds all the same.

import (
	"encoding/binary"

	"github.com/iwarpkit/iwarp/codec/nfs"
	"github.com/iwarpkit/iwarp/dissect/ulp"
)

// noRights is the Status of an ACCESS that grants nothing.
const noRights = "no rights"

// Where NFSv3 has the rights: behind the attributes, if they are there (ACCESS3resok: RFC 1813, section 3.3.4).
const (
	access3      = 4  // the procedure
	attributes3  = 84 // octets of fattr3
	rights3After = 8  // octets: the status, and whether there are attributes
)

// grantsNothing reports whether the results of a procedure that succeeded are those of an ACCESS that grants none of the rights that the client
// asked about.
func (x *Exchange) grantsNothing(results []byte) bool {
	body, _, plain := x.Protection.Unwrap(results)
	switch {
	case !plain:
	case x.isNFS3(access3):
		at := rights3After
		if len(body) >= at && binary.BigEndian.Uint32(body[4:]) != 0 {
			at += attributes3
		}
		return len(body) >= at+4 && binary.BigEndian.Uint32(body[at:]) == 0
	case x.Procedure.IsCompound() && x.has(nfs.OpAccess):
		return grantsNothing4(body)
	}
	return false
}

// grantsNothing4 is the same of a COMPOUND.
func grantsNothing4(body []byte) bool {
	var res nfs.CompoundRes
	n, err := res.Decode(body)
	if err != nil {
		return false
	}
	var all nfs.Results
	for all.Reset(body, n, &res, false); all.Next(); {
		if at := all.Off + nfs.ResultLen; all.Op == nfs.OpAccess && len(body) >= at+8 {
			supported, granted := binary.BigEndian.Uint32(body[at:]), binary.BigEndian.Uint32(body[at+4:])
			return supported != 0 && granted == 0
		}
	}
	return false
}

// deny notes that the client may do nothing there. Programs live with it.
func (x *Exchange) deny() {
	const permission = 13 // NFS4ERR_ACCESS
	x.everyday, x.passage, x.advice = true, ulp.Denied, nfsAdvice[permission]
}
