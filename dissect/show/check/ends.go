package check

// What two captures of a connection, one at either end, show together.

import (
	"fmt"
	"strings"

	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/transit"
	"github.com/iwarpkit/iwarp/internal/quantity"
)

// Ends is what two captures show together, in a Document. Times are in seconds.
type Ends struct {
	Ahead  float64 `json:"ahead"`  // by which the server's clock was ahead of the client's
	Within float64 `json:"within"` // by which that may be wrong
	Drift  float64 `json:"drift"`  // seconds that the server's clock gains in one of the client's
	C2S    Way     `json:"c2s"`
	S2C    Way     `json:"s2c"`
	Shares []Share `json:"shares"`
}

// A Way is what became of the octets of one direction.
type Way struct {
	Delay   *Delay   `json:"delay"` // null if it is not known
	Losses  uint64   `json:"losses"`
	Octets  uint64   `json:"octets"` // of the losses
	Never   uint64   `json:"never"`  // octets of which no copy arrived
	Lost    []Loss   `json:"lost"`   // the first losses
	Changed uint64   `json:"changed"`
	Changes []Change `json:"changes"` // the first changes
	Missing Missing  `json:"missing"`
	Forged  *string  `json:"forged"`  // a reset that arrived and never left: "client:120"
	Unheard *string  `json:"unheard"` // a reset that left and never arrived
}

// A Delay is how long octets took from one capture to the other, in seconds.
type Delay struct {
	Least   float64 `json:"least"`
	Median  float64 `json:"median"`
	Most    float64 `json:"most"`
	Samples int     `json:"samples"`
}

// A Loss is octets that left and, in that packet, did not arrive.
type Loss struct {
	Sent   string `json:"sent"` // "client:118"
	Place  int64  `json:"place"`
	Octets int64  `json:"octets"`
	Again  bool   `json:"again"` // another copy of them arrived
}

// A Change is octets that arrived otherwise than they left.
type Change struct {
	Sent    string `json:"sent"`
	Arrived string `json:"arrived"`
	Place   int64  `json:"place"`
	Left    string `json:"left"` // the first of the octets, in hexadecimal
	Came    string `json:"came"`
	Differ  int    `json:"differ"`  // octets that differ
	Again   bool   `json:"again"`   // another copy of them arrived as it had left
	Message string `json:"message"` // that has them; empty if that is not known
	Offset  int    `json:"offset"`  // in its FPDU
	Field   string `json:"field"`
	CRC     string `json:"crc"` // none, exposed, covered or unhealed
}

// Missing counts octets that captures lack although they have passed there.
type Missing struct {
	Client uint64 `json:"client"`
	Server uint64 `json:"server"`
}

// A Share says where the time of answered requests of one kind and direction went, in seconds, all together.
type Share struct {
	Dir     string  `json:"dir"`
	Kind    string  `json:"kind"` // read, atomic or upper
	Count   uint64  `json:"count"`
	Total   float64 `json:"total"`
	Network float64 `json:"network"` // of these, between the captures
	Slowest float64 `json:"slowest"`
}

func newEnds(e *transit.Ends) *Ends {
	if e == nil {
		return nil
	}
	r := &Ends{
		Ahead: seconds(e.Ahead), Within: seconds(e.Within), Drift: e.Drift,
		C2S: newWay(&e.Ways[flow.C2S]), S2C: newWay(&e.Ways[flow.S2C]), Shares: []Share{},
	}
	for d := range e.Shares {
		for kind := range e.Shares[d] {
			if s := &e.Shares[d][kind]; s.Count > 0 {
				r.Shares = append(r.Shares, Share{
					flow.Direction(d).String(), record.TransactionKind(kind).String(), s.Count,
					seconds(s.Total), seconds(s.Network), seconds(s.Slowest.Total),
				})
			}
		}
	}
	return r
}

func newWay(w *transit.Way) Way {
	r := Way{
		Losses: w.Losses, Octets: w.Octets, Never: w.Never, Lost: []Loss{}, Changed: w.Changed, Changes: []Change{},
		Missing: Missing{w.Missing[0], w.Missing[1]}, Forged: sighting(w.Forged), Unheard: sighting(w.Unheard),
	}
	if d := &w.Delay; d.Samples > 0 {
		r.Delay = &Delay{seconds(d.Least), seconds(d.Median), seconds(d.Most), d.Samples}
	}
	for _, l := range w.Lost {
		r.Lost = append(r.Lost, Loss{l.Sent.String(), l.Pos, l.Len, l.Again})
	}
	for _, c := range w.Changes {
		r.Changes = append(r.Changes, Change{
			c.Sent.String(), c.Arrived.String(), c.Pos, fmt.Sprintf("%x", c.Left), fmt.Sprintf("%x", c.Came), c.Differ, c.Again,
			c.Message, c.Offset, c.Field, c.CRC.String(),
		})
	}
	return r
}

func sighting(s transit.Sighting) *string {
	if s.Own == 0 {
		return nil
	}
	return known(s.String())
}

// pathLines say how long packets took between the ends of a connection, and where the time of requests went.
func pathLines(v *record.Verdict) (lines []string) {
	e := v.Ends
	if e == nil {
		return nil
	}
	var ways []string
	for d := range e.Ways {
		if w := &e.Ways[d]; w.Delay.Samples > 0 {
			ways = append(ways, fmt.Sprintf("%s to the %v (most %s)", quantity.Duration(w.Delay.Median),
				flow.Sender(flow.Direction(1-d)), quantity.Duration(w.Delay.Most)))
		}
	}
	if ways != nil {
		lines = append(lines, "Network: "+strings.Join(ways, ", ")+".")
	}
	for d := range e.Shares {
		for kind := range e.Shares[d] {
			if s := &e.Shares[d][kind]; s.Count > 0 {
				lines = append(lines, shareLine(v, flow.Direction(d), record.TransactionKind(kind), s))
			}
		}
	}
	return lines
}

// shareLine says where the time of the requests of one kind went. A Read or an Atomic is answered by the RNIC, what is above by
// the upper layer, with all that it waits for.
func shareLine(v *record.Verdict, d flow.Direction, kind record.TransactionKind, s *transit.Share) string {
	answers := map[record.TransactionKind]string{
		record.ReadTransaction: "RNIC", record.AtomicTransaction: "RNIC", record.UpperTransaction: "upper layer",
	}[kind]
	what := map[record.TransactionKind]string{
		record.ReadTransaction: "RDMA Read", record.AtomicTransaction: "Atomic", record.UpperTransaction: v.ULP + " request",
	}[kind]
	n := int64(s.Count)
	each := ""
	if n > 1 {
		each = " each on average"
	}
	line := fmt.Sprintf("%s of the %v took %s%s: %s on the network, %s at the %v's %s", quantity.Count(s.Count, what), flow.Sender(d),
		quantity.Duration(s.Total/n), each, quantity.Duration(s.Network/n), quantity.Duration((s.Total-s.Network)/n), flow.Sender(1-d), answers)
	if n > 1 {
		line += fmt.Sprintf("; the slowest, %s in %s, %s, of which %s on the network", s.Slowest.Name,
			v.Conn.Frames.Text(flow.At(s.Slowest.Request.Frame, 0)),
			quantity.Duration(s.Slowest.Total), quantity.Duration(s.Slowest.Network))
	}
	return line + "."
}
