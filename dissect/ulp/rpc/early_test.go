package rpc

import (
	"testing"

	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/codec/rpcrdma"
	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/internal/ulptest"
)

// recorded is a driver whose reports are kept.
func recorded() (*driver, *ulptest.Recorder) {
	r := new(ulptest.Recorder)
	d := &driver{follower: newLayer(Options{}).follow(&flow.Conn{Requested: true, Replied: true})}
	d.Begin(r)
	return d, r
}

// at makes the next message that of a frame.
func (d *driver) at(frame uint64) *driver {
	d.frame = frame - 1
	return d
}

func (d *driver) reply(xid uint32, h *rpcrdma.Version1, status byte) {
	h.XID, h.Vers, h.Credit = xid, 1, 32
	payload := replyPayload(xid)
	payload[23] = status
	d.send(flow.S2C, h, payload)
}

// TestEarlyReply has Replies before their Calls: after them in the capture, and swapped with them.
func TestEarlyReply(t *testing.T) {
	d, r := recorded()
	d.Gap(flow.C2S)
	d.at(12).reply(1, &rpcrdma.Version1{}, 0)
	d.at(13).reply(2, &rpcrdma.Version1{}, 1) // PROG_UNAVAIL
	d.at(10).call(1, nil)
	d.at(11).call(2, nil)
	d.at(20).reply(3, &rpcrdma.Version1{}, 0)
	d.at(21).call(3, nil)
	d.Gap(flow.S2C)
	d.at(30).reply(4, &rpcrdma.Version1{}, 0)
	d.at(31).call(4, nil) // in order: its Reply is another one
	if n := d.End(); n != [2]int{1, 0} {
		t.Errorf("outstanding %v", n)
	}
	ulptest.Expect(t, "transactions", r.TransactionLines(),
		"c2s Program536870912v0 Procedure0 id=0x1 answered frames 10-12 octets=64",
		"c2s Program536870912v0 Procedure0 id=0x2 answered frames 11-13 octets=64",
		"c2s Program536870912v0 Procedure0 id=0x3 answered frames 21-20 octets=64",
		"c2s Program536870912v0 Procedure0 id=0x4 unanswered frames 31-0 octets=40",
	)
	if f := r.Findings; len(f) != 1 || f[0].Frame != 30 || f[0].Doubt != rules.Lost {
		t.Errorf("the Reply that no Call explains: %+v", f)
	}
	if r.Transactions[0].Status != "" || r.Transactions[1].Status != "PROG_UNAVAIL" {
		t.Errorf("status %q, findings %+v", r.Transactions[1].Status, r.Findings)
	}
}

// TestEarlyWrite has an RDMA Write before the Call that offers the memory. Whether all of it was written is in doubt
// then; it is not if the memory was offered in time.
func TestEarlyWrite(t *testing.T) {
	chunk := func(length uint32) rpcrdma.WriteList {
		return rpcrdma.WriteList(nil).Append(rpcrdma.Segment{Handle: 7, Length: length, Offset: 0x1000})
	}
	for _, early := range []bool{true, false} {
		d, r := recorded()
		d.Gap(flow.C2S)
		if early {
			d.write(flow.S2C, 7, 0x1000, make([]byte, 100))
		}
		d.call(1, chunk(4096))
		d.reply(1, &rpcrdma.Version1{Writes: chunk(100)}, 0)
		d.End()
		if f := r.Findings; len(f) != 1 || f[0].Name != "rpc1-unwritten" || (f[0].Doubt != rules.Seen) != early {
			t.Errorf("early %v: findings %+v", early, r.Findings)
		}
	}
}

// TestOldest asks for what waits.
func TestOldest(t *testing.T) {
	d, _ := recorded()
	if o, n := d.Oldest(flow.C2S); o != nil || n != 0 {
		t.Errorf("%v, %d at the beginning", o, n)
	}
	d.call(1, nil)
	d.call(2, nil)
	d.call(3, nil)
	d.reply(1, &rpcrdma.Version1{}, 0)
	if o, n := d.Oldest(flow.C2S); n != 2 || o == nil || o.ID != 2 {
		t.Errorf("%+v, %d", o, n)
	}
	if o, n := d.Oldest(flow.S2C); o != nil || n != 0 {
		t.Errorf("%v, %d of the server", o, n)
	}
	if allocs := testing.AllocsPerRun(10, func() { d.Oldest(flow.C2S) }); allocs != 0 {
		t.Errorf("%v allocations", allocs)
	}
	d.Gap(flow.S2C) // their Replies may have been missed
	d.call(4, nil)
	if o, n := d.Oldest(flow.C2S); n != 1 || o == nil || o.ID != 4 {
		t.Errorf("%+v, %d behind a gap", o, n)
	}
}

// TestVersionRange refuses a Call by its version: the range that is reported is judged by that of the Call.
func TestVersionRange(t *testing.T) {
	for vers, want := range map[byte]int{3: 0, 1: 1} {
		d, r := recorded()
		d.send(flow.C2S, &rpcrdma.Version1{XID: 9, Vers: uint32(vers), Credit: 32}, callPayload(9))
		refusal := []byte{0, 0, 0, 9, 0, 0, 0, 1, 0, 0, 0, 32, 0, 0, 0, 4, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1}
		m := &record.Message{Origin: d.origin(flow.S2C), Opcode: rdmap.OpSend, Len: uint64(len(refusal)), Complete: true}
		m.First.Untagged.MSN = 1
		d.Send(m, refusal)
		if got := r.CountFindings()["rpc1-error-range"]; got != want || len(r.Transactions) != 1 {
			t.Errorf("version %d: %d findings, %v", vers, got, r.TransactionLines())
		}
	}
}
