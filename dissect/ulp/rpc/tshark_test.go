package rpc_test

// A second opinion: which Reply tshark finds to belong to which Call, and what the Call calls.

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/iwarpkit/iwarp/dissect/ulp/rpc"
	"github.com/iwarpkit/iwarp/internal/tools"
)

// tsharkSays is one line for each RPC that tshark shows: the frames in which Call and Reply are complete, the XID, and
// program, version, procedure and operations.
func tsharkSays(t *testing.T, file string) (all []string) {
	t.Helper()
	cmd := exec.Command("tshark", "-r", file, "-o", "tcp.reassemble_out_of_order:TRUE", "-o", "tcp.try_heuristic_first:TRUE",
		"-Y", "rpc", "-T", "fields", "-E", "aggregator=,", "-e", "frame.number", "-e", "rpc.xid", "-e", "rpc.msgtyp", "-e", "rpc.program",
		"-e", "rpc.programversion", "-e", "rpc.procedure", "-e", "rpc.repframe", "-e", "nfs.opcode", "-e", "nfs.cb.operation")
	cmd.Env = append(os.Environ(), "LC_ALL=C")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("tshark: %v\n%s", err, stderr.Bytes())
	}
	calls := map[string]string{}
	for line := range strings.Lines(string(out)) {
		c := strings.Split(strings.TrimRight(line, "\n"), "\t")
		for i, cell := range c[:7] { // fields that stand there twice, for RPC and for its program, say the same
			c[i], _, _ = strings.Cut(cell, ",")
		}
		frame, xid, kind, call := c[0], c[1], c[2], c[6]
		switch {
		case kind == "0":
			ops := strings.Trim(c[7]+","+c[8], ",")
			calls[frame] = fmt.Sprintf("%s %s %s.%s %s", xid, c[3], c[4], c[5], ops)
		case calls[call] == "" || !strings.HasPrefix(calls[call], xid):
			t.Errorf("tshark: the Reply in frame %s is to frame %q: %s", frame, call, calls[call])
		default:
			all = append(all, fmt.Sprintf("%s %s %s", call, frame, calls[call]))
		}
	}
	slices.Sort(all)
	return all
}

// weSay is the same of the recorder.
func (r *recorder) weSay() (all []string) {
	for i, x := range r.exchanges {
		tr := &r.transactions[i]
		var ops []string
		for _, op := range x.Operations {
			ops = append(ops, fmt.Sprint(uint32(op)))
		}
		for _, op := range x.Callbacks {
			ops = append(ops, fmt.Sprint(uint32(op)))
		}
		p := x.Procedure
		all = append(all, fmt.Sprintf("%d %d %#08x %d %d.%d %s", complete(x, tr.Request.LastFrame), tr.Response.LastFrame, x.XID,
			p.Program, p.Version, p.Number, strings.Join(ops, ",")))
	}
	slices.Sort(all)
	return all
}

// complete is the frame with which a Call is complete: that of the Send, or the last one of its Read chunks.
func complete(x *rpc.Exchange, frame uint64) uint64 {
	for i := range x.Reads {
		for _, s := range x.Reads[i].Segments {
			for _, m := range s.Moves {
				frame = max(frame, m.Data.LastFrame)
			}
		}
	}
	return frame
}

func TestTshark(t *testing.T) {
	tools.Require(t, "tshark")
	for name, file := range captures {
		t.Run(name, func(t *testing.T) {
			want := tsharkSays(t, file)
			if d := cmp.Diff(want, recordFile(t, file, options).weSay()); d != "" {
				t.Errorf("(-tshark +iwarp)\n%.6000s", d)
			}
			if len(want) < 500 {
				t.Errorf("tshark shows %d RPCs", len(want))
			}
		})
	}
}
