package cli

import (
	"bytes"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/iwarpkit/iwarp/cmd/internal/exit"
	"github.com/iwarpkit/iwarp/codec/mpa"
)

// silence is a peer that accepts connections and sends nothing.
func silence(t *testing.T) (address string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return l.Addr().String()
}

// The exit status of each command where there is nobody, a peer that sends nothing, a file that is missing or no capture, where
// nothing was played, and where the disk of standard output is full.
func TestExitStatuses(t *testing.T) {
	const full = " >full"
	folder := t.TempDir()
	junk, empty := filepath.Join(folder, "junk"), filepath.Join(folder, "nothing.scenario")
	os.WriteFile(junk, []byte(strings.Repeat("junk ", 100)), 0o666)
	nothing := "scenario \"nothing\"\nconnection c0\n"
	os.WriteFile(empty, []byte(nothing), 0o666)
	good, silent := samples+"rping.pcap", silence(t)
	const nobody = "127.0.0.1:1"
	rping, conform := strings.TrimSpace(start(t, "", "serve").first), strings.TrimSpace(start(t, "", "serve", "--service", "conform").first)
	unwritable := map[string]bool{} // commands that were asked to write on the full disk
	for _, tt := range []struct {
		args string
		code int
	}{
		{"check " + good, exit.OK},
		{"check " + junk, exit.Unreadable},
		{"check none.pcap", exit.Unreadable},
		{"check", exit.Usage},
		{"decode " + junk, exit.Unreadable},
		{"decode -o parquet -w " + filepath.Join(folder, "tables") + " " + good, exit.OK},
		{"decode -o parquet -w " + filepath.Join(folder, "others") + " " + junk, exit.Unreadable},
		{"decode -o parquet -w " + filepath.Join(folder, "tables") + " " + good, exit.Unreadable},
		{"decode -o parquet " + good, exit.Usage},
		{"follow " + junk, exit.Unreadable},
		{"stats " + junk, exit.Unreadable},
		{"diff " + good + " " + junk, exit.Unreadable},
		{"diff " + good + " " + good, exit.OK},
		{"diff -o html " + good + " " + good, exit.OK},
		{"diff " + good + " " + samples + "p2p-crc.pcap", exit.Findings},
		{"report " + good, exit.OK},
		{"report " + junk, exit.Unreadable},
		{"report none.pcap", exit.Unreadable},
		{"report", exit.Usage},
		{"report -w no/such/folder/x.html " + good, exit.Unreadable},
		{"explain nonsense-that-is-none", exit.Usage},
		{"explain MPA", exit.OK},
		{"version", exit.OK},
		{"ping " + nobody, exit.Unreadable},
		{"ping --timeout 200ms " + silent, exit.Unreadable},
		{"bench " + nobody, exit.Unreadable},
		{"bench --timeout 200ms " + silent, exit.Unreadable},
		{"serve --listen nowhere", exit.Usage},
		{"serve --listen 192.0.2.1:1", exit.Unreadable},
		{"proxy --listen 192.0.2.1:1 --to " + nobody, exit.Unreadable},
		{"proxy --rpc 2:1 --listen 192.0.2.1:1 --to " + nobody, exit.Unreadable},
		{"proxy --rpc 3:1 --to " + nobody, exit.Usage},
		{"proxy --rules none --to " + nobody, exit.Unreadable},
		{"conform " + nobody, exit.Unreadable},
		{"conform --timeout 200ms " + silent, exit.Unreadable},
		{"conform --listen 127.0.0.1:0 --timeout 200ms", exit.Unreadable},
		{"replay " + good + " --peer " + nobody, exit.Unreadable},
		{"replay --timeout 200ms --peer " + silent + " " + good, exit.Unreadable},
		{"replay --listen 127.0.0.1:0 --timeout 200ms " + good, exit.Unreadable},
		{"replay " + good + " --sim", exit.OK},
		{"replay " + empty + " --sim", exit.Findings},
		{"replay " + junk + " --sim", exit.Unreadable},
		{"replay " + good + " --save-scenario - -w " + junk, exit.Usage},
		{"help" + full, exit.Unreadable},
		{"completion bash" + full, exit.Unreadable},
		{"version" + full, exit.Unreadable},
		{"explain MPA" + full, exit.Unreadable},
		{"check " + good + full, exit.Unreadable},
		{"decode " + good + full, exit.Unreadable},
		{"diff " + good + " " + good + full, exit.Unreadable},
		{"follow " + good + full, exit.Unreadable},
		{"report -w - " + good + full, exit.Unreadable},
		{"stats " + good + full, exit.Unreadable},
		{"bench -n 1 " + rping + full, exit.Unreadable},
		{"conform " + conform + " RFC5041/4.3" + full, exit.Unreadable},
		{"ping -c 1 " + rping + full, exit.Unreadable},
		{"proxy --listen 127.0.0.1:0 --to " + rping + full, exit.Unreadable},
		{"replay --sim " + good + full, exit.Unreadable},
		{"serve --listen 127.0.0.1:0" + full, exit.Unreadable},
	} {
		begin := time.Now()
		args, isFull := strings.CutSuffix(tt.args, full)
		var out, errs bytes.Buffer
		s := &Streams{Out: &out, Err: &errs, Env: func(string) string { return "" }}
		if isFull {
			s.Out = &faulty{n: 1, err: syscall.ENOSPC}
			unwritable[strings.Fields(args)[0]] = true
		}
		if code := Main(t.Context(), s, strings.Fields(args)); code != tt.code || isFull && (strings.Count(errs.String(), "iwarp: ") != 1 || !strings.HasSuffix(errs.String(), "iwarp: cannot write standard output: no space left on device\n")) {
			t.Errorf("%s: exit status %d, want %d: %s%s", tt.args, code, tt.code, &out, &errs)
		}
		if took := time.Since(begin); took > time.Minute {
			t.Errorf("%s has taken %v", tt.args, took)
		}
	}
	for _, c := range newRoot(&app{Streams: &Streams{}}).Commands() {
		if !unwritable[c.Name()] {
			t.Errorf("%s was not asked to write on a full disk: add a line above with it and full", c.Name())
		}
	}
}

// Of a peer that sends its MPA Reply an octet at a time, none of the commands says that it sends nothing, or waits for longer than --timeout.
func TestSlowReply(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	go func() {
		for c, err := l.Accept(); err == nil; c, err = l.Accept() {
			go func() {
				defer c.Close()
				for _, octet := range []byte("MPA ID Rep Frame") {
					time.Sleep(100 * time.Millisecond)
					if _, err := c.Write([]byte{octet}); err != nil {
						break
					}
				}
			}()
		}
	}()
	for _, args := range [][]string{{"conform", "--timeout", "250ms", l.Addr().String()}, {"ping", "--timeout", "250ms", l.Addr().String()}, {"bench", "--timeout", "250ms", l.Addr().String()}} {
		begin := time.Now()
		got := run(t.Context(), nil, false, nil, args...)
		if got.code != exit.Unreadable || !strings.Contains(got.err, "no answer in time") || strings.Contains(got.err, "sends nothing") || time.Since(begin) > 10*time.Second {
			t.Errorf("%v, after %v: %+v", args, time.Since(begin), got)
		}
	}
}

// A peer that sends a Terminate, or a wrong CRC, and stays open is not said to be silent, although the time for its answer is over too.
func TestPingOfAPeerThatStaysOpen(t *testing.T) {
	ulpdu := append([]byte{0x41, 0x47, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 0}, 0x01, 0x02, 0, 0)
	good, _ := (&mpa.Framer{Options: mpa.Options{CRC: true}}).Append(nil, ulpdu)
	wrong := bytes.Clone(good)
	wrong[len(wrong)-1] ^= 1
	for words, fpdu := range map[string][]byte{"the peer sent a Terminate: 0/1/02": good, "0/2/02|2/0/02": wrong} {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		go func() {
			for {
				c, err := l.Accept()
				if err != nil {
					return
				}
				defer c.Close()
				c.Read(make([]byte, 100))
				f := mpa.Frame{Reply: true, C: true, Rev: mpa.Rev1}
				b, _ := f.AppendBinary(nil)
				c.Write(b)
				c.Read(make([]byte, 100))
				c.Write(fpdu)
			}
		}()
		for range 5 {
			got := run(t.Context(), nil, false, nil, "ping", "--rev", "1", "--timeout", "200ms", l.Addr().String())
			if got.code != exit.Findings || !regexp.MustCompile(words).MatchString(got.err) {
				t.Errorf("%+v", got)
			}
		}
		l.Close()
	}
}

// TestMorePingsThanTimes keeps the times of the latest pings.
func TestMorePingsThanTimes(t *testing.T) {
	var r pingReport
	for i := range maxPings + 2 {
		r.keep(time.Duration(i))
	}
	if least, most := slices.Min(r.times), slices.Max(r.times); len(r.times) != maxPings || least != 2 || most != maxPings+1 {
		t.Errorf("%d times from %d to %d", len(r.times), least, most)
	}
}
