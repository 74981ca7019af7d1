package rpcrdma

// Chunk lists, RFC 8166, section 4.3; section 4.7 shows how XDR encodes them. With P for Position and HLOO for
// Handle, Length and Offset:
//
//	Read list    1 PHLOO 1 PHLOO 0
//	Write list   1 2 HLOO HLOO 1 1 HLOO 0
//	Reply chunk  1 2 HLOO HLOO, or 0
//
// The first word of each says if anything is there, as does the word after each element of the lists.

import "github.com/iwarpkit/iwarp/codec/field"

// newOptionalFields makes the table of a word that says if something follows: 1, or nothing: 0.
func newOptionalFields(table, source, name, label string) *field.Table {
	return field.NewTable(table, proto, source,
		field.Field{Name: name, Label: label, Off: 0, Width: 32, Base: field.Dec})
}

// The first word of each list, and the word after each of its elements: 1 if an element follows, else 0.
//
// Wireshark's reads_count and writes_count are the number of elements; see [Part.Value].
var (
	CallListFields   = newOptionalFields("RPC-over-RDMA Call chunk", sourceDraft2022, "rpcordma.calls_count", "rdma_call")
	ReadListFields   = newOptionalFields("RPC-over-RDMA Read list", "RFC 8166, section 4.3.1", "rpcordma.reads_count", "rdma_reads")
	ReadNextFields   = newOptionalFields("RPC-over-RDMA Read list, next", "RFC 8166, section 4.3.1", "rpcordma.reads_next", "next")
	WriteListFields  = newOptionalFields("RPC-over-RDMA Write list", "RFC 8166, section 4.3.2", "rpcordma.writes_count", "rdma_writes")
	WriteNextFields  = newOptionalFields("RPC-over-RDMA Write list, next", "RFC 8166, section 4.3.2", "rpcordma.writes_next", "next")
	ReplyChunkFields = newOptionalFields("RPC-over-RDMA Reply chunk", "RFC 8166, section 4.3.3", "rpcordma.reply_count", "rdma_reply")
)

// WriteChunkFields describes the first word of a Write chunk or Reply chunk, which its segments follow.
var WriteChunkFields = field.NewTable("RPC-over-RDMA Write chunk", proto, "RFC 8166, section 3.4.6",
	field.Field{Name: "rpcordma.segment_count", Label: "target", Off: 0, Width: 32, Base: field.Dec})

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

// read reads the word at off. If it is neither 0 nor 1, or cut, it returns the place of the error.
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

// decodeLists reads the three lists that most headers have, from off on.
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

// listsLen is the number of octets that appendLists writes.
func listsLen(reads ReadList, writes WriteList, reply WriteChunk) int {
	return len(reads) + wordLen + len(writes) + wordLen + reply.replyLen()
}

// checkLists is the Check of the three lists.
func checkLists(reads ReadList, writes WriteList, reply WriteChunk) error {
	if err := reads.Check(); err != nil {
		return err
	}
	if err := writes.Check(); err != nil {
		return err
	}
	return reply.Check()
}
