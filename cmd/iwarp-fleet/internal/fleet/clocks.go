package fleet

// The clocks of hosts: they are compared by packets that several hosts have captured.

import (
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"maps"
	"math"
	"net/netip"
	"slices"
	"time"

	"github.com/iwarpkit/iwarp/dissect/ends"
	"github.com/iwarpkit/iwarp/dissect/tcpip"
	"github.com/iwarpkit/iwarp/pcaps"
)

const (
	maxSample  = 256              // packets of a file, without their payload, by which clocks are compared
	fewSamples = 64               // as many as a short file may have
	sampleOf   = 32               // packets of a longer one, for each in its sample
	maxSamples = 1 << 16          // packets of an agent that are looked at
	maxPlaces  = 8                // hosts that have captured a packet, and are compared by it
	leastShift = time.Millisecond // what clocks have to differ by for times to be corrected
)

// A sampler chooses packets of a file: those with the least hashes, so that two hosts choose the same of what both have captured.
type sampler struct {
	packets int
	chosen  []sampled
	octets  []byte // of what is chosen, and was
	most    uint32 // hash of a packet that is chosen
	packer  packer
}

type sampled struct {
	rec  pcaps.Record
	hash uint32
}

// reset begins a file.
func (s *sampler) reset() {
	s.packets, s.chosen, s.octets, s.most = 0, s.chosen[:0], s.octets[:0], math.MaxUint32
}

// hashOfSegment is the same at all places where a segment passes, and another one when it is sent again, as timestamps of TCP tell. What is
// cut into packets elsewhere begins with one of the same hash.
func hashOfSegment(s *tcpip.Segment) uint32 {
	var h uint64
	mix := func(v uint64) {
		const odd = 0x9e3779b97f4a7c15
		h = (h ^ v) * odd
		h ^= h >> 32
	}
	for _, end := range []netip.AddrPort{s.Src, s.Dst} {
		ip := end.Addr().As16()
		mix(binary.BigEndian.Uint64(ip[:8]))
		mix(binary.BigEndian.Uint64(ip[8:]))
		mix(uint64(end.Port()))
	}
	mix(uint64(s.Seq))
	if s.Len() == 0 {
		mix(uint64(s.Ack))
	}
	if !s.Flags.Has(tcpip.SYN) { // whose options are changed on the way
		mix(uint64(crc32.Checksum(s.Options(), castagnoli)))
	}
	return uint32(h)
}

// take takes the next packet, with a segment.
func (s *sampler) take(rec *pcaps.Record, of *tcpip.Segment) {
	s.packets++
	hash := hashOfSegment(of)
	if hash > s.most {
		return
	}
	limit := min(max(s.packets/sampleOf, fewSamples), maxSample)
	if s.most == 0 && len(s.chosen) >= limit { // one packet that was sent again and again
		return
	}
	kept, from := *rec, len(s.octets)
	s.octets = append(s.octets, rec.Data[:len(rec.Data)-len(of.Payload)]...)
	kept.Data = s.octets[from:len(s.octets):len(s.octets)]
	for s.chosen = append(s.chosen, sampled{kept, hash}); len(s.chosen) > limit && s.most > 0; {
		s.most /= 2
		s.chosen = slices.DeleteFunc(s.chosen, func(c sampled) bool { return c.hash > s.most })
	}
	s.chosen = s.chosen[:min(len(s.chosen), limit)]
}

// part is what was chosen.
func (s *sampler) part(c *coder) []byte {
	for i := range s.chosen {
		rec := &s.chosen[i].rec
		s.packer.add(rec, rec.Time, nil, true)
	}
	return c.part(&s.packer)
}

// A host is an agent, with samples of its packets.
type host struct {
	agent   string
	file    string // one that it has sent
	samples []sampled
	times   map[uint32]int // how often a hash is in samples
	clocks  []ends.Clock   // what takes its times to those of another host, whose clock counts; none if that is not needed
	shift   int64          // nanoseconds by which it is ahead of that, about
	reached bool
	base    *host // whose clock counts
}

// A source gives samples to package ends.
type source struct{ rest []pcaps.Record }

// Next implements ends.Source.
func (s *source) Next(rec *pcaps.Record) error {
	if len(s.rest) == 0 {
		return io.EOF
	}
	*rec, s.rest = s.rest[0], s.rest[1:]
	return nil
}

// hosts returns all agents with their samples, if there are several.
func (b *Bus) hosts(ctx context.Context, given []File) ([]*host, error) {
	var all []*host
	hosts := make(map[string]*host)
	for i := range given {
		if f := &given[i]; f.Packets > 0 && hosts[f.Agent] == nil {
			hosts[f.Agent] = &host{agent: f.Agent, file: f.Name}
			all = append(all, hosts[f.Agent])
		}
	}
	if len(all) < 2 {
		return all, nil
	}
	type of struct { // what is in a message
		host *host
		lot  *lot
	}
	var subjects []string
	in := make(map[string][]of)
	for i := range given {
		f := &given[i]
		for j := range f.Parts[ofSample] {
			if f.Packets == 0 {
				break
			}
			l := &f.Parts[ofSample][j]
			subject := l.subject(nameOf([]byte(f.Name)))
			if in[subject] == nil {
				subjects = append(subjects, subject)
			}
			in[subject] = append(in[subject], of{hosts[f.Agent], l})
		}
	}
	err := b.getAll(ctx, subjects, func(i int, octets []byte, err error) error {
		for _, o := range in[subjects[i]] {
			if err == nil {
				err = o.host.addLot(o.lot, octets)
			}
		}
		if err == errAbsent {
			return nil
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	for _, h := range all {
		slices.SortStableFunc(h.samples, func(a, b sampled) int { return cmp.Compare(a.rec.Time, b.rec.Time) })
	}
	return all, nil
}

// addLot takes the samples that a message has of a file.
func (h *host) addLot(l *lot, message []byte) error {
	parts, err := l.cut(message)
	for _, part := range parts {
		if len(h.samples) >= maxSamples {
			break
		}
		var packets []pcaps.Record
		if packets, err = appendPackets(nil, part); err != nil {
			break
		}
		h.add(packets[:min(len(packets), maxSample)])
	}
	return err
}

// add takes the sample of a file.
func (h *host) add(packets []pcaps.Record) {
	if h.times == nil {
		h.times = make(map[uint32]int)
	}
	var segment tcpip.Segment
	for _, rec := range packets {
		if segment.Decode(rec.LinkType, rec.Data, rec.OrigLen) == nil {
			hash := hashOfSegment(&segment)
			h.samples = append(h.samples, sampled{rec, hash})
			h.times[hash]++
		}
	}
}

// shared are the packets that another host has captured, too. What one of them has twice proves nothing.
func (h *host) shared(other *host) *source {
	s := new(source)
	for i := range h.samples {
		if hash := h.samples[i].hash; h.times[hash] == 1 && other.times[hash] == 1 {
			s.rest = append(s.rest, h.samples[i].rec)
		}
	}
	return s
}

func appendPackets(all []pcaps.Record, part []byte) ([]pcaps.Record, error) {
	u, err := newUnpacker(part)
	if err != nil {
		return all, err
	}
	var p packet
	for {
		ok, err := u.next(&p)
		if !ok || err != nil {
			return all, err
		}
		all = append(all, p.Record)
	}
}

// A pair of hosts, by their numbers, has captured the same packets.
type pair [2]int

// compareClocks finds the clocks of hosts: along those pairs that have most packets in common.
func compareClocks(all []*host) error {
	shared := make(map[pair]int)
	have := make(map[uint32][]int)
	for i, h := range all {
		for hash, times := range h.times {
			if times == 1 && len(have[hash]) < maxPlaces {
				for _, other := range have[hash] {
					shared[pair{other, i}]++
				}
				have[hash] = append(have[hash], i)
			}
		}
	}
	pairs := slices.SortedFunc(maps.Keys(shared), func(a, b pair) int {
		return cmp.Or(cmp.Compare(shared[b], shared[a]), slices.Compare(a[:], b[:]))
	})
	for _, h := range all {
		if h.reached {
			continue
		}
		h.reached, h.base = true, h
		for found := true; found; { // the next pair of a host that is known and one that is not
			found = false
			for _, p := range pairs {
				from, to := all[p[0]], all[p[1]]
				if from.reached == to.reached {
					continue
				}
				if to.reached {
					from, to = to, from
				}
				if from.base != h {
					continue
				}
				if err := to.compare(from); err != nil {
					return err
				}
				found = true
				break
			}
		}
	}
	return nil
}

// compare finds the clock of a host from that of another one.
func (h *host) compare(known *host) error {
	views := [2]ends.Source{known.shared(h), h.shared(known)}
	clock, err := ends.CompareClocks(func(view int) (ends.Source, error) { return views[view], nil })
	if err != nil {
		return err
	}
	h.reached, h.base, h.clocks, h.shift = true, known.base, known.clocks, known.shift
	if clock.Known && max(clock.Ahead, -clock.Ahead) > 2*clock.Within+int64(leastShift) {
		h.clocks = append([]ends.Clock{clock}, known.clocks...)
		h.shift += clock.Ahead
	}
	return nil
}

// shown is a time by the clock that counts.
func shown(clocks []ends.Clock, t int64) int64 {
	for i := range clocks {
		t = clocks[i].First(t)
	}
	return t
}

// correct gives files the times that they would have if all hosts had one clock, and says which hosts do not.
func (b *Bus) correct(ctx context.Context, given []File) (corrected []File, notes []string, err error) {
	all, err := b.hosts(ctx, given)
	if err == nil && len(all) > 1 {
		err = compareClocks(all)
	}
	if err != nil {
		return nil, nil, err
	}
	of := make(map[string]*host)
	for _, h := range all {
		of[h.agent] = h
		if h.clocks != nil {
			notes = append(notes, fmt.Sprintf("the clock of the host with %s differs by about %v from that of the host with %s; times are by the latter",
				h.file, time.Duration(h.shift).Round(leastShift), h.base.file))
		}
	}
	corrected = slices.Clone(given)
	for i := range corrected {
		if f := &corrected[i]; f.Packets > 0 {
			f.clocks = of[f.Agent].clocks
			f.First, f.Turn, f.Latest = shown(f.clocks, f.First), shown(f.clocks, f.Turn), shown(f.clocks, f.Latest)
		}
	}
	return corrected, notes, nil
}
