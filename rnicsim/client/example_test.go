package client_test

import (
	"context"
	"fmt"
	"log"

	"github.com/iwarpkit/iwarp/codec/oncrpc"
	"github.com/iwarpkit/iwarp/rnicsim/client"
	"github.com/iwarpkit/iwarp/rnicsim/driver"
	"github.com/iwarpkit/iwarp/rnicsim/rpc"
	"github.com/iwarpkit/iwarp/rnicsim/service"
)

// listen serves one connection, and returns its address.
func listen(ctx context.Context, name string, o service.Options) string {
	d, err := driver.Open(driver.Config{})
	if err != nil {
		log.Fatal(err)
	}
	server, err := service.New(d, name, o)
	if err != nil {
		log.Fatal(err)
	}
	listener, err := d.Listen(ctx, "tcp", "127.0.0.1:0", driver.ListenConfig{})
	if err != nil {
		log.Fatal(err)
	}
	go func() {
		defer d.Close()
		if request, err := listener.Accept(ctx); err == nil {
			server.Serve(ctx, request)
		}
	}()
	return listener.Addr().String()
}

// Call a procedure of a server: its argument is an item of five octets, which it echoes.
func ExampleRPC() {
	ctx := context.Background()
	address := listen(ctx, "rpc", service.Options{})
	d, err := driver.Open(driver.Config{})
	if err != nil {
		log.Fatal(err)
	}
	defer d.Close()
	c, err := client.DialRPC(ctx, d, "tcp", address, 1, driver.ConnConfig{})
	if err != nil {
		log.Fatal(err)
	}
	defer c.Close(ctx)

	h := oncrpc.Call{XID: 1, RPCVers: oncrpc.Version, Prog: rpc.EchoProgram, Vers: rpc.EchoVersion, Proc: rpc.ProcPlain}
	message, _ := h.AppendBinary(nil)
	item := "\x00\x00\x00\x01\x00\x00\x00\x01\x00\x00\x00\x05hello\x00\x00\x00" // in XDR
	reply, err := c.Call(ctx, &rpc.Call{Message: append(message, item...), Longest: 100})
	if err != nil {
		log.Fatal(err)
	}
	var answer oncrpc.Reply
	n, err := answer.Decode(reply.Message)
	fmt.Println(answer.AcceptStat, string(reply.Message[n:]) == item, err)
	// Output: SUCCESS true <nil>
}

// A server with a region, and how long it takes to read from it.
func ExampleMeter() {
	ctx := context.Background()
	address := listen(ctx, "memory", service.Options{Region: 4096})
	d, err := driver.Open(driver.Config{})
	if err != nil {
		log.Fatal(err)
	}
	defer d.Close()
	m, err := client.DialMeter(ctx, d, "tcp", address, client.MeterConfig{Size: 4096, Depth: 16})
	if err != nil {
		log.Fatal(err)
	}
	offer, _ := m.Offer()
	fmt.Println(offer.Length, "octets, messages:", offer.Answer)

	times, err := m.Latency(ctx, client.Read, 64, 100)
	fmt.Println("reads:", times.Count, times.Median <= times.P99, err)
	rate, err := m.Bandwidth(ctx, client.Write, 4096, 100, 16)
	fmt.Println("writes:", rate.Iterations, rate.Mean() > 0, err)
	_, err = m.Bandwidth(ctx, client.Send, 64, 100, 16)
	fmt.Println(err)
	// Output:
	// 4096 octets, messages: takes none
	// reads: 100 true <nil>
	// writes: 100 true <nil>
	// client: the peer does not announce that it accepts messages
}
