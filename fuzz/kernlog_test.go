package fuzz

// Hostile logs of kernels: package dissect/kernlog.

import (
	"bytes"
	"testing"
	"time"

	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/dissect/kernlog"
)

// FuzzKernelLog reads any octets as a log. Lines stay within the limits, and each gets a time.
func FuzzKernelLog(f *testing.F) {
	for _, seed := range []string{
		"[  285.958171] siw: got TERMINATE. layer 1, type 2, code 2\n<6>[1.0] x\n",
		"[Mon Nov 23 01:08:16 2026] nfs: server 10.0.0.2 not responding, timed out\n",
		"2026-11-23T01:08:16,123456+00:00 x\n2026-11-23T01:08:16+0000 host kernel: [ 1.5] y\n",
		"[9223372036.999999] far\n[", "<", "\xff\x00\n",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		l, err := kernlog.Read(bytes.NewReader(file), time.UTC)
		if err != nil {
			if err != kernlog.ErrNoTimes {
				t.Error(err)
			}
			return
		}
		if e, ok := l.EstimateBoot([]kernlog.Event{{Time: 1_800_000_000e9, Code: rdmap.Code{Layer: 1, EType: 2, ErrorCode: 2}}}); ok && e.Fits < 1 {
			t.Errorf("got %+v", e)
		}
		l.SetBoot(1)
		for _, line := range l.Lines {
			if len(line.Text) > 1024 || line.Uptime < 0 || line.Uptime > 0 && line.Time < 0 {
				t.Errorf("got %+v", line)
			}
		}
	})
}
