package cli

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/iwarpkit/iwarp/cmd/internal/exit"
	"github.com/iwarpkit/iwarp/internal/golden"
	"github.com/iwarpkit/iwarp/rnicsim/client"
)

// documents returns the texts of README.md, CONTRIBUTING.md and everything in docs, by their paths.
func documents(t *testing.T) map[string]string {
	t.Helper()
	texts := map[string]string{}
	for _, name := range slices.Concat(files(t, "docs", ".md"), []string{"README.md", "CONTRIBUTING.md", "lab/README.md", "fuzz/README.md"}) {
		texts[name] = golden.Read(t, name)
	}
	return texts
}

// files lists the files below a folder whose names have an ending.
func files(t *testing.T, folder, ending string) (names []string) {
	t.Helper()
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() && strings.HasSuffix(path, ending) {
			names = append(names, filepath.ToSlash(path))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

// A block is what stands between two lines of three backquotes: the language, and the text.
var block = regexp.MustCompile("(?ms)^```(\\w*)\n(.*?)^```$")

// TestSessions runs the commands in the documents: blocks whose first line begins with "$ ". They print what stands there.
func TestSessions(t *testing.T) {
	t.Chdir("../../../..")
	root, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	count := 0
	for name, text := range documents(t) {
		s := newSession(t, root, name)
		now := block.ReplaceAllStringFunc(text, func(b string) string {
			parts := block.FindStringSubmatch(b)
			if !strings.HasPrefix(parts[2], "$ ") {
				return b
			}
			count++
			return "```" + parts[1] + "\n" + s.play(parts[2]) + "```"
		})
		s.end()
		t.Chdir(root)
		golden.File(t, filepath.Join(root, name), now)
	}
	if count < 10 {
		t.Errorf("%d sessions are too few", count)
	}
}

// newSession begins the session of a document, in a folder that looks like the root of the repository.
func newSession(t *testing.T, root, name string) *session {
	folder := t.TempDir()
	for _, name := range []string{"cmd", "codec", "docs", "dissect", "pcaps", "replay", "lab"} {
		if err := os.Symlink(filepath.Join(root, name), filepath.Join(folder, name)); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(folder)
	return &session{t: t, name: name}
}

// play runs the commands of a block, and returns the block with what they print now. Numbers of a block with a peer stay as
// they are, if nothing else differs.
func (s *session) play(text string) string {
	live := strings.Contains(text, " &\n")
	var now strings.Builder
	for part := range strings.SplitSeq(strings.TrimPrefix(text, "$ "), "\n$ ") {
		command, shown, _ := strings.Cut(strings.TrimSuffix(part, "\n")+"\n", "\n")
		checkTimes(s.t, shown)
		got := s.run(command)
		if live && digits.ReplaceAllString(got, "0") == digits.ReplaceAllString(shown, "0") || elided(shown, got) {
			got = shown
		}
		now.WriteString("$ " + command + "\n" + got)
	}
	return now.String()
}

// checkTimes checks that the summary of pings agrees with their times, to the microsecond.
func checkTimes(t *testing.T, shown string) {
	summary := regexp.MustCompile(`max ([0-9.]+)/([0-9.]+)/([0-9.]+)/([0-9.]+)/([0-9.]+) ms`).FindStringSubmatch(shown)
	if summary == nil {
		return
	}
	parse := func(ms string) time.Duration {
		d, err := time.ParseDuration(ms + "ms")
		if err != nil {
			t.Error(err)
		}
		return d
	}
	var times []time.Duration
	for _, m := range regexp.MustCompile(`time=([0-9.]+) ms`).FindAllStringSubmatch(shown, -1) {
		times = append(times, parse(m[1]))
	}
	all := client.NewTimes(times)
	for i, want := range []time.Duration{all.Min, all.Mean, all.Median, all.P99, all.Max} {
		if got := parse(summary[i+1]); (got - want).Abs() > time.Microsecond {
			t.Errorf("%q: %v should be %v", summary[0], got, want)
		}
	}
}

// digits are what differs from run to run: numbers with their units, and the blanks that align them.
var digits = regexp.MustCompile(`[0-9][0-9.,/]* *(?:ms\b|us\b|s\b)?`)

// elided reports whether the text that is shown is the one that came, with "..." for some of its lines.
func elided(shown, came string) bool {
	parts := strings.Split(shown, "...\n")
	if !strings.HasPrefix(came, parts[0]) {
		return false
	}
	rest := came[len(parts[0]):]
	for i, part := range parts[1:] {
		at := strings.Index(rest, part)
		if i == len(parts)-2 && strings.HasSuffix(rest, part) {
			at = len(rest) - len(part)
		}
		if at < 0 {
			return false
		}
		rest = rest[at+len(part):]
	}
	return rest == ""
}

// A session is the state of the shell in which somebody follows a document from top to bottom.
type session struct {
	t      *testing.T
	name   string // of the document
	jobs   []*job // in the background, in the order of their numbers
	status int
}

// A job is a command that listens in the background.
type job struct {
	*background
	once        bool   // it ends with its first connection
	shown, port string // what the document shows, and where it listens: ":7174"
}

// run runs a command line, and returns what it prints on both streams.
func (s *session) run(line string) string {
	line, behind := strings.CutSuffix(line, " &")
	words := shellWords(strings.ReplaceAll(line, "go run ./cmd/iwarp", "iwarp"))
	for i := range words {
		words[i] = strings.Trim(words[i], "'")
	}
	switch {
	case slices.Equal(words, []string{"echo", "$?"}):
		return fmt.Sprintln(s.status)
	case line == "kill %1" && len(s.jobs) > 0:
		killed := s.jobs[0]
		s.jobs = s.jobs[1:]
		return killed.finish().err
	case words[0] != "iwarp":
		s.t.Errorf("%s: %q is not run: only iwarp is, and kill %%1 of a job", s.name, line)
		return ""
	case behind:
		return s.background(words)
	}
	s.readdress(words)
	got := run(s.t.Context(), nil, false, nil, words[1:]...)
	s.status = got.code
	if got.code != 0 && strings.HasPrefix(line, "go run") {
		got.err += fmt.Sprintln("exit status", got.code)
	}
	out := got.out + got.err
	for _, j := range s.jobs {
		out = strings.ReplaceAll(out, "127.0.0.1"+j.port, "127.0.0.1"+j.shown)
	}
	s.jobs = slices.DeleteFunc(s.jobs, func(j *job) bool {
		if j.once {
			<-j.ended
		}
		return j.once
	})
	return out
}

// background starts a job, and returns the line that it prints. Its port must be free.
func (s *session) background(words []string) string {
	at := slices.Index(words, "--listen") + 1
	j := &job{once: slices.Contains(words, "--once"), shown: strings.TrimPrefix(words[at], "127.0.0.1")}
	if slices.ContainsFunc(s.jobs, func(other *job) bool { return other.shown == j.shown }) {
		s.t.Errorf("%s: %q: an earlier command still listens there", s.name, strings.Join(words, " "))
	}
	words[at] = "127.0.0.1:0"
	s.readdress(words)
	j.background = start(s.t, "127.0.0.1:", words[1:]...)
	j.port = strings.TrimSpace(j.first[strings.LastIndexByte(j.first, ':'):])
	s.jobs = append(s.jobs, j)
	return strings.Replace(j.first, j.port, j.shown, 1)
}

// end ends the session. The document has stopped all that it has started.
func (s *session) end() {
	for _, j := range s.jobs {
		s.t.Errorf("%s: what listens at %s is not stopped", s.name, j.shown)
		j.finish()
	}
}

// readdress puts the ports where jobs listen in place of those that are shown. The default is 7174.
func (s *session) readdress(words []string) {
	for i, word := range words {
		if word == "127.0.0.1" {
			word += ":7174"
		}
		for _, j := range s.jobs {
			if strings.TrimPrefix(word, "127.0.0.1") == j.shown {
				words[i] = "127.0.0.1" + j.port
			}
		}
	}
}

// shellWords returns the words of a command, with their quotation marks.
func shellWords(command string) []string {
	quoted := false
	return strings.FieldsFunc(command, func(r rune) bool {
		if r == '\'' {
			quoted = !quoted
		}
		return r == ' ' && !quoted
	})
}

// mentions returns the code of a document: what stands in backquotes, and the lines of its blocks.
func mentions(text string) (lines []string) {
	for _, m := range block.FindAllStringSubmatch(text, -1) {
		lines = slices.AppendSeq(lines, strings.SplitSeq(m[2], "\n"))
	}
	for _, m := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(block.ReplaceAllString(text, ""), -1) {
		lines = append(lines, strings.ReplaceAll(m[1], "\n", " "))
	}
	return lines
}

// TestCommandsExist checks whether the commands that the documents mention exist: those of iwarp with their flags, targets of make,
// workloads of the lab, and packages that the go command is given.
func TestCommandsExist(t *testing.T) {
	t.Chdir("../../../..")
	makefile := golden.Read(t, "Makefile")
	help := map[string]string{}
	flag := regexp.MustCompile(`^--?[a-z][a-z-]*`)
	for name, text := range documents(t) {
		for _, line := range mentions(text) {
			line, _, _ = strings.Cut(line, " # ")
			words := strings.Fields(strings.TrimPrefix(line, "$ "))
			switch {
			case len(words) < 2:
			case words[0] == "iwarp" && words[1] != "COMMAND" && words[1][0] != '-':
				if help[words[1]] == "" {
					help[words[1]] = run(t.Context(), nil, false, nil, words[1], "--help").out
				}
				if !strings.Contains(help[words[1]], "iwarp "+words[1]) {
					t.Errorf("%s: there is no command iwarp %s", name, words[1])
				}
				for _, word := range words {
					if f := flag.FindString(word); f != "" && !regexp.MustCompile(f+`\b`).MatchString(help[words[1]]) {
						t.Errorf("%s: iwarp %s has no %s", name, words[1], f)
					}
				}
			case words[0] == "make" && !strings.Contains(makefile, "\n"+words[1]+":"):
				t.Errorf("%s: there is no target %s", name, words[1])
			case words[0] == "go" || words[0] == "lab/run":
				for _, word := range words {
					if path, ok := strings.CutPrefix(word, "./"); ok && len(files(t, filepath.Clean(strings.TrimSuffix(path, "...")), ".go")) == 0 {
						t.Errorf("%s: %s: there is no package %s", name, line, word)
					}
				}
			}
		}
	}
}

// examples stand for words of documented commands; "serve NAME" is NAME after serve.
var examples = map[string]string{
	"FILE": "pcaps/samples/rping.pcap", "GOOD": "pcaps/samples/rping.pcap", "BAD": "pcaps/samples/rping.pcap", "trace.pcap": "pcaps/samples/rping.pcap", "bug.scenario": "OUT/bug.scenario", "report.html": "OUT/report.html", "diff.html": "OUT/diff.html", "tables": "OUT/tables",
	"explain ID": "DDP-5.3-4", "conform ID": "RFC5041/4.3/msn-left-out", "explain NAME": "Terminate", "serve NAME": "echo",
}

// completed are what a documented command lacks that ends as the pattern says, in this order.
var completed = []struct{ pattern, words string }{
	{`--profile$`, "siw"}, {`--save-scenario$`, "OUT/some.scenario"}, {`--export$`, "ID"}, {`--peer$`, "HOST"}, {`--expect$`, "FILE"},
	{`^(check|decode|follow|stats|report|replay)( (-\S+|json|jsonl|csv|junit|siw|rfc|OUT\S*|HOST\S*))*$`, "FILE"},
	{`^diff( (-o|json|html))*$`, "FILE FILE"},
	{`^replay( (FILE|-o|json|junit))*$`, "--sim"},
	{`^(ping|bench|conform)( (-o|json|csv|junit|--profile|siw|rfc|--expect|FILE|--service|rpc|--rpc))*$`, "HOST"},
	{`^ping .*HOST\S*$`, "-c 1"}, {`^bench .*HOST\S*$`, "-n 1 --size 64"}, {`^conform .*HOST\S*$`, "RFC5041/4.3 RFC8166/4.6.2"},
	{`^proxy( (-o|json|--rpc|\d:\d))*$`, "--to 127.0.0.1:1"},
	{`^serve( (-o|json|--profile|siw|rfc|--service|NAME|rpc|conform))*$`, "--listen 127.0.0.1:0"},
}

// TestCommandsRun runs each command that the documents mention outside of sessions, with a file or a served peer where it
// needs one. None is a wrong command line. Commands with --listen and --connect are left out: they wait for a peer.
func TestCommandsRun(t *testing.T) {
	t.Chdir("../../../..")
	folder, done := t.TempDir(), map[string]bool{}
	texts := documents(t)
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		for _, line := range mentions(texts[name]) {
			line, _, _ = strings.Cut(line, " # ")
			command, ok := strings.CutPrefix(line, "iwarp ")
			if !ok || strings.HasPrefix(command, "COMMAND") || strings.Contains(command, "--listen") || strings.Contains(command, "--connect") || done[command] {
				continue
			}
			done[command] = true
			runMentioned(t, folder, command)
		}
	}
	if len(done) < 40 {
		t.Errorf("%d commands are too few", len(done))
	}
}

// runMentioned runs a command with examples in place of what stands for something. It writes files into the folder.
func runMentioned(t *testing.T, folder, command string) {
	t.Helper()
	for _, c := range completed {
		if regexp.MustCompile(c.pattern).MatchString(command) {
			command += " " + c.words
		}
	}
	args := strings.Fields(strings.ReplaceAll(command, "--expect FILE", "--expect "+os.DevNull))
	var peer *background
	for i, word := range args {
		if word, _, _ := strings.Cut(word, ":"); word == "HOST" {
			peer = start(t, "127.0.0.1:", servedFor(args)...)
			args[i] = strings.TrimSpace(peer.first)
			continue
		}
		example := cmp.Or(examples[args[0]+" "+word], examples[word], word)
		args[i] = strings.Replace(example, "OUT", folder, 1)
	}
	var got outcome
	if args[0] == "serve" || args[0] == "proxy" {
		got = start(t, "", args...).finish()
	} else {
		ctx, stop := context.WithTimeout(t.Context(), time.Minute)
		defer stop()
		got = run(ctx, strings.NewReader(""), false, nil, args...)
	}
	if peer != nil {
		peer.finish()
	}
	if got.code > exit.Findings && got.code != exitInterrupted {
		t.Errorf("%s: exit status %d: %s", strings.Join(args, " "), got.code, got.err)
	}
}

// servedFor returns the command that serves the peer of another one.
func servedFor(args []string) []string {
	serve := []string{"serve", "-q", "--listen", "127.0.0.1:0"}
	switch {
	case slices.Contains(args, "rpc"):
		return append(serve, "--service", "rpc")
	case args[0] == "conform":
		return append(serve, "--service", "conform")
	case args[0] == "replay":
		return append(serve, "--ird", "1", "--crc=false")
	}
	return serve
}

// TestNamedFilesExist checks whether the files that the documents name exist. In a path, a name in capitals stands for any.
func TestNamedFilesExist(t *testing.T) {
	t.Chdir("../../../..")
	path := regexp.MustCompile("`((?:codec|dissect|replay|rnicsim|cmd|pcaps|fuzz|docs|internal|lab|\\.ci)/[\\w./*-]*)`")
	variable, absent := regexp.MustCompile(`[A-Z]{4,}`), regexp.MustCompile(`-connects?$|^lab/out`) // cases of the lab, and what it writes
	for name, text := range documents(t) {
		for _, m := range path.FindAllStringSubmatch(text, -1) {
			if absent.MatchString(m[1]) {
				continue
			}
			pattern := variable.ReplaceAllString(strings.TrimSuffix(strings.TrimSuffix(m[1], "..."), "/"), "*")
			if found, err := filepath.Glob(pattern); err != nil || len(found) == 0 {
				t.Errorf("%s: there is no %s", name, m[1])
			}
		}
	}
}

// TestRecipesAreCurrent checks whether the files that a step of a recipe begins with hold the names that it gives.
func TestRecipesAreCurrent(t *testing.T) {
	t.Chdir("../../../..")
	step := regexp.MustCompile("(?ms)^[0-9]\\. `([\\w./-]+\\.go)`(?: and `([\\w./-]+\\.go)`)?:(.*?)(?:^$|^[0-9]\\.)")
	name := regexp.MustCompile("`([A-Za-z]\\w*)`")
	steps := 0
	for text := golden.Read(t, "CONTRIBUTING.md"); ; steps++ {
		at := step.FindStringSubmatchIndex(text)
		if at == nil {
			break
		}
		m := step.FindStringSubmatch(text)
		text = text[at[7]:]
		if strings.Contains(m[1], "NAME") {
			continue
		}
		code := golden.Read(t, m[1])
		if m[2] != "" {
			code += golden.Read(t, m[2])
		}
		for _, n := range name.FindAllStringSubmatch(m[3], -1) {
			if !regexp.MustCompile(`\b` + n[1] + `\b`).MatchString(code) {
				t.Errorf("CONTRIBUTING.md: %s has no %s", m[1], n[1])
			}
		}
	}
	if steps < 15 {
		t.Errorf("%d steps are too few", steps)
	}
}

// TestPlacesOfChanges checks that the files and folders in README's table of changes exist, each in or beside a folder that is named there.
func TestPlacesOfChanges(t *testing.T) {
	t.Chdir("../../../..")
	_, table, _ := strings.Cut(golden.Read(t, "README.md"), "Where a change goes")
	folders, names := []string{"."}, []string(nil)
	for _, m := range regexp.MustCompile("`([\\w./-]+)`").FindAllStringSubmatch(table, -1) {
		name := m[1]
		switch {
		case name == "serve": // a command
			continue
		case strings.Contains(name, "NAME"), strings.Contains(name, "SUBJECT"):
			name = filepath.Dir(name)
		}
		names = append(names, name)
		folders = append(folders, name, filepath.Dir(name))
	}
	for _, name := range names {
		if !slices.ContainsFunc(folders, func(folder string) bool { _, err := os.Stat(filepath.Join(folder, name)); return err == nil }) {
			t.Errorf("README.md: none of the folders has %s", name)
		}
	}
	if len(names) < 60 {
		t.Errorf("%d places are too few", len(names))
	}
}

// TestLinks checks whether the links between documents lead somewhere.
func TestLinks(t *testing.T) {
	t.Chdir("../../../..")
	link := regexp.MustCompile(`\]\(([^)#:\s]*)(?:#([^)\s]*))?\)`)
	for name, text := range documents(t) {
		for _, m := range link.FindAllStringSubmatch(block.ReplaceAllString(text, ""), -1) {
			target := name
			if m[1] != "" {
				target = filepath.Join(filepath.Dir(name), m[1])
			}
			if _, err := os.Stat(target); err != nil {
				t.Errorf("%s: the link %s leads nowhere", name, m[1])
			} else if m[2] != "" && !slices.Contains(anchors(golden.Read(t, target)), m[2]) {
				t.Errorf("%s: %s has no section #%s", name, target, m[2])
			}
		}
	}
}

// anchors returns the names that GitHub gives to the headings of a document.
func anchors(text string) (names []string) {
	for _, m := range regexp.MustCompile(`(?m)^#+ (.*)$`).FindAllStringSubmatch(text, -1) {
		name := regexp.MustCompile(`[^\w\- ]`).ReplaceAllString(strings.ToLower(m[1]), "")
		names = append(names, strings.ReplaceAll(name, " ", "-"))
	}
	return names
}

// TestGoInDocuments checks whether the Go code in the documents stands in a file that the compiler sees.
func TestGoInDocuments(t *testing.T) {
	t.Chdir("../../../..")
	indent := regexp.MustCompile(`(?m)^[ \t]+`)
	var code strings.Builder
	for _, folder := range []string{"codec", "dissect", "pcaps", "replay", "rnicsim"} {
		for _, name := range files(t, folder, ".go") {
			code.WriteString(indent.ReplaceAllString(golden.Read(t, name), ""))
		}
	}
	texts := documents(t)
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		for _, m := range block.FindAllStringSubmatch(texts[name], -1) {
			if m[1] == "go" && !strings.Contains(code.String(), indent.ReplaceAllString(m[2], "")) {
				t.Errorf("%s: no file has\n%s", name, m[2])
			}
		}
	}
}
