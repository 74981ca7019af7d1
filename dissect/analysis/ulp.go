package analysis

import (
	"github.com/iwarpkit/iwarp/dissect/record"
)

// A ULP is an upper layer: it recognises its connections and follows them.
type ULP interface {
	Name() string // "RPC-over-RDMA"

	// Recognise looks at a connection: at its MPA frames when both were seen (send is nil), then at each of the first
	// Sends of either side, with its payload. It returns what will follow the connection, or nil if it is not this
	// upper layer's as far as can be seen.
	Recognise(c *record.Conn, send *record.Message, payload []byte) Follower
}

// A Follower follows one connection for a ULP. What it is given is valid until the method returns.
type Follower interface {
	// Begin is called once, before all else.
	Begin(Reporter)
	// Send is a message of a Send type or Immediate Data; payload is its ULP payload, as far as it was captured and
	// fits Options.MaxPayload.
	Send(m *record.Message, payload []byte)
	// Request is a Read or Atomic Request.
	Request(t *record.Transaction)
	// Tagged is a segment of an RDMA Write, for which t is nil, or of a Read Response to t, which is nil too if the
	// request was not seen. Its payload is s.RDMAP.Body.
	Tagged(s *record.Segment, t *record.Transaction)
	// Done is a Read or Atomic that is over. t is the pointer that Request was given.
	Done(t *record.Transaction)
	// Terminate is a Terminate of the direction m.Dir.
	Terminate(m *record.Message)
	// Gap says that octets of a direction are missing in the capture, messages perhaps too; or that messages which the
	// latest one of the other direction had called for came before it.
	Gap(d record.Direction)
	// End is the end of the connection, or of the capture. It returns how many transactions of each direction have no
	// response.
	End() (outstanding [2]int)
}

// A Reporter takes what a Follower finds. What it is given it may use until the Follower is given the next segment or
// message.
type Reporter interface {
	// Finding reports what is wrong. ID, Also, Severity, and Text if empty, are filled in by the Profile and the rule
	// of its Name, or the observation. One without frames is about the MPA frame of its direction.
	Finding(*record.Finding)
	Transaction(*record.Transaction)
	Upper(*record.Upper)
}

// A Waiter is a Follower that tells what waits for a response.
type Waiter interface {
	// Oldest is the oldest transaction of a direction that has no response, and how many there are; nil if there is
	// none.
	Oldest(d record.Direction) (t *record.Transaction, count int)
}

// An Advertiser is a Reporter that wants to know which STags an upper layer advertises. The Reporter of an Analyser is
// one. A Follower that never tells is taken not to understand advertisements.
type Advertiser interface {
	// Advertise says that a message of direction 1-d told of an STag of its sender, which messages of direction d may
	// use from now on.
	Advertise(d record.Direction, stag uint32)
}

// A Joiner is a Reporter that wants to know what belongs to which transaction of an upper layer. The Reporter of an
// Analyser is one: it fills in the Exchange and the Body of a Record.
type Joiner interface {
	// Join says that the Send, the Read Request or the tagged segment that the Follower is looking at belongs to t: it
	// carries its request or its response, or moves its data. Of several transactions the first one counts. body is the
	// request or the response, if that did not come in Sends but was read or written, and is whole now; else nil.
	Join(t *record.Transaction, body []byte)
}

// An Identifier is a Follower that can say by which number a transaction is known.
type Identifier interface {
	// Identify is the ID of a transaction with the term that its upper layer has for it: "XID 0x5a000003". The Upper of
	// the transaction may be missing.
	Identify(*record.Transaction) string
}

// A Namer is a Follower that can name its messages.
type Namer interface {
	// Subject is what a finding that is being reported is about, "RDMA_MSG Call 0x5a000003 NFSv3 READ"; empty if it has
	// no name. It is asked only when the text of the finding is wanted.
	Subject(*record.Finding) string
}
