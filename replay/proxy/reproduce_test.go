package proxy

import (
	"fmt"
	"strings"
	"testing"

	"github.com/iwarpkit/iwarp/replay/scenario"
)

// What went wrong becomes rules on the same occasion; what follows from it does not.
func TestReproduce(t *testing.T) {
	for steps, want := range map[string]string{
		"3 client Write STag=5 \"a\"\n4 client Write STag=6 \"b\"\n5 client Send\n6 server Terminate 1/1/00 M D 000f c1400000 00060000 00000000 0000": "on dir == c2s and type == Write\ndo set=iwarp_ddp.stag^0xff:2\n",
		"3 client Send \"a\"\n4 server Send \"b\"\n5 client FIN\n6 server FIN":                                                                        "",
		"3 client Send \"a\"\n4 client FPDU CRC=bad Send \"b\"\n5 server Terminate 2/0/02\n6 client Reset":                                            "on dir == c2s and type == Send\ndo crc:2\n",
		"3 client Send \"a\"\n4 client Segment Send MSN=9 \"b\"\n5 server Terminate 1/2/03":                                                           "on dir == c2s and type == Send\ndo set=iwarp_ddp.msn=9:2\n",
		"3 client Send \"a\"\n4 client Segment 0102\n5 server Reset":                                                                                  "on dir == c2s and type == Send\ndo inject:1 Segment 0102\n",
		"3 client Send \"a\"\n4 client Octets 0102":                                                                                                   "on dir == c2s and type == Send\ndo inject:1 Octets 0102\n",
		"3 client Send \"a\"\n4 client Octets 00*2000":                                                                                                "on dir == c2s and type == Send\ndo garbage=2000:1\n",
		"3 client Send \"a\"\n4 client FPDU Markers=bad Send":                                                                                         "on dir == c2s and type == Send\ndo set=iwarp_mpa.marker_fpduptr+4:2\n",
		"3 client Send \"a\"\n4 server Terminate 0/1/00 M D 0016 c1400000 01000000 00000000 1000":                                                     "on dir == c2s and type == Send\ndo inject:1 server Terminate 0/1/00\n",
		"3 client Send \"a\"\n4 server Send \"a\"\n5 server Send \"b\"\n6 client Reset":                                                               "on dir == s2c and type == Send\ndo reset:2\n",
		"3 client ReadRequest RDMARDSZ=1\n4 client ReadRequest RDMARDSZ=1\n5 server ReadResponse to 3 \"a\"\n6 client FIN":                            "on dir == s2c and type == ReadResponse\ndo drop:2\n",
	} {
		s, err := scenario.Parse("steps", "scenario \"x\"\nconnection c0\n1 client MPARequest Rev=1\n2 server after 1 MPAReply Rev=1\n"+steps)
		if err != nil {
			t.Fatal(err)
		}
		rules, _, err := Reproduce(s)
		var got strings.Builder
		for _, r := range rules {
			got.WriteString(r.String())
		}
		if err != nil || got.String() != want {
			t.Errorf("%s\nbecomes\n%s%v\nwant\n%s", steps, got.String(), err, want)
		}
	}
	rejected, err := scenario.Parse("rejected", "scenario \"x\"\nconnection c0\n1 client MPARequest Rev=1\n2 server after 1 MPAReply R Rev=1")
	if err != nil {
		t.Fatal(err)
	}
	if rules, _, err := Reproduce(rejected); err != nil || len(rules) != 1 || !strings.Contains(rules[0].String(), "set=iwarp_mpa.rej_flag=1:1") {
		t.Error(rules, err)
	}
}

// Equal faults are one rule, and there are no more than a file can have.
func TestReproduceMany(t *testing.T) {
	var text strings.Builder
	text.WriteString("scenario \"x\"\n")
	for c := range 2 {
		fmt.Fprintf(&text, "connection c%d\n1 client MPARequest Rev=1\n2 server after 1 MPAReply Rev=1\n", c)
		for n := range MaxRules + 5 {
			fmt.Fprintf(&text, "%d client FPDU CRC=bad Send\n", n+3)
		}
	}
	s, err := scenario.Parse("steps", text.String())
	if err != nil {
		t.Fatal(err)
	}
	rules, left, err := Reproduce(s)
	if len(rules) != MaxRules || left != 5 || err != nil {
		t.Errorf("%d rules, %d left, %v", len(rules), left, err)
	}
	var file strings.Builder
	for _, r := range rules {
		file.WriteString(r.String())
	}
	if again, err := ReadRules(strings.NewReader(file.String())); len(again) != MaxRules || err != nil {
		t.Errorf("%d rules are read, %v", len(again), err)
	}
	if _, err := ReadRules(strings.NewReader(file.String() + "on type == Send\ndo drop\n")); err == nil {
		t.Error("one more is not an error")
	}
}

// What goes wrong twice on one connection is two rules; what goes wrong on another one as well is none more.
func TestReproduceTwice(t *testing.T) {
	const twice = "3 client Send\n4 client Octets 0102\n5 client Octets 0102\n"
	var text strings.Builder
	text.WriteString("scenario \"x\"\n")
	for c, steps := range []string{"3 client Send\n4 client Octets 0102\n", twice, twice} {
		fmt.Fprintf(&text, "connection c%d\n1 client MPARequest Rev=1\n2 server after 1 MPAReply Rev=1\n%s", c, steps)
	}
	s, err := scenario.Parse("steps", text.String())
	if err != nil {
		t.Fatal(err)
	}
	if rules, left, err := Reproduce(s); len(rules) != 2 || left != 0 || err != nil {
		t.Errorf("%v, %d left, %v", rules, left, err)
	}
}
