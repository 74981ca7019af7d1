package main

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/iwarpkit/iwarp/pcaps"
)

// TestKilledWriters kills every command that writes a file, at random moments: the file is the old one or the new one. After a first and a
// second Ctrl-C, nothing is beside it. IWARP_KILLS is how often.
func TestKilledWriters(t *testing.T) {
	times := killsOfEach()
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

// killsOfEach is how often each command is killed.
func killsOfEach() int {
	times, _ := strconv.Atoi(os.Getenv("IWARP_KILLS"))
	if testing.Short() {
		return 2
	}
	return max(times, 10)
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
		cmd := exec.Command("iwarp", args...)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(rand.N(whole + whole/4))
		cmd.Process.Signal(os.Interrupt)
		time.Sleep(rand.N(2 * time.Millisecond))
		cmd.Process.Signal(os.Interrupt)
		cmd.Wait()
		if left, _ := filepath.Glob(folder + "/.iwarp-*"); len(left) > 0 {
			t.Fatalf("interrupted twice, it left %v", left)
		}
	}
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

// TestKilledRecorders kills each command that records traffic, at random moments: its capture can be read up to the last whole record.
func TestKilledRecorders(t *testing.T) {
	for _, recorder := range []string{"serve", "proxy", "bench"} {
		t.Run(recorder, func(t *testing.T) {
			for n := range killsOfEach() {
				t.Run(strconv.Itoa(n), func(t *testing.T) {
					if killedRecorder(t, recorder) == 0 {
						t.Error("nothing was recorded")
					}
				})
			}
		})
	}
}

// killedRecorder kills a command amid the traffic of iwarp bench, and returns how many records its capture has.
func killedRecorder(t *testing.T, recorder string) (records int) {
	out := filepath.Join(t.TempDir(), "out")
	recording := func(command string, args ...string) []string {
		if command == recorder {
			args = append(args, "-w", out)
		}
		return append([]string{command}, args...)
	}
	server := besiege(t, recording("serve", "--service", "sink")...)
	proxy := besiege(t, recording("proxy", "--to", server.address)...)
	bench := exec.Command("iwarp", recording("bench", "--op", "write,send", "-n", "1000000", proxy.address)...)
	if err := bench.Start(); err != nil {
		t.Fatal(err)
	}
	for begin := time.Now(); time.Since(begin) < patience; time.Sleep(time.Millisecond) {
		if info, err := os.Stat(out); err == nil && info.Size() > 4096 {
			break
		}
	}
	time.Sleep(rand.N(200 * time.Millisecond))
	map[string]*exec.Cmd{"serve": server.Cmd, "proxy": proxy.Cmd, "bench": bench}[recorder].Process.Kill()
	bench.Process.Kill()
	bench.Wait()
	f, err := os.Open(out)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r, err := pcaps.NewReader(f)
	for record := new(pcaps.Record); err == nil; records++ {
		err = r.Next(record)
	}
	if err != io.EOF && !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("after %d records: %v", records, err)
	}
	return max(0, records-1)
}

func exists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}
