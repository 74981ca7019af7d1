package scenario_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/iwarpkit/iwarp/replay/scenario"
)

const head = "scenario \"\"\nconnection c0\n"

// TestErrors checks the errors in wrong texts, and their places.
func TestErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":                                                          `1:1: there is no line "scenario"`,
		"connection c0":                                             `1:1: not a scenario, which begins with: scenario "TITLE"`,
		"scenario rping":                                            `1:10: the title must be in quotation marks`,
		"scenario \"a\"\nscenario \"b\"":                            `2:1: a text has only one Scenario`,
		"scenario \"\"\n1 client FIN":                               `2:1: a line "connection" must precede it`,
		head + "conection c1":                                       `3:1: "conection" cannot begin a line: a step begins with its number; did you mean connection?`,
		head + "1 klient FIN":                                       `3:3: "klient" is not the side: client, server; did you mean client?`,
		head + "1 client":                                           `3:9: what the step does is missing`,
		head + "1 client Sned":                                      `3:10: "Sned" is nothing that a step does; did you mean Send?`,
		head + "1 client FIN now":                                   `3:14: unexpected "now"`,
		head + "1 client Send 123":                                  `3:15: "123" is not octets: hexadecimal digits, two for each octet, or a text in quotation marks`,
		head + `1 client Send "abc`:                                 `3:15: the text has no quotation mark at its end`,
		head + "1 client Send $s1:be32":                             `3:15: unknown variable $s1 before this line`,
		head + "1 client Send 00*4000000000":                        `3:17: "*4000000000" is not * and a number of times`,
		head + "1 client Send 00*70000000":                          `3:15: more than 67108864 octets`,
		head + "1 client Send 00*60000000 00*60000000":              `3:27: more than 67108864 octets`,
		head + "1 client Send ?* 00":                                `3:18: nothing can follow ?*, which stands for the rest`,
		head + "1 client ReadRequest SrcTag=1":                      `3:22: a ReadRequest has no field SrcTag; did you mean SrcSTag?`,
		head + "1 client ReadRequest RDMARDSZ=0x100000000":          `3:31: "0x100000000" is not a number of up to 32 bits`,
		head + "1 client Send 00 MSN=1":                             `3:18: "MSN=1" is not octets: hexadecimal digits, two for each octet, or a text in quotation marks`,
		head + "1 client Send MSN=1":                                `3:15: a Send has no field MSN`,
		head + "1 client @x FIN":                                    `3:10: "@x" is not a time in seconds, such as @0.000250`,
		head + "| 00":                                               `3:1: the line before has no octets to go on with`,
		head + "1 client FIN\n| 00":                                 `4:1: the line before has no octets to go on with`,
		head + "or FIN":                                             `3:1: "or" follows a step OneOf`,
		head + "1 client OneOf\nor OneOf":                           `4:4: OneOf cannot be an alternative`,
		head + "may \"a\" FIN":                                      `3:1: "may" follows a step OneOf`,
		head + "1 client OneOf\nmay FIN":                            `4:5: why it is harmless stands in quotation marks`,
		head + "1 client OneOf\nmay a\" FIN":                        `4:5: why it is harmless stands in quotation marks`,
		head + "1 client OneOf\nmay \"\" FIN":                       `4:5: why it is harmless stands in quotation marks`,
		head + "1 client OneOf\nmay \"a\"b FIN":                     `4:5: why it is harmless stands in quotation marks`,
		head + "1 client OneOf\nmay \"a\"":                          `4:8: what the step does is missing`,
		head + "1 client OneOf\nmay \"a\" Probe":                    `4:9: Probe cannot be an alternative`,
		head + "1 client OneOf\nmay \"a\" FIN":                      `3:1: OneOf needs lines with "or"`,
		head + "1 client Refusal":                                   `3:17: the situation is missing`,
		head + "1 client Refusal send-mns":                          `3:18: unknown situation "send-mns"; did you mean send-msn?`,
		head + "1 client Refusal send-msn to 2\n2 server FIN":       `3:1: to 2: that step comes later`,
		head + "1 client FIN\n2 client Refusal send-msn to 1":       `4:1: to 1: that step is also of the client: the steps of a side follow each other anyway`,
		head + "1 client MPARequest PD_Length=?":                    `3:21: PD_Length is always compared`,
		head + "1 client MPARequest Rev=? Rev=1":                    `3:27: Rev is repeated`,
		head + "1 client MPARequest M M=?":                          `3:23: M is repeated`,
		head + "1 client MPARequest IRD=?":                          `3:21: an MPA Request has no field IRD`,
		head + "1 client Segment Send MSN=?":                        `3:23: "MSN=?" is not octets: hexadecimal digits, two for each octet, or a text in quotation marks`,
		head + "1 client FPDU Markers=lwo Send":                     `3:23: Markers are bad, reserved, low, or correct; did you mean low?`,
		head + "1 client OneOf":                                     `3:1: OneOf needs lines with "or"`,
		head + "1 client FIN\n1 client FIN":                         `4:1: another step has this number`,
		head + "1 client after 2 FIN\n2 server FIN":                 `3:1: after 2: that step comes later`,
		head + "1 client after 7 FIN":                               `3:1: after 7: there is no such step`,
		head + "1 client FIN\n2 client after 1 FIN":                 `4:1: after 1: that step is also of the client: the steps of a side follow each other anyway`,
		head + "var s1 stag client 1":                               `3:5: the name of a variable begins with $`,
		head + "var $s1 tag client 1":                               `3:9: "tag" is not the kind of the variable: number, stag, to, xid; did you mean stag?`,
		head + "var $s1 stag client 0x100000000":                    `3:21: "0x100000000" is not a number of up to 32 bits`,
		head + "var $s1 stag client 1\nvar $s1 stag client 1":       `4:5: variable $s1 already exists`,
		head + "var $t1 to client 1 in $s1":                         `3:24: unknown variable $s1 before this line`,
		head + "var $s1 stag client 1\n1 server Send $s1:be32":      `4:1: the server cannot know $s1: no earlier step of the client contains it`,
		head + "var $s1 stag client 1\n1 client Send $s1:be16":      `4:1: $s1 is longer than be16`,
		head + "var $s1 stag client 1\n1 client Send $s1":           `4:15: the encoding of $s1 is missing: such as $s1:be32, $s1:le64`,
		head + "var $s1 stag client 1\n1 client Send $s1:me32":      `4:19: "me32" is not an encoding: be or le and 8 to 64 bits, such as be32`,
		head + "1 client FPDU CRC=rotten Send":                      `3:19: "rotten" is not a number of up to 32 bits`,
		head + "1 client FPDU PADD=00 Send":                         `3:15: an FPDU has no PADD; did you mean PAD?`,
		head + "1 client Octets split=4,2 00":                       `3:1: the offsets of TCP segment ends must be above 0 and ascend`,
		head + "1 client ReadRequest\n2 server AtomicResponse to 1": `4:1: to 1: that step is not a request that an AtomicResponse answers`,
		head + "connection c0":                                      `3:1: another connection has this name`,
	} {
		_, err := scenario.Parse("test", text)
		if err == nil {
			t.Errorf("%q was taken, want %s", text, want)
			continue
		}
		if got, _, _ := strings.Cut(err.Error(), "\n"); got != "test:"+want {
			t.Errorf("%q:\n%s, want\ntest:%s", text, got, want)
		}
	}
}

// TestCaret checks the line and the caret below it.
func TestCaret(t *testing.T) {
	for text, want := range map[string]string{
		head + "\t1 client Sned": "\t1 client Sned\n    \t         ^",
		head + "1 client Send " + strings.Repeat("00 ", 100) + "0 00": "0 " + strings.Repeat("00 ", 16) + "0 00\n    " + strings.Repeat(" ", 50) + "^",
	} {
		_, err := scenario.Parse("test", text)
		if err == nil {
			t.Fatalf("%q was taken", text)
		}
		_, got, _ := strings.Cut(err.Error(), "\n")
		if got != "    "+want {
			t.Errorf("%q:\n%s\nwant\n    %s", text, got, want)
		}
	}
}

// All payloads of a text together may not have many more octets than the text.
func TestSpread(t *testing.T) {
	for lines, want := range map[int]bool{1: true, 2: false, 50: false} {
		var b strings.Builder
		for i := range lines {
			fmt.Fprintf(&b, "%d client Send 00*67108864\n", i+1)
		}
		if _, err := scenario.Parse("test", head+b.String()); (err == nil) != want || !want && !strings.Contains(err.Error(), "a payload counts with all its repetitions") {
			t.Errorf("%d lines: %v", lines, err)
		}
	}
	for lines, want := range map[int]bool{1000: true, 1 << 17: false} {
		if _, err := scenario.Read("test", strings.NewReader(head+strings.Repeat("#\n", lines)), 8<<20); (err == nil) != want {
			t.Errorf("%d lines of a comment: %v", lines, err)
		}
	}
}

// TestHostile parses texts that are made to be expensive. It must not take long.
func TestHostile(t *testing.T) {
	many := strings.Repeat("1 client Send 00*67108864\n", 1000)
	long := "1 client Send " + strings.Repeat("00 ", 1<<20)
	lines := "1 client Send\n" + strings.Repeat("| 00\n", 1<<18)
	alternatives := "1 client OneOf\n" + strings.Repeat("or FIN\n", 1<<18)
	for _, text := range []string{many, long, lines, alternatives, strings.Repeat("#\n", 1<<20), strings.Repeat(`"`, 1<<20)} {
		if s, err := scenario.Parse("test", head+text); err == nil {
			_ = s.String()
		}
	}
	var vars strings.Builder
	for i := range 1 << 16 {
		vars.WriteString("var $v" + strings.Repeat("a", i%7) + string(rune('a'+i%26)) + " stag client 1\n")
	}
	scenario.Parse("test", head+vars.String())
}

// TestLongestLine has a comment of as many octets as a line can have, and one more.
func TestLongestLine(t *testing.T) {
	for octets, want := range map[int]string{
		scenario.MaxLine - 1: "",
		scenario.MaxLine:     fmt.Sprintf("3:1: the line is longer than %d octets", scenario.MaxLine),
	} {
		_, err := scenario.Parse("x", head+"#"+strings.Repeat("x", octets-1))
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%d octets: %v", octets, err)
		}
	}
}
