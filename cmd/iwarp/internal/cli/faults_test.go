package cli

import (
	"bytes"
	"io"
	"os"
	"strings"
	"syscall"
	"testing"
)

// A faulty stream fails at its n-th use, and from then on; with n 0 it counts.
type faulty struct {
	in   io.Reader
	out  io.Writer
	n    int
	uses int
	err  error
}

func (f *faulty) fails() bool {
	f.uses++
	return f.n > 0 && f.uses >= f.n
}

func (f *faulty) Read(b []byte) (int, error) {
	if f.fails() {
		return 0, f.err
	}
	return f.in.Read(b[:min(len(b), 4<<10)])
}

func (f *faulty) Write(b []byte) (int, error) {
	if f.fails() {
		return 0, f.err
	}
	return f.out.Write(b)
}

// TestFaults lets standard input and output of every command that reads a capture fail at every n-th use. If it cannot write, the command ends
// with 3 and says why, and what it has printed until then is the beginning of what it prints otherwise. If it cannot read on, it says so
// and goes on with what it has, if that is anything.
func TestFaults(t *testing.T) {
	capture, err := os.ReadFile(samples + "smbdirect.pcap.gz")
	if err != nil {
		t.Fatal(err)
	}
	for _, command := range []string{
		"check", "check --all", "check -o json", "check -o jsonl", "check -o junit", "check --group-by rule", "stats", "stats -o json", "stats --interval 1ms -o csv",
		"decode", "decode --rpc", "decode -o jsonl", "decode -o csv", "decode -o tree", "follow", "replay --save-scenario -", "replay -o pcapng", "replay --sim -o json",
	} {
		run := func(read, write int, err error) (code int, out, said string, reads, writes int) {
			var b, e bytes.Buffer
			in, w := &faulty{in: bytes.NewReader(capture), n: read, err: err}, &faulty{out: &b, n: write, err: err}
			code = Main(t.Context(), &Streams{In: in, Out: w, Err: &e, Env: func(string) string { return "" }}, append(strings.Fields(command), "-"))
			return code, b.String(), e.String(), in.uses, w.uses
		}
		_, whole, _, reads, writes := run(0, 0, nil)
		for n := 1; n <= writes; n++ {
			if code, out, said, _, _ := run(0, n, syscall.ENOSPC); code != 3 || !strings.Contains(said, "no space left") || !strings.HasPrefix(whole, out) {
				t.Errorf("%s: write %d of %d: exit status %d, %q, %d octets of %d", command, n, writes, code, said, len(out), len(whole))
			}
		}
		for n := 1; n <= reads; n++ {
			if code, _, said, _, _ := run(n, 0, syscall.EIO); code != 3 && n == 1 || code == 2 || !strings.Contains(said, "input/output error") {
				t.Errorf("%s: read %d of %d: exit status %d, %q", command, n, reads, code, said)
			}
		}
	}
}
