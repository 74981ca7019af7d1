package cli

import (
	"bytes"
	"crypto/sha256"
	"flag"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/iwarpkit/iwarp/codec/rfc"
	"github.com/iwarpkit/iwarp/internal/golden"
	"github.com/iwarpkit/iwarp/pcaps"
)

var keepGolden = flag.String("golden.keep", "", "write all output into this folder, to be compared with that of another revision")

// goldenFile holds a line for each command: exit code, lines printed, and the beginnings of the SHA-256 sums of standard output
// and standard error. `make golden-diff` shows the texts that differ from those of another revision.
const goldenFile = "testdata/golden.txt"

// goldenCommands are what is run for each capture as it is. FILE stands for its name, OUT for a file to write.
var goldenCommands = []string{
	"decode FILE",
	"decode --time utc --transactions FILE",
	"decode --rpc FILE",
	"decode -V FILE",
	"decode -o jsonl FILE",
	"decode -o jsonl --transactions FILE",
	"decode -o jsonl --rpc FILE",
	"decode -o csv FILE",
	"decode -o csv --transactions FILE",
	"decode -o csv --rpc FILE",
	"decode -o pcapng -w OUT FILE",
	"decode -Y severity>=note FILE",
	"decode -Y severity>=note -V FILE",
	"decode -Y rpcordma -o jsonl FILE",
	"decode -Y latency>100us --transactions FILE",
	"decode -Y upper -o csv FILE",
	"decode --profile siw FILE",
	"check FILE",
	"check --all FILE",
	"check --profile rfc FILE",
	"check -o json FILE",
	"check --profile verbs FILE",
	"check --profile rdmac FILE",
	"check --profile draft-00 FILE",
	"check --profile siw FILE",
	"check --profile irdma FILE",
	"check --profile cxgb4 FILE",
	"check --group-by rule FILE",
	"check --separate FILE",
	"check -o jsonl FILE",
	"check -o junit FILE",
	"check -Y type==Terminate FILE",
	"follow FILE",
	"follow --all --unicode --width 120 FILE",
	"follow -Y type!=Write FILE",
	"stats FILE",
	"stats -o json FILE",
	"stats -Y len>64 FILE",
	"stats --interval 10ms FILE",
	"stats --interval 100ms -o csv FILE",
	"stats --plot throughput FILE",
	"stats --percentiles 50,99.9 --histogram FILE",
	"diff FILE FILE",
	"replay --save-scenario - FILE",
	"replay --sim -v FILE",
	"replay --sim --profile siw -o json FILE",
}

// goldenParts are what is run for parts of each capture: without its handshake, with one direction, with packets cut or lost.
var goldenParts = []string{"decode -o jsonl FILE", "check FILE", "check -o json --profile siw FILE", "stats FILE"}

// goldenAlone are commands that read no capture.
var goldenAlone = []string{
	"--help", "check --help", "decode --help", "follow --help", "stats --help", "diff --help", "report --help", "bench --help", "conform --help", "ping --help",
	"replay --help", "serve --help", "proxy --help", "explain --help", "explain",
	"conform --list -v", "conform --list -o json", "serve --list-quirks", "serve --list-faults", "proxy --list-actions",
	"decode", "decode --nonsense", "decode no-such-file", "check -Y type==Nonsense FILE",
}

// A goldenRun is a command line and, once it was run, its line in the golden file.
type goldenRun struct {
	name, command, file string // file replaces FILE; its path stays out of the output
	line                string
}

// Every command is run, if only for its help. Those of cobra are not ours, and version prints another one each time.
func TestGoldenHasEveryCommand(t *testing.T) {
	for _, c := range newRoot(&app{Streams: &Streams{}}).Commands() {
		begins := func(line string) bool { return strings.HasPrefix(line, c.Name()+" ") }
		exempt := slices.Contains([]string{"completion", "help", "version"}, c.Name())
		if !exempt && !slices.ContainsFunc(slices.Concat(goldenCommands, goldenAlone), begins) {
			t.Errorf("add %s to goldenCommands or goldenAlone", c.Name())
		}
	}
}

// Every command prints what it printed before, for every capture, whole and in parts. The short form runs one in ten.
func TestGolden(t *testing.T) {
	runs := goldenRuns(t)
	if testing.Short() {
		runs = slices.DeleteFunc(runs, func(r *goldenRun) bool { return crc32.ChecksumIEEE([]byte(r.name+r.command))%10 != 0 })
	}
	var group sync.WaitGroup
	next := make(chan *goldenRun)
	for range runtime.GOMAXPROCS(0) {
		group.Go(func() {
			for r := range next {
				r.run(t)
			}
		})
	}
	for _, r := range runs {
		next <- r
	}
	close(next)
	group.Wait()

	var got []string
	for _, r := range runs {
		got = append(got, r.line)
	}
	if testing.Short() {
		golden.Lines(t, goldenFile, got)
		return
	}
	golden.File(t, goldenFile, strings.Join(got, ""))
}

// goldenRuns lists all that is run, in the order of the golden file.
func goldenRuns(t *testing.T) []*goldenRun {
	t.Helper()
	var runs []*goldenRun
	for _, command := range goldenAlone {
		runs = append(runs, &goldenRun{name: "-", command: command, file: samples + "rping.pcap"})
	}
	for _, file := range goldenCaptures(t) {
		name, _, _ := strings.Cut(filepath.Base(file), ".pcap")
		if filepath.Base(filepath.Dir(file)) == "sctp" {
			name = "sctp-" + name
		}
		for _, command := range goldenCommands {
			runs = append(runs, &goldenRun{name: name, command: command, file: file})
		}
		for part, takes := range goldenCuts {
			cut := cutCapture(t, file, part, takes)
			for _, command := range goldenParts {
				runs = append(runs, &goldenRun{name: name + "/" + part, command: command, file: cut})
			}
		}
	}
	for _, e := range explained() {
		runs = append(runs, &goldenRun{name: "explain", command: "explain " + e})
	}
	slices.SortStableFunc(runs, func(a, b *goldenRun) int { return strings.Compare(a.name, b.name) })
	return runs
}

// explained are names that explain has to know.
func explained() []string {
	names := []string{"STag", "IRD", "MSN", "opcode 10", "siw", "0x1205", "iwarp_ddp.stag", "Terminate"}
	i := 0
	for r := range rfc.All() {
		if i++; i%10 == 0 {
			names = append(names, r.ID)
		}
	}
	for layer := range 3 {
		for kind := range 3 {
			for code := range 12 {
				names = append(names, fmt.Sprintf("%d/%d/%02x", layer, kind, code))
			}
		}
	}
	return names
}

// goldenCaptures are the captures in the repository.
func goldenCaptures(t *testing.T) []string {
	t.Helper()
	var all []string
	for _, folder := range []string{samples, "../../../../dissect/testdata/captures/", "../../../../dissect/testdata/sctp/"} {
		files, err := filepath.Glob(folder + "*.pcap*")
		if err != nil || len(files) == 0 {
			t.Fatalf("no captures in %s: %v", folder, err)
		}
		all = append(all, files...)
	}
	return all
}

// sampled returns all files, or one in eight in the short form of a test.
func sampled(all []string) (some []string) {
	if !testing.Short() {
		return all
	}
	for i := 0; i < len(all); i += 8 {
		some = append(some, all[i])
	}
	return some
}

// goldenCuts say which packets a part of a capture has, and how many octets of each.
var goldenCuts = map[string]func(r *pcaps.Record, first []byte) bool{
	"late":    func(r *pcaps.Record, _ []byte) bool { return r.Frame > 9 },
	"one-way": func(r *pcaps.Record, first []byte) bool { return sameSource(r.Data, first) },
	"snapped": func(r *pcaps.Record, _ []byte) bool { r.Data = r.Data[:min(len(r.Data), 96)]; return true },
	"lossy":   func(r *pcaps.Record, _ []byte) bool { return r.Frame%17 != 13 },
}

// sameSource compares what lies between the MAC addresses and the IPv4 destination.
func sameSource(a, b []byte) bool {
	return len(a) > 30 && len(b) > 30 && bytes.Equal(a[26:30], b[26:30])
}

// cutCapture writes a part of a capture into a temporary file.
func cutCapture(t *testing.T, file, part string, takes func(*pcaps.Record, []byte) bool) string {
	t.Helper()
	in, err := pcaps.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	var b bytes.Buffer
	out := pcaps.NewPcapngWriter(&b, pcaps.Section{})
	var r pcaps.Record
	var first []byte
	for {
		if err := in.Next(&r); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = bytes.Clone(r.Data)
		}
		if takes(&r, first) {
			if err := out.WriteRecord(&r); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), filepath.Base(file)+"."+part)
	if err := os.WriteFile(name, b.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	return name
}

// run runs the command and sets the line.
func (r *goldenRun) run(t *testing.T) {
	written := filepath.Join(t.TempDir(), "out")
	var args []string
	for _, arg := range strings.Fields(r.command) {
		arg = strings.NewReplacer("FILE", r.file, "OUT", written).Replace(arg)
		args = append(args, arg)
	}
	got := run(t.Context(), strings.NewReader(""), false, nil, args...)
	name := func(s string) string { return strings.ReplaceAll(s, r.file, "FILE") }
	out, complaints := name(got.out), name(got.err)
	if b, err := os.ReadFile(written); err == nil {
		out += string(b)
	}
	r.line = fmt.Sprintf("%-45s %d %6d %s %s  %s\n", r.name, got.code, strings.Count(out, "\n"), digest(out), digest(complaints), r.command)
	r.keep(t, out, complaints)
	if r.file != "" {
		r.fits(t, out)
	} else {
		r.fits(t, got.out)
	}
}

// fits checks that reports and tables fit a terminal of 80 columns, and check a screen of 24 lines unless it is asked for all.
func (r *goldenRun) fits(t *testing.T, out string) {
	name, _, _ := strings.Cut(r.command, " ")
	if name != "check" && name != "stats" && name != "explain" && !strings.HasPrefix(r.command, "conform --list") || strings.Contains(r.command, "-o ") {
		return
	}
	if n := strings.Count(out, "\n"); name == "check" && n > screenLines && !strings.Contains(r.command, "-all") && !strings.Contains(r.command, "-Y") && !strings.Contains(r.command, "--help") {
		t.Errorf("%s: %s: %d lines\n%s", r.name, r.command, n, out)
	}
	for line := range strings.Lines(out) {
		if utf8.RuneCountInString(strings.TrimSuffix(line, "\n")) > foldWidth {
			t.Errorf("%s: %s: too long: %s", r.name, r.command, line)
		}
	}
}

// keep writes the output where -golden.keep says.
func (r *goldenRun) keep(t *testing.T, out, complaints string) {
	if *keepGolden == "" {
		return
	}
	file := filepath.Join(*keepGolden, r.name, strings.NewReplacer("/", "_", " ", "_").Replace(r.command))
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		t.Error(err)
	}
	if err := os.WriteFile(file, []byte(out+"\n-- stderr --\n"+complaints), 0o666); err != nil {
		t.Error(err)
	}
}

// digest is the beginning of a SHA-256 sum, or - for nothing.
func digest(s string) string {
	if s == "" {
		return "-"
	}
	h := sha256.Sum256([]byte(s))
	return fmt.Sprintf("%x", h[:6])
}
