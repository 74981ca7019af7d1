package fleet

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/s2"

	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/internal/conversation"
	"github.com/iwarpkit/iwarp/internal/golden"
	"github.com/iwarpkit/iwarp/internal/quantity"
	"github.com/iwarpkit/iwarp/pcaps"
)

// bus returns a connection to a server inside the test.
func bus(t testing.TB) *Bus {
	t.Helper()
	server, inside, err := StartInside(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Stop)
	b, err := Connect(t.Context(), "", 1, -1, inside)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	return b
}

func write(t testing.TB, folder, name string, octets []byte) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(folder, name), octets, 0o666); err != nil {
		t.Fatal(err)
	}
}

// answer runs an agent once, and asks.
func answer(t *testing.T, b *Bus, folder string) *Answer {
	t.Helper()
	if err := (&Agent{Name: "a", Folders: []string{folder}}).Run(t.Context(), b); err != nil {
		t.Fatal(err)
	}
	go b.Judge(t.Context())
	a, err := b.Answer(t.Context(), Question{})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// refused is a connection that nobody listens for, and another.
func refused() []pcaps.Record {
	c := conversation.New("10.0.0.1:1000", "10.0.0.2:20049").Connect()
	return c.Send(conversation.Client, []byte("GET / HTTP/1.1\r\n")).Ack(conversation.Server).Records
}

// TestGrowingFile checks whether the answer follows a file that grows, and whether what was sent is deleted when it is no longer used.
func TestGrowingFile(t *testing.T) {
	b, folder, packets := bus(t), t.TempDir(), refused()
	for n := 2; n <= len(packets); n++ {
		write(t, folder, "a.pcap", conversation.Capture(packets[:n]))
		a := answer(t, b, folder)
		if got := a.Totals.Packets; got != uint64(n) {
			t.Errorf("%d packets of %d", got, n)
		}
		parts, err := b.subjects(t.Context(), packetSubject+"*.")
		if err != nil {
			t.Fatal(err)
		}
		files, _, err := b.Files(t.Context())
		if err != nil || len(files) != 1 || len(files[0].messages()) != len(parts) {
			t.Errorf("messages %q are stored of files %+v: %v", parts, files, err)
		}
	}
}

// TestOtherFiles checks what becomes of files that are not captures, or damaged.
func TestOtherFiles(t *testing.T) {
	b, folder := bus(t), t.TempDir()
	whole := conversation.Capture(refused())
	write(t, folder, "README.md", []byte("Not a capture."))
	write(t, folder, "cut.pcap", whole[:len(whole)-1])
	write(t, folder, "empty.pcap", nil)
	write(t, folder, "garbage.pcap", []byte("No capture either."))
	a := answer(t, b, folder)
	all := strings.Join(a.Damage, "\n")
	for name, said := range map[string]bool{"README.md": false, "cut.pcap": true, "empty.pcap": true, "garbage.pcap": true} {
		if strings.Contains(all, name) != said {
			t.Errorf("%s: %s", name, all)
		}
	}
	if len(a.Files) != 3 || !a.Aside {
		t.Errorf("files %v, set aside: %v", a.Files, a.Aside)
	}
}

// TestLinksLeadNowhereElse checks whether an agent reads outside its folder.
func TestLinksLeadNowhereElse(t *testing.T) {
	b, folder, outside := bus(t), t.TempDir(), t.TempDir()
	write(t, outside, "a.pcap", conversation.Capture(refused()))
	write(t, folder, "b.pcap", conversation.Capture(refused()[:2]))
	if err := os.Symlink(filepath.Join(outside, "a.pcap"), filepath.Join(folder, "a.pcap")); err != nil {
		t.Skip("no symbolic links: ", err)
	}
	if a := answer(t, b, folder); len(a.Files) != 1 || a.Totals.Packets != 2 {
		t.Errorf("%v, %d packets", a.Files, a.Totals.Packets)
	}
}

// began has an agent have ended so often while it read a file.
func began(t *testing.T, b *Bus, name string, times int) {
	t.Helper()
	state := agentState{Begun: map[string]int{(&found{name: name}).id(): times}}
	if err := b.putValue(t.Context(), agentSubject+nameOf([]byte("a")), &state); err != nil {
		t.Fatal(err)
	}
}

// TestPoison sets a file aside that has ended three agents.
func TestPoison(t *testing.T) {
	b, folder := bus(t), t.TempDir()
	write(t, folder, "a.pcap", conversation.Capture(refused()))
	name := filepath.Join(folder, "a.pcap")
	began(t, b, name, maxTries)
	a := answer(t, b, folder)
	if !a.Aside || len(a.Damage) != 1 || !strings.Contains(a.Damage[0], name+": set aside") {
		t.Errorf("%v", a.Damage)
	}
	a.Give(record.SinkFunc(func(r *record.Record) { t.Errorf("%v of %v", r.Kind, r.Conn.Client) }))
}

// TestGoesOn has an agent begin a file again, which did not end while it read it.
func TestGoesOn(t *testing.T) {
	b, folder := bus(t), t.TempDir()
	write(t, folder, "a.pcap", conversation.Capture(refused()))
	f := found{name: filepath.Join(folder, "a.pcap")}
	began(t, b, f.name, maxTries)
	a := Agent{Name: "a", Folders: []string{folder}, state: agentState{Begun: map[string]int{f.id(): 1}}}
	if err := a.Run(t.Context(), b); err != nil {
		t.Fatal(err)
	}
	var now File
	if err := b.getValue(t.Context(), fileSubject+f.id(), &now); err != nil {
		t.Fatal(err)
	}
	if now.Aside != "" || now.Packets != uint64(len(refused())) || len(a.state.Begun) != 0 {
		t.Errorf("%d packets, %s", now.Packets, now.Aside)
	}
}

// TestAlone checks what is said of files, and when: they are begun together, except for one that may have ended an agent.
func TestAlone(t *testing.T) {
	b, folder := bus(t), t.TempDir()
	for _, name := range []string{"a", "b", "c", "d"} {
		write(t, folder, name, conversation.Capture(refused()))
	}
	began(t, b, filepath.Join(folder, "b"), 1)
	said, err := b.conn.SubscribeSync(">")
	if err != nil {
		t.Fatal(err)
	}
	if err := (&Agent{Name: "a", Folders: []string{folder}}).Run(t.Context(), b); err != nil {
		t.Fatal(err)
	}
	var got []string
	for len(got) < 20 {
		m, err := said.NextMsg(patience)
		if err != nil {
			t.Fatal(err, got)
		}
		var told struct {
			File
			agentState
		}
		switch {
		case !strings.HasPrefix(m.Subject, agentSubject) && !strings.HasPrefix(m.Subject, fileSubject):
			continue
		case json.Unmarshal(m.Data, &told) != nil:
			t.Fatalf("%s", m.Data)
		case told.Name != "":
			got = append(got, filepath.Base(told.Name))
			continue
		}
		for _, name := range []string{"a", "b", "c", "d"} {
			got = append(got, fmt.Sprint(told.Begun[(&found{name: filepath.Join(folder, name)}).id()]))
		}
	}
	if want := "1 1 0 0 a 0 2 0 0 b 0 0 1 1 c d 0 0 0 0"; strings.Join(got, " ") != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// TestParts writes packets into a part, reads them again, and damages it.
func TestParts(t *testing.T) {
	var p packer
	packets := refused()
	for i := range packets {
		packets[i].Frame = uint64(2*i + 1)
		p.add(&packets[i], packets[i].Time+int64(i%2), nil, true)
	}
	part := new(coder).part(&p)
	u, err := newUnpacker(part)
	if err != nil {
		t.Fatal(err)
	}
	var got packet
	for i := range packets {
		want := &packets[i]
		ok, err := u.next(&got)
		if !ok || err != nil || got.Frame != want.Frame || got.Time != want.Time || got.turn != want.Time+int64(i%2) || !bytes.Equal(got.Data, want.Data) || got.OrigLen != want.OrigLen {
			t.Fatalf("packet %d: %v, %v, %+v, want %+v", i, ok, err, got, want)
		}
	}
	if ok, err := u.next(&got); ok || err != nil {
		t.Errorf("after the last packet: %v, %v", ok, err)
	}
	if _, err := newUnpacker(part[:len(part)/2]); err == nil {
		t.Error("half of a part is not damaged")
	}
	for n := range 40 {
		u, err := newUnpacker(s2.Encode(nil, append([]byte{0}, bytes.Repeat([]byte{0xff}, n)...)))
		if err != nil {
			t.Fatal(err)
		}
		for ok := true; ok && err == nil; {
			ok, err = u.next(&got)
		}
		if n > 0 && err == nil {
			t.Errorf("%d octets of no packet are not damaged", n)
		}
	}
}

// octets is a size in the largest unit of which it is a multiple.
func octets(n int) string {
	if n%(1<<20) == 0 {
		return fmt.Sprintf("%d MiB", n>>20)
	}
	return fmt.Sprintf("%d KiB", n>>10)
}

// TestLimits keeps the limits in docs/limits.md.
func TestLimits(t *testing.T) {
	var b strings.Builder
	b.WriteString("| limit | value | at it |\n|---|---|---|\n")
	for _, l := range []struct {
		what  string
		value any
		then  string
	}{
		{"shares, of which each is judged as a whole", Shares, "connections share one"},
		{"octets of a message at the server", octets(maxPart), "results have several; what is said of a file must fit into one"},
		{"octets of packets in a part of a share", octets(maxRaw), "the next part begins"},
		{"octets of a packet", octets(pcaps.MaxPacket), "the file counts as damaged there"},
		{"octets of packets that an agent gives to a fetch", octets(MaxFetch), "fetch says so; ask for fewer frames"},
		{"messages that an agent sends at a time", maxOutbox, "it waits until the server has stored those before"},
		{"octets of these messages", octets(maxOutboxOctets), "it waits until the server has stored those before"},
		{"files that an agent sends at the same time", maxBatch, "the others come after them"},
		{"octets of these files", octets(maxBatchOctets), "the others come after them"},
		{"octets of parts in a message of an agent, unless it is one part", octets(maxBundle), "the next message begins"},
		{"messages on their way to a judge, besides one of each file that it reads", aheadParts, "it waits for them"},
		{"messages that a judge keeps for further files in them", maxKept, "it asks for them again"},
		{"fetches that wait for an agent", maxWaiting, "further ones are lost and not repeated"},
		{"directions of connections whose FPDUs an agent follows in a file; of which it knows the end in files before, up to twice as many", maxFlows, "it begins anew, and sends payload until it knows where FPDUs begin"},
		{"packets of an FPDU whose payload is left out", maxPieces, "the payload in the others travels"},
		{"packets of a direction whose payload waits for an RPC Reply that says what it is", maxWaits, "the payload of the first ones travels"},
		{"the same, of all directions", maxAllWaits, "the payload in the others travels"},
		{"segments of RPC-over-RDMA that an agent remembers of a side", maxOffers, "it forgets the oldest, and sends their payload if packets are lacking"},
		{"packets of a file, without their payload, by which clocks are compared", maxSample, "those with the least hashes are taken"},
		{"packets of an agent by which clocks are compared", maxSamples, "files that come later are not looked at"},
		{"octets that are free on the disk of serve, at least", octets(leastRoom), "it ends, and says so; agents and judges wait until it is started again"},
		{"packets of a share", maxPackets, "it is set aside, and `check` says so: check fewer captures at a time. Packets that were judged cost 24 octets each"},
		{"connections of a share, and Records with findings", maxEvents, "it is set aside, and `check` says so: check fewer captures at a time"},
		{"octets of a result, before it is compressed", octets(maxResult), "the share is set aside, and `check` says so: check fewer captures at a time"},
		{"agents that end while they read a file, or judges while they judge a share", maxTries, "it is set aside"},
		{"time after which the task of a judge that is not heard of is given to another one", lease, "the result that comes first counts, and both are equal"},
	} {
		if n, ok := l.value.(int); ok {
			l.value = quantity.Grouped(n)
		}
		fmt.Fprintf(&b, "| %s | %v | %s |\n", l.what, l.value, l.then)
	}
	golden.Section(t, "../../../../docs/limits.md", "fleet", b.String())
}

// TestRoom sets a share aside that has more packets, or more to be said, than a judge has room for.
func TestRoom(t *testing.T) {
	for what, of := range map[string]room{
		"2 packets":                  {2, maxEvents},
		"0 connections and findings": {maxPackets, 0},
	} {
		b, folder := bus(t), t.TempDir()
		b.room = of
		octets, err := os.ReadFile("../../../../pcaps/samples/p2p-crc.pcap")
		if err != nil {
			t.Fatal(err)
		}
		write(t, folder, "a.pcap", octets)
		a := answer(t, b, folder)
		if !a.Aside || len(a.Damage) != 1 || !strings.Contains(a.Damage[0], "set aside: it has more than "+what+"; check fewer captures") {
			t.Errorf("%+v: %q", of, a.Damage)
		}
	}
}

// TestLongResult stores a result that is too long, and reads one that claims to be.
func TestLongResult(t *testing.T) {
	b, task := bus(t), &Task{Share: 3}
	long := &result{Aside: strings.Repeat("x", maxResult)}
	if err := b.putResult(t.Context(), task, long); err != nil {
		t.Fatal(err)
	}
	if r, err := b.result(t.Context(), task.name()); err != nil || !strings.HasPrefix(r.Aside, "share 3 of 32 was set aside: it has more than 67108864 octets") {
		t.Errorf("%.100v, %v", r, err)
	}
	octets := compressor.EncodeAll(encode(long), nil)
	if err := b.put(t.Context(), resultSubject+task.name()+".0", octets); err != nil {
		t.Fatal(err)
	}
	if r, err := b.result(t.Context(), task.name()); err == nil {
		t.Errorf("a result of %d octets was read", len(r.Aside))
	}
	if err := b.putValue(t.Context(), resultSubject+task.name(), resultHead{1 << 30}); err != nil {
		t.Fatal(err)
	}
	if _, err := b.result(t.Context(), task.name()); err == nil || err == errAbsent {
		t.Errorf("a result of 2^30 parts: %v", err)
	}
}

// TestIndex looks for the places of packets, and of others.
func TestIndex(t *testing.T) {
	var x index
	const n = 3*blockLen + 1
	for i := range n {
		x.add(uint64(2*i+2), &place{Turn: int64(i), origin: origin{i % 7, uint64(i)}})
	}
	for i := range n {
		if got, want := x.of(uint64(2*i+2)), (place{Turn: int64(i), origin: origin{i % 7, uint64(i)}}); got != want {
			t.Fatalf("packet %d: %+v", i, got)
		}
	}
	for _, frame := range []uint64{0, 1, 3, 2*blockLen + 1, 2*n + 1, 2*n + 2, 1 << 63} {
		if got := x.of(frame); got != (place{}) {
			t.Errorf("frame %d: %+v", frame, got)
		}
	}
}

// TestTimeLeft asks how long agents will need that have sent a part of their files.
func TestTimeLeft(t *testing.T) {
	b := bus(t)
	for name, of := range map[string]struct{ sent, done, octets int64 }{"a": {0, 0, 50}, "b": {10, 40, 100}, "c": {100, 100, 100}} {
		a := Agent{Name: name, state: agentState{Found: 2, Sent: 1, Octets: of.octets, Done: of.done}}
		a.state.estimate(of.sent, 5*time.Second)
		if err := a.tell(t.Context(), b); err != nil {
			t.Fatal(err)
		}
	}
	p, err := b.Progress(t.Context())
	if said := p.String(); err != nil || !strings.Contains(said, "(140 of 250 octets; about 30s left)") {
		t.Errorf("%s, %v", said, err)
	}

	lacks := func(want bool) {
		t.Helper()
		if got, err := b.LacksJudge(t.Context()); got != want || err != nil {
			t.Errorf("lacks a judge: %v, %v", got, err)
		}
	}
	lacks(false)
	for share := range 5 {
		if err := b.give(t.Context(), &Task{Share: share}); err != nil {
			t.Fatal(err)
		}
	}
	lacks(true)
	judges, err := b.judges(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for range 2 { // take a task each
		taken, err := judges.Fetch(1)
		if err != nil {
			t.Fatal(err)
		}
		<-taken.Messages()
		lacks(false)
	}
	for share, state := range []judgeState{{15 * time.Second, 3}, {25 * time.Second, -7}} {
		if err := b.putValue(t.Context(), judgeSubject+fmt.Sprint(share), state); err != nil {
			t.Fatal(err)
		}
	}
	p, err = b.Progress(t.Context())
	if said := p.String(); err != nil || !strings.Contains(said, "Judged: 3 connections. Waiting for a judge: 5 tasks (about 1m0s left)") {
		t.Errorf("%s, %v", said, err)
	}
}

// TestJudgedConnections counts the connections that were judged: those of a share that has changed once.
func TestJudgedConnections(t *testing.T) {
	b, folder := bus(t), t.TempDir()
	for i, name := range []string{"p2p-crc.pcap", "rping.pcap", "rping.pcap"} {
		octets, err := os.ReadFile("../../../../pcaps/samples/" + name)
		if err != nil {
			t.Fatal(err)
		}
		write(t, folder, fmt.Sprintf("%d.pcap", i), octets)
		a := answer(t, b, folder)
		if p, err := b.Progress(t.Context()); err != nil || p.Connections == 0 || p.Connections != a.Totals.Connections {
			t.Errorf("%d captures: %v, want %d connections; %v", i+1, p, a.Totals.Connections, err)
		}
	}
}

// A closedFolder has a folder b that cannot be read.
type closedFolder struct{ fs.FS }

func (f closedFolder) ReadDir(name string) ([]fs.DirEntry, error) {
	if name == "b" {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrPermission}
	}
	return fs.ReadDir(f.FS, name)
}

// TestWalk goes past a folder that cannot be read, which is found like a file, and past a link out of the folder.
func TestWalk(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a", "b", "c"} {
		if err := os.Mkdir(filepath.Join(dir, name), 0o777); err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(dir, name), "x.pcap", nil)
	}
	if err := os.Symlink("/etc/passwd", filepath.Join(dir, "c", "out")); err != nil {
		t.Fatal(err)
	}
	folder, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer folder.Close()
	for want, files := range map[string]fs.FS{"a/x.pcap b/x.pcap c/x.pcap": folder.FS(), "a/x.pcap b c/x.pcap": closedFolder{folder.FS()}} {
		var all []string
		if err := walk(files, func(path string, _ fs.FileInfo) { all = append(all, path) }); err != nil || strings.Join(all, " ") != want {
			t.Errorf("found %q, %v, want %s", all, err, want)
		}
	}
	if err := walk(closedFolder{os.DirFS(filepath.Join(dir, "none"))}, func(string, fs.FileInfo) {}); err == nil {
		t.Error("a folder that does not exist was read")
	}
}

// TestClosedFolder names a folder that cannot be read, and judges the files beside it.
func TestClosedFolder(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("root reads all folders")
	}
	dir := t.TempDir()
	write(t, dir, "a.pcap", conversation.Capture(refused()))
	if err := os.Mkdir(filepath.Join(dir, "closed"), 0); err != nil {
		t.Fatal(err)
	}
	a := answer(t, bus(t), dir)
	if text := strings.Join(a.Damage, "\n"); !strings.Contains(text, "closed: set aside: permission denied") || !a.Aside || a.Totals.Packets == 0 {
		t.Errorf("%d packets, %s", a.Totals.Packets, text)
	}
}

// TestReopenedFolder has a folder that could not be read by an agent before: it is no longer named.
func TestReopenedFolder(t *testing.T) {
	b, dir := bus(t), t.TempDir()
	write(t, dir, "a.pcap", conversation.Capture(refused()))
	folder := found{name: filepath.Join(dir, "b")}
	if err := b.putValue(t.Context(), fileSubject+folder.id(), File{Name: folder.name, Aside: "closed"}); err != nil {
		t.Fatal(err)
	}
	if err := b.putValue(t.Context(), agentSubject+nameOf([]byte("a")), agentState{Closed: []string{folder.id()}}); err != nil {
		t.Fatal(err)
	}
	if a := answer(t, b, dir); a.Aside || len(a.Files) != 1 {
		t.Errorf("files %q, %q", a.Files, a.Damage)
	}
}
