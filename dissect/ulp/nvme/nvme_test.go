package nvme_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/ulp/nvme"
	"github.com/iwarpkit/iwarp/internal/ulptest"
)

// Capsules by hand, from the layouts of the specifications.
var (
	connect1 = ulptest.Hex(`
		7f 40 0500 01 00000000000000000000000000000000000000
		0000000000000000 000400 00000000 01
		0000 0100 1f00 00 00 c0d40100 000000000000000000000000` + zeros(1024))
	read = ulptest.Hex(`
		02 40 1200 01000000 0000000000000000 0000000000000000
		0010000000000000 001000 44332211 4f
		0800000000000000 0700 0000 00000000 00000000 00000000`)
	writeInCapsule = ulptest.Hex(`
		01 40 1300 02000000 0000000000000000 0000000000000000
		0000000000000000 08000000 000000 01
		ffffffff01000000 0000 0000 00000000 00000000 00000000
		0102030405060708`)
	writeByList = ulptest.Hex(`
		01 40 1400 02000000 0000000000000000 0000000000000000
		0000000000000000 20000000 000000 31
		0000000000000000 0f00 0000 00000000 00000000 00000000
		0020000000000000 001000 78563412 40
		0040000000000000 001000 79563412 40`)
	unknown = ulptest.Hex(`
		c1 40 1500 01000000 0000000000000000 0000000000000000
		0000000000000000 000000 00000000 40` + zeros(24))
)

func zeros(octets int) string {
	s := make([]byte, 2*octets)
	for i := range s {
		s[i] = '0'
	}
	return string(s)
}

// completion is a response capsule.
func completion(cid, status uint16) []byte {
	return []byte{0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, byte(cid), byte(cid >> 8), byte(status << 1), byte(status >> 7)}
}

// TestQueue plays an I/O Queue by hand: data by RDMA, in the capsule, and to memory that a list in the capsule names.
func TestQueue(t *testing.T) {
	w := ulptest.NewWire(nvme.Layer, 4420)
	w.Send(flow.C2S, connect1)
	w.Send(flow.S2C, completion(5, 0))
	w.Send(flow.C2S, read)
	w.Send(flow.C2S, writeInCapsule)
	w.Send(flow.C2S, writeByList)
	w.Write(flow.S2C, 0x11223344, 0x1000, 4096)
	w.Send(flow.S2C, completion(0x12, 0))
	w.Send(flow.S2C, completion(0x13, 0x4000|0x080))
	w.Read(flow.S2C, 0x12345678, 0x2000, 4096)
	w.Read(flow.S2C, 0x12345679, 0x4000, 4096)
	w.Send(flow.S2C, completion(0x14, 0x7c1))
	w.Send(flow.S2C, completion(0x99, 0))
	w.Send(flow.C2S, unknown)
	w.SendCut(flow.C2S, read, 8)
	w.SendCut(flow.C2S, read, 7)
	w.SendCut(flow.S2C, completion(0, 0), 15)
	w.Send(flow.C2S, read[:63])
	if got := w.Follower.End(); got != [2]int{2, 0} {
		t.Errorf("outstanding %v", got)
	}
	ulptest.Expect(t, "capsules", w.Lines(),
		"c2s Connect cid=0x0005 qid=1 sqsize=32 id=0x10005 len=1088",
		"s2c Completion cid=0x0005 Success id=0x10005 len=16",
		"c2s Read cid=0x0012 nsid=1 slba=8 nlb=8 id=0x10012 len=64",
		"c2s Write cid=0x0013 nsid=2 slba=8589934591 nlb=1 id=0x10013 len=72",
		"c2s Write cid=0x0014 nsid=2 slba=0 nlb=16 id=0x10014 len=96",
		"s2c Completion cid=0x0012 Success id=0x10012 len=16",
		"s2c Completion cid=0x0013 LBA Out of Range id=0x10013 len=16",
		"s2c Completion cid=0x0014 SCT 7h SC c1h id=0x10014 len=16",
		"s2c Completion cid=0x0099 Success id=0x10099 len=16",
		"c2s Opcode 0xc1 cid=0x0015 nsid=1 id=0x10015 len=64",
		"c2s Read cid=0x0012 nsid=1 id=0x10012 len=64",
	)
	ulptest.Expect(t, "transactions", w.TransactionLines(),
		"c2s NVMe Connect id=0x10005 answered frames 1-2 octets=1024",
		"c2s NVMe Read id=0x10012 answered frames 3-7 octets=4096",
		"c2s NVMe Write id=0x10013 refused frames 4-8 octets=8",
		"c2s NVMe Write id=0x10014 refused frames 5-15 octets=8192",
		"c2s NVMe Opcode 0xc1 id=0x10015 unanswered frames 17-0 octets=0",
		"c2s NVMe Read id=0x10012 unanswered frames 18-0 octets=0",
	)
}

// TestAdmin plays an Admin Queue: the names of its commands and of their parameters.
func TestAdmin(t *testing.T) {
	admin := func(opcode, cid byte, parameters string) []byte {
		b := ulptest.Hex("0040 0000 ffffffff" + zeros(31) + "40" + parameters + zeros(24))
		b[0], b[2] = opcode, cid
		return b[:64]
	}
	fabrics := func(fctype, cid byte, parameters string) []byte {
		b := admin(0x7f, cid, parameters)
		clear(b[4:8])
		b[4] = fctype
		return b
	}
	w := ulptest.NewWire(nvme.Layer, 4420)
	for i, capsule := range [][]byte{
		fabrics(1, 0, "0000 0000 1f00 00 00 88130000"),
		fabrics(4, 1, "01000000 00000000"),
		fabrics(0, 2, "00000000 14000000 6100460000000000"),
		fabrics(4, 3, "00000000 30000000"),
		fabrics(8, 4, ""), fabrics(0x0b, 5, ""),
		admin(0x06, 6, "02"), admin(0x02, 7, "70"), admin(0x09, 8, "07000000 01000100"), admin(0x08, 9, "0000 0600"),
		admin(0x18, 10, ""), admin(0x0c, 11, ""), admin(0x0b, 12, ""),
	} {
		if w.Send(flow.C2S, capsule); len(w.Uppers) != i+1 {
			t.Fatalf("capsule %d was not reported", i)
		}
	}
	if got := w.Follower.End(); got != [2]int{12, 0} { // the Asynchronous Event Request may wait
		t.Errorf("outstanding %v", got)
	}
	ulptest.Expect(t, "capsules", w.Lines(),
		"c2s Connect cid=0x0000 qid=0 sqsize=32 id=0x0 len=64",
		"c2s Property Get cid=0x0001 ofst=CAP id=0x1 len=64",
		"c2s Property Set cid=0x0002 ofst=CC value=0x0000000000460061 id=0x2 len=64",
		"c2s Property Get cid=0x0003 ofst=0x30 id=0x3 len=64",
		"c2s Disconnect cid=0x0004 id=0x4 len=64",
		"c2s Opcode 0x0b cid=0x0005 id=0x5 len=64",
		"c2s Identify cid=0x0006 nsid=4294967295 cns=0x02 id=0x6 len=64",
		"c2s Get Log Page cid=0x0007 lid=0x70 id=0x7 len=64",
		"c2s Set Features cid=0x0008 fid=0x07 cdw11=0x00010001 id=0x8 len=64",
		"c2s Abort cid=0x0009 sqid=0 aborted=0x0006 id=0x9 len=64",
		"c2s Keep Alive cid=0x000a id=0xa len=64",
		"c2s Asynchronous Event Request cid=0x000b id=0xb len=64",
		"c2s Opcode 0x0b cid=0x000c id=0xc len=64",
	)
}

// TestRecognise offers first messages, and Private Data, that are those of NVMe or not.
func TestRecognise(t *testing.T) {
	for _, c := range []struct {
		name    string
		port    uint16
		capsule []byte
		want    bool
	}{
		{"Connect", 4420, connect1, true},
		{"Connect on another port", 7174, connect1, true},
		{"Read", 4420, read, true},
		{"Read on another port", 7174, read, false},
		{"write by a list", 4420, writeByList, true},
		{"half a command", 4420, read[:32], false},
		{"PRPs", 4420, append([]byte{2, 0}, read[2:]...), false},
		{"reserved bits", 4420, append([]byte{2, 0x44}, read[2:]...), false},
		{"nothing", 4420, nil, false},
		{"text", 4420, []byte("rdma-ping-0: ABCDEFGHIJKLMNOPQRSTUVWXYZ[]^_`abcdefghijklmnopqrstuvwxyz"), false},
	} {
		w := ulptest.NewWire(nvme.Layer, c.port)
		if w.Send(flow.C2S, c.capsule); (w.Follower != nil) != c.want {
			t.Errorf("%s: recognised %v", c.name, !c.want)
		}
	}
	w := ulptest.NewWire(nvme.Layer, 4420)
	if w.Send(flow.S2C, connect1); w.Follower != nil {
		t.Error("a Connect of the server was recognised")
	}
}

func TestConnectRequest(t *testing.T) {
	sound := ulptest.Hex("0000 0200 2000 1f00 0100" + zeros(22))
	var r nvme.ConnectRequest
	want := nvme.ConnectRequest{QueueID: 2, HRQSize: 32, HSQSize: 31, ControllerID: 1}
	if !r.Decode(sound) || r != want {
		t.Errorf("%+v, want %+v", r, want)
	}
	for _, at := range []int{0, 10, 31} {
		b := append([]byte(nil), sound...)
		if b[at]++; r.Decode(b) {
			t.Errorf("accepted with octet %d set", at)
		}
	}
	if r.Decode(sound[:31]) || r.Decode(append(sound, 0)) || r.Decode(make([]byte, 32)) {
		t.Error("accepted another length, or a queue without entries")
	}
}

// TestCapture counts what the Linux kernel did: discovery, then a subsystem with two I/O Queues on which known amounts
// were written and read.
func TestCapture(t *testing.T) {
	var r ulptest.Recorder
	r.Run(t, ulptest.Captures+"nvme-rdma.pcap.gz", nvme.Layer)
	want := map[string]int{
		"NVMe Connect answered": 4, "NVMe Property Get answered": 12, "NVMe Property Set answered": 6,
		"NVMe Identify answered": 13, "NVMe Get Log Page answered": 7, "NVMe Set Features answered": 3,
		"NVMe Asynchronous Event Request unanswered": 2,
		"NVMe Read answered":                         15, "NVMe Write answered": 16, "NVMe Flush answered": 1,
		"NVMe Dataset Management answered": 1,
	}
	if d := cmp.Diff(want, r.Count()); d != "" {
		t.Errorf("transactions (-want +got)\n%s", d)
	}
	const commands, completions = 80, 78
	if len(r.Uppers) != commands+completions {
		t.Errorf("%d capsules", len(r.Uppers))
	}
	octets := r.Octets()
	const written, read, probed = 4*512 + 8*4096 + 4*262144, 8*4096 + 4*262144, 3 * 4096
	if octets["NVMe Write"] != written || octets["NVMe Read"] != read+probed || octets["NVMe Connect"] != 4*1024 {
		t.Errorf("octets %v", octets)
	}
	for i := range r.Transactions {
		if tr := &r.Transactions[i]; tr.Outcome == record.Answered && tr.Latency() <= 0 {
			t.Errorf("%s in frame %d took %d ns", tr.Name, tr.Request.Frame, tr.Latency())
		}
	}
	for i := range r.Verdicts {
		if v := &r.Verdicts[i]; v.ULP != "NVMe over RDMA" || v.Outstanding[0].Upper != 0 {
			t.Errorf("connection %d: %q, %+v", i, v.ULP, v.Outstanding)
		}
	}
	if len(r.Findings) != 0 {
		t.Errorf("findings: %+v", r.Findings)
	}
}

// TestAllocations allows for the names of the two messages, and for nothing else.
func TestAllocations(t *testing.T) {
	compare := slices.Clone(read) // a Read without its data would be reported
	compare[0] = 5
	if n := ulptest.Allocations(t, nvme.Layer, connect1, compare, completion(0x12, 0)); n > 2 {
		t.Errorf("%v allocations for a Compare and its completion", n)
	}
}
