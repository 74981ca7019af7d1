package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/iwarpkit/iwarp/cmd/internal/exit"
	"github.com/iwarpkit/iwarp/internal/conversation"
	"github.com/iwarpkit/iwarp/internal/transcript"
)

// failing are the bundled captures in which a connection fails.
var failing = []string{
	"pd-c16-s255", "pd-c255-s16", "refused", "reject-pd0", "reject-pd32", "term-die-midstream", "term-local-badlkey-read",
	"term-local-badlkey-send", "term-read-badkey", "term-read-oob", "term-send-badrecvlkey", "term-send-nobuf",
	"term-send-toolong-multi", "term-srv-read-badkey", "term-write-badkey", "term-write-noaccess", "term-write-oob-multi",
	"term-write-wrap",
}

// A capture without a failure has exit status 0 and one line, unless there is a warning, and one with a failure has 1,
// whatever the profile.
func TestExitStatus(t *testing.T) {
	for _, file := range sampled(goldenCaptures(t)) {
		name, _, _ := strings.Cut(filepath.Base(file), ".")
		for _, profile := range []string{"auto", "rfc", "verbs", "siw", "irdma", "cxgb4"} {
			got := run(t.Context(), nil, false, nil, "check", "-q", "--profile", profile, file)
			want := exit.OK
			if slices.Contains(failing, name) {
				want = exit.Findings
			}
			if got.code != want {
				t.Errorf("%s, profile %s: exit status %d, want %d\n%s", name, profile, got.code, want, got.out)
			}
			if lines := strings.Count(got.out, "\n"); want == exit.OK && profile == "auto" && lines != 1 && name != "term-sendinv-twice" {
				t.Errorf("%s: %d lines\n%s", name, lines, got.out)
			}
		}
	}
}

// A part of a capture without a failure has none either: what is missing is not held against anybody.
func TestPartsDoNotFail(t *testing.T) {
	for _, file := range sampled(goldenCaptures(t)) {
		name, _, _ := strings.Cut(filepath.Base(file), ".")
		if slices.Contains(failing, name) {
			continue
		}
		for part, takes := range goldenCuts {
			if got := run(t.Context(), nil, false, nil, "check", "-q", cutCapture(t, file, part, takes)); got.code != exit.OK {
				t.Errorf("%s/%s: exit status %d\n%s", name, part, got.code, got.out)
			}
		}
	}
}

// A client that connects again with another version has not failed, if that goes well in time.
func TestMended(t *testing.T) {
	troubles, err := transcript.Troubles("../../../../dissect/judge/testdata/troubles.txt")
	i := slices.IndexFunc(troubles, func(tr transcript.Trouble) bool { return tr.Name == "minor-version" })
	if err != nil || i < 0 {
		t.Fatal(i, err)
	}
	first, err := troubles[i].Records(false)
	next, err2 := troubles[i].Records(true, "port 20049", "client 40001\nport 20049")
	if err != nil || err2 != nil {
		t.Fatal(err, err2)
	}
	file := filepath.Join(t.TempDir(), "again.pcap")
	for later, want := range map[time.Duration]struct {
		code int
		says string
	}{
		time.Second: {exit.OK, "2 connections, none failed"},
		time.Minute: {exit.Findings, "2 connections, 1 failed"},
	} {
		if err := os.WriteFile(file, conversation.Capture(transcript.Then(first, next, later)), 0o666); err != nil {
			t.Fatal(err)
		}
		if got := run(t.Context(), nil, false, nil, "check", "-Y", "conn == 0", file); got.code != want.code {
			t.Errorf("%v later, only the first: exit status %d\n%s", later, got.code, got.out)
		}
		for _, output := range []string{"text", "json", "jsonl", "junit"} {
			got := run(t.Context(), nil, false, nil, "check", "-o", output, file)
			if got.code != want.code || output == "text" && !strings.Contains(got.out, want.says) {
				t.Errorf("%v later, %s: exit status %d\n%s", later, output, got.code, got.out)
			}
		}
	}
}

// A capture of which no packet can be decoded is not read, whatever the command: nothing was checked. One without iWARP is read.
func TestUnknownLinkType(t *testing.T) {
	capture := conversation.Capture(conversation.New("10.0.0.1:40000", "10.0.0.2:7174").Connect().Records)
	const linkType = 20
	for link, code := range map[byte]int{147: exit.Unreadable, 1: exit.OK} {
		file := filepath.Join(t.TempDir(), "link.pcap")
		octets := bytes.Clone(capture)
		octets[linkType] = link
		if err := os.WriteFile(file, octets, 0o666); err != nil {
			t.Fatal(err)
		}
		for _, command := range [][]string{
			{"check"}, {"check", "-o", "json"}, {"check", "--separate"}, {"check", "--fail-on", "none"}, {"decode"}, {"follow"}, {"stats"},
			{"report", "-w", filepath.Join(t.TempDir(), "page.html")},
		} {
			got := run(t.Context(), nil, false, nil, append(command, file)...)
			told := strings.Contains(got.err, "link.pcap: no packet could be decoded: link type 147 is not supported")
			if got.code != code || told != (code == exit.Unreadable) {
				t.Errorf("link type %d, %v: exit status %d, %s", link, command, got.code, got.err)
			}
		}
	}
}

// IP fragments are not reassembled, and a note says so even where there are connections.
func TestFragmentsNoted(t *testing.T) {
	dialogue, err := transcript.Parse("dialogue", `c2s hex "MPA ID Req Frame" 40 01 0000
s2c hex "MPA ID Rep Frame" 40 01 0000
c2s 4143 00000000 00000000 00000001 00000000 aa*40
s2c ack
end
`)
	if err != nil {
		t.Fatal(err)
	}
	const send, fragmentOffset = 5, 14 + 7
	for _, fragment := range []byte{0, 1} {
		dialogue.Records[send].Data[fragmentOffset] = fragment
		file := filepath.Join(t.TempDir(), "fragments.pcap")
		if err := os.WriteFile(file, conversation.Capture(dialogue.Records), 0o666); err != nil {
			t.Fatal(err)
		}
		got := run(t.Context(), nil, false, nil, "check", file)
		if told := strings.Contains(got.err, "1 IP fragment not reassembled"); got.code != exit.OK || told != (fragment > 0) {
			t.Errorf("fragment offset %d: exit status %d, %s", fragment, got.code, got.err)
		}
	}
}
