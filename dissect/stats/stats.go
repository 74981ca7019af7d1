// Package stats sums up the iWARP connections of a capture, and what went on on them.
//
// A [Collector] is an analysis.Sink; when the capture has been read, [Collector.Report] is the summary, in a form that
// encoding/json writes as docs/json.md describes. A dissect.Engine can be given a Collector too: then there are no
// transactions, procedures and findings in the Report.
package stats

import (
	"slices"
	"time"

	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/dissect"
	"github.com/iwarpkit/iwarp/dissect/analysis"
)

// Schema names the form of a Report.
const Schema = "iwarp.stats/1"

// A Report sums up a capture.
type Report struct {
	Schema         string       `json:"schema"`
	Files          []string     `json:"files"`
	Filter         string       `json:"filter,omitempty"` // that picked what is counted; empty for none
	Packets        uint64       `json:"packets"`          // of the files
	Bytes          int64        `json:"bytes"`            // of the files, uncompressed
	CapturedBytes  uint64       `json:"captured_bytes"`   // of packets, as captured
	Passed         Passed       `json:"passed_over"`      // packets that were not looked into
	TCPConnections uint64       `json:"tcp_connections"`  // iWARP or not
	GivenUp        uint64       `json:"given_up"`         // TCP connections given up because there were too many at a time
	Connections    []Connection `json:"connections"`      // in the order of their ids
	Segments       Counts       `json:"segments"`         // DDP segments by message name
	Messages       Counts       `json:"messages"`         // complete messages by name
	Incomplete     Counts       `json:"incomplete"`       // messages that lack segments, by name
	FPDUs          uint64       `json:"fpdus"`            //
	CRC            CRC          `json:"crc"`              // FPDUs by verdict about their CRC
	PayloadBytes   uint64       `json:"payload_bytes"`    // ULP payload of all messages
	UndecodedBytes uint64       `json:"undecoded_bytes"`  // captured octets of iWARP streams that belong to no whole FPDU
	MissingBytes   uint64       `json:"missing_bytes"`    // octets of iWARP streams that the capture does not have
	Malformed      uint64       `json:"malformed"`        // FPDUs too short for their headers
	Damage         []string     `json:"damage"`           // what was wrong with files that could be read in part only

	Transactions []Transactions `json:"transactions"` // by kind
	Procedures   []Procedure    `json:"procedures"`   // transactions of upper layers by procedure, the most frequent first
	STags        []STag         `json:"stags"`        // the busiest
	Findings     Findings       `json:"findings"`
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

// Counts counts by message name.
type Counts map[string]uint64

// A Connection sums up one connection. What was not negotiated, or not seen, is null in JSON.
type Connection struct {
	Conn           int       `json:"conn"`
	Client         string    `json:"client"`
	Server         string    `json:"server"`
	Start          time.Time `json:"start"`
	Duration       float64   `json:"duration"` // seconds, from the first packet to the last
	Frame          uint64    `json:"frame"`    // first packet
	LastFrame      uint64    `json:"last_frame"`
	MPARevision    *uint8    `json:"mpa_revision"`
	CRCOption      string    `json:"crc"` // on, off or unknown
	MarkersC2S     *bool     `json:"markers_c2s"`
	MarkersS2C     *bool     `json:"markers_s2c"`
	ORDC2S         *int      `json:"ord_c2s"` // Read Requests that the client may have outstanding
	ORDS2C         *int      `json:"ord_s2c"`
	FPDUs          uint64    `json:"fpdus"`
	CRC            CRC       `json:"crc_verdicts"`
	Segments       Counts    `json:"segments"`
	Messages       Counts    `json:"messages"`
	Incomplete     Counts    `json:"incomplete"`
	End            string    `json:"end"` // fin, reset, terminate, reject, refused or open
	C2S            Direction `json:"c2s"`
	S2C            Direction `json:"s2c"`
	UndecodedBytes uint64    `json:"undecoded_bytes"`
	MissingBytes   uint64    `json:"missing_bytes"`
	Malformed      uint64    `json:"malformed"`
}

// A Direction sums up one direction of a connection.
type Direction struct {
	Packets            uint64 `json:"packets"`
	TCPBytes           uint64 `json:"tcp_bytes"` // TCP payload on the wire, retransmissions included
	FPDUs              uint64 `json:"fpdus"`
	Messages           uint64 `json:"messages"`      // complete ones
	PayloadBytes       uint64 `json:"payload_bytes"` // ULP payload
	Markers            uint64 `json:"markers"`
	StreamingBytes     uint64 `json:"streaming_bytes"` // before MPA began
	UndecodedBytes     uint64 `json:"undecoded_bytes"`
	MissingBytes       uint64 `json:"missing_bytes"`
	RetransmittedBytes uint64 `json:"retransmitted_bytes"`
	OutOfOrder         uint64 `json:"out_of_order"`  // TCP segments
	DroppedBytes       uint64 `json:"dropped_bytes"` // thrown away to keep within the limits on memory
}

// A Collector is an analysis.Sink that sums up connections as they end, and transactions.
type Collector struct {
	analysis.Discard
	report       Report
	transactions transactions
	stags        busiest
}

// NewCollector returns an empty Collector.
func NewCollector() *Collector {
	return &Collector{report: Report{
		Schema: Schema, Files: []string{}, Connections: []Connection{}, Damage: []string{},
		Segments: Counts{}, Messages: Counts{}, Incomplete: Counts{},
	}}
}

// End implements dissect.Sink.
func (c *Collector) End(conn *dissect.Conn) {
	s := connection(conn)
	r := &c.report
	r.Connections = append(r.Connections, s)
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
	r.Malformed += s.Malformed
}

// Message implements dissect.Sink.
func (c *Collector) Message(m *dissect.Message) {
	if m.Opcode == rdmap.OpWrite {
		c.stags.add(stagKey{m.Conn.ID, m.Dir, m.First.Tagged.STag}, m.Len, 0)
	}
}

// Transaction implements analysis.Sink.
func (c *Collector) Transaction(t *analysis.Transaction) {
	c.transactions.add(t)
	if t.Kind == analysis.KindRead {
		c.stags.add(stagKey{t.Conn.ID, t.Dir, t.Read.SrcSTag}, 0, t.Octets)
	}
}

// Finding implements analysis.Sink.
func (c *Collector) Finding(f *analysis.Finding) { c.report.Findings.Add(f.Severity) }

// Report returns what was collected. The totals are the Engine's; files, bytes and damage, which only the reader of the
// capture knows, are for the caller to add.
func (c *Collector) Report(totals *dissect.Totals) *Report {
	r := &c.report
	slices.SortFunc(r.Connections, func(a, b Connection) int { return a.Conn - b.Conn })
	r.Transactions, r.Procedures, r.STags = c.transactions.kinds(), c.transactions.procedures(), c.stags.report()
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

func (c Counts) add(o Counts) {
	for name, n := range o {
		c[name] += n
	}
}

// connection sums up one connection.
func connection(c *dissect.Conn) Connection {
	s := Connection{
		Conn: c.ID, Client: c.Client.String(), Server: c.Server.String(),
		Start: time.Unix(0, c.Earliest).UTC(), Duration: float64(c.Latest-c.Earliest) / 1e9,
		Frame: c.Frame, LastFrame: c.LastFrame,
		CRCOption: "unknown", End: c.End.String(),
		C2S: direction(&c.Traffic[dissect.C2S]), S2C: direction(&c.Traffic[dissect.S2C]),
	}
	s.Segments = count(&c.Traffic[0].Segments, &c.Traffic[1].Segments)
	s.Messages = count(&c.Traffic[0].Messages, &c.Traffic[1].Messages)
	s.Incomplete = count(&c.Traffic[0].Incomplete, &c.Traffic[1].Incomplete)
	s.negotiated(c)
	for d := range c.Traffic {
		t := &c.Traffic[d]
		s.FPDUs += t.FPDUs
		s.CRC.Good += t.CRC[mpa.Good]
		s.CRC.Bad += t.CRC[mpa.Bad]
		s.CRC.Unchecked += t.CRC[mpa.Unchecked]
		s.UndecodedBytes += t.Undecoded
		s.MissingBytes += t.MissingOctets
		s.Malformed += t.Malformed
	}
	return s
}

// negotiated fills in what the MPA frames say, or the one of them that was seen.
func (s *Connection) negotiated(c *dissect.Conn) {
	switch {
	case c.Requested && c.Replied:
		a := rules.Negotiate(&c.Request, &c.Reply)
		s.MPARevision, s.MarkersC2S, s.MarkersS2C = &a.Rev, &a.MarkersFromInit, &a.MarkersFromResp
		s.CRCOption = onOff(a.CRC)
		if a.InitORD >= 0 {
			s.ORDC2S = &a.InitORD
		}
		if a.RespORD >= 0 {
			s.ORDS2C = &a.RespORD
		}
	case c.Requested:
		s.frame(&c.Request)
	case c.Replied:
		s.frame(&c.Reply)
	}
}

// frame fills in what one MPA frame says without the other: that CRCs are on if it asks for them, and whether its sender
// wants Markers.
func (s *Connection) frame(f *mpa.Frame) {
	rev, markers := f.Rev, f.M
	s.MPARevision = &rev
	if f.Reply {
		s.MarkersC2S = &markers
	} else {
		s.MarkersS2C = &markers
	}
	if f.C {
		s.CRCOption = "on"
	}
}

func onOff(on bool) string {
	if on {
		return "on"
	}
	return "off"
}

// none is the Counts of all that is not there: there may be very many connections.
var none = Counts{}

// count adds up both directions of a connection.
func count(c2s, s2c *[dissect.NumOpcodes]uint64) Counts {
	c := none
	for o := range c2s {
		n := c2s[o] + s2c[o]
		if n == 0 {
			continue
		}
		if len(c) == 0 {
			c = Counts{}
		}
		c[rdmap.Opcode(o).String()] = n
	}
	return c
}

func direction(t *dissect.Traffic) Direction {
	d := Direction{
		Packets: t.Packets, TCPBytes: t.Octets, FPDUs: t.FPDUs, PayloadBytes: t.Payload, Markers: t.Markers,
		StreamingBytes: t.Streaming, UndecodedBytes: t.Undecoded, MissingBytes: t.MissingOctets,
		RetransmittedBytes: t.TCP.Retransmitted, OutOfOrder: t.TCP.OutOfOrder, DroppedBytes: t.TCP.Dropped,
	}
	for _, n := range t.Messages {
		d.Messages += n
	}
	return d
}
