package fleet

// Files on their way from an agent.

import (
	"context"
	"fmt"
	"os"
	"slices"
	"time"
)

const (
	maxBatch       = 64       // files
	maxBatchOctets = 64 << 20 // in them, unless it is one
)

// A found file is one in a folder of an agent.
type found struct {
	folder *os.Root
	shelved
	name string
	size int64
	time time.Time
}

func (f *found) id() string { return nameOf([]byte(f.name)) }

// batch are the first files of those that are to be sent. Several have messages on their way at the same time: to wait for each file would
// cost much more.
func batch(all []found) []found {
	n, octets := 1, all[0].size
	for ; n < min(maxBatch, len(all)) && octets+all[n].size <= maxBatchOctets; n++ {
		octets += all[n].size
	}
	return all[:n]
}

// A settling file is being sent, or set aside.
type settling struct {
	*found
	id       string
	old, now File
}

// settle sends files that are new or have changed, or sets them aside after three tries.
func (a *Agent) settle(ctx context.Context, b *Bus, some []found) error {
	var all []settling
	var subjects []string
	for i := range some {
		f := &some[i]
		all = append(all, settling{found: f, id: f.id(), now: File{Name: f.name, Agent: nameOf([]byte(a.Name)), Size: f.size, Time: f.time}})
		subjects = append(subjects, fileSubject+all[i].id)
	}
	err := b.getAll(ctx, subjects, func(i int, octets []byte, err error) error {
		if err == errAbsent {
			return nil
		}
		f := &all[i]
		err = decode(octets, err, &f.old)
		if a.begun[f.id] { // this agent has not ended
			f.old.Tries = max(0, f.old.Tries-1)
		}
		return err
	})
	for len(all) > 0 && err == nil {
		n := 1
		for n < len(all) && all[0].old.Tries+all[n].old.Tries == 0 { // one that may have ended an agent goes alone
			n++
		}
		err = a.together(ctx, b, all[:n])
		all = all[n:]
	}
	return err
}

// together settles files at the same time. What is said of a file is stored when all that it names is.
func (a *Agent) together(ctx context.Context, b *Bus, some []settling) error {
	for i := range some {
		f := &some[i]
		if f.old.Tries >= maxTries {
			f.now.Aside = fmt.Sprintf("%s: set aside: %d agents ended while they read it", f.name, f.old.Tries)
			continue
		}
		begun := f.old
		begun.Name, begun.Tries = f.name, f.old.Tries+1
		a.begun[f.id] = true
		if err := a.outbox.put(ctx, fileSubject+f.id, encode(&begun)); err != nil {
			return err
		}
	}
	if err := a.outbox.flush(ctx); err != nil {
		return err
	}
	for i := range some {
		if f := &some[i]; f.now.Aside == "" {
			if err := a.send(ctx, f); err != nil {
				return err
			}
		}
	}
	if err := a.outbox.flush(ctx); err != nil {
		return err
	}
	for i := range some {
		if err := a.outbox.put(ctx, fileSubject+some[i].id, encode(&some[i].now)); err != nil {
			return err
		}
	}
	if err := a.outbox.flush(ctx); err != nil {
		return err
	}
	for i := range some {
		if err := a.settled(ctx, b, &some[i]); err != nil {
			return err
		}
	}
	return nil
}

// settled remembers a file, and has deleted what was sent of it before and is no longer used.
func (a *Agent) settled(ctx context.Context, b *Bus, f *settling) error {
	a.sent[f.id] = f.now
	delete(a.begun, f.id)
	if f.now.Capture {
		a.library.add(f.name, f.shelved)
	}
	for share, parts := range f.old.Parts {
		for _, part := range parts {
			if !slices.Contains(f.now.Parts[share], part) {
				if err := b.drop(ctx, packetSubject+f.id+"."+part); err != nil {
					return err
				}
			}
		}
	}
	return nil
}
