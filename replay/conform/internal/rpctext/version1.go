package rpctext

// RPC-over-RDMA messages of version 1 (RFC 8166, section 4).

// The types of a message, rdma_proc (RFC 8166, section 4.2.4), and the codes of an RDMA_ERROR (section 4.5).
const (
	RDMAMsg   Word = 0
	RDMANoMsg Word = 1
	RDMAMsgP  Word = 2
	RDMADone  Word = 3
	RDMAError Word = 4

	ErrVers  Word = 1
	ErrChunk Word = 2
)

// MinHeader is the length in octets of a header without chunks.
const MinHeader = 28

// What all our messages have: rdma_vers, and the number of credits that they request, or grant in the reverse direction.
const (
	Vers1   Word = 1
	Credits Word = 32
)

// A Message1 is a message of version 1. Msg and others return correct ones.
type Message1 struct {
	XID, Vers, Credit, Proc Word
	Body                    string // after the first four words: lists and payload, or the rest of an RDMA_ERROR
}

// String returns the message as octets of a Scenario.
func (m Message1) String() string {
	return Join(Words(m.XID, m.Vers, m.Credit, m.Proc), m.Body)
}

// OfType returns a message of ours with any rdma_proc.
func OfType(xid, proc Word, body string) Message1 {
	return Message1{XID: xid, Vers: Vers1, Credit: Credits, Proc: proc, Body: body}
}

// Msg returns an RDMA_MSG of ours: chunks, followed by an RPC message.
func Msg(xid Word, c Chunks, payload string) Message1 {
	return OfType(xid, RDMAMsg, Join(c.String(), payload))
}

// NoMsg returns an RDMA_NOMSG of ours: the RPC message is in a chunk.
func NoMsg(xid Word, c Chunks) Message1 { return OfType(xid, RDMANoMsg, c.String()) }

// Failure1 returns an RDMA_ERROR of ours with its code and what follows.
func Failure1(xid, code Word, more ...Word) Message1 {
	return OfType(xid, RDMAError, Words(append([]Word{code}, more...)...))
}

// Theirs returns a message as the peer sends it: with any credits.
func (m Message1) Theirs() string {
	m.Credit = Any
	return m.String()
}

// Null returns a message with a NullCall.
func Null(xid, program, version Word) string {
	return Msg(xid, Chunks{}, NullCall(xid, program, version)).String()
}

// NullReply returns the peer's Reply to Null, with its status: any versions of PROG_MISMATCH match.
func NullReply(xid, status Word) string { return Msg(xid, Chunks{}, Reply(xid, status, "")).Theirs() }

// Error1 returns an RDMA_ERROR of the peer with its code and what follows.
func Error1(xid, vers, code Word, more ...Word) string {
	m := Failure1(xid, code, more...)
	m.Vers = vers
	return m.Theirs()
}

// RefusedChunk returns the peer's ERR_CHUNK to a message of version 1.
func RefusedChunk(xid Word) string { return Error1(xid, Vers1, ErrChunk) }
