package all_test

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/ulp/all"
)

func TestRecognisePrivateData(t *testing.T) {
	for _, tc := range []struct {
		name         string
		private      string
		ulp          string
		off          int
		littleEndian bool
		octets       string
	}{
		{"RPC-over-RDMA behind an Enhanced word", "\x00\x80\x00\x00\xf6\xab\x0e\x18\x01\x01\x03\x03", "RPC-over-RDMA", 4, false, "\xf6\xab\x0e\x18\x01\x01\x03\x03"},
		{"RPC-over-RDMA behind what is another's", "\x00\x80\x00\x00abc\xf6\xab\x0e\x18\x01\x00\x00\x00more", "RPC-over-RDMA", 7, false, "\xf6\xab\x0e\x18\x01\x00\x00\x00"},
		{"read queue depths", "\x00\x01\x00\x08\x00\x00\x00\x01\x00\x00\x00\x08", "SMB Direct", 4, false, "\x00\x00\x00\x01\x00\x00\x00\x08"},
		{"read queue depths, little-endian", "\x00\x20\x00\x00\x20\x00\x00\x00\x01\x00\x00\x00", "SMB Direct", 4, true, "\x00\x00\x00\x20\x00\x00\x00\x01"},
		{"something else", "\x00\x80\x00\x00hello, world", "", 0, false, ""},
		{"nothing but the Enhanced word", "\x00\x80\x00\x00", "", 0, false, ""},
	} {
		f := mpa.Frame{S: true, Rev: 2, PDLength: uint16(len(tc.private)), PrivateData: []byte(tc.private)}
		p, ok := private(&f)
		if ok != (tc.ulp != "") {
			t.Errorf("%s: recognised: %v", tc.name, ok)
			continue
		}
		if tc.ulp == "" {
			continue
		}
		if p.ULP != tc.ulp || p.Part.Off != tc.off || p.LittleEndian != tc.littleEndian || !bytes.HasPrefix(p.Part.Octets, []byte(tc.octets)) {
			t.Errorf("%s: %+v", tc.name, p)
		}
		if got := f.PrivateData[p.Part.Off:]; !p.LittleEndian && !bytes.HasPrefix(got, p.Part.Octets) {
			t.Errorf("%s: at offset %d stands % x", tc.name, p.Part.Off, got)
		}
	}
}

// private looks for Private Data of any upper layer.
func private(f *mpa.Frame) (p record.Private, ok bool) {
	for _, l := range all.Layers() {
		if l.Private == nil {
			continue
		}
		if p, ok := l.Private(&flow.Conn{}, f); ok {
			return p, true
		}
	}
	return p, false
}

func Example() {
	for _, l := range all.Layers() {
		fmt.Println(l.Name, l.Ports)
	}
	// Output:
	// RPC-over-RDMA [2049 20049]
	// SMB Direct [445 5445]
	// iSER [860 3260]
	// NVMe over RDMA [4420]
}
