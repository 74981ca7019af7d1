package proxy_test

import (
	"context"
	"fmt"
	"io"
	"net"

	"github.com/iwarpkit/iwarp/replay/proxy"
)

// A server is reached through a Proxy.
func Example() {
	server, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		fmt.Println(err)
		return
	}
	go func() {
		nc, _ := server.Accept()
		io.Copy(nc, nc)
		nc.Close()
	}()
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	over := make(chan struct{})
	p, err := proxy.Listen(ctx, []proxy.Route{{Listen: "127.0.0.1:0", To: server.Addr().String()}}, proxy.Config{
		Ended: func(c *proxy.Conn, _ *proxy.Ending) {
			fmt.Println(c.Octets(proxy.Client), "octets there,", c.Octets(proxy.Server), "back")
			close(over)
		},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	served := make(chan struct{})
	go func() {
		defer close(served)
		p.Serve(ctx)
	}()
	nc, err := net.Dial("tcp", p.Addrs()[0].String())
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Fprint(nc, "hello")
	nc.(*net.TCPConn).CloseWrite()
	answer, err := io.ReadAll(nc)
	<-over
	fmt.Printf("%s %v\n", answer, err)
	stop()
	<-served
	// Output:
	// 5 octets there, 5 back
	// hello <nil>
}
