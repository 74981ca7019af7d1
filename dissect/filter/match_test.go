package filter_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/iwarpkit/iwarp/dissect/filter"
)

const all = "finding nothing read reply request segment send terminate transaction upper write"

// matching are filters, and which of the events made by hand they match.
var matching = []struct{ filter, want string }{
	{"", all},
	{"conn", "finding read reply request segment send terminate transaction upper write"},

	// The event's own fields.
	{"frame == 6", "write"},
	{"last_frame == 9", "write"},
	{"frame.number in {9, 10}", "read transaction write"},
	{"frame >= 4 and last_frame <= 5", "reply request"},
	{"time < 4.5", "reply request"},
	{"time == 3", "request"},
	{"time >= 3.000000001 && time <= 4.0", "reply"},
	{"time in {3..4}", "reply request"},
	{"time < -1", ""},
	{"frame.time_relative == 3000ms", "request"},
	{`frame.time == "2026-03-04T05:06:10"`, "request"},
	{`time >= "2026-03-04 05:06:10" and time < "2026-03-04T07:06:12+02:00"`, "reply request"},
	{`time < "2026-03-04"`, ""},
	{"conn == 1", "send upper"},
	{"dir == c2s", "finding request segment send upper write"},
	{"dir != C2S", "read reply terminate transaction"},
	{"src == 10.0.0.1", "finding request segment write"},
	{"src == 10.0.0.1:43140", "finding request segment write"},
	{"src == 10.0.0.1:43141", ""},
	{"dst == [fd00::2]:20049", "send upper"},
	{"dst == [fd00::2]", "send upper"},
	{"addr == fd00::/16", "send upper"},
	{"addr in {fd00::1, 10.0.0.0/30}", "finding read reply request segment send terminate transaction upper write"},
	{"addr < 10.0.0.2", "finding read reply request segment terminate transaction write"},
	{"ip.src == 10.0.0.2", "read reply terminate transaction"},
	{"ip.dst == 10.0.0.2", "finding request segment write"},
	{"ip.addr == 10.0.0.2", "finding read reply request segment terminate transaction write"},
	{"ip.addr != 10.0.0.2", ""},
	{"ip.addr !== 10.0.0.2", "finding read reply request segment terminate transaction write"},
	{"ip.addr in {10.0.0.2..10.0.0.9}", "finding read reply request segment terminate transaction write"},
	{"ipv6.addr", "send upper"},
	{"ipv6.src == fd00::1 and ipv6.dst == fd00::2", "send upper"},
	{"tcp.port == 20049", "send upper"},
	{"tcp.srcport == 7174", "read reply terminate transaction"},
	{"tcp.dstport == 7174", "finding request segment write"},
	{"all tcp.port > 10000", "send upper"},
	{"any tcp.port != 7174", "finding read reply request segment send terminate transaction upper write"},
	{"type == SendSE", "send"},
	{"type == \"send\"", "segment"},
	{"type in {MPARequest, MPAReply}", "reply request"},
	{"type == Finding or type == Transaction or type == UpperMessage", "finding transaction upper"},
	{"type == Opcode14", ""},
	{"len == 9000", "write"},
	{"len == 3", "segment"},
	{"len == 8", "request"},
	{"len == 128 and not len == 0x1000", "upper"},
	{"len == 4096", "transaction"},
	{"segments > 1", "write"},
	{"complete", "read reply request segment terminate write"},
	{"not complete and segments", "send"},
	{"complete == false", "send"},
	{"missing", "send"},
	{"missing == 4", "send"},
	{"missing == 0", "read reply request segment terminate write"},
	{"crc == good", "read segment terminate"},
	{"crc == bad", "write"},
	{"crc == unchecked", "send"},

	// What analysis finds.
	{"finding", "finding terminate"},
	{"finding == DDP-5.3-4", "finding"},
	{"finding == \"ddp-5.3-5\"", "finding"},
	{"finding == send-msn", "finding"},
	{"finding == DDP-5.3-1", ""},
	{"finding contains ddp-5", "finding"},
	{"finding matches \"^obs-\"", "terminate"},
	{"finding != send-msn", "terminate"},
	{"severity == error", "finding"},
	{"severity >= note", "finding terminate"},
	{"severity < warning", "terminate"},
	{"ulp == rpc-over-rdma", "send upper"},
	{"upper contains \"nfsv3 write\"", "send upper"},
	{"upper matches \"(?-i)nfs\"", ""},
	{"upper === \"RDMA_MSG Call NFSv3 WRITE\"", "send upper"},
	{"xid == 42", "send upper"},
	{"transaction == \"RDMA Read\"", "transaction"},
	{"outcome == answered", "transaction"},
	{"outcome in {refused, unanswered, unknown}", ""},
	{"latency > 5s", "transaction"},
	{"latency == 6", "transaction"},
	{"latency in {1ms..20ms}", ""},

	// Header fields.
	{"iwarp_mpa.rev == 1", "request"},
	{"iwarp_mpa.rev == \"RFC 6581\"", "reply"},
	{"iwarp_mpa.crc_flag", "reply request"},
	{"iwarp_mpa.enhanced_flag == true", "reply"},
	{"iwarp_mpa.enhanced_flag == False", "request"},
	{"iwarp_mpa.enhanced_flag == 1", "reply"},
	{"iwarp_mpa.enhanced.ird == 16", "reply"},
	{"iwarp_mpa.enhanced.D == 1", "reply"},
	{"iwarp_mpa.ulpdulength == 21", "segment"},
	{"iwarp_mpa.crc == 0x01020304", "segment"},
	{"iwarp_mpa.pad == 00", "segment"},
	{"iwarp_mpa.pad == 00:00", ""},
	{"iwarp_ddp.stag == 0xdeadbeef", "write"},
	{"iwarp_ddp.stag == 3735928559", "write"},
	{"iwarp_ddp.stag == 033653337357", "write"},
	{"iwarp_ddp.tagged_flag == 1", "terminate write"},
	{"iwarp_ddp.tagged_flag === true", "write"},
	{"iwarp_ddp.tagged_flag != 0", "write"},
	{"iwarp_ddp.tagged_flag !== 1", "read segment send terminate"},
	{"iwarp_ddp.msn in {1, 3..5}", "read send terminate"},
	{"iwarp_ddp.msn not in {1, 3..5}", "finding nothing reply request segment transaction upper write"},
	{"iwarp_ddp.msn != 1", "segment send"},
	{"not iwarp_ddp.msn == 1", "finding nothing reply request segment send transaction upper write"},
	{"iwarp_rdma.opcode == Write", "terminate write"},
	{"iwarp_rdma.opcode == 0", "terminate write"},
	{"iwarp_rdma.opcode == Send", "segment"},
	{"iwarp_rdma.opcode == readrequest", "read"},
	{"iwarp_rdma.opcode >= SendSE and iwarp_rdma.opcode le Terminate", "send terminate"},
	{"iwarp_rdma.opcode in {Send, SendSE, 1}", "read segment send"},
	{"iwarp_rdma.rdmardsz == 4096", "read transaction"},
	{"iwarp_rdma.srcto == 0x10000000000", "read transaction"},
	{"iwarp_rdma.srcto gt 0xffffffffff and iwarp_rdma.srcto lt 0xffffffffffffffff", "read transaction"},
	{"iwarp_rdma.term_layer == RDMAP", "terminate"},
	{"iwarp_rdma.term_etype == \"Remote Protection Error\"", "terminate"},
	{"iwarp_rdma.term_errcode == \"access rights violation\"", "terminate"},
	{"iwarp_rdma.term_errcode == AccessRightsViolation", "terminate"},
	{"iwarp_rdma.term_errcode == \"Base or bounds violation\"", ""},
	{"iwarp_rdma.term_errcode != \"Base or bounds violation\"", "terminate"},
	{"iwarp_rdma.term_errcode < \"TO wrap\"", "terminate"},
	{"iwarp_rdma.term_errcode == 2", "terminate"},
	{"iwarp_rdma.term_ddp_seg_len == 18", "terminate"},

	// Octets and slices.
	{"iwarp_mpa.privatedata", "reply request"},
	{"iwarp_mpa.privatedata[0:4] == 00:01:02:03", "request"},
	{"iwarp_mpa.privatedata[0-3] == 00010203", "request"},
	{"iwarp_mpa.privatedata[:4] == 0-1-2-3", "request"},
	{"iwarp_mpa.privatedata[4:] == ff.fe.41.42", "request"},
	{"iwarp_mpa.privatedata[-2:] == \"AB\"", "request"},
	{"iwarp_mpa.privatedata[-2:1] == 41", "request"},
	{"iwarp_mpa.privatedata[-4] == 0xff", "request"},
	{"iwarp_mpa.privatedata[0:9] != 00", ""},
	{"iwarp_mpa.privatedata[7]", "request"},
	{"iwarp_mpa.privatedata[8]", ""},
	{"iwarp_mpa.privatedata[ 1 : 2 ] == \"\\x01\\002\"", "request"},
	{"iwarp_mpa.privatedata contains 02:03:ff", "request"},
	{"iwarp_mpa.privatedata > 00:10", "reply"},
	{"iwarp_mpa.privatedata in {00:10:40:08, 00}", "reply"},
	{"iwarp_mpa.privatedata[0:2] in {00:00..00:05}", "request"},
	{"iwarp_mpa.key.req == 'MPA ID Req Frame'", "request"},
	{"iwarp_mpa.key.rep contains \"Rep\"", "reply"},
	{"iwarp_mpa.key.req contains \"rep\"", ""},
	{"iwarp_mpa.key.req matches \"^mpa id re[qp] frame$\"", "request"},
	{"iwarp_mpa.key.req matches r\"\\bFrame\"", "request"},
	{"iwarp_mpa.key.req ~ \"(?-i)mpa\"", ""},

	// Headers and protocols.
	{"iwarp_mpa", "read reply request segment send terminate write"},
	{"iwarp_mpa.req", "request"},
	{"iwarp_mpa.rep", "reply"},
	{"iwarp_mpa.fpdu", "read segment send terminate write"},
	{"iwarp_ddp", "read segment send terminate write"},
	{"iwarp_ddp_rdmap", "read segment send terminate transaction write"},
	{"iwarp_ddp.untagged", "read segment send terminate"},
	{"iwarp_rdma.rr", "read transaction"},
	{"iwarp_rdma.terminate", "terminate"},
	{"rpcordma", "send"},
	{"rpc", "send"},
	{"nfs", "send"},

	// Upper layers, with fields that occur several times.
	{"rpcordma.xid == 42", "send"},
	{"rpcordma.msg_type == RDMA_MSG", "send"},
	{"rpcordma.msg_type == RDMA2_MSG", ""},
	{"rpcordma.msg_type != RDMA2_MSG", "send"},
	{"rpcordma.reads_count == 2", "send"},
	{"rpcordma.rdma_length == 0x2000", "send"},
	{"rpcordma.rdma_length != 0x2000", ""},
	{"rpcordma.rdma_length !== 0x2000", "send"},
	{"rpcordma.rdma_length === 0x2000", ""},
	{"all rpcordma.rdma_length >= 0x1000", "send"},
	{"all rpcordma.rdma_length > 0x1000", ""},
	{"all rpcordma.rdma_length in {0x1000, 0x2000}", "send"},
	{"rpcordma.rdma_handle == 0xa2c2 and rpcordma.position == 120", "send"},
	{"rpc.program == NFS and rpc.procedure == WRITE", "send"},
	{"rpc.procedure == READ", ""},
	{"rpc.procedure == Procedure7", ""},
	{"rpc.auth.flavor == AUTH_NONE", "send"},
	{"rpc.msgtyp == CALL", "send"},

	// Logic.
	{"conn == 1 or conn == 0 and frame == 4", "request send upper"},
	{"(conn == 1 or conn == 0) and frame == 4", "request"},
	{"conn == 1 || conn == 0 && frame == 4", "request send upper"},
	{"not conn", "nothing"},
	{"!conn or !!(frame == 4)", "nothing request"},
	{"not (frame == 4 or frame == 5) and iwarp_mpa", "read segment send terminate write"},
	{"frame == 4 OR frame == 5", "reply request"},
}

// matched are the names of the events that a filter matches.
func matched(f *filter.Filter, events map[string]*filter.Event) string {
	var names []string
	for _, name := range slices.Sorted(maps.Keys(events)) {
		if f.Match(events[name]) {
			names = append(names, name)
		}
	}
	return strings.Join(names, " ")
}

func TestMatch(t *testing.T) {
	events := handmade(t)
	for _, tc := range matching {
		testMatch(t, events, tc.filter, tc.want)
	}
}

// testMatch looks which events a filter matches, and that as it was understood it matches the same.
func testMatch(t *testing.T, events map[string]*filter.Event, text, want string) {
	t.Helper()
	f, err := filter.Compile(text)
	if err != nil {
		t.Errorf("%v", err)
		return
	}
	if got := matched(f, events); got != want {
		t.Errorf("%q\n got %s\nwant %s", text, got, want)
	}
	again, err := filter.Compile(f.String())
	if err != nil {
		t.Errorf("%q was understood as %q: %v", text, f, err)
	} else if got := matched(again, events); got != want || again.String() != f.String() {
		t.Errorf("%q was understood as %q, which matches %s", text, f, got)
	}
}

// TestMatchCapsules asks about headers that an analysis has found, and about those of a request.
func TestMatchCapsules(t *testing.T) {
	events := capsules(t)
	for text, want := range map[string]string{
		"nvme.cmd.opc == Read":                                         "command failure",
		"nvme.cmd.opc == Read and not nvme.cqe.cid":                    "command",
		"nvme.cmd.opc == \"Get Log Page\"":                             "",
		"nvme.cmd.opc in {1..3}":                                       "command failure",
		"nvme.cmd.nsid == 5 and nvme.cmd.slba == 0x1000":               "command failure",
		"nvme.cmd.nlb0 == 7 and dir == c2s":                            "command",
		"nvme.cmd.sgl1.key == 0x11223344":                              "command failure",
		"nvme":                                                         "command failure",
		"nvme.cqe.status == \"LBA Out of Range\"":                      "failure",
		"nvme.cqe.status != Success":                                   "failure",
		"nvme.cqe.status in {\"Compare Failure\", lbaoutofrange}":      "failure",
		"nvme.cqe.status == 0x8101":                                    "failure",
		"request.nvme.cmd.opc and nvme.cqe.cid == 0x12":                "failure",
		"request.nvme.cmd.parameters[0:2] == 00:00":                    "failure",
		"request.nvme.cqe.cid or request.iscsi.lun or rpcordma or rpc": "",
		"iscsi or smb2 or iser.flags.wsv or nvme-rdma.cm.req.qid":      "",
	} {
		testMatch(t, events, text, want)
	}
}
