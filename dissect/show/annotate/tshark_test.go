package annotate_test

// A second opinion: tshark reads what was written, without complaint.

import (
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/iwarpkit/iwarp/internal/tools"
	"github.com/iwarpkit/iwarp/pcaps"
	"github.com/iwarpkit/iwarp/pcaps/samples"
)

// block is a pcapng block, whose body is padded.
func block(kind uint32, body []byte) []byte {
	for len(body)%4 != 0 {
		body = append(body, 0)
	}
	total := uint32(12 + len(body))
	b := binary.BigEndian.AppendUint32(nil, kind)
	b = binary.BigEndian.AppendUint32(b, total)
	b = append(b, body...)
	return binary.BigEndian.AppendUint32(b, total)
}

func words(values ...uint32) (b []byte) {
	for _, v := range values {
		b = binary.BigEndian.AppendUint32(b, v)
	}
	return b
}

// twoInterfaces is a sample as a big-endian pcapng file of two interfaces, one with microseconds, one with nanoseconds.
func twoInterfaces(t testing.TB, sample string) []byte {
	t.Helper()
	r, err := samples.Open(sample)
	if err != nil {
		t.Fatal(err)
	}
	file := block(0x0a0d0d0a, words(0x1a2b3c4d, 1<<16, 0xffffffff, 0xffffffff))
	file = append(file, block(1, append(words(1<<16, 0, 2<<16|4), "eth0\x00\x00\x00\x00"...))...)
	file = append(file, block(1, append(words(1<<16, 0, 2<<16|4), "eth1\x00\x09\x00\x01\x09\x00\x00\x00\x00\x00\x00\x00"...))...)
	var rec pcaps.Record
	for r.Next(&rec) == nil {
		n := uint32(rec.Frame % 2)
		units := uint64(rec.Time)
		if n == 0 {
			units /= 1000
		} else {
			units += rec.Frame
		}
		data := words(n, uint32(units>>32), uint32(units), uint32(len(rec.Data)), uint32(rec.OrigLen))
		file = append(file, block(6, append(data, rec.Data...))...)
	}
	return append(file, block(5, words(1, 0, 0))...)
}

// tshark prints fields of the frames that a filter picks, separated by "|", and fails the test if it complains.
func tshark(t *testing.T, file, filter string, fields ...string) string {
	t.Helper()
	args := []string{"-r", file, "-Y", filter, "-T", "fields", "-E", "separator=|", "-E", "aggregator=/s"}
	for _, field := range fields {
		args = append(args, "-e", field)
	}
	return tools.QuietTshark(t, args...)
}

func TestTshark(t *testing.T) {
	tools.Require(t, "tshark")
	plain := sampleFile(t, "term-read-badkey")
	for name, files := range map[string][]string{
		"pcap":        {plain},
		"gzip":        {sampleFile(t, "netem-lossy")},
		"nanoseconds": {writeFile(t, "nano.pcap", nanoseconds(t, "rping"))},
		"interfaces":  {writeFile(t, "two.pcapng", twoInterfaces(t, "rping"))},
		"sections":    {plain, writeFile(t, "two.pcapng", twoInterfaces(t, "refused")), writeFile(t, "nano.pcap", nanoseconds(t, "reject-pd32"))},
		"upper layer": {sampleFile(t, "nfs-small-v4.1-inl4096-crc1")},
	} {
		t.Run(name, func(t *testing.T) {
			made := annotated(t, files...)
			file := writeFile(t, "annotated.pcapng", made)
			var want strings.Builder
			for _, p := range readBytes(t, made) {
				if len(p.Comments) > 0 {
					fmt.Fprintf(&want, "%d|%s\n", p.Frame, strings.Join(p.Comments, " "))
				}
			}
			got := tshark(t, file, "frame.comment", "frame.number", "frame.comment")
			if d := cmp.Diff(want.String(), strings.ReplaceAll(got, `\"`, `"`)); d != "" || got == "" {
				t.Errorf("comments (-ours +tshark)\n%s", d)
			}
			if len(files) > 1 {
				return // tshark reads one file at a time
			}
			fields := []string{"frame.number", "frame.time_epoch", "frame.cap_len", "frame.len", "frame.encap_type", "tcp.seq_raw"}
			if strings.HasSuffix(files[0], ".pcapng") {
				fields = append(fields, "frame.interface_id", "frame.interface_name")
			}
			before := tshark(t, files[0], "frame", fields...)
			if d := cmp.Diff(before, tshark(t, file, "frame", fields...)); d != "" {
				t.Errorf("packets (-before +after)\n%s", d)
			}
		})
	}
}
