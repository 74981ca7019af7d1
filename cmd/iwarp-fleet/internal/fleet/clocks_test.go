package fleet

import (
	"fmt"
	"testing"
	"time"

	"github.com/iwarpkit/iwarp/dissect/tcpip"
	"github.com/iwarpkit/iwarp/internal/conversation"
	"github.com/iwarpkit/iwarp/pcaps"
)

// requests are n requests with their answers, on a connection.
func requests(client, server string, n int) []pcaps.Record {
	c := conversation.New(client, server).Connect()
	for i := range n {
		c.Send(conversation.Client, fmt.Appendf(nil, "request %d", i)).Wait(time.Millisecond)
		c.Send(conversation.Server, fmt.Appendf(nil, "answer %d", i)).Wait(time.Millisecond)
	}
	return c.Records
}

// at are packets as they are captured away from where they were first, by a clock that is ahead. Ports below 1024 are those of servers.
func at(t *testing.T, packets []pcaps.Record, ahead, away time.Duration) (seen []pcaps.Record) {
	t.Helper()
	var s tcpip.Segment
	for _, rec := range packets {
		if err := s.Decode(rec.LinkType, rec.Data, rec.OrigLen); err != nil {
			t.Fatal(err)
		}
		if s.Src.Port() < 1024 {
			rec.Time -= int64(away)
		} else {
			rec.Time += int64(away)
		}
		rec.Time += int64(ahead)
		seen = append(seen, rec)
	}
	return seen
}

// sample is what a sampler chooses of packets.
func sample(t *testing.T, packets []pcaps.Record) (chosen []pcaps.Record) {
	t.Helper()
	var s sampler
	s.reset()
	var segment tcpip.Segment
	for i := range packets {
		if err := segment.Decode(packets[i].LinkType, packets[i].Data, packets[i].OrigLen); err != nil {
			t.Fatal(err)
		}
		s.take(&packets[i], &segment)
	}
	if len(s.chosen) == 0 || len(s.chosen) > maxSample {
		t.Fatalf("%d packets of %d", len(s.chosen), len(packets))
	}
	for _, c := range s.chosen {
		chosen = append(chosen, c.rec)
	}
	return chosen
}

// TestThreeClocks has a host in the middle, and one that has no packet in common with others.
func TestThreeClocks(t *testing.T) {
	ab, bc, d := requests("10.0.0.1:2000", "10.0.0.2:700", 400), requests("10.0.0.2:2000", "10.0.0.3:700", 400), requests("10.0.0.4:2000", "10.0.0.5:700", 9)
	const away = 30 * time.Microsecond
	hosts := []*host{{agent: "a"}, {agent: "b"}, {agent: "c"}, {agent: "d"}}
	hosts[0].add(sample(t, ab))
	hosts[1].add(sample(t, at(t, ab, 3*time.Second, away)))
	hosts[1].add(sample(t, at(t, bc, 3*time.Second, 0)))
	hosts[2].add(sample(t, at(t, bc, -time.Hour, away)))
	hosts[3].add(sample(t, d))
	if err := compareClocks(hosts); err != nil {
		t.Fatal(err)
	}
	base := "aaad"
	for i, ahead := range []time.Duration{0, 3 * time.Second, -time.Hour, 0} {
		h := hosts[i]
		if wrong := shown(h.clocks, int64(1e18)+int64(ahead)) - 1e18; h.base.agent != base[i:i+1] || max(wrong, -wrong) > 2*int64(away) {
			t.Errorf("host %s: by that of %s, wrong by %v; %v", h.agent, h.base.agent, time.Duration(wrong), h.clocks)
		}
	}
	if hosts[0].clocks != nil || hosts[3].clocks != nil {
		t.Errorf("%v, %v", hosts[0].clocks, hosts[3].clocks)
	}
}

// TestAlikeClocks corrects nothing where clocks agree.
func TestAlikeClocks(t *testing.T) {
	packets := requests("10.0.0.1:2000", "10.0.0.2:700", 100)
	hosts := []*host{{agent: "a"}, {agent: "b"}}
	hosts[0].add(sample(t, packets))
	hosts[1].add(sample(t, at(t, packets, 100*time.Microsecond, time.Millisecond)))
	if err := compareClocks(hosts); err != nil || hosts[1].clocks != nil || hosts[1].base != hosts[0] {
		t.Errorf("%+v, %v", hosts[1].clocks, err)
	}
}
