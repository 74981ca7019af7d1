// Package kv follows KV, an invented protocol: a Send of 12 octets asks for a key, one of 8 octets answers.
package kv

import (
	"github.com/iwarpkit/iwarp/codec/field"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/ulp"
	"github.com/iwarpkit/iwarp/dissect/ulp/pending"
)

// Layer is KV. To register it, add it to Layers in dissect/ulp/all.
var Layer = &ulp.Layer{
	Name: "KV", Ports: []uint16{7200}, Tables: []*field.Table{request, response},
	Shared: []string{"kv.id"}, Recognise: recognise,
}

var request = field.NewTable("KV request", "kv", "KV, section 2",
	field.Big("kv.id", "ID", 0, 4, field.Hex),
	field.Big("kv.key", "Key", 4, 8, field.Hex))

var response = field.NewTable("KV response", "kv", "KV, section 3",
	field.Big("kv.id", "ID", 0, 4, field.Hex),
	field.Big("kv.status", "Status", 4, 4, field.Dec))

func recognise(c *flow.Conn, send *record.Message, payload []byte) ulp.Follower {
	if send == nil || c.Server.Port() != 7200 || read(payload, send.Len) == nil {
		return nil
	}
	return new(follower)
}

// A message is a request or a response.
type message struct {
	table  *field.Table
	octets []byte
}

// Lay implements record.Body.
func (m *message) Lay(v *record.View) {
	v.Begin("", m.octets, uint64(len(m.octets)))
	v.Add(m.table, 0, m.table.Len())
}

// read returns nil if the Send is neither a request nor a response, or was captured only in part.
func read(b []byte, length uint64) *message {
	for _, t := range []*field.Table{request, response} {
		if length == uint64(t.Len()) && len(b) == t.Len() {
			return &message{t, b}
		}
	}
	return nil
}

// A follower joins responses with requests. The embedded table has the other methods of ulp.Follower.
type follower struct{ pending.Table[struct{}] }

// Send implements ulp.Follower.
func (f *follower) Send(m *record.Message, payload []byte) {
	f.Next()
	x := read(payload, m.Len)
	if x == nil {
		return
	}
	id, _ := x.table.Lookup("kv.id").Get(payload)
	u := &record.Upper{Origin: m.Origin, ULP: "KV", Name: "response", ID: id, Len: m.Len, Body: x}
	if x.table == request {
		u.Name = "request"
	}
	f.Reporter.Upper(u)
	if x.table == request {
		f.Await(f.Open(&m.Origin, id, "KV"))
		return
	}
	f.Answer(1-m.Dir, id, &pending.Answer[struct{}]{Span: m.Span})
}
