package rpcclient_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/iwarpkit/iwarp/replay/conform"
	"github.com/iwarpkit/iwarp/replay/conform/rpcclient"
	"github.com/iwarpkit/iwarp/rnicsim/client"
	"github.com/iwarpkit/iwarp/rnicsim/driver"
	"github.com/iwarpkit/iwarp/rnicsim/rpc"
	"github.com/iwarpkit/iwarp/rnicsim/service"
)

// What clients are asked, section by section.
func Example() {
	var last *conform.Section
	for _, q := range rpcclient.Questions() {
		if q.Section != last {
			fmt.Println(q.Section.ID(), q.Section.Title)
		}
		last = q.Section
	}
	// Output:
	// RFC8166/3.3.1 credits
	// RFC8166/3.3.3 sizes without Private Data
	// RFC8166/3.4.6 Write chunks
	// RFC8166/4.1.2 lists
	// RFC8166/4.2.2 rdma_vers
	// RFC8166/4.2.4 rdma_proc
	// RFC8166/4.3.1 the Read list
	// RFC8166/4.3.3 the Reply chunk
	// RFC8166/4.4.1 memory of Calls that are over
	// RFC8166/4.5 errors
	// RFC8166/4.6.1 RDMA_MSGP
	// RFC8166/4.6.2 RDMA_DONE
	// RFC8166/6.1 eligible results
	// RFC8166/8.1 memory that was not offered
	// RFC8167/2.4 XIDs
	// RFC8167/2.4.1 XIDs of both directions
	// RFC8167/4.1 credits
	// RFC8167/4.3.1 Receives
	// RFC8167/5.1 Calls in the reverse direction
	// RFC8167/5.3 chunks in the reverse direction
	// RFC8797/4 Private Data
	// RFC8797/4.1 remote invalidation
	// RFC8797/4.2 sizes
	// RFC8797/5.1 no Private Data
	// RFC8797/5.2 Private Data of other protocols
	// RFC8797/6 other versions
	// draft-ietf-nfsv4-rpcrdma-version-two-01/4.3.6 Write chunks
	// draft-ietf-nfsv4-rpcrdma-version-two-01/7.1.1 RDMA2_ERR_VERS
	// draft-ietf-nfsv4-rpcrdma-version-two-01/7.3.1 RDMA2_ERR_READ_CHUNKS
	// draft-ietf-nfsv4-rpcrdma-version-two-01/7.3.2 RDMA2_ERR_WRITE_CHUNKS
	// draft-ietf-nfsv4-rpcrdma-version-two-01/7.3.3 RDMA2_ERR_SEGMENTS
	// draft-ietf-nfsv4-rpcrdma-version-two-01/7.3.4 RDMA2_ERR_WRITE_RESOURCE
	// draft-ietf-nfsv4-rpcrdma-version-two-01/7.3.5 RDMA2_ERR_REPLY_RESOURCE
	// draft-ietf-nfsv4-rpcrdma-version-two-01/7.4.1 RDMA2_ERR_SYSTEM
	// draft-ietf-nfsv4-rpcrdma-version-two-01/A.1 eligible results
}

// serve runs the service rpc until the end of the test, and returns its address. After stop it listens no more.
func serve(t *testing.T) (address string, stop func()) {
	d := open(t)
	s, err := service.New(d, "rpc", service.Options{})
	if err != nil {
		t.Fatal(err)
	}
	l, err := d.Listen(t.Context(), "tcp", "127.0.0.1:0", driver.ListenConfig{})
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		for {
			r, err := l.Accept(t.Context())
			if err != nil {
				return
			}
			go s.Serve(t.Context(), r)
		}
	}()
	return l.Addr().String(), func() { l.Close() }
}

func open(t *testing.T) *driver.Device {
	d, err := driver.Open(driver.Config{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	return d
}

// use calls NULL again and again, on a new connection after each end of one.
func use(ctx context.Context, d *driver.Device, address string) {
	called := client.Procedure{RDMA: 1, Program: rpc.EchoProgram, Version: rpc.EchoVersion}
	for ctx.Err() == nil {
		p, err := client.DialRPCPinger(ctx, d, "tcp", address, called, driver.ConnConfig{})
		for err == nil {
			_, err = p.Ping(ctx)
		}
		if p != nil {
			p.Conn().Abort()
		}
	}
}

// Over sockets, a client that numbers its Calls anew on each connection seems to make a refused one again. The run ends with its context.
// Each case has the traffic of its connections.
func TestRun(t *testing.T) {
	all, err := conform.Select(rpcclient.Questions(), []string{"RFC8166/4.5/err-chunk", "RFC8166/4.2.2/version-0", "RFC8797/4/reserved-bits", "RFC8797/6"})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	d := open(t)
	traffic := make(map[string]bool)
	address, _ := serve(t)
	report, err := rpcclient.Run(ctx, all, rpcclient.Options{
		Listen: "127.0.0.1:0", Server: address, Listening: func(a net.Addr) { go use(ctx, d, a.String()) },
		Begin: func(q conform.Question) func(driver.Traffic) {
			var once sync.Once
			return func(driver.Traffic) { once.Do(func() { traffic[q.ID()] = true }) }
		},
		Done: func(r *conform.Result) {
			if r.Name == "reserved-bits" {
				stop()
			}
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	want := []conform.Verdict{conform.Pass, conform.Fail, conform.Pass, conform.NotRun}
	for i := range report.Results {
		if r := &report.Results[i]; r.Verdict != want[i] || traffic[r.ID()] != (r.Verdict != conform.NotRun) {
			t.Errorf("%s: %v: %s", r.ID(), r.Verdict, r.Detail)
		}
	}
}

// A server that is not there, or not any more, ends the run with the reason, without waiting for the client.
func TestUnreachable(t *testing.T) {
	all, err := conform.Select(rpcclient.Questions(), []string{"RFC8166/4.5"})
	if err != nil {
		t.Fatal(err)
	}
	d := open(t)
	address, leave := serve(t)
	report, err := rpcclient.Run(t.Context(), all, rpcclient.Options{
		Listen: "127.0.0.1:0", Server: address, Listening: func(a net.Addr) {
			leave()
			go use(t.Context(), d, a.String())
		},
	})
	if err != nil || !errors.Is(report.Gone, syscall.ECONNREFUSED) || report.Results[0].Verdict != conform.Error {
		t.Fatalf("%v: %+v", err, report)
	}
	for _, r := range report.Results[1:] {
		if r.Verdict != conform.NotRun || r.Detail != "the server cannot be reached any more" {
			t.Errorf("%s: %v: %s", r.ID(), r.Verdict, r.Detail)
		}
	}
	_, err = rpcclient.Run(t.Context(), all, rpcclient.Options{Listen: "127.0.0.1:0", Server: address})
	if unreachable := new(rpcclient.ServerError); !errors.As(err, &unreachable) || !errors.Is(err, syscall.ECONNREFUSED) {
		t.Error(err)
	}
}

// A client that makes no Calls any more ends the run.
func TestSilent(t *testing.T) {
	all, err := conform.Select(rpcclient.Questions(), []string{"RFC8797/4/reserved-bits", "RFC8166/4.5"})
	if err != nil {
		t.Fatal(err)
	}
	d := open(t)
	address, _ := serve(t)
	ctx, crash := context.WithCancel(t.Context())
	done := 0
	report, err := rpcclient.Run(t.Context(), all, rpcclient.Options{
		Listen: "127.0.0.1:0", Server: address, Patience: time.Second, Listening: func(a net.Addr) { go use(ctx, d, a.String()) },
		Done: func(r *conform.Result) {
			if done++; done == 1 {
				crash()
				time.Sleep(100 * time.Millisecond) // for a Call that is under way
			}
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	silent := new(rpcclient.SilentError)
	if !errors.As(report.Gone, &silent) || report.Results[0].Verdict == conform.NotRun {
		t.Fatalf("%v, after %+v", report.Gone, report.Results[0])
	}
	last := report.Results[len(report.Results)-1]
	if last.Verdict != conform.NotRun || last.Detail != "the client makes no Call any more" || last.Took != 0 {
		t.Errorf("%+v", last)
	}
}
