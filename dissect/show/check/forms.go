package check

// The objects in a Document.

import (
	"encoding/hex"
	"time"

	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/show"
)

// A Frame is where something is: a number in its file, which is named if there are several. It is 0 for nothing.
type Frame struct {
	File  string `json:"file,omitempty"`
	Frame uint64 `json:"frame"`
}

func newFrame(c *flow.Conn, frame uint64) (f Frame) {
	if frame != 0 {
		f.File, f.Frame = c.Frames.Place(frame)
	}
	return f
}

// Frames are where something is that may take several packets, from the first to the last.
type Frames struct {
	Frame
	LastFrame uint64 `json:"last_frame"`
}

func newFrames(c *flow.Conn, s *flow.Span) Frames {
	return Frames{newFrame(c, s.Frame), newFrame(c, s.LastFrame).Frame}
}

// A Finding is one in a Document.
type Finding struct {
	Severity string   `json:"severity"` // error, warning or note
	ID       string   `json:"id"`
	Also     []string `json:"also"`   // other requirements that were broken by the same
	Name     string   `json:"name"`   // of the rule or observation
	Source   *string  `json:"source"` // "RFC 5041, section 5.3"; null for an observation
	Quote    *string  `json:"quote"`  // what the section says; null if a figure or table says it, if the finding weighs less, and for an observation
	Conn     int      `json:"conn"`
	Dir      string   `json:"dir"`
	Frames
	Time     *time.Time `json:"time"`
	Seen     string     `json:"seen"`
	Expected string     `json:"expected"`
	Text     string     `json:"text"`
	Ground   *Ground    `json:"ground"` // null for an observation, and for a rule that no Terminate answers
}

// A Ground tells what an RFC says of the answer to a breach, or its weight, from what is decided here.
type Ground struct {
	Source  *string `json:"source"`  // of words: "RFC 5041, section 7.1"; null if there are none
	Words   string  `json:"words"`   // of the RFC
	Decided string  `json:"decided"` // here, with the reason; empty if the RFC leaves nothing open
}

func newGround(r *rules.Rule) *Ground {
	if r == nil {
		return nil
	}
	g, ok := r.Ground()
	if !ok {
		return nil
	}
	return &Ground{known(g.Source), g.Words, g.Decided}
}

// NewFinding describes a finding.
func NewFinding(f *record.Finding) Finding {
	basis := show.BasisOf(f)
	return Finding{
		Severity: f.Severity.String(), ID: f.ID, Also: append([]string{}, f.Also...), Name: f.Name, Source: known(basis.Source), Quote: known(basis.Quote),
		Conn: f.Conn.ID, Dir: f.Dir.String(), Frames: newFrames(f.Conn, &f.Span), Time: clock(f.Time),
		Seen: f.Seen, Expected: f.Expected, Text: f.Text, Ground: newGround(f.Rule),
	}
}

// A Connection is one in a Document.
type Connection struct {
	Conn      int     `json:"conn"`
	Transport string  `json:"transport"` // TCP or SCTP, or UDP of a mount that was refused
	Stream    *uint16 `json:"stream"`    // of SCTP
	Client    string  `json:"client"`
	Server    string  `json:"server"`
	Frames
	Start       *time.Time  `json:"start"`
	Duration    float64     `json:"duration"`
	ULP         *string     `json:"ulp"` // null if none was recognised
	End         string      `json:"end"`
	EndedBy     *string     `json:"ended_by"` // client or server; null for nobody
	EndedFrame  *uint64     `json:"ended_frame"`
	Verdict     Verdict     `json:"verdict"`
	Outstanding Outstanding `json:"outstanding"`
	Depth       Depth       `json:"depth"`
	Terminates  []Terminate `json:"terminates"`
	Findings    Counts      `json:"findings"`
	Ends        *Ends       `json:"ends,omitempty"` // what two captures show together; left out if there is one capture
}

// A Verdict says how a connection went, and if it failed, why.
type Verdict struct {
	Summary      string    `json:"summary"` // the first sentence of text: the cause alone
	Text         string    `json:"text"`    // the cause first, then what followed
	Cause        *Cause    `json:"cause"`   // null if the connection did not fail
	Side         *string   `json:"side"`    // whose doing, or silence, the cause is; null if it is neither's, or not known
	Confidence   string    `json:"confidence"`
	Evidence     *Evidence `json:"evidence"` // null if the connection did not fail
	Advice       string    `json:"advice"`   // where to look next
	Consequences []Cause   `json:"consequences"`
	Excused      []Excused `json:"excused"`
	Peers        []Peer    `json:"peers"`
	Next         *Next     `json:"next,omitempty" parquet:"-"` // left out if the connection did not fail, or its client has not connected again
}

// Next is the next connection of the same client to the same server.
type Next struct {
	Conn   int  `json:"conn"`
	Failed bool `json:"failed"`
}

// A Cause is a finding that explains a failure, or that followed from it.
type Cause struct {
	Kind string `json:"kind"` // the name of the rule or observation
	ID   string `json:"id"`
	Dir  string `json:"dir"`
	Frames
	Time *time.Time `json:"time"`
}

// Evidence is what shows the cause.
type Evidence struct {
	Frame           // of the segment that it is about; 0 if there is none, or its header is not known
	Octets   string `json:"octets"`   // its DDP header, in hexadecimal
	Seen     string `json:"seen"`     // what is wrong there
	Expected string `json:"expected"` // what a correct peer would have sent
	Explain  string `json:"explain"`  // what iwarp explain tells more about
}

// An Excused counts breaches by one deviation of one side.
type Excused struct {
	Side      string `json:"side"`
	Deviation string `json:"habit"` // as in all of iwarp.check/2
	Count     uint64 `json:"count"`
}

// A Peer is an implementation as which a side was recognised.
type Peer struct {
	Side    string `json:"side"`
	Name    string `json:"name"` // "linux-nfs-client"
	Grounds string `json:"grounds"`
	Frame          // that shows them first
}

func newVerdict(v *record.Verdict) Verdict {
	r := Verdict{
		Summary: v.Summary, Text: v.Text, Advice: v.Advice, Confidence: v.Confidence.String(), Consequences: []Cause{}, Excused: []Excused{}, Peers: []Peer{},
	}
	if v.Cause != nil {
		r.Cause = new(newCause(v.Cause))
		r.Evidence = &Evidence{
			Frame: newFrame(v.Conn, v.Evidence.Frame), Octets: hex.EncodeToString(v.Evidence.Octets), Seen: v.Cause.Seen, Expected: v.Cause.Expected, Explain: v.Explain,
		}
	}
	if v.Culprit != flow.Nobody {
		r.Side = known(v.Culprit.String())
	}
	for _, f := range v.Consequences {
		r.Consequences = append(r.Consequences, newCause(f))
	}
	for _, e := range v.Excused {
		r.Excused = append(r.Excused, Excused{flow.Sender(e.Dir).String(), e.Deviation.Why, e.Count})
	}
	for d, grounds := range v.Peers {
		for _, g := range grounds {
			if g.Peer != "" {
				r.Peers = append(r.Peers, Peer{Side: flow.Sender(flow.Direction(d)).String(), Name: g.Peer, Grounds: g.Why, Frame: newFrame(v.Conn, g.Frame)})
			}
		}
	}
	return r
}

func newCause(f *record.Finding) Cause {
	return Cause{Kind: f.Name, ID: f.ID, Dir: f.Dir.String(), Frames: newFrames(f.Conn, &f.Span), Time: clock(f.Time)}
}

// Outstanding is what was not answered at the end of a connection, by the direction of the requests.
type Outstanding struct {
	C2S Requests `json:"c2s"`
	S2C Requests `json:"s2c"`
}

// Requests counts requests without response.
type Requests struct {
	Reads   int  `json:"reads"`
	Atomics int  `json:"atomics"`
	Upper   int  `json:"upper"`
	AtLeast bool `json:"at_least,omitempty"` // there may be more: of some it is not known whether they were answered
}

// Depth is how many Read and Atomic Requests were outstanding at a time, by their direction.
type Depth struct {
	C2S Queue `json:"c2s"`
	S2C Queue `json:"s2c"`
}

// A Queue is the Read and Atomic Requests of one direction.
type Queue struct {
	Most  int  `json:"most"`  // that were outstanding at a time
	Limit *int `json:"limit"` // as negotiated: of the requester's ORD and the responder's IRD the smaller; null if not known
}

// Counts counts findings.
type Counts struct {
	Errors   uint64 `json:"error"`
	Warnings uint64 `json:"warning"`
	Notes    uint64 `json:"note"`
	Withheld uint64 `json:"withheld"`           // of these, findings that are not in the Document, for there were too many of their rule
	AtLeast  bool   `json:"at_least,omitempty"` // there may be more that match the filter, among those withheld
}

// NewConnection describes a connection that has ended.
func NewConnection(v *record.Verdict) Connection {
	c := v.Conn
	r := Connection{
		Conn: c.ID, Client: c.Client.String(), Server: c.Server.String(),
		Frames: newFrames(c, &c.Span), Start: clock(c.Earliest), Duration: seconds(c.Latest - c.Earliest),
		ULP: known(v.ULP), End: c.End.String(), EndedFrame: known(newFrame(c, v.At.Frame).Frame), Verdict: newVerdict(v),
		Outstanding: Outstanding{requests(v, flow.C2S), requests(v, flow.S2C)},
		Depth:       Depth{queue(v, flow.C2S), queue(v, flow.S2C)},
		Terminates:  []Terminate{},
		Findings:    Counts{v.Errors, v.Warnings, v.Notes, v.Withheld, v.AtLeast},
		Ends:        newEnds(v.Ends),
	}
	if r.Transport = c.Transport().String(); c.Association != nil {
		r.Stream = &c.Association.Stream
	}
	if v.By != flow.Nobody {
		r.EndedBy = known(v.By.String())
	}
	for _, cause := range v.Terminations {
		r.Terminates = append(r.Terminates, newTerminate(cause))
	}
	return r
}

func requests(v *record.Verdict, d flow.Direction) Requests {
	o := &v.Outstanding[d]
	return Requests{o.Reads, o.Atomics, o.Upper, o.AtLeast}
}

func queue(v *record.Verdict, d flow.Direction) Queue {
	q := Queue{Most: v.MaxOutstanding[d]}
	if limit := v.Limit[d]; limit >= 0 {
		q.Limit = &limit
	}
	return q
}

// A Terminate is one that was sent, and what it is about.
type Terminate struct {
	Dir string `json:"dir"`
	Frame
	Code       string   `json:"code"`      // as its sender means it: "0/1/00"
	CodeRead   string   `json:"code_read"` // as the RFC reads the octets
	Swapped    bool     `json:"swapped"`   // its sender wrote the bits in the swapped order
	Layer      string   `json:"layer"`     // what the parts of Code are called
	EType      string   `json:"etype"`
	ErrorCode  string   `json:"errcode"`    // empty if it has no name
	Culprit    *Culprit `json:"culprit"`    // null if it is not known
	Rule       *string  `json:"rule"`       // that the culprit broke; null if the capture does not show it
	Situations []string `json:"situations"` // what may have gone wrong with the culprit
	Grade      string   `json:"grade"`      // exact, accepted, wrong or unjudged
}

// A Culprit is the segment that a Terminate is about.
type Culprit struct {
	Dir string `json:"dir"`
	Frames
	Type        string  `json:"type"`
	Text        string  `json:"text"`        // the segment in words
	Blame       string  `json:"blame"`       // how it was found: header, request or position
	Invalidated *uint64 `json:"invalidated"` // the frame of a Send that invalidated its STag before; null if there was none
}

func newTerminate(c *record.Termination) Terminate {
	t := Terminate{
		Dir: c.Terminate.Dir.String(), Frame: newFrame(c.Terminate.Conn, c.Terminate.Frame),
		Code: c.Code.String(), CodeRead: c.CodeRead().String(), Swapped: c.Swapped,
		Layer: c.Code.Layer.String(), EType: c.Code.ETypeName(), ErrorCode: c.Code.Name(),
		Situations: []string{}, Grade: c.Grade.String(),
	}
	if c.Rule != nil {
		t.Rule = &c.Rule.Name
	}
	for _, s := range c.Situations {
		t.Situations = append(t.Situations, s.String())
	}
	if c.Blame != record.NoBlame {
		t.Culprit = &Culprit{
			Dir: c.Culprit.Dir.String(), Frames: newFrames(c.Terminate.Conn, &c.Culprit.Span),
			Type: culpritType(c), Text: c.Subject(), Blame: c.Blame.String(), Invalidated: known(newFrame(c.Terminate.Conn, c.Invalidated).Frame),
		}
	}
	return t
}

// culpritType is the type of message that a Terminate is about.
func culpritType(c *record.Termination) string {
	if c.Blame == record.BlameByReply {
		return "MPAReply"
	}
	return c.Opcode.String()
}

// Totals sums up a Document.
type Totals struct {
	Connections int    `json:"connections"`
	Failed      int    `json:"failed"`    // connections
	HalfSeen    int    `json:"half_seen"` // connections of which only one side is in the capture, and that have not failed as far as it shows
	Excused     uint64 `json:"excused"`   // of the notes, those that are known deviations of their senders
	Counts
	First *First `json:"first"` // the first error, or warning if there is no error; null if there is neither
}

// First is where the first error was found.
type First struct {
	Severity string `json:"severity"`
	ID       string `json:"id"`
	Frame
	Conn int `json:"conn"`
}

func newSummary(s *Summary) *Totals {
	t := &Totals{Connections: s.Connections, Failed: s.Failed, HalfSeen: s.HalfSeen, Excused: s.Excused, Counts: Counts{s.Errors, s.Warnings, s.Notes, s.Withheld, s.AtLeast}}
	if p := &s.First; p.ID != "" {
		t.First = &First{Severity: p.Severity.String(), ID: p.ID, Frame: newFrame(p.Conn, p.Frame), Conn: p.Conn.ID}
	}
	return t
}
