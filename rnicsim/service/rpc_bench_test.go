package service_test

// What RPC-over-RDMA costs, beside TCP in the same run.

import (
	"encoding/binary"
	"io"
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

// A shelf is a Program from which octets are read, and to which they are written, as files are by NFS.
type shelf struct{ book []byte }

func newShelf(*service.Calls) (rpc.Program, error) { return &shelf{make([]byte, bookLen)}, nil }

func (s *shelf) Execute(r *rpc.Request) {
	var h oncrpc.Call
	n, _ := h.Decode(r.Message)
	reply, _ := (&oncrpc.Reply{XID: h.XID}).AppendBinary(nil)
	if h.Proc == procWrite {
		copy(s.book, r.Message[n+4:])
		r.Reply(reply)
		return
	}
	reply = binary.BigEndian.AppendUint32(reply, bookLen)
	r.Reply(append(reply, s.book...), rpc.Span{At: len(reply), Length: bookLen})
}

func (*shelf) Next() []byte           { return nil }
func (*shelf) Replied(uint32, []byte) {}

// BenchmarkRPC reads and writes 64 KiB a Call, in chunks, up to 16 Calls at a time. "ratio" is that of the throughput to that of TCP alone;
// 0.6 is wanted.
func BenchmarkRPC(b *testing.B) {
	for name, proc := range map[string]uint32{"read": procRead, "write": procWrite} {
		b.Run(name, func(b *testing.B) {
			r := run(b, "rpc", service.Options{Program: newShelf})
			c := dialRequester(b, r, rpc.Options{Versions: []uint32{1}})
			calls := make([]*rpc.Call, 16)
			for xid := range calls {
				calls[xid] = shelfCall(uint32(xid), proc)
			}
			b.SetBytes(bookLen)
			plain := plainTCP(b)
			begin := time.Now()
			b.ResetTimer()
			made, over := 0, 0
			for ; made < min(b.N, len(calls)); made++ {
				c.Call(calls[made])
			}
			for over < b.N {
				for _, reply := range c.replies() {
					if over++; reply.Err != nil || proc == procRead && len(reply.Results[0]) != bookLen {
						b.Fatal(reply.Err)
					}
					if made < b.N {
						made++
						c.Call(reply.Call)
					}
				}
			}
			b.ReportMetric(plain.Seconds()/(time.Since(begin).Seconds()/float64(b.N)), "ratio")
			c.Conn.Close()
			<-r.ended
		})
	}
}

func shelfCall(xid, proc uint32) *rpc.Call {
	h := oncrpc.Call{XID: xid, RPCVers: oncrpc.Version, Prog: rpc.EchoProgram, Vers: rpc.EchoVersion, Proc: proc}
	c := &rpc.Call{Longest: 28}
	c.Message, _ = h.AppendBinary(nil)
	if proc == procRead {
		c.Results = []rpc.Result{{Longest: bookLen}}
		return c
	}
	c.Message = binary.BigEndian.AppendUint32(c.Message, bookLen)
	c.Arguments = []rpc.Argument{{At: len(c.Message), Length: bookLen}}
	c.Message = append(c.Message, make([]byte, bookLen)...)
	return c
}

// plainTCP returns how long 64 KiB take by TCP alone.
func plainTCP(b *testing.B) time.Duration {
	const pieces = 4000
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	defer l.Close()
	to, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		b.Fatal(err)
	}
	from, err := l.Accept()
	if err != nil {
		b.Fatal(err)
	}
	defer from.Close()
	begin := time.Now()
	go func() {
		octets := make([]byte, bookLen)
		for range pieces {
			to.Write(octets)
		}
		to.Close()
	}()
	octets := make([]byte, bookLen)
	for err == nil {
		_, err = from.Read(octets)
	}
	if err != io.EOF {
		b.Fatal(err)
	}
	return time.Since(begin) / pieces
}
