package scenario_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/iwarpkit/iwarp/replay/scenario"
)

// payload returns a Payload in the text form; $s and $t are variables of the client.
func payload(t *testing.T, text string) scenario.Payload {
	t.Helper()
	s := parse(t, head+"var $s stag client 0x01020304\nvar $t to client 0x1122334455667788\n1 client Send "+text)
	return s.Conns[0].Steps[0].Do.(*scenario.Message).Payload
}

func TestAppendOctets(t *testing.T) {
	values := scenario.Values{"s": 0x01020304, "t": 0x1122334455667788}
	for text, want := range map[string]string{
		"":                       "",
		`00 "a" 01*3 ?*2`:        "0061010101" + "0000",
		"$s:be32 $s:le32":        "0102030404030201",
		"$t:be64 $t:le64":        "11223344556677888877665544332211",
		"$s+1:be32 $s-5:be64":    "0102030500000000010202ff",
		"$t+0x100000000:be64 ?*": "1122334555667788",
	} {
		got, err := payload(t, text).AppendOctets(nil, values)
		if err != nil || fmt.Sprintf("%x", got) != want {
			t.Errorf("%s: %x, %v; want %s", text, got, err, want)
		}
	}
	var unknown *scenario.Unknown
	if _, err := payload(t, "$s:be32").AppendOctets(nil, nil); !errors.As(err, &unknown) || unknown.Name != "s" {
		t.Errorf("a variable that nobody knows: %v", err)
	}
}

func TestMatch(t *testing.T) {
	for _, tc := range []struct {
		text, octets string
		at           int
		ok           bool
		learned      map[string]uint64
	}{
		{`"abc"`, "abc", 3, true, nil},
		{`"abc"`, "abd", 2, false, nil},
		{`"abc"`, "ab", 2, false, nil},
		{`"abc"`, "abcd", 3, false, nil},
		{`"ab"*3`, "ababab", 6, true, nil},
		{`"ab"*3`, "ababxb", 4, false, nil},
		{`?*2 "c"`, "abc", 3, true, nil},
		{`?*4`, "abc", 3, false, nil},
		{`"a" ?*`, "abc", 3, true, nil},
		{`"a" ?*`, "a", 1, true, nil},
		{`"a" $s:be32 "b"`, "a\x00\x00\x01\x02b", 6, true, map[string]uint64{"s": 0x102}},
		{`$s:le32`, "\x00\x00\x01\x02", 4, true, map[string]uint64{"s": 0x2010000}},
		{`$t+16:be64`, "\x00\x00\x00\x00\x00\x00\x10\x10", 8, true, map[string]uint64{"t": 0x1000}},
		{`$s:be32 $s:be32`, "abcdabce", 4, false, map[string]uint64{"s": 0x61626364}},
		{`$s:be32`, "abc", 0, false, nil},
	} {
		values := make(scenario.Values)
		at, ok := payload(t, tc.text).Match([]byte(tc.octets), values)
		if at != tc.at || ok != tc.ok || fmt.Sprint(values) != fmt.Sprint(scenario.Values(tc.learned)) {
			t.Errorf("%s against %q: %d, %v, %v", tc.text, tc.octets, at, ok, values)
		}
	}
}

// TestSlice takes each slice of a Payload: its octets are those of the slice.
func TestSlice(t *testing.T) {
	values := scenario.Values{"s": 0x01020304}
	p := payload(t, `0a0b "abc" "xyz"*4 00*5 $s:be32 07 ?*3 09`)
	all, err := p.AppendOctets(nil, values)
	if err != nil {
		t.Fatal(err)
	}
	const ref = 2 + 3 + 12 + 5
	for from := 0; from <= len(all); from++ {
		for to := from; to <= len(all); to++ {
			want := append([]byte{}, all...)
			if from > ref && from < ref+4 || to > ref && to < ref+4 {
				copy(want[ref:], "\x00\x00\x00\x00") // part of a variable is unknown
			}
			s := p.Slice(from, to)
			if got, err := s.AppendOctets(nil, values); err != nil || string(got) != string(want[from:to]) || s.Len() != to-from {
				t.Fatalf("%d to %d: %v is %x, want %x", from, to, s, got, want[from:to])
			}
		}
	}
}
