package fleet

// Files on their way from an agent.

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"os"
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
	version
}

// A version of a file is known by what changes when it is written.
type version struct {
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
		if !a.first {
			subjects = append(subjects, fileSubject+all[i].id)
		}
	}
	err := b.getAll(ctx, subjects, func(i int, octets []byte, err error) error {
		if err == errAbsent {
			return nil
		}
		f := &all[i]
		if err = decode(octets, err, &f.old); f.old.check() != nil {
			f.old = File{} // nobody can use what it says
		}
		return err
	})
	for len(all) > 0 && err == nil {
		n := 1
		for n < len(all) && a.state.Begun[all[0].id]+a.state.Begun[all[n].id] == 0 { // one that may have ended an agent goes alone
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
		if tries := a.state.Begun[f.id]; tries >= maxTries {
			f.now.Aside = fmt.Sprintf("%s: set aside: %d agents ended while they read it", f.name, tries)
		}
		a.state.Begun[f.id]++
	}
	if err := a.tell(ctx, b); err != nil {
		return err
	}
	for i := range some {
		if err := a.parts(ctx, &some[i]); err != nil {
			return err
		}
	}
	if err := a.closeAll(ctx); err != nil {
		return err
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

// parts sends the parts of a file. A file that may still grow, and so change what it has, shares no message.
func (a *Agent) parts(ctx context.Context, f *settling) error {
	if f.now.Aside != "" {
		return nil
	}
	alone := time.Since(f.time) < 2*a.Every
	if alone {
		if err := a.closeAll(ctx); err != nil {
			return err
		}
	}
	err := a.send(ctx, f)
	if err == nil && alone {
		err = a.closeAll(ctx)
	}
	return err
}

// settled remembers a file, and has deleted what was sent of it before and no file has now.
func (a *Agent) settled(ctx context.Context, b *Bus, f *settling) error {
	_, known := a.sent[f.id]
	a.sent[f.id] = f.version
	delete(a.state.Begun, f.id)
	if f.now.Capture {
		a.library.add(f.name, f.shelved)
	}
	before, now := f.old.messages(), f.now.messages()
	for subject, files := range now {
		if _, had := before[subject]; files > 1 && !(had && known) {
			u := a.uses[subject]
			a.uses[subject] = uses{u.seen + 1, u.now + 1}
		}
	}
	for subject, files := range before {
		if _, still := now[subject]; still {
			continue
		}
		u := a.uses[subject]
		if known {
			u.now--
		} else {
			u.seen++
		}
		if a.uses[subject] = u; files > 1 && (u.now > 0 || u.seen < files) {
			continue
		}
		delete(a.uses, subject)
		if err := b.drop(ctx, subject); err != nil {
			return err
		}
	}
	return nil
}

// uses are the files that have a message of several: those that this agent has met since it runs, and those of them that have it now. The others
// that had it may be gone, and count.
type uses struct{ seen, now int }

// messages are the subjects under which parts of a file are stored, and how many files have had each.
func (f *File) messages() map[string]int {
	all := make(map[string]int)
	for _, lots := range f.Parts {
		for i := range lots {
			files := 1
			if l := &lots[i]; l.Of != "" {
				files = cmp.Or(l.Files, math.MaxInt) // of those of an agent that did not count them, none are deleted
			}
			all[lots[i].subject(nameOf([]byte(f.Name)))] = files
		}
	}
	return all
}
