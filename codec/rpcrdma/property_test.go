package rpcrdma_test

import (
	"bytes"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/iwarpkit/iwarp/codec/field"
	"github.com/iwarpkit/iwarp/codec/rpcrdma"
)

func TestPropval(t *testing.T) {
	for name, tc := range map[string]struct {
		wire  string
		want  rpcrdma.Propval
		field string // that Check complains about; empty if none is
	}{
		"number":            {"00000001 00000004 00002000", rpcrdma.Propval{Which: 1, Data: raw("00002000")}, ""},
		"default":           {"00000003 00000000", rpcrdma.Propval{Which: 3, Data: []byte{}}, ""},
		"unknown":           {"00000007 00000003 aabbcc00", rpcrdma.Propval{Which: 7, Data: raw("aabbcc")}, ""},
		"padding":           {"00000007 00000003 aabbcc01", rpcrdma.Propval{Which: 7, Data: raw("aabbcc"), Pad: raw("01")}, "Padding"},
		"short number":      {"00000002 00000003 aabbcc00", rpcrdma.Propval{Which: 2, Data: raw("aabbcc")}, "rdma_data, length"},
		"long number":       {"00000002 00000008 0000000000002000", rpcrdma.Propval{Which: 2, Data: raw("0000000000002000")}, "rdma_data, length"},
		"BRS":               {"00000005 00000004 00000003", rpcrdma.Propval{Which: 5, Data: raw("00000003")}, ""},
		"BRS too high":      {"00000005 00000004 00000004", rpcrdma.Propval{Which: 5, Data: raw("00000004")}, "BRS"},
		"HOSTAUTH":          {"00000006 0000000c 00000005 a1a2a3a4 a5000000", rpcrdma.Propval{Which: 6, Data: raw("00000005 a1a2a3a4 a5000000")}, ""},
		"HOSTAUTH empty":    {"00000006 00000004 00000000", rpcrdma.Propval{Which: 6, Data: raw("00000000")}, ""},
		"HOSTAUTH padding":  {"00000006 0000000c 00000005 a1a2a3a4 a5000100", rpcrdma.Propval{Which: 6, Data: raw("00000005 a1a2a3a4 a5000100")}, "Padding"},
		"HOSTAUTH too long": {"00000006 00000008 00000005 a1a2a3a4", rpcrdma.Propval{Which: 6, Data: raw("00000005 a1a2a3a4")}, "HOSTAUTH"},
		"HOSTAUTH hostile":  {"00000006 00000008 fffffffd a1a2a3a4", rpcrdma.Propval{Which: 6, Data: raw("fffffffd a1a2a3a4")}, "HOSTAUTH"},
		"HOSTAUTH cut":      {"00000006 00000003 aabbcc00", rpcrdma.Propval{Which: 6, Data: raw("aabbcc")}, "HOSTAUTH"},
	} {
		wire := octets(t, tc.wire)
		var got rpcrdma.Propval
		if n, err := got.Decode(append(bytes.Clone(wire), 0xff)); n != len(wire) || err != nil {
			t.Errorf("%s: n = %d, %v", name, n, err)
		}
		if d := cmp.Diff(tc.want, got); d != "" {
			t.Errorf("%s: (-want +got)\n%s", name, d)
		}
		if b, err := got.AppendBinary(nil); err != nil || !bytes.Equal(b, wire) || got.Len() != len(wire) {
			t.Errorf("%s: AppendBinary: %v, Len %d, % x", name, err, got.Len(), b)
		}
		complains(t, name, got.Check(), tc.field)
	}
}

func TestPropertyValues(t *testing.T) {
	for id, want := range map[rpcrdma.PropID]uint32{
		rpcrdma.PropSBSIZ: 4096, rpcrdma.PropRBSIZ: 4096, rpcrdma.PropRSSIZ: 1048576, rpcrdma.PropRCSIZ: 16, rpcrdma.PropBRS: 0,
	} {
		p := rpcrdma.Propval{Which: id}
		if v, ok := p.Uint32(); v != want || !ok {
			t.Errorf("%s by default: %d, %v", id, v, ok)
		}
		p.Data = raw("00000007")
		if v, ok := p.Uint32(); v != 7 || !ok {
			t.Errorf("%s: %d, %v", id, v, ok)
		}
	}
	for _, p := range []rpcrdma.Propval{{Which: 6}, {Which: 7}, {Which: 1, Data: raw("000007")}} {
		if v, ok := p.Uint32(); ok {
			t.Errorf("%+v: %d", p, v)
		}
	}
}

// TestPropertyConforms is what a receiver takes: more than a sender may send.
func TestPropertyConforms(t *testing.T) {
	for wire, want := range map[string]bool{
		"00000005 00000000":                            true,
		"00000005 00000004 00000003":                   true,
		"00000005 00000004 00000004":                   true,
		"00000005 00000003 00000000":                   false,
		"00000002 00000001 01000000":                   false,
		"00000002 00000008 00000000 00000000":          false,
		"00000006 00000000":                            true,
		"00000006 00000004 00000000":                   true,
		"00000006 00000008 00000001 61000000":          true,
		"00000006 00000005 00000001 61000000":          false,
		"00000006 00000008 00000005 61616161":          false,
		"00000007 00000001 010000ff":                   true,
		"00000000 00000003 00000000":                   true,
		"00000006 0000000c 00000005 61616161 610000ff": true,
	} {
		var p rpcrdma.Propval
		if _, err := p.Decode(octets(t, wire)); err != nil || p.Conforms() != want {
			t.Errorf("%s: %v, %v", wire, p.Conforms(), err)
		}
	}
}

func TestPropSet(t *testing.T) {
	want := octets(t, "00000004"+
		"00000002 00000004 00002000"+
		"00000006 0000000c 00000005 68656c6c 6f000000"+
		"00000063 00000002 aabb0000"+
		"00000002 00000004 00004000")
	var s rpcrdma.PropSet
	s = s.AppendUint32(rpcrdma.PropRBSIZ, 8192).AppendHostAuth([]byte("hello")).Append(99, []byte{0xaa, 0xbb}).AppendUint32(rpcrdma.PropRBSIZ, 16384)
	if !bytes.Equal(s, want) {
		t.Errorf("built\n got % x\nwant % x", s, want)
	}
	var got rpcrdma.PropSet
	if n, err := got.Decode(append(bytes.Clone(want), 1, 2, 3)); n != len(want) || err != nil || !bytes.Equal(got, want) || got.Len() != n {
		t.Errorf("n = %d, %v, % x", n, err, got)
	}
	var which []rpcrdma.PropID
	for p := range got.Properties() {
		which = append(which, p.Which)
	}
	if d := cmp.Diff([]rpcrdma.PropID{2, 6, 99, 2}, which); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
	for range got.Properties() {
		break
	}
	if p, ok := got.Lookup(rpcrdma.PropRBSIZ); !ok || !bytes.Equal(p.Data, raw("00004000")) {
		t.Errorf("the last RBSIZ is %+v, %v", p, ok)
	}
	if p, ok := got.Lookup(rpcrdma.PropHostAuth); !ok {
		t.Error("no HOSTAUTH")
	} else if material, ok := p.HostAuth(); string(material) != "hello" || !ok {
		t.Errorf("material %q, %v", material, ok)
	}
	if _, ok := got.Lookup(rpcrdma.PropBRS); ok {
		t.Error("found a property that is not there")
	}
	empty := rpcrdma.PropSet{}
	if b, err := empty.AppendBinary(nil); err != nil || !bytes.Equal(b, make([]byte, 4)) || empty.Len() != 4 {
		t.Errorf("empty set % x, %v", b, err)
	}
}

// TestPropertyTooLong checks that a property at fault is told from one that is cut.
func TestPropertyTooLong(t *testing.T) {
	for wire, name := range map[string]string{
		"00000001 00000001 00000005 00000000": "rdma_data",
		"00000001 00000001 000000":            "rdma_data, length",
		"00000002 00000001 00000000":          "rdma_which",
	} {
		var s rpcrdma.PropSet
		b := octets(t, wire)
		var e *field.Error
		n, err := s.Decode(b)
		if n != len(b) || !errors.As(err, &e) || e.Field != name || e.Reason != field.ErrShort {
			t.Errorf("%s: n = %d, %v, want an error about %s", wire, n, err, name)
		}
		if got := rpcrdma.IsPropData(err); got != (name == "rdma_data") {
			t.Errorf("%s: %v is said to be about data: %v", wire, err, got)
		}
	}
}

func TestError2(t *testing.T) {
	for wire, want := range map[string]rpcrdma.Error2{
		"0000000c":          {Err: 12}, // unknown
		"00000000":          {},
		"00000006 00000009": {Err: rpcrdma.ErrCode2ReadChunks, MaxChunks: 9},
	} {
		b := octets(t, wire)
		var got rpcrdma.Error2
		if n, err := got.Decode(append(b, 1, 2, 3)); n != len(b) || err != nil || got != want {
			t.Errorf("%s: n = %d, %v, %+v", wire, n, err, got)
		}
	}
}
