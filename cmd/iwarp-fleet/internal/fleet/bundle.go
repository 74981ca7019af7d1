package fleet

// Parts on their way to the server: those of a share travel together, of several files if they are sent at the same time. A message costs
// a server much more than some octets in it.

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
)

// maxBundle is how many octets of parts a message has, unless it is one part.
const maxBundle = 128 << 10

// A lot is what a message has of a file and a share: parts, one after the other.
type lot struct {
	In    string   // name of the message
	Of    string   `json:",omitempty"` // agent with whose files the file shares the message; empty if it has that alone
	Files int      `json:",omitempty"` // that share the message
	From  int      `json:",omitempty"` // octet where the first part begins
	Lens  []int    // octets of the parts
	Is    []string `json:",omitempty"` // names of the parts, by which the agent knows them; none if the message is one part, which has its name
}

// check says what is wrong with a lot, which anybody may have written. If nothing is, its message can be asked for.
func (l *lot) check() error {
	if !isName(l.In) || l.Of != "" && !isName(l.Of) || len(l.Is) > 0 && len(l.Is) != len(l.Lens) {
		return fmt.Errorf("the lot %+v, which is not a valid one", *l)
	}
	return nil
}

// subject is that of the message, by the id of the file.
func (l *lot) subject(file string) string { return packetSubject + cmp.Or(l.Of, file) + "." + l.In }

// cut returns the parts, which are in the message.
func (l *lot) cut(message []byte) (parts [][]byte, err error) {
	if l.From < 0 || l.From > len(message) {
		return nil, errPart
	}
	message = message[l.From:]
	for _, n := range l.Lens {
		if n < 0 || n > len(message) {
			return nil, errPart
		}
		parts, message = append(parts, message[:n]), message[n:]
	}
	return parts, nil
}

// only returns the lot that has only the part of a name.
func (l *lot) only(name string) (o lot, ok bool) {
	if l.Is == nil {
		return *l, l.In == name
	}
	i := slices.Index(l.Is, name)
	if i < 0 {
		return lot{}, false
	}
	o = lot{In: l.In, Of: l.Of, Files: l.Files, From: l.From, Lens: l.Lens[i : i+1], Is: l.Is[i : i+1]}
	for _, n := range l.Lens[:i] {
		o.From += n
	}
	return o, true
}

// appendLot appends a lot, to the latest one if it goes on there.
func appendLot(all []lot, l lot) []lot {
	if n := len(all); n > 0 {
		last := &all[n-1]
		end := last.From
		for _, n := range last.Lens {
			end += n
		}
		if last.In == l.In && last.Of == l.Of && end == l.From {
			last.Lens, last.Is = append(last.Lens, l.Lens...), append(last.Is, l.Is...)
			return all
		}
	}
	return append(all, lot{l.In, l.Of, l.Files, l.From, slices.Clone(l.Lens), slices.Clone(l.Is)})
}

// A bundle is the parts of a share that will be one message.
type bundle struct {
	octets []byte      // in memory of the outbox
	names  []string    // of the parts
	of     []*settling // that have lots in it, which do not yet name it
}

// add adds a part of a file to the bundle of its share, unless it was sent before.
func (a *Agent) add(ctx context.Context, f *settling, share int, part []byte) error {
	name, lots := nameOf(part), &f.now.Parts[share]
	for i := range f.old.Parts[share] {
		if before, ok := f.old.Parts[share][i].only(name); ok {
			*lots = appendLot(*lots, before)
			return nil
		}
	}
	b := &a.bundles[share]
	if len(b.octets)+len(part) > maxBundle {
		if err := a.close(ctx, share); err != nil {
			return err
		}
	}
	if b.octets == nil {
		b.octets = a.outbox.memory(len(part))
	}
	if len(b.of) == 0 || b.of[len(b.of)-1] != f {
		b.of = append(b.of, f)
	}
	*lots = appendLot(*lots, lot{From: len(b.octets), Lens: []int{len(part)}, Is: []string{name}})
	b.octets, b.names = append(b.octets, part...), append(b.names, name)
	return nil
}

// close sends the bundle of a share, if there is something in it.
func (a *Agent) close(ctx context.Context, share int) error {
	b := &a.bundles[share]
	if len(b.of) == 0 {
		return nil
	}
	l, single := lot{In: b.names[0]}, len(b.names) == 1
	if len(b.of) > 1 {
		l.Of, l.Files = nameOf([]byte(a.Name)), len(b.of)
		for _, f := range b.of {
			b.names = append(b.names, f.id) // the same parts of other files are another message, for it is deleted when these have it no more
		}
	}
	if !single {
		l.In = nameOf([]byte(strings.Join(b.names, "")))
	}
	for _, f := range b.of {
		for i := range f.now.Parts[share] {
			if of := &f.now.Parts[share][i]; of.In == "" {
				of.In, of.Of, of.Files = l.In, l.Of, l.Files
				if single {
					of.Is = nil
				}
			}
		}
	}
	octets, subject := b.octets, l.subject(b.of[0].id)
	b.octets, b.names, b.of = nil, b.names[:0], b.of[:0]
	return a.outbox.put(ctx, subject, octets)
}

// closeAll sends all bundles.
func (a *Agent) closeAll(ctx context.Context) error {
	for share := range a.bundles {
		if err := a.close(ctx, share); err != nil {
			return err
		}
	}
	return nil
}
