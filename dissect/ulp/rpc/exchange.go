package rpc

// What is reported about an RPC.

import (
	"slices"

	"github.com/iwarpkit/iwarp/codec/nfs"
	"github.com/iwarpkit/iwarp/codec/oncrpc"
	"github.com/iwarpkit/iwarp/codec/rpcrdma"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/ulp"
)

// An Exchange is an RPC: a Call, its Reply, and the chunks that moved parts of them. It is valid until the method that
// receives it returns; Clone makes a copy that lasts.
type Exchange struct {
	XID     uint32
	Dialect rpcrdma.Dialect
	Reverse bool   // the server calls the client (RFC 8167)
	Name    string // "NFSv4.1 COMPOUND SEQUENCE PUTFH READ"; "RPC" if the Call could not be read
	Repeats int    // how often the Call was repeated

	Known      bool // the Call could be read
	Procedure  oncrpc.Procedure
	Protection oncrpc.Protection
	Minor      uint32     // minor version of a COMPOUND or CB_COMPOUND
	Operations []nfs.Op   // of a COMPOUND, as far as their lengths are known and the next one, at most MaxOperations
	Callbacks  []nfs.CBOp // the same of a CB_COMPOUND

	Call, Reply Half
	Reads       []Chunk // by Position; that at Position 0 holds the whole Call
	Writes      []Chunk // the Write list
	ReplyChunk  Chunk   // without Segments if none was offered
	ChunksCut   bool    // the Call has more segments than are followed, or its last Send was not captured; the rest is left out

	// Result is the result in the Reply, or the error in its place: "SUCCESS", "NFS4ERR_NOENT", "AUTH_TOOWEAK",
	// "ERR_CHUNK". It is empty if there is neither.
	Result string

	compound bool        // Minor is known
	partial  bool        // there may be operations beside those that are known
	mounts   bool        // the Call looks for the directory that a client wants to mount
	path     string      // that is called so
	inits    bool        // the Call begins a context of RPCSEC_GSS, or goes on with that
	everyday bool        // Result is an error that is normal in everyday use
	passage  ulp.Passage // when it explains a failure all the same
	local    bool        // Result says that data could not be read or stored

	advice string // what to do about Result
}

// empty resets x, and keeps its memory.
func (x *Exchange) empty() {
	operations, callbacks, reads, writes := x.Operations[:0], x.Callbacks[:0], x.Reads[:0], x.Writes[:0]
	*x = Exchange{}
	x.Operations, x.Callbacks, x.Reads, x.Writes = operations, callbacks, reads, writes
}

// Answer implements record.Exchange.
func (x *Exchange) Answer() string { return x.Result }

// Everyday implements record.Exchange: a file does not exist or is delayed, or the server does not have the program, the
// version or the procedure.
func (x *Exchange) Everyday() bool { return x.everyday }

// Passage implements ulp.Passing.
func (x *Exchange) Passage() ulp.Passage { return x.passage }

// Place implements ulp.Placed: each Call works on something else, for clients do not repeat one over an error that is local.
func (x *Exchange) Place() uint64 { return uint64(x.XID) }

// Local implements ulp.Placed: data could not be read or stored.
func (x *Exchange) Local() bool { return x.local }

// Credits implements ulp.Credited.
func (x *Exchange) Credits() (asked, granted uint32) { return x.Call.Credits, x.Reply.Credits }

// rpc returns what is needed to read the Reply.
func (x *Exchange) rpc() oncrpc.Exchange {
	return oncrpc.Exchange{Procedure: x.Procedure, Protection: x.Protection}
}

// Speaks implements ulp.Speaker.
func (x *Exchange) Speaks(proto string) bool {
	return proto == nfsProto && x.Procedure.Program == oncrpc.ProgramNFS
}

// MaxOperations is how many operations of a COMPOUND are named.
const MaxOperations = 32

// A Half is one of the two messages of an Exchange, as it was sent.
type Half struct {
	flow.Span              // its Sends; zero if none was seen
	Kind            string // of the last one: "RDMA_MSG"
	Credits         uint32 // of the last one: requested or granted; of version 2 those that it grants beyond earlier ones
	Parts           int    // Sends; several if the message is continued
	Inline          uint64 // octets of the RPC message that they carry
	Len             uint64 // octets of the RPC message, those in chunks with their roundup octets too; 0 if not known
	Invalidates     bool   // it came with a Send with Invalidate
	InvalidatedSTag uint32 // the STag that this names
}

// A Chunk is memory of the Requester to be read or written.
type Chunk struct {
	Position uint32    // of a Read chunk
	Segments []Segment // in the order of the list
}

// A Segment is a segment of a chunk as the Call offers it, and what became of it.
type Segment struct {
	rpcrdma.Segment
	Returned uint32 // of Write chunks and the Reply chunk: octets, as the Reply has it
	Moved    uint64 // octets that RDMA Reads or Writes moved
	Moves    []Move // the RDMA Reads or Writes, at most MaxMoves; the last one stands for all others
}

// MaxMoves is how many RDMA Reads and Writes of one segment are distinguished.
const MaxMoves = 32

// A Move is the part of an RDMA Read or Write that concerns one Segment.
type Move struct {
	Request flow.Span // of an RDMA Read: the Read Request; zero of an RDMA Write
	Data    flow.Span // the segments of the Read Response, or of the Write
	Offset  uint64    // where it begins, as a TO
	Octets  uint64
}

// Offered is the number of octets that the chunk can hold.
func (c *Chunk) Offered() (n uint64) {
	for i := range c.Segments {
		n += uint64(c.Segments[i].Length)
	}
	return n
}

// Returned is the number of octets that the Reply says were written.
func (c *Chunk) Returned() (n uint64) {
	for i := range c.Segments {
		n += uint64(c.Segments[i].Returned)
	}
	return n
}

// Moved is the number of octets that RDMA Reads or Writes moved.
func (c *Chunk) Moved() (n uint64) {
	for i := range c.Segments {
		n += c.Segments[i].Moved
	}
	return n
}

// Clone returns a copy that lasts.
func (x *Exchange) Clone() *Exchange {
	c := *x
	c.Operations, c.Callbacks = slices.Clone(x.Operations), slices.Clone(x.Callbacks)
	c.Reads, c.Writes = cloneChunks(x.Reads), cloneChunks(x.Writes)
	c.ReplyChunk = x.ReplyChunk.clone()
	return &c
}

// Copy implements record.Exchange.
func (x *Exchange) Copy() any { return x.Clone() }

func cloneChunks(chunks []Chunk) []Chunk {
	c := slices.Clone(chunks)
	for i := range c {
		c[i] = c[i].clone()
	}
	return c
}

func (c *Chunk) clone() Chunk {
	n := Chunk{c.Position, slices.Clone(c.Segments)}
	for i := range n.Segments {
		n.Segments[i].Moves = slices.Clone(n.Segments[i].Moves)
	}
	return n
}

// A Message is an RPC message put together from Sends and chunks. It is valid until Options.OnMessage returns.
type Message struct {
	record.Origin           // its sender, and the Sends that carried it or listed its chunks
	Exchange      *Exchange // as far as it is known by now
	Reply         bool
	Len           uint64   // octets of the RPC message; 0 if not known
	Whole         bool     // Octets is all of it
	Octets        []byte   // the message, as far as it was captured and kept; without what is in Unplaced
	Unplaced      [][]byte // per Write chunk of a Reply: octets whose place in the message is not known
}
