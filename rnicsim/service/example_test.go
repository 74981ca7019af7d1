package service_test

import (
	"context"
	"fmt"
	"log"

	"github.com/iwarpkit/iwarp/rnicsim"
	"github.com/iwarpkit/iwarp/rnicsim/client"
	"github.com/iwarpkit/iwarp/rnicsim/driver"
	"github.com/iwarpkit/iwarp/rnicsim/service"
)

// A server of rping, and one ping.
func Example() {
	ctx := context.Background()
	d, err := driver.Open(driver.Config{RNIC: rnicsim.Config{Name: "server"}})
	if err != nil {
		log.Fatal(err)
	}
	defer d.Close()
	messages := make(chan service.Event, 2)
	server, err := service.New(d, "rping", service.Options{Observe: func(e service.Event) {
		if e.Type == service.Message {
			messages <- e
		}
	}})
	if err != nil {
		log.Fatal(err)
	}
	listener, err := d.Listen(ctx, "tcp", "127.0.0.1:0", driver.ListenConfig{})
	if err != nil {
		log.Fatal(err)
	}
	go func() {
		for {
			request, err := listener.Accept(ctx)
			if err != nil {
				return
			}
			go server.Serve(ctx, request)
		}
	}()

	peer, err := driver.Open(driver.Config{})
	if err != nil {
		log.Fatal(err)
	}
	defer peer.Close()
	p, err := client.DialPinger(ctx, peer, "tcp", listener.Addr().String(), 64, driver.ConnConfig{})
	if err != nil {
		log.Fatal(err)
	}
	_, err = p.Ping(ctx)
	fmt.Println("ping:", err)
	for range 2 {
		e := <-messages
		fmt.Println("message of", e.Completion.Length, "octets")
	}
	// Output:
	// ping: <nil>
	// message of 16 octets
	// message of 16 octets
}
