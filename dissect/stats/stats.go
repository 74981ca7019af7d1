// Package stats sums up the iWARP connections of a capture, and what happened on them.
//
//	collector := stats.NewCollector()
//	engine := dissect.NewEngine(collector, dissect.Options{Analysis: &judge.Options{}})
//	err := engine.Run(ctx, capture)
//	report := collector.Report(engine.Totals())
//
// A [Collector] is a record.Sink; when the capture has been read, [Collector.Report] returns the summary, which
// encoding/json writes as docs/json.md describes. Without an analysis there are no transactions, procedures and findings
// in the Report.
package stats

import (
	"slices"

	"github.com/iwarpkit/iwarp/dissect"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/internal/spool"
)

// Schema identifies the form of a Report in JSON.
const Schema = "iwarp.stats/1"

// A Report sums up a capture.
type Report struct {
	Schema         string        `json:"schema"`
	Files          []string      `json:"files"`
	Filter         string        `json:"filter,omitempty"`    // that picked what is counted; empty for none
	Packets        uint64        `json:"packets"`             // of the files
	Bytes          int64         `json:"bytes"`               // of the files, uncompressed
	CapturedBytes  uint64        `json:"captured_bytes"`      // of packets, as captured
	Passed         Passed        `json:"passed_over"`         // packets that were not looked into
	TCPConnections uint64        `json:"tcp_connections"`     // iWARP or not
	GivenUp        uint64        `json:"given_up"`            // TCP connections given up because there were too many at a time
	Connections    []*Connection `json:"connections"`         // in the order of their ids; of more than MaxConnections only the busiest, but WriteJSON writes all
	Segments       Counts        `json:"segments"`            // DDP segments by message name
	Messages       Counts        `json:"messages"`            // complete messages by name
	Incomplete     Counts        `json:"incomplete"`          // messages that lack segments, by name
	FPDUs          uint64        `json:"fpdus"`               //
	CRC            CRC           `json:"crc"`                 // FPDUs by verdict about their CRC
	PayloadBytes   uint64        `json:"payload_bytes"`       // ULP payload of all messages
	UndecodedBytes uint64        `json:"undecoded_bytes"`     // captured octets of iWARP streams that belong to no whole FPDU
	MissingBytes   uint64        `json:"missing_bytes"`       // octets of iWARP streams that the capture does not have
	Retransmitted  uint64        `json:"retransmitted_bytes"` // octets of TCP that were seen, or given up, before
	LostBefore     uint64        `json:"lost_before_bytes"`   // octets of TCP that were lost before the capture point, and sent again
	Malformed      uint64        `json:"malformed"`           // FPDUs too short for their headers
	Damage         []string      `json:"damage"`              // what was wrong with files that could be read in part only

	Transactions []Transactions `json:"transactions"` // by kind
	Procedures   []Procedure    `json:"procedures"`   // transactions of upper layers by procedure, the most frequent first
	STags        []STag         `json:"stags"`        // the busiest
	Findings     Findings       `json:"findings"`

	connections int          // in all
	streams     int          // those of them over SCTP
	all         *spool.Spool // of more than MaxConnections, as JSON; nil for none
}

// Count returns how many connections there were in all, and how many of them over SCTP.
func (r *Report) Count() (connections, overSCTP int) { return r.connections, r.streams }

// Counts counts by message name.
type Counts map[string]uint64

func (c Counts) add(o Counts) {
	for name, n := range o {
		c[name] += n
	}
}

// counts adds up both directions of a connection.
func counts(c2s, s2c *flow.Tally) Counts {
	c := Counts{}
	for _, t := range []*flow.Tally{c2s, s2c} {
		for o, n := range t.All() {
			c[o.String()] += n
		}
	}
	return c
}

// Passed counts packets that were not looked into.
type Passed struct {
	NotTCP      uint64 `json:"not_tcp"`
	Fragments   uint64 `json:"ip_fragments"`
	CutShort    uint64 `json:"cut_short"`
	Malformed   uint64 `json:"malformed"`
	UnknownLink uint64 `json:"unknown_link_type"`
}

// CRC counts FPDUs by the verdict about their CRC.
type CRC struct {
	Good      uint64 `json:"good"`
	Bad       uint64 `json:"bad"`
	Unchecked uint64 `json:"unchecked"`
}

// MaxConnections is how many connections a Report has in memory.
const MaxConnections = 1024

// A Collector is a record.Sink that sums up connections as they end, and transactions. Of more than MaxConnections all but the busiest
// wait in a temporary file. Close removes it.
type Collector struct {
	Details Details // what to report

	report       Report
	transactions transactions
	stags        busiest
}

// NewCollector returns an empty Collector.
func NewCollector() *Collector {
	return &Collector{report: Report{
		Schema: Schema, Files: []string{}, Connections: []*Connection{}, Damage: []string{},
		Segments: Counts{}, Messages: Counts{}, Incomplete: Counts{},
	}}
}

// Record implements record.Sink.
func (c *Collector) Record(r *record.Record) {
	for _, t := range r.Over {
		c.transaction(t)
	}
	switch r.Kind {
	case record.KindMessage:
		c.message(r.Message)
	case record.KindEnd:
		c.end(r.Conn, r.Verdict)
	}
}

// end adds a connection that is over, and its findings, including those withheld.
func (c *Collector) end(conn *flow.Conn, v *record.Verdict) {
	s := NewConnection(conn)
	if c.Details.Frames != nil {
		_, s.LastFrame = c.Details.Frames(s.LastFrame)
		s.File, s.Frame = c.Details.Frames(s.Frame)
	}
	r := &c.report
	c.keep(s)
	r.Segments.add(s.Segments)
	r.Messages.add(s.Messages)
	r.Incomplete.add(s.Incomplete)
	r.FPDUs += s.FPDUs
	r.CRC.Good += s.CRC.Good
	r.CRC.Bad += s.CRC.Bad
	r.CRC.Unchecked += s.CRC.Unchecked
	r.PayloadBytes += s.C2S.PayloadBytes + s.S2C.PayloadBytes
	r.UndecodedBytes += s.UndecodedBytes
	r.MissingBytes += s.MissingBytes
	r.Retransmitted += s.C2S.RetransmittedBytes + s.S2C.RetransmittedBytes
	r.LostBefore += s.C2S.LostBeforeBytes + s.S2C.LostBeforeBytes
	r.Malformed += s.Malformed
	if v != nil {
		r.Findings.add(v)
	}
}

func (c *Collector) message(m *record.Message) {
	if m.Opcode.Tagged() && !m.Opcode.IsResponse() {
		c.stags.add(stagKey{m.Conn.ID, m.Dir, m.First.Tagged.STag}, m.Len, 0)
	}
}

func (c *Collector) transaction(t *record.Transaction) {
	c.transactions.add(t)
	if t.Kind == record.ReadTransaction {
		c.stags.add(stagKey{t.Conn.ID, t.Dir, t.Read.SrcSTag}, 0, t.Octets)
	}
}

// Report returns what was collected. The totals are the Engine's. The caller adds files, bytes and damage, which
// only the reader of the capture knows.
func (c *Collector) Report(totals *dissect.Totals) *Report {
	r := &c.report
	slices.SortFunc(r.Connections, byID)
	r.Transactions, r.Procedures, r.STags = c.transactions.kinds(&c.Details), c.transactions.procedures(&c.Details), c.stags.report()
	r.Packets = totals.Packets
	r.CapturedBytes = totals.Octets
	r.TCPConnections = totals.TCP
	r.GivenUp = totals.GivenUp
	r.Passed = Passed{
		NotTCP: totals.NotTCP, Fragments: totals.Fragments, CutShort: totals.CutShort,
		Malformed: totals.Malformed, UnknownLink: totals.UnknownLinks,
	}
	return r
}
