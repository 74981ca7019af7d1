package main

// The network between both sides, and its captures.

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// A network is the network of a case. The zero value is an Ethernet with IPv4.
type network struct {
	IPv6  bool
	MTU   int    // octets; 0 for 1500
	MSS   int    // that both sides advertise, octets; 0 for what the MTU gives
	Lossy bool   // segments are lost, doubled and reordered in both directions
	Delay string // of what we send, as netem spells it; "" for none
}

const (
	plainMTU = 1500
	lossy    = "loss 2% duplicate 2% reorder 5% 50% delay 2ms limit 10000"
)

// apply changes the network until the case ends.
func (n network) apply(t *T) {
	if n.IPv6 { // a small MTU may have removed the addresses
		t.shell("ip addr replace fd00::1/64 dev v0 nodad")
		t.shell("ip netns exec " + namespace + " ip addr replace fd00::2/64 dev v1 nodad")
	}
	if n.MTU != 0 {
		t.onBothEnds("ip link set %s mtu %d", n.MTU)
		t.later(func() { t.onBothEnds("ip link set %s mtu %d", plainMTU) })
	}
	if n.MSS != 0 {
		t.routes("advmss %d", n.MSS)
		t.later(func() { t.routes("") })
	}
	if n.Delay != "" {
		t.shell("tc qdisc add dev v0 root netem limit 10000 delay " + n.Delay)
		t.later(func() { t.shell("tc qdisc del dev v0 root") })
	}
	if n.Lossy {
		t.onBothEnds("tc qdisc add dev %s root netem %s", lossy)
		t.later(func() { t.onBothEnds("tc qdisc del dev %s root") })
	}
}

// onBothEnds runs a command for the device of either end.
func (t *T) onBothEnds(format string, args ...any) {
	t.shell(fmt.Sprintf(format, append([]any{"v0"}, args...)...))
	t.shell("ip netns exec " + namespace + " " + fmt.Sprintf(format, append([]any{"v1"}, args...)...))
}

// routes gives the routes of both ends an attribute.
func (t *T) routes(format string, args ...any) {
	a := fmt.Sprintf(format, args...)
	t.shell("ip route change 10.0.0.0/24 dev v0 src 10.0.0.1 " + a)
	t.shell("ip netns exec " + namespace + " ip route change 10.0.0.0/24 dev v1 src 10.0.0.2 " + a)
}

// shell runs a command, whose words have no blanks.
func (t *T) shell(command string) {
	words := strings.Fields(command)
	b, err := exec.Command(words[0], words[1:]...).CombinedOutput()
	t.check(err == nil, "%s: %v: %s", command, err, b)
}

// settled is how long a complete capture has not grown, and settledBy the longest wait for that.
const (
	settled   = 300 * time.Millisecond
	settledBy = 30 * time.Second
)

// captured does something while tcpdump captures it. tcpdump writes into memory, since writing to the host is slow.
func captured(name string, do func() error) error {
	temporary := filepath.Join(os.TempDir(), filepath.Base(name))
	cmd := exec.Command("tcpdump", "-i", "v0", "-s", "0", "-B", "65536", "--immediate-mode", "-U", "-n", "-Z", "root", "-w", temporary,
		"tcp")
	stderr, err := cmd.StderrPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	said := make([]byte, 4096)
	n, err := stderr.Read(said) // it listens
	if err != nil {
		return fmt.Errorf("tcpdump: %w", err)
	}
	err = do()
	for last, by := int64(-1), time.Now().Add(settledBy); time.Now().Before(by); time.Sleep(settled) {
		info, err := os.Stat(temporary)
		if err != nil || info.Size() == last {
			break
		}
		last = info.Size()
	}
	cmd.Process.Signal(syscall.SIGINT)
	rest, _ := io.ReadAll(stderr)
	cmd.Wait()
	if s := string(rest); err == nil && !strings.Contains(s, "\n0 packets dropped by kernel") {
		err = fmt.Errorf("tcpdump: %s, then: %s", said[:n], s)
	}
	if err != nil {
		return err
	}
	return move(temporary, name)
}

// move copies a file elsewhere and removes it.
func move(from, to string) error {
	b, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	if err := os.WriteFile(to, b, 0o644); err != nil {
		return err
	}
	return os.Remove(from)
}
