package tcpip

import "testing"

// TestTSval reads options as stacks write them, and such as nobody should.
func TestTSval(t *testing.T) {
	for _, tc := range []struct {
		name, options string
		want          uint32
		ok            bool
	}{
		{"Linux", "01 01 080a 11223344 55667788", 0x11223344, true},
		{"SYN of Linux", "0204 05b4 0402 080a 11223344 00000000 01 0303 07", 0x11223344, true},
		{"at the end", "0204 05b4 080a 11223344 55667788", 0x11223344, true},
		{"none", "0204 05b4 01 0303 07", 0, false},
		{"behind the end of the list", "00 01 080a 11223344 55667788", 0, false},
		{"cut", "01 01 080a 11223344 5566", 0, false},
		{"too short", "0806 11223344", 0, false},
		{"of length 0", "0500 080a 11223344 55667788", 0, false},
		{"without a length", "05", 0, false},
		{"empty", "", 0, false},
	} {
		s := Segment{octets: append(make([]byte, tcpHeaderLen), octets(t, tc.options)...)}
		if got, ok := s.TSval(); got != tc.want || ok != tc.ok {
			t.Errorf("%s: %#x, %v", tc.name, got, ok)
		}
	}
}
