package judge_test

// Captures that show less than was sent, or show it late: what a capture lacks is laid to nobody's charge.

import (
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/netip"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/dissect"
	"github.com/iwarpkit/iwarp/dissect/judge"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/tcpip"
	"github.com/iwarpkit/iwarp/internal/conversation"
	"github.com/iwarpkit/iwarp/internal/recorded"
	"github.com/iwarpkit/iwarp/internal/recordtest"
	"github.com/iwarpkit/iwarp/pcaps"
)

var (
	damageSeeds = flag.Uint64("damages", 0, "damage each capture with so many seeds in each way; 0: with few")
	damageOnly  = flag.String("damaged", "", "damage only captures and streams with this in their names")
	moreToHarm  = flag.String("captures", "", "damage the captures of this folder too")
)

// A damage is a way in which a capture is less than what was sent.
type damage struct {
	name  string
	loses bool   // packets: then no observation may be new in captures either
	seeds uint64 // with how many it is tried, except for -damages; 1 if it does the same with all
	do    func(r *rand.Rand, records []pcaps.Record) []pcaps.Record
}

// damages are all ways.
func damages() []damage {
	all := []damage{
		{"client to server only", true, 1, oneDirection(true)}, {"server to client only", true, 1, oneDirection(false)},
		{"client late", false, 3, late(true)}, {"server late", false, 3, late(false)},
		{"some packets cut", false, 2, snapped(20)}, {"all packets cut", false, 2, snapped(1)},
		{"segments joined", false, 1, joined},
	}
	all = append(all, damage{"one packet lost", true, 40, func(r *rand.Rand, records []pcaps.Record) []pcaps.Record {
		at := r.IntN(min(len(records), 100))
		return slices.Delete(slices.Clone(records), at, at+1)
	}})
	for _, every := range []uint64{3, 7, 23, 101} {
		all = append(all, damage{fmt.Sprintf("without every %dth packet", every), true, 1, without(func(_ *rand.Rand, i uint64) bool {
			return i%every == 2
		})})
	}
	for _, percent := range []int{1, 2, 5} {
		all = append(all, damage{fmt.Sprintf("%d %% lost", percent), true, 4, without(func(r *rand.Rand, _ uint64) bool {
			return r.IntN(100) < percent
		})})
	}
	return all
}

// without takes away some packets, which are counted from 1.
func without(lost func(*rand.Rand, uint64) bool) func(*rand.Rand, []pcaps.Record) []pcaps.Record {
	return func(r *rand.Rand, records []pcaps.Record) (kept []pcaps.Record) {
		for i := range records {
			if !lost(r, uint64(i+1)) {
				kept = append(kept, records[i])
			}
		}
		return kept
	}
}

// of reports of each record whether the host sent it that sent the first one, which is the client.
func ofClient(records []pcaps.Record) []bool {
	var client netip.Addr
	of := make([]bool, len(records))
	for i := range records {
		var s tcpip.Segment
		if s.Decode(records[i].LinkType, records[i].Data, records[i].OrigLen) != nil {
			continue
		}
		if !client.IsValid() {
			client = s.Src.Addr()
		}
		of[i] = s.Src.Addr() == client
	}
	return of
}

// oneDirection keeps the packets of one host.
func oneDirection(client bool) func(*rand.Rand, []pcaps.Record) []pcaps.Record {
	return func(_ *rand.Rand, records []pcaps.Record) (kept []pcaps.Record) {
		for i, of := range ofClient(records) {
			if of == client {
				kept = append(kept, records[i])
			}
		}
		return kept
	}
}

// late shows the packets of one host up to three packets of the other later than they came, with the time of then or of now.
func late(client bool) func(*rand.Rand, []pcaps.Record) []pcaps.Record {
	return func(r *rand.Rand, records []pcaps.Record) (out []pcaps.Record) {
		most, stamped := 1+r.IntN(3), r.IntN(2) == 0
		var behind []pcaps.Record // what is late
		var due []int             // behind how many packets of the other host
		passed := 0
		release := func(all bool) {
			for len(behind) > 0 && (all || due[0] <= passed) {
				out = append(out, behind[0])
				behind, due = behind[1:], due[1:]
			}
		}
		for i, of := range ofClient(records) {
			if of != client {
				release(false)
				out = append(out, records[i])
				passed++
				continue
			}
			behind, due = append(behind, records[i]), append(due, passed+r.IntN(most+1))
			release(false)
		}
		release(true)
		if stamped {
			for i := range out {
				out[i].Time = records[i].Time
			}
		}
		return out
	}
}

// snapped cuts one of n packets behind the headers of TCP.
func snapped(n int) func(*rand.Rand, []pcaps.Record) []pcaps.Record {
	return func(r *rand.Rand, records []pcaps.Record) []pcaps.Record {
		out, length := slices.Clone(records), 80+r.IntN(120)
		for i := range out {
			if r.IntN(n) == 0 {
				out[i].Data = out[i].Data[:min(len(out[i].Data), length)]
			}
		}
		return out
	}
}

// joined makes one packet of those of a host that follow each other, as segmentation offload does.
func joined(_ *rand.Rand, records []pcaps.Record) (out []pcaps.Record) {
	var before tcpip.Segment // the latest of out, if it is whole and has payload
	var headers int          // octets of it before its payload
	for _, record := range records {
		var s tcpip.Segment
		whole := s.Decode(record.LinkType, record.Data, record.OrigLen) == nil && s.Missing == 0 && len(s.Payload) > 0
		if !whole || s.Src != before.Src || s.Dst != before.Dst || s.Seq != before.Seq+uint32(len(before.Payload)) {
			out, before, headers = append(out, record), tcpip.Segment{}, s.PayloadOff(record.Data)
			if whole {
				before = s
			}
			continue
		}
		packet := slices.Concat(out[len(out)-1].Data[:headers+len(before.Payload)], s.Payload)
		length := packet[16:18] // in the header of IPv4; 0 for more than it can say
		if packet[14]>>4 == 6 {
			length = packet[18:20]
		}
		clear(length)
		out[len(out)-1].Data, out[len(out)-1].OrigLen = packet, len(packet)
		before.Payload = packet[headers:]
	}
	return out
}

// blamed are warnings and errors that damage may bring, by the finding's name, with the argument why each is true all the same.
var blamed = map[string]string{
	"message-cut":           "the Terminate that answers the message is lost, and the FIN behind it does cut the message",
	"reset-after-terminate": "the FIN between them is lost, which shows nowhere: the reset comes before it is acknowledged",
}

// harmed are the packets that are damaged, by name: captures, streams written by hand, and generated ones.
func harmed(t *testing.T) map[string][]pcaps.Record {
	all := map[string][]pcaps.Record{}
	for name, file := range captureFiles(t) {
		all[name] = recorded.Packets(pcaps.Open(file))
	}
	if *moreToHarm != "" {
		files, _ := filepath.Glob(filepath.Join(*moreToHarm, "*.pcap*"))
		for _, file := range files {
			all[filepath.Base(file)] = recorded.Packets(pcaps.Open(file))
		}
	}
	for name, s := range allStreams(t) {
		if path.Dir(name) == "clean" {
			all[name] = s.Records
		}
	}
	for name, make := range legal {
		for seed := range uint64(4) {
			all[fmt.Sprintf("%s %d", name, seed)] = make(rand.New(rand.NewPCG(seed, 0)))
		}
	}
	return all
}

// TestLateReplies checks that continued Replies are put together although one side is captured late.
func TestLateReplies(t *testing.T) {
	for seed := range uint64(40) {
		records := continued(rand.New(rand.NewPCG(seed, 0)))
		whole := analyse(records, "rfc", nil).answered
		for _, client := range []bool{false, true} {
			damaged := late(client)(rand.New(rand.NewPCG(seed, 1)), records)
			for i := range damaged {
				damaged[i].Frame = uint64(i + 1)
			}
			f := analyse(damaged, "rfc", nil)
			if len(f.answered) != len(whole) {
				t.Errorf("seed %d, client %v: %d of %d", seed, client, len(f.answered), len(whole))
			}
			for xid, octets := range f.answered {
				if octets != whole[xid] {
					t.Errorf("seed %d, client late %v: %#x has %d octets instead of %d", seed, client, xid, octets, whole[xid])
				}
			}
		}
	}
}

// TestDamage checks whether a damaged capture brings no warning and no error but those that the whole one brings. The short
// form takes one capture in four.
func TestDamage(t *testing.T) {
	used := map[string]bool{}
	all, files := harmed(t), captureFiles(t)
	for i, name := range slices.Sorted(maps.Keys(all)) {
		if !strings.Contains(name, *damageOnly) || testing.Short() && i%4 != 0 {
			continue
		}
		records := all[name]
		whole := analyse(records, "siw", nil).count()
		for _, d := range damages() {
			seeds := d.seeds
			if seeds > 1 && *damageSeeds > 0 {
				seeds = *damageSeeds
			} else if seeds > 1 && strings.Contains(name, ".txt") && seeds < 40 {
				seeds *= 10 // it is short
			}
			for seed := range seeds {
				damaged := d.do(rand.New(rand.NewPCG(seed, 1)), records)
				for i := range damaged {
					damaged[i].Frame = uint64(i + 1)
				}
				f := analyse(damaged, "siw", nil)
				for i := range f.findings {
					one := &f.findings[i]
					switch {
					case one.Severity == rules.Note || whole[one.Name] > 0, one.Rule == nil && !(d.loses && files[name] != ""):
					case blamed[one.Name] != "":
						used[one.Name] = true
					default:
						t.Errorf("%s, %s, seed %d: frame %d: %s (%s): %s", name, d.name, seed, one.Frame, one.Name, one.ID, one.Text)
					}
				}
			}
		}
	}
	for name := range blamed {
		if !used[name] && *damageOnly == "" && !testing.Short() {
			t.Errorf("no damage brings %s: it need not be excused", name)
		}
	}
}

// A saidOf keeps the text of a finding of each name.
type saidOf map[string]string

func (s saidOf) Record(rec *record.Record) { recordtest.Pieces(rec, s) }

func (s saidOf) Finding(f *record.Finding) { s[f.Name] = f.Text }

// TestStrayResponse has a Read Response whose request the capture lacks: it is not said to be one to another request.
func TestStrayResponse(t *testing.T) {
	k := startTalk("10.0.0.1:40000", "10.0.0.2:7174")
	k.untagged(conversation.Client, rdmap.OpSend, 0, []byte("before"), 100)
	var begin int
	for stag := range uint32(3) {
		begin = len(k.Records)
		body, _ := (&rdmap.ReadRequest{SinkSTag: stag + 1, RDMARDSZ: 8, SrcSTag: 9}).AppendBinary(nil)
		k.untagged(conversation.Client, rdmap.OpReadRequest, 0, body, 100)
	}
	for stag := range uint32(3) {
		k.tagged(conversation.Server, rdmap.OpReadResponse, stag+1, 0, make([]byte, 8), 100)
	}
	said := saidOf{}
	e := dissect.NewEngine(judge.New(said, judge.Options{}), dissect.Options{})
	for _, rec := range k.Close(conversation.Client).Records[begin:] {
		e.Packet(&rec)
	}
	e.Close()
	if text := said["response-stag"]; !strings.Contains(text, "in doubt") || strings.Contains(text, "to the RDMA Read") {
		t.Errorf("%q", said)
	}
}

// TestCutPackets cuts the packets of a capture: a note says what that means.
func TestCutPackets(t *testing.T) {
	said := saidOf{}
	e := dissect.NewEngine(judge.New(said, judge.Options{}), dissect.Options{})
	for _, rec := range recorded.Packets(pcaps.Open(captureFiles(t)["rping"])) {
		rec.Data = rec.Data[:min(len(rec.Data), 96)]
		e.Packet(&rec)
	}
	e.Close()
	if text := said["capture-loss"]; !strings.Contains(text, "captured in part") {
		t.Errorf("%q", said)
	}
}
