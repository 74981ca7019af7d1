package rpctext2

// RPC-over-RDMA messages of version 2 (draft-ietf-nfsv4-rpcrdma-version-two-01, section 6).

import "github.com/iwarpkit/iwarp/replay/conform/internal/rpctext"

// Vers is the rdma_vers of version 2.
const Vers rpctext.Word = 2

// ConnPropType is an rdma_htype (section 6.1); Msg and the others have the numbers of version 1.
const ConnPropType rpctext.Word = 5

// The flags of a message (section 6.2.2).
const (
	Response rpctext.Word = 1 << 0
	More     rpctext.Word = 1 << 1
	TPMore   rpctext.Word = 1 << 2
)

// The codes of an RDMA2_ERROR (section 7).
const (
	BadXDR        rpctext.Word = 2
	BadPropval    rpctext.Word = 3
	InvalHType    rpctext.Word = 4
	InvalCont     rpctext.Word = 5
	ReadChunks    rpctext.Word = 6
	WriteChunks   rpctext.Word = 7
	Segments      rpctext.Word = 8
	WriteResource rpctext.Word = 9
	ReplyResource rpctext.Word = 10
	System        rpctext.Word = 100
)

// MostCredits is the maximum number of our outstanding credits, as all our messages announce (section 4.2.1.1).
const MostCredits rpctext.Word = 512

// The grants of our messages: 32 credits with the first message, and one with each later one.
const (
	FirstGrant = MostCredits<<16 | 32
	NextGrant  = MostCredits<<16 | 1
)

// A Message is a message of version 2. Msg and others return correct ones.
type Message struct {
	XID, Vers, Credit, HType, Flags rpctext.Word
	Body                            string // after the first five words
}

// String returns the message as octets of a Scenario.
func (m Message) String() string {
	return rpctext.Join(rpctext.Words(m.XID, m.Vers, m.Credit, m.HType, m.Flags), m.Body)
}

// Theirs returns the message as the peer sends it: with any credits.
func (m Message) Theirs() string {
	m.Credit = rpctext.Any
	return m.String()
}

// With returns the message with more flags.
func (m Message) With(flags rpctext.Word) Message {
	m.Flags |= flags
	return m
}

func message(xid, htype rpctext.Word, body string) Message {
	return Message{XID: xid, Vers: Vers, Credit: NextGrant, HType: htype, Body: body}
}

// Msg returns an RDMA2_MSG of ours: chunks, followed by an RPC message or a part of it.
func Msg(xid rpctext.Word, c rpctext.Chunks, payload string) Message {
	return Invalidating(xid, 0, c, payload)
}

// Invalidating returns an RDMA2_MSG whose Reply may invalidate an STag (section 6.2.4).
func Invalidating(xid, stag rpctext.Word, c rpctext.Chunks, payload string) Message {
	return message(xid, rpctext.RDMAMsg, rpctext.Join(rpctext.Words(stag), c.String(), payload))
}

// NoMsg returns an RDMA2_NOMSG of ours: the RPC message is in a chunk.
func NoMsg(xid rpctext.Word, c rpctext.Chunks) Message {
	return message(xid, rpctext.RDMANoMsg, rpctext.Join(rpctext.Words(0), c.String()))
}

// Grant returns a message that only grants credits (section 6.3.2).
func Grant(credits rpctext.Word) string {
	m := NoMsg(0, rpctext.Chunks{})
	m.Credit = MostCredits<<16 | credits
	return m.String()
}

// Replying returns an RDMA2_MSG with a Reply, or a part of one. Anything matches the word that a Call uses for the STag
// to invalidate.
func Replying(xid rpctext.Word, c rpctext.Chunks, payload string) Message {
	return Invalidating(xid, rpctext.Any, c, payload).With(Response)
}

// Reply returns the same message as the peer sends it.
func Reply(xid rpctext.Word, c rpctext.Chunks, payload string) string {
	return Replying(xid, c, payload).Theirs()
}

// NoMsgReply returns an RDMA2_NOMSG of the peer: the Reply is in the Reply chunk.
func NoMsgReply(xid rpctext.Word, c rpctext.Chunks) string {
	return message(xid, rpctext.RDMANoMsg, rpctext.Join(rpctext.Words(rpctext.Any), c.String())).With(Response).Theirs()
}

// Null returns a message with a Call of the procedure NULL of a program.
func Null(xid, program, version rpctext.Word) string {
	return Msg(xid, rpctext.Chunks{}, rpctext.NullCall(xid, program, version)).String()
}

// NullReply returns the peer's Reply to Null, with its status: any versions of PROG_MISMATCH match.
func NullReply(xid, status rpctext.Word) string {
	return Reply(xid, rpctext.Chunks{}, rpctext.Reply(xid, status, ""))
}

// Refusing returns an RDMA2_ERROR of ours with its code and what follows.
func Refusing(xid, code rpctext.Word, more ...rpctext.Word) Message {
	return message(xid, rpctext.RDMAError, rpctext.Words(append([]rpctext.Word{code}, more...)...)).With(Response)
}

// Error returns an RDMA2_ERROR of the peer.
func Error(xid, code rpctext.Word, more ...rpctext.Word) string {
	return Refusing(xid, code, more...).Theirs()
}
