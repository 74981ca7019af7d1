package rpcrdma

// The bodies of error messages: RFC 8166, section 4.5, and draft-ietf-nfsv4-rpcrdma-version-two, sections 6.3.3 and 7.
// They follow the header's prefix:
//
//	code  version 1   version 2        body, 4 octets each
//	   1  ERR_VERS    VERS             rdma_vers_low, rdma_vers_high
//	   2  ERR_CHUNK   BAD_XDR
//	   3              BAD_PROPVAL
//	   4              INVAL_HTYPE
//	   5              INVAL_CONT
//	   6              READ_CHUNKS      rdma_max_chunks
//	   7              WRITE_CHUNKS     rdma_max_chunks
//	   8              SEGMENTS         rdma_max_segments
//	   9              WRITE_RESOURCE   rdma_chunk_index, rdma_length_needed
//	  10              REPLY_RESOURCE   rdma_length_needed
//	  11              VERS_MISMATCH    (Draft2022 only)
//	 100              SYSTEM

import "github.com/iwarpkit/iwarp/codec/field"

// ErrCode is the error that an RDMA_ERROR of version 1 reports.
type ErrCode uint32

// The errors of RFC 8166, section 4.5.
const (
	ErrCodeVers  ErrCode = 1 // the version is not supported
	ErrCodeChunk ErrCode = 2 // any other error in the header
)

var errCodes = field.Enum{Kind: "ErrCode", Values: []field.Value{{1, "ERR_VERS"}, {2, "ERR_CHUNK"}}}

// String returns the name as RFC 8166 has it, "ERR_CHUNK", or the number of an unknown code, "ErrCode3".
func (c ErrCode) String() string { return errCodes.Name(uint64(c)) }

// Known reports whether RFC 8166 defines the code.
func (c ErrCode) Known() bool { return errCodes.Has(uint64(c)) }

// ErrCode2 is the error that an RDMA2_ERROR of version 2 reports.
type ErrCode2 uint32

// The errors of draft 01, section 7; ErrCode2VersMismatch is of [Draft2022] only.
const (
	ErrCode2Vers          ErrCode2 = 1   // the version is not supported
	ErrCode2BadXDR        ErrCode2 = 2   // the header does not parse
	ErrCode2BadPropval    ErrCode2 = 3   // a property does not parse
	ErrCode2InvalHType    ErrCode2 = 4   // the header type is unknown, or not allowed here
	ErrCode2InvalCont     ErrCode2 = 5   // a sequence of messages is broken
	ErrCode2ReadChunks    ErrCode2 = 6   // too many Read chunks
	ErrCode2WriteChunks   ErrCode2 = 7   // too many Write chunks
	ErrCode2Segments      ErrCode2 = 8   // too many segments
	ErrCode2WriteResource ErrCode2 = 9   // a Write chunk is too small
	ErrCode2ReplyResource ErrCode2 = 10  // the Reply chunk is too small
	ErrCode2VersMismatch  ErrCode2 = 11  // the version is not that of the messages before
	ErrCode2System        ErrCode2 = 100 // any other problem
)

var errCodes2 = field.Enum{Kind: "ErrCode", Values: []field.Value{
	{1, "RDMA2_ERR_VERS"}, {2, "RDMA2_ERR_BAD_XDR"}, {3, "RDMA2_ERR_BAD_PROPVAL"}, {4, "RDMA2_ERR_INVAL_HTYPE"},
	{5, "RDMA2_ERR_INVAL_CONT"}, {6, "RDMA2_ERR_READ_CHUNKS"}, {7, "RDMA2_ERR_WRITE_CHUNKS"}, {8, "RDMA2_ERR_SEGMENTS"},
	{9, "RDMA2_ERR_WRITE_RESOURCE"}, {10, "RDMA2_ERR_REPLY_RESOURCE"}, {11, "RDMA2_ERR_VERS_MISMATCH"}, {100, "RDMA2_ERR_SYSTEM"},
}}

// String returns the name as the draft has it, "RDMA2_ERR_BAD_XDR", or the number of an unknown code, "ErrCode12".
func (c ErrCode2) String() string { return errCodes2.Name(uint64(c)) }

// Known reports whether one of the drafts defines the code.
func (c ErrCode2) Known() bool { return errCodes2.Has(uint64(c)) }

func newErrorFields(table, source string, names *field.Enum) *field.Table {
	return field.NewTable(table, proto, source,
		field.Field{Name: "rpcordma.errcode", Label: "rdma_err", Off: 0, Width: 32, Base: field.Dec,
			Names: names.Name, Known: names.Known()})
}

// words makes the table of an arm of successive words.
func words(table string, names ...string) *field.Table {
	fields := make([]field.Field, len(names))
	for i, name := range names {
		fields[i] = field.Field{Name: "rpcordma." + name, Label: "rdma_" + name, Off: 32 * i, Width: 32, Base: field.Dec}
	}
	return field.NewTable(table, proto, "draft-ietf-nfsv4-rpcrdma-version-two-01, section 6.3.3", fields...)
}

// arm describes what follows the code; nil if nothing does.
func (c ErrCode) arm() *field.Table {
	if c == ErrCodeVers {
		return VersRangeFields
	}
	return nil
}

// arm describes what follows the code; nil if nothing does.
func (c ErrCode2) arm() *field.Table {
	switch c {
	case ErrCode2Vers:
		return VersRangeFields
	case ErrCode2ReadChunks, ErrCode2WriteChunks:
		return MaxChunksFields
	case ErrCode2Segments:
		return MaxSegmentsFields
	case ErrCode2WriteResource:
		return WriteResourceFields
	case ErrCode2ReplyResource:
		return LengthNeededFields
	}
	return nil
}

// Error2 is the body of an RDMA2_ERROR (draft 01, section 6.3.3). Err says which of the other fields are present; the
// others are zero.
type Error2 struct {
	Err          ErrCode2
	VersLow      uint32 // VERS: the lowest version that is supported
	VersHigh     uint32 // VERS: the highest
	MaxChunks    uint32 // READ_CHUNKS, WRITE_CHUNKS: the most chunks; 0 if none can be processed
	MaxSegments  uint32 // SEGMENTS: the most segments
	ChunkIndex   uint32 // WRITE_RESOURCE: the chunk that is too small, from 1; 0 if that is not known
	LengthNeeded uint32 // WRITE_RESOURCE, REPLY_RESOURCE: octets that the chunk needs; 0 if that is not known
}

// values returns the fields after Err, in the order of the wire.
func (e *Error2) values() (first, second *uint32) {
	switch e.Err {
	case ErrCode2Vers:
		return &e.VersLow, &e.VersHigh
	case ErrCode2ReadChunks, ErrCode2WriteChunks:
		return &e.MaxChunks, nil
	case ErrCode2Segments:
		return &e.MaxSegments, nil
	case ErrCode2WriteResource:
		return &e.ChunkIndex, &e.LengthNeeded
	case ErrCode2ReplyResource:
		return &e.LengthNeeded, nil
	}
	return nil, nil
}

// Decode reads a body and returns its length: 4, 8 or 12 octets. The body of an unknown code is the code alone. If b is
// shorter, it returns len(b) and an error that wraps field.ErrShort and names the first incomplete field; the
// fields before it are valid.
func (e *Error2) Decode(b []byte) (n int, err error) {
	*e = Error2{}
	return e.decode(b, 0)
}

// decode reads the body that begins at off into e, which is zero.
func (e *Error2) decode(b []byte, off int) (n int, err error) {
	if len(b)-off < wordLen {
		return len(b), Error2Fields.Short(len(b) - off)
	}
	e.Err = ErrCode2(word(b, off))
	off += wordLen
	first, second := e.values()
	for i, v := range [...]*uint32{first, second} {
		if v == nil {
			break
		}
		if len(b)-off < wordLen {
			return len(b), e.Err.arm().Short(i*wordLen + len(b) - off)
		}
		*v = word(b, off)
		off += wordLen
	}
	return off, nil
}

// AppendBinary appends Err and its fields. It never fails.
func (e *Error2) AppendBinary(b []byte) ([]byte, error) {
	b = order.AppendUint32(b, uint32(e.Err))
	first, second := e.values()
	if first != nil {
		b = order.AppendUint32(b, *first)
	}
	if second != nil {
		b = order.AppendUint32(b, *second)
	}
	return b, nil
}

// Len returns the number of octets that AppendBinary writes.
func (e *Error2) Len() int {
	n := wordLen
	if arm := e.Err.arm(); arm != nil {
		n += arm.Len()
	}
	return n
}
