package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/iwarpkit/iwarp/cmd/internal/exit"
	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/internal/recordtest"
	"github.com/iwarpkit/iwarp/pcaps"
)

const samples = "../../../../pcaps/samples/"

// exitInterrupted is the exit code after Ctrl-C.
const exitInterrupted = 130

// outcome is what came of a command line.
type outcome struct {
	code     int
	out, err string
}

// run runs a command line with the given input and environment, on a terminal or not.
func run(ctx context.Context, in io.Reader, terminal bool, env map[string]string, args ...string) outcome {
	var out, err bytes.Buffer
	s := &Streams{In: in, Out: &out, Err: &err, OutIsTerminal: terminal, Env: func(key string) string { return env[key] }}
	code := Main(ctx, s, args)
	return outcome{code, out.String(), err.String()}
}

func TestTerminal(t *testing.T) {
	const esc = "\x1b["
	for _, test := range []struct {
		name     string
		terminal bool
		env      map[string]string
		args     []string
		colored  bool
		header   bool
	}{
		{"terminal", true, nil, nil, true, true},
		{"pipe", false, nil, nil, false, false},
		{"NO_COLOR", true, map[string]string{"NO_COLOR": "1"}, nil, false, true},
		{"dumb terminal", true, map[string]string{"TERM": "dumb"}, nil, false, true},
		{"never", true, nil, []string{"--color", "never"}, false, true},
		{"always", false, map[string]string{"NO_COLOR": "1"}, []string{"--color", "always"}, true, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			args := append([]string{"decode", samples + "rping.pcap"}, test.args...)
			got := run(t.Context(), nil, test.terminal, test.env, args...)
			if colored := strings.Contains(got.out, esc); colored != test.colored {
				t.Errorf("colours: %v, want %v", colored, test.colored)
			}
			if header := strings.HasPrefix(got.out, "TIME "); header != test.header {
				t.Errorf("a line that names the columns: %v, want %v", header, test.header)
			}
		})
	}
}

func TestFilesGetNoColours(t *testing.T) {
	name := filepath.Join(t.TempDir(), "out")
	if got := run(t.Context(), nil, true, nil, "decode", samples+"rping.pcap", "-w", name); got.code != exit.OK || got.out != "" {
		t.Fatalf("%+v", got)
	}
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(b, []byte("\x1b")) || !bytes.Contains(b, []byte(" MPARequest ")) {
		t.Errorf("got %q", b[:min(len(b), 200)])
	}
}

// A pausing reader keeps silent after its octets until its context is done, and says when it begins to.
type pausing struct {
	io.Reader
	silent chan struct{}
}

func (p *pausing) Read(b []byte) (int, error) {
	n, err := p.Reader.Read(b)
	if err == io.EOF {
		close(p.silent)
		select {} // as a pipe that nobody closes
	}
	return n, err
}

func TestInterruptPrintsWhatIsKnown(t *testing.T) {
	file, err := os.ReadFile(samples + "rping.pcap")
	if err != nil {
		t.Fatal(err)
	}
	for _, command := range []string{"decode", "check --all", "follow", "stats"} {
		ctx, interrupt := context.WithCancel(t.Context())
		// The last record is cut in two, as it is when the writer of the pipe is interrupted too.
		in := &pausing{bytes.NewReader(file[:len(file)-10]), make(chan struct{})}
		go func() {
			<-in.silent
			interrupt()
		}()
		got := run(ctx, in, false, nil, append(strings.Fields(command), "-")...)
		if got.code != exitInterrupted || got.err != "" {
			t.Errorf("%s: exit code %d, stderr %q", command, got.code, got.err)
		}
		if !strings.Contains(got.out, "10.0.0.1:43140") {
			t.Errorf("%s: got %q", command, got.out)
		}
	}
}

// A fuse is a context that is done once it was asked a number of times whether it is.
type fuse struct {
	context.Context
	left  int64
	asked atomic.Int64
}

func (f *fuse) Err() error {
	if f.asked.Add(1) > f.left {
		return context.Canceled
	}
	return nil
}

func (f *fuse) Done() <-chan struct{} {
	if f.Err() == nil {
		return nil
	}
	done := make(chan struct{})
	close(done)
	return done
}

// TestInterruptedAnnotation interrupts before the first pass over a capture, in which comments are collected, and during the
// second, in which they are written.
func TestInterruptedAnnotation(t *testing.T) {
	const packets = 58
	for _, asked := range []int{0, 20, packets - 1} {
		name := filepath.Join(t.TempDir(), "told.pcapng")
		args := []string{"decode", "-q", "-o", "pcapng", "-w", name, samples + "rping.pcap"}
		got := run(&fuse{Context: t.Context(), left: int64(asked)}, nil, false, nil, args...)
		said := regexp.MustCompile(`^iwarp: interrupted: .*told.pcapng ends after packet (\d+)\n$`).FindStringSubmatch(got.err)
		if got.code != exitInterrupted || said == nil {
			t.Errorf("asked %d times: %+v", asked, got)
			continue
		}
		n, _ := strconv.Atoi(said[1])
		if n < asked-6 || n > asked { // some are not about a packet
			t.Errorf("asked %d times: %d packets", asked, n)
		}
		if got := written(t, name); got != n {
			t.Errorf("asked %d times: said to be %d packets, and are %d", asked, n, got)
		}
	}
}

// written is how many packets a file has, which must be whole.
func written(t *testing.T, name string) (n int) {
	t.Helper()
	in, err := pcaps.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	var rec pcaps.Record
	for in.Next(&rec) == nil {
		n++
	}
	if len(in.Damage()) > 0 {
		t.Errorf("damaged: %v", in.Damage())
	}
	return n
}

func TestFollowGoesOnWhereTheFileGrows(t *testing.T) {
	file, err := os.ReadFile(samples + "rping.pcap")
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "growing.pcap")
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.Write(file[:3000]); err != nil {
		t.Fatal(err)
	}
	ctx, interrupt := context.WithCancel(t.Context())
	out := &watched{seen: map[string]func(){
		"  27 ": func() { f.Write(file[3000:]) }, // the last message of the first part
		"  54 ": interrupt,                       // the last of all
	}}
	s := &Streams{Out: out, Err: io.Discard, Env: func(string) string { return "" }}
	if code := Main(ctx, s, []string{"decode", "--follow", name}); code != exitInterrupted {
		t.Errorf("exit code %d", code)
	}
	if ctx.Err() == nil {
		t.Error("the last message was not printed")
	}
}

// A watched writer does something as soon as some words were written.
type watched struct{ seen map[string]func() }

func (w *watched) Write(b []byte) (int, error) {
	for words, do := range w.seen {
		if bytes.Contains(b, []byte(words)) {
			delete(w.seen, words)
			do()
		}
	}
	return len(b), nil
}

// A broken writer fails with its error, or panics if it has none.
type broken struct{ err error }

func (b broken) Write([]byte) (int, error) {
	if b.err == nil {
		panic("broken")
	}
	return 0, b.err
}

func TestWriteErrors(t *testing.T) {
	for _, test := range []struct {
		name string
		err  error
		code int
		says string
	}{
		{"closed pipe", &os.PathError{Op: "write", Path: "/dev/stdout", Err: syscall.EPIPE}, exit.OK, ""},
		{"full disk", errors.New("no space left"), exit.Unreadable, "iwarp: cannot write standard output: no space left\n"},
		{"fault of ours", nil, exit.Internal, "iwarp: internal error: broken\n"},
	} {
		for _, args := range [][]string{
			{"decode"}, {"decode", "-V"}, {"decode", "-o", "jsonl"}, {"decode", "--transactions"}, {"decode", "-o", "csv"},
			{"decode", "-o", "pcapng"}, {"check"}, {"check", "-o", "json"}, {"follow"}, {"follow", "--all"},
			{"stats"}, {"stats", "-o", "json"}, {"version"}, {"--version"}, {"--help"}, {"check", "--help"}, {"help", "check"}, {"completion", "bash"},
		} {
			var stderr bytes.Buffer
			s := &Streams{Out: broken{test.err}, Err: &stderr, Env: func(string) string { return "" }}
			if slices.Contains([]string{"decode", "check", "follow", "stats"}, args[0]) && args[len(args)-1] != "--help" {
				args = append(args, samples+"rping.pcap")
			}
			code := Main(t.Context(), s, args)
			if code != test.code || !strings.HasPrefix(stderr.String(), test.says) || test.says == "" && stderr.Len() > 0 {
				t.Errorf("%s: %v: exit code %d, want %d; stderr %q", test.name, args, code, test.code, stderr.String())
			}
		}
	}
}

func TestNotesAreLimited(t *testing.T) {
	var b bytes.Buffer
	n := &notes{w: &b, file: "x.pcap"}
	for i := range maxNotes + 7 {
		for range 3 { // of repetitions one is enough
			n.add(fmt.Appendf(nil, "frame %d: something", i))
		}
	}
	n.printRest()
	if lines := strings.Count(b.String(), ": something\n"); lines != maxNotes {
		t.Errorf("%d notes", lines)
	}
	if !strings.HasSuffix(b.String(), "\nnote: 7 more notes are not shown\n") {
		t.Errorf("got ...%q", b.String()[b.Len()-60:])
	}
}

func TestReadingDoesNotWaitForASlowPipe(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	r, w := io.Pipe()
	defer w.Close()
	if got := run(ctx, r, false, nil, "decode", "-"); got.code != exitInterrupted || got.err != "" {
		t.Errorf("%+v", got)
	}
}

// TestFindingsWithheld has a connection with more findings than are reported, some of which match a filter: those
// withheld might have matched too.
func TestFindingsWithheld(t *testing.T) {
	sink := &verdictSink{}
	give := recordtest.To(&screen{sink: sink, conns: map[*flow.Conn]*findings{}})
	for _, withheld := range []uint64{0, 3} {
		conn := &flow.Conn{}
		give.Finding(&record.Finding{Origin: record.Origin{Conn: conn}, Severity: rules.Warning})
		give.Late(record.Origin{Conn: conn})
		give.Verdict(&record.Verdict{Conn: conn, Warnings: 7 + withheld, Errors: 2, Withheld: withheld})
		if v := sink.latest; v.Warnings != 1 || v.Errors != 0 || v.Withheld != 0 || v.AtLeast != (withheld > 0) {
			t.Errorf("%d withheld: %+v", withheld, v)
		}
	}
}

type verdictSink struct{ latest record.Verdict }

func (v *verdictSink) Record(r *record.Record) {
	if r.Verdict != nil {
		v.latest = *r.Verdict
	}
}
