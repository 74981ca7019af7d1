package cli

// Pings of RPC servers: the procedure NULL over RPC-over-RDMA.

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/iwarpkit/iwarp/cmd/internal/usage"
	"github.com/iwarpkit/iwarp/codec/oncrpc"
	"github.com/iwarpkit/iwarp/codec/rpcrdma"
	"github.com/iwarpkit/iwarp/rnicsim/client"
	"github.com/iwarpkit/iwarp/rnicsim/rpc"
)

// An rpcPing holds the flags of pings of RPC servers.
type rpcPing struct {
	on      bool
	version choice // of RPC-over-RDMA
	program programFlag
}

func newRPCPing() rpcPing {
	return rpcPing{version: usage.NewChoice("1", "1", "2"), program: programFlag{oncrpc.ProgramNFS, 4}}
}

func (q *rpcPing) addFlags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.BoolVar(&q.on, "rpc", false, "call NULL of an RPC program over RPC-over-RDMA")
	q.version.AddTo(cmd, f, "rpc-version", "", "`VERSION` of RPC-over-RDMA")
	f.Var(&q.program, "program", "`N,V`: program and version")
	cmd.MarkFlagsMutuallyExclusive("rpc", "size")
}

// port returns the default port. It fails if flags need --rpc.
func (q *rpcPing) port(cmd *cobra.Command) (string, error) {
	if q.on {
		return strconv.Itoa(rpcrdma.Port), nil
	}
	for _, name := range []string{"rpc-version", "program"} {
		if cmd.Flags().Changed(name) {
			return "", fmt.Errorf("--%s needs --rpc", name)
		}
	}
	return defaultPort, nil
}

func (q *rpcPing) procedure() client.Procedure {
	p := client.Procedure{RDMA: rpcrdma.Vers1, Program: q.program.number, Version: q.program.version}
	if q.version.Value == "2" {
		p.RDMA = rpcrdma.Vers2
	}
	return p
}

// A programFlag is an RPC program and its version.
type programFlag struct {
	number  oncrpc.Program
	version uint32
}

func (p *programFlag) String() string { return fmt.Sprintf("%d,%d", uint32(p.number), p.version) }
func (p *programFlag) Type() string   { return "N,V" }

func (p *programFlag) Set(text string) error {
	number, version, _ := strings.Cut(text, ",")
	n, err := strconv.ParseUint(number, 0, 32)
	v, wrong := strconv.ParseUint(version, 0, 32)
	if err != nil || wrong != nil {
		return errors.New("want the number and the version of a program, such as 100003,4")
	}
	p.number, p.version = oncrpc.Program(n), uint32(v)
	return nil
}

// advice says what to do about an error of a ping.
func (q *rpcPing) advice(err error) error {
	var (
		refused *rpc.RefusedError
		reply   *client.RPCError
	)
	program := uint32(q.program.number)
	switch {
	case errors.As(err, &refused) && refused.Report.Err == rpcrdma.ErrCode2Vers:
		low, high := refused.Report.VersLow, refused.Report.VersHigh
		try := ""
		if v := min(high, rpcrdma.Vers2); v >= max(low, rpcrdma.Vers1) {
			try = fmt.Sprintf(", so try --rpc-version %d", v)
		}
		return fmt.Errorf("%s: the server speaks RPC-over-RDMA version %s%s", refused.Name, fromTo(low, high), try)
	case errors.As(err, &refused):
		return fmt.Errorf("the server answers the Call with %s: it cannot use the header", refused.Name)
	case !errors.As(err, &reply):
	case reply.ReplyStat == oncrpc.Accepted && reply.AcceptStat == oncrpc.ProgUnavail:
		return fmt.Errorf("%v: the server does not have program %d; name another with --program", reply.AcceptStat, program)
	case reply.ReplyStat == oncrpc.Accepted && reply.AcceptStat == oncrpc.ProgMismatch:
		return fmt.Errorf("%v: the server has version %s of program %d, so try --program %d,%d",
			reply.AcceptStat, fromTo(reply.Low, reply.High), program, program, reply.High)
	}
	return err
}

// fromTo returns a range of versions.
func fromTo(low, high uint32) string {
	if low == high {
		return strconv.FormatUint(uint64(low), 10)
	}
	return fmt.Sprintf("%d to %d", low, high)
}

// An rpcPinged is what was called.
type rpcPinged struct {
	Version        uint32 `json:"version"`
	Program        uint32 `json:"program"`
	ProgramVersion uint32 `json:"program_version"`
}

func (q *rpcPing) report() *rpcPinged {
	p := q.procedure()
	return &rpcPinged{p.RDMA, uint32(p.Program), p.Version}
}

// String returns the program and the version of RPC-over-RDMA.
func (r *rpcPinged) String() string {
	return fmt.Sprintf("program %d version %d, RPC-over-RDMA version %d", r.Program, r.ProgramVersion, r.Version)
}
