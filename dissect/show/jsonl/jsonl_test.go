package jsonl_test

import (
	"encoding/json"
	"errors"
	"net/netip"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/iwarpkit/iwarp/codec/ddp"
	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/show/jsonl"
	"github.com/iwarpkit/iwarp/dissect/ulp/smbdirect"
	"github.com/iwarpkit/iwarp/internal/recorded"
	"github.com/iwarpkit/iwarp/internal/recordtest"
)

func origin() record.Origin {
	return record.Origin{
		Conn: &flow.Conn{
			ID: 7, Client: netip.MustParseAddrPort("10.0.0.1:43140"), Server: netip.MustParseAddrPort("[fd00::2]:7174"),
			Agreed: true, Agreement: rules.Agreement{DDPVersion: 1},
		},
		Dir:  flow.S2C,
		Span: flow.Span{Frame: 12, LastFrame: 19, Time: 1_700_000_000_000_000_042},
	}
}

// common is what every object of origin has.
const common = `"schema":"iwarp.decode/1","frame":12,"last_frame":19,"time":"2023-11-14T22:13:20.000000042Z",
	"conn":7,"dir":"s2c","src":"[fd00::2]:7174","dst":"10.0.0.1:43140",`

func ulpdu(t *testing.T, h rdmap.Header, body ...byte) []byte {
	t.Helper()
	h.Control.RV = 1
	b, err := (&rdmap.Segment{Header: h, Body: body}).AppendBinary(nil)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func write(t *testing.T) []byte {
	return ulpdu(t, rdmap.Header{T: true, Control: rdmap.Control{Opcode: rdmap.OpWrite}, Tagged: ddp.Tagged{DV: 1, STag: 0xa2c1, TO: 1 << 60}})
}

// untagged is a ULPDU with the given body.
func untagged(t *testing.T, o rdmap.Opcode, body ...byte) []byte {
	qn, _ := o.QN()
	return ulpdu(t, rdmap.Header{Control: rdmap.Control{Opcode: o}, Untagged: ddp.Untagged{L: true, DV: 1, QN: qn, MSN: 1 << 31}}, body...)
}

// untaggedKeys is the JSON of untagged, up to what the body holds.
const untaggedKeys = `"tagged_flag":false,"last_flag":true,"rsvd":0,"dv":1,"msn":2147483648,"mo":0,"version":1,"rsv":0,"reserved":"0x00000000",`

func TestMessages(t *testing.T) {
	fetchAdd := &rdmap.AtomicRequest{AOpCode: rdmap.FetchAdd, RequestIdentifier: 9, RemoteSTag: 1, RemoteTaggedOffset: 8, AddOrSwapData: 1 << 63}
	atomic, err := fetchAdd.AppendBinary(nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name  string
		ulpdu []byte
		crc   mpa.Verdict
		edit  func(*record.Message)
		want  string
	}{
		{"Write", write(t), mpa.Good, func(m *record.Message) { m.Len, m.Segments = 5000, 4 },
			`"type":"Write","len":5000,"segments":4,"complete":true,"crc":"good","ulpdulength":14,"tagged_flag":true,"last_flag":false,"rsvd":0,"dv":1,
			"stag":"0x0000a2c1","tagged_offset":"0x1000000000000000","version":1,"rsv":0,"opcode":0,"opcode_name":"Write"`},
		{"all that can be wrong", write(t), mpa.Bad, func(m *record.Message) { m.Complete, m.BadCRCs, m.Missing = false, 2, 17 },
			`"type":"Write","len":0,"segments":1,"complete":false,"crc":"bad","bad_crcs":2,"missing":17,"ulpdulength":14,"tagged_flag":true,"last_flag":false,"rsvd":0,"dv":1,
			"stag":"0x0000a2c1","tagged_offset":"0x1000000000000000","version":1,"rsv":0,"opcode":0,"opcode_name":"Write"`},
		{"CRC that could not be checked", untagged(t, 14), mpa.Unchecked, func(m *record.Message) { m.Missing = 1 },
			`"type":"Opcode14","len":0,"segments":1,"complete":true,"crc":"unchecked","missing":1,"ulpdulength":18,` + untaggedKeys + `"qn":0,"opcode":14,"opcode_name":"Opcode14"`},
		{"Atomic", untagged(t, rdmap.OpAtomicRequest, atomic...), mpa.Unchecked, nil,
			`"type":"AtomicRequest","len":0,"segments":1,"complete":true,"crc":"unchecked","ulpdulength":70,` + untaggedKeys + `"qn":1,"opcode":10,"opcode_name":"AtomicRequest",
			"atomic.reserved":"0x0000000","atomic.opcode":0,"atomic.opcode_name":"FetchAdd","atomic.request_identifier":9,"atomic.remote_stag":"0x00000001",
			"atomic.remote_tagged_offset":"0x0000000000000008","atomic.add_data":"0x8000000000000000","atomic.add_mask":"0x0000000000000000",
			"atomic.compare_data":"0x0000000000000000","atomic.compare_mask":"0x0000000000000000"`},
		{"Terminate with a header", untagged(t, rdmap.OpTerminate, append([]byte{0x01, 0x00, 0xc0, 0x00, 0, 14}, write(t)...)...), mpa.Unchecked, nil,
			`"type":"Terminate","len":0,"segments":1,"complete":true,"crc":"unchecked","ulpdulength":38,` + untaggedKeys + `"qn":2,"opcode":7,"opcode_name":"Terminate",
			"term_layer":0,"term_layer_name":"RDMAP","term_etype":1,"term_etype_name":"Remote Protection Error","term_errcode":0,"term_errcode_name":"Invalid STag",
			"term_hdrct_m":true,"hdrct_d":true,"hdrct_r":false,"term_rsvd":0,"term_reading":"rfc","term_ddp_seg_len":14,
			"terminated":{"tagged_flag":true,"last_flag":false,"rsvd":0,"dv":1,"stag":"0x0000a2c1","tagged_offset":"0x1000000000000000",
			"version":1,"rsv":0,"opcode":0,"opcode_name":"Write"}`},
		{"octets behind what a Terminate carries back", untagged(t, rdmap.OpTerminate, append(append([]byte{0x01, 0x00, 0xc0, 0x00, 0, 14}, write(t)...), 0xff)...), mpa.Unchecked, nil,
			`"type":"Terminate","len":0,"segments":1,"complete":true,"crc":"unchecked","ulpdulength":39,` + untaggedKeys + `"qn":2,"opcode":7,"opcode_name":"Terminate",
			"term_layer":0,"term_layer_name":"RDMAP","term_etype":1,"term_etype_name":"Remote Protection Error","term_errcode":0,"term_errcode_name":"Invalid STag",
			"term_hdrct_m":true,"hdrct_d":true,"hdrct_r":false,"term_rsvd":0,"term_reading":"rfc","term_ddp_seg_len":14,
			"terminated":{"tagged_flag":true,"last_flag":false,"rsvd":0,"dv":1,"stag":"0x0000a2c1","tagged_offset":"0x1000000000000000",
			"version":1,"rsv":0,"opcode":0,"opcode_name":"Write"},"trailing":"ff"`},
	} {
		t.Run(test.name, func(t *testing.T) {
			m := &record.Message{Origin: origin(), CRC: test.crc, Header: test.ulpdu, ULPDU: len(test.ulpdu), Segments: 1, Complete: true}
			m.First.Decode(test.ulpdu)
			m.Opcode = m.First.Control.Opcode
			if test.edit != nil {
				test.edit(m)
			}
			var b strings.Builder
			e := jsonl.New(&b, jsonl.Options{})
			recordtest.To(e).Segment(&record.Segment{FPDU: mpa.Deframed{FPDU: mpa.FPDU{ULPDULength: uint16(len(test.ulpdu))}}})
			recordtest.To(e).Message(m)
			same(t, e, &b, "{"+common+test.want+"}")
		})
	}
}

func TestStartupFrame(t *testing.T) {
	f := mpa.Frame{Reply: true, C: true, S: true, Rev: 2, PDLength: 6, PrivateData: []byte{0x80, 8, 0x40, 9, 0x22, 0x1b}}
	octets, err := f.AppendBinary(nil)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	e := jsonl.New(&b, jsonl.Options{File: "a \"b\"\n.pcap"})
	recordtest.To(e).StartupFrame(&record.Startup{Origin: origin(), MPA: f, Octets: octets})
	same(t, e, &b, `{`+common+`"file":"a \"b\"\n.pcap","type":"MPAReply","len":2,"segments":0,"complete":true,
		"key.rep":"4d504120494420526570204672616d65","marker_flag":false,"crc_flag":true,"rej_flag":false,"enhanced_flag":true,"res":0,"rev":2,"rev_name":"RFC 6581",
		"pdlength":6,"privatedata":"80084009221b","enhanced.a":true,"enhanced.b":false,"enhanced.ird":8,"enhanced.c":false,"enhanced.D":true,"enhanced.ord":9}`)
}

func TestDepthsOfTheUpperLayer(t *testing.T) {
	f := mpa.Frame{Rev: 1, PDLength: 8, PrivateData: []byte{32, 0, 0, 0, 1, 0, 0, 0}}
	octets, err := f.AppendBinary(nil)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	e := jsonl.New(&b, jsonl.Options{})
	private, _ := smbdirect.Layer.Private(nil, &f)
	recordtest.To(e).StartupFrame(&record.Startup{Origin: origin(), MPA: f, Octets: octets, Private: &private})
	same(t, e, &b, `{`+common+`"type":"MPARequest","len":8,"segments":0,"complete":true,
		"key.req":"4d504120494420526571204672616d65","marker_flag":false,"crc_flag":false,"rej_flag":false,"enhanced_flag":false,"res":0,"rev":1,"rev_name":"RFC 5044",
		"pdlength":8,"privatedata":"2000000001000000","legacy.ird":32,"legacy.ord":1,"private_ulp":"SMB Direct","private_little_endian":true}`)
}

func TestPrivateDataThatWasNotCaptured(t *testing.T) {
	f := mpa.Frame{Rev: 2, S: true, PDLength: 20}
	octets, err := f.AppendBinary(nil)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	e := jsonl.New(&b, jsonl.Options{})
	recordtest.To(e).StartupFrame(&record.Startup{Origin: origin(), MPA: f, Octets: octets})
	same(t, e, &b, `{`+common+`"type":"MPARequest","len":16,"segments":0,"complete":false,
		"key.req":"4d504120494420526571204672616d65","marker_flag":false,"crc_flag":false,"rej_flag":false,"enhanced_flag":true,"res":0,"rev":2,"rev_name":"RFC 6581",
		"pdlength":20,"privatedata":""}`)
}

// same compares what an Encoder wrote with the JSON that is wanted.
func same(t *testing.T, e *jsonl.Encoder, b *strings.Builder, want string) {
	t.Helper()
	if err := e.Flush(); err != nil {
		t.Fatal(err)
	}
	if !strings.HasSuffix(b.String(), "}\n") || strings.Count(b.String(), "\n") != 1 {
		t.Errorf("not one line: %q", b.String())
	}
	var g, w any
	if err := json.Unmarshal([]byte(b.String()), &g); err != nil {
		t.Fatalf("%v in %s", err, b)
	}
	if err := json.Unmarshal([]byte(want), &w); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(w, g); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

// various are samples that together have all there is to see, and are small.
var various = []string{"mpav1-crc", "mss200", "p2p-crc", "pd-c16-s255", "reject-pd32", "sendinv-crc1", "term-read-badkey", "term-send-nobuf", "term-write-badkey"}

// TestObjectsOfSamples looks at every object of some samples: it is JSON, and no key occurs twice.
func TestObjectsOfSamples(t *testing.T) {
	for _, sample := range various {
		var b strings.Builder
		e := jsonl.New(&b, jsonl.Options{})
		recorded.Analyse(t, sample, 0, e)
		if err := e.Flush(); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(b.String()) {
			if err := checkKeys(json.NewDecoder(strings.NewReader(line))); err != nil {
				t.Fatalf("%s: %v in %s", sample, err, line)
			}
		}
	}
}

// checkKeys reads an object and finds keys that occur twice.
func checkKeys(d *json.Decoder) error {
	var open []map[string]bool
	isKey := false
	for {
		token, err := d.Token()
		if err != nil {
			return err
		}
		switch v := token.(type) {
		case json.Delim:
			isKey = true
			if v == '{' {
				open = append(open, map[string]bool{})
			} else if open = open[:len(open)-1]; len(open) == 0 {
				return nil
			}
		case string:
			if isKey {
				if open[len(open)-1][v] {
					return errors.New("twice: " + v)
				}
				open[len(open)-1][v] = true
			}
			isKey = !isKey
		default:
			isKey = true
		}
	}
}

// A broken writer fails.
type broken struct{ err error }

func (b broken) Write([]byte) (int, error) { return 0, b.err }

func TestWriteErrorsAreKept(t *testing.T) {
	broke := errors.New("broke")
	e := jsonl.New(broken{broke}, jsonl.Options{})
	recorded.Read(t, "nfs-small-v4.1-inl4096-crc1").Replay(e)
	if err := e.Err(); err != broke {
		t.Errorf("Err: got %v", err)
	}
	if err := e.Flush(); err != broke {
		t.Errorf("Flush: got %v", err)
	}
}
