package rpcrdma

// Chunk lists, RFC 8166, section 4.3; section 4.7 shows how XDR encodes them. P is Position, HLOO is
// Handle, Length and Offset:
//
//	Read list    1 PHLOO 1 PHLOO 0
//	Write list   1 2 HLOO HLOO 1 1 HLOO 0
//	Reply chunk  1 2 HLOO HLOO, or 0
//
// The first word of each, and the word after each element of a list, say whether anything follows.

import "github.com/iwarpkit/iwarp/codec/field"

// newOptionalFields makes the table of a word that says whether something follows (1) or not (0).
func newOptionalFields(table, source, name, label string) *field.Table {
	return field.NewTable(table, proto, source,
		field.Field{Name: name, Label: label, Off: 0, Width: 32, Base: field.Dec})
}

// An optional is a word that must be 0 or 1.
type optional struct {
	table *field.Table
	bad   *field.Error
}

func newOptional(table *field.Table) optional {
	return optional{table, table.Err(table.Fields[0].Name, field.ErrValue, "must be 0 or 1 (RFC 4506, section 4.19)")}
}

var (
	callFirst  = newOptional(CallListFields)
	readFirst  = newOptional(ReadListFields)
	readNext   = newOptional(ReadNextFields)
	writeFirst = newOptional(WriteListFields)
	writeNext  = newOptional(WriteNextFields)
	replyFirst = newOptional(ReplyChunkFields)
)

// read reads the word at off. If that is neither 0 nor 1, or truncated, it returns the place of the error.
func (o *optional) read(b []byte, off int) (follows bool, n int, err error) {
	if len(b)-off < wordLen {
		return false, len(b), o.table.Short(len(b) - off)
	}
	switch word(b, off) {
	case 0:
		return false, off + wordLen, nil
	case 1:
		return true, off + wordLen, nil
	}
	return false, off, o.bad
}

// decodeLists reads the three lists of most headers, which begin at off.
func decodeLists(b []byte, off int, reads *ReadList, writes *WriteList, reply *WriteChunk) (n int, err error) {
	if n, err = reads.decode(b, off, &readFirst); err != nil {
		return n, err
	}
	if n, err = writes.decode(b, n); err != nil {
		return n, err
	}
	return reply.decodeReply(b, n)
}

// appendLists appends what decodeLists reads.
func appendLists(b []byte, reads ReadList, writes WriteList, reply WriteChunk) []byte {
	return reply.appendReply(writes.append(reads.append(b)))
}

// listsLen returns the number of octets that appendLists writes.
func listsLen(reads ReadList, writes WriteList, reply WriteChunk) int {
	return len(reads) + wordLen + len(writes) + wordLen + reply.replyLen()
}
