package driver

// Bad peers harm no others, and leave nothing behind.

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"net"
	"runtime"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/internal/crowd"
	"github.com/iwarpkit/iwarp/rnicsim"
)

// memoryLen is the number of octets of memory that a server offers.
const memoryLen = 1 << 20

// server returns a Device whose Listener accepts every Request.
func server(t testing.TB, c Config, stream rnicsim.StreamConfig) (*Device, *Listener) {
	t.Helper()
	d := open(t, c)
	l := listen(t, d, ListenConfig{Stream: stream})
	acceptAll(l)
	return d, l
}

// acceptAll accepts every Request, and offers memory.
func acceptAll(l *Listener) {
	go func() {
		memory := make([]byte, memoryLen)
		for {
			r, err := l.Accept(context.Background())
			if err != nil {
				return
			}
			r.Accept(context.Background(), ConnConfig{Prepare: func(c *Conn) error {
				s, to, err := c.Register(memory, all)
				c.SetPrivate(advertisement(s, to))
				return err
			}})
		}
	}()
}

// shorten sets limits of the connections that a Device has now. Later ones have those of its Config.
func shorten(d *Device, set func(*waits)) {
	defer d.lock()()
	for c := range d.conns {
		set(&c.waits)
		d.wake(c)
	}
}

// advertisement returns an STag and a TO as Private Data.
func advertisement(s rnicsim.STag, to uint64) []byte {
	return binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint32(nil, uint32(s)), to)
}

// advertised decodes an advertisement.
func advertised(b []byte) (s rnicsim.STag, to uint64) {
	return rnicsim.STag(binary.BigEndian.Uint32(b)), binary.BigEndian.Uint64(b[4:])
}

// serves checks that a good peer is served, while bad ones do what they do.
func serves(t testing.TB, l *Listener) {
	t.Helper()
	d, ctx := open(t, Config{}), testContext(t)
	c, err := call(ctx, d, l, ConnConfig{})
	if err != nil {
		t.Error("a good peer is not served: ", err)
		return
	}
	reply := c.Reply()
	stag, to := advertised(reply.ULPPrivateData())
	from := region(t, c, make([]byte, 1<<16))
	c.Post(
		rnicsim.WorkRequest{Op: rnicsim.OpWrite, SGL: []rnicsim.SGE{from}, Remote: stag, RemoteTO: to},
		rnicsim.WorkRequest{Op: rnicsim.OpRead, Local: from, Remote: stag, RemoteTO: to},
	)
	for range 2 {
		var done [1]rnicsim.Completion
		if _, err := c.Wait(ctx, done[:]); err != nil || done[0].Status != rnicsim.Success {
			t.Error(done[0], err)
			return
		}
	}
	d.Close()
}

// knock opens TCP connections to a Listener.
func knock(t testing.TB, l *Listener, n int) (all []net.Conn) {
	t.Helper()
	for range n {
		c, err := dial(l)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { c.Close() })
		all = append(all, c)
	}
	return all
}

// session returns what a good Initiator sends: a Request, and FPDUs with a Write of no octets each.
func session() []byte {
	f := mpa.Frame{C: true, Rev: mpa.Rev1}
	b, _ := f.AppendBinary(nil)
	return b
}

// writes returns FPDUs of Writes of no octets, which need no memory.
func writes(n int) (b []byte) {
	framer := mpa.Framer{Options: mpa.Options{CRC: true}}
	for range n {
		b, _ = framer.Append(b, append([]byte{0xc1, 0x40}, make([]byte, 12)...))
	}
	return b
}

// Peers that are silent, that send random octets, and that go away at any point.
func TestBadPeers(t *testing.T) {
	d, l := server(t, Config{}, rnicsim.StreamConfig{Rev: mpa.Rev2, CRC: true, Timeout: 2 * patient})
	request, stream := session(), writes(20)
	random := rand.New(rand.NewPCG(1, 2))
	crowd := knock(t, l, 400)
	for i, c := range crowd {
		switch i % 8 {
		case 0: // silent
		case 1: // octets by chance at once
			c.Write(noise(random, 3000))
		case 2: // after the Request
			c.Write(append(bytes.Clone(request), noise(random, 3000)...))
		case 3: // a part of the Request, and a reset
			c.Write(request[:random.IntN(len(request))])
			reset(c)
		case 4: // a part of the Request, and a FIN
			c.Write(request[:random.IntN(len(request))])
			c.Close()
		default:
			go visit(c, request, stream[:random.IntN(len(stream))], i%2 == 0, noise(random, 100))
		}
	}
	serves(t, l)
	for _, c := range crowd {
		c.Close()
	}
	gone(t, d)
}

// visit begins correctly, sends some FPDUs and random octets, and goes away.
func visit(c net.Conn, request, stream []byte, resets bool, behind []byte) {
	c.Write(request)
	reply := make([]byte, mpa.FrameLen+10)
	c.SetReadDeadline(time.Now().Add(patient))
	if _, err := c.Read(reply); err != nil {
		return
	}
	c.Write(stream)
	c.Write(behind)
	if resets {
		reset(c)
	} else {
		c.Close()
	}
}

func reset(c net.Conn) {
	c.(*net.TCPConn).SetLinger(0)
	c.Close()
}

func noise(r *rand.Rand, n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return b
}

// A peer that sends octet by octet without end is served, and others do not wait for it.
func TestSlowPeer(t *testing.T) {
	d, l := server(t, Config{}, rnicsim.StreamConfig{})
	c := knock(t, l, 1)[0]
	stop := make(chan struct{})
	var slow sync.WaitGroup
	slow.Go(func() {
		for _, x := range session() {
			c.Write([]byte{x})
		}
		reply := make([]byte, mpa.FrameLen+10)
		c.Read(reply)
		for octets := writes(1); ; {
			for _, x := range octets {
				select {
				case <-stop:
					return
				default:
					c.Write([]byte{x})
				}
			}
		}
	})
	for range 3 {
		serves(t, l)
	}
	close(stop)
	slow.Wait()
	c.Close()
	gone(t, d)
}

// If too many connections have no Request, the oldest are reset. Good peers are still served.
func TestCrowd(t *testing.T) {
	const limit = 10
	d, l := server(t, Config{MaxConns: limit}, rnicsim.StreamConfig{Rev: mpa.Rev2, CRC: true, Timeout: patient})
	peers := knock(t, l, 5*crowd.Openings*limit)
	serves(t, l)
	for _, c := range peers[:4*crowd.Openings*limit] {
		c.SetReadDeadline(time.Now().Add(patient))
		if _, err := c.Read(make([]byte, 1)); !errors.Is(err, syscall.ECONNRESET) {
			t.Fatal(err)
		}
	}
	if n := d.tally()[crowd.Opening]; n == 0 || n > crowd.Openings*limit {
		t.Error(n)
	}
}

// tally counts the connections in each activity.
func (d *Device) tally() (n [crowd.Activities]int) {
	defer d.lock()()
	for c := range d.conns {
		n[c.activity(d.now())]++
	}
	return n
}

// establish lets peers finish the start-up.
func establish(t testing.TB, all []net.Conn) {
	t.Helper()
	for _, c := range all {
		c.Write(session())
	}
	for _, c := range all {
		c.SetReadDeadline(time.Now().Add(patient))
		c.Read(make([]byte, 100)) // the Reply, or a reset
	}
}

// Peers that fall silent after the start-up, that stay within an FPDU, or that never rest, fill their own budgets only. Each newcomer is
// served, and who has been served lately stays.
func TestBudgets(t *testing.T) { synctest.Test(t, budgets) }

func budgets(t *testing.T) {
	const limit = 8
	d := open(t, Config{MaxConns: limit})
	l, err := d.listen(t.Context(), &switchboard{calls: make(chan net.Conn), over: make(chan struct{})}, ListenConfig{})
	if err != nil {
		t.Fatal(err)
	}
	acceptAll(l)
	good, err := call(testContext(t), open(t, Config{}), l, ConnConfig{})
	if err != nil {
		t.Fatal(err)
	}
	reads(t, good)
	stop := make(chan struct{})
	var busily sync.WaitGroup
	defer busily.Wait()
	defer close(stop)
	for _, now := range []string{"silent", "within an FPDU", "busy"} {
		for range 4 {
			peers := knock(t, l, limit)
			establish(t, peers)
			for _, c := range peers {
				switch now {
				case "within an FPDU":
					c.Write(writes(1)[:5])
				case "busy":
					busily.Go(func() { trouble(c, stop) })
				}
			}
			reads(t, good)
			time.Sleep(crowd.Lull / 3)
		}
		serves(t, l)
		reads(t, good)
	}
	for end := time.Now().Add(patient); ; time.Sleep(time.Millisecond) {
		n := d.tally()
		if most := max(n[crowd.Opening], n[crowd.Silent], n[crowd.Slow], n[crowd.Busy]); most <= 2*limit {
			break
		} else if time.Now().After(end) {
			t.Fatal(n)
		}
	}
}

// trouble sends FPDUs until it is stopped or reset.
func trouble(c net.Conn, stop chan struct{}) {
	some := writes(10)
	for {
		select {
		case <-stop:
			return
		case <-time.After(time.Millisecond):
		}
		if _, err := c.Write(some); err != nil {
			return
		}
	}
}

// reads does an RDMA Read from a server.
func reads(t testing.TB, c *Conn) {
	t.Helper()
	reply := c.Reply()
	stag, to := advertised(reply.ULPPrivateData())
	c.Post(rnicsim.WorkRequest{Op: rnicsim.OpRead, Local: region(t, c, make([]byte, 1<<10)), Remote: stag, RemoteTO: to})
	var done [1]rnicsim.Completion
	if _, err := c.Wait(testContext(t), done[:]); err != nil || done[0].Status != rnicsim.Success {
		t.Error(done[0], err)
	}
}

// Connections that begin here are refused above the limit; the others continue.
func TestMaxConns(t *testing.T) {
	s := setup{}
	s.device[0].MaxConns = 1
	a, b := s.connect(t)
	if _, err := a.d.Dial(testContext(t), "tcp", b.LocalAddr().String(), ConnConfig{}); !errors.Is(err, ErrTooManyConns) {
		t.Error(err)
	}
	exercise(t, a, b, 10_000)
}

// Ten thousand connections live side by side, cost little while they are idle, and leave nothing behind.
func TestManyConnections(t *testing.T) {
	count := 10_000
	if testing.Short() || raceEnabled {
		count = 1000
	}
	count = min(count, openFiles()/2-20)
	goroutines, before := runtime.NumGoroutine(), heapInUse()
	passive, l := server(t, Config{MaxConns: count}, rnicsim.StreamConfig{})
	client := open(t, Config{MaxConns: count})
	conns := make([]*Conn, count)
	var dialling sync.WaitGroup
	ctx := testContext(t)
	for k := range 8 {
		dialling.Go(func() {
			for i := k; i < count; i += 8 {
				c, err := client.Dial(ctx, "tcp", l.Addr().String(), ConnConfig{})
				if err != nil {
					t.Error(i, err)
					return
				}
				conns[i] = c
			}
		})
	}
	dialling.Wait()
	if t.Failed() {
		return
	}
	octets := make([]byte, 1000)
	for _, c := range conns {
		reply := c.Reply()
		stag, to := advertised(reply.ULPPrivateData())
		from := region(t, c, octets)
		c.Post(rnicsim.WorkRequest{Op: rnicsim.OpWrite, SGL: []rnicsim.SGE{from}, Remote: stag, RemoteTO: to, Unsignaled: true})
		c.Post(rnicsim.WorkRequest{Op: rnicsim.OpRead, Local: from, Remote: stag, RemoteTO: to})
	}
	for _, c := range conns {
		var done [1]rnicsim.Completion
		if _, err := c.Wait(ctx, done[:]); err != nil || done[0].Status != rnicsim.Success {
			t.Fatal(done, err)
		}
	}
	const buffers = 2 * (maxTurns + spareBuffers + 8) * bufferLen
	limit := uint64(buffers + 2*count*(16<<10))
	if !raceEnabled { // whose own memory counts too
		used := settled(before+limit) - before
		t.Logf("%d octets of heap for %d connections, both ends", used, count)
		if used > limit {
			t.Errorf("want at most %d", limit)
		}
	}
	for _, c := range conns {
		c.Close()
	}
	gone(t, client)
	gone(t, passive)
	clear(conns)
	client.Close()
	passive.Close()
	const goroutine = 1 << 10 // what the runtime keeps of one that has ended
	limit = before + 1<<20 + uint64(2*count*goroutine)
	if after := settled(limit); after > limit {
		t.Errorf("%d octets of heap before, %d after", before, after)
	}
	for end := time.Now().Add(patient); runtime.NumGoroutine() > goroutines; time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%d goroutines before, %d after", goroutines, runtime.NumGoroutine())
		}
	}
}

// settled returns the octets in use when they are within a limit, or when patience ends: a busy machine frees buffers
// late.
func settled(limit uint64) uint64 {
	for end := time.Now().Add(patient); ; time.Sleep(10 * time.Millisecond) {
		if used := heapInUse(); used <= limit || time.Now().After(end) {
			return used
		}
	}
}

// heapInUse returns the octets in use.
func heapInUse() uint64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
