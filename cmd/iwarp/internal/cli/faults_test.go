package cli

import (
	"bytes"
	"cmp"
	"context"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/iwarpkit/iwarp/cmd/internal/exit"
)

// A faulty stream fails at its n-th use, and from then on; with n 0 it counts. Without an error, the command is interrupted then.
type faulty struct {
	in        io.Reader
	out       io.Writer
	n         int
	uses      atomic.Int64 // a read may outlast the command
	err       error
	interrupt func()
}

func (f *faulty) fails() bool {
	uses := int(f.uses.Add(1))
	if f.err == nil && uses == f.n {
		f.interrupt()
	}
	return f.err != nil && f.n > 0 && uses >= f.n
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
// and goes on with what it has, if that is anything. Interrupted at any of them, it ends with 130. The short form tries one command in
// four.
func TestFaults(t *testing.T) {
	capture, err := os.ReadFile(samples + "smbdirect.pcap.gz")
	if err != nil {
		t.Fatal(err)
	}
	for i, command := range []string{
		"check", "check --all", "check -o json", "check -o jsonl", "check -o junit", "check --group-by rule", "stats", "stats -o json", "stats --interval 1ms -o csv",
		"decode", "decode --rpc", "decode -o jsonl", "decode -o csv", "decode -o tree", "follow", "replay --save-scenario -", "replay -o pcapng", "replay --sim -o json",
	} {
		if testing.Short() && i%4 != 0 {
			continue
		}
		run := func(read, write int, err error) (code int, out, said string, reads, writes int) {
			var b, e bytes.Buffer
			ctx, interrupt := context.WithCancel(t.Context())
			defer interrupt()
			in := &faulty{in: bytes.NewReader(capture), n: read, err: err, interrupt: interrupt}
			w := &faulty{out: &b, n: write, err: err, interrupt: interrupt}
			code = Main(ctx, &Streams{In: in, Out: w, Err: &e, Env: func(string) string { return "" }}, append(strings.Fields(command), "-"))
			return code, b.String(), e.String(), int(in.uses.Load()), int(w.uses.Load())
		}
		_, whole, _, reads, writes := run(0, 0, nil)
		for n := 1; n <= writes; n++ {
			if code, out, said, _, _ := run(0, n, syscall.ENOSPC); code != 3 || !strings.Contains(said, "no space left") || !strings.HasPrefix(whole, out) {
				t.Errorf("%s: write %d of %d: exit status %d, %q, %d octets of %d", command, n, writes, code, said, len(out), len(whole))
			}
		}
		for n := 1; n <= max(reads, writes); n++ {
			if code, _, said, in, out := run(n, 0, nil); in >= n && (code != exitInterrupted || strings.Contains(said, "iwarp: ")) {
				t.Errorf("%s: interrupted at read %d: exit status %d, %q, %d writes", command, n, code, said, out)
			}
			if code, _, said, _, out := run(0, n, nil); out >= n && (code != exitInterrupted || strings.Contains(said, "iwarp: ")) {
				t.Errorf("%s: interrupted at write %d: exit status %d, %q", command, n, code, said)
			}
		}
		for n := 1; n <= reads; n++ {
			if code, _, said, _, _ := run(n, 0, syscall.EIO); code != 3 && n == 1 || code == 2 || !strings.Contains(said, "input/output error") {
				t.Errorf("%s: read %d of %d: exit status %d, %q", command, n, reads, code, said)
			}
		}
	}
}

// A faultyDisk fails at its n-th use, and with for good from then on; with n 0 it counts.
type faultyDisk struct {
	disk
	n, uses int
	forGood bool
}

func (d *faultyDisk) fault() error {
	if d.uses++; d.n > 0 && (d.uses == d.n || d.forGood && d.uses > d.n) {
		return syscall.EIO
	}
	return nil
}

func (d *faultyDisk) OpenFile(name string, flag int, perm os.FileMode) (File, error) {
	if err := d.fault(); err != nil {
		return nil, &os.PathError{Op: "open", Path: name, Err: err}
	}
	f, err := d.disk.OpenFile(name, flag, perm)
	return &faultyFile{f, d}, err
}

func (d *faultyDisk) Mkdir(name string, perm os.FileMode) error {
	if err := d.fault(); err != nil {
		return err
	}
	return os.Mkdir(name, perm)
}

func (d *faultyDisk) Rename(from, to string) error {
	if err := d.fault(); err != nil {
		return &os.LinkError{Op: "rename", Old: from, New: to, Err: err}
	}
	return d.disk.Rename(from, to)
}

func (d *faultyDisk) Remove(name string) error {
	if err := d.fault(); err != nil {
		return err
	}
	return d.disk.Remove(name)
}

type faultyFile struct {
	File
	disk *faultyDisk
}

func (f *faultyFile) fault(op string) error {
	if err := f.disk.fault(); err != nil {
		return &os.PathError{Op: op, Path: f.Name(), Err: err}
	}
	return nil
}

func (f *faultyFile) Write(b []byte) (int, error) {
	if err := f.fault("write"); err != nil {
		return 0, err
	}
	return f.File.Write(b)
}

func (f *faultyFile) Chmod(perm os.FileMode) error {
	return cmp.Or(f.fault("chmod"), f.File.Chmod(perm))
}

func (f *faultyFile) Sync() error {
	if err := f.fault("sync"); err != nil {
		return err
	}
	return f.File.Sync()
}

// Close closes the file in any case, as systems do.
func (f *faultyFile) Close() error { return cmp.Or(f.fault("close"), f.File.Close()) }

// writers are the commands that write a whole file.
var writers = []string{
	"check", "check -o json", "check -o junit", "stats", "stats -o json", "stats --interval 1ms -o csv", "decode", "decode -o jsonl", "decode -o csv",
	"decode -o tree", "decode -o pcapng", "follow", "report", "diff -o json CAPTURE", "replay --sim -o json", "replay -o pcapng", "replay --save-scenario OUT",
}

// writing returns the arguments of a writer, and its output, in a folder that has nothing else.
func writing(t *testing.T, writer, old string) (args []string, out string) {
	out = filepath.Join(t.TempDir(), "out")
	if err := os.WriteFile(out, []byte(old), 0o600); err != nil {
		t.Fatal(err)
	}
	args = strings.Fields(strings.NewReplacer("CAPTURE", samples+"smbdirect.pcap.gz", "OUT", out).Replace(writer))
	if !strings.Contains(writer, "OUT") {
		args = append(args, "-w", out)
	}
	return append(args, samples+"smbdirect.pcap.gz"), out
}

// TestFaultsOfTheDisk lets each use of the disk fail, of every command that writes a file: the command ends with 3 and one message, and the
// file is the old one. Nothing else stays, unless it cannot be removed. The short form tries two commands.
func TestFaultsOfTheDisk(t *testing.T) {
	const old = "what was there before"
	for i, command := range writers {
		if testing.Short() && i%10 != 0 {
			continue
		}
		run := func(d *faultyDisk) (code int, said, found string, files int) {
			args, out := writing(t, command, old)
			var e bytes.Buffer
			s := &Streams{In: strings.NewReader(""), Out: io.Discard, Err: &e, Env: func(string) string { return "" }, Disk: d}
			code = Main(t.Context(), s, args)
			b, _ := os.ReadFile(out)
			all, _ := os.ReadDir(filepath.Dir(out))
			return code, e.String(), string(b), len(all)
		}
		var counted faultyDisk
		if code, said, found, _ := run(&counted); code > 1 || found == old || counted.uses < 5 {
			t.Fatalf("%s: exit status %d, %d uses, %s", command, code, counted.uses, said)
		}
		for n := 1; n <= counted.uses; n++ {
			for _, forGood := range []bool{false, true} {
				code, said, found, files := run(&faultyDisk{n: n, forGood: forGood})
				if code != exit.Unreadable || strings.Count(said, "iwarp: ") != 1 || !strings.Contains(said, "input/output error") || found != old || files > 1 && !forGood {
					t.Errorf("%s: use %d of %d: exit status %d, %q, %d octets, %d files", command, n, counted.uses, code, said, len(found), files)
				}
			}
		}
	}
}

// TestFaultsOfTables lets each use of the disk fail while tables are written: decode ends with 3 and one message, and no file stays that is
// not complete, unless it cannot be removed. The short form tries one use in nine.
func TestFaultsOfTables(t *testing.T) {
	run := func(d *faultyDisk) (code int, said string, files []os.DirEntry) {
		folder := filepath.Join(t.TempDir(), "tables")
		var e bytes.Buffer
		s := &Streams{In: strings.NewReader(""), Out: io.Discard, Err: &e, Env: func(string) string { return "" }, Disk: d}
		code = Main(t.Context(), s, []string{"decode", "-o", "parquet", "-w", folder, samples + "smbdirect.pcap.gz"})
		files, _ = os.ReadDir(folder)
		return code, e.String(), files
	}
	var counted faultyDisk
	if code, said, files := run(&counted); code != exit.OK || len(files) != 4 {
		t.Fatalf("exit status %d, %d files, %s", code, len(files), said)
	}
	step := 1
	if testing.Short() {
		step = 9
	}
	for n := 1; n <= counted.uses; n += step {
		for _, forGood := range []bool{false, true} {
			code, said, files := run(&faultyDisk{n: n, forGood: forGood})
			if code != exit.Unreadable || strings.Count(said, "iwarp: ") != 1 || !strings.Contains(said, "input/output error") {
				t.Errorf("use %d of %d: exit status %d, %q", n, counted.uses, code, said)
			}
			for _, file := range files {
				if !forGood && !strings.HasSuffix(file.Name(), ".parquet") {
					t.Errorf("use %d of %d: %s stays", n, counted.uses, file.Name())
				}
			}
		}
	}
}

// A hastyDisk has a user who interrupts a command twice while it waits for a file to be on the disk, or to be created.
type hastyDisk struct {
	disk
	creates bool
	twice   func()
	goOn    chan struct{}
}

func (d *hastyDisk) OpenFile(name string, flag int, perm os.FileMode) (File, error) {
	if d.creates {
		d.twice()
		time.Sleep(5 * time.Millisecond) // in which Main may end
	}
	f, err := d.disk.OpenFile(name, flag, perm)
	return &hastyFile{f, d}, err
}

type hastyFile struct {
	File
	disk *hastyDisk
}

func (f *hastyFile) Sync() error {
	f.disk.twice()
	<-f.disk.goOn
	return f.File.Sync()
}

// A second Ctrl-C ends every command that writes a file, whatever it is at, and leaves the old file, alone.
func TestSecondInterrupt(t *testing.T) {
	const old = "what was there before"
	for _, command := range append(slices.Clone(writers), "decode -o parquet -w OUT.tables") {
		for _, creates := range []bool{false, true} {
			args, out := writing(t, command, old)
			ctx, interrupt := context.WithCancel(t.Context())
			atOnce, d := make(chan struct{}), &hastyDisk{creates: creates, goOn: make(chan struct{})}
			d.twice = sync.OnceFunc(func() { interrupt(); close(atOnce) })
			code := Main(ctx, &Streams{In: strings.NewReader(""), Out: io.Discard, Err: io.Discard, Env: func(string) string { return "" }, Disk: d, AtOnce: atOnce}, args)
			b, _ := os.ReadFile(out)
			if code != exitInterrupted || string(b) != old {
				t.Errorf("%s: exit status %d, %q", command, code, b)
			}
			_ = filepath.WalkDir(filepath.Dir(out), func(path string, file os.DirEntry, _ error) error {
				if !file.IsDir() && path != out {
					t.Errorf("%s: %s stays", command, path)
				}
				return nil
			})
			close(d.goOn)
		}
	}
}
