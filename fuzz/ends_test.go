package fuzz

import (
	"io"
	"slices"
	"testing"

	"github.com/iwarpkit/iwarp/dissect/ends"
	"github.com/iwarpkit/iwarp/dissect/transit"
	"github.com/iwarpkit/iwarp/internal/conversation"
	"github.com/iwarpkit/iwarp/pcaps"
)

// A packetList is a Source of Records.
type packetList struct{ rest []pcaps.Record }

func (c *packetList) Next(r *pcaps.Record) error {
	if len(c.rest) == 0 {
		return io.EOF
	}
	*r, c.rest = c.rest[0], c.rest[1:]
	return nil
}

// disturbed is what is left of packets when octets of script say what is lost, repeated, cut, changed or captured at another time.
func disturbed(all []pcaps.Record, script []byte) []pcaps.Record {
	left := make([]pcaps.Record, 0, len(all)+len(all)/4)
	for i, r := range all {
		act := byte(0)
		if i < len(script) {
			act = script[i]
		}
		r.Data = append([]byte{}, r.Data...)
		switch act % 8 {
		case 1:
			continue
		case 2:
			left = append(left, r)
		case 3:
			r.Data = r.Data[:min(len(r.Data), int(act))]
		case 4:
			r.Data[(34+int(act))%len(r.Data)] ^= act
		case 5:
			r.Time += (int64(act) - 128) * 1e7
		case 6:
			r.Data[38] ^= act // the sequence number
		case 7:
			r.Time += (1 - int64(act>>2&2)) << (47 + act>>4) // 39 hours to 146 years, either way
		}
		left = append(left, r)
	}
	for i := range left {
		left[i].Frame = uint64(i + 1)
	}
	return left
}

// FuzzEnds compares two captures of one connection from which any packets were taken, or in which they were changed.
func FuzzEnds(f *testing.F) {
	f.Add([]byte{}, []byte{})
	f.Add([]byte{0, 0, 0, 0, 0, 0x67}, []byte{0, 0, 0, 0, 0, 0, 0, 0xff})
	f.Add([]byte{0, 1, 0, 3, 4, 4, 5}, []byte{6, 6, 2, 2, 1})
	c := conversation.New("10.0.0.1:44600", "10.0.0.2:20049").Connect()
	c.MSS = 100
	for range 20 {
		c.Send(conversation.Client, make([]byte, 150)).Send(conversation.Server, make([]byte, 250)).Ack(conversation.Client)
	}
	f.Fuzz(func(t *testing.T, a, b []byte) {
		if len(a) > 200 || len(b) > 200 {
			return
		}
		views := [2][]pcaps.Record{disturbed(c.Records, a), disturbed(c.Records, b)}
		comparison, err := ends.Compare(func(view int) (ends.Source, error) { return &packetList{views[view]}, nil })
		if err != nil {
			t.Fatal(err)
		}
		if comparison != nil {
			checkEnds(t, comparison, views)
		}
	})
}

// checkEnds checks that what was found adds up, and that a Merge gives all packets of its base, and each packet once.
func checkEnds(t *testing.T, comparison *ends.Comparison, views [2][]pcaps.Record) {
	for _, p := range comparison.Connections {
		for _, d := range p.Ways {
			if uint64(len(d.Lost)) > d.Losses || uint64(len(d.Changes)) > d.Changed || d.Never > d.Octets || d.Delay.Least < 0 || d.Delay.Least > d.Delay.Most {
				t.Fatalf("%+v", d)
			}
			for _, l := range d.Lost {
				if l.Len <= 0 || l.Sent.Own == 0 || l.Sent.Own > uint64(len(views[comparison.At(l.Sent.At)])) {
					t.Fatalf("%+v", l)
				}
			}
		}
	}
	for base := range views {
		m, err := comparison.Merge(base, true)
		if err != nil {
			t.Fatal(err)
		}
		var rec pcaps.Record
		all, given := 0, map[[2]uint64]bool{}
		for m.Next(&rec) == nil {
			view, own := m.Locate(rec.Frame)
			if given[[2]uint64{uint64(view), own}] || own == 0 || own > uint64(len(views[view])) {
				t.Fatalf("frame %d of capture %d", own, view)
			}
			given[[2]uint64{uint64(view), own}] = true
			if view == base {
				all++
			}
		}
		if most := len(views[base]); all > most || all < most && !damaged(comparison) {
			t.Fatalf("%d packets of %d", all, most)
		}
	}
}

// damaged reports whether packets arrived damaged, and whole when they were sent again.
func damaged(c *ends.Comparison) bool {
	for _, p := range c.Connections {
		for _, w := range p.Ways {
			if slices.ContainsFunc(w.Changes, func(x transit.Change) bool { return x.Again }) {
				return true
			}
		}
	}
	return false
}
