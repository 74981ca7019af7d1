package main

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/iwarpkit/iwarp/cmd/internal/exit"
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
		{"check -q --dir " + good, exit.OK},
		{"check -q --fail-on warning --dir " + good, exit.OK},
		{"check -q --dir " + s.folders[0], exit.Findings},
		{"check -q --fail-on none --dir " + s.folders[0], exit.OK},
		{"check -q --dir " + folder, exit.Unreadable},
		{"check -q --dir none", exit.Unreadable},
		{"check -q --nats " + nobody, exit.Unreadable},
		{"check", exit.Usage},
		{"check --fail-on nothing --dir " + good, exit.Usage},
		{"check --profile nobody --dir " + good, exit.Usage},
		{"report -q --dir " + s.folders[0], exit.OK},
		{"report -q --dir " + folder, exit.Unreadable},
		{"report -q -w no/such/folder/x.html --dir " + good, exit.Unreadable},
		{"report -q --nats " + nobody, exit.Unreadable},
		{"serve --listen 192.0.2.1:4222 --store " + folder, exit.Usage},
		{"serve --listen " + strings.TrimPrefix(f.url, "nats://") + " --store " + t.TempDir(), exit.Unreadable},
		{"serve --config none", exit.Unreadable},
		{"serve", exit.Usage},
		{"agent --every 0 --dir " + good + " --nats " + f.url, exit.OK},
		{"agent --every 0 --dir none --nats " + f.url, exit.Unreadable},
		{"agent --every 0 --dir " + good + " --nats " + nobody, exit.Unreadable},
		{"agent --nats " + f.url, exit.Usage},
		{"judge --nats " + nobody, exit.Unreadable},
		{"judge", exit.Usage},
		{"status --nats " + f.url, exit.OK},
		{"status --nats " + nobody, exit.Unreadable},
		{"fetch a.pcap:1 --nats " + nobody, exit.Unreadable},
		{"fetch none.pcap:1 --nats " + f.url, exit.Unreadable},
		{"fetch a.pcap --nats " + f.url, exit.Usage},
		{"version --licenses", exit.OK},
		{"nonsense", exit.Usage},
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
