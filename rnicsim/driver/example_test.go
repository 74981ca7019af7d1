package driver_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"log"

	"github.com/iwarpkit/iwarp/rnicsim"
	"github.com/iwarpkit/iwarp/rnicsim/driver"
)

// A server lets a client write and read its memory, which it advertises in the Private Data of its Reply.
func Example() {
	ctx := context.Background()
	server, err := driver.Open(driver.Config{})
	if err != nil {
		log.Fatal(err)
	}
	defer server.Close()
	listener, err := server.Listen(ctx, "tcp", "127.0.0.1:0", driver.ListenConfig{})
	if err != nil {
		log.Fatal(err)
	}
	memory := make([]byte, 64)
	stag, to, err := server.Register(memory, rnicsim.LocalRead|rnicsim.LocalWrite|rnicsim.RemoteRead|rnicsim.RemoteWrite)
	if err != nil {
		log.Fatal(err)
	}
	go func() {
		request, err := listener.Accept(ctx)
		if err != nil {
			log.Fatal(err)
		}
		private := binary.BigEndian.AppendUint64(nil, to)
		private = binary.BigEndian.AppendUint32(private, uint32(stag))
		if _, err := request.Accept(ctx, driver.ConnConfig{Private: private}); err != nil {
			log.Fatal(err)
		}
	}()

	client, err := driver.Open(driver.Config{})
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()
	conn, err := client.Dial(ctx, "tcp", listener.Addr().String(), driver.ConnConfig{})
	if err != nil {
		log.Fatal(err)
	}
	reply := conn.Reply()
	private := reply.ULPPrivateData()
	remoteTO, remote := binary.BigEndian.Uint64(private), rnicsim.STag(binary.BigEndian.Uint32(private[8:]))

	// The Write is executed first: messages stay in order.
	source, from, _ := conn.Register([]byte("hello, memory"), rnicsim.LocalRead)
	octets := make([]byte, 13)
	sink, at, _ := conn.Register(octets, rnicsim.LocalWrite|rnicsim.RemoteWrite)
	err = conn.Post(
		rnicsim.WorkRequest{ID: 1, Op: rnicsim.OpWrite, SGL: []rnicsim.SGE{{STag: source, TO: from, Len: 13}}, Remote: remote, RemoteTO: remoteTO},
		rnicsim.WorkRequest{ID: 2, Op: rnicsim.OpRead, Local: rnicsim.SGE{STag: sink, TO: at, Len: 13}, Remote: remote, RemoteTO: remoteTO},
	)
	if err != nil {
		log.Fatal(err)
	}
	var done [2]rnicsim.Completion
	for n := 0; n < 2; {
		m, err := conn.Wait(ctx, done[n:])
		if err != nil {
			log.Fatal(err)
		}
		n += m
	}
	for _, c := range done {
		fmt.Println(c.Op, c.WRID, c.Status)
	}
	fmt.Printf("%q\n", octets)

	conn.Close()
	<-conn.Done()
	fmt.Println(conn.Err())
	// Output:
	// Write 1 Success
	// Read 2 Success
	// "hello, memory"
	// <nil>
}
