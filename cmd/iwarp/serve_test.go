package main

// Commands for scripts with two processes: iwarp serve in the background, and peers that are no good.

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
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// patience is how long anything may take.
const patience = 20 * time.Second

// A served is an iwarp serve in the background.
type served struct {
	process  *exec.Cmd
	out, err bytes.Buffer
	read     chan struct{} // closed when all of its standard output was read
}

// servedKey is what the environment of a script keeps it under.
type servedKey struct{}

// serveCommands are the commands for scripts.
var serveCommands = map[string]func(*testscript.TestScript, bool, []string){"serve": serve, "served": ends, "peer": peer}

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

// setUpServe makes room for one served in a script.
func setUpServe(env *testscript.Env) { env.Values[servedKey{}] = new(*served) }

// serve ARG... starts iwarp serve and sets ADDR to the address in its first line, and PORT to the port in that.
func serve(ts *testscript.TestScript, neg bool, args []string) {
	if neg {
		ts.Fatalf("usage: serve [ARG...]")
	}
	s := &served{process: exec.Command("iwarp", append([]string{"serve"}, args...)...), read: make(chan struct{})}
	s.process.Dir = ts.MkAbs(".")
	s.process.Stderr = &s.err
	out, err := s.process.StdoutPipe()
	ts.Check(err)
	ts.Check(s.process.Start())
	ts.Defer(func() { s.process.Process.Kill() })
	*ts.Value(servedKey{}).(**served) = s

	first := make(chan string, 1)
	go func() {
		defer close(s.read)
		r := bufio.NewReader(out)
		line, _ := r.ReadString('\n')
		s.out.WriteString(line)
		first <- line
		io.Copy(&s.out, r)
	}()
	select {
	case line := <-first:
		setAddress(ts, addressIn(line))
	case <-time.After(patience):
		ts.Fatalf("iwarp serve prints no line\n%s", s.err.String())
	}
}

// addressIn is the address in the first line of iwarp serve.
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
		ts.Fatalf("%q is no address: %v", address, err)
	}
	ts.Setenv("ADDR", address)
	ts.Setenv("PORT", port)
}

// served CODE [SIGNAL] waits until iwarp serve has ended, to which the signal is sent before. What it has printed is then
// in the files served.out and served.err.
func ends(ts *testscript.TestScript, neg bool, args []string) {
	s := *ts.Value(servedKey{}).(**served)
	if neg || len(args) < 1 || len(args) > 2 || s == nil {
		ts.Fatalf("usage, behind serve: served CODE [SIGNAL]")
	}
	if len(args) == 2 {
		signals := map[string]os.Signal{"INT": os.Interrupt, "TERM": syscall.SIGTERM}
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
		ts.Fatalf("iwarp serve does not end\n%s", s.err.String())
	}
	for name, b := range map[string]*bytes.Buffer{"served.out": &s.out, "served.err": &s.err} {
		ts.Check(os.WriteFile(ts.MkAbs(name), b.Bytes(), 0o666))
	}
	if strconv.Itoa(code) != args[0] {
		ts.Fatalf("exit code %d, want %s\n%s", code, args[0], s.err.String())
	}
}

// peer WHAT starts a peer that is no good, and sets ADDR to its address: one that closes at once, is silent, resets, or
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
