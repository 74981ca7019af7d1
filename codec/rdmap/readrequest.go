package rdmap

// The RDMA Read Request header, RFC 5040, section 4.4:
//
//	 0                   1                   2                   3
//	 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//	+---------------------------------------------------------------+
//	|                 Data Sink STag (SinkSTag)                     |
//	+---------------------------------------------------------------+
//	|                 Data Sink Tagged Offset (SinkTO)              |
//	+                                                               +
//	|                                                               |
//	+---------------------------------------------------------------+
//	|                 RDMA Read Message Size (RDMARDSZ)             |
//	+---------------------------------------------------------------+
//	|                 Data Source STag (SrcSTag)                    |
//	+---------------------------------------------------------------+
//	|                 Data Source Tagged Offset (SrcTO)             |
//	+                                                               +
//	|                                                               |
//	+---------------------------------------------------------------+

// ReadRequest is the header of an RDMA Read Request (RFC 5040, section 4.4). A Terminate may carry one back, with
// the octets that were already sent taken off (section 4.8).
type ReadRequest struct {
	SinkSTag uint32 // STag of the tagged buffer that is read into, at the requester
	SinkTO   uint64 // TO in it
	RDMARDSZ uint32 // octets to read, 0 to 2^32-1
	SrcSTag  uint32 // STag of the tagged buffer that is read from, at the responder
	SrcTO    uint64 // TO in it
}

// Decode reads the first 28 octets of b and returns their number. If b is shorter, it returns len(b) and an error
// that wraps field.ErrShort and names the first incomplete field; the fields before it are valid.
func (h *ReadRequest) Decode(b []byte) (n int, err error) {
	if len(b) < ReadRequestLen {
		var whole [ReadRequestLen]byte
		copy(whole[:], b)
		h.decode(&whole)
		return len(b), ReadRequestFields.Short(len(b))
	}
	h.decode((*[ReadRequestLen]byte)(b))
	return ReadRequestLen, nil
}

func (h *ReadRequest) decode(b *[ReadRequestLen]byte) {
	h.SinkSTag = order.Uint32(b[0:])
	h.SinkTO = order.Uint64(b[4:])
	h.RDMARDSZ = order.Uint32(b[12:])
	h.SrcSTag = order.Uint32(b[16:])
	h.SrcTO = order.Uint64(b[20:])
}

// AppendBinary appends the header to b. It never fails.
func (h *ReadRequest) AppendBinary(b []byte) ([]byte, error) {
	b = order.AppendUint32(b, h.SinkSTag)
	b = order.AppendUint64(b, h.SinkTO)
	b = order.AppendUint32(b, h.RDMARDSZ)
	b = order.AppendUint32(b, h.SrcSTag)
	return order.AppendUint64(b, h.SrcTO), nil
}

// Len returns the number of octets that AppendBinary writes: 28.
func (h *ReadRequest) Len() int { return ReadRequestLen }

// Advanced is the header that a Terminate carries back if the error came up after n octets of the response were sent
// (RFC 5040, section 4.8): both offsets n further, the size n less. n must not exceed RDMARDSZ.
func (h *ReadRequest) Advanced(n uint32) ReadRequest {
	a := *h
	a.SinkTO += uint64(n)
	a.SrcTO += uint64(n)
	a.RDMARDSZ -= n
	return a
}
