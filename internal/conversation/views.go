package conversation

// The same packets as two captures show them, one at either end.

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"math/rand/v2"
	"net/netip"
	"slices"
	"time"

	"github.com/iwarpkit/iwarp/dissect/tcpip"
	"github.com/iwarpkit/iwarp/pcaps"
)

// A Path lies between two hosts, each of which captures its packets. Packets are known by their index, from 0.
type Path struct {
	Delay   [2]time.Duration // of what each side sends
	Jitter  time.Duration    // more than that, at most
	Ahead   time.Duration    // by which the Server's clock is ahead at first
	Drift   float64          // nanoseconds that it gains in each
	Lost    map[int]bool     // packets that do not arrive
	Missing [2]map[int]bool  // packets that a capture lacks
	Change  map[int]func(packet []byte)
	Offload [2]bool // the side's capture has what it sends in pieces of up to 64 KiB
	Seed    uint64  // of Jitter
}

// Views are the captures of the Client, who has sent the first packet, and of the Server. Records have the times at which
// packets left. Delay and Jitter are to be less than the time between packets, so that nothing arrives before what caused
// it has left.
func Views(records []pcaps.Record, p *Path) (views [2][]pcaps.Record) {
	random := rand.New(rand.NewPCG(p.Seed, 0))
	var s tcpip.Segment
	var client netip.Addr
	for i, r := range records {
		if s.Decode(r.LinkType, r.Data, r.OrigLen) != nil {
			continue
		}
		if i == 0 {
			client = s.Src.Addr()
		}
		from := Client
		if s.Src.Addr() != client {
			from = Server
		}
		delay := p.Delay[from] + time.Duration(random.Int64N(int64(p.Jitter)+1))
		if !p.Missing[from][i] {
			views[from] = append(views[from], r)
		}
		if p.Lost[i] || p.Missing[1-from][i] {
			continue
		}
		r.Time += int64(delay)
		if change := p.Change[i]; change != nil {
			r.Data = bytes.Clone(r.Data)
			change(r.Data)
		}
		views[1-from] = append(views[1-from], r)
	}
	start := records[0].Time
	for i := range views[Server] {
		t := &views[Server][i].Time
		*t += int64(p.Ahead) + int64(p.Drift*float64(*t-start))
	}
	for side, v := range views {
		slices.SortStableFunc(v, func(a, b pcaps.Record) int { return cmp.Compare(a.Time, b.Time) })
		if p.Offload[side] {
			v = offloaded(v, side == int(Client), client)
		}
		for i := range v {
			v[i].Frame = uint64(i + 1)
		}
		views[side] = v
	}
	return views
}

// offloaded joins packets of one sender that follow each other, as before segmentation offload: of the client, or of the
// other.
func offloaded(all []pcaps.Record, ofClient bool, client netip.Addr) (joined []pcaps.Record) {
	const most, lengthAt = 64 << 10, 16
	var s, last tcpip.Segment
	follows := false
	for _, r := range all {
		if s.Decode(r.LinkType, r.Data, r.OrigLen) != nil {
			continue
		}
		sends := (s.Src.Addr() == client) == ofClient && s.Len() > 0 && !s.Flags.Has(tcpip.FIN)
		if n := len(joined) - 1; follows && sends && s.Seq == last.Seq+uint32(last.Len()) && len(joined[n].Data)+s.Len() < most {
			b := append(bytes.Clone(joined[n].Data), s.Payload...)
			binary.BigEndian.PutUint16(b[lengthAt:], 0)
			joined[n].Data, joined[n].OrigLen = b, len(b)
		} else {
			joined = append(joined, r)
		}
		follows, last = sends, s
	}
	return joined
}
