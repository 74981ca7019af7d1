package rnicsim_test

import (
	"fmt"

	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/rnicsim"
)

// An end is an RNIC with one QP, and its side of a connection.
type end struct {
	rnic   *rnicsim.RNIC
	pd     *rnicsim.PD
	cq     *rnicsim.CQ
	qp     *rnicsim.QP
	stream *rnicsim.Stream
}

func newEnd() *end {
	e := &end{rnic: rnicsim.New(rnicsim.Config{})}
	e.pd, _ = e.rnic.AllocatePD()
	e.cq, _ = e.rnic.CreateCQ(16, 0)
	e.qp, _ = e.rnic.CreateQP(rnicsim.QPConfig{
		PD: e.pd, SendCQ: e.cq, RecvCQ: e.cq, SQ: 4, RQ: 4, SendSGEs: 1, WriteSGEs: 1, RecvSGEs: 1,
		RemoteRead: true, RemoteWrite: true, ORD: 1, IRD: 1,
	})
	e.stream = rnicsim.New(rnicsim.Config{}).NewStream(rnicsim.StreamConfig{Rev: mpa.Rev1, CRC: true})
	return e
}

// exchange moves octets until neither end has any: a driver does it with a TCP connection in between.
func exchange(a, b *end) {
	for {
		x, y := a.stream.AppendTransmit(nil, 1<<16), b.stream.AppendTransmit(nil, 1<<16)
		if len(x)+len(y) == 0 {
			return
		}
		b.stream.Input(x)
		a.stream.Input(y)
	}
}

// An RDMA Write, and a Send that announces it.
func Example() {
	client, server := newEnd(), newEnd()

	// Both sides agree on MPA, and attach their QPs to the stream.
	server.stream.Listen()
	client.stream.Connect(nil)
	exchange(client, server)
	server.stream.Accept(nil)
	exchange(client, server)
	server.qp.Modify(rnicsim.Modification{State: rnicsim.RTS, Stream: server.stream})
	client.qp.Modify(rnicsim.Modification{State: rnicsim.RTS, Stream: client.stream})

	// The server has advertised its memory to the client before.
	memory := make([]byte, 16)
	const writable = rnicsim.LocalWrite | rnicsim.RemoteWrite
	sink, _ := server.rnic.RegisterOctets(server.pd, memory, 0, writable, 1)
	source, _ := client.rnic.RegisterOctets(client.pd, []byte("hello, server"), 0, rnicsim.LocalRead, 1)

	server.qp.PostRQ(rnicsim.WorkRequest{ID: 1})
	client.qp.PostSQ(
		rnicsim.WorkRequest{ID: 2, Op: rnicsim.OpWrite, SGL: []rnicsim.SGE{{STag: source, Len: 13}}, Remote: sink},
		rnicsim.WorkRequest{ID: 3, Op: rnicsim.OpSend},
	)
	exchange(client, server)

	var done [4]rnicsim.Completion
	n, _ := client.cq.Poll(done[:])
	for _, c := range done[:n] {
		fmt.Println("client:", c.Op, c.WRID, c.Status)
	}
	n, _ = server.cq.Poll(done[:])
	for _, c := range done[:n] {
		fmt.Println("server:", c.Op, c.WRID, c.Status)
	}
	fmt.Printf("%q\n", memory[:13])
	// Output:
	// client: Write 2 Success
	// client: Send 3 Success
	// server: Receive 1 Success
	// "hello, server"
}
