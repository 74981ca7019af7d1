package cli

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/iwarpkit/iwarp/cmd/internal/exit"
)

// Outputs are whole or not there: what a file held stays until the next is complete, and nothing is left beside it.
func TestOutputsAreWhole(t *testing.T) {
	good := samples + "rping.pcap"
	for _, tt := range []struct {
		what string
		args []string
		code int
	}{
		{"an input that cannot be read", []string{"decode", "-w", "OUT", "none.pcap"}, exit.Unreadable},
		{"no capture", []string{"check", "-w", "OUT", "output_test.go"}, exit.Unreadable},
		{"no connection of that number", []string{"follow", "-w", "OUT", good, "99"}, exit.Usage},
		{"nobody listens", []string{"replay", good, "--peer", "127.0.0.1:1", "--save-run", "OUT"}, exit.Unreadable},
		{"nobody listens", []string{"ping", "-w", "OUT", "127.0.0.1:1"}, exit.Unreadable},
		{"no address of this host", []string{"serve", "-w", "OUT", "--listen", "192.0.2.1:7174"}, exit.Unreadable},
		{"what replaces it", []string{"stats", "-w", "OUT", good}, exit.OK},
	} {
		folder := t.TempDir()
		out := filepath.Join(folder, "out")
		if err := os.WriteFile(out, []byte("old"), 0o640); err != nil {
			t.Fatal(err)
		}
		args := strings.Split(strings.ReplaceAll(strings.Join(tt.args, "\n"), "OUT", out), "\n")
		if got := run(t.Context(), nil, false, nil, args...); got.code != tt.code {
			t.Errorf("%s: %+v", tt.what, got)
		}
		b, err := os.ReadFile(out)
		if err != nil || (string(b) == "old") != (tt.code != exit.OK) {
			t.Errorf("%s: %v, the file holds %d octets", tt.what, err, len(b))
		}
		if info, err := os.Stat(out); err != nil || info.Mode().Perm() != 0o640 {
			t.Errorf("%s: %v %v", tt.what, info, err)
		}
		if all, err := os.ReadDir(folder); err != nil || len(all) != 1 {
			t.Errorf("%s: %v %v", tt.what, all, err)
		}
	}
}

// A link stays a link, and the file that it names is replaced, or made.
func TestOutputThroughALink(t *testing.T) {
	folder := t.TempDir()
	at := func(name string) string { return filepath.Join(folder, name) }
	os.WriteFile(at("target"), nil, 0o666)
	for name, target := range map[string]string{
		"link": "target", "dangling": "new", "second": "first", "first": at("end"), "loop": "back", "back": "loop",
	} {
		if err := os.Symlink(target, at(name)); err != nil {
			t.Skip(err)
		}
	}
	for name, target := range map[string]string{"link": "target", "dangling": "new", "second": "end", "loop": ""} {
		got := run(t.Context(), nil, false, nil, "stats", "-w", at(name), samples+"rping.pcap")
		info, err := os.Lstat(at(name))
		b, _ := os.ReadFile(at(target))
		if err != nil || info.Mode()&os.ModeSymlink == 0 || (len(b) > 0) != (target != "") || (got.code == exit.OK) != (target != "") {
			t.Error(name, info, err, len(b), got)
		}
	}
}

// A file in a folder that takes no other one is written in place. Here the path of another one would be too long.
func TestOutputInPlace(t *testing.T) {
	folder, long := t.TempDir(), strings.Repeat("x", 199)
	for len(folder) < 3880 {
		folder = filepath.Join(folder, long)
	}
	out := filepath.Join(folder, strings.Repeat("x", 4078-len(folder)), "out")
	if err := os.MkdirAll(filepath.Dir(out), 0o777); err != nil {
		t.Skip(err)
	}
	if err := os.WriteFile(out, []byte(strings.Repeat("old", 10_000)), 0o666); err != nil {
		t.Skip(err)
	}
	got := run(t.Context(), nil, false, nil, "stats", "-w", out, samples+"rping.pcap")
	if b, err := os.ReadFile(out); err != nil || got.code != exit.OK || len(b) == 0 || bytes.Contains(b, []byte("old")) {
		t.Error(err, got, len(b))
	}
}

// A closedDisk has folders that take no new file.
type closedDisk struct {
	disk
	because error
}

func (d closedDisk) OpenFile(name string, flag int, perm os.FileMode) (File, error) {
	if flag&os.O_CREATE != 0 {
		return nil, &os.PathError{Op: "open", Path: name, Err: d.because}
	}
	return d.disk.OpenFile(name, flag, perm)
}

// In a folder that may not be written to, a file that may is written in place. On a disk that is read-only nothing is, and what was there stays.
func TestReadOnlyFolder(t *testing.T) {
	for _, because := range []error{syscall.EACCES, syscall.EPERM, syscall.EROFS} {
		for _, old := range []string{"what was there before", ""} {
			out := filepath.Join(t.TempDir(), "out")
			if old != "" {
				os.WriteFile(out, []byte(old), 0o666)
			}
			var errs bytes.Buffer
			s := &Streams{Out: io.Discard, Err: &errs, Env: os.Getenv, Disk: closedDisk{because: because}}
			code := Main(t.Context(), s, []string{"stats", "-w", out, samples + "rping.pcap"})
			b, _ := os.ReadFile(out)
			if isWritten := old != "" && because != syscall.EROFS; isWritten && (code != exit.OK || string(b) == old) ||
				!isWritten && (code != exit.Unreadable || string(b) != old || errs.String() != "iwarp: cannot write "+out+": "+because.Error()+"\n") {
				t.Errorf("%v, %q before: exit status %d, %d octets, %s", because, old, code, len(b), &errs)
			}
		}
	}
}

// A guardedDisk has files that may not be written, in folders that may.
type guardedDisk struct{ disk }

func (d guardedDisk) OpenFile(name string, flag int, perm os.FileMode) (File, error) {
	if _, err := os.Stat(name); err == nil {
		return nil, &os.PathError{Op: "open", Path: name, Err: syscall.EACCES}
	}
	return d.disk.OpenFile(name, flag, perm)
}

// A file that may not be written is not replaced by another one either.
func TestReadOnlyFile(t *testing.T) {
	const old = "what was there before"
	out := filepath.Join(t.TempDir(), "out")
	os.WriteFile(out, []byte(old), 0o444)
	var errs bytes.Buffer
	s := &Streams{Out: io.Discard, Err: &errs, Env: os.Getenv, Disk: guardedDisk{}}
	code := Main(t.Context(), s, []string{"stats", "-w", out, samples + "rping.pcap"})
	if b, _ := os.ReadFile(out); code != exit.Unreadable || string(b) != old || errs.String() != "iwarp: cannot write "+out+": permission denied\n" {
		t.Errorf("exit status %d, %q, %s", code, b, &errs)
	}
}

// Errors of outputs end a command with 3 and one message, whether it is interrupted or not.
func TestLostOutputs(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip(err)
	}
	s := start(t, "", "serve", "-w", "/dev/full", "--service", "memory")
	for range 8 { // until the buffer of the capture is full, or the connection is over
		run(t.Context(), nil, false, nil, "bench", "--op", "write", "--measure", "bw", "-n", "10", strings.TrimSpace(s.first))
	}
	for what, got := range map[string]outcome{
		"serve": <-s.ended,
		"check": run(t.Context(), nil, false, nil, "check", "-w", "/dev/full", samples+"rping.pcap"),
	} {
		if got.code != exit.Unreadable || strings.Count(got.err, "iwarp: ") != 1 || !strings.Contains(got.err, "no space left on device") {
			t.Errorf("%s: %+v", what, got)
		}
	}

	ctx, interrupt := context.WithCancel(t.Context())
	var errs bytes.Buffer
	out := writerFunc(func([]byte) (int, error) {
		interrupt()
		return 0, errors.New("no space left on device")
	})
	code := Main(ctx, &Streams{Out: out, Err: &errs, Env: os.Getenv}, []string{"decode", samples + "rping.pcap"})
	if code != exit.Unreadable || errs.String() != "iwarp: cannot write standard output: no space left on device\n" {
		t.Error(code, errs.String())
	}
}

type writerFunc func([]byte) (int, error)

func (w writerFunc) Write(b []byte) (int, error) { return w(b) }

// A reader that takes nothing does not keep a command from ending.
func TestBlockedOutput(t *testing.T) {
	silent, end := io.Pipe()
	defer silent.Close()
	for _, args := range [][]string{{"decode", samples + "rping.pcap"}, {"serve"}, {"serve", "-o", "json"}} {
		ctx, interrupt := context.WithCancel(t.Context())
		out := writerFunc(func(b []byte) (int, error) {
			interrupt()
			return end.Write(b)
		})
		if code := Main(ctx, &Streams{Out: out, Err: io.Discard, Env: os.Getenv}, args); code != exitInterrupted {
			t.Errorf("%v: %d", args, code)
		}
	}
}

// A capture is not written to the file that it comes from, even through standard output.
func TestOutputIsNoInput(t *testing.T) {
	name := filepath.Join(t.TempDir(), "in.pcap")
	b, err := os.ReadFile(samples + "rping.pcap")
	if err != nil {
		t.Fatal(err)
	}
	os.WriteFile(name, b, 0o666)
	file, err := os.OpenFile(name, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for _, command := range []string{"decode", "check", "follow", "stats"} {
		if code := Main(t.Context(), &Streams{Out: file, Err: io.Discard, Env: os.Getenv}, []string{command, name}); code != exit.Usage {
			t.Errorf("%s: %d", command, code)
		}
	}
	if info, err := os.Stat(name); err != nil || info.Size() != int64(len(b)) {
		t.Error(info, err)
	}
}

// A file that shrinks while it is followed ends the command, as one that cannot be read.
func TestFollowOfAFileThatShrinks(t *testing.T) {
	name := filepath.Join(t.TempDir(), "shrinking.pcap")
	b, err := os.ReadFile(samples + "rping.pcap")
	if err != nil {
		t.Fatal(err)
	}
	os.WriteFile(name, b, 0o666)
	out := &watched{seen: map[string]func(){"  54 ": func() { os.Truncate(name, 100) }}}
	var errs bytes.Buffer
	code := Main(t.Context(), &Streams{Out: out, Err: &errs, Env: os.Getenv}, []string{"decode", "--follow", name})
	if code != exit.Unreadable || strings.Count(errs.String(), "shrunk") != 1 {
		t.Error(code, errs.String())
	}
}

// A long filter is not quoted in full.
func TestLongFilters(t *testing.T) {
	for _, long := range []string{strings.Repeat("x", 100_000), strings.Repeat("type == Send || ", 6000) + "§", `type == "` + strings.Repeat("é", 50_000)} {
		if got := run(t.Context(), nil, false, nil, "decode", "-Y", long, samples+"rping.pcap"); got.code != exit.Usage || len(got.err) > 2000 {
			t.Errorf("%d, %d octets", got.code, len(got.err))
		}
	}
}

// A capture that is cut or replaced between the two passes over it is noticed.
func TestInputThatChanges(t *testing.T) {
	b, err := os.ReadFile(samples + "rping.pcap")
	if err != nil {
		t.Fatal(err)
	}
	for what, change := range map[string]func(name string){
		"cut":      func(name string) { os.Truncate(name, int64(len(b)/2)) },
		"longer":   func(name string) { os.WriteFile(name, append(bytes.Clone(b), b[24:]...), 0o666) },
		"replaced": func(name string) { os.WriteFile(name+"2", b, 0o666); os.Rename(name+"2", name) },
		"gone":     func(name string) { os.Remove(name) },
	} {
		name := filepath.Join(t.TempDir(), "in.pcap")
		os.WriteFile(name, b, 0o666)
		var once sync.Once
		out := writerFunc(func(p []byte) (int, error) {
			once.Do(func() { change(name) })
			return len(p), nil
		})
		var errs bytes.Buffer
		code := Main(t.Context(), &Streams{Out: out, Err: &errs, Env: os.Getenv}, []string{"decode", "-o", "pcapng", name})
		if code != exit.Unreadable || !strings.Contains(errs.String(), "changed while it was read") {
			t.Errorf("%s: %d %s", what, code, errs.String())
		}
	}
}

// A page says which command prints the rest, for a shell and with the flags that choose what the page shows.
func TestDecoding(t *testing.T) {
	cmd := newReport(new(app))
	if err := cmd.ParseFlags([]string{"-Y", "conn == 3", "--view", "client", "--mpa", "crc=off", "-w", "page.html"}); err != nil {
		t.Fatal(err)
	}
	const want = "iwarp decode --filter 'conn == 3' --mpa 'crc=off' --view client 'a b.pcap' c.pcap"
	if got := decoding(cmd.Flags(), []string{"a b.pcap", "c.pcap"}); got != want {
		t.Errorf("%s, not %s", got, want)
	}
}

// A page does not go to a terminal.
func TestPageOnTerminal(t *testing.T) {
	for _, args := range [][]string{{"report", samples + "rping.pcap"}, {"diff", "-o", "html", samples + "rping.pcap", samples + "term-write-badkey.pcap"}} {
		if got := run(t.Context(), nil, true, nil, args...); got.code != exit.Usage || got.out != "" || !strings.Contains(got.err, "will not print HTML to a terminal") {
			t.Errorf("%s: status %d, %d octets, %q", args[0], got.code, len(got.out), got.err)
		}
	}
}
