package sctp_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/iwarpkit/iwarp/codec/field"
	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/sctp"
	"github.com/iwarpkit/iwarp/internal/codectest"
)

var octets = codectest.Octets

func TestControl(t *testing.T) {
	for _, tc := range []struct {
		name, wire string
		want       sctp.Control
		frame      *mpa.Frame
		enhanced   *mpa.Enhanced
		ulp        string
	}{
		{
			name: "Initiate without Private Data", wire: "0000 0001",
			want:  sctp.Control{FunctionCode: sctp.SessionInitiate, PrivateData: []byte{}},
			frame: &mpa.Frame{Rev: 1, PrivateData: []byte{}},
		}, {
			name: "Accept with Private Data", wire: "0000 0002 616263",
			want:  sctp.Control{FunctionCode: sctp.SessionAccept, PrivateData: []byte("abc")},
			frame: &mpa.Frame{Reply: true, Rev: 1, PDLength: 3, PrivateData: []byte("abc")}, ulp: "abc",
		}, {
			name: "Reject", wire: "0000 0003",
			want:  sctp.Control{FunctionCode: sctp.SessionReject, PrivateData: []byte{}},
			frame: &mpa.Frame{Reply: true, R: true, Rev: 1, PrivateData: []byte{}},
		}, {
			name: "Terminate, the last chunk of 65536", wire: "ffff 0004",
			want: sctp.Control{DDPSSN: 65535, FunctionCode: sctp.SessionTerminate, PrivateData: []byte{}},
		}, {
			name: "Terminate with Private Data", wire: "0007 0004 00",
			want: sctp.Control{DDPSSN: 7, FunctionCode: sctp.SessionTerminate, PrivateData: []byte{0}},
		}, {
			name: "Enhanced Initiate: peer-to-peer, RTR by Write or Read, IRD 32, ORD 16", wire: "0000 0005 8020 c010 7879",
			want:     sctp.Control{FunctionCode: sctp.EnhancedInitiate, PrivateData: []byte{0x80, 0x20, 0xc0, 0x10, 'x', 'y'}},
			frame:    &mpa.Frame{S: true, Rev: 2, PDLength: 6, PrivateData: []byte{0x80, 0x20, 0xc0, 0x10, 'x', 'y'}},
			enhanced: &mpa.Enhanced{A: true, C: true, D: true, IRD: 32, ORD: 16}, ulp: "xy",
		}, {
			name: "Enhanced Accept without its word", wire: "0000 0006 0102",
			want:  sctp.Control{FunctionCode: sctp.EnhancedAccept, PrivateData: []byte{1, 2}},
			frame: &mpa.Frame{Reply: true, S: true, Rev: 2, PDLength: 2, PrivateData: []byte{1, 2}}, ulp: "\x01\x02",
		}, {
			name: "Enhanced Reject, which need not have a word", wire: "0000 0007",
			want:  sctp.Control{FunctionCode: sctp.EnhancedReject, PrivateData: []byte{}},
			frame: &mpa.Frame{Reply: true, R: true, S: true, Rev: 2, PrivateData: []byte{}},
		}, {
			name: "a function code that nobody has registered", wire: "0001 0008",
			want: sctp.Control{DDPSSN: 1, FunctionCode: 8, PrivateData: []byte{}},
		}, {
			name: "more Private Data than is allowed", wire: "0000 0001" + strings.Repeat("00", 513),
			want:  sctp.Control{FunctionCode: sctp.SessionInitiate, PrivateData: make([]byte, 513)},
			frame: &mpa.Frame{Rev: 1, PDLength: 513, PrivateData: make([]byte, 513)}, ulp: strings.Repeat("\x00", 513),
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			b := octets(t, tc.wire)
			var c sctp.Control
			if n, err := c.Decode(b); n != len(b) || err != nil {
				t.Fatalf("n = %d, %v", n, err)
			}
			if d := cmp.Diff(tc.want, c); d != "" {
				t.Errorf("(-want +got)\n%s", d)
			}
			f, ok := c.Frame(len(c.PrivateData))
			if ok != (tc.frame != nil) {
				t.Fatalf("Frame: %v", ok)
			}
			if !ok {
				return
			}
			if d := cmp.Diff(*tc.frame, f); d != "" {
				t.Errorf("Frame (-want +got)\n%s", d)
			}
			var e mpa.Enhanced
			if ok := f.Enhanced(&e); ok != (tc.enhanced != nil) || ok && e != *tc.enhanced {
				t.Errorf("Enhanced: %v, %+v", ok, e)
			}
			if got := string(f.ULPPrivateData()); got != tc.ulp {
				t.Errorf("ULP Private Data %q, want %q", got, tc.ulp)
			}
		})
	}
}

func TestLaws(t *testing.T) {
	codectest.Laws(t, func() codectest.Header { return new(sctp.SegmentChunk) }, sctp.SegmentFields, octets(t, "0102"))
	codectest.Laws(t, func() codectest.Header { return new(sctp.Control) }, sctp.ControlFields, octets(t, "0102 0001"))
	b := octets(t, "0102 0001 616263")
	if allocs := testing.AllocsPerRun(100, func() {
		var c sctp.Control
		c.Decode(b)
		c.Frame(3)
	}); allocs != 0 {
		t.Errorf("%v allocations", allocs)
	}
	var c sctp.Control
	if _, err := c.Decode(b[:3]); !errors.Is(err, field.ErrShort) || err.Error() != "DDP Stream Session Control: Function Code: header ends early" {
		t.Errorf("cut: %v", err)
	}
}

func TestFunctionCodes(t *testing.T) {
	for _, tc := range []struct {
		code  sctp.FunctionCode
		name  string
		known bool
	}{
		{0, "FunctionCode0", false}, {1, "SessionInitiate", true}, {2, "SessionAccept", true}, {3, "SessionReject", true},
		{4, "SessionTerminate", true}, {5, "EnhancedInitiate", true}, {6, "EnhancedAccept", true},
		{7, "EnhancedReject", true}, {8, "FunctionCode8", false}, {0xfffe, "FunctionCode65534", false},
		{0xffff, "Experimental", true},
	} {
		if tc.code.String() != tc.name || tc.code.Known() != tc.known {
			t.Errorf("%d: %v, %v", tc.code, tc.code, tc.code.Known())
		}
	}
}
