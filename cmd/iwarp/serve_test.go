package main

// Commands for scripts with several processes: iwarp serve, iwarp proxy or iwarp replay in the background, and peers that misbehave.

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// patience is how long anything may take, on any machine.
const patience = 5 * time.Minute

// A served is an iwarp that listens in the background.
type served struct {
	process  *exec.Cmd
	out, err bytes.Buffer
	read     chan struct{} // closed when all was read of the output that has its address
}

// servedKey is what the environment of a script keeps it under.
type servedKey struct{}

// serveCommands are the commands for scripts.
var serveCommands = map[string]func(*testscript.TestScript, bool, []string){
	"serve": servesAs("serve"), "proxy": servesAs("proxy"), "replays": listensAs("replay"), "conforms": listensAs("conform"), "served": ends, "peer": peer, "others": others, "strangers": strangers,
}

// condition is what scripts can ask in brackets: ipv6, whether there is a loopback of IPv6.
func condition(name string) (bool, error) {
	if name != "ipv6" {
		return false, fmt.Errorf("unknown condition %q", name)
	}
	l, err := net.Listen("tcp", "[::1]:0")
	if err == nil {
		l.Close()
	}
	return err == nil, nil
}

// setUpServe makes room for those served in a script.
func setUpServe(env *testscript.Env) { env.Values[servedKey{}] = new([]*served) }

// servesAs returns the command NAME ARG... that starts iwarp NAME and sets ADDR to the address in its first line, and PORT to the port in that.
func servesAs(name string) func(*testscript.TestScript, bool, []string) {
	return func(ts *testscript.TestScript, neg bool, args []string) {
		if neg {
			ts.Fatalf("usage: %s [ARG...]", name)
		}
		s := newServed(ts, append([]string{name}, args...))
		s.process.Stderr = &s.err
		out, err := s.process.StdoutPipe()
		ts.Check(err)
		s.start(ts, out, &s.out, "")
	}
}

// listensAs returns the command that starts iwarp NAME --listen ARG..., and sets ADDR and PORT likewise.
func listensAs(name string) func(*testscript.TestScript, bool, []string) {
	return func(ts *testscript.TestScript, neg bool, args []string) {
		if neg {
			ts.Fatalf("usage: %ss [ARG...]", name)
		}
		s := newServed(ts, append([]string{name, "--listen", "127.0.0.1:0"}, args...))
		s.process.Stdout = &s.out
		errs, err := s.process.StderrPipe()
		ts.Check(err)
		s.start(ts, errs, &s.err, "listening on ")
	}
}

func newServed(ts *testscript.TestScript, args []string) *served {
	s := &served{process: exec.Command("iwarp", args...), read: make(chan struct{})}
	s.process.Dir = ts.MkAbs(".")
	return s
}

// start starts the process. Its address is in the first line of told that begins with what it stands behind.
func (s *served) start(ts *testscript.TestScript, told io.Reader, kept *bytes.Buffer, behind string) {
	ts.Check(s.process.Start())
	ts.Defer(func() { s.process.Process.Kill() })
	all := ts.Value(servedKey{}).(*[]*served)
	*all = append(*all, s)

	first := make(chan string, 1)
	go func() {
		defer close(s.read)
		r := bufio.NewReader(told)
		line, err := r.ReadString('\n')
		kept.WriteString(line)
		for err == nil && !strings.HasPrefix(line, behind) {
			line, err = r.ReadString('\n')
			kept.WriteString(line)
		}
		first <- strings.TrimPrefix(line, behind)
		io.Copy(kept, r)
	}()
	select {
	case line := <-first:
		setAddress(ts, addressIn(line))
	case <-time.After(patience):
		ts.Fatalf("%v prints no line", s.process.Args)
	}
}

// addressIn is the address in such a line.
func addressIn(line string) string {
	var object struct{ Address string }
	if json.Unmarshal([]byte(line), &object) == nil {
		return object.Address
	}
	return strings.TrimSuffix(line, "\n")
}

func setAddress(ts *testscript.TestScript, address string) {
	_, port, err := net.SplitHostPort(address)
	if err != nil {
		ts.Fatalf("%q is not an address: %v", address, err)
	}
	ts.Setenv("ADDR", address)
	ts.Setenv("PORT", port)
}

// served CODE [SIGNAL] waits until the one that was started last has ended, to which the signal is sent before. What it has printed is then
// in the files served.out and served.err.
func ends(ts *testscript.TestScript, neg bool, args []string) {
	all := ts.Value(servedKey{}).(*[]*served)
	last := len(*all) - 1
	if neg || len(args) < 1 || len(args) > 2 || last < 0 {
		ts.Fatalf("usage, behind serve, proxy, replays or conforms: served CODE [SIGNAL]")
	}
	s := (*all)[last]
	*all = (*all)[:last]
	if len(args) == 2 {
		signals := map[string]os.Signal{"INT": os.Interrupt, "TERM": syscall.SIGTERM, "HUP": syscall.SIGHUP}
		ts.Check(s.process.Process.Signal(signals[args[1]]))
	}
	late := time.AfterFunc(patience, func() { s.process.Process.Kill() })
	<-s.read
	code := 0
	if err := s.process.Wait(); err != nil {
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			ts.Fatalf("%v", err)
		}
		code = exit.ExitCode()
	}
	if !late.Stop() {
		ts.Fatalf("%v does not end\n%s", s.process.Args, s.err.String())
	}
	for name, b := range map[string]*bytes.Buffer{"served.out": &s.out, "served.err": &s.err} {
		ts.Check(os.WriteFile(ts.MkAbs(name), b.Bytes(), 0o666))
	}
	if strconv.Itoa(code) != args[0] {
		ts.Fatalf("exit code %d, want %s\n%s", code, args[0], s.err.String())
	}
}

// peer WHAT starts a bad peer, and sets ADDR to its address: one that closes at once, is silent, resets, or
// speaks HTTP.
func peer(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: peer closes|resets|silent|http")
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	ts.Check(err)
	ts.Defer(func() { l.Close() })
	setAddress(ts, l.Addr().String())
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			switch args[0] {
			case "resets":
				c.(*net.TCPConn).SetLinger(0)
				c.Close()
			case "http":
				c.Write([]byte("HTTP/1.1 400 Bad Request\r\n\r\n"))
				c.Close()
			case "closes":
				c.Close()
			case "silent":
				go io.Copy(io.Discard, c)
			}
		}
	}()
}

// others ADDRESS [N] connects to an iwarp that listens without being an iWARP peer: as one who closes at once, one who
// speaks HTTP, and one who stops within a Request; or N times as the second.
func others(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 1 || len(args) > 2 {
		ts.Fatalf("usage: others ADDRESS [N]")
	}
	const http = "GET / HTTP/1.1\r\n\r\n"
	says := []string{"", http, "MPA ID Req"}
	if len(args) == 2 {
		n, err := strconv.Atoi(args[1])
		ts.Check(err)
		says = slices.Repeat([]string{http}, n)
	}
	for _, words := range says {
		c, err := net.Dial("tcp", args[0])
		ts.Check(err)
		_, err = io.WriteString(c, words)
		ts.Check(err)
		if words == "" {
			ts.Check(c.(*net.TCPConn).CloseWrite())
		}
		c.SetReadDeadline(time.Now().Add(patience))
		io.Copy(io.Discard, c) // until it has ended the connection
		c.Close()
	}
}

// strangers ADDRESS connects without being an iWARP peer: as one who is silent, one who speaks HTTP, one who stops within a Request, and
// one who closes at once. The others stay until the end of the script.
func strangers(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: strangers ADDRESS")
	}
	for _, says := range []string{"", "GET / HTTP/1.1\r\n\r\n", "MPA ID Req"} {
		c, err := net.Dial("tcp", args[0])
		ts.Check(err)
		_, err = io.WriteString(c, says)
		ts.Check(err)
		ts.Defer(func() { c.Close() })
	}
	c, err := net.Dial("tcp", args[0])
	ts.Check(err)
	ts.Check(c.Close())
}
