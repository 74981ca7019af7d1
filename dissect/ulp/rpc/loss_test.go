package rpc_test

// Where the capture lacks something, nothing is found that is not true.

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/pcaps"
)

// TestLoss takes packets out of streams in which nothing is wrong, lets the capture begin later, and cuts its packets.
func TestLoss(t *testing.T) {
	files, err := filepath.Glob(streams + "/clean/rpc*.txt")
	if err != nil || len(files) < 4 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		name := filepath.Base(file)
		s := readStream(t, "clean/"+name)
		try := func(what string, n int, records []pcaps.Record) {
			for _, f := range replayed(records).own() {
				if f.Doubt == rules.Seen {
					t.Errorf("%s, %s %d: %s: %s", name, what, n, f.Name, f.Text)
				}
			}
		}
		const handshake = 5
		for i := range s.Records {
			try("without packet", i, slices.Delete(slices.Clone(s.Records), i, i+1))
			try("without four from packet", i, slices.Delete(slices.Clone(s.Records), i, min(i+4, len(s.Records))))
			try("from packet", i, s.Records[i:])
			if i > handshake {
				try("the handshake and from packet", i, slices.Delete(slices.Clone(s.Records), handshake, i))
			}
		}
		for octets := 54; octets < 300; octets += 7 {
			cut := slices.Clone(s.Records)
			for i := range cut {
				cut[i].Data = cut[i].Data[:min(octets, len(cut[i].Data))]
			}
			try("packets of octets", octets, cut)
		}
	}
}

// TestDoubtNamesTheLoss takes out a Call, and much later a packet of the server: whether its Reply has a Call is in doubt only for
// what was lost before the Reply.
func TestDoubtNamesTheLoss(t *testing.T) {
	records := readRecords(t, captures["v3"])
	replies := 0
	for _, f := range replayed(slices.Concat(records[:2830], records[2831:3502], records[3503:])).own() {
		if f.Name != "rpc1-reply-xid" {
			continue
		}
		if replies++; !strings.HasSuffix(f.Text, "the capture may lack what decides it, what the client sent about frame 2832.") {
			t.Error(f.Text)
		}
	}
	if replies != 1 {
		t.Errorf("%d Replies without a Call", replies)
	}
}

// TestCutCaptures cuts the packets of the kernel's captures in their RPC headers: nothing is found that a Call would explain of which
// only a part was captured, even if some packets are missing.
func TestCutCaptures(t *testing.T) {
	expected := map[string]bool{"rpc1-invalidate-unannounced": true}
	for name, octets := range map[string]int{"v3": 160, "v4.0": 96, "v4.1": 128} {
		records := readRecords(t, captures[name])
		for i := range records {
			records[i].Data = records[i].Data[:min(octets, len(records[i].Data))]
		}
		for _, lost := range []int{0, 10} {
			expected["rpc1-unwritten"] = lost > 0
			for _, f := range replayed(slices.Concat(records[:1000], records[1000+lost:])).own() {
				if !expected[f.Name] {
					t.Errorf("%s, packets of %d octets, %d lost: %s: %s", name, octets, lost, f.Name, f.Text)
				}
			}
		}
	}
}

// TestLossOfCaptures looks at what is left of the kernel's captures when packets are lost: all Calls are still reported
// once, and nothing is found that is not true. What depends on lost packets is in doubt.
func TestLossOfCaptures(t *testing.T) {
	doubted := map[string]bool{}
	for name, file := range captures {
		whole := recordFile(t, file, options)
		records := readRecords(t, file)
		for _, each := range []int{7, 23, 101} {
			r := replayed(slices.DeleteFunc(slices.Clone(records), func(p pcaps.Record) bool { return p.Frame > 7 && int(p.Frame)%each == 0 }))
			for _, f := range r.own() {
				if f.Doubt != rules.Seen {
					doubted[f.Name] = true
				} else if f.Name != "rpc1-invalidate-unannounced" {
					t.Errorf("%s without every %dth packet: %s: %s", name, each, f.Name, f.Text)
				}
			}
			if len(r.transactions) == 0 || len(r.transactions) > len(whole.transactions) {
				t.Errorf("%s without every %dth packet: %d transactions of %d", name, each, len(r.transactions), len(whole.transactions))
			}
			once := map[string]int{}
			for _, one := range r.transactions {
				key := fmt.Sprint(one.Dir, one.Request.Frame)
				if once[key]++; once[key] > 1 {
					t.Errorf("%s: the Call in frame %d is reported twice", name, one.Request.Frame)
				}
			}
		}
	}
	if !doubted["rpc1-unread"] || !doubted["rpc1-unwritten"] {
		t.Errorf("in doubt are %v", doubted)
	}
}
