package outcome

import (
	"encoding/hex"
	"io"

	"github.com/iwarpkit/iwarp/internal/printable"
	"github.com/iwarpkit/iwarp/replay/scenario"
)

// Schema names the format that WriteJSON writes.
const Schema = "iwarp.replay/1"

type document struct {
	Schema      string       `json:"schema"`
	Title       string       `json:"title"`
	Rounds      *Rounds      `json:"rounds,omitempty"`
	Connections []connection `json:"connections"`
	Summary     Summary      `json:"summary"`
}

type connection struct {
	Name          string      `json:"name"`
	Role          string      `json:"role"`
	Client        string      `json:"client,omitempty"`
	Server        string      `json:"server,omitempty"`
	NotApplicable string      `json:"not_applicable,omitempty"`
	Negotiated    *negotiated `json:"negotiated"`
	Steps         []step      `json:"steps"`
	End           string      `json:"end,omitempty"`
	Summary       Summary     `json:"summary"`
}

type negotiated struct {
	Rev             uint8 `json:"rev"`
	CRC             bool  `json:"crc"`
	MarkersReceived bool  `json:"markers_received"`
	MarkersSent     bool  `json:"markers_sent"`
	Rejected        bool  `json:"rejected"`
}

type step struct {
	Number  *int    `json:"number"` // null for something unexpected
	Side    string  `json:"side"`
	Verb    string  `json:"verb,omitempty"`
	Do      string  `json:"do,omitempty"`
	Frame   uint64  `json:"frame,omitempty"`
	Verdict string  `json:"verdict"`
	Reason  string  `json:"reason,omitempty"`
	At      float64 `json:"at"` // seconds
	Diff    *diff   `json:"diff,omitempty"`
}

type diff struct {
	Fields   []Field `json:"fields"`
	Expected octets  `json:"expected"`
	Actual   octets  `json:"actual"`
}

type octets struct {
	Header  string `json:"header"`  // hexadecimal
	From    int    `json:"from"`    // offset of the octets in the payload
	Payload string `json:"payload"` // hexadecimal, with ?? for wildcards
	Length  *int   `json:"length"`  // of the payload; null if unbounded
}

// WriteJSON writes a Report as one JSON document.
func WriteJSON(w io.Writer, r *Report) error {
	d := document{Schema: Schema, Title: printable.String(r.Title), Connections: []connection{}, Summary: r.Summary()}
	if r.Rounds.Played > 0 {
		d.Rounds = &r.Rounds
	}
	for _, c := range r.Conns {
		d.Connections = append(d.Connections, newConnection(c))
	}
	return printable.WriteJSON(w, &d)
}

func newConnection(c *Conn) connection {
	j := connection{
		Name: printable.String(c.Name), Role: c.Role.String(), Steps: []step{}, Summary: c.Summary(),
		NotApplicable: printable.String(c.NotApplicable), End: printable.String(c.End),
	}
	if c.Client.IsValid() {
		j.Client = c.Client.String()
	}
	if c.Server.IsValid() {
		j.Server = c.Server.String()
	}
	if n := c.Negotiated; n != nil {
		j.Negotiated = &negotiated{n.Rev, n.CRC, n.MarkersReceived, n.MarkersSent, n.Rejected}
	}
	for i := range c.Steps {
		j.Steps = append(j.Steps, newStep(&c.Steps[i], c.Role))
	}
	return j
}

func newStep(s *Step, role scenario.Side) step {
	j := step{Side: s.Side(role).String(), Verdict: s.Verdict.String(), Reason: printable.String(s.Reason), At: s.At.Seconds()}
	if e := s.Expected; e != nil {
		j.Number, j.Verb, j.Do, j.Frame = &e.Number, e.Do.Verb(), Line(e), e.Frame
	}
	if d := s.Diff; d != nil {
		j.Diff = &diff{Fields: d.Fields(), Expected: newOctets(d.Expected, &d.Want), Actual: newOctets(d.Actual, &d.Got)}
	}
	return j
}

func newOctets(header []byte, e *Excerpt) octets {
	o := octets{Header: hex.EncodeToString(header), From: e.From, Payload: e.String()}
	if e.Length >= 0 {
		o.Length = &e.Length
	}
	return o
}
