package main

// Captures that are generated, in the folders of agents, and what iwarp check says of them.

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/iwarpkit/iwarp/dissect/tcpip"
	"github.com/iwarpkit/iwarp/internal/conversation"
	"github.com/iwarpkit/iwarp/internal/recorded"
	"github.com/iwarpkit/iwarp/pcaps"
)

// A plan says what is captured. Captures happen again and again, between other addresses each time, and several at a time. Two
// points of capture see them, as connections are captured at both of their ends: most packets are seen at one point or the other, some at
// both. Each point writes files one after the other, as a ring buffer has them.
type plan struct {
	of          string        // files; empty for the bundled captures
	whole       bool          // one point sees all
	copies      int           // of the bundled captures
	files       int           // in all, about
	burst       int           // packets in a row that are seen at one point; 1 if 0
	ahead, away time.Duration // of the clock of point b, and how long packets take from one point to the other

	before, point int // packets, and where the latest one was seen
}

var (
	smallPlan = plan{copies: 1, files: 170}
	largePlan = plan{copies: 72, files: 500} // 300 MB
)

// largest stays within the limits of iwarp check on connections that are open, for it has no captures in which some stay open, and on how
// often the file changes from packet to packet.
func largest(copies int) plan {
	return plan{of: "../../pcaps/samples/*[^t].pcap*", copies: copies, files: 500, burst: 64}
}

// apart is p with clocks and places that differ.
func (p plan) apart(ahead, away time.Duration) plan {
	p.ahead, p.away = ahead, away
	return p
}

// once are the packets of the captures, in the order of time: their own, or as if each had begun a millisecond after another.
func (p plan) once(t *testing.T) (all []pcaps.Record) {
	t.Helper()
	samples, err := filepath.Glob(cmp.Or(p.of, "../../pcaps/samples/*.pcap*"))
	if err != nil || len(samples) == 0 {
		t.Fatalf("%d captures, %v", len(samples), err)
	}
	for i, sample := range samples {
		packets := recorded.Packets(pcaps.Open(sample))
		if p.copies > 1 {
			first := packets[0].Time
			for k := range packets {
				packets[k].Time += beginning + int64(i)*int64(time.Millisecond) - first
			}
		}
		all = append(all, packets...)
	}
	slices.SortStableFunc(all, byTime)
	return all
}

const beginning = int64(1_700_000_000 * time.Second)

func byTime(a, b pcaps.Record) int { return cmp.Compare(a.Time, b.Time) }

// carryOut captures as planned, into folders: point a into those with even numbers, if there are several.
func (p plan) carryOut(t *testing.T, folders []string) {
	t.Helper()
	const step = int64(200 * time.Millisecond)
	once := p.once(t)
	octets := 0
	for i := range once {
		octets += len(once[i].Data)
	}
	var points [2]point
	for i := range points {
		points[i] = point{t: t, name: 'a' + rune(i), most: p.copies * octets * 6 / 5 / p.files}
		for j := i; j < max(len(folders), 2); j += 2 {
			points[i].folders = append(points[i].folders, folders[j%len(folders)])
		}
	}
	drawn := rand.New(rand.NewPCG(1, 2))
	var waiting []pcaps.Record
	for i := range p.copies {
		for _, rec := range once {
			rec.Data, rec.Time = bytes.Clone(rec.Data), rec.Time+int64(i)*step
			readdress(&rec, i)
			waiting = append(waiting, rec)
		}
		slices.SortStableFunc(waiting, byTime)
		next, _ := slices.BinarySearchFunc(waiting, beginning+int64(i+1)*step, func(rec pcaps.Record, t int64) int { return cmp.Compare(rec.Time, t) })
		if i == p.copies-1 {
			next = len(waiting)
		}
		for _, rec := range waiting[:next] {
			seen := p.seen(drawn)
			if seen%2 == 0 {
				points[0].add(rec)
			}
			if seen == 0 || seen%2 == 1 {
				rec.Time += int64(p.ahead + direction(&rec)*p.away)
				points[1].add(rec)
			}
		}
		waiting = slices.Delete(waiting, 0, next)
	}
	for i := range points {
		if len(points[i].packets) > 0 {
			points[i].end()
		}
	}
}

// seen is 0 if both points see the next packet, else even for point a.
func (p *plan) seen(drawn *rand.Rand) int {
	const a = 2
	switch {
	case p.whole:
		return a
	case p.before%max(p.burst, 1) == 0:
		p.point = drawn.IntN(5)
	case p.point == 0:
		p.point = a
	}
	p.before++
	return p.point
}

// readdress has a packet between other addresses, over which the sum is the same: one is more by n, the other one less.
func readdress(rec *pcaps.Record, n int) {
	var tcp tcpip.Segment
	var sctp tcpip.SCTP
	err := tcp.Decode(rec.LinkType, rec.Data, rec.OrigLen)
	if err == tcpip.ErrSCTP && sctp.Decode(rec.LinkType, rec.Data, rec.OrigLen) == nil {
		err, tcp.Src, tcp.Dst = nil, sctp.Src, sctp.Dst
	}
	src, dst := tcp.Src.Addr().AsSlice(), tcp.Dst.Addr().AsSlice()
	at := bytes.Index(rec.Data, slices.Concat(src, dst))
	if err != nil || at < 0 {
		return
	}
	if bytes.Compare(src, dst) > 0 {
		n = -n
	}
	for i, by := range []int{n, -n} {
		word := rec.Data[at+i*len(src):]
		binary.BigEndian.PutUint16(word, uint16((int(binary.BigEndian.Uint16(word))+by+0xffff)%0xffff))
	}
}

// direction is 1 for packets that pass point a before point b, else -1: servers are behind b.
func direction(rec *pcaps.Record) time.Duration {
	var s tcpip.Segment
	if s.Decode(rec.LinkType, rec.Data, rec.OrigLen) == nil && s.Src.Port() < s.Dst.Port() {
		return -1
	}
	return 1
}

// A point of capture writes files.
type point struct {
	t       *testing.T
	folders []string
	name    rune
	most    int // octets of packets in a file
	packets []pcaps.Record
	octets  int // in packets
	files   int
}

func (p *point) add(rec pcaps.Record) {
	if p.octets += len(rec.Data); p.octets > p.most {
		p.end()
		p.octets = len(rec.Data)
	}
	p.packets = append(p.packets, rec)
}

// end ends the file.
func (p *point) end() {
	write(p.t, filepath.Join(p.folders[p.files%len(p.folders)], fmt.Sprintf("%c-%04d.pcap", p.name, p.files)), p.packets)
	p.files++
	p.packets = p.packets[:0]
}

func write(t *testing.T, name string, packets []pcaps.Record) {
	t.Helper()
	if err := os.WriteFile(name, conversation.Capture(packets), 0o666); err != nil {
		t.Fatal(err)
	}
}

// A scene is captures in the folders of some agents, and what iwarp check says of all.
type scene struct {
	top     string
	folders []string           // at or below top
	files   []string           // in the order of their names
	want    map[string]verdict // by format
}

// shared is what tests make once.
var shared struct {
	folder string
	iwarp  string // the program
	sync.Once
	small *scene
}

// iwarp builds that program, and returns where it is.
func iwarp(t *testing.T) string {
	t.Helper()
	if shared.iwarp == "" {
		name := filepath.Join(shared.folder, "iwarp")
		if out, err := exec.Command("go", "build", "-o", name, "../iwarp").CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		shared.iwarp = name
	}
	return shared.iwarp
}

// newScene is the small input in two folders, for reading only.
func newScene(t *testing.T) *scene {
	t.Helper()
	shared.Do(func() {
		s := captured(t, filepath.Join(shared.folder, "small"), 2, smallPlan)
		s.judge(t)
		shared.small = s
	})
	if shared.small == nil {
		t.Fatal("there is no small input")
	}
	return shared.small
}

// judge has iwarp check say what has to be said.
func (s *scene) judge(t *testing.T) {
	t.Helper()
	s.want = make(map[string]verdict)
	for _, format := range []string{"text", "json"} {
		s.want[format] = s.check(t, format)
	}
}

// check is what iwarp check says.
func (s *scene) check(t *testing.T, format string) verdict {
	t.Helper()
	return ask(t, exec.Command(iwarp(t), append([]string{"check", "-q", "-o", format}, s.files...)...))
}

// captured captures what a scene has.
func captured(t *testing.T, top string, agents int, p plan) *scene {
	t.Helper()
	s := &scene{top: top, folders: tree(top, agents)}
	for _, folder := range s.folders {
		if err := os.MkdirAll(folder, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	p.carryOut(t, s.folders)
	s.files = filesBelow(t, s.top)
	return s
}

// tree are n folders below top, or top. Those of half as many are the folders around them.
func tree(top string, n int) (folders []string) {
	for i := range n {
		folder := top
		for rest, of := i, n; of > 1; rest, of = rest/2, of/2 {
			folder = filepath.Join(folder, fmt.Sprint(rest%2))
		}
		folders = append(folders, folder)
	}
	return folders
}

// filesBelow are those in a folder and the folders below it, in the order of their names.
func filesBelow(t *testing.T, folder string) (files []string) {
	t.Helper()
	err := filepath.WalkDir(folder, func(name string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			files = append(files, name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(files)
	return files
}
