package main

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// TestExitStatuses has the exit status of each command: without a server, without a file, in use and used wrongly.
func TestExitStatuses(t *testing.T) {
	if testing.Short() {
		t.Skip("it waits for time-outs")
	}
	t.Parallel()
	s := newScene(t)
	f := newHosts(t, s)
	folder := t.TempDir()
	junk := filepath.Join(folder, "junk.pcap")
	if err := os.WriteFile(junk, []byte(strings.Repeat("junk ", 100)), 0o666); err != nil {
		t.Fatal(err)
	}
	good := t.TempDir()
	octets, err := os.ReadFile("../../pcaps/samples/p2p-crc.pcap")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(good, "a.pcap"), octets, 0o666); err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	defer all.Wait()
	const nobody = "nats://127.0.0.1:1"
	for _, tt := range []struct {
		args string
		code int
	}{
		{"check -q --dir " + good, exitOK},
		{"check -q --fail-on warning --dir " + good, exitOK},
		{"check -q --dir " + s.folders[0], exitFindings},
		{"check -q --fail-on none --dir " + s.folders[0], exitOK},
		{"check -q --dir " + folder, exitUnreadable},
		{"check -q --dir none", exitUnreadable},
		{"check -q --nats " + nobody, exitUnreadable},
		{"check", exitUsage},
		{"check --fail-on nothing --dir " + good, exitUsage},
		{"check --profile nobody --dir " + good, exitUsage},
		{"report -q --dir " + s.folders[0], exitOK},
		{"report -q --dir " + folder, exitUnreadable},
		{"report -q -w no/such/folder/x.html --dir " + good, exitUnreadable},
		{"report -q --nats " + nobody, exitUnreadable},
		{"serve --listen 192.0.2.1:4222 --store " + folder, exitUsage},
		{"serve --listen " + strings.TrimPrefix(f.url, "nats://") + " --store " + t.TempDir(), exitUnreadable},
		{"serve --config none", exitUnreadable},
		{"serve", exitUsage},
		{"agent --every 0 --dir " + good + " --nats " + f.url, exitOK},
		{"agent --every 0 --dir none --nats " + f.url, exitUnreadable},
		{"agent --every 0 --dir " + good + " --nats " + nobody, exitUnreadable},
		{"agent --nats " + f.url, exitUsage},
		{"judge --nats " + nobody, exitUnreadable},
		{"judge", exitUsage},
		{"status --nats " + f.url, exitOK},
		{"status --nats " + nobody, exitUnreadable},
		{"fetch a.pcap:1 --nats " + nobody, exitUnreadable},
		{"fetch none.pcap:1 --nats " + f.url, exitUnreadable},
		{"fetch a.pcap --nats " + f.url, exitUsage},
		{"version --licenses", exitOK},
		{"nonsense", exitUsage},
	} {
		all.Go(func() { // a command waits ten seconds for a server
			begin := time.Now()
			if got := ask(t, process(t, strings.Fields(tt.args)...)); got.code != tt.code {
				t.Errorf("%s: exit status %d, want %d: %s", tt.args, got.code, tt.code, got.text)
			}
			if took := time.Since(begin); took > time.Minute {
				t.Errorf("%s has taken %v", tt.args, took)
			}
		})
	}
}
