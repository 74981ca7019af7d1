package service_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"testing"

	"github.com/iwarpkit/iwarp/codec/oncrpc"
	"github.com/iwarpkit/iwarp/rnicsim"
	"github.com/iwarpkit/iwarp/rnicsim/driver"
	"github.com/iwarpkit/iwarp/rnicsim/internal/rpcwork"
	"github.com/iwarpkit/iwarp/rnicsim/rpc"
	"github.com/iwarpkit/iwarp/rnicsim/service"
)

// A Requester on an RNIC has items echoed, in chunks and in long messages, with remote invalidation and without.
func TestRPCRequester(t *testing.T) {
	for _, version := range []uint32{1, 2} {
		for _, keep := range []bool{false, true} {
			t.Run(fmt.Sprintf("version %d, NoInvalidate %v", version, keep), func(t *testing.T) {
				r := run(t, "rpc", service.Options{})
				c := dialRequester(t, r, rpc.Options{Versions: []uint32{version}, NoInvalidate: keep})
				for xid, proc := range []uint32{rpc.ProcEcho, rpc.ProcPlain, rpc.ProcEcho} {
					data := bytes.Repeat([]byte{byte(xid) + 1}, 70000*(xid+1))
					reply := c.echo(uint32(xid), proc, data)
					if proc == rpc.ProcEcho && !bytes.Equal(reply.Results[0], data) || proc == rpc.ProcPlain && !bytes.HasSuffix(reply.Message, data) {
						t.Errorf("procedure %d returns %d octets and %v", proc, len(reply.Message), reply.Err)
					}
				}
				if invalidated := c.invalidated > 0; invalidated == keep {
					t.Errorf("%d STags were invalidated by the server", c.invalidated)
				}
				c.Conn.Close()
				if err := <-r.ended; err != nil {
					t.Error(err)
				}
			})
		}
	}
}

// A program of the caller's own is served: what is written by one Call is read by the next.
func TestRPCProgram(t *testing.T) {
	for _, version := range []uint32{1, 2} {
		r := run(t, "rpc", service.Options{Program: newShelf})
		c := dialRequester(t, r, rpc.Options{Versions: []uint32{version}})
		write, read := shelfCall(1, procWrite), shelfCall(2, procRead)
		book := write.Message[write.Arguments[0].At:]
		for i := range book {
			book[i] = byte(i * 7)
		}
		c.Call(write)
		c.replies()
		c.Call(read)
		if reply := c.replies()[0]; reply.Err != nil || !bytes.Equal(reply.Results[0], book) {
			t.Errorf("version %d: %v", version, reply.Err)
		}
		c.Conn.Close()
		<-r.ended
	}
}

// A Reply may take more RDMA Writes than the SQ has room for.
func TestRPCManyWrites(t *testing.T) {
	o := rpc.Options{Versions: []uint32{2}, SegmentSize: bookLen / rpcwork.Sends, Segments: rpcwork.Sends}
	r := run(t, "rpc", service.Options{Program: newShelf, RPC: o})
	c := dialRequester(t, r, o)
	for xid := range uint32(3) {
		c.Call(shelfCall(xid, procRead))
		if reply := c.replies()[0]; reply.Err != nil || len(reply.Results[0]) != bookLen {
			t.Error(reply.Err)
		}
	}
	c.Conn.Close()
	<-r.ended
}

// What a shelf does.
const (
	procRead uint32 = iota + 1
	procWrite
	procDiscard // what is written is not kept
)

// bookLen is how many octets are read or written at a time.
const bookLen = 64 << 10

// A shelf is a Program from which octets are read, and to which they are written, as files are by NFS. It has a Reply with the octets for
// each XID, so that it copies none of them to answer a Call.
type shelf struct {
	book    []byte
	replies map[uint32][]byte
}

func newShelf(*service.Calls) (rpc.Program, error) {
	return &shelf{make([]byte, bookLen), make(map[uint32][]byte)}, nil
}

func (s *shelf) Execute(r *rpc.Request) {
	var h oncrpc.Call
	n, _ := h.Decode(r.Message)
	if h.Proc != procRead {
		if h.Proc == procWrite {
			clear(s.replies)
			copy(s.book, r.Message[n+4:])
		}
		reply, _ := (&oncrpc.Reply{XID: h.XID}).AppendBinary(nil)
		r.Reply(reply)
		return
	}
	reply := s.replies[h.XID]
	if reply == nil {
		reply, _ = (&oncrpc.Reply{XID: h.XID}).AppendBinary(nil)
		reply = append(binary.BigEndian.AppendUint32(reply, bookLen), s.book...)
		s.replies[h.XID] = reply
	}
	r.Reply(reply, rpc.Span{At: len(reply) - bookLen, Length: bookLen})
}

func (*shelf) Next() []byte           { return nil }
func (*shelf) Replied(uint32, []byte) {}

func shelfCall(xid, proc uint32) *rpc.Call {
	h := oncrpc.Call{XID: xid, RPCVers: oncrpc.Version, Prog: rpc.EchoProgram, Vers: rpc.EchoVersion, Proc: proc}
	c := &rpc.Call{Longest: 28}
	c.Message, _ = h.AppendBinary(nil)
	if proc == procRead {
		c.Results = []rpc.Result{{Longest: bookLen, Into: make([]byte, bookLen)}}
		return c
	}
	c.Message = binary.BigEndian.AppendUint32(c.Message, bookLen)
	c.Arguments = []rpc.Argument{{At: len(c.Message), Length: bookLen}}
	c.Message = append(c.Message, make([]byte, bookLen)...)
	return c
}

// A requester is a Requester on a connection.
type requester struct {
	*rpcwork.Caller
	t           testing.TB
	invalidated int
}

func dialRequester(t testing.TB, r *running, o rpc.Options) *requester {
	c, err := rpcwork.Dial(t.Context(), open(t), "tcp", r.address, rpc.NewRequester(o, nil), driver.ConnConfig{})
	if err != nil {
		t.Fatal(err)
	}
	return &requester{Caller: c, t: t}
}

// echo has an item echoed.
func (c *requester) echo(xid, proc uint32, data []byte) rpc.Reply {
	c.t.Helper()
	h := oncrpc.Call{XID: xid, RPCVers: oncrpc.Version, Prog: rpc.EchoProgram, Vers: rpc.EchoVersion, Proc: proc}
	message, _ := h.AppendBinary(nil)
	for _, word := range []uint32{1, 1, uint32(len(data))} {
		message = binary.BigEndian.AppendUint32(message, word)
	}
	call := &rpc.Call{Longest: 36 + len(data)}
	if proc == rpc.ProcEcho {
		call = &rpc.Call{
			Longest:   36,
			Arguments: []rpc.Argument{{At: len(message), Length: len(data)}}, Results: []rpc.Result{{Longest: len(data)}},
		}
	}
	call.Message = append(message, data...)
	if err := c.Call(call); err != nil {
		c.t.Fatal(err)
	}
	return c.replies()[0]
}

// replies waits for Replies.
func (c *requester) replies() []rpc.Reply {
	c.t.Helper()
	for {
		if err := c.Perform(); err != nil {
			c.t.Fatal(err)
		}
		if all := c.Replies(); len(all) > 0 {
			return all
		}
		c.complete()
	}
}

// complete handles completions.
func (c *requester) complete() {
	c.t.Helper()
	var done [16]rnicsim.Completion
	n, err := c.Conn.Wait(c.t.Context(), done[:])
	if err != nil {
		c.t.Fatal(err)
	}
	for _, d := range done[:n] {
		if d.Status != rnicsim.Success {
			c.t.Fatalf("%v: %v", d.Op, d.Status)
		}
		if d.Invalidated {
			c.invalidated++
		}
	}
	if err := c.Completed(done[:n]); err != nil {
		c.t.Fatal(err)
	}
}
