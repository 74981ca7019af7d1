package stats

// The summary of one connection. There may be very many: a Connection is small.

import (
	"net/netip"
	"time"

	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/dissect/flow"
)

// A Connection sums up one connection. What was not negotiated, or not seen, is null in JSON.
type Connection struct {
	Conn           int            `json:"conn"`
	Transport      string         `json:"transport"` // TCP or SCTP
	Stream         *uint16        `json:"stream"`    // of SCTP
	Client         netip.AddrPort `json:"client"`
	Server         netip.AddrPort `json:"server"`
	Start          time.Time      `json:"start"`
	Duration       float64        `json:"duration"`       // seconds, from the first packet to the last
	File           string         `json:"file,omitempty"` // with Frame, if there are several
	Frame          uint64         `json:"frame"`          // first packet
	LastFrame      uint64         `json:"last_frame"`
	MPARevision    *uint8         `json:"mpa_revision"`
	CRCOption      string         `json:"crc"` // on, off or unknown; none over SCTP
	MarkersC2S     *bool          `json:"markers_c2s"`
	MarkersS2C     *bool          `json:"markers_s2c"`
	Sources        Sources        `json:"sources"`
	ORDC2S         *int           `json:"ord_c2s"` // Read Requests that the client may have outstanding
	ORDS2C         *int           `json:"ord_s2c"`
	FPDUs          uint64         `json:"fpdus"`
	CRC            CRC            `json:"crc_verdicts"`
	Segments       Counts         `json:"segments"`
	Messages       Counts         `json:"messages"`
	Incomplete     Counts         `json:"incomplete"`
	End            string         `json:"end"` // fin, reset, terminate, reject, refused or open
	C2S            Direction      `json:"c2s"`
	S2C            Direction      `json:"s2c"`
	UndecodedBytes uint64         `json:"undecoded_bytes"`
	MissingBytes   uint64         `json:"missing_bytes"`
	Malformed      uint64         `json:"malformed"`
}

// Sources say how it is known whether there are CRCs and Markers: "negotiated", "stated", "inferred" or "unknown", as in
// flow.Source.
type Sources struct {
	CRC        string `json:"crc"`
	MarkersC2S string `json:"markers_c2s"`
	MarkersS2C string `json:"markers_s2c"`
}

// A Direction sums up one direction of a connection.
type Direction struct {
	Packets            uint64 `json:"packets"`
	TCPBytes           uint64 `json:"tcp_bytes"` // TCP payload, or User Data of SCTP, on the wire, retransmissions included
	FPDUs              uint64 `json:"fpdus"`
	Messages           uint64 `json:"messages"`      // complete ones
	PayloadBytes       uint64 `json:"payload_bytes"` // ULP payload
	Markers            uint64 `json:"markers"`
	StreamingBytes     uint64 `json:"streaming_bytes"` // before MPA began
	UndecodedBytes     uint64 `json:"undecoded_bytes"`
	MissingBytes       uint64 `json:"missing_bytes"`
	RetransmittedBytes uint64 `json:"retransmitted_bytes"`
	LostBeforeBytes    uint64 `json:"lost_before_bytes"`
	OutOfOrder         uint64 `json:"out_of_order"`  // TCP segments
	DroppedBytes       uint64 `json:"dropped_bytes"` // discarded because of the limits on memory
}

// NewConnection sums up one connection.
func NewConnection(c *flow.Conn) *Connection {
	s := &Connection{
		Conn: c.ID, Client: c.Client, Server: c.Server,
		Start: time.Unix(0, c.Earliest).UTC(), Duration: float64(c.Latest-c.Earliest) / 1e9,
		Frame: c.Frame, LastFrame: c.LastFrame,
		Transport: c.Transport().String(), CRCOption: "unknown", End: c.End.String(),
		C2S: direction(&c.Traffic[flow.C2S]), S2C: direction(&c.Traffic[flow.S2C]),
	}
	c2s, s2c := &c.Traffic[flow.C2S], &c.Traffic[flow.S2C]
	s.Segments = counts(&c2s.Segments, &s2c.Segments)
	s.Messages = counts(&c2s.Messages, &s2c.Messages)
	s.Incomplete = counts(&c2s.Incomplete, &s2c.Incomplete)
	s.agreement(c)
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

// agreement fills in what holds on the connection: what the MPA frames say or, if one of them is missing, what is known
// otherwise.
func (s *Connection) agreement(c *flow.Conn) {
	a, from := c.Agreement, c.Sources
	if c.Transport() == flow.OverSCTP {
		s.Stream, s.CRCOption = &c.Association.Stream, "none"
		s.limits(&a)
		s.Sources = Sources{from.CRC.String(), from.Markers[flow.C2S].String(), from.Markers[flow.S2C].String()}
		return
	}
	switch {
	case c.Requested && c.Replied:
		a = rules.Negotiate(&c.Request, &c.Reply)
		from = flow.Sources{CRC: flow.Negotiated, Markers: [2]flow.Source{flow.Negotiated, flow.Negotiated}}
		s.MPARevision = &a.Rev
		s.limits(&a)
	case c.Requested:
		s.MPARevision = new(c.Request.Rev)
		learn(&c.Request, &a, &from)
	case c.Replied:
		s.MPARevision = new(c.Reply.Rev)
		learn(&c.Reply, &a, &from)
	}
	if from.CRC != flow.SourceUnknown {
		s.CRCOption = onOff(a.CRC)
	}
	markers := &from.Markers
	if markers[flow.C2S] != flow.SourceUnknown {
		s.MarkersC2S = &a.MarkersFromInit
	}
	if markers[flow.S2C] != flow.SourceUnknown {
		s.MarkersS2C = &a.MarkersFromResp
	}
	s.Sources = Sources{from.CRC.String(), markers[flow.C2S].String(), markers[flow.S2C].String()}
}

// limits fills in how many Read Requests may be outstanding.
func (s *Connection) limits(a *rules.Agreement) {
	if a.InitORD >= 0 {
		s.ORDC2S = &a.InitORD
	}
	if a.RespORD >= 0 {
		s.ORDS2C = &a.RespORD
	}
}

// learn adds what one MPA frame alone shows: that CRCs are on if it asks for them, and whether its sender wants Markers.
func learn(f *mpa.Frame, a *rules.Agreement, from *flow.Sources) {
	if f.C && from.CRC == flow.SourceUnknown {
		a.CRC, from.CRC = true, flow.Negotiated
	}
	d, markers := flow.S2C, &a.MarkersFromResp
	if f.Reply {
		d, markers = flow.C2S, &a.MarkersFromInit
	}
	if from.Markers[d] == flow.SourceUnknown {
		*markers, from.Markers[d] = f.M, flow.Negotiated
	}
}

func onOff(on bool) string {
	if on {
		return "on"
	}
	return "off"
}

func direction(t *flow.Traffic) Direction {
	d := Direction{
		Packets: t.Packets, TCPBytes: t.Octets, FPDUs: t.FPDUs, PayloadBytes: t.Payload, Markers: t.Markers,
		StreamingBytes: t.Streaming, UndecodedBytes: t.Undecoded, MissingBytes: t.MissingOctets,
		RetransmittedBytes: t.TCP.Retransmitted, LostBeforeBytes: t.TCP.LostBefore, OutOfOrder: t.TCP.OutOfOrder, DroppedBytes: t.TCP.Dropped,
	}
	for _, n := range t.Messages {
		d.Messages += n
	}
	return d
}
