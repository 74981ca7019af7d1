package fleet

// Agents: they find capture files, and send what is in them.

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/iwarpkit/iwarp/dissect"
	"github.com/iwarpkit/iwarp/dissect/ends"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/pcaps"
)

// maxTries is how often a file, or the connections of a share, are begun until they are set aside.
const maxTries = 3

// A File is what an agent says of a file when it has sent its packets.
type File struct {
	Name    string
	Agent   string            // that has sent it
	Size    int64             // octets, when it was read
	Time    time.Time         // when it was changed, by then
	Capture bool              // it begins like one
	Packets uint64            // in it
	First   int64             // time of the first packet; 0 if it has none
	Turn    int64             // of the last packet
	Latest  int64             // time of the latest packet
	Totals  dissect.Totals    // of the packets that belong to no connection
	Parts   [Shares + 1][]lot // of each share, and samples, by which clocks are compared
	Damage  []string          // what could not be read of it
	Aside   string            // why it was set aside; empty if it was not

	clocks []ends.Clock // what takes the times of its packets to those that count
}

// check says what is wrong with a File, which anybody may have written. If nothing is, its packets can be asked for.
func (f *File) check() error {
	if !isName(f.Agent) {
		return fmt.Errorf("fleet: %q names %q as its agent, which is not a valid name", f.Name, f.Agent)
	}
	for _, lots := range f.Parts {
		for i := range lots {
			if err := lots[i].check(); err != nil {
				return fmt.Errorf("fleet: %q has %w", f.Name, err)
			}
		}
	}
	return nil
}

// ofSample is the place of samples among shares.
const ofSample = Shares

// An agentState says how far an agent has come.
type agentState struct {
	Found, Sent  int           // files
	Octets, Done int64         // of the files
	Left         time.Duration // until all are sent, if the rest goes as what was sent of late; 0 if that is not known
	Time         time.Time
	Begun        map[string]int `json:",omitempty"` // ids of files that it was sending then, or before: how often they were begun since they were sent last
	Closed       []string       `json:",omitempty"` // ids of folders that it could not read
}

// estimate fills in Left, from octets that were sent in a time.
func (s *agentState) estimate(sent int64, took time.Duration) {
	if s.Left = 0; sent > 0 {
		s.Left = time.Duration(float64(took) * float64(s.Octets-s.Done) / float64(sent))
	}
}

// An Agent sends what the capture files in folders hold. It opens nothing outside these folders, whatever links in them say.
type Agent struct {
	Name    string   // of the agent; those that work at the same time have different ones
	Prefix  string   // before the names of files
	Folders []string // read with the folders below them
	Every   time.Duration
	Payload bool // send all payload
	Fetch   int  // octets of packets that are given to who asks for them; at most MaxFetch; 0 for none

	sent    map[string]version // files that were, by their ids
	uses    map[string]uses    // of messages of several files, by their subjects
	state   agentState
	first   bool // until the end of a scan: no agent of this name has sent anything before
	reader  pcaps.Reader
	packers [Shares]packer     // empty between files
	bundles [Shares + 1]bundle // likewise between those that are sent together
	coder   coder
	elider  elider
	sampler sampler
	outbox  outbox
	library library
}

// captureNames are the ends of the names of capture files. Files with other names are read if they begin like captures.
var captureNames = []string{".pcap", ".pcapng", ".cap", ".pcap.gz", ".pcapng.gz", ".cap.gz"}

// Run sends all files, again and again what has grown or is new, until ctx is done. If Every is 0, it sends all once.
func (a *Agent) Run(ctx context.Context, b *Bus) error {
	a.sent, a.uses, a.outbox = make(map[string]version), make(map[string]uses), outbox{bus: b}
	a.bundles = [Shares + 1]bundle{}
	if err := a.recall(ctx, b); err != nil {
		return err
	}
	stop, err := a.serve(ctx, b)
	if err != nil {
		return err
	}
	defer stop()
	for {
		if err := a.scan(ctx, b); err != nil {
			return err
		}
		if a.Every == 0 || pause(ctx, a.Every) != nil {
			return nil
		}
	}
}

// scan sends what is new in all folders.
func (a *Agent) scan(ctx context.Context, b *Bus) error {
	var all []found
	var closed []string
	for _, name := range a.Folders {
		folder, err := os.OpenRoot(name)
		if info, known := os.Stat(name); err != nil && known == nil && !info.IsDir() {
			return fmt.Errorf("%s is no folder: name the one that it is in", name)
		}
		if err != nil {
			return err
		}
		defer folder.Close()
		err = walk(folder.FS(), func(path string, info fs.FileInfo) {
			all = append(all, found{folder, shelved{name, path}, a.Prefix + filepath.Join(name, path), version{info.Size(), info.ModTime()}})
			if info.IsDir() {
				closed = append(closed, all[len(all)-1].id())
			}
		})
		if err != nil {
			return err
		}
	}
	if err := a.reopen(ctx, b, closed); err != nil {
		return err
	}
	changed := a.changed(all)
	begin, sent := time.Now(), int64(0)
	for len(changed) > 0 {
		a.state.estimate(sent, time.Since(begin))
		some := batch(changed)
		if err := a.settle(ctx, b, some); err != nil {
			return err
		}
		changed = changed[len(some):]
		for i := range some {
			sent += some[i].size
			a.state.Done += some[i].size
		}
		a.state.Sent += len(some)
	}
	a.state.Left, a.first = 0, false
	return a.tell(ctx, b)
}

// reopen has deleted what is said of folders that could not be read before, and are not among those that cannot be read now.
func (a *Agent) reopen(ctx context.Context, b *Bus, closed []string) error {
	for _, id := range a.state.Closed {
		if slices.Contains(closed, id) || !isName(id) {
			continue
		}
		if err := b.drop(ctx, fileSubject+id); err != nil {
			return err
		}
		delete(a.sent, id)
	}
	a.state.Closed = closed
	return nil
}

// walk calls find for each file in a folder and in those below it, and for folders below it that cannot be read: to open them
// fails as well, so that they are set aside. A folder that cannot be read itself is an error.
func walk(folder fs.FS, find func(path string, info fs.FileInfo)) error {
	return fs.WalkDir(folder, ".", func(path string, entry fs.DirEntry, wrong error) error {
		unread := wrong != nil && !errors.Is(wrong, fs.ErrNotExist)
		if path == "." || entry.IsDir() && wrong == nil {
			return wrong
		}
		info, err := fs.Stat(folder, path) // follows links that stay inside
		if err == nil && (unread || info.Mode().IsRegular()) {
			find(path, info)
		}
		if wrong != nil {
			return fs.SkipDir
		}
		return nil
	})
}

// changed are the files that were not sent as they are. The others are done.
func (a *Agent) changed(all []found) (changed []found) {
	begun := a.state.Begun
	a.state = agentState{Found: len(all), Begun: make(map[string]int), Closed: a.state.Closed}
	for i := range all {
		f := &all[i]
		a.state.Octets += f.size
		id := f.id()
		if begun[id] > 0 {
			a.state.Begun[id] = begun[id]
		}
		if old, known := a.sent[id]; known && old.size == f.size && old.time.Equal(f.time) {
			a.state.Sent++
			a.state.Done += f.size
		} else {
			changed = append(changed, *f)
		}
	}
	return changed
}

// recall finds out whether there was an agent of this name, and which files it was sending when it ended.
func (a *Agent) recall(ctx context.Context, b *Bus) error {
	if a.state.Begun != nil { // this one has not ended
		return nil
	}
	err := b.getValue(ctx, agentSubject+nameOf([]byte(a.Name)), &a.state)
	if a.first = err == errAbsent; a.first {
		return nil
	}
	return err
}

// tell says how far the agent has come.
func (a *Agent) tell(ctx context.Context, b *Bus) error {
	a.state.Time = time.Now()
	return b.putValue(ctx, agentSubject+nameOf([]byte(a.Name)), &a.state)
}

// send puts the packets of a file into the outbox, except for the parts that were sent before, and fills in what is to be said of it. What is wrong with the file is not an error.
func (a *Agent) send(ctx context.Context, f *settling) (err error) {
	file := &f.now
	defer func() {
		if fault := recover(); fault != nil {
			file.Aside = fmt.Sprintf("%s: set aside: internal error: %v", f.name, fault)
		}
	}()
	opened, err := f.folder.Open(f.path)
	if err != nil {
		file.Aside = fmt.Sprintf("%s: set aside: %v", f.name, errors.Unwrap(err))
		return nil
	}
	defer opened.Close()
	in := &a.reader
	if err := in.Reset(called{opened, f.name}); err != nil {
		named := slices.ContainsFunc(captureNames, func(end string) bool { return strings.HasSuffix(strings.ToLower(f.path), end) })
		cut := errors.Is(err, io.ErrUnexpectedEOF)
		switch begun := f.size == 0 || cut; {
		case named && begun: // the newest file of a ring buffer
			file.Capture, file.Damage = true, []string{err.Error() + "; it was skipped"}
		case named, !begun && !errors.Is(err, pcaps.ErrFormat):
			file.Aside = err.Error()
		}
		return nil
	}
	file.Capture = true
	s := shipment{ctx: ctx, agent: a, of: f, file: file}
	a.sampler.reset()
	defer a.elider.endFile()
	for i := range a.packers {
		a.packers[i].reset() // a file that was not sent to its end has left something
	}
	var rec pcaps.Record
	wrong := in.Next(&rec)
	for ; wrong == nil; wrong = in.Next(&rec) {
		if err := s.packet(&rec); err != nil {
			return err
		}
	}
	if wrong != io.EOF {
		file.Damage = append(file.Damage, strings.ReplaceAll(wrong.Error(), "\n", "; "))
	}
	if err := s.finish(); err != nil {
		return err
	}
	return a.add(ctx, f, ofSample, a.sampler.part(&a.coder))
}

// A called file has the name that errors give it.
type called struct {
	io.Reader
	name string
}

func (c called) Name() string { return c.name }

// A shipment is the packets of a file on their way.
type shipment struct {
	ctx    context.Context
	agent  *Agent
	of     *settling
	file   *File // what is to be said of it
	sorter sorter
	rest   *dissect.Engine // counts what belongs to no connection; nil if there was nothing
}

// packet sends a packet, or counts it if it belongs to no connection.
func (s *shipment) packet(rec *pcaps.Record) error {
	f := s.file
	if f.Packets++; f.Packets == 1 {
		f.First, f.Turn = rec.Time, rec.Time
	}
	f.Turn, f.Latest = max(f.Turn, rec.Time), max(f.Latest, rec.Time)
	of, tcp, ok := s.sorter.path(rec)
	if !ok {
		if s.rest == nil {
			s.rest = dissect.NewEngine(record.SinkFunc(func(*record.Record) {}), dissect.Options{})
		}
		s.rest.Packet(rec)
		return nil
	}
	if tcp {
		s.agent.sampler.take(rec, &s.sorter.segment)
	}
	share := s.sorter.share(of)
	p := &s.agent.packers[share]
	if !p.has(len(rec.Data)) {
		if err := s.part(share); err != nil {
			return err
		}
	}
	if tcp && !s.agent.Payload {
		s.agent.elider.pack(p, rec, f.Turn, &s.sorter.segment)
	} else {
		p.add(rec, f.Turn, nil, true)
	}
	return nil
}

// part sends what waits of a share.
func (s *shipment) part(share int) error {
	return s.agent.add(s.ctx, s.of, share, s.agent.coder.part(&s.agent.packers[share]))
}

// finish sends the rest.
func (s *shipment) finish() error {
	for share := range s.agent.packers {
		if s.agent.packers[share].octets > 0 {
			if err := s.part(share); err != nil {
				return err
			}
		}
	}
	if s.rest != nil {
		s.file.Totals = *s.rest.Totals()
	}
	return nil
}

// Files returns what all agents have sent: the files in the order in which they are read, like those of pcaps.OpenByTime that is
// given them by their names.
func (b *Bus) Files(ctx context.Context) (given, ordered []File, err error) {
	err = eachValue(ctx, b, fileSubject, func(f *File, _ int) error {
		if !f.Capture && f.Aside == "" {
			return nil
		}
		given = append(given, *f)
		return f.check()
	})
	if err != nil {
		return nil, nil, err
	}
	slices.SortFunc(given, func(a, b File) int { return cmp.Compare(a.Name, b.Name) })
	return given, inOrder(given), nil
}

// inOrder are the files that are read, in the order of their first packets.
func inOrder(given []File) (inOrder []File) {
	latest := int64(0)
	for _, f := range given {
		if f.Aside == "" {
			latest = cmp.Or(f.First, latest)
			f.First = latest
			inOrder = append(inOrder, f)
		}
	}
	slices.SortStableFunc(inOrder, func(a, b File) int { return cmp.Compare(a.First, b.First) })
	return inOrder
}
