package rpcrdma_test

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"testing"

	"github.com/iwarpkit/iwarp/codec/field"
	"github.com/iwarpkit/iwarp/codec/rpcrdma"
)

const (
	none = rpcrdma.RoleNone
	req  = rpcrdma.Requester
	resp = rpcrdma.Responder
)

// messages is what each vector is for, and who in an RPC sends it.
var messages = map[string]struct {
	form rpcrdma.Form
	role rpcrdma.Role
	kind string
}{
	"kernel Call":                          {rpcrdma.FormInline, req, "RDMA_MSG"},
	"kernel Reply":                         {rpcrdma.FormInline, resp, "RDMA_MSG"},
	"kernel Call with Reply chunk":         {rpcrdma.FormInline, req, "RDMA_MSG"},
	"kernel Long Reply":                    {rpcrdma.FormBody, resp, "RDMA_NOMSG"},
	"kernel Reply chunk of three segments": {rpcrdma.FormBody, resp, "RDMA_NOMSG"},
	"Long Call":                            {rpcrdma.FormBody, req, "RDMA_NOMSG"},
	"empty Reply chunk":                    {rpcrdma.FormBody, resp, "RDMA_NOMSG"},
	"ERR_VERS":                             {rpcrdma.FormError, resp, "RDMA_ERROR"},
	"ERR_CHUNK":                            {rpcrdma.FormError, resp, "RDMA_ERROR"},
	"MSGP":                                 {rpcrdma.FormInline, req, "RDMA_MSGP"},
	"DONE":                                 {rpcrdma.FormDone, none, "RDMA_DONE"},
	"CONNPROP":                             {rpcrdma.FormProperties, none, "RDMA2_CONNPROP"},
	"CONNPROP with TPMORE":                 {rpcrdma.FormProperties, none, "RDMA2_CONNPROP"},
	"version 2 Call":                       {rpcrdma.FormInline, req, "RDMA2_MSG"},
	"WRITE_RESOURCE":                       {rpcrdma.FormError, resp, "RDMA2_ERROR"},
	"2022 ERROR":                           {rpcrdma.FormError, resp, "RDMA2_ERROR"},
	"2022 GRANT":                           {rpcrdma.FormGrant, none, "RDMA2_GRANT"},
	"2022 CONNPROP_FINAL":                  {rpcrdma.FormProperties, none, "RDMA2_CONNPROP_FINAL"},
	"first part of a Call":                 {rpcrdma.FormInline, req, "RDMA2_MSG"},
	"Special Call":                         {rpcrdma.FormBody, req, "RDMA2_NOMSG"},
	"Special Reply":                        {rpcrdma.FormBody, resp, "RDMA2_NOMSG"},
	"credit grant":                         {rpcrdma.FormGrant, none, "RDMA2_NOMSG"},
	"2022 CONNPROP_MIDDLE":                 {rpcrdma.FormProperties, none, "RDMA2_CONNPROP_MIDDLE"},
	"2022 CALL_EXTERNAL":                   {rpcrdma.FormBody, req, "RDMA2_CALL_EXTERNAL"},
	"2022 CALL_MIDDLE":                     {rpcrdma.FormInline, req, "RDMA2_CALL_MIDDLE"},
	"2022 REPLY_INLINE":                    {rpcrdma.FormInline, resp, "RDMA2_REPLY_INLINE"},
}

func TestMessage(t *testing.T) {
	for name, want := range messages {
		v := vectors[name]
		b := v.message(t)
		var m rpcrdma.Message
		m.Decode(b, len(b), v.dialect)
		header := len(octets(t, v.header))
		if m.Err != nil || m.Form != want.form || m.Role != want.role || m.KindName() != want.kind || m.Cut || m.Len != len(b) {
			t.Errorf("%s: form %d, role %d, %s, %v", name, m.Form, m.Role, m.KindName(), m.Err)
		}
		if m.HeaderLen != header || !bytes.Equal(m.Payload, b[header:]) {
			t.Errorf("%s: a header of %d octets, want %d", name, m.HeaderLen, header)
		}
		sameFields(t, name, &m, v.want)
		if n := testing.AllocsPerRun(100, func() { m.Decode(b, len(b), v.dialect) }); n != 0 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
}

// sameFields checks whether what a Message has in common with the header of a dialect is the same.
func sameFields(t *testing.T, name string, m *rpcrdma.Message, header any) {
	t.Helper()
	have, want := reflect.ValueOf(m).Elem(), reflect.ValueOf(header).Elem()
	same := 0
	for i := range want.NumField() {
		f := want.Type().Field(i)
		mine := have.FieldByName(f.Name)
		if !mine.IsValid() || mine.Type() != f.Type {
			continue
		}
		same++
		if a, b := fmt.Sprint(mine.Interface()), fmt.Sprint(want.Field(i).Interface()); a != b {
			t.Errorf("%s: %s is %s, want %s", name, f.Name, a, b)
		}
	}
	if same < 5 {
		t.Errorf("%s: only %d fields compared", name, same)
	}
}

// TestMessageCut reads every beginning of every message.
func TestMessageCut(t *testing.T) {
	for name := range messages {
		v := vectors[name]
		b := v.message(t)
		header := len(octets(t, v.header))
		for n := range len(b) {
			var m rpcrdma.Message
			m.Decode(b[:n:n], len(b), v.dialect)
			if !m.Cut || m.Len != len(b) || (m.Err == nil) != (n >= header) {
				t.Errorf("%s, %d octets of %d: cut %v, %v", name, n, len(b), m.Cut, m.Err)
			}
			if m.Err != nil && (!errors.Is(m.Err, field.ErrShort) || m.Payload != nil) {
				t.Errorf("%s, %d octets: %v", name, n, m.Err)
			}
		}
	}
}

func TestMessageOfUnknownDialect(t *testing.T) {
	var m rpcrdma.Message
	b := octets(t, "5a000001 00000007 00000020 00000000 00000000")
	m.Decode(b, len(b), rpcrdma.DialectUnknown)
	if m.XID != 0x5a000001 || m.Vers != 7 || m.Credit != 32 || m.Kind != 0 || m.Form != rpcrdma.FormUnknown || m.Role != none || m.Err != nil || m.HeaderLen != 16 {
		t.Errorf("%+v", m)
	}
	m.Decode(b[:9], len(b), rpcrdma.DialectUnknown)
	if m.XID != 0x5a000001 || !errors.Is(m.Err, field.ErrShort) {
		t.Errorf("%+v", m)
	}
}

func TestMessageLists(t *testing.T) {
	var m rpcrdma.Message
	external := vectors["2022 CALL_EXTERNAL"]
	b := external.message(t)
	m.Decode(b, len(b), external.dialect)
	positions := ""
	for s := range m.ReadSegments() {
		positions += fmt.Sprint(s.Position, " ")
	}
	if positions != "0 72 " || !m.HasBody() || !m.HasChunks() || m.Segments() != 4 {
		t.Errorf("Positions %s, body %v, %d segments", positions, m.HasBody(), m.Segments())
	}
	for s := range m.ReadSegments() {
		if !m.HasHandle(s.Handle) || m.HasHandle(s.Handle+0x01000000) {
			t.Errorf("handle %#x", s.Handle)
		}
		break
	}
	all := vectors["all lists"]
	b = all.message(t)
	m.Decode(b, len(b), all.dialect)
	if m.Segments() != 5 || m.HasBody() || !m.HasHandle(0x2200bb03) || !m.HasHandle(0x3300cc02) || m.HasHandle(7) {
		t.Errorf("%d segments, body %v", m.Segments(), m.HasBody())
	}
}

// TestMessageMore looks which messages another one goes on with.
func TestMessageMore(t *testing.T) {
	goesOn := map[string]bool{"first part of a Call": true, "CONNPROP with TPMORE": true, "2022 CONNPROP_MIDDLE": true, "2022 CALL_MIDDLE": true}
	for name := range messages {
		v := vectors[name]
		b := v.message(t)
		var m rpcrdma.Message
		if m.Decode(b, len(b), v.dialect); m.More != goesOn[name] {
			t.Errorf("%s: More is %v", name, m.More)
		}
	}
}

func TestMessageGranted(t *testing.T) {
	for name, want := range map[string][2]uint32{"kernel Call": {128, 128}, "CONNPROP": {8, 4}} {
		v := vectors[name]
		b := v.message(t)
		var m rpcrdma.Message
		m.Decode(b, len(b), v.dialect)
		if limit, granted := m.Granted(); limit != want[0] || granted != want[1] {
			t.Errorf("%s: at most %d, %d granted", name, limit, granted)
		}
	}
}

func ExampleMessage() {
	b := raw("5a000004 00000001 00000010 00000000 00000000 00000001 00000001 2200bb01 00001388 00007f0020000000 00000000 00000000" +
		"5a000004 00000001 00000000 00000000 00000000 00000000")
	var m rpcrdma.Message
	m.Decode(b, len(b), rpcrdma.DetectDialect(b, len(b)))
	fmt.Println(m.KindName(), m.Role == rpcrdma.Responder, m.Segments(), len(m.Payload))
	// Output: RDMA_MSG true 1 24
}
