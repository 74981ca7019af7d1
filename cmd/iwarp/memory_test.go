package main

// Captures that would fill the memory of a careless reader: each command reads them within the same bound.

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"io"
	"math/rand/v2"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/pcaps"
)

// The bounds of a command that reads a capture.
const (
	mostResident = 192 << 20 // octets
	mostWork     = 110       // times the yardstick of processor time,
	workUnit     = 10 << 20  // for so many octets of the capture,
	workAtLeast  = 110       // and to start, so that a busy machine does not fail the test
)

// yardstick returns how much processor time this machine takes to sort a few numbers: about 9 ms in 2026. It is that of a process of its
// own, as is what it is compared with, so that it does not matter what else the machine does.
var yardstick = sync.OnceValue(func() time.Duration {
	const times = 40
	return (sorting(times) - sorting(0)) / times
})

// sorting returns the processor time of a process that sorts so often.
func sorting(times int) time.Duration {
	cmd := exec.Command("sorts", strconv.Itoa(times))
	if err := cmd.Run(); err != nil {
		panic(err)
	}
	return cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
}

// sorts is the program: sorts TIMES.
func sorts() {
	times, _ := strconv.Atoi(os.Args[1])
	numbers := rand.New(rand.NewPCG(1, 2)).Perm(1 << 17)
	for range times {
		slices.Sort(slices.Clone(numbers))
	}
}

// A crowd writes connections to a capture. Its first error stays.
type crowd struct {
	*pcaps.StreamWriter
	n   int
	err error
}

// A guest is one of its connections.
type guest struct {
	*crowd
	conn *pcaps.StreamConn
	msn  uint32
}

// open begins a connection with an address of its own.
func (c *crowd) open() *guest {
	c.n++
	client := netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, byte(c.n >> 16), byte(c.n >> 8), byte(c.n)}), uint16(40000+c.n>>24))
	g := &guest{crowd: c}
	g.conn, c.err = c.Open(client, netip.MustParseAddrPort("192.0.2.1:20049"), int64(c.n)*1000)
	return g
}

func (g *guest) send(from pcaps.Side, octets []byte) *guest {
	if g.err == nil {
		g.err = g.conn.Send(from, octets, 0)
	}
	return g
}

func (g *guest) negotiate() *guest {
	reply, _ := (&mpa.Frame{C: true, Rev: mpa.Rev1, Reply: true}).AppendBinary(nil)
	return g.send(pcaps.Client, request()).send(pcaps.Server, reply)
}

func (g *guest) finish() {
	if g.err == nil {
		g.err = cmp.Or(g.conn.Finish(pcaps.Client, 0), g.conn.Finish(pcaps.Server, 0))
	}
}

// words are numbers of 32 bits.
func words(all ...uint32) (b []byte) {
	for _, n := range all {
		b = binary.BigEndian.AppendUint32(b, n)
	}
	return b
}

// message sends octets as one untagged segment on a queue.
func (g *guest) message(from pcaps.Side, opcode byte, qn, msn uint32, octets []byte) *guest {
	return g.send(from, fpdu([]byte{0x41, 0x40 | opcode}, words(0, qn, msn, 0), octets))
}

// call sends the NULL Call of NFSv3, in RPC-over-RDMA.
func (g *guest) call(xid uint32) *guest {
	g.msn++
	return g.message(pcaps.Client, 3, 0, g.msn, words(xid, 1, 32, 0, 0, 0, 0, xid, 0, 2, 100003, 3, 0, 0, 0, 0, 0))
}

// reply answers the call that was sent last.
func (g *guest) reply(xid uint32) *guest {
	return g.message(pcaps.Server, 3, 0, g.msn, words(xid, 1, 32, 0, 0, 0, 0, xid, 1, 0, 0, 0, 0))
}

// read sends a Read Request that is never answered.
func (g *guest) read() *guest {
	g.msn++
	return g.message(pcaps.Client, 1, 1, g.msn, words(7, 0, g.msn<<12, 4096, 9, 0, g.msn<<12))
}

// crowds are the captures, by what there is very much of. The numbers are those in CI, and those in a long run.
var crowds = []struct {
	name        string
	short, long int
	write       func(c *crowd, n int)
}{
	{"connections of one MPA Request", 6_000, 1_000_000, func(c *crowd, n int) {
		for range n {
			c.open().send(pcaps.Client, request())
		}
	}},
	{"Requests that end within their Private Data", 6_000, 300_000, func(c *crowd, n int) {
		cut := append(request(), make([]byte, 500)...)
		cut[18], cut[19] = 0xff, 0xff
		for range n {
			c.open().send(pcaps.Client, cut)
		}
	}},
	{"Terminates", 6_000, 1_000_000, func(c *crowd, n int) {
		for range n {
			c.open().negotiate().message(pcaps.Server, 6, 2, 1, []byte{0x12, 0x03, 0, 0}).finish()
		}
	}},
	{"finished connections of NFS", 6_000, 300_000, func(c *crowd, n int) {
		for range n {
			c.open().negotiate().call(1).reply(1).call(2).reply(2).finish()
		}
	}},
	{"connections of NFS that were half seen", 6_000, 300_000, func(c *crowd, n int) {
		for range n {
			c.open().negotiate().call(1).reply(1).call(2)
		}
	}},
	{"open calls on one connection", 20_000, 1_000_000, func(c *crowd, n int) {
		g := c.open().negotiate()
		for i := range n {
			g.call(uint32(i))
		}
	}},
	{"open calls on many connections", 20_000, 1_000_000, func(c *crowd, n int) {
		for range n / 1000 {
			g := c.open().negotiate()
			for i := range 1000 {
				g.call(uint32(i))
			}
		}
	}},
	{"outstanding Reads", 20_000, 1_000_000, func(c *crowd, n int) {
		for range n / 1000 {
			g := c.open().negotiate()
			for range 1000 {
				g.read()
			}
		}
	}},
	{"findings", 20_000, 10_000_000, func(c *crowd, n int) {
		for range n / 100 {
			g := c.open().negotiate()
			for range 100 { // a STag that was not advertised, and an MSN that is not the next
				g.msn += 2
				g.message(pcaps.Client, 3, 0, g.msn, nil)
			}
		}
	}},
	{"segments of a chunk list", 20_000, 1_000_000, func(c *crowd, n int) {
		list := slices.Concat(words(1, 1, 32, 0), bytes.Repeat(words(1, 0, 7, 4096, 0, 0), n), words(0, 0, 0))
		c.open().negotiate().call(2).send(pcaps.Client, sendOf(2, list))
	}},
	{"payload", 64, 1024, func(c *crowd, n int) {
		g := c.open().negotiate()
		for i := range n {
			g.send(pcaps.Client, send(uint32(i+1), 1<<20))
		}
		g.finish()
	}},
}

// readers are the commands that read a capture from standard input.
var readers = []string{
	"check", "check -o json", "check -o jsonl", "check -o junit", "check --all", "check --group-by conn", "stats", "stats -o json",
	"decode", "decode --transactions", "decode -o jsonl", "decode -o parquet -w OUT",
	"stats --interval 1s -o csv", "follow", "report", "replay --save-scenario OUT", "replay --sim",
}

// TestMemory reads the crowds with all commands, in its short form with one. IWARP_CROWDS=long makes them as large as they get.
func TestMemory(t *testing.T) {
	for _, crowd := range crowds {
		n := crowd.short
		if os.Getenv("IWARP_CROWDS") == "long" {
			n = crowd.long
		}
		t.Run(crowd.name, func(t *testing.T) {
			capture := filepath.Join(t.TempDir(), "crowd.pcapng")
			writeCrowd(t, capture, n, crowd.write)
			for i, reader := range readers {
				if testing.Short() && i > 0 {
					break
				}
				t.Run(reader, func(t *testing.T) { readCrowd(t, reader, capture) })
			}
		})
	}
}

// writeCrowd writes a crowd to a file.
func writeCrowd(t *testing.T, name string, n int, write func(*crowd, int)) {
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	buffered := bufio.NewWriterSize(f, 1<<20)
	c := &crowd{StreamWriter: pcaps.NewStreamWriter(buffered, pcaps.StreamOptions{})}
	write(c, n)
	if err := cmp.Or(c.err, c.Close(), buffered.Flush(), f.Close()); err != nil {
		t.Fatal(err)
	}
}

// readCrowd gives a capture to a command, which is a process of its own, through a pipe.
func readCrowd(t *testing.T, reader, capture string) {
	f, err := os.Open(capture)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	peak := filepath.Join(t.TempDir(), "peak")
	args := strings.Fields(strings.ReplaceAll(reader, "OUT", filepath.Join(t.TempDir(), "out")))
	cmd := exec.Command("iwarp", append(args, "-")...)
	cmd.Env = append(os.Environ(), peakVariable+"="+peak)
	var said strings.Builder
	cmd.Stderr = &said
	in, _ := cmd.StdinPipe()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	octets, err := io.Copy(in, f)
	if err := cmp.Or(err, in.Close()); err != nil {
		t.Error(err)
	}
	cmd.Wait()
	if strings.Contains(said.String(), "internal error") {
		t.Error(said.String())
	}
	b, _ := os.ReadFile(peak)
	resident, _ := strconv.Atoi(string(b))
	worked := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	t.Logf("%d MB of capture: %d MB resident, %v", octets>>20, resident>>20, worked)
	if resident == 0 || resident > mostResident {
		t.Errorf("%d octets resident, at most %d", resident, mostResident)
	}
	if most := yardstick() * time.Duration(workAtLeast+mostWork*(octets/workUnit+1)); worked > most && reader != "replay --sim" { // which plays what it has read
		t.Errorf("%v of work, at most %v", worked, most)
	}
}

// peakVariable names the file to which a command writes the most octets that were resident.
const peakVariable = "IWARP_PEAK"

// goroutinesVariable names the file to which a command writes the number of its goroutines again and again.
const goroutinesVariable = "IWARP_GOROUTINES"

// measured runs a command, and notes its goroutines and its peak of memory.
func measured() int {
	if file := os.Getenv(goroutinesVariable); file != "" {
		go func() {
			for ; ; time.Sleep(100 * time.Millisecond) {
				_ = os.WriteFile(file, []byte(strconv.Itoa(runtime.NumGoroutine())), 0o600)
			}
		}()
	}
	code := run()
	if file := os.Getenv(peakVariable); file != "" {
		status, _ := os.ReadFile("/proc/self/status")
		_, rest, _ := strings.Cut(string(status), "VmHWM:")
		kilo := 0
		fmt.Sscan(rest, &kilo)
		_ = os.WriteFile(file, []byte(strconv.Itoa(kilo<<10)), 0o600)
	}
	return code
}
