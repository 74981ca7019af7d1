package record

// Records in JSON, to be kept or sent and read again.

import (
	"encoding/json"
	"errors"
	"slices"

	"github.com/iwarpkit/iwarp/codec/rpcrules"
	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/dissect/flow"
)

// MarshalJSON implements json.Marshaler. What upper layers say in types of their own is left out: the Private of a Startup,
// the Body of a Record and of an Upper, and the Upper of a Transaction; and of the Deviations all but the Why of those that Verdicts excuse. Everything
// else can be read again, the Rules by their names.
func (r *Record) MarshalJSON() ([]byte, error) {
	type plain Record
	return json.Marshal(struct {
		*plain
		Conn *flow.Conn
	}{(*plain)(r), r.Conn})
}

// UnmarshalJSON implements json.Unmarshaler. The Record has a Conn of its own. It is an error if there is none, or if something in
// a list is null, or if a Finding or Verdict has a value that its type does not name.
func (r *Record) UnmarshalJSON(b []byte) error {
	type plain Record
	read := struct {
		*plain
		Conn *flow.Conn
	}{plain: (*plain)(r)}
	if err := json.Unmarshal(b, &read); err != nil {
		return err
	}
	switch c, v := read.Conn, r.Verdict; {
	case c == nil || slices.Contains(r.Over, nil) || slices.ContainsFunc(r.Findings, (*Finding).isUnnamed):
	case c.End > flow.EndOpen:
	case v != nil && (v.isUnnamed() || v.Cause != nil && v.Cause.isUnnamed()):
	default:
		r.setConn(c)
		return nil
	}
	return errors.New("record: a connection, finding or transaction is missing, or has a value without a name")
}

func (f *Finding) isUnnamed() bool {
	return f == nil || f.Severity > rules.Error || f.Termination != nil && f.Termination.isUnnamed()
}

func (t *Termination) isUnnamed() bool {
	isUnnamed := func(s rules.Situation) bool { return s >= rules.NumSituations }
	return t == nil || t.Blame > BlameByPosition || t.Grade > rules.Exact || slices.ContainsFunc(t.Situations, isUnnamed)
}

func (v *Verdict) isUnnamed() bool {
	return max(v.By, v.Culprit) > flow.Server || v.Confidence > Shown ||
		slices.ContainsFunc(v.Terminations, (*Termination).isUnnamed) || slices.ContainsFunc(v.Consequences, (*Finding).isUnnamed)
}

// setConn sets the Conn of the Record and of all that it points to.
func (r *Record) setConn(c *flow.Conn) {
	r.Conn = c
	if r.Startup != nil {
		r.Startup.Conn = c
	}
	if r.Streaming != nil {
		r.Streaming.Conn = c
	}
	if r.Segment != nil {
		r.Segment.Conn = c
		r.Segment.Message.setConn(c)
	}
	r.Message.setConn(c)
	if r.Note != nil {
		r.Note.Conn = c
	}
	if r.Verdict != nil {
		r.Verdict.setConn(c)
	}
	if r.Upper != nil {
		r.Upper.Conn = c
	}
	r.Exchange.setConn(c)
	for _, t := range r.Over {
		t.setConn(c)
	}
	for _, f := range r.Findings {
		f.setConn(c)
	}
	for i := range r.Marks {
		r.Marks[i].setConn(c)
	}
}

func (m *Message) setConn(c *flow.Conn) {
	if m == nil {
		return
	}
	m.Conn = c
	m.Answers.setConn(c)
	for i := range m.Marks {
		m.Marks[i].setConn(c)
	}
}

func (t *Transaction) setConn(c *flow.Conn) {
	if t != nil {
		t.Conn = c
	}
}

func (f *Finding) setConn(c *flow.Conn) {
	f.Conn, f.Rule = c, rpcrules.Lookup(f.Name)
	if f.Termination != nil {
		f.Termination.setConn(c)
	}
}

func (t *Termination) setConn(c *flow.Conn) {
	t.Terminate.Conn = c
	if t.Culprit != (Origin{}) {
		t.Culprit.Conn = c
	}
}

func (v *Verdict) setConn(c *flow.Conn) {
	v.Conn = c
	for _, cause := range v.Terminations {
		cause.setConn(c)
	}
	if v.Cause != nil {
		v.Cause.setConn(c)
	}
	for _, f := range v.Consequences {
		f.setConn(c)
	}
}

// An excused is the form of an Excused.
type excused struct {
	Dir   flow.Direction
	Why   string // of the Deviation
	Count uint64
}

// MarshalJSON implements json.Marshaler.
func (e Excused) MarshalJSON() ([]byte, error) {
	return json.Marshal(excused{e.Dir, e.Deviation.Why, e.Count})
}

// UnmarshalJSON implements json.Unmarshaler. The Deviation has its Why alone.
func (e *Excused) UnmarshalJSON(b []byte) error {
	var read excused
	err := json.Unmarshal(b, &read)
	*e = Excused{read.Dir, &rules.Deviation{Why: read.Why}, read.Count}
	return err
}

// MarshalJSON implements json.Marshaler.
func (t *Termination) MarshalJSON() ([]byte, error) {
	type plain Termination
	name := ""
	if t.Rule != nil {
		name = t.Rule.Name
	}
	return json.Marshal(struct {
		*plain
		Rule string
	}{(*plain)(t), name})
}

// UnmarshalJSON implements json.Unmarshaler.
func (t *Termination) UnmarshalJSON(b []byte) error {
	type plain Termination
	read := struct {
		*plain
		Rule string
	}{plain: (*plain)(t)}
	err := json.Unmarshal(b, &read)
	t.Rule = rpcrules.Lookup(read.Rule)
	return err
}

// UnmarshalJSON implements json.Unmarshaler.
func (s *Segment) UnmarshalJSON(b []byte) error {
	type plain Segment
	if err := json.Unmarshal(b, (*plain)(s)); err != nil {
		return err
	}
	_, s.Err = s.RDMAP.Decode(s.FPDU.ULPDU)
	if s.Err == nil && s.FPDU.Missing == 0 {
		s.Err = s.RDMAP.CheckBody()
	}
	return nil
}

// UnmarshalJSON implements json.Unmarshaler.
func (m *Message) UnmarshalJSON(b []byte) error {
	type plain Message
	if err := json.Unmarshal(b, (*plain)(m)); err != nil {
		return err
	}
	m.First.Decode(m.Header) // it was decoded from the same octets before
	return nil
}
