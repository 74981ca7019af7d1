package record_test

import (
	"bytes"
	"testing"

	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/dissect/record"
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
		var p record.PrivateData
		if ok := p.Recognise(&f); ok != (tc.ulp != "") {
			t.Errorf("%s: recognised: %v", tc.name, ok)
			continue
		}
		if tc.ulp == "" {
			continue
		}
		if p.ULP != tc.ulp || p.Off != tc.off || p.LittleEndian != tc.littleEndian || !bytes.Equal(p.Octets(), []byte(tc.octets)) {
			t.Errorf("%s: %+v", tc.name, p)
		}
		if got := f.PrivateData[p.Off:]; !p.LittleEndian && !bytes.HasPrefix(got, p.Octets()) {
			t.Errorf("%s: at offset %d stands % x", tc.name, p.Off, got)
		}
		if allocs := testing.AllocsPerRun(10, func() { p.Recognise(&f) }); allocs != 0 {
			t.Errorf("%s: %v allocations", tc.name, allocs)
		}
	}
}
