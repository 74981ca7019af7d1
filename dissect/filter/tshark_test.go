package filter_test

// A second opinion: tshark applies the same filters to the same captures.

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/dissect/filter"
	"github.com/iwarpkit/iwarp/internal/tools"
	"github.com/iwarpkit/iwarp/pcaps/samples"
)

// shared are filters that tshark knows too, and a capture in which each matches some events and not others.
var shared = []struct {
	sample  string
	filters []string
}{
	{"rping", []string{
		"iwarp_mpa.crc_flag",
		"iwarp_mpa.crc_flag == False",
		"iwarp_mpa.rev == 1 or iwarp_mpa.rev == 2",
		"iwarp_mpa.req or iwarp_ddp.tagged",
		"iwarp_mpa.fpdu and not iwarp_ddp.untagged",
		"iwarp_mpa.key.req == 4d504120494420526571204672616d65",
		"iwarp_mpa.key.req[0:3] == \"MPA\"",
		"iwarp_mpa.key.req[4-5] == 49:44",
		"iwarp_mpa.key.req[-5:] == \"Frame\"",
		"iwarp_mpa.key.req[:3] contains \"P\"",
		"iwarp_mpa.privatedata[0:1000] == 00",
		"iwarp_mpa.key.rep matches \"rep\"",
		"iwarp_mpa.key.rep matches \"(?-i)rep\"",
		"iwarp_mpa.key.rep contains 52:65:70",
		"iwarp_mpa.key.rep > \"MPA ID\"",
		"iwarp_rdma.opcode == 3 and iwarp_ddp.msn == 1 or iwarp_ddp.stag",
		"iwarp_ddp.stag or iwarp_rdma.opcode == 3 and iwarp_ddp.msn == 1",
		"(iwarp_ddp.stag or iwarp_rdma.opcode == 3) and iwarp_ddp.msn == 1",
		"iwarp_ddp.msn in {1..2, 4}",
		"iwarp_ddp.msn not in {1..2, 4}",
		"not iwarp_ddp.msn in {1..2, 010}",
		"iwarp_ddp.msn != 0x1",
		"!(iwarp_ddp.msn == 1)",
		"iwarp_ddp.msn gt 3 && iwarp_ddp.msn le 6 || iwarp_ddp.qn ge 1",
		"ip.src == 10.0.0.1 and tcp.dstport == 7174",
		"ip.src in {10.0.0.2..10.0.0.9, 127.0.0.0/8}",
		"ip.addr != 10.0.0.2",
		"ip.addr !== 10.0.0.2",
		"ip.dst == 10.0.0.0/31",
		"all tcp.port > 7174",
		"any tcp.port > 7174",
		"tcp.port in {7174} and frame.number < 30",
		"iwarp_rdma.opcode == \"Send\"",
		"iwarp_rdma.opcode >= Send",
		"iwarp_mpa.ulpdulength == 34",
		"iwarp_mpa.pad == 00:00",
		"iwarp_rdma.rr",
		"iwarp_ddp.last_flag == 1",
	}},
	{"ipv6", []string{
		"ip.addr", "ipv6.addr", "ipv6.src == fd00::/8 and iwarp_ddp.tagged_offset > 0x1000", "ipv6.addr != ::1",
		"iwarp_ddp.last_flag == 0",
	}},
	{"mss200", []string{
		"iwarp_ddp.mo > 0", "iwarp_ddp.mo != 0", "iwarp_mpa.ulpdulength in {1..178}", "iwarp_ddp.tagged_flag === False",
	}},
	{"perf-ib_read_bw-4096-o16", []string{
		"iwarp_rdma.rdmardsz >= 4096",
		"iwarp_rdma.srcto >= 0x7f0000000000",
	}},
	{"sendinv-crc1", []string{"iwarp_rdma.inval_stag", "iwarp_rdma.inval_stag > 0x10", "iwarp_mpa.ulpdulength > 18"}},
	{"term-read-badkey", []string{
		"iwarp_rdma.term_layer", "iwarp_rdma.term_layer == 1", "iwarp_rdma.terminate and iwarp_rdma.term_hdrct_m == 1",
	}},
	{"reject-pd32", []string{"iwarp_mpa.rej_flag == 1", "iwarp_mpa.rej_flag == 0", "iwarp_mpa.pdlength > 32"}},
	{"smbdirect", []string{"iwarp_ddp.msn > 100", "iwarp_mpa.marker_flag == 0 and iwarp_mpa.rep"}},
	{"nfs-small-v4.1-inl4096-crc1", []string{
		"rpcordma",
		"rpcordma.msg_type == 1",
		"rpcordma.msg_type == \"RDMA_MSG\"",
		"rpcordma.reads_count > 0",
		"rpcordma.writes_count == 1",
		"rpcordma.reply_count",
		"rpcordma.rdma_length > 10000",
		"rpcordma.rdma_length == 4096",
		"rpcordma.rdma_length != 4096",
		"rpcordma.rdma_length === 4096",
		"rpcordma.rdma_length !== 4096",
		"all rpcordma.rdma_length >= 4096",
		"any rpcordma.rdma_length in {4096, 8192..16384}",
		"rpcordma.position > 0",
		"rpcordma.flow_control >= 64",
		"rpcordma.xid in {0..0x7fffffff}",
		"rpcordma and not rpcordma.segment_count >= 1",
		// tshark puts messages together that came in chunks, and gives a Reply the procedure of its Call.
		"rpcordma.msg_type == 0 and rpcordma.reads_count == 0 and rpc.msgtyp == 0 and nfs.opcode == 38",
		"rpcordma.msg_type == 0 and rpcordma.reads_count == 0 and rpc.msgtyp == 0 and nfs.opcode in {9, 22..24}",
		"rpcordma.msg_type == 0 and rpcordma.reads_count == 0 and rpc.msgtyp == 0 and rpc.procedure == 1",
		"rpcordma.msg_type == 0 and rpcordma.reads_count == 0 and rpc.msgtyp == 0 and rpc.auth.flavor == 1",
	}},
}

// TestTshark compares the frames that tshark and a Filter find. An FPDU, and a Send with what is in it, belongs to the
// frame that completes it. Left out are frames that complete more than one FPDU, of which tshark says what is true of
// any, and Terminates, whose enclosed headers tshark does not dissect, unless they are what is looked for.
func TestTshark(t *testing.T) {
	tools.Require(t, "tshark")
	for _, tc := range shared {
		t.Run(tc.sample, func(t *testing.T) {
			t.Parallel()
			for i, all := range tsharkFrames(t, tc.sample, tc.filters) {
				got, single := framesOf(t, tc.sample, tc.filters[i])
				want := slices.DeleteFunc(all, func(frame uint64) bool { return !single[frame] })
				if d := cmp.Diff(want, got, cmpopts.EquateEmpty()); d != "" {
					t.Errorf("%s: frames differ (-tshark +iwarp)\n%.1000s", tc.filters[i], d)
				}
			}
		})
	}
}

// framesOf are the frames in which events match, and those that can be compared with tshark's.
func framesOf(t *testing.T, sample, text string) (frames []uint64, single map[uint64]bool) {
	f := mustCompile(t, text)
	upper := f.Needs().Payload
	segments := map[uint64]int{}
	found := map[uint64]bool{}
	single = map[uint64]bool{}
	watchSample(t, sample, func(e *filter.Event) {
		var frame uint64
		switch {
		case e.StartupFrame != nil:
			frame = e.StartupFrame.LastFrame
		case e.Segment != nil:
			frame = e.Segment.LastFrame
			segments[frame]++
			terminate := e.Segment.RDMAP.Control.Opcode == rdmap.OpTerminate && !strings.Contains(text, "term")
			single[frame] = segments[frame] == 1 && !terminate
		default:
			frame = e.Message.LastFrame
		}
		if e.StartupFrame != nil {
			single[frame] = true
		}
		if upper == (e.Message != nil) && f.Match(e) {
			found[frame] = true
		}
	})
	for frame := range found {
		if single[frame] {
			frames = append(frames, frame)
		}
	}
	slices.Sort(frames)
	return frames, single
}

// listeners is a script for tshark: it prints the number of a filter, from 1, and that of each frame in which the filter matches.
const listeners = `
for i, filter in ipairs({...}) do
	local matches = Listener.new("frame", filter)
	function matches.packet(frame) io.write(i, " ", frame.number, "\n") end
end
`

// tsharkFrames are the frames with iWARP that tshark finds by each filter.
func tsharkFrames(t *testing.T, sample string, filters []string) [][]uint64 {
	script := filepath.Join(t.TempDir(), "listeners.lua")
	if err := os.WriteFile(script, []byte(listeners), 0o600); err != nil {
		t.Fatal(err)
	}
	// Without out-of-order reassembly tshark loses late FPDUs; with ports first, it takes NVMe's and SMB's for theirs.
	args := []string{"-q", "-r", samplePath(t, sample), "-X", "lua_script:" + script,
		"-o", "tcp.reassemble_out_of_order:TRUE", "-o", "tcp.try_heuristic_first:TRUE"}
	for _, text := range filters {
		args = append(args, "-X", "lua_script1:iwarp_mpa and ("+text+")")
	}
	frames := make([][]uint64, len(filters))
	for line := range strings.Lines(tools.QuietTshark(t, args...)) {
		var filter int
		var frame uint64
		if _, err := fmt.Sscan(line, &filter, &frame); err != nil {
			t.Fatalf("tshark: %q", line)
		}
		frames[filter-1] = append(frames[filter-1], frame)
	}
	return frames
}

func samplePath(t *testing.T, sample string) string {
	found, err := filepath.Glob("../../pcaps/samples/" + sample + ".pcap*")
	if err != nil || len(found) != 1 || !slices.Contains(samples.Names(), sample) {
		t.Fatalf("%s: %d files, %v", sample, len(found), err)
	}
	return found[0]
}
