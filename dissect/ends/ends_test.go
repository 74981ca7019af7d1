package ends_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/iwarpkit/iwarp/dissect/ends"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/tcpip"
	"github.com/iwarpkit/iwarp/internal/conversation"
	"github.com/iwarpkit/iwarp/pcaps"
)

// A list is a Source of Records.
type list struct{ rest []pcaps.Record }

func (l *list) Next(r *pcaps.Record) error {
	if len(l.rest) == 0 {
		return io.EOF
	}
	*r, l.rest = l.rest[0], l.rest[1:]
	return nil
}

func open(views [2][]pcaps.Record) ends.Opener {
	return func(view int) (ends.Source, error) { return &list{views[view]}, nil }
}

// compared compares two views, and fails if they have no connection in common.
func compared(t *testing.T, views [2][]pcaps.Record) *ends.Comparison {
	t.Helper()
	c, err := ends.Compare(open(views))
	if err != nil || c == nil {
		t.Fatal(c, err)
	}
	return c
}

// talk is a conversation of n requests and answers of various lengths.
func talk(n int) *conversation.Conversation {
	random := rand.New(rand.NewPCG(1, 2))
	octets := func(n int) []byte {
		b := make([]byte, n)
		for i := range b {
			b[i] = byte(random.Uint32())
		}
		return b
	}
	c := conversation.New("10.0.0.1:44600", "10.0.0.2:20049").Connect()
	for range n {
		c.Send(conversation.Client, octets(100+random.IntN(3000))).Send(conversation.Server, octets(50+random.IntN(30000)))
		c.Ack(conversation.Client)
	}
	return c
}

const us = time.Microsecond

func TestClock(t *testing.T) {
	for _, test := range []struct {
		name string
		path conversation.Path
		wait time.Duration
	}{
		{name: "same"},
		{"seconds ahead", conversation.Path{Ahead: 3600 * time.Millisecond}, 0},
		{"hours behind", conversation.Path{Ahead: -5 * time.Hour}, 0},
		{"drift", conversation.Path{Ahead: time.Second, Drift: 30e-6}, time.Second},
		{"negative drift", conversation.Path{Ahead: -time.Second, Drift: -200e-6}, time.Second},
	} {
		for _, swap := range []bool{false, true} {
			t.Run(fmt.Sprint(test.name, swap), func(t *testing.T) {
				c := conversation.New("10.0.0.1:44600", "10.0.0.2:20049").Connect()
				for range 200 {
					c.Send(conversation.Client, make([]byte, 100)).Send(conversation.Server, make([]byte, 5000)).Wait(test.wait)
				}
				p := test.path
				p.Delay, p.Jitter = [2]time.Duration{80 * us, 50 * us}, 300*us
				views := conversation.Views(c.Records, &p)
				sign, party := int64(1), flow.Client
				if swap {
					views[0], views[1] = views[1], views[0]
					sign, party = -1, flow.Server
				}
				got := compared(t, views)
				if got.Ends[0] != party {
					t.Errorf("the first capture was taken at the %v", got.Ends[0])
				}
				k := got.Clock
				at := c.Records[len(c.Records)-1].Time
				want := at + int64(p.Ahead) + int64(p.Drift*float64(at-c.Records[0].Time))
				first := k.First(want)
				if swap {
					want, at = at, want
					first = k.First(want)
				}
				if off := first - at; !k.Known || k.Within > 120e3 || max(off, -off) > k.Within+k.Within/2 {
					t.Errorf("%+v is %v wrong", k, time.Duration(off))
				}
				if off := math.Abs(k.Drift - float64(sign)*p.Drift); off > 5e-6 {
					t.Errorf("drift %g", k.Drift)
				}
			})
		}
	}
}

// TestOnePlace has two captures of one place. Of one connection, each shows other copies of what the server has sent again.
func TestOnePlace(t *testing.T) {
	again := conversation.New("10.0.0.3:44600", "10.0.0.2:20049").Connect()
	for range 5 {
		again.Send(conversation.Client, make([]byte, 100)).Send(conversation.Server, make([]byte, 100))
	}
	first := slices.Concat(talk(20).Records, again.Records)
	second := slices.Clone(first)
	for i := range second {
		if bytes.HasPrefix(second[i].Data[26:], []byte{10, 0, 0, 2, 10, 0, 0, 3}) { // addresses of IPv4
			second[i].Time += int64(2 * time.Millisecond)
		}
	}
	if got := compared(t, [2][]pcaps.Record{first, second}); !got.SamePlace() || !got.Clock.Known || got.Clock.Ahead != 0 {
		t.Errorf("ends %v, %+v", got.Ends, got.Clock)
	}
}

// TestBogusTime has one timestamp that lies years after all others.
func TestBogusTime(t *testing.T) {
	for _, ahead := range []int64{1 << 53, 1 << 60, 1 << 62, -1 << 62} {
		views := conversation.Views(talk(20).Records, &conversation.Path{Delay: [2]time.Duration{40 * us, 40 * us}})
		views[0][len(views[0])/2].Time += ahead
		compared(t, views)
	}
}

// endless is a capture with n packets, each of which may be changed before it is given.
type endless struct {
	pcaps.Record
	n      int
	change func(data []byte, i uint64)
}

func (e *endless) Next(rec *pcaps.Record) error {
	if e.Frame == uint64(e.n) {
		return io.EOF
	}
	e.change(e.Data, e.Frame)
	e.Frame++
	*rec = e.Record
	return nil
}

// TestCut has one connection more than are compared, and one packet, and then exactly as many.
func TestCut(t *testing.T) {
	c := conversation.New("10.0.0.1:44600", "10.0.0.2:20049").Connect()
	for name, e := range map[string]endless{
		"packets": {n: ends.MaxPackets + 1, change: func([]byte, uint64) {}},
		"connections": {n: ends.MaxConnections + 1, change: func(data []byte, i uint64) {
			binary.BigEndian.PutUint32(data[26:], 10<<24+uint32(i)) // the client
		}},
	} {
		for less := range 2 {
			views := open([2][]pcaps.Record{1: c.Records})
			got, err := ends.Compare(func(view int) (ends.Source, error) {
				if view == 1 {
					return views(view)
				}
				all := e
				all.Record, all.n = c.Records[0], e.n-less
				all.Data = slices.Clone(all.Data)
				all.Frame = 0
				return &all, nil
			})
			if err != nil || got == nil || got.Cut != [2]bool{less == 0} {
				t.Errorf("%s, %d: %+v, %v", name, e.n-less, got, err)
			}
		}
	}
}

// TestOversized has as many packets of absurd lengths as connections are compared, each between other ports: they are none.
func TestOversized(t *testing.T) {
	c := talk(5)
	first := conversation.New("10.0.0.3:1", "10.0.0.4:2").Send(conversation.Client, []byte{1}).Records[0]
	var views [2][]pcaps.Record
	for i := range ends.MaxConnections {
		r := first
		r.Data, r.OrigLen = slices.Clone(r.Data), 2<<20
		binary.BigEndian.PutUint16(r.Data[16:], 0) // the total length, as before segmentation offload
		binary.BigEndian.PutUint16(r.Data[34:], uint16(i))
		views[0] = append(views[0], r)
	}
	views[0] = append(views[0], c.Records...)
	views[1] = c.Records
	if got := compared(t, views); len(got.Connections) != 1 || got.Cut != [2]bool{} {
		t.Errorf("%d connections, %v", len(got.Connections), got.Cut)
	}
}

// TestLosses loses packets that are sent again, once and for ever.
func TestLosses(t *testing.T) {
	c := talk(20)
	c.Send(conversation.Client, make([]byte, 900))
	twice := len(c.Records) - 1
	c.Wait(time.Second).Repeat(1) // sent again, and arrives
	c.Ack(conversation.Server)
	c.Send(conversation.Server, make([]byte, 700))
	never := len(c.Records) - 1
	c.Wait(time.Second).Repeat(1).Wait(time.Second).Repeat(1)
	c.Records = append(c.Records, conversation.New("10.0.0.1:1", "10.0.0.2:2").Wait(2*time.Minute).Connect().Records...) // both captures go on
	p := &conversation.Path{
		Delay: [2]time.Duration{40 * us, 40 * us}, Jitter: 100 * us, Ahead: time.Minute,
		Lost: map[int]bool{twice: true, never: true, never + 1: true, never + 2: true},
	}
	got := compared(t, conversation.Views(c.Records, p)).Connections[0]
	client, server := got.Ways[0], got.Ways[1]
	if len(client.Lost) != 1 || client.Losses != 1 || client.Octets != 900 || client.Never != 0 ||
		client.Lost[0].Sent.Own != uint64(twice+1) || client.Lost[0].Sent.At != flow.Client || !client.Lost[0].Again || client.Lost[0].Len != 900 {
		t.Errorf("client: %+v", client)
	}
	if server.Losses != 3 || server.Octets != 2100 || server.Never != 700 || server.Lost[2].Again || server.Lost[0].Sent.At != flow.Server {
		t.Errorf("server: %+v", server)
	}
	if client.Missing != [2]uint64{} || server.Missing != [2]uint64{} || client.Changed+server.Changed > 0 {
		t.Errorf("%+v\n%+v", client, server)
	}
}

// TestOffload loses packets of what one capture has in pieces of up to 64 KiB, at random, and expects exactly these.
func TestOffload(t *testing.T) {
	for seed := range uint64(20) {
		random := rand.New(rand.NewPCG(seed, 5))
		c := conversation.New("10.0.0.1:44600", "10.0.0.2:20049").Connect()
		var want []int64 // places in the stream of the client
		lost, place := map[int]bool{}, int64(0)
		for range 30 {
			octets := make([]byte, 20000+random.IntN(20000))
			for i := range octets {
				octets[i] = byte(random.Uint32())
			}
			first := len(c.Records)
			c.Send(conversation.Client, octets)
			last := len(c.Records)
			if i := first + random.IntN(last-first); random.IntN(3) == 0 {
				lost[i] = true
				want = append(want, place+int64(i-first)*1448)
				again := c.Records[i]
				c.Wait(200 * time.Millisecond)
				c.Records = append(c.Records, again)
				c.Wait(time.Millisecond).Repeat(1)
				c.Records = append(c.Records[:len(c.Records)-2], c.Records[len(c.Records)-1])
			}
			place += int64(len(octets))
			c.Ack(conversation.Server)
		}
		c.Wait(time.Second).Close(conversation.Client)
		for _, offload := range [][2]bool{{}, {true}, {false, true}, {true, true}} {
			p := &conversation.Path{Delay: [2]time.Duration{40 * us, 40 * us}, Jitter: 100 * us, Lost: lost, Seed: seed, Offload: offload}
			d := compared(t, conversation.Views(c.Records, p)).Connections[0].Ways[0]
			var got []int64
			for _, l := range d.Lost {
				got = append(got, l.Pos)
			}
			if !cmp.Equal(got, want) || d.Changed > 0 || d.Never > 0 || d.Missing != [2]uint64{} {
				t.Errorf("seed %d, offload %v: %v instead of %v: %+v", seed, offload, got, want, d)
			}
		}
	}
}

// TestMissing has captures that lack packets which arrived, begin late, end early, or have one direction only.
func TestMissing(t *testing.T) {
	c := talk(30)
	half := len(c.Records) / 2
	payload := func(i int) (from int, n uint64) {
		var s tcpip.Segment
		if err := s.Decode(c.Records[i].LinkType, c.Records[i].Data, c.Records[i].OrigLen); err != nil {
			t.Fatal(err)
		}
		if s.Src != c.Addr[0] {
			from = 1
		}
		return from, uint64(s.Len())
	}
	all := func(which func(i int) bool) (m map[int]bool) {
		m = map[int]bool{}
		for i := range c.Records {
			m[i] = which(i)
		}
		return m
	}
	for _, test := range []struct {
		name    string
		missing [2]map[int]bool
		within  bool // the captures are expected to tell
	}{
		{"drops", [2]map[int]bool{{20: true, 50: true, half: true}, {60: true, 61: true, half: true}}, true},
		{"late", [2]map[int]bool{1: all(func(i int) bool { return i < half })}, false},
		{"early", [2]map[int]bool{0: all(func(i int) bool { return i > half })}, false},
		{"both", [2]map[int]bool{all(func(i int) bool { return i > half+40 }), all(func(i int) bool { return i < half-40 })}, false},
		{"one way", [2]map[int]bool{1: all(func(i int) bool { from, _ := payload(i); return from == 0 })}, true},
		{"other way", [2]map[int]bool{1: all(func(i int) bool { from, _ := payload(i); return from == 1 })}, true},
	} {
		p := &conversation.Path{Delay: [2]time.Duration{40 * us, 40 * us}, Jitter: 50 * us, Ahead: -7 * time.Second, Missing: test.missing}
		got := compared(t, conversation.Views(c.Records, p))
		if got.Ends[0] != flow.Client {
			t.Errorf("%s: the first capture was taken at the %v", test.name, got.Ends[0])
		}
		if off := got.Clock.Ahead + 7e9; max(off, -off) > got.Clock.Within {
			t.Errorf("%s: clock %+v", test.name, got.Clock)
		}
		for d, x := range got.Connections[0].Ways {
			if x.Losses > 0 || x.Never > 0 || x.Changed > 0 {
				t.Errorf("%s: direction %d: %+v", test.name, d, x)
			}
			if !test.within && x.Missing != [2]uint64{} {
				t.Errorf("%s: direction %d lacks %v", test.name, d, x.Missing)
			}
		}
	}
}

// TestChange changes octets on the way.
func TestChange(t *testing.T) {
	for _, offload := range [][2]bool{{}, {true}, {false, true}} {
		c := talk(20)
		at := 0
		for i, r := range c.Records {
			if len(r.Data) > 1000 && i > 40 && at == 0 {
				at = i
			}
		}
		p := &conversation.Path{Delay: [2]time.Duration{40 * us, 40 * us}, Offload: offload, Change: map[int]func([]byte){at: func(b []byte) {
			b[600] ^= 0x80
			b[603] ^= 1
		}}}
		got := compared(t, conversation.Views(c.Records, p)).Connections[0]
		changed := got.Ways[0].Changed + got.Ways[1].Changed
		changes := append(got.Ways[0].Changes, got.Ways[1].Changes...)
		if changed != 1 || len(changes) != 1 {
			t.Fatalf("offload %v: %+v", offload, changes)
		}
		g := changes[0]
		before := c.Records[at].Data
		if g.Len != 4 || g.Differ != 2 || g.Left[0] != before[600] || g.Came[0] != before[600]^0x80 || g.Left[3] != before[603] || g.Again {
			t.Errorf("offload %v: %+v", offload, g)
		}
	}
}

// TestTranslated has other addresses in the second capture.
func TestTranslated(t *testing.T) {
	c := talk(20)
	views := conversation.Views(c.Records, &conversation.Path{Delay: [2]time.Duration{40 * us, 40 * us}, Ahead: time.Hour, Lost: map[int]bool{}})
	for i := range views[1] {
		r := &views[1][i]
		r.Data = append([]byte{}, r.Data...)
		for _, at := range []int{26, 30} { // the addresses of the IPv4 header
			if ip := r.Data[at : at+4]; ip[3] == 1 {
				copy(ip, []byte{192, 0, 2, 99})
			}
		}
		for _, at := range []int{34, 36} { // ports
			if binary.BigEndian.Uint16(r.Data[at:]) == 44600 {
				binary.BigEndian.PutUint16(r.Data[at:], 1025)
			}
		}
	}
	got := compared(t, views)
	if p := got.Connections[0]; !p.Translated || got.Ends[0] != flow.Client || p.Ways[0].Losses+p.Ways[1].Losses > 0 {
		t.Errorf("%+v", p)
	}
}

// TestResets has a reset that never left, and one that never arrived.
func TestResets(t *testing.T) {
	c := talk(5)
	c.Reset(conversation.Server)
	reset := len(c.Records) - 1
	c.Wait(2 * time.Second)
	c.Ack(conversation.Client)
	delay := [2]time.Duration{40 * us, 40 * us}
	got := compared(t, conversation.Views(c.Records, &conversation.Path{Delay: delay, Lost: map[int]bool{reset: true}})).Connections[0].Ways[1]
	if got.Unheard.Own == 0 || got.Unheard.At != flow.Server || got.Forged.Own > 0 {
		t.Errorf("lost: %+v", got)
	}
	got = compared(t, conversation.Views(c.Records, &conversation.Path{Delay: delay, Missing: [2]map[int]bool{1: {reset: true}}})).Connections[0].Ways[1]
	if got.Forged.Own == 0 || got.Forged.At != flow.Client || got.Unheard.Own > 0 {
		t.Errorf("forged: %+v", got)
	}
}

// TestUnanswered has a connection whose SYNs do not arrive, beside another one that is well.
func TestUnanswered(t *testing.T) {
	c := talk(5)
	first := len(c.Records)
	c.Records = append(c.Records, conversation.New("10.0.0.1:44601", "10.0.0.2:20049").Wait(time.Second).Call().Wait(time.Second).Repeat(1).Records...)
	c.Records = append(c.Records, conversation.New("10.0.0.1:1", "10.0.0.2:2").Wait(time.Minute).Connect().Records...)
	got := compared(t, conversation.Views(c.Records, &conversation.Path{
		Delay: [2]time.Duration{40 * us, 40 * us}, Lost: map[int]bool{first: true, first + 1: true},
	}))
	p := got.Connections[len(got.Connections)-1]
	if len(got.Connections) != 3 || p.Ways[0].Losses != 2 || p.Ways[0].Lost[0].Pos != -1 || p.Ways[0].Lost[0].Again {
		t.Errorf("%+v", p)
	}
}

// TestUnrelated has captures that are not two views of one connection.
func TestUnrelated(t *testing.T) {
	c := talk(20)
	half := len(c.Records) / 2
	other := conversation.New("10.0.0.1:44601", "10.0.0.2:20049").Begin(5, 6).Connect().Send(conversation.Client, make([]byte, 3000)).Ack(conversation.Server)
	for name, views := range map[string][2][]pcaps.Record{
		"a ring buffer":     {c.Records[:half], c.Records[half-1:]},
		"other connections": {c.Records, other.Records},
		"nothing":           {c.Records, nil},
		"the same ports":    {c.Records, conversation.New("10.0.0.1:44600", "10.0.0.2:20049").Begin(99, 98).Connect().Send(0, make([]byte, 300)).Records},
	} {
		if got, err := ends.Compare(open(views)); got != nil || err != nil {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
}

// TestMerge fills in what one capture lacks, from either side.
func TestMerge(t *testing.T) {
	c := talk(30)
	half := len(c.Records) / 2
	p := &conversation.Path{
		Delay: [2]time.Duration{40 * us, 40 * us}, Ahead: time.Hour,
		Missing: [2]map[int]bool{{20: true, 21: true, half: true}, {60: true, 61: true, half + 3: true}},
	}
	views := conversation.Views(c.Records, p)
	comparison := compared(t, views)
	for base := range 2 {
		m, err := comparison.Merge(base, true)
		if err != nil {
			t.Fatal(err)
		}
		var rec pcaps.Record
		n, latest := 0, int64(0)
		for ; m.Next(&rec) == nil; n++ {
			if rec.Frame != uint64(n+1) || rec.Time < latest {
				t.Errorf("frame %d, time %d behind %d", rec.Frame, rec.Time, latest)
			}
			latest = rec.Time
			view, own := m.Locate(rec.Frame)
			if from := views[view][own-1]; &from.Data[0] != &rec.Data[0] || m.Frame(view, own) != rec.Frame {
				t.Errorf("frame %d is not %d of capture %d", rec.Frame, own, view)
			}
		}
		if n < len(c.Records)-3 || n > len(c.Records) { // pure acknowledgements need not be filled in
			t.Errorf("%d packets of %d", n, len(c.Records))
		}
	}
}
