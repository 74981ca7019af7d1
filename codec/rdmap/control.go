package rdmap

// The octets that DDP reserves for RDMAP (RsvdULP), RFC 5040, section 4.1. A tagged segment has the first only:
//
//	 0                   1                   2                   3
//	 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//	                                                +---+---+-------+
//	                                                |RV |Rsv| Opcode|
//	+-----------------------------------------------+---+---+-------+
//	|                        Invalidate STag                        |
//	+---------------------------------------------------------------+

import "github.com/iwarpkit/iwarp/codec/field"

// Control is the RDMAP control octet (RFC 5040, section 4.1).
type Control struct {
	RV     uint8  // 2 bits, RDMAP version, the same as the DDP version
	Rsv    uint8  // 2 bits, zero on transmit, ignored on receive
	Opcode Opcode // 4 bits
}

var (
	errRV     = ControlFields.Err("iwarp_rdma.version", field.ErrValue, "must be 1, or 0 on an RDMAC stream (RFC 5040, section 4.1)")
	errRVExt  = ControlFields.Err("iwarp_rdma.version", field.ErrValue, "must be 1 for this opcode (RFC 7306, section 4.1)")
	errRsv    = ControlFields.Err("iwarp_rdma.rsv", field.ErrValue, "must be zero on transmit (RFC 5040, section 4.1)")
	errOpcode = ControlFields.Err("iwarp_rdma.opcode", field.ErrValue, "is not assigned (RFC 6580, section 3.4)")

	errRVRange     = ControlFields.Err("iwarp_rdma.version", field.ErrRange, "")
	errRsvRange    = ControlFields.Err("iwarp_rdma.rsv", field.ErrRange, "")
	errOpcodeRange = ControlFields.Err("iwarp_rdma.opcode", field.ErrRange, "")
)

// Decode reads the first octet of b and returns 1. If b is empty it returns 0 and an error that wraps field.ErrShort.
func (c *Control) Decode(b []byte) (n int, err error) {
	if len(b) < ControlLen {
		*c = Control{}
		return 0, ControlFields.Short(0)
	}
	*c = controlOf(b[0])
	return ControlLen, nil
}

func controlOf(octet byte) Control {
	return Control{RV: octet >> 6, Rsv: octet >> 4 & 3, Opcode: Opcode(octet & 15)}
}

// Octet packs the control octet. It is false if a value exceeds its field.
func (c *Control) Octet() (octet byte, ok bool) {
	return c.RV<<6 | c.Rsv<<4 | byte(c.Opcode), c.RV < 1<<2 && c.Rsv < 1<<2 && c.Opcode < 1<<4
}

// AppendBinary appends the control octet to b. It fails, with an error that wraps field.ErrRange, only if a value
// exceeds its field.
func (c *Control) AppendBinary(b []byte) ([]byte, error) {
	octet, ok := c.Octet()
	if !ok {
		return b, c.rangeError()
	}
	return append(b, octet), nil
}

// rangeError picks the error for the value that does not fit.
func (c *Control) rangeError() error {
	switch {
	case c.RV >= 1<<2:
		return errRVRange
	case c.Rsv >= 1<<2:
		return errRsvRange
	}
	return errOpcodeRange
}

// Len returns the number of octets that AppendBinary writes: 1.
func (c *Control) Len() int { return ControlLen }

// Check reports what a sender must not send, whatever the stream: a version that is neither RFC 5040's nor RDMAC's,
// reserved bits set, an opcode that is not assigned, or one of RFC 7306 in the RDMAC version. The error wraps
// field.ErrValue and names the field.
func (c *Control) Check() error {
	switch {
	case c.RV > Version:
		return errRV
	case c.Rsv != 0:
		return errRsv
	case !c.Opcode.Known():
		return errOpcode
	case c.Opcode.Extension() && c.RV != Version:
		return errRVExt
	}
	return nil
}
