package nfs

// What the arguments and results of NFSv4's COMPOUND and CB_COMPOUND begin with, RFC 7863 (COMPOUND4args,
// COMPOUND4res, CB_COMPOUND4args, CB_COMPOUND4res):
//
//	COMPOUND arguments           CB_COMPOUND arguments        results of both
//	+-------------------------+  +-------------------------+  +-------------------------+
//	| tag (length, data, fill)|  | tag (length, data, fill)|  | status                  |
//	| minorversion            |  | minorversion            |  | tag (length, data, fill)|
//	| number of operations    |  | callback_ident          |  | number of results       |
//	+-------------------------+  | number of operations    |  +-------------------------+
//	| opcode                  |  +-------------------------+  | opcode                  |
//	| its arguments           |  | opcode                  |  | status                  |
//	| opcode ...              |  | its arguments ...       |  | the rest of it ...      |
//	+-------------------------+  +-------------------------+  +-------------------------+

import "github.com/iwarpkit/iwarp/codec/oncrpc"

const compoundSource = "RFC 7863, section 4"

var errsTag = oncrpc.NewOpaqueErrors(TagFields, "nfs.tag.length", "nfs.tag", "the tag is too long")

// CompoundArgs begins the arguments of COMPOUND (COMPOUND4args); the operations follow.
type CompoundArgs struct {
	Tag          oncrpc.Opaque // any text of the client, returned in the results
	MinorVersion uint32
	NumOps       uint32 // number of operations, as stated
}

// Decode reads the beginning of the arguments and returns its length: where the first operation begins. If b ends
// first, Decode returns len(b) and an error that wraps field.ErrShort and names the first incomplete field;
// the fields before it are valid.
func (c *CompoundArgs) Decode(b []byte) (n int, err error) {
	c.MinorVersion, c.NumOps = 0, 0
	n, err = c.Tag.Decode(b, errsTag)
	if err != nil {
		return n, err
	}
	var numbers [8]byte
	m := copy(numbers[:], b[n:])
	c.MinorVersion, c.NumOps = order.Uint32(numbers[0:]), order.Uint32(numbers[4:])
	return n + m, CompoundFields.Short(m)
}

// AppendBinary appends the beginning of the arguments to b. It never fails.
func (c *CompoundArgs) AppendBinary(b []byte) ([]byte, error) {
	b = order.AppendUint32(c.Tag.Append(b), c.MinorVersion)
	return order.AppendUint32(b, c.NumOps), nil
}

// Len returns the number of octets that AppendBinary writes.
func (c *CompoundArgs) Len() int { return c.Tag.Len() + 8 }

// CBCompoundArgs begins the arguments of CB_COMPOUND (CB_COMPOUND4args); the operations follow.
type CBCompoundArgs struct {
	Tag           oncrpc.Opaque // any text of the server, returned in the results
	MinorVersion  uint32
	CallbackIdent uint32 // what the client chose in SETCLIENTID; without meaning from minor version 1 on
	NumOps        uint32 // number of operations, as stated
}

// Decode reads the beginning of the arguments and returns its length: where the first operation begins. If b ends
// first, Decode returns len(b) and an error that wraps field.ErrShort and names the first incomplete field;
// the fields before it are valid.
func (c *CBCompoundArgs) Decode(b []byte) (n int, err error) {
	c.MinorVersion, c.CallbackIdent, c.NumOps = 0, 0, 0
	n, err = c.Tag.Decode(b, errsTag)
	if err != nil {
		return n, err
	}
	var numbers [12]byte
	m := copy(numbers[:], b[n:])
	c.MinorVersion, c.CallbackIdent, c.NumOps = order.Uint32(numbers[0:]), order.Uint32(numbers[4:]), order.Uint32(numbers[8:])
	return n + m, CBCompoundFields.Short(m)
}

// AppendBinary appends the beginning of the arguments to b. It never fails.
func (c *CBCompoundArgs) AppendBinary(b []byte) ([]byte, error) {
	b = order.AppendUint32(c.Tag.Append(b), c.MinorVersion)
	b = order.AppendUint32(b, c.CallbackIdent)
	return order.AppendUint32(b, c.NumOps), nil
}

// Len returns the number of octets that AppendBinary writes.
func (c *CBCompoundArgs) Len() int { return c.Tag.Len() + 12 }

// CompoundRes begins the results of COMPOUND and of CB_COMPOUND (COMPOUND4res, CB_COMPOUND4res). The results of the
// operations follow, each of which begins with a [Result].
//
// A server stops at the first operation that fails: if Status is not OK4 it is that of the last result, which
// belongs to the operation of the Call with the index NumRes - 1.
type CompoundRes struct {
	Status Stat4         // that of the last operation that was done
	Tag    oncrpc.Opaque // that of the Call
	NumRes uint32        // number of results, as stated
}

// Decode reads the beginning of the results and returns its length: where the first result begins. If b ends first,
// Decode returns len(b) and an error that wraps field.ErrShort and names the first incomplete field; the fields
// before it are valid.
func (c *CompoundRes) Decode(b []byte) (n int, err error) {
	*c = CompoundRes{}
	if len(b) < 4 {
		return len(b), CompoundResFields.Short(len(b))
	}
	c.Status = Stat4(order.Uint32(b))
	n, err = c.Tag.Decode(b[4:], errsTag)
	if n += 4; err != nil {
		return n, err
	}
	if len(b) < n+4 {
		return len(b), NumResFields.Short(len(b) - n)
	}
	c.NumRes = order.Uint32(b[n:])
	return n + 4, nil
}

// AppendBinary appends the beginning of the results to b. It never fails.
func (c *CompoundRes) AppendBinary(b []byte) ([]byte, error) {
	b = c.Tag.Append(order.AppendUint32(b, uint32(c.Status)))
	return order.AppendUint32(b, c.NumRes), nil
}

// Len returns the number of octets that AppendBinary writes.
func (c *CompoundRes) Len() int { return 4 + c.Tag.Len() + 4 }

// ResultLen is the length in octets of a [Result].
const ResultLen = 8

// Result begins the result of any operation.
type Result struct {
	ResOp  Op // the operation; in a CB_COMPOUND, CBOp(ResOp) is
	Status Stat4
}

// Decode reads the first 8 octets of b and returns their number. If b is shorter, it returns len(b) and an error that
// wraps field.ErrShort and names the first incomplete field; the fields before it are valid.
func (r *Result) Decode(b []byte) (n int, err error) {
	var whole [ResultLen]byte
	n = copy(whole[:], b)
	r.ResOp, r.Status = Op(order.Uint32(whole[0:])), Stat4(order.Uint32(whole[4:]))
	return n, ResultFields.Short(n)
}

// AppendBinary appends the beginning of the result to b. It never fails.
func (r *Result) AppendBinary(b []byte) ([]byte, error) {
	b = order.AppendUint32(b, uint32(r.ResOp))
	return order.AppendUint32(b, uint32(r.Status)), nil
}

// Len returns the number of octets that AppendBinary writes: 8.
func (r *Result) Len() int { return ResultLen }
