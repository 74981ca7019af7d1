package main

// The kernel's side: its settings, its log, and programs that use its iWARP.

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// namespace is the network namespace of siw.
const namespace = "kernel"

// settings are siw's module parameters. The zero value is what the lab calls plain: revision 2, CRCs if a peer wants them.
type settings struct {
	CRC    bool // it wants CRCs
	Strict bool // it insists on its value of CRC
	Rev1   bool // its Requests are of revision 1
	P2P    bool // its Requests are for peer-to-peer mode
	GSO    bool // it makes FPDUs larger than a segment, if the peer does too
}

// apply sets the parameters for later connections.
func (s settings) apply(t *T) {
	rev := "2"
	if s.Rev1 {
		rev = "1"
	}
	yes := map[bool]string{true: "Y", false: "N"}
	for name, value := range map[string]string{
		"mpa_crc_required": yes[s.CRC], "mpa_crc_strict": yes[s.Strict], "peer_to_peer": yes[s.P2P], "try_gso": yes[s.GSO], "mpa_version": rev,
	} {
		t.must(os.WriteFile("/sys/module/siw/parameters/"+name, []byte(value), 0), "set "+name)
	}
}

// crashed matches what the kernel logs when it crashes.
var crashed = regexp.MustCompile(`BUG:|Oops|general protection|WARNING:|refcount_t:`)

// kernelLog marks a place in the kernel's log, and returns a function that returns the lines after it.
func (t *T) kernelLog() func() []string {
	mark := "lab: case " + t.name + "\n"
	t.must(os.WriteFile("/dev/kmsg", []byte(mark), 0), "write to the kernel's log")
	return func() []string {
		b, err := exec.Command("dmesg").Output()
		t.must(err, "dmesg")
		_, behind, _ := strings.Cut(string(b), mark)
		return strings.Split(behind, "\n")
	}
}

// logged waits until the kernel's log has a line.
func (t *T) logged(since func() []string, line string) {
	for ; t.ctx.Err() == nil; time.Sleep(10 * time.Millisecond) {
		if slices.ContainsFunc(since(), func(l string) bool { return strings.Contains(l, line) }) {
			return
		}
	}
	t.failf("the kernel has not logged %q, but %q", line, since())
}

// A process is a program that runs during a case.
type process struct {
	t    *T
	name string
	cmd  *exec.Cmd

	mu      sync.Mutex
	lines   []string
	changed chan struct{} // closed and replaced with each line
	ended   chan struct{}
}

// start starts a program on the kernel's side. It is killed when the case ends.
func (t *T) start(program string, args ...string) *process {
	return t.launch(program, "ip", append([]string{"netns", "exec", namespace, program}, args...)...)
}

// launch starts a program, which has a name in messages. It is killed when the case ends.
func (t *T) launch(name, program string, args ...string) *process {
	p := &process{t: t, name: name, cmd: exec.CommandContext(t.ctx, program, args...),
		changed: make(chan struct{}), ended: make(chan struct{})}
	p.watch()
	return p
}

// watch starts the program and reads what it prints.
func (p *process) watch() {
	t := p.t
	log, err := os.OpenFile(filepath.Join(t.logs, "kernel", strings.ReplaceAll(t.name, "/", "_")+".log"),
		os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	t.must(err, "create a log")
	fmt.Fprintln(log, "$", strings.Join(p.cmd.Args, " "))
	r, w, err := os.Pipe()
	t.must(err, "pipe")
	p.cmd.Stdout, p.cmd.Stderr = w, w
	t.must(p.cmd.Start(), "start "+p.name)
	w.Close()
	go func() {
		for s := bufio.NewScanner(r); s.Scan(); {
			fmt.Fprintln(log, s.Text())
			p.mu.Lock()
			p.lines = append(p.lines, s.Text())
			close(p.changed)
			p.changed = make(chan struct{})
			p.mu.Unlock()
		}
		p.cmd.Wait()
		fmt.Fprintln(log, "exit status", p.cmd.ProcessState.ExitCode())
		log.Close()
		r.Close()
		close(p.ended)
	}()
	t.later(p.kill)
}

// killLimit is how long a killed program may take to end. One that is stuck in the kernel never does.
const killLimit = 20 * time.Second

// kill ends the program.
func (p *process) kill() {
	p.cmd.Process.Kill()
	select {
	case <-p.ended:
	case <-time.After(killLimit):
		p.t.failf("%s does not end, though it was killed: the kernel holds it", p.name)
	}
}

// prints waits until the program has printed a line that contains some text.
func (p *process) prints(text string) {
	for seen := 0; ; {
		p.mu.Lock()
		lines, changed := p.lines, p.changed
		p.mu.Unlock()
		for ; seen < len(lines); seen++ {
			if strings.Contains(lines[seen], text) {
				return
			}
		}
		select {
		case <-changed:
		case <-p.ended:
			p.mu.Lock()
			more := len(p.lines) > seen
			p.mu.Unlock()
			p.t.check(more, "%s has not printed %q", p.name, text)
		case <-p.t.ctx.Done():
			p.t.failf("%s has not printed %q in time", p.name, text)
		}
	}
}

// over waits until the program has ended.
func (p *process) over() {
	select {
	case <-p.ended:
	case <-p.t.ctx.Done():
		p.t.failf("%s has not ended in time; its last line: %s", p.name, p.last())
	}
}

// printed checks that the program, which has ended, printed some texts, in this order.
func (p *process) printed(texts ...string) {
	at := 0
	for _, text := range texts {
		for at < len(p.lines) && !strings.Contains(p.lines[at], text) {
			at++
		}
		p.t.check(at < len(p.lines), "%s has not printed %q where it is due; its last line: %s", p.name, text, p.last())
		at++
	}
}

// has reports whether the program, which has ended, printed a text.
func (p *process) has(text string) bool {
	return slices.ContainsFunc(p.lines, func(line string) bool { return strings.Contains(line, text) })
}

// ends waits until the program has ended with a status, and checks that it printed some texts, in this order.
func (p *process) ends(status int, texts ...string) {
	p.over()
	p.printed(texts...)
	got := p.cmd.ProcessState.ExitCode()
	p.t.check(got == status, "%s has ended with status %d, not %d; its last line: %s", p.name, got, status, p.last())
}

// verified checks that the program has found no wrong data.
func (p *process) verified() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, line := range p.lines {
		if strings.Contains(line, " wrong at ") {
			p.t.failf("%s has found: %s", p.name, line)
		}
	}
}

// last is the last line printed.
func (p *process) last() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.lines) == 0 {
		return "(none)"
	}
	return p.lines[len(p.lines)-1]
}

// listens waits until a program on the kernel's side listens on the port of the case, if it does not print that.
func (t *T) listens(p *process) {
	for t.ctx.Err() == nil {
		b, err := exec.Command("ip", "netns", "exec", namespace, "ss", "-ltnH", "sport", "=", strconv.Itoa(t.port)).Output()
		t.must(err, "ss")
		if len(b) > 0 {
			return
		}
		select {
		case <-p.ended:
			t.failf("%s does not listen; its last line: %s", p.name, p.last())
		case <-time.After(20 * time.Millisecond):
		}
	}
	t.failf("%s does not listen in time", p.name)
}

// siwServer starts siwtest as a server and waits until it listens.
func (t *T) siwServer(args ...string) *process {
	p := t.start("siwtest", append([]string{"-s", "-a", t.kernelIP, "-p", strconv.Itoa(t.port)}, args...)...)
	p.prints("listening")
	return p
}

// siwClient starts siwtest as a client.
func (t *T) siwClient(args ...string) *process {
	return t.start("siwtest", append([]string{"-c", "-a", t.oursIP, "-p", strconv.Itoa(t.port)}, args...)...)
}
