package compile_test

import (
	"fmt"
	"strings"
	"testing"
)

// TestLearn compiles traffic in which one side advertises memory and the other one uses it.
func TestLearn(t *testing.T) {
	const (
		write = `s2c c140 00d5a703 0000000012345010 "abcdefgh"` + "\n"
		send  = `c2s 4143 00000000 00000000 00000001 00000000 `
	)
	for _, tc := range []struct{ name, text, want, unexplained string }{
		{"TO, STag, length", send + `"xy" 0000000012345000 00d5a703 00000100` + "\n" + write,
			`var $s1 stag client 0x00d5a703
			var $t1 to client 0x12345000 length 256 in $s1
			3 client after 2 Send 7879 $t1:be64 $s1:be32 00000100
			4 server after 3 Write STag=$s1 TO=$t1+16 "abcdefgh"`, ""},
		{"the same, the least significant octet first", send + `"xy" 0050341200000000 03a7d500 00010000` + "\n" + write,
			`var $s1 stag client 0x00d5a703
			var $t1 to client 0x12345000 length 256 in $s1
			3 client after 2 Send 7879 $t1:le64 $s1:le32 00010000
			4 server after 3 Write STag=$s1 TO=$t1+16 "abcdefgh"`, ""},
		{"STag, length, TO", send + `"xy" 00d5a703 00000100 0000000012345000` + "\n" + write,
			`var $s1 stag client 0x00d5a703
			var $t1 to client 0x12345000 length 256 in $s1
			3 client after 2 Send 7879 $s1:be32 00000100 $t1:be64
			4 server after 3 Write STag=$s1 TO=$t1+16 "abcdefgh"`, ""},
		{"NVMe", send + `"xy" 0050341200000000 000100 03a7d500 40` + "\n" + write,
			`var $s1 stag client 0x00d5a703
			var $t1 to client 0x12345000 length 256 in $s1
			3 client after 2 Send 7879 $t1:le64 000100 $s1:le32 40
			4 server after 3 Write STag=$s1 TO=$t1+16 "abcdefgh"`, ""},
		{"it is told of again, and a Terminate carries it back", send + `"xy" 00d5a703 0000000012345000` + "\n" + write + `
			c2s 4143 00000000 00000000 00000002 00000000 0000000012345000 00d5a703 "again"
			c2s 4147 00000000 00000002 00000001 00000000 1100c000 0010 c140 00d5a703 0000000012345010`,
			`var $s1 stag client 0x00d5a703
			var $t1 to client 0x12345000 length 24 in $s1
			3 client after 2 Send 7879 $s1:be32 $t1:be64
			4 server after 3 Write STag=$s1 TO=$t1+16 "abcdefgh"
			5 client after 4 Send $t1:be64 $s1:be32 "again"
			# DDP Tagged Buffer Error: Invalid STag.
			6 client Terminate 1/1/00 M D 0010c140 $s1:be32 $t1+16:be64`, ""},
		{"it was taken back: when it is told of again it is another one", send + `0000000012345000 00d5a703 "x"` + "\n" + write + `
			s2c 4144 00d5a703 00000000 00000001 00000000
			c2s 4143 00000000 00000000 00000002 00000000 0000000012345000 00d5a703 "x"
			s2c c140 00d5a703 0000000012345000 "ab"`,
			`var $s1 stag client 0x00d5a703
			var $t1 to client 0x12345000 length 24 in $s1
			3 client after 2 Send $t1:be64 $s1:be32 78
			4 server after 3 Write STag=$s1 TO=$t1+16 "abcdefgh"
			5 server SendInvalidate InvalidateSTag=$s1
			var $s2 stag client 0x00d5a703
			var $t2 to client 0x12345000 length 2 in $s2
			6 client after 5 Send $t2:be64 $s2:be32 78
			7 server after 6 Write STag=$s2 TO=$t2 6162`, ""},
		{"offsets that count from zero", send + `00d5a703` + "\n" + `s2c c140 00d5a703 0000000000000010 "ab"`,
			`var $s1 stag client 0x00d5a703
			3 client after 2 Send $s1:be32
			4 server after 3 Write STag=$s1 TO=0x0000000000000010 6162`, ""},
		{"nobody told of it", send + `"hello"` + "\n" + write,
			`3 client after 2 Send "hello"
			4 server after 3 Write STag=0x00d5a703 TO=0x0000000012345010 "abcdefgh"`,
			"no earlier message"},
		{"it is told of too late", write + send + `0000000012345000 00d5a703 00000100`,
			`3 server after 2 Write`, "no earlier message"},
		{"buffers that nobody uses", send + `0000564b12345000 00d5a703 00000100
			c2s 4143 00000000 00000000 00000002 00000000 0000564b12346000 00d5a704 00000100`,
			`var $s1 stag client 0x00d5a703
			var $t1 to client 0x564b12345000 length 256 in $s1
			3 client after 2 Send $t1:be64 $s1:be32 00000100
			var $s2 stag client 0x00d5a704
			var $t2 to client 0x564b12346000 length 256 in $s2
			4 client Send $t2:be64 $s2:be32 00000100`, ""},
		{"what looks like a buffer, and as many octets that do not", send + `0000564b12345000 00d5a703 00000100
			c2s 4143 00000000 00000000 00000002 00000000 00000000 00000000 00000000 00000100`,
			`3 client after 2 Send 0000564b 12345000 00d5a703 00000100
			4 client Send 00000000 00000000 00000000 00000100`, ""},
		{"the sink of a response that is not whole", `c2s 4141 00000000 00000001 00000001 00000000 00d5a703 0000000012345000 00000008 00000007 0000000000000000
			s2c 8142 00d5a703 0000000012345000 "abcd"`,
			`var $s1 stag client 0x00d5a703
			var $t1 to client 0x12345000 length 8 in $s1
			3 client after 2 ReadRequest SinkSTag=$s1 SinkTO=$t1 RDMARDSZ=8 SrcSTag=0x00000007 SrcTO=0x0000000000000000
			4 server after 3 Segment ReadResponse L=0 STag=$s1 TO=$t1 "abcd"`, "no earlier message"},
		{"two places, and no TO", send + `00d5a703 "and" 00d5a703` + "\n" + write,
			`3 client after 2 Send 00d5a703 616e6400 d5a703
			4 server after 3 Write STag=0x00d5a703 TO=0x0000000012345010 "abcdefgh"`, "several places"},
		{"a small number, and no TO", send + `00000007` + "\n" + `s2c c140 00000007 0000000000000000 "ab"`,
			`3 client after 2 Send 00000007
			4 server after 3 Write STag=0x00000007 TO=0x0000000000000000 6162`, "so small"},
		{"a TO far from what was told", send + `0000000012345000 00d5a703 00000100` + "\n" + `s2c c140 00d5a703 7000000000000000 "ab"`,
			`var $s1 stag client 0x00d5a703
			3 client after 2 Send 00000000 12345000 $s1:be32 00000100
			4 server after 3 Write STag=$s1 TO=0x7000000000000000 6162`, "far from"},
	} {
		s, report := compiledTranscript(t, request+reply+tc.text+"\nend")
		got, want := steps(s, 2), strings.ReplaceAll(tc.want, "\t", "")
		if !strings.HasPrefix(got, want) && !strings.HasPrefix(got, strings.Replace(want, "server after 2 Write", "server Write", 1)) {
			t.Errorf("%s:\n%s\nwant\n%s", tc.name, got, want)
		}
		if why := fmt.Sprint(report.Conns[0].Unexplained); !strings.Contains(why, tc.unexplained) || tc.unexplained == "" && why != "[]" {
			t.Errorf("%s: unexplained: %s", tc.name, why)
		}
	}
}

// TestLearned checks what the Report says about variables.
func TestLearned(t *testing.T) {
	_, report := compiled(t, "../../pcaps/samples/rping.pcap")
	var got []string
	for _, v := range report.Conns[0].Vars {
		got = append(got, fmt.Sprintf("%s: step %d, %s, %d uses", v.Var.Name, v.Step, v.Where, v.Uses))
	}
	want := `s1: step 3, payload 8 be32, 5 uses
t1: step 3, payload 0 be64, 5 uses
s2: step 7, payload 8 be32, 5 uses
t2: step 7, payload 0 be64, 5 uses`
	if strings.Join(got, "\n") != want {
		t.Errorf("%s\nwant\n%s", strings.Join(got, "\n"), want)
	}
}
