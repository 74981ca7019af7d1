package main

// Hostile peers of a server and of an agent.

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"
)

// siege has so many peers at a time that do something to the server until stop is called.
func siege(url string, peers int, do func(nc net.Conn)) (stop func()) {
	var all sync.WaitGroup
	over := make(chan struct{})
	for range peers {
		all.Go(func() {
			for {
				select {
				case <-over:
					return
				default:
				}
				nc, err := net.Dial("tcp", strings.TrimPrefix(url, "nats://"))
				if err != nil {
					continue
				}
				_ = nc.SetDeadline(time.Now().Add(time.Second))
				do(nc)
				nc.Close()
			}
		})
	}
	return func() {
		close(over)
		all.Wait()
	}
}

// resident is how many MiB of memory a process has.
func resident(t *testing.T, c *exec.Cmd) (mib int) {
	t.Helper()
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", c.Process.Pid))
	if err == nil {
		_, err = fmt.Sscan(string(b), new(int), &mib)
	}
	if err != nil {
		t.Error(err)
	}
	return mib * os.Getpagesize() >> 20
}

// TestSiege needs the time for each attack in IWARP_SIEGE, such as 4s. Meanwhile good peers are served, in bounded memory, and get the answer.
func TestSiege(t *testing.T) {
	lasts, err := time.ParseDuration(os.Getenv("IWARP_SIEGE"))
	if err != nil {
		t.Skip("IWARP_SIEGE says for how long: make siege")
	}
	junk := make([]byte, 64<<10)
	_, _ = rand.Read(junk) // never fails
	send := func(what string) func(net.Conn) {
		return func(nc net.Conn) {
			_, _ = io.WriteString(nc, what) // the server may close the connection
			_, _ = io.Copy(io.Discard, nc)
		}
	}
	s := newScene(t)
	sum := sha256.Sum256([]byte("0"))
	fetch := func(reply, question string) string {
		const times = 1000
		return strings.Repeat(fmt.Sprintf("PUB iwarp-fetch.%s %s %d\r\n%s\r\n", base64.RawURLEncoding.EncodeToString(sum[:16]), reply, len(question), question), times)
	}
	const hello = "CONNECT {\"verbose\":false}\r\n"
	for _, attack := range []struct {
		name  string
		peers int
		do    func(net.Conn)
	}{
		{"1,000 that are silent", 1000, send("")},
		{"garbage", 16, send(string(junk))},
		{"a line without an end", 16, func(nc net.Conn) {
			for err := error(nil); err == nil; {
				_, err = nc.Write(junk[:1024])
			}
		}},
		{"half a message", 64, send(hello + "PUB iwarp.file.x 1000000\r\nhalf")},
		{"a message that is too long", 16, send(hello + "PUB iwarp.file.x 1000000000\r\n" + string(junk))},
		{"wrong fetches", 4, send(hello + fetch("_INBOX.x", "junk"))},
		{"fetches that write elsewhere", 4, send(hello + fetch("iwarp.file.x", fmt.Sprintf(`{"File":%q,"First":1,"Last":9}`, s.files[0])))},
	} {
		t.Run(attack.name, func(t *testing.T) {
			f := newHosts(t, s)
			running := begin(t, f.with("agent", "--name", "0", "--prefix", "", "--dir", f.folders[0])...)
			f.ends(f.agent(1))
			f.judge()
			stop := siege(f.url, attack.peers, attack.do)
			slowest := time.Duration(0)
			for start := time.Now(); time.Since(start) < lasts; {
				asked := time.Now()
				if said := f.status(); !strings.Contains(said, "agent") {
					t.Errorf("status: %q", said)
				}
				slowest = max(slowest, time.Since(asked))
			}
			f.answers("text", func() {})
			stop()
			f.answers("json", func() {})
			server, agent := resident(t, f.server), resident(t, running)
			t.Logf("status took %v at most; the server has %d MiB, the agent %d MiB", slowest, server, agent)
			if slowest > 10*time.Second || server > 512 || agent > 256 {
				t.Error("that is too much")
			}
		})
	}
}
