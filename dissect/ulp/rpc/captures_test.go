package rpc_test

// NFS captures of the Linux kernel: every Call has its Reply, every message can be put together and parsed to its end.

import (
	"context"
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/iwarpkit/iwarp/codec/nfs"
	"github.com/iwarpkit/iwarp/codec/oncrpc"
	"github.com/iwarpkit/iwarp/codec/rpcrdma"
	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/ulp/rpc"
	"github.com/iwarpkit/iwarp/pcaps"
)

var captures = map[string]string{
	"v3":   "../../testdata/captures/nfs-small-v3-inl1024-crc1.pcap.gz",
	"v4.0": "../../testdata/captures/nfs-small-v4.0-inl4096-crc1.pcap.gz",
	"v4.1": "../../../pcaps/samples/nfs-small-v4.1-inl4096-crc1.pcap.gz",
}

var options = rpc.Options{}

func readRecords(t *testing.T, file string) (all []pcaps.Record) {
	t.Helper()
	c, err := pcaps.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	var rec pcaps.Record
	for c.Next(&rec) == nil {
		one := rec
		one.Data = append([]byte(nil), rec.Data...)
		all = append(all, one)
	}
	return all
}

// A sum is what is counted of a capture. The octets of Read chunks, and those of Write and Reply chunks together, and the
// numbers of RDMA Reads and of Sends with Invalidate are what tshark's fields of the segments add up to.
type sum struct {
	Calls, Reverse        int
	Reads, Writes         int    // RPCs by procedure or operation
	ReadChunks            int    // with Read chunks
	ReadOctets            uint64 // in Read chunks, pulled
	WriteChunks           int
	WriteOctets           uint64 // in Write chunks, returned
	ReplyChunks           int    // used
	ReplyOctets           uint64 // returned in them
	Invalidating          int    // Replies with Send with Invalidate
	RDMAReads, RDMAWrites int    // of these chunks
}

var sums = map[string]sum{
	"v3": {
		Calls: 546, Reads: 29, Writes: 31, ReadChunks: 26, ReadOctets: 619846, WriteChunks: 27, WriteOctets: 608458,
		ReplyChunks: 69, ReplyOctets: 38440, Invalidating: 53, RDMAReads: 26, RDMAWrites: 126,
	},
	"v4.0": {
		Calls: 554, Reads: 32, Writes: 31, ReadChunks: 18, ReadOctets: 604422, WriteChunks: 30, WriteOctets: 614464,
		ReplyChunks: 137, ReplyOctets: 70824, Invalidating: 180, RDMAReads: 18, RDMAWrites: 196,
	},
	"v4.1": {
		Calls: 555, Reverse: 2, Reads: 32, Writes: 31, ReadChunks: 18, ReadOctets: 604422, WriteChunks: 30,
		WriteOctets: 614464, ReplyChunks: 134, ReplyOctets: 77012, Invalidating: 177, RDMAReads: 18, RDMAWrites: 193,
	},
}

func TestCaptures(t *testing.T) {
	for name, file := range captures {
		t.Run(name, func(t *testing.T) {
			r := recordFile(t, file, options)
			if d := cmp.Diff(sums[name], r.sum(t)); d != "" {
				t.Errorf("(-want +got)\n%s", d)
			}
			for _, f := range r.own() {
				if f.Severity == rules.Error && f.Name != "rpc1-invalidate-unannounced" { // see TestPrivateData
					t.Errorf("frame %d: %s: %s", f.Frame, f.Name, f.Text)
				}
			}
			if len(r.messages) != 2*len(r.transactions) || len(r.uppers) != 2*len(r.transactions) {
				t.Errorf("%d messages, %d in Sends, of %d RPCs", len(r.messages), len(r.uppers), len(r.transactions))
			}
			for i := range r.messages {
				checkMessage(t, &r.messages[i])
			}
		})
	}
}

// sum counts, and checks whether the parts of each Exchange agree.
func (r *recorder) sum(t *testing.T) (s sum) {
	for i, x := range r.exchanges {
		tr := &r.transactions[i]
		if tr.Outcome != record.Answered || x.Name != tr.Name || !x.Known || tr.Octets != x.Call.Len+x.Reply.Len {
			t.Errorf("frame %d: %s: %v", tr.Request.Frame, tr.Name, tr.Outcome)
		}
		s.Calls++
		if x.Reverse {
			s.Reverse++
		}
		words := strings.Fields(x.Name)
		for _, w := range words[1:] {
			switch w {
			case "READ":
				s.Reads++
			case "WRITE":
				s.Writes++
			}
		}
		s.chunks(t, x)
		if x.Reply.Invalidates {
			s.Invalidating++
		}
	}
	return s
}

func (s *sum) chunks(t *testing.T, x *rpc.Exchange) {
	for i := range x.Reads {
		c := &x.Reads[i]
		s.ReadChunks++
		s.ReadOctets += c.Moved()
		s.RDMAReads += moves(t, c, c.Offered())
		if c.Moved() != c.Offered() {
			t.Errorf("%s: %d octets read of %d", x.Name, c.Moved(), c.Offered())
		}
	}
	for i := range x.Writes {
		c := &x.Writes[i]
		s.WriteChunks++
		s.WriteOctets += c.Returned()
		s.RDMAWrites += moves(t, c, c.Returned())
		if c.Moved() != c.Returned() {
			t.Errorf("%s: %d octets written, %d returned", x.Name, c.Moved(), c.Returned())
		}
	}
	if c := &x.ReplyChunk; c.Returned() > 0 {
		s.ReplyChunks++
		s.ReplyOctets += c.Returned()
		s.RDMAWrites += moves(t, c, c.Returned())
	}
}

// moves counts the RDMA Reads and Writes of a chunk, and checks whether their octets add up.
func moves(t *testing.T, c *rpc.Chunk, want uint64) (n int) {
	octets := uint64(0)
	for i := range c.Segments {
		for _, m := range c.Segments[i].Moves {
			octets += m.Octets
			n++
			if m.Data.Frame == 0 || m.Data.LastFrame < m.Data.Frame || m.Request.Frame > m.Data.Frame {
				t.Errorf("moved in frames %+v", m)
			}
		}
	}
	if octets != want {
		t.Errorf("%d octets moved, want %d", octets, want)
	}
	return n
}

// checkMessage checks whether a message is whole, and can be parsed from its start to its end without its chunks.
func checkMessage(t *testing.T, m *rpc.Message) {
	t.Helper()
	x := m.Exchange
	b := m.Octets
	if !m.Whole || uint64(len(b)) != m.Len || len(m.Unplaced) != 0 {
		t.Fatalf("frame %d: %s: %d octets of %d, whole %v", m.Frame, x.Name, len(b), m.Len, m.Whole)
	}
	if xid := binary.BigEndian.Uint32(b); xid != x.XID || oncrpc.IsReply(b) != m.Reply {
		t.Errorf("frame %d: XID %#x, want %#x", m.Frame, xid, x.XID)
	}
	if m.Reply {
		checkReply(t, m)
		return
	}
	var items nfs.Items
	for items.ResetCall(b); items.Next(); {
		if items.Reduced {
			t.Errorf("frame %d: %s: an item is missing", m.Frame, x.Name)
		}
	}
	if end, ok := items.End(); ok != (measurable(x) || strings.HasPrefix(x.Name, "NFSv3 READDIR")) || ok && end != len(b) {
		t.Errorf("frame %d: %s ends at %d of %d, %v", m.Frame, x.Name, end, len(b), ok)
	}
}

// measurable reports whether the arguments and results of a procedure can be measured.
func measurable(x *rpc.Exchange) bool {
	switch name := x.Procedure.String(); name {
	case "NFSv3 READ", "NFSv3 WRITE", "NFSv3 SYMLINK", "NFSv3 READLINK":
		return true
	}
	return x.Procedure.IsCompound()
}

func checkReply(t *testing.T, m *rpc.Message) {
	t.Helper()
	x, b := m.Exchange, m.Octets
	var items nfs.Items
	items.ResetReply(b, oncrpc.Exchange{Procedure: x.Procedure, Protection: x.Protection})
	for items.Next() {
		if !strings.HasSuffix(x.Name, "READ") {
			continue
		}
		// The octets before the length of the data: count and eof in NFSv3, eof in NFSv4.
		if x.Procedure.Version == 3 {
			if count := binary.BigEndian.Uint32(b[items.Off-8:]); uint64(count) != items.Length {
				t.Errorf("frame %d: count %d, data of %d octets", m.Frame, count, items.Length)
			}
		}
		if eof := binary.BigEndian.Uint32(b[items.Off-4:]); eof > 1 {
			t.Errorf("frame %d: eof is %d", m.Frame, eof)
		}
		if len(x.Writes) > 0 && x.Writes[0].Returned() != items.Length {
			t.Errorf("frame %d: data of %d octets, %d were returned", m.Frame, items.Length, x.Writes[0].Returned())
		}
	}
	written := x.Procedure.String() == "NFSv3 WRITE" || x.Procedure.String() == "NFSv3 SYMLINK"
	if end, ok := items.End(); ok != (measurable(x) && !written || x.Procedure.IsCBCompound()) || ok && end != len(b) {
		t.Errorf("frame %d: the Reply to %s ends at %d of %d, %v", m.Frame, x.Name, end, len(b), ok)
	}
}

// TestOrder checks whether every record.Upper comes before the Message that it is in.
func TestOrder(t *testing.T) {
	r := recordFile(t, captures["v4.1"], options)
	pending := ""
	n := 0
	for _, event := range r.order {
		frame, kind, _ := strings.Cut(event, " ")
		switch {
		case kind == "upper":
			pending = frame
			n++
		case kind == "message" && pending != frame:
			t.Fatalf("the message in frame %s comes before what it is", frame)
		}
	}
	if n != 1110 {
		t.Errorf("%d messages", n)
	}
}

// TestWithoutSubscriber checks whether all is named and judged as well if nobody wants the messages.
func TestWithoutSubscriber(t *testing.T) {
	for name, file := range captures {
		with := recordFile(t, file, options)
		c, err := pcaps.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		without := &recorder{}
		if err := plainEngine(without).Run(context.Background(), c); err != nil {
			t.Fatal(err)
		}
		c.Close()
		if d := cmp.Diff(names(with), names(without)); d != "" {
			t.Errorf("%s: (-with +without)\n%s", name, d)
		}
	}
}

func names(r *recorder) (all []string) {
	for i, x := range r.exchanges {
		all = append(all, fmt.Sprint(r.transactions[i].Request.Frame, x.Name, x.Result, x.Call.Len, x.Reply.Len))
	}
	for _, f := range r.findings {
		all = append(all, fmt.Sprint(f.Frame, f.Name))
	}
	return all
}

// TestPrivateData checks what the kernel's sides say of themselves: the server does not set R, and yet invalidates.
func TestPrivateData(t *testing.T) {
	r := recordFile(t, captures["v4.1"], options)
	own := r.own()
	if len(own) != 1 || own[0].Name != "rpc1-invalidate-unannounced" || own[0].Severity != rules.Note || own[0].Deviation == nil {
		t.Errorf("%+v", own)
	}
	if x := r.exchanges[1]; x.Dialect != rpcrdma.DialectVersion1 || x.Call.Credits != 128 || x.Reply.Credits != 64 || x.Call.Kind != "RDMA_MSG" || x.Reply.Kind != "RDMA_NOMSG" {
		t.Errorf("%+v", x)
	}
}
