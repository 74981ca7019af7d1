package scenario_test

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/iwarpkit/iwarp/replay/scenario"
)

// everything returns a text in the canonical form that has each action with each of its properties.
func everything(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "everything.scenario"))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func parse(t *testing.T, text string) *scenario.Scenario {
	t.Helper()
	s, err := scenario.Parse("test", text)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestRoundTrip(t *testing.T) {
	text := everything(t)
	s := parse(t, text)
	printed := s.String()
	if diff := cmp.Diff(strings.Split(text, "\n"), strings.Split(printed, "\n")); diff != "" {
		t.Error(diff)
	}
	if again := parse(t, printed); !reflect.DeepEqual(s, again) {
		t.Errorf("what was printed is another Scenario:\n%s", again)
	}
}

// TestCanonical parses texts that are not in the canonical form.
func TestCanonical(t *testing.T) {
	for text, want := range map[string]string{
		"1 client Send 00 01 02 03 \"abc\" 04":            `Send 00010203 61626304`,
		"1 client Send \"abcdefg\" \"hij\" 0a":            `Send "abcdefghij" 0a`,
		"1 client Send 00*1 \"\" 01*0002":                 `Send 00 01*2`,
		"1 client Send 0001*2 # what stands here is gone": `Send 0001*2`,
		"1 client\t@1.5 Send":                             `@1.500000 Send`,
		"1 client @0.0000000010 Send":                     "",
		"1 client @0.000000001 Send\r":                    `@0.000000001 Send`,
		"1 client Segment Send MO=1 L=0 MSN=0x10":         `Segment Send L=0 MSN=16 MO=1`,
		"1 client Segment Write L T":                      `Segment Write T L`,
		"1 client Terminate Layer=1 ErrorCode=2 EType=3":  `Terminate 1/3/02`,
		"1 client Silence 2000ms":                         `Silence 2s`,
		"1 client MPARequest Rev=0x1 M=1 C=0":             `MPARequest M Rev=1`,
		"1 client Send\n| 00 \"a\"\n| ?*":                 `Send 0061 ?*`,
	} {
		s, err := scenario.Parse("test", "scenario \"\"\nconnection c\n"+text)
		if want == "" {
			if err == nil {
				t.Errorf("%q was taken", text)
			}
			continue
		}
		if err != nil {
			t.Error(err)
			continue
		}
		if got := s.Conns[0].Steps[0].String(); got != "  1 client "+want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
