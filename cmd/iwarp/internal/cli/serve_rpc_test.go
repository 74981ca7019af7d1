package cli

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/iwarpkit/iwarp/cmd/internal/exit"
	"github.com/iwarpkit/iwarp/rnicsim"
	"github.com/iwarpkit/iwarp/rnicsim/driver"
)

// What goes over a connection to the service rpc, there and back, breaks no rule of the analyser.
func TestServeRPCIsRight(t *testing.T) {
	file := filepath.Join(t.TempDir(), "rpc.pcapng")
	s := start(t, "", "serve", "--service", "rpc", "--once", "-w", file)
	c := dialServeRPC(t, strings.TrimSpace(s.first))
	c.call(0, "")
	c.call(1, " 00000002 00000001 00000005 01020304 05000000 00000000")
	c.call(2, " 00000001 00000001 00000003 010203ff")
	c.ask("00000001 00000034 $0 0000000d $0 00000000 00000001 00000001 $1 00000020 $1 00000000 00000000", 1, " 00000001 00000001 0000000d")
	c.ask("00000000 00000001 00000000 00000001 00000002 $2 00000002 $2 $3 00000008 $3 00000000 00000001 00000001 $4 00000400 $4", 1,
		" 00000002 00000001 00000003 01020300 00000001 00000005 01020304 05000000")
	c.ask("00000000 00000000 00000001 00000001 $5 00001000 $5", 2, " 00000001 00000001 000003e8"+strings.Repeat(" a5a5a5a5", 250))
	c.call(4, " 00000002 00000008")
	for n := range uint32(2) {
		c.wait()
		xid := 0x69776301 + n
		c.send(fmt.Sprintf("%08x 00000001 00000001 00000000 00000000 00000000 00000000 %08x 00000001 00000000 00000000 00000000 00000000"+
			" 00000001 00000001 00000008 5a5a5a5a 5a5a5a5a", xid, xid))
	}
	c.call(3, "")
	c.Close()
	<-c.Done()
	if got := <-s.ended; got.code != exit.OK {
		t.Fatalf("serve: %+v", got)
	}
	got := run(t.Context(), nil, false, nil, "check", "--fail-on", "warning", file)
	if got.code != exit.OK || !strings.Contains(got.out, "none failed. No findings.") {
		t.Errorf("check: %+v", got)
	}
	got = run(t.Context(), nil, false, nil, "decode", file)
	for _, words := range []string{"RDMA_MSG", "RDMA_NOMSG", "SendInvalidate", "ReadRequest", "Write"} {
		if !strings.Contains(got.out, words) {
			t.Errorf("decode has no %s", words)
		}
	}
}

// A serveRPC is a client of the service rpc that has one Call under way.
type serveRPC struct {
	*driver.Conn
	t      testing.TB
	memory []byte
	sge    rnicsim.SGE
	calls  uint32
}

const (
	serveRPCMessage = 4096 // octets of one; the first of the memory is sent, the others are Receives
	serveRPCCount   = 16
)

func dialServeRPC(t testing.TB, address string) *serveRPC {
	d, err := driver.Open(driver.Config{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	c := &serveRPC{t: t, memory: make([]byte, serveRPCMessage*serveRPCCount)}
	private := []byte{0xf6, 0xab, 0x0e, 0x18, 1, 1, 3, 0} // R; sends of 4096 octets, Receives of 1024
	c.Conn, err = d.Dial(t.Context(), "tcp", address, driver.ConnConfig{Private: private, Prepare: func(conn *driver.Conn) (err error) {
		c.sge.STag, c.sge.TO, err = conn.Register(c.memory, rnicsim.LocalRead|rnicsim.LocalWrite)
		for i := 1; i < serveRPCCount && err == nil; i++ {
			err = conn.PostReceive(rnicsim.WorkRequest{ID: uint64(i), SGL: c.sgl(i, serveRPCMessage)})
		}
		return err
	}})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func (c *serveRPC) sgl(i, n int) []rnicsim.SGE {
	return []rnicsim.SGE{{STag: c.sge.STag, TO: c.sge.TO + uint64(i*serveRPCMessage), Len: uint32(n)}}
}

// send sends a message.
func (c *serveRPC) send(words string) {
	c.t.Helper()
	b, err := hex.DecodeString(strings.Join(strings.Fields(words), ""))
	if err != nil {
		c.t.Fatal(err)
	}
	copy(c.memory, b)
	if err := c.Post(rnicsim.WorkRequest{Op: rnicsim.OpSend, SGL: c.sgl(0, len(b))}); err != nil {
		c.t.Fatal(err)
	}
	c.completed(rnicsim.OpSend)
}

// wait waits for a message, and returns its XID.
func (c *serveRPC) wait() uint32 {
	c.t.Helper()
	d := c.completed(rnicsim.OpReceive)
	if err := c.PostReceive(rnicsim.WorkRequest{ID: d.WRID, SGL: c.sgl(int(d.WRID), serveRPCMessage)}); err != nil {
		c.t.Fatal(err)
	}
	return binary.BigEndian.Uint32(c.memory[d.WRID*serveRPCMessage:])
}

// completed waits for a completion, which has to be of this kind.
func (c *serveRPC) completed(op rnicsim.Op) rnicsim.Completion {
	c.t.Helper()
	var done [1]rnicsim.Completion
	if _, err := c.Wait(c.t.Context(), done[:]); err != nil || done[0].Op != op || done[0].Status != rnicsim.Success {
		c.t.Fatalf("%+v, %v, want %v", done[0], err, op)
	}
	return done[0]
}

// call calls a procedure, and waits for the Reply.
func (c *serveRPC) call(procedure int, arguments string) {
	c.t.Helper()
	c.ask("00000000 00000000 00000000", procedure, arguments)
}

// ask is call with chunk lists, in which $0, in place of a handle and of an offset, is memory of its own.
func (c *serveRPC) ask(lists string, procedure int, arguments string) {
	c.t.Helper()
	const rights = rnicsim.LocalRead | rnicsim.LocalWrite | rnicsim.RemoteRead | rnicsim.RemoteWrite
	for n := 0; n < 6; n++ {
		name := fmt.Sprint("$", n)
		if !strings.Contains(lists, name) {
			continue
		}
		stag, to, err := c.Register(make([]byte, 4096), rights)
		if err != nil {
			c.t.Fatal(err)
		}
		lists = strings.Replace(lists, name, fmt.Sprintf("%08x", uint32(stag)), 1)
		lists = strings.Replace(lists, name, fmt.Sprintf("%016x", to), 1)
	}
	c.calls++
	c.send(fmt.Sprintf("%08x 00000001 00000020 %08x %s %08x 00000000 00000002 20697763 00000001 %08x 00000000 00000000 00000000 00000000 %s",
		c.calls, 0, lists, c.calls, procedure, arguments))
	if xid := c.wait(); xid != c.calls {
		c.t.Fatalf("XID %#x, want %#x", xid, c.calls)
	}
}
