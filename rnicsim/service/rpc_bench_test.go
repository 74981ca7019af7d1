package service_test

// What RPC-over-RDMA costs, beside TCP in the same run.

import (
	"encoding/binary"
	"net"
	"testing"
	"time"

	"github.com/iwarpkit/iwarp/codec/oncrpc"
	"github.com/iwarpkit/iwarp/rnicsim/rpc"
	"github.com/iwarpkit/iwarp/rnicsim/service"
)

// What a shelf does.
const (
	procRead uint32 = iota + 1
	procWrite
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
	if h.Proc == procWrite {
		clear(s.replies)
		copy(s.book, r.Message[n+4:])
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

// BenchmarkRPC reads and writes 64 KiB a Call, in chunks, up to 16 Calls at a time. "ratio" is that of the throughput to that of TCP alone,
// which has its turn after each few Calls; 0.6 is wanted.
func BenchmarkRPC(b *testing.B) {
	const turn = 256 // Calls
	for name, proc := range map[string]uint32{"read": procRead, "write": procWrite} {
		b.Run(name, func(b *testing.B) {
			r := run(b, "rpc", service.Options{Program: newShelf})
			c := dialRequester(b, r, rpc.Options{Versions: []uint32{1}})
			calls := make([]*rpc.Call, 16)
			for xid := range calls {
				calls[xid] = shelfCall(uint32(xid), proc)
			}
			alone := newAlone(b)
			var own, plain time.Duration
			b.SetBytes(bookLen)
			b.ResetTimer()
			for done := 0; done < b.N; done += turn {
				own += makeCalls(b, c, calls, min(turn, b.N-done))
				b.StopTimer()
				plain += alone.pass(min(turn, b.N-done))
				b.StartTimer()
			}
			b.ReportMetric(plain.Seconds()/own.Seconds(), "ratio")
			c.Conn.Close()
			<-r.ended
		})
	}
}

// makeCalls makes n Calls, again and again those that are given, and returns how long that takes.
func makeCalls(b *testing.B, c *requester, calls []*rpc.Call, n int) time.Duration {
	begin := time.Now()
	made, over := min(n, len(calls)), 0
	for _, call := range calls[:made] {
		c.Call(call)
	}
	for over < n {
		for _, reply := range c.replies() {
			over++
			if reply.Err != nil || len(reply.Call.Results) > 0 && len(reply.Results[0]) != bookLen {
				b.Fatal(reply.Err)
			}
			if made < n {
				made++
				c.Call(reply.Call)
			}
		}
	}
	return time.Since(begin)
}

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

// An alone is a connection of TCP alone.
type alone struct {
	b        *testing.B
	from, to net.Conn
	octets   [2][]byte
}

func newAlone(b *testing.B) *alone {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	defer l.Close()
	a := &alone{b: b, octets: [2][]byte{make([]byte, bookLen), make([]byte, bookLen)}}
	if a.to, err = net.Dial("tcp", l.Addr().String()); err != nil {
		b.Fatal(err)
	}
	if a.from, err = l.Accept(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		a.from.Close()
		a.to.Close()
	})
	return a
}

// pass returns how long n times 64 KiB take.
func (a *alone) pass(n int) time.Duration {
	begin := time.Now()
	go func() {
		for range n {
			a.to.Write(a.octets[0])
		}
	}()
	for left := n * bookLen; left > 0; {
		n, err := a.from.Read(a.octets[1])
		if left -= n; err != nil {
			a.b.Fatal(err)
		}
	}
	return time.Since(begin)
}
