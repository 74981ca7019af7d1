package cli

// iwarp conform --service rpc-client: not a peer, but a proxy between a client and its server, which alters answers.

import (
	"context"
	"errors"
	"fmt"
	"net"

	cases "github.com/iwarpkit/iwarp/replay/conform"
	"github.com/iwarpkit/iwarp/replay/conform/rpcclient"
	"github.com/iwarpkit/iwarp/rnicsim/driver"
)

func (c *conform) askClient(ctx context.Context, some []cases.Question, kept *progress) (*cases.Report, error) {
	progress := conformProgress{statusLine: c.progressLine(), total: len(some)}
	expect, err := c.expectations()
	if err != nil {
		return nil, err
	}
	runs, err := c.newRuns()
	if err != nil {
		return nil, err
	}
	report, err := rpcclient.Run(ctx, some, rpcclient.Options{
		Listen: c.listen, Server: c.peer, Patience: c.timeout.value, Expect: expect,
		Listening: c.listening,
		Begin: func(q cases.Question) func(driver.Traffic) {
			kept.begin(q)
			return runs.begin(q).tap(true)
		},
		Done: func(r *cases.Result) {
			runs.over(r)
			kept.over(r)
			progress.over(r)
		},
	})
	progress.clear()
	if server := new(rpcclient.ServerError); errors.As(err, &server) {
		return nil, unreachable(c.peer, server.Err)
	}
	if err != nil {
		return nil, unreachable(c.listen, err)
	}
	return report, nil
}

// listening says where the client connects.
func (c *conform) listening(at net.Addr) {
	if c.quiet {
		return
	}
	fmt.Fprintf(c.Err, "listening on %v\n", at)
	if isPublic(at) {
		fmt.Fprintf(c.Err, "whoever reaches %v reaches %s: there is no authentication\n", at, c.peer)
	}
}
