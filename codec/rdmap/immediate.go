package rdmap

// The Immediate Data header, RFC 7306, section 6.2:
//
//	 0                   1                   2                   3
//	 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//	+---------------------------------------------------------------+
//	|                        Immediate Data                         |
//	+                                                               +
//	|                                                               |
//	+---------------------------------------------------------------+

// ImmediateLen is the length of the header in octets.
const ImmediateLen = 8

// Immediate is the header of Immediate Data and Immediate Data with SE (RFC 7306, section 6.2).
type Immediate struct {
	ImmediateData uint64 // 8 octets of the ULP, here as a big-endian number
}

// Decode reads the first 8 octets of b and returns their number. If b is shorter, it returns len(b) and an error that
// wraps field.ErrShort.
func (h *Immediate) Decode(b []byte) (n int, err error) {
	if len(b) < ImmediateLen {
		h.ImmediateData = 0
		return len(b), ImmediateFields.Short(len(b))
	}
	h.ImmediateData = order.Uint64(b)
	return ImmediateLen, nil
}

// AppendBinary appends the header to b. It never fails.
func (h *Immediate) AppendBinary(b []byte) ([]byte, error) {
	return order.AppendUint64(b, h.ImmediateData), nil
}

// Len returns the number of octets that AppendBinary writes: 8.
func (h *Immediate) Len() int { return ImmediateLen }
