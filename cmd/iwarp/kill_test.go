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
	if testing.Short() {
		t.Skip("it takes seconds")
	}
	times := killsOfEach()
	capture, err := filepath.Abs("../../pcaps/samples/iser-start.pcap.gz")
	if err != nil {
		t.Fatal(err)
	}
	for _, command := range []string{
		"check -o json CAPTURE -w OUT", "check CAPTURE -w OUT", "stats -o json CAPTURE -w OUT", "decode CAPTURE -w OUT", "decode -o jsonl CAPTURE -w OUT",
		"decode -o csv CAPTURE -w OUT", "decode -o tree CAPTURE -w OUT", "decode -o pcapng CAPTURE -w OUT", "follow CAPTURE -w OUT",
		"diff CAPTURE CAPTURE -w OUT", "report CAPTURE -w OUT", "replay CAPTURE --save-scenario OUT", "replay CAPTURE -o pcapng -w OUT", "replay CAPTURE --sim -o json -w OUT",
		"replay CAPTURE --to-rules OUT", "diff -o html CAPTURE CAPTURE -w OUT", "conform --list -o json -w OUT", "conform --export RFC5041/4.3/msn-left-out -w OUT",
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

// TestKilledTables kills the command that writes a folder: each file in it is whole, or not there. After a first and a second Ctrl-C, nothing
// is beside them.
func TestKilledTables(t *testing.T) {
	out := ""
	tables := func() *exec.Cmd {
		out = filepath.Join(t.TempDir(), "out")
		return exec.Command("iwarp", "decode", "-o", "parquet", "../../pcaps/samples/iser-start.pcap.gz", "-w", out)
	}
	read := func(pattern string) map[string]string {
		all := make(map[string]string)
		names, _ := filepath.Glob(filepath.Join(out, pattern))
		for _, name := range names {
			b, _ := os.ReadFile(name)
			all[filepath.Base(name)] = string(b)
		}
		return all
	}
	begin := time.Now()
	if said, err := tables().CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	whole, written := time.Since(begin), read("*.parquet")
	for n := range 2 * killsOfEach() {
		cmd := tables()
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(rand.N(whole + whole/4))
		kills := n%2 == 0
		if kills {
			cmd.Process.Kill()
		} else {
			cmd.Process.Signal(os.Interrupt)
			time.Sleep(rand.N(2 * time.Millisecond))
			cmd.Process.Signal(os.Interrupt)
		}
		cmd.Wait()
		if left := read(".iwarp-*"); !kills && len(left) > 0 {
			t.Fatalf("interrupted twice, it left %d files", len(left))
		}
		for name, text := range read("*.parquet") {
			if kills && text != written[name] {
				t.Fatalf("killed within %v, it left %d octets of the %d in %s", whole, len(text), len(written[name]), name)
			}
		}
	}
}

// TestKilledRecorders kills each command that records traffic, at random moments: its capture can be read up to the last whole record.
func TestKilledRecorders(t *testing.T) {
	const bench = "bench --op write,send -n 1000000 PEER"
	for _, row := range []struct{ recorder, service, traffic string }{
		{"serve", "sink", bench},
		{"proxy", "sink", bench},
		{"bench", "sink", bench},
		{"ping", "rping", "ping -c 0 -i 0 PEER"},
		{"replay", "rping", "replay ../../pcaps/samples/rping.pcap --loop 1000000 --peer PEER"},
	} {
		t.Run(row.recorder, func(t *testing.T) {
			for n := range killsOfEach() {
				t.Run(strconv.Itoa(n), func(t *testing.T) {
					if killedRecorder(t, row.recorder, row.service, row.traffic) == 0 {
						t.Error("nothing was recorded")
					}
				})
			}
		})
	}
}

// killedRecorder kills the server, the proxy or the client amid traffic, and returns how many records its capture has.
func killedRecorder(t *testing.T, recorder, service, traffic string) (records int) {
	out := filepath.Join(t.TempDir(), "out")
	recording := func(args ...string) []string {
		switch {
		case args[0] != recorder:
			return args
		case recorder == "replay":
			return append(args, "--save-run", out)
		}
		return append(args, "-w", out)
	}
	server := besiege(t, recording("serve", "--service", service)...)
	proxy := besiege(t, recording("proxy", "--to", server.address)...)
	client := exec.Command("iwarp", recording(strings.Fields(strings.ReplaceAll(traffic, "PEER", proxy.address))...)...)
	if err := client.Start(); err != nil {
		t.Fatal(err)
	}
	for begin := time.Now(); time.Since(begin) < patience; time.Sleep(time.Millisecond) {
		if info, err := os.Stat(out); err == nil && info.Size() > 4096 {
			break
		}
	}
	time.Sleep(rand.N(200 * time.Millisecond))
	switch recorder {
	case "serve":
		server.Process.Kill()
	case "proxy":
		proxy.Process.Kill()
	}
	client.Process.Kill()
	client.Wait()
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
