package rdmap_test

import (
	"strings"
	"testing"

	"github.com/iwarpkit/iwarp/codec/rdmap"
)

// TestOpcode goes through the table of RFC 5040, figures 4 and 5, and RFC 7306, figures 2 and 3.
func TestOpcode(t *testing.T) {
	const none = -1
	for _, tc := range []struct {
		opcode      rdmap.Opcode
		name        string
		tagged      bool
		qn          int
		invalidates bool
		solicited   bool
		header      int
		payload     bool
		receive     bool
		response    int
		extension   bool
	}{
		{opcode: 0, name: "Write", tagged: true, qn: none, payload: true, response: none},
		{opcode: 1, name: "ReadRequest", qn: 1, header: 28, response: 2},
		{opcode: 2, name: "ReadResponse", tagged: true, qn: none, payload: true, response: none},
		{opcode: 3, name: "Send", qn: 0, payload: true, receive: true, response: none},
		{opcode: 4, name: "SendInvalidate", qn: 0, payload: true, receive: true, invalidates: true, response: none},
		{opcode: 5, name: "SendSE", qn: 0, payload: true, receive: true, solicited: true, response: none},
		{opcode: 6, name: "SendSEInvalidate", qn: 0, payload: true, receive: true, solicited: true, invalidates: true, response: none},
		{opcode: 7, name: "Terminate", qn: 2, header: 4, response: none},
		{opcode: 8, name: "Immediate", qn: 0, header: 8, receive: true, response: none, extension: true},
		{opcode: 9, name: "ImmediateSE", qn: 0, header: 8, receive: true, solicited: true, response: none, extension: true},
		{opcode: 10, name: "AtomicRequest", qn: 1, header: 52, response: 11, extension: true},
		{opcode: 11, name: "AtomicResponse", qn: 3, header: 12, response: none, extension: true},
		{opcode: 12, name: "Opcode12", qn: none, response: none},
		{opcode: 13, name: "Opcode13", qn: none, response: none},
		{opcode: 14, name: "Opcode14", qn: none, response: none},
		{opcode: 15, name: "Opcode15", qn: none, response: none},
	} {
		o := tc.opcode
		if o.String() != tc.name {
			t.Errorf("%d is called %s, want %s", o, o, tc.name)
		}
		if back, err := rdmap.ParseOpcode(tc.name); back != o || err != nil {
			t.Errorf("ParseOpcode(%s) = %d, %v", tc.name, back, err)
		}
		qn, ok := o.QN()
		if want := tc.qn != none; ok != want || ok && int(qn) != tc.qn {
			t.Errorf("%s: QN %d, %v", o, qn, ok)
		}
		response, ok := o.Response()
		if want := tc.response != none; ok != want || ok && int(response) != tc.response || o.IsRequest() != want {
			t.Errorf("%s: response %d, %v, request %v", o, response, ok, o.IsRequest())
		}
		for _, p := range []struct {
			name      string
			got, want bool
		}{
			{"Known", o.Known(), !strings.HasPrefix(tc.name, "Opcode")},
			{"Extension", o.Extension(), tc.extension},
			{"Tagged", o.Tagged(), tc.tagged},
			{"HasInvalidateSTag", o.HasInvalidateSTag(), tc.invalidates},
			{"Solicited", o.Solicited(), tc.solicited},
			{"HasPayload", o.HasPayload(), tc.payload},
			{"ConsumesReceive", o.ConsumesReceive(), tc.receive},
			{"IsSend", o.IsSend(), tc.receive && tc.payload},
			{"IsImmediate", o.IsImmediate(), tc.header == 8},
			{"IsResponse", o.IsResponse(), o == rdmap.OpReadResponse || o == rdmap.OpAtomicResponse},
			{"HasTail", o.HasTail(), o == rdmap.OpTerminate},
		} {
			if p.got != p.want {
				t.Errorf("%s: %s is %v", o, p.name, p.got)
			}
		}
		if o.RDMAPHeaderLen() != tc.header {
			t.Errorf("%s: RDMAP header of %d octets, want %d", o, o.RDMAPHeaderLen(), tc.header)
		}
	}
	if rdmap.Opcode(200).String() != "Opcode200" {
		t.Errorf("an opcode that does not fit its field is called %s", rdmap.Opcode(200))
	}
	for _, s := range []string{"", "write", "Opcode", "Opcode16", "Opcode-1", "12"} {
		if o, err := rdmap.ParseOpcode(s); err == nil {
			t.Errorf("ParseOpcode(%q) = %s", s, o)
		}
	}
}

// TestHeaderForms checks that a message's RDMAP header has one length, whatever its form.
func TestHeaderForms(t *testing.T) {
	for o := range rdmap.Opcodes() {
		d := o.Descriptor()
		for _, f := range d.Forms {
			header := make([]byte, f.Table.Len())
			header[d.Select] |= f.Value
			if got := d.Header(header); got != f.Table || f.Table.Len() != o.RDMAPHeaderLen() {
				t.Errorf("%s: form %d has %d octets and is read as %s", o, f.Value, f.Table.Len(), got.Name)
			}
		}
	}
	if d := rdmap.OpAtomicRequest.Descriptor(); d.Header(nil) != rdmap.FetchAddFields || d.Header([]byte{0, 0, 0, 7}) != rdmap.CmpSwapFields {
		t.Error("an Atomic Request that is cut, or has an unknown AOpCode, has another form")
	}
}

func TestAOpCodeNames(t *testing.T) {
	for v, name := range map[rdmap.AOpCode]string{0: "FetchAdd", 1: "AOpCode1", 2: "CmpSwap", 15: "AOpCode15"} {
		if v.String() != name {
			t.Errorf("%d is called %s, want %s", v, v, name)
		}
	}
}
