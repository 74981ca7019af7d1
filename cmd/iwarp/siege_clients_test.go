package main

// Hostile servers against the commands that connect: each ends by itself, and prints nothing that a terminal should not see.

import (
	"bytes"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/iwarpkit/iwarp/codec/mpa"
)

// hostileServers are what a server does with each connection. The greeting is the Reply of the service conform.
var hostileServers = []struct {
	name string
	do   func(nc net.Conn, r *rand.Rand, greeting []byte)
}{
	{"closes at once", func(net.Conn, *rand.Rand, []byte) {}},
	{"resets at once", func(nc net.Conn, _ *rand.Rand, _ []byte) { nc.(*net.TCPConn).SetLinger(0) }},
	{"is silent", func(nc net.Conn, _ *rand.Rand, _ []byte) { io.Copy(io.Discard, nc) }},
	{"takes nothing", func(nc net.Conn, _ *rand.Rand, _ []byte) { time.Sleep(2 * patience) }},
	{"sends garbage", func(nc net.Conn, r *rand.Rand, _ []byte) { flood(nc, func() []byte { return random(r, 3000) }) }},
	{"sends its Reply an octet at a time", func(nc net.Conn, _ *rand.Rand, _ []byte) { trickle(nc, reply(0, 500)) }},
	{"lies about the Private Data", func(nc net.Conn, _ *rand.Rand, _ []byte) { answer(nc, reply(65535, 300)) }},
	{"has escapes in the Private Data", func(nc net.Conn, _ *rand.Rand, _ []byte) {
		answer(nc, append(reply(60, 0), bytes.Repeat([]byte("\x1b[2J\x1b]0;x\x07\u202e\r\n"), 10)[:60]...))
	}},
	{"rejects", func(nc net.Conn, _ *rand.Rand, _ []byte) {
		b := reply(0, 0)
		b[16] |= 0x20
		answer(nc, b)
	}},
	{"closes half", func(nc net.Conn, _ *rand.Rand, greeting []byte) {
		nc.Write(greeting)
		nc.(*net.TCPConn).CloseWrite()
		io.Copy(io.Discard, nc)
	}},
	{"sends zero-length FPDUs", func(nc net.Conn, _ *rand.Rand, greeting []byte) {
		nc.Write(greeting)
		flood(nc, func() []byte { return bytes.Repeat(fpdu(nil), 50) })
	}},
	{"sends Terminates", func(nc net.Conn, _ *rand.Rand, greeting []byte) {
		nc.Write(greeting)
		terminate := fpdu([]byte{0x41, 0x47}, words(0, 2, 1, 0), []byte{0x01, 0x02, 0, 0})
		flood(nc, func() []byte { return terminate })
	}},
	{"reads 4 GB", func(nc net.Conn, _ *rand.Rand, greeting []byte) {
		nc.Write(greeting)
		msn := uint32(0)
		flood(nc, func() []byte {
			msn++
			return fpdu([]byte{0x41, 0x41}, words(0, 1, msn, 0, 7, 0, 0, 0xffffffff, 9, 0, 0))
		})
	}},
	{"sends without end", func(nc net.Conn, _ *rand.Rand, greeting []byte) {
		nc.Write(greeting)
		msn := uint32(0)
		flood(nc, func() []byte { msn++; return send(msn, 100) })
	}},
	{"sends random content with a good CRC", func(nc net.Conn, r *rand.Rand, greeting []byte) {
		nc.Write(greeting)
		flood(nc, func() []byte { return randomFPDU(r) })
	}},
	{"sends an octet a second", func(nc net.Conn, _ *rand.Rand, greeting []byte) {
		nc.Write(greeting)
		for range 30 {
			time.Sleep(time.Second)
			if _, err := nc.Write([]byte{0}); err != nil {
				return
			}
		}
	}},
}

// hostileClients are the commands, which take an address.
var hostileClients = []string{
	"ping --timeout 500ms -c 3 ADDR", "bench --timeout 500ms -n 10 ADDR", "replay --timeout 500ms --peer ADDR CAPTURE",
	"conform --timeout 200ms ADDR RFC5041/4.3", "conform --timeout 200ms -o html ADDR RFC5041/4.3",
}

// TestSiegeOfClients runs when TestSiege does.
func TestSiegeOfClients(t *testing.T) {
	siegeTime(t)
	greeting := greetingOf(t, "conform")
	capture, _ := filepath.Abs("../../pcaps/samples/rping.pcap")
	for _, server := range hostileServers {
		for _, command := range hostileClients {
			t.Run(server.name+"/"+command, func(t *testing.T) {
				t.Parallel()
				address := hostile(t, func(nc net.Conn, r *rand.Rand) { server.do(nc, r, greeting) })
				besieged := strings.NewReplacer("ADDR", address, "CAPTURE", capture).Replace(command)
				outlives(t, strings.Fields(besieged))
			})
		}
	}
}

// TestSiegeOfServers lets clients of a proxy of versions come to all hostile servers: the server beside them is reached.
func TestSiegeOfServers(t *testing.T) {
	lasts := siegeTime(t)
	greeting := greetingOf(t, "rpc")
	args := []string{"proxy", "--rpc", "1:2", "--timeout", "500ms", "--map", "127.0.0.1:0=" + besiege(t, "serve", "--service", "rpc").address}
	for _, server := range hostileServers {
		args = append(args, "--map", "127.0.0.1:0="+hostile(t, func(nc net.Conn, r *rand.Rand) { server.do(nc, r, greeting) }))
	}
	proxy := besiege(t, args...)
	at := slices.IndexFunc(attacks, func(a attack) bool { return a.name == "wild chunk lists" })
	stop := proxy.attack(t, &attacks[at])
	proxy.watch(t, lasts)
	stop()
	proxy.recovers(t)
}

// greetingOf returns the Reply of a service, with its Private Data.
func greetingOf(t *testing.T, service string) []byte {
	nc, err := net.Dial("tcp", besiege(t, "serve", "--service", service).address)
	if err != nil {
		t.Fatal(err)
	}
	defer nc.Close()
	nc.Write(request())
	b := make([]byte, mpa.FrameLen+mpa.MaxPrivateData)
	n, err := io.ReadAtLeast(nc, b, mpa.FrameLen+1)
	if err != nil {
		t.Fatal(err)
	}
	return b[:n]
}

// outlives runs a command, which must fail, and in time.
func outlives(t *testing.T, args []string) {
	peak := filepath.Join(t.TempDir(), "peak")
	cmd := exec.Command("iwarp", args...)
	cmd.Env = append(os.Environ(), peakVariable+"="+peak)
	hangs := time.AfterFunc(2*time.Minute, func() { cmd.Process.Kill() })
	begin := time.Now()
	out, err := cmd.CombinedOutput()
	if !hangs.Stop() {
		t.Errorf("it does not end:\n%s", out)
	}
	b, _ := os.ReadFile(peak)
	resident, _ := strconv.Atoi(string(b))
	t.Logf("%v, %d MB resident, %d octets printed, %v", time.Since(begin).Round(time.Millisecond), resident>>20, len(out), err)
	if resident > mostResident || len(out) > siegeLogBurst {
		t.Errorf("%d octets resident, %d printed", resident, len(out))
	}
	if err == nil || cmd.ProcessState.ExitCode() == 2 {
		t.Errorf("exit status %d:\n%.1000s", cmd.ProcessState.ExitCode(), out)
	}
	if i := bytes.IndexFunc(out, func(r rune) bool { return r != '\n' && r != '\t' && !unicode.IsPrint(r) }); i >= 0 {
		t.Errorf("it prints %q", out[i:min(i+20, len(out))])
	}
}

// hostile listens for the rest of the test, and returns its address.
func hostile(t *testing.T, do func(net.Conn, *rand.Rand)) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for n := uint64(0); ; n++ {
			nc, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer nc.Close()
				nc.SetDeadline(time.Now().Add(2 * patience))
				do(nc, rand.New(rand.NewPCG(n, 2)))
			}()
		}
	}()
	return l.Addr().String()
}

// reply is a Reply that announces some octets of Private Data, and has others.
func reply(announced, has int) []byte {
	f := mpa.Frame{C: true, Rev: mpa.Rev1, Reply: true}
	b, _ := f.AppendBinary(nil)
	b[18], b[19] = byte(announced>>8), byte(announced)
	return append(b, make([]byte, has)...)
}

// answer sends a Reply, and takes what comes.
func answer(nc net.Conn, reply []byte) {
	nc.Write(reply)
	io.Copy(io.Discard, nc)
}

// flood sends octets again and again, and takes what comes.
func flood(nc net.Conn, octets func() []byte) {
	go io.Copy(io.Discard, nc)
	for {
		if _, err := nc.Write(octets()); err != nil {
			return
		}
	}
}
