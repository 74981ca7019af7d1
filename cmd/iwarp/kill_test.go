package main

import (
	"bytes"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// TestKilledWriters kills every command that writes a file, at random moments: the file is the old one or the new one. IWARP_KILLS is how
// often.
func TestKilledWriters(t *testing.T) {
	times, _ := strconv.Atoi(os.Getenv("IWARP_KILLS"))
	times = max(times, 10)
	if testing.Short() {
		times = 2
	}
	capture, err := filepath.Abs("../../pcaps/samples/iser-start.pcap.gz")
	if err != nil {
		t.Fatal(err)
	}
	for _, command := range []string{
		"check -o json CAPTURE -w OUT", "check CAPTURE -w OUT", "stats -o json CAPTURE -w OUT", "decode CAPTURE -w OUT", "decode -o jsonl CAPTURE -w OUT",
		"decode -o csv CAPTURE -w OUT", "decode -o tree CAPTURE -w OUT", "decode -o pcapng CAPTURE -w OUT", "follow CAPTURE -w OUT",
		"diff CAPTURE CAPTURE -w OUT", "report CAPTURE -w OUT", "replay CAPTURE --save-scenario OUT", "replay CAPTURE -o pcapng -w OUT", "replay CAPTURE --sim -o json -w OUT",
	} {
		t.Run(command, func(t *testing.T) { killed(t, command, capture, times) })
	}
}

// killed runs a command to its end, and then again and again to a random moment.
func killed(t *testing.T, command, capture string, times int) {
	folder := t.TempDir()
	out := filepath.Join(folder, "out")
	args := strings.Fields(strings.NewReplacer("CAPTURE", capture, "OUT", out).Replace(command))
	begin := time.Now()
	if said, _ := exec.Command("iwarp", args...).CombinedOutput(); !exists(out) {
		t.Fatalf("nothing was written: %s", said)
	}
	whole := time.Since(begin)
	written, _ := os.ReadFile(out)
	for range times {
		old := []byte("what was there before")
		if err := os.WriteFile(out, old, 0o600); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command("iwarp", args...)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(rand.N(whole + whole/4))
		cmd.Process.Kill()
		cmd.Wait()
		if now, _ := os.ReadFile(out); !bytes.Equal(now, old) && !bytes.Equal(now, written) {
			t.Fatalf("killed within %v, it left %d octets of %d", whole, len(now), len(written))
		}
	}
}

func exists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}
