package service_test

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/iwarpkit/iwarp/rnicsim"
	"github.com/iwarpkit/iwarp/rnicsim/driver"
	"github.com/iwarpkit/iwarp/rnicsim/rpc"
	"github.com/iwarpkit/iwarp/rnicsim/service"
)

// An rpcCaller is a client of rpc: a caller with Receives of 1024 octets.
type rpcCaller struct {
	*caller
	posted int // Receives, one after the other
}

const (
	rpcReceive  = 1024
	rpcReceives = 40    // at the start of the memory
	rpcMessage  = 41000 // in the memory: what is sent
	rpcSource   = 45000 // likewise: what is read by the server
	rpcSink     = 50000 // likewise: what is written
)

func dialRPC(t testing.TB, r *running, private string, qp rnicsim.QPConfig) *rpcCaller {
	t.Helper()
	c := &rpcCaller{caller: &caller{t: t, memory: make([]byte, clientMemory)}}
	config := driver.ConnConfig{QP: qp, Private: rpcOctets(t, private), Prepare: func(conn *driver.Conn) error {
		c.Conn = conn
		err := c.prepare(0)(conn)
		for range rpcReceives {
			err = errors.Join(err, c.postReceive())
		}
		return err
	}}
	if _, err := open(t).Dial(t.Context(), "tcp", r.address, config); err != nil {
		t.Fatal(err)
	}
	return c
}

func (c *rpcCaller) postReceive() error {
	at := c.posted % rpcReceives * rpcReceive
	c.posted++
	return c.PostReceive(rnicsim.WorkRequest{ID: uint64(at), SGL: c.sgl(at, rpcReceive)})
}

// rpcOctets returns words in hexadecimal digits; SSSS is put in place of an STag by whoever has it.
func rpcOctets(t testing.TB, text string) []byte {
	t.Helper()
	b, err := hex.DecodeString(strings.Join(strings.Fields(text), ""))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// call sends a message, whose "$source" and "$sink" are segments except for the length, after it.
func (c *rpcCaller) call(message string) {
	c.t.Helper()
	for name, at := range map[string]int{"$source": rpcSource, "$sink": rpcSink} {
		for {
			before, after, found := strings.Cut(message, name)
			if !found {
				break
			}
			length := strings.Fields(after)[0]
			message = before + fmt.Sprintf("%08x %s %016x", uint32(c.sge.STag), length, c.sge.TO+uint64(at)) +
				strings.TrimPrefix(strings.TrimLeft(after, " "), length)
		}
	}
	b := rpcOctets(c.t, message)
	copy(c.memory[rpcMessage:], b)
	c.post(rnicsim.WorkRequest{Op: rnicsim.OpSend, SGL: c.sgl(rpcMessage, len(b))})
	c.wait(rnicsim.OpSend, 1)
}

// reply waits for a message.
func (c *rpcCaller) reply() ([]byte, rnicsim.Completion) {
	c.t.Helper()
	d := c.wait(rnicsim.OpReceive, 1)[0]
	message := bytes.Clone(c.memory[d.WRID:][:d.Length])
	if err := c.postReceive(); err != nil {
		c.t.Fatal(err)
	}
	return message, d
}

// wants waits for a message that ends with these words, and begins with the XID and version 1.
func (c *rpcCaller) wants(xid uint32, words string) rnicsim.Completion {
	c.t.Helper()
	b, d := c.reply()
	want := rpcOctets(c.t, words)
	if len(b) < 16 || binary.BigEndian.Uint32(b) != xid || b[7] != 1 || !bytes.HasSuffix(b[8:], want) {
		c.t.Fatalf("% x\nwant XID %#x, and at the end\n% x", b, xid, want)
	}
	return d
}

const (
	rpcLists = " 00000000 00000000 00000000 "
	rpcCall  = " 00000000 00000002 20697763 00000001 "
	rpcAuth  = " 00000000 00000000 00000000 00000000 "
	rpcOK    = " 00000001 00000000 00000000 00000000 00000000 "
)

func rpcNull(xid uint32) string {
	return fmt.Sprintf("%08x 00000001 00000020 00000000"+rpcLists+"%08x"+rpcCall+"00000000"+rpcAuth, xid, xid)
}

// Calls with data inline, in chunks and as a whole in chunks; the octets go over TCP.
func TestRPC(t *testing.T) {
	r := run(t, "rpc", service.Options{})
	c := dialRPC(t, r, "", rnicsim.QPConfig{})
	frame := c.Reply()
	if got := hex.EncodeToString(frame.ULPPrivateData()); got != "f6ab0e1801010303" {
		t.Errorf("Private Data %s", got)
	}
	c.call(rpcNull(1))
	if d := c.wants(1, "00000020 00000000"+rpcLists+"00000001"+rpcOK); d.Invalidated {
		t.Error("the Reply invalidates an STag")
	}

	copy(c.memory[rpcSource:], "what is read")
	c.call("00000002 00000001 00000020 00000000 00000001 00000034 $source 0000000c 00000000 " +
		"00000001 00000001 $sink 00000010 00000000 00000000 00000002" + rpcCall + "00000001" + rpcAuth + "00000001 00000001 0000000c")
	c.wants(2, fmt.Sprintf("00000001 00000001 %08x 0000000c %016x 00000000 00000000 00000002"+rpcOK+"00000001 00000001 0000000c",
		uint32(c.sge.STag), c.sge.TO+rpcSink))
	if got := string(c.memory[rpcSink:][:13]); got != "what is read\x00" {
		t.Errorf("%q was written", got)
	}

	long := rpcOctets(t, "00000003"+rpcCall+"00000002"+rpcAuth+"00000001 00000001 00000400"+strings.Repeat("a5", 1024))
	copy(c.memory[rpcSource:], long)
	c.call(fmt.Sprintf("00000003 00000001 00000020 00000001 00000001 00000000 $source %08x 00000000 00000000 "+
		"00000001 00000001 $sink 00000800", len(long)))
	c.wants(3, fmt.Sprintf("00000001 00000000 00000000 00000001 00000001 %08x 00000424 %016x", uint32(c.sge.STag), c.sge.TO+rpcSink))
	if want := append(rpcOctets(t, "00000003"+rpcOK), long[40:]...); !bytes.Equal(c.memory[rpcSink:][:len(want)], want) {
		t.Errorf("% x was written", c.memory[rpcSink:][:100])
	}
	if err := c.finish(r); err != nil {
		t.Error(err)
	}
}

// With R in both Private Data the Reply invalidates the STag of the Call.
func TestRPCInvalidates(t *testing.T) {
	r := run(t, "rpc", service.Options{})
	c := dialRPC(t, r, "f6ab0e18 01010000", rnicsim.QPConfig{})
	sink := make([]byte, 64)
	stag, to, err := c.Register(sink, rnicsim.LocalRead|rnicsim.LocalWrite|rnicsim.RemoteWrite)
	if err != nil {
		t.Fatal(err)
	}
	c.call(fmt.Sprintf("00000001 00000001 00000020 00000000 00000000 00000001 00000001 %08x 00000040 %016x 00000000 00000000 00000001"+
		rpcCall+"00000000"+rpcAuth, uint32(stag), to))
	if d := c.wants(1, "00000001"+rpcOK); !d.Invalidated || d.STag != stag {
		t.Errorf("%+v, want STag %v invalidated", d, stag)
	}
	c.finish(r)
}

// As many Calls as are granted may come at once, and as many again once they are answered; more than there are
// Receives end the connection.
func TestRPCCredits(t *testing.T) {
	r := run(t, "rpc", service.Options{RPC: rpc.Options{Credits: 32}})
	c := dialRPC(t, r, "", rnicsim.QPConfig{})
	for round := range uint32(3) {
		for n := range uint32(32) {
			c.call(rpcNull(100*round + n))
		}
		for n := range uint32(32) {
			c.wants(100*round+n, rpcOK)
		}
	}
	if err := c.finish(r); err != nil {
		t.Error(err)
	}
}

// A message that is longer than a Receive ends the connection.
func TestRPCTooLong(t *testing.T) {
	r := run(t, "rpc", service.Options{ReceiveSize: 1024})
	c := dialRPC(t, r, "", rnicsim.QPConfig{})
	frame := c.Reply()
	if got := hex.EncodeToString(frame.ULPPrivateData()); got != "f6ab0e1801010000" {
		t.Errorf("Private Data %s", got)
	}
	c.post(rnicsim.WorkRequest{Op: rnicsim.OpSend, SGL: c.sgl(0, 1025)})
	<-c.Done()
	var end *driver.Terminated
	if err := c.Err(); !errors.As(err, &end) || end.Local || end.Terminate.Code.String() != "1/2/05" {
		t.Errorf("ended by %v", err)
	}
}

// The server calls back.
func TestRPCCallsBack(t *testing.T) {
	r := run(t, "rpc", service.Options{})
	c := dialRPC(t, r, "", rnicsim.QPConfig{})
	c.call("00000001 00000001 00000020 00000000" + rpcLists + "00000001" + rpcCall + "00000004" + rpcAuth + "00000003 00000000")
	c.wants(1, "00000001"+rpcOK)
	for n := range uint32(3) {
		xid := 0x69776301 + n
		c.wants(xid, fmt.Sprintf("00000010 00000000"+rpcLists+"%08x"+rpcCall+"00000000"+rpcAuth, xid))
		c.call(fmt.Sprintf("%08x 00000001 00000001 00000000"+rpcLists+"%08x"+rpcOK, xid, xid))
	}
	c.call("00000002 00000001 00000020 00000000" + rpcLists + "00000002" + rpcCall + "00000003" + rpcAuth)
	c.wants(2, "00000002"+rpcOK+"00000001 00000003 00000003 00000000")
	if err := c.finish(r); err != nil {
		t.Error(err)
	}
}

// A client without IRD gets an error for a Call that needs an RDMA Read.
func TestRPCWithoutReads(t *testing.T) {
	r := run(t, "rpc", service.Options{})
	c := dialRPC(t, r, "", rnicsim.QPConfig{IRD: -1, RemoteRead: true, RemoteWrite: true})
	c.call("00000001 00000001 00000020 00000001 00000001 00000000 $source 00000028 00000000 00000000 00000000")
	c.wants(1, "00000020 00000004 00000002")
	c.call(rpcNull(2))
	c.wants(2, rpcOK)
	c.finish(r)
}

// Tamper may close a connection.
func TestRPCCloses(t *testing.T) {
	r := run(t, "rpc", service.Options{RPC: rpc.Options{Tamper: func(o *rpc.Outgoing) { o.Close = true }}})
	c := dialRPC(t, r, "", rnicsim.QPConfig{})
	b := rpcOctets(t, rpcNull(1))
	copy(c.memory[rpcMessage:], b)
	c.post(rnicsim.WorkRequest{Op: rnicsim.OpSend, SGL: c.sgl(rpcMessage, len(b))})
	if err := <-r.ended; err != nil {
		t.Error(err)
	}
	<-c.Done()
	replies := 0
	var done [64]rnicsim.Completion
	for n, err := c.Wait(t.Context(), done[:]); err == nil; n, err = c.Wait(t.Context(), done[:]) {
		for _, d := range done[:n] {
			if d.Op == rnicsim.OpReceive && d.Status == rnicsim.Success {
				replies++
			}
		}
	}
	if replies != 1 {
		t.Errorf("%d messages came", replies)
	}
}
