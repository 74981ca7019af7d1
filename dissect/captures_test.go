package dissect_test

import (
	"maps"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/iwarpkit/iwarp/dissect"
	"github.com/iwarpkit/iwarp/dissect/stats"
	"github.com/iwarpkit/iwarp/pcaps"
)

// sumUp is the Report of a capture of which each packet is cut to so many octets.
func sumUp(t *testing.T, file string, snaplen int) *stats.Report {
	t.Helper()
	c, err := pcaps.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	collector := stats.NewCollector()
	e := dissect.NewEngine(collector, dissect.Options{})
	var rec pcaps.Record
	for c.Next(&rec) == nil {
		rec.Data = rec.Data[:min(snaplen, len(rec.Data))]
		e.Packet(&rec)
	}
	e.Close()
	return collector.Report(e.Totals())
}

const whole = pcaps.MaxPacket

// counted is what an independent parser counted in some of the captures.
var counted = map[string]stats.Counts{
	"basic-crc1":                  {"Send": 14, "SendSE": 1, "Write": 62, "ReadRequest": 8, "ReadResponse": 56},
	"go-client":                   {"Send": 1, "ReadRequest": 1, "ReadResponse": 3},
	"ipv6":                        {"Send": 3, "Write": 15, "ReadRequest": 1, "ReadResponse": 15},
	"iser":                        {"Send": 97, "Write": 627, "SendInvalidate": 34, "ReadRequest": 3, "ReadResponse": 534},
	"mss200":                      {"Send": 19, "Write": 31, "ReadRequest": 1, "ReadResponse": 31},
	"multi4":                      {"Send": 8, "ReadRequest": 4, "Write": 60, "ReadResponse": 60},
	"netem-lossy":                 {"Send": 4, "Write": 141, "ReadRequest": 1, "ReadResponse": 141},
	"nfs-small-v4.1-inl4096-crc1": {"Send": 940, "ReadResponse": 429, "Write": 617, "SendInvalidate": 177, "ReadRequest": 18},
	"nvme-rdma":                   {"Send": 133, "ReadResponse": 738, "ReadRequest": 6, "SendInvalidate": 41, "Write": 861},
	"pd-c255-s16":                 {},
	"perf-nocm":                   {},
	"rping":                       {"Send": 20, "ReadRequest": 5, "ReadResponse": 5, "Write": 5},
	"rstream":                     {"Write": 404, "Send": 165},
	"sendinvse-crc0":              {"Write": 1, "SendSEInvalidate": 1},
	"term-read-badkey":            {"Send": 1, "ReadRequest": 1, "Terminate": 1},
	"trygso-nooff":                {"Send": 1, "Write": 3, "ReadRequest": 1, "ReadResponse": 3},
}

// ended is how the connections of some captures ended.
var ended = map[string]string{
	"pd-c16-s255": "fin", "pd-c255-s16": "reset", "perf-nocm": "", "refused": "refused", "reject-pd32": "reject",
	"rping": "fin", "smbdirect": "open", "term-read-badkey": "terminate", "multi4": "fin fin fin fin",
	"term-local-badlkey-send": "terminate", "term-qp-err": "fin",
}

func captureName(file string) string {
	name, _, _ := strings.Cut(filepath.Base(file), ".pcap")
	return name
}

// incomplete are the messages that end early: for the capture does, or because of a Terminate or a sender that died.
var incomplete = map[string]stats.Counts{
	"iser-start": {"ReadResponse": 1}, "nvme-rdma-start": {"ReadResponse": 1}, "term-die-midstream": {"Write": 1},
	"term-send-toolong-multi": {"Send": 1}, "term-write-oob-multi": {"Write": 1},
}

func TestCaptures(t *testing.T) {
	counted, ended := maps.Clone(counted), maps.Clone(ended)
	for _, file := range captureFiles(t) {
		name := captureName(file)
		t.Run(name, func(t *testing.T) {
			r := sumUp(t, file, whole)
			if want, ok := counted[name]; ok {
				if d := cmp.Diff(want, r.Segments); d != "" {
					t.Errorf("segments (-want +got)\n%s", d)
				}
			}
			var ends []string
			for _, c := range r.Connections {
				ends = append(ends, c.End)
			}
			if want, ok := ended[name]; ok && want != strings.Join(ends, " ") {
				t.Errorf("ends: %q, want %q", ends, want)
			}
			if r.CRC.Bad != 0 || r.Malformed != 0 || r.MissingBytes != 0 {
				t.Errorf("CRC %+v, %d malformed, %d missing", r.CRC, r.Malformed, r.MissingBytes)
			}
			if !maps.Equal(incomplete[name], r.Incomplete) {
				t.Errorf("incomplete %v, want %v", r.Incomplete, incomplete[name])
			}
			// pd-c255-s16: the kernel states 3 octets of Private Data and sends 259; nobody can accept the rest.
			if want := map[string]uint64{"pd-c255-s16": 256}[name]; r.UndecodedBytes != want {
				t.Errorf("%d octets undecoded, want %d", r.UndecodedBytes, want)
			}
		})
		delete(counted, name)
		delete(ended, name)
	}
	for name := range counted {
		t.Errorf("there is no capture %s", name)
	}
	for name := range ended {
		t.Errorf("there is no capture %s", name)
	}
}

// TestCaptures96 cuts each packet to 96 octets, with IPv6 to 116: all FPDU headers are still there, or can be found
// again, payload is not. The counts stay the same; no CRC can be checked.
func TestCaptures96(t *testing.T) {
	for _, file := range captureFiles(t) {
		name, snaplen := captureName(file), 96
		if name == "ipv6" {
			snaplen += 20
		}
		t.Run(name, func(t *testing.T) {
			full, cut := sumUp(t, file, whole), sumUp(t, file, snaplen)
			if d := cmp.Diff(full.Segments, cut.Segments); d != "" {
				t.Errorf("segments (-full +cut)\n%s", d)
			}
			if d := cmp.Diff(full.Messages, cut.Messages); d != "" {
				t.Errorf("messages (-full +cut)\n%s", d)
			}
			if cut.CRC.Bad != 0 || cut.UndecodedBytes > full.UndecodedBytes || cut.FPDUs != full.FPDUs {
				t.Errorf("CRC %+v, %d octets undecoded", cut.CRC, cut.UndecodedBytes)
			}
		})
	}
}
