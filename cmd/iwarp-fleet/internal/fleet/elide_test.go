package fleet

import (
	"bytes"
	"cmp"
	"hash/crc32"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/s2"

	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/dissect"
	"github.com/iwarpkit/iwarp/dissect/judge"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/show/check"
	"github.com/iwarpkit/iwarp/dissect/tcpip"
	"github.com/iwarpkit/iwarp/dissect/ulp/all"
	"github.com/iwarpkit/iwarp/internal/adversary"
	"github.com/iwarpkit/iwarp/internal/conversation"
	"github.com/iwarpkit/iwarp/internal/recorded"
	"github.com/iwarpkit/iwarp/pcaps"
)

// pack packs the packets of files as if all had one share. each is called after every packet.
func pack(files [][]pcaps.Record, each func(*elider)) (parts [][]byte) {
	var s sorter
	var e elider
	var p packer
	var c coder
	for _, packets := range files {
		for i := range packets {
			rec := packets[i]
			if !p.has(len(rec.Data)) {
				parts = append(parts, bytes.Clone(c.part(&p)))
			}
			rec.Data = bytes.Clone(rec.Data) // they are changed
			if _, tcp, _ := s.path(&rec); tcp {
				e.pack(&p, &rec, rec.Time, &s.segment)
			} else {
				p.add(&rec, rec.Time, nil, true)
			}
			each(&e)
		}
		parts = append(parts, bytes.Clone(c.part(&p)))
		e.endFile()
	}
	return parts
}

// inFiles are packets in files of so many.
func inFiles(packets []pcaps.Record, each int) [][]pcaps.Record {
	return slices.Collect(slices.Chunk(packets, each))
}

// unpack returns the packets of parts.
func unpack(t *testing.T, parts [][]byte) (all []packet) {
	t.Helper()
	for _, part := range parts {
		u, err := newUnpacker(part)
		if err != nil {
			t.Fatal(err)
		}
		for rec := new(packet); ; all = append(all, *rec) {
			if ok, err := u.next(rec); err != nil {
				t.Fatal(err)
			} else if !ok {
				break
			}
		}
	}
	return all
}

// unpacked are packets of which nothing was replaced.
func unpacked(records []pcaps.Record) (all []packet) {
	for _, rec := range records {
		all = append(all, packet{Record: rec})
	}
	return all
}

// verdict is what a judge says of packets, and whether it lacks payload.
func verdict(packets []packet) (text string, lacks bool) {
	var b bytes.Buffer
	d := check.NewDocument(&b, check.Head{})
	sink := record.SinkFunc(func(r *record.Record) {
		lacks = lacks || r.Kind == record.KindSegment && r.Exchange != nil && isRead(r) && hasFiller(r.Segment.RDMAP.Body)
		d.Record(r)
	})
	var of *packet
	replaced := func(uint64) bool { return of.filled }
	e := dissect.NewEngine(sink, dissect.Options{Replaced: replaced, Ports: all.Ports(), Analysis: &judge.Options{ULPs: all.Layers()}})
	for i := range packets {
		of = &packets[i]
		e.Packet(&of.Record)
	}
	e.Close()
	_ = d.Finish([]string{}) // a Buffer takes all
	return b.String(), lacks
}

// TestElided compares what is said of the bundled captures with what is said after the way through a packer, and checks whether TCP checksums
// are right where they were, and how much is left: whole, and in files of 100 packets.
func TestElided(t *testing.T) {
	samples, err := filepath.Glob("../../../../pcaps/samples/*.pcap*")
	if err != nil || len(samples) < 20 {
		t.Fatalf("%d samples, %v", len(samples), err)
	}
	sums := func(p *packet) (sum uint16, right, damaged bool) {
		s := tcpip.Segment{Replaced: p.filled}
		if s.Decode(p.LinkType, p.Data, p.OrigLen) != nil {
			return 0, false, false
		}
		return s.PayloadSum(), s.IsRight(), s.IsDamaged()
	}
	for _, each := range []int{math.MaxInt, 100} {
		octets, packed := 0, 0
		for _, name := range samples {
			before := unpacked(recorded.Packets(pcaps.Open(name)))
			parts := pack(inFiles(recorded.Packets(pcaps.Open(name)), each), func(*elider) {})
			after := unpack(t, parts)
			if len(after) != len(before) {
				t.Fatalf("%s: %d packets, want %d", name, len(after), len(before))
			}
			for i := range before {
				octets += len(before[i].Data)
				sum, right, damaged := sums(&before[i])
				if s, r, d := sums(&after[i]); s != sum || r != right || d != damaged {
					t.Errorf("%s: packet %d: sum %#x, right %v, damaged %v; want %#x, %v, %v", name, i+1, s, r, d, sum, right, damaged)
				}
			}
			for _, part := range parts {
				packed += len(part)
			}
			want, _ := verdict(before)
			if got, lacks := verdict(after); got != want || lacks {
				t.Errorf("%s\n got %s\nwant %s", name, got, want)
			}
		}
		if packed > octets/6 {
			t.Errorf("%d octets of %d travel in files of %d packets", packed, octets, each)
		}
	}
}

// TestElidedAdversary compares conversations of all kinds in the same way: legal, with violations, and damaged, captured at two points of which
// each misses packets, in files of a few packets. What lacks an RPC message is not compared: a judge says so.
func TestElidedAdversary(t *testing.T) {
	seeds := uint64(2000)
	if testing.Short() {
		seeds = 200
	}
	different, lacking := 0, 0
	for seed := range seeds {
		kinds := adversary.Kinds()
		c := adversary.New(kinds[seed%uint64(len(kinds))], seed)
		r := rand.New(rand.NewPCG(seed, 1))
		if injectors := adversary.Injectors(c.Kind); seed%3 > 0 && len(injectors) > 0 {
			injectors[r.IntN(len(injectors))].Inject(c)
		}
		packets := c.Packets()
		if seed%2 > 0 {
			packets = adversary.Damages[r.IntN(len(adversary.Damages))].Do(r, packets)
		}
		for i := range packets {
			packets[i].Frame = uint64(i + 1)
		}
		want, lacks := verdict(unpacked(packets))
		if lacks {
			t.Fatal("filler where there is none")
		}
		var points [2][]pcaps.Record
		for _, rec := range packets {
			at := r.IntN(10) / 9
			points[at] = append(points[at], rec)
		}
		var all []packet
		for _, seen := range points {
			all = append(all, unpack(t, pack(inFiles(seen, 1+r.IntN(50)), func(*elider) {}))...)
		}
		slices.SortStableFunc(all, func(a, b packet) int { return cmp.Compare(a.Frame, b.Frame) })
		switch got, lacks := verdict(all); {
		case lacks:
			lacking++
		case got != want:
			if different++; different < 5 {
				t.Errorf("%v\n got %s\nwant %s", c, got, want)
			}
		}
	}
	if different > 0 || uint64(lacking) > seeds/50 {
		t.Errorf("of %d conversations, %d differ, and %d lack payload", seeds, different, lacking)
	}
}

// TestElidedMarkers has Markers and no CRCs: short FPDUs fit between two Markers, but the longer Write after them has one.
func TestElidedMarkers(t *testing.T) {
	talk := conversation.New("10.0.0.1:40000", "10.0.0.2:20049").Connect().
		Send(conversation.Client, []byte("MPA ID Req Frame\x00\x01\x00\x00")).Send(conversation.Server, []byte("MPA ID Rep Frame\x80\x01\x00\x00"))
	framer := mpa.Framer{Options: mpa.Options{Markers: true}}
	say := func(header []byte, payload int) {
		fpdu, err := framer.Append(nil, header, bytes.Repeat([]byte{9}, payload))
		if err != nil {
			t.Fatal(err)
		}
		talk.Send(conversation.Client, fpdu)
	}
	write := []byte{0xc1, 0x40, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0x10, 0}
	for msn := range byte(11) {
		if msn == 1 {
			say(write, 4)
		}
		if msn == 10 {
			say(write, 600)
		}
		say([]byte{0x41, 0x43, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, msn + 1, 0, 0, 0, 0}, 2)
	}
	want, _ := verdict(unpacked(talk.Records))
	if got, _ := verdict(unpack(t, pack([][]pcaps.Record{talk.Records}, func(*elider) {}))); got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
}

// within is a packet with a payload.
func within(t *testing.T, payload []byte) (s *tcpip.Segment, packet []byte) {
	t.Helper()
	s, packet = new(tcpip.Segment), conversation.New("10.0.0.1:40000", "10.0.0.2:20049").Connect().Send(conversation.Client, payload).Records[3].Data
	if err := s.Decode(pcaps.LinkTypeEthernet, packet, len(packet)); err != nil || !bytes.Equal(s.Payload, payload) {
		t.Fatal(err, len(s.Payload))
	}
	return s, packet
}

// TestFill checks whether CRCs do not notice filler.
func TestFill(t *testing.T) {
	for n := crcLen; n < 200; n++ {
		b := bytes.Repeat([]byte{1, 2, 3, 250, 7}, 50)
		before := crc32.Checksum(b, castagnoli)
		segment, packet := within(t, b)
		g := new(elider).fill(segment, packet, &piece{off: 17, len: n})
		copy(packet[g.at:], filler[:g.len])
		if b = segment.Payload; crc32.Checksum(b, castagnoli) != before {
			t.Errorf("%d octets: another CRC", n)
		}
		if hasFiller(b) != (n >= leastElided) {
			t.Errorf("%d octets: filler is seen: %v", n, !(n >= leastElided))
		}
	}
}

// TestLacks replaces all tagged payload. A judge that has to read it must say so.
func TestLacks(t *testing.T) {
	parts := pack([][]pcaps.Record{recorded.Packets(pcaps.Open("../../../../pcaps/samples/nfs-small-v4.1-inl4096-crc1.pcap.gz"))}, func(e *elider) {
		for _, f := range e.flows {
			f.read = false
			for i := range f.queues {
				f.queues[i].known, f.queues[i].read = true, false
			}
		}
	})
	b := bus(t)
	task := Task{Single: true, Files: []part{{ID: "file"}}}
	for _, octets := range parts {
		task.Files[0].Parts = append(task.Files[0].Parts, lot{In: nameOf(octets), Lens: []int{len(octets)}})
		if err := b.put(t.Context(), packetSubject+"file."+nameOf(octets), octets); err != nil {
			t.Fatal(err)
		}
	}
	r, err := b.judge(t.Context(), &task)
	if err != nil || !r.Lacks {
		t.Errorf("lacks payload: %v; %v, %s", r.Lacks, err, r.Aside)
	}
}

// FuzzParts reads parts that anybody may have written.
func FuzzParts(f *testing.F) {
	var p packer
	packets := refused()
	for i := range packets {
		p.add(&packets[i], packets[i].Time, nil, true)
	}
	p.gaps = []gap{{80, 40, 40}}
	part, err := s2.Decode(nil, new(coder).part(&p))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(part)
	f.Add([]byte{1, 5, 200})
	f.Fuzz(func(t *testing.T, octets []byte) {
		u, err := newUnpacker(s2.Encode(nil, octets))
		if err != nil {
			return
		}
		if len(u.raw) > maxFolded+len(octets) {
			t.Fatalf("%d octets of %d", len(u.raw), len(octets))
		}
		var got packet
		for n, ok := 0, true; ok && err == nil; n++ {
			if ok, err = u.next(&got); n > len(u.raw)+len(octets)+maxFolded {
				t.Fatal("it does not end")
			}
		}
	})
}

// TestElidedAltered has a packet whose payload is replaced come again with other octets, which nobody replaces: what was altered is said.
func TestElidedAltered(t *testing.T) {
	altered := 0
	for _, name := range []string{"perf-ib_read_bw-4096-o16.pcap.gz", "multi4.pcap.gz", "nvme-rdma-start.pcap.gz"} {
		packets := recorded.Packets(pcaps.Open("../../../../pcaps/samples/" + name))
		replaced := unpack(t, pack([][]pcaps.Record{packets}, func(*elider) {}))
		at := slices.IndexFunc(replaced, func(p packet) bool { return p.filled })
		if at < 0 {
			t.Fatalf("%s: nothing is replaced", name)
		}
		again := packets[at]
		again.Data = bytes.Clone(again.Data)
		var s tcpip.Segment
		if err := s.Decode(again.LinkType, again.Data, again.OrigLen); err != nil {
			t.Fatal(err)
		}
		word := s.Payload[len(s.Payload)/2&^1:]
		word[0], word[2] = word[0]^4, word[2]^2 // the sum is another one
		sum := again.Data[s.PayloadOff(again.Data)-len(s.Options())-4:]
		for n := range 1 << 16 {
			sum[0], sum[1] = byte(n>>8), byte(n)
			if err := s.Decode(again.LinkType, again.Data, again.OrigLen); err != nil || s.IsRight() {
				break
			}
		}
		packets = slices.Insert(packets, at+1, again)
		for i := range packets {
			packets[i].Frame = uint64(i + 1)
		}
		want, _ := verdict(unpacked(packets))
		if got, _ := verdict(unpack(t, pack([][]pcaps.Record{packets}, func(*elider) {}))); got != want {
			t.Errorf("%s\n got %s\nwant %s", name, got, want)
		}
		if strings.Contains(want, judge.ObsAltered.Name) {
			altered++
		}
	}
	if altered == 0 {
		t.Error("nothing was altered")
	}
}
