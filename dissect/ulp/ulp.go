// Package ulp defines an upper layer over RDMAP: a [Layer]. Package judge uses it to recognise and follow connections; the
// views and the filter show its fields:
//
//	judge.New(sink, judge.Options{ULPs: []*ulp.Layer{nvme.Layer}})
//
// docs/upper-layer.md adds one.
package ulp

import (
	"iter"

	"github.com/iwarpkit/iwarp/codec/field"
	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/record"
)

// A Layer is an upper layer. The rest of the toolkit knows it only by its value in package all.
type Layer struct {
	Name    string         // "RPC-over-RDMA"
	Ports   []uint16       // well-known ports of its servers, which identify a server in a capture without the start-up
	Tables  []*field.Table // of its messages
	Details []string       // columns of its ulp.Detailed in CSV; nil if it has none
	Shared  []string       // fields of an exchange that the filter finds in all its messages; "x.y." means all with this prefix

	// Recognise examines a connection: its MPA frames once both were seen (send is nil), then each of the first Sends of
	// either side, with its payload. It returns a Follower for the connection, or nil if it does not appear to carry this
	// upper layer.
	Recognise func(c *flow.Conn, send *record.Message, payload []byte) Follower

	// Private recognises Private Data of the upper layer in an MPA frame. It is nil if the upper layer has none.
	// PrivateTables describe the data.
	Private       func(c *flow.Conn, f *mpa.Frame) (p record.Private, ok bool)
	PrivateTables []*field.Table

	// Read reads a Send of the given length in octets, of which b was captured, on an unknown connection. It returns nil if
	// it does not recognise the Send; else the Body is valid until the next call. Read is nil if no Send can be recognised
	// alone.
	Read func(b []byte, length uint64) record.Body

	ID     []string          // the fields that join a message with its answer
	Speaks map[string]string // protocols that a ulp.Speaker may speak without header fields of them, with words for what does
	Terms  []Term            // which iwarp explain explains, its own name among them
}

// A Term is a word of an upper layer.
type Term struct {
	Name    string
	Aka     []string // what else it is called
	Title   string   // what it stands for, or is
	Text    string   // sentences
	LookFor string   // what shows it in a capture
	See     []string // related terms, fields and codes
	Sources []string // "RFC 8166, section 3.4"
}

// A Follower follows one connection for a Layer. Arguments are valid until the method returns. A Follower that does not need
// all methods embeds Idle, or a pending.Table if it joins requests with responses.
type Follower interface {
	// Begin is called once, before any other method.
	Begin(Reporter)
	// Send handles a message of a Send type or Immediate Data. payload is its ULP payload, as far as it was captured and
	// fits judge.Options.MaxPayload.
	Send(m *record.Message, payload []byte)
	// Request handles a Read or Atomic Request.
	Request(t *record.Transaction)
	// Tagged handles a segment of an RDMA Write, for which t is nil, or of a Read Response to t, which is also nil if the
	// request was not seen. Its payload is s.RDMAP.Body.
	Tagged(s *record.Segment, t *record.Transaction)
	// Done handles the end of a Read or Atomic. t is the pointer passed to Request.
	Done(t *record.Transaction)
	// Terminate handles a Terminate of the direction m.Dir.
	Terminate(m *record.Message)
	// Gap says that octets, and perhaps messages, of a direction are missing in the capture; or that messages that the
	// latest one of the other direction asked for came before it.
	Gap(d flow.Direction)
	// End handles the end of the connection, or of the capture. It returns how many transactions of each direction have
	// no response.
	End() (outstanding [2]int)

	// Held returns how many octets of memory the Follower has for this connection, beyond some hundred, as far as the traffic decides it.
	Held() int
	// Oldest returns the oldest transaction of a direction without a response, and how many there are; nil if there is none.
	Oldest(d flow.Direction) (t *record.Transaction, count int)
	// Identify returns the ID of a transaction with the upper layer's term for it: "XID 0x5a000003". It is empty if there
	// is no such term. The Upper of the transaction may be missing.
	Identify(*record.Transaction) string
	// Subject returns what the finding that is being reported is about, "RDMA_MSG Call 0x5a000003 NFSv3 READ"; empty if
	// that has no name. It is called only when the text of the finding is needed.
	Subject(*record.Finding) string
}

// A Reporter receives what a Follower finds. Arguments stay valid until the Follower receives the next segment or message.
type Reporter interface {
	// Finding reports a violation or observation. The Profile and the rule of its Name, or the observation, fill in ID,
	// Also, Severity, and Text if empty. A finding without frames is about the MPA frame of its direction.
	Finding(*record.Finding)
	// MissedAt returns, by direction, the latest frame when segments were missed last; 0 if none were. A doubtful Finding that
	// is reported later than it was made has this of then; one without gets that of now.
	MissedAt() [2]uint64
	// Mute reports whether the other side certainly sent nothing after a request, whatever segments were missed. Only at the end of the
	// connection or the capture is that known.
	Mute(*record.Transaction) bool
	Transaction(*record.Transaction)
	Upper(*record.Upper)
	// Advertise says that a message of direction 1-d advertised an STag of its sender, which messages of direction d may
	// use from now on. A Follower that never calls it is assumed not to understand advertisements.
	Advertise(d flow.Direction, stag uint32)

	// Stray is told of a response of direction d whose id no request has, once the connection is over.
	Stray(d flow.Direction, at flow.Span, id uint64)
	// Join says that the current Send, Read Request or tagged segment belongs to t: it carries its request or response, or
	// moves its data. If it is called for several transactions, the first counts. request is the request if it was read instead of sent, and
	// is complete now; else nil.
	Join(t *record.Transaction, request record.Body)
}

// SameIndex yields an STag, and then those that differ from it in their key alone.
func SameIndex(stag uint32) iter.Seq[uint32] {
	return func(yield func(uint32) bool) {
		for key := range uint32(256) {
			if !yield(stag ^ key) {
				return
			}
		}
	}
}

// Idle is a Follower that does nothing.
type Idle struct{}

// Begin implements Follower.
func (Idle) Begin(Reporter) {}

// Send implements Follower.
func (Idle) Send(*record.Message, []byte) {}

// Request implements Follower.
func (Idle) Request(*record.Transaction) {}

// Tagged implements Follower.
func (Idle) Tagged(*record.Segment, *record.Transaction) {}

// Done implements Follower.
func (Idle) Done(*record.Transaction) {}

// Terminate implements Follower.
func (Idle) Terminate(*record.Message) {}

// Gap implements Follower.
func (Idle) Gap(flow.Direction) {}

// End implements Follower: nothing is outstanding.
func (Idle) End() (outstanding [2]int) { return outstanding }

// Held implements Follower: there is nothing.
func (Idle) Held() int { return 0 }

// Oldest implements Follower: nothing waits.
func (Idle) Oldest(flow.Direction) (*record.Transaction, int) { return nil, 0 }

// Identify implements Follower.
func (Idle) Identify(*record.Transaction) string { return "" }

// Subject implements Follower.
func (Idle) Subject(*record.Finding) string { return "" }
