package rpctext

// RPC-over-RDMA messages of version 2 (draft-ietf-nfsv4-rpcrdma-version-two-01, section 6).

// Vers2 is the rdma_vers of version 2.
const Vers2 Word = 2

// ConnPropType is an rdma_htype (section 6.1); Msg and the others have the numbers of version 1.
const ConnPropType Word = 5

// The flags of a message (section 6.2.2).
const (
	Response Word = 1 << 0
	More     Word = 1 << 1
	TPMore   Word = 1 << 2
)

// The codes of an RDMA2_ERROR (section 7).
const (
	BadXDR        Word = 2
	BadPropval    Word = 3
	InvalHType    Word = 4
	InvalCont     Word = 5
	ReadChunks    Word = 6
	WriteChunks   Word = 7
	Segments      Word = 8
	WriteResource Word = 9
	ReplyResource Word = 10
	System        Word = 100
)

// MostCredits is the maximum number of our outstanding credits, as all our messages announce (section 4.2.1.1).
const MostCredits Word = 512

// The grants of our messages: 32 credits with the first message, and one with each later one.
const (
	FirstGrant = MostCredits<<16 | 32
	NextGrant  = MostCredits<<16 | 1
)

// A Message2 is a message of version 2. Msg2 and others return correct ones.
type Message2 struct {
	XID, Vers, Credit, HType, Flags Word
	Body                            string // after the first five words
}

// String returns the message as octets of a Scenario.
func (m Message2) String() string {
	return Join(Words(m.XID, m.Vers, m.Credit, m.HType, m.Flags), m.Body)
}

// Theirs returns the message as the peer sends it: with any credits.
func (m Message2) Theirs() string {
	m.Credit = Any
	return m.String()
}

// With returns the message with more flags.
func (m Message2) With(flags Word) Message2 {
	m.Flags |= flags
	return m
}

func message2(xid, htype Word, body string) Message2 {
	return Message2{XID: xid, Vers: Vers2, Credit: NextGrant, HType: htype, Body: body}
}

// Msg2 returns an RDMA2_MSG of ours: chunks, followed by an RPC message or a part of it.
func Msg2(xid Word, c Chunks, payload string) Message2 { return Invalidating(xid, 0, c, payload) }

// Invalidating returns an RDMA2_MSG whose Reply may invalidate an STag (section 6.2.4).
func Invalidating(xid, stag Word, c Chunks, payload string) Message2 {
	return message2(xid, RDMAMsg, Join(Words(stag), c.String(), payload))
}

// NoMsg2 returns an RDMA2_NOMSG of ours: the RPC message is in a chunk.
func NoMsg2(xid Word, c Chunks) Message2 {
	return message2(xid, RDMANoMsg, Join(Words(0), c.String()))
}

// Grant returns a message that only grants credits (section 6.3.2).
func Grant(credits Word) string {
	m := NoMsg2(0, Chunks{})
	m.Credit = MostCredits<<16 | credits
	return m.String()
}

// Replying returns an RDMA2_MSG with a Reply, or a part of one. Anything matches the word that a Call uses for the STag
// to invalidate.
func Replying(xid Word, c Chunks, payload string) Message2 {
	return Invalidating(xid, Any, c, payload).With(Response)
}

// Reply2 returns the same message as the peer sends it.
func Reply2(xid Word, c Chunks, payload string) string { return Replying(xid, c, payload).Theirs() }

// NoMsgReply returns an RDMA2_NOMSG of the peer: the Reply is in the Reply chunk.
func NoMsgReply(xid Word, c Chunks) string {
	return message2(xid, RDMANoMsg, Join(Words(Any), c.String())).With(Response).Theirs()
}

// Null2 returns a Call of the procedure NULL of a program.
func Null2(xid, program, version Word) string {
	c := CallOf(xid, ProcNull, "")
	c.Program, c.Version = program, version
	return Msg2(xid, Chunks{}, c.String()).String()
}

// NullReply2 returns the peer's Reply to Null2, with its status: any versions of PROG_MISMATCH match.
func NullReply2(xid, status Word) string { return Reply2(xid, Chunks{}, Reply(xid, status, "")) }

// Refusing returns an RDMA2_ERROR of ours with its code and what follows.
func Refusing(xid, code Word, more ...Word) Message2 {
	return message2(xid, RDMAError, Words(append([]Word{code}, more...)...)).With(Response)
}

// Error2 returns an RDMA2_ERROR of the peer.
func Error2(xid, code Word, more ...Word) string { return Refusing(xid, code, more...).Theirs() }
