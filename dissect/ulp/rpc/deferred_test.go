package rpc

import (
	"testing"

	"github.com/iwarpkit/iwarp/codec/rpcrdma"
	"github.com/iwarpkit/iwarp/dissect/flow"
)

// TestDeferredHeld checks whether what waits until the end counts as memory.
func TestDeferredHeld(t *testing.T) {
	d, r := recorded()
	d.Gap(flow.C2S)
	d.reply(1, &rpcrdma.Version1{}, 0)
	before, strays := d.Held(), 5
	for i := range strays {
		d.write(flow.S2C, uint32(i), 0x1000, make([]byte, 100))
	}
	if n := d.Held() - before; n != strays*deferredHeld {
		t.Errorf("%d octets for %d Writes", n, strays)
	}
	if d.End(); len(r.Findings) != 2 { // of the Reply, and of the Writes
		t.Errorf("findings %+v", r.Findings)
	}
}

// TestDeferredOfEachKind has more Replies without a Call after a gap than are kept: what comes of another kind, or after another
// gap, is found all the same.
func TestDeferredOfEachKind(t *testing.T) {
	d, r := recorded()
	for range 2 {
		d.Gap(flow.C2S)
		for xid := range uint32(2 * maxEarly) {
			d.reply(xid, &rpcrdma.Version1{}, 0)
		}
		d.write(flow.S2C, 7, 0x1000, make([]byte, 100))
	}
	d.End()
	if n := r.CountFindings(); n["rpc1-reply-xid"] != 2 || n["rpc1-region"] != 2 || len(r.Findings) != 4 {
		t.Errorf("%v", n)
	}
}
