package fleet

// Packets as an agent has them, with the payload that did not travel.

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/iwarpkit/iwarp/pcaps"
)

// MaxFetch is how many octets of packets an agent gives at most.
const MaxFetch = maxRaw

const (
	fetchSubject = "iwarp-fetch."  // AGENT: a fetch, which is answered with a part
	wrongHeader  = "Iwarp-Wrong"   // why it is not
	fetchTime    = 1 * time.Minute // that an agent takes at most
	maxWaiting   = 64              // fetches that wait for an agent; more are lost
)

// A fetch asks for packets of a file, by their numbers.
type fetch struct {
	File        string
	First, Last uint64
}

// A library is the capture files that an agent has sent.
type library struct {
	mu    sync.Mutex
	files map[string]shelved // by names
}

// A shelved file is one in a folder.
type shelved struct{ folder, path string }

func (l *library) add(name string, s shelved) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.files == nil {
		l.files = make(map[string]shelved)
	}
	l.files[name] = s
}

// serve answers fetches, one after the other, until stop is called.
func (a *Agent) serve(ctx context.Context, b *Bus) (stop func(), err error) {
	if a.Fetch == 0 {
		return func() {}, nil
	}
	s, err := b.conn.Subscribe(fetchSubject+nameOf([]byte(a.Name)), func(m *nats.Msg) {
		if !strings.HasPrefix(m.Reply, nats.InboxPrefix) { // what somebody else may not write is not written for them
			return
		}
		reply := nats.NewMsg(m.Reply)
		part, err := a.answer(ctx, m.Data)
		if err != nil {
			reply.Header.Set(wrongHeader, strings.ReplaceAll(err.Error(), "\n", "; "))
		}
		reply.Data = part
		_ = m.RespondMsg(reply) // who has asked waits no longer, or asks again
	})
	if err != nil {
		return nil, err
	}
	return func() { _ = s.Unsubscribe() }, errors.Join(s.SetPendingLimits(maxWaiting, -1), b.conn.Flush())
}

// answer is the packets that a fetch asks for, as a part. Only what the agent has sent is read, and what still lies in its folder.
func (a *Agent) answer(ctx context.Context, question []byte) (part []byte, err error) {
	var f fetch
	if err := json.Unmarshal(question, &f); err != nil {
		return nil, err
	}
	a.library.mu.Lock()
	at, known := a.library.files[f.File]
	a.library.mu.Unlock()
	if !known {
		return nil, fmt.Errorf("%s is not a capture of this agent", f.File)
	}
	folder, err := os.OpenRoot(at.folder)
	if err != nil {
		return nil, err
	}
	defer folder.Close()
	info, err := folder.Stat(at.path)
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s: %w", f.File, errors.Unwrap(err))
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s is not a file", f.File)
	}
	opened, err := folder.Open(at.path)
	if err != nil {
		return nil, err
	}
	defer opened.Close()
	in, err := pcaps.NewCapture(f.File, opened)
	if err != nil {
		return nil, err
	}
	var p packer
	rec, octets, end := new(pcaps.Record), 0, time.Now().Add(fetchTime)
	for rec.Frame < f.Last && in.Next(rec) == nil {
		if rec.Frame < f.First {
			if rec.Frame%1024 == 0 && (ctx.Err() != nil || time.Now().After(end)) {
				return nil, fmt.Errorf("%s: frame %d was not reached in %v", f.File, f.First, fetchTime)
			}
			continue
		}
		if octets += len(rec.Data); octets > a.Fetch {
			return nil, fmt.Errorf("%s: frames %d-%d have more than %d octets; ask for fewer", f.File, f.First, f.Last, a.Fetch)
		}
		p.add(rec, rec.Time, nil, true)
	}
	if rec.Frame < f.Last {
		return nil, fmt.Errorf("%s has no frame %d: the last one that can be read is %d", f.File, f.Last, rec.Frame)
	}
	return new(coder).part(&p), nil
}

// Fetch asks the agent of a file for packets as they are there. The file has the name that Answers give to it: the full one, or the short one
// before frames.
func (b *Bus) Fetch(ctx context.Context, name string, first, last uint64) ([]pcaps.Record, error) {
	file, err := b.find(ctx, name)
	if err != nil {
		return nil, err
	}
	ctx, stop := context.WithTimeout(ctx, fetchTime+10*time.Second)
	defer stop()
	m, err := b.conn.RequestWithContext(ctx, fetchSubject+file.Agent, encode(fetch{file.Name, first, last}))
	switch {
	case errors.Is(err, nats.ErrNoResponders):
		return nil, fmt.Errorf("the agent that sent %s is not running, or does not answer fetch", file.Name)
	case err != nil:
		return nil, fmt.Errorf("the agent that sent %s: %w", file.Name, err)
	case m.Header.Get(wrongHeader) != "":
		return nil, errors.New(m.Header.Get(wrongHeader))
	}
	return appendPackets(nil, m.Data)
}

func (b *Bus) find(ctx context.Context, name string) (*File, error) {
	given, _, err := b.Files(ctx)
	if err != nil {
		return nil, err
	}
	short := frameNames(given, false)
	i := slices.IndexFunc(given, func(f File) bool { return f.Name == name })
	if i < 0 {
		i = slices.IndexFunc(given, func(f File) bool { return short[f.Name] == name })
	}
	if i < 0 {
		return nil, fmt.Errorf("no agent has sent a capture %s; iwarp-fleet check -o json names all of them", name)
	}
	return &given[i], nil
}
