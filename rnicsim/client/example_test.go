package client_test

import (
	"context"
	"fmt"
	"log"

	"github.com/iwarpkit/iwarp/rnicsim/client"
	"github.com/iwarpkit/iwarp/rnicsim/driver"
	"github.com/iwarpkit/iwarp/rnicsim/service"
)

// A server with a region, and how long it takes to read from it.
func ExampleMeter() {
	ctx := context.Background()
	d, err := driver.Open(driver.Config{})
	if err != nil {
		log.Fatal(err)
	}
	defer d.Close()
	server, err := service.New(d, "memory", service.Options{Region: 4096})
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
	m, err := client.DialMeter(ctx, peer, "tcp", listener.Addr().String(), client.MeterConfig{Size: 4096, Depth: 16})
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
