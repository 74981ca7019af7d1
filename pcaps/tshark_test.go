package pcaps_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/iwarpkit/iwarp/internal/tools"
	"github.com/iwarpkit/iwarp/pcaps"
)

// tshark prints fields of every frame of a file, separated by "|".
func tshark(t *testing.T, file string, fields ...string) string {
	t.Helper()
	return tsharkWith(t, file, nil, fields...)
}

// tsharkWith returns tshark with options.
func tsharkWith(t *testing.T, file string, options []string, fields ...string) string {
	t.Helper()
	args := append([]string{"-r", file, "-t", "e", "-T", "fields", "-E", "separator=|"}, options...)
	for _, field := range fields {
		args = append(args, "-e", field)
	}
	return tools.Tshark(t, args...)
}

func TestTsharkReadsWhatIsWritten(t *testing.T) {
	arp := "\xff\xff\xff\xff\xff\xff\x02\x00\x00\x00\x00\x01\x08\x06"
	ipv4 := "\x45\x00\x00\x14\x00\x00\x00\x00\x40\xfd\x00\x00\x0a\x00\x00\x01\x0a\x00\x00\x02"
	records := []pcaps.Record{
		{Time: 1_700_000_000_123_456_789, LinkType: pcaps.LinkTypeEthernet, Data: []byte(arp), OrigLen: 60, Comments: []string{"first", "second"}},
		{Time: 1_700_000_001_000_000_001, LinkType: pcaps.LinkTypeRaw, Data: []byte(ipv4), OrigLen: 20},
		{Time: 0, LinkType: pcaps.LinkTypeEthernet, Data: []byte(arp), OrigLen: 14, Comments: []string{"größer"}},
	}
	fields := []string{"frame.number", "frame.time_epoch", "frame.cap_len", "frame.len", "frame.encap_type", "frame.comment"}
	// tshark numbers encapsulations by itself: 1 is Ethernet, 7 raw IP.
	tests := []struct {
		name string
		file []byte
		want string
	}{
		{"pcapng", written(t, pcapngOf(pcaps.Section{Application: "iwarp", Comment: "for tshark"}), records...), `
1|1700000000.123456789|14|60|1|first,second
2|1700000001.000000001|20|20|7|
3|0.000000000|14|14|1|größer
`},
		{"pcap", written(t, pcapOf(1), records[0], records[2]), `
1|1700000000.123456789|14|60|1|
2|0.000000000|14|14|1|
`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "written")
			if err := os.WriteFile(file, test.file, 0o600); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(strings.TrimPrefix(test.want, "\n"), tshark(t, file, fields...)); diff != "" {
				t.Errorf("tshark's view (-want +got):\n%s", diff)
			}
		})
	}
}

// tshark finds the same packets as Reader in hand-made files.
func TestTsharkAgreesOnHandMadeFiles(t *testing.T) {
	for name, file := range smallFiles() {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "file")
			if err := os.WriteFile(path, file, 0o600); err != nil {
				t.Fatal(err)
			}
			var want strings.Builder
			for _, p := range mustRead(t, file) {
				fmt.Fprintf(&want, "%d|%d|%d|%s\n", p.Frame, len(p.Data), p.OrigLen, strings.Join(p.Comments, ","))
			}
			if diff := cmp.Diff(want.String(), tshark(t, path, "frame.number", "frame.cap_len", "frame.len", "frame.comment")); diff != "" {
				t.Errorf("packets (-ours +tshark):\n%s", diff)
			}
		})
	}
}
