package record

// Records in JSON, to be kept or sent and read again.

import "encoding/json"

// MarshalJSON implements json.Marshaler. What upper layers say in types of their own is left out: the Private of a Startup,
// the Body of a Record and of an Upper, and the Upper of a Transaction; and the Rules and Habits of Findings, Terminations and Verdicts. Everything else can be read again.
func (r *Record) MarshalJSON() ([]byte, error) {
	type plain Record
	return json.Marshal(struct {
		*plain
		Conn *Conn
	}{(*plain)(r), r.Conn})
}

// UnmarshalJSON implements json.Unmarshaler. The Record has a Conn of its own.
func (r *Record) UnmarshalJSON(b []byte) error {
	type plain Record
	read := struct {
		*plain
		Conn *Conn
	}{plain: (*plain)(r)}
	err := json.Unmarshal(b, &read)
	r.setConn(read.Conn)
	return err
}

// setConn sets the Conn of the Record and of all that it points to.
func (r *Record) setConn(c *Conn) {
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

func (m *Message) setConn(c *Conn) {
	if m == nil {
		return
	}
	m.Conn = c
	m.Answers.setConn(c)
	for i := range m.Marks {
		m.Marks[i].setConn(c)
	}
}

func (t *Transaction) setConn(c *Conn) {
	if t != nil {
		t.Conn = c
	}
}

func (f *Finding) setConn(c *Conn) {
	f.Conn = c
	if f.Termination != nil {
		f.Termination.setConn(c)
	}
}

func (t *Termination) setConn(c *Conn) {
	t.Terminate.Conn = c
	if t.Culprit != (Origin{}) {
		t.Culprit.Conn = c
	}
}

func (v *Verdict) setConn(c *Conn) {
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
