package service_test

import (
	"context"
	"fmt"
	"log"

	"github.com/iwarpkit/iwarp/rnicsim"
	"github.com/iwarpkit/iwarp/rnicsim/driver"
	"github.com/iwarpkit/iwarp/rnicsim/service"
)

// The service conform is asked for an RDMA Write.
func ExampleConformCommand() {
	ctx := context.Background()
	d, err := driver.Open(driver.Config{})
	if err != nil {
		log.Fatal(err)
	}
	defer d.Close()
	server, err := service.New(d, "conform", service.Options{})
	if err != nil {
		log.Fatal(err)
	}
	listener, err := d.Listen(ctx, "tcp", "127.0.0.1:0", driver.ListenConfig{})
	if err != nil {
		log.Fatal(err)
	}
	go func() {
		if request, err := listener.Accept(ctx); err == nil {
			server.Serve(ctx, request)
		}
	}()

	peer, err := driver.Open(driver.Config{})
	if err != nil {
		log.Fatal(err)
	}
	defer peer.Close()
	memory := make([]byte, 128)
	copy(memory[64:], "before")
	var stag rnicsim.STag
	var to uint64
	octets := func(at, n int) []rnicsim.SGE { return []rnicsim.SGE{{STag: stag, TO: to + uint64(at), Len: uint32(n)}} }
	conn, err := peer.Dial(ctx, "tcp", listener.Addr().String(), driver.ConnConfig{Prepare: func(c *driver.Conn) (err error) {
		if stag, to, err = c.Register(memory, rnicsim.LocalRead|rnicsim.LocalWrite|rnicsim.RemoteWrite); err != nil {
			return err
		}
		return c.PostReceive(rnicsim.WorkRequest{SGL: octets(0, 64)})
	}})
	if err != nil {
		log.Fatal(err)
	}

	command := service.ConformCommand{Code: service.DoWrite, Flags: service.FlagAnswer, Length: 3, STag: stag, TO: to + 64}
	b, _ := command.AppendBinary(nil)
	copy(memory, b)
	conn.Post(rnicsim.WorkRequest{Op: rnicsim.OpSend, SGL: octets(0, len(b))})
	var done [1]rnicsim.Completion
	for done[0].Op != rnicsim.OpReceive {
		if _, err := conn.Wait(ctx, done[:]); err != nil {
			log.Fatal(err)
		}
	}
	var answer service.ConformAnswer
	answer.Decode(memory[:done[0].Length])
	fmt.Printf("%v: %v, %q\n", answer.Code, answer.Status, memory[64:70])
	// Output:
	// write: done, "\x00\x00\x00ore"
}
