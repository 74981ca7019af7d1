package diff

// What a comparison found.

import (
	"cmp"
	"maps"
	"slices"
	"strconv"

	"github.com/iwarpkit/iwarp/codec/field"
	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/dissect/flow"
)

// Schema names the form of a Report in JSON.
const Schema = "iwarp.diff/1"

// MaxDifferences is how many Differences of a connection are listed. The counts are of all.
const MaxDifferences = 200

// A Report says how two captures differ.
type Report struct {
	Schema      string       `json:"schema"`
	A           string       `json:"a"` // names of the files, by whoever compares
	B           string       `json:"b"`
	Equal       bool         `json:"equal"`     // except for time
	Truncated   bool         `json:"truncated"` // a capture has more messages than MaxMessages; the rest was not compared
	Counts      Counts       `json:"counts"`    // of messages
	First       *First       `json:"first"`     // where behaviour first differs; nil if it does not
	Connections []Connection `json:"connections"`
	Operations  []Operation  `json:"operations"` // how long they took, the slowest change first
}

// Counts counts messages.
type Counts struct {
	Same      int `json:"same"`
	Missing   int `json:"missing"` // only in A
	Added     int `json:"added"`   // only in B
	Changed   int `json:"changed"`
	Reordered int `json:"reordered"`

	Uncompared int `json:"uncompared"` // only one capture has that part of the connection: its beginning, or that side
}

// A First is the first difference of a Report.
type First struct {
	Connection int        `json:"connection"` // its place in Connections
	Difference Difference `json:"difference"`
}

// A Connection is one of A and its counterpart in B.
type Connection struct {
	A           *Side        `json:"a"` // nil if B has one more
	B           *Side        `json:"b"` // nil if A has one more
	Counts      Counts       `json:"counts"`
	Differences []Difference `json:"differences"` // in the order of B, at most MaxDifferences
	New         []Finding    `json:"new_findings"`
	Gone        []Finding    `json:"gone_findings"`
}

// A Side is a connection in one of the captures.
type Side struct {
	ID      int    `json:"id"`
	Client  string `json:"client"`
	Server  string `json:"server"`
	Ending  string `json:"ending"`
	Failure string `json:"failure"` // the verdict; empty if it did not fail

	ended string
}

// Ended is how the connection ended, in a sentence: "by the client's FIN".
func (s *Side) Ended() string { return s.ended }

// end fills in how the connection ended, by whom.
func (s *Side) end(with flow.End, by flow.Party) {
	s.Ending, s.ended = with.String(), "with "+with.Noun()
	if with == flow.EndOpen {
		s.ended = "not within the capture"
	}
	if by != flow.Nobody {
		s.Ending += " by the " + by.String()
		s.ended = "by the " + by.String() + "'s " + with.Noun()
	}
}

// A Finding is an error or a warning that only one of the captures has.
type Finding struct {
	ID    string `json:"id"`
	Error bool   `json:"error"` // else a warning
	Frame uint64 `json:"frame"` // of the first
	Count int    `json:"count"`
}

// A Kind is a way to differ.
type Kind string

// The kinds of Differences.
const (
	Missing   Kind = "missing"   // CountA messages, of which A is the first, are not in B
	Added     Kind = "added"     // CountB messages, of which B is the first, are not in A
	Replaced  Kind = "replaced"  // both
	Changed   Kind = "changed"   // the message is in both, with other Fields
	Reordered Kind = "reordered" // the message is in both, earlier or later among those of its side
)

// A Difference is one between the messages of a side.
type Difference struct {
	Kind   Kind              `json:"kind"`
	Dir    string            `json:"dir"` // who sent it: "c2s" or "s2c"
	A      *Message          `json:"a"`
	B      *Message          `json:"b"`
	CountA int               `json:"count_a"`
	CountB int               `json:"count_b"`
	Fields []FieldDifference `json:"fields,omitempty"` // of a message that has changed, or was replaced by one other
	Last   bool              `json:"last,omitempty"`   // the side has sent nothing more that is in both

	after uint64 // place in B
}

// A Message is one in one of the captures.
type Message struct {
	Number    int    `json:"-"` // its place among those of the connection, in the order in which they became whole, from 1
	Frame     uint64 `json:"frame"`
	LastFrame uint64 `json:"last_frame"`
	Name      string `json:"name"` // "Send with RDMA_MSG Call NFSv3 READ"
}

// A FieldDifference is a field with its values as they are shown. The value of A is what B should have: an STag is the one that
// B advertised in the place of that of A, or that of A if neither advertised one.
type FieldDifference struct {
	Name  string `json:"name"`
	Label string `json:"label"`
	A     string `json:"a"`
	B     string `json:"b"`
	Own   string `json:"-"` // the value that A itself has, if that is another one
}

// difference is that of the values of a field; of octets, of how many there are.
func difference(f *field.Field, a, b uint64) FieldDifference {
	if f.Base == field.Octets {
		return FieldDifference{Name: f.Name, Label: f.Label, A: strconv.FormatUint(a, 10) + " octets", B: strconv.FormatUint(b, 10) + " octets"}
	}
	return FieldDifference{Name: f.Name, Label: f.Label, A: shown(f, a), B: shown(f, b)}
}

// translated is the difference between a value of B and what stands there in the place of A's own value.
func translated(f *field.Field, own, a, b uint64) FieldDifference {
	d := difference(f, a, b)
	if own != a {
		d.Own = shown(f, own)
	}
	return d
}

// shown is a value with its name, if it has one.
func shown(f *field.Field, v uint64) string {
	s := string(f.AppendNumber(nil, v))
	if f.Names == nil || f.Names(v) == "" {
		return s
	}
	return f.Names(v) + " (" + s + ")"
}

func number(n int) string { return strconv.Itoa(n) }

// add adds a pair of connections.
func (r *Report) add(c *comparer) {
	out := Connection{A: side(c.a), B: side(c.b), Differences: []Difference{}}
	switch {
	case c.a == nil:
		out.Counts.Added = len(c.b.lanes[0]) + len(c.b.lanes[1])
		out.New = findings(c.b, nil)
	case c.b == nil:
		out.Counts.Missing = len(c.a.lanes[0]) + len(c.a.lanes[1])
		out.Gone = findings(c.a, nil)
	default:
		if c.oneSided() { // who ended it is not known of both
			out.A.end(c.a.conn.End, flow.Nobody)
			out.B.end(c.b.conn.End, flow.Nobody)
		}
		all := c.compare()
		out.count(c, all)
		out.Differences = append(out.Differences, all[:min(len(all), MaxDifferences)]...)
		out.New, out.Gone = findings(c.b, c.a), findings(c.a, c.b)
	}
	r.Connections = append(r.Connections, out)
}

// failure is why the connection failed; empty if it did not, or there is none.
func (s *Side) failure() string {
	if s == nil {
		return ""
	}
	return s.Failure
}

func side(s *session) *Side {
	if s == nil {
		return nil
	}
	of := &Side{ID: s.conn.ID, Client: s.conn.Client.String(), Server: s.conn.Server.String(), Failure: s.verdict}
	of.end(s.conn.End, s.by)
	return of
}

// count counts the messages by how they differ.
func (c *Connection) count(by *comparer, all []Difference) {
	for i := range all {
		d := &all[i]
		switch d.Kind {
		case Changed:
			c.Counts.Changed++
		case Reordered:
			c.Counts.Reordered++
		default:
			c.Counts.Missing += d.CountA
			c.Counts.Added += d.CountB
		}
	}
	c.Counts.Same = len(by.a.lanes[0]) + len(by.a.lanes[1]) - c.Counts.Missing - c.Counts.Changed - c.Counts.Reordered - by.unseen[0]
	c.Counts.Uncompared = by.unseen[0] + by.unseen[1]
}

// findings lists those of s that other, if it is not nil, lacks, in the order of their frames.
func findings(s, other *session) []Finding {
	all := []Finding{}
	for _, id := range slices.Sorted(maps.Keys(s.findings)) {
		if f := s.findings[id]; other == nil || other.findings[id] == nil {
			all = append(all, Finding{id, f.severity == rules.Error, f.frame, f.count})
		}
	}
	slices.SortStableFunc(all, func(x, y Finding) int { return cmp.Compare(x.Frame, y.Frame) })
	return all
}

// Equal reports whether the two are equal except for timing: the same messages, end and errors. A warning can depend on time alone.
func (c *Connection) Equal() bool {
	return c.A != nil && c.B != nil && len(c.Differences) == 0 && c.A.Ending == c.B.Ending &&
		(c.A.Failure == "") == (c.B.Failure == "") && !slices.ContainsFunc(slices.Concat(c.New, c.Gone), func(f Finding) bool { return f.Error })
}

// finish sums up.
func (r *Report) finish() {
	r.Equal = true
	for i := range r.Connections {
		c := &r.Connections[i]
		r.Equal = r.Equal && c.Equal()
		r.Counts.Same += c.Counts.Same
		r.Counts.Missing += c.Counts.Missing
		r.Counts.Added += c.Counts.Added
		r.Counts.Changed += c.Counts.Changed
		r.Counts.Reordered += c.Counts.Reordered
		r.Counts.Uncompared += c.Counts.Uncompared
		if len(c.Differences) > 0 && (r.First == nil || c.Differences[0].after < r.First.Difference.after) {
			r.First = &First{i, c.Differences[0]}
		}
	}
}
