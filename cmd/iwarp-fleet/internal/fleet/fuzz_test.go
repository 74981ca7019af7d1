package fleet

// What others may have written to the server, or ask an agent for.

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/s2"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/iwarpkit/iwarp/dissect/tcpip"
	"github.com/iwarpkit/iwarp/internal/conversation"
)

// change replaces values in a value, as a script says.
func change(t *testing.T, v any, script []byte) []byte {
	var tree any
	if err := json.Unmarshal(encode(v), &tree); err != nil {
		t.Fatal(err)
	}
	for step := range slices.Chunk(script[:min(len(script), 30)], 3) {
		if len(step) == 3 {
			tree, _ = replace(tree, 1+int(step[0])<<8+int(step[1]), wrongValue(step[2]))
		}
	}
	return encode(tree)
}

// An archive is a store without a server, which has nothing but what was stored before.
type archive struct {
	jetstream.Stream
	stored map[string][]byte
}

// GetLastMsgForSubject implements jetstream.Stream.
func (s archive) GetLastMsgForSubject(_ context.Context, subject string) (*jetstream.RawStreamMsg, error) {
	octets, ok := s.stored[subject]
	if !ok {
		return nil, jetstream.ErrMsgNotFound
	}
	return &jetstream.RawStreamMsg{Data: octets}, nil
}

// unserved is a Bus with what another one has stored.
func unserved(t testing.TB, b *Bus) *Bus {
	t.Helper()
	s := archive{stored: make(map[string][]byte)}
	for _, prefix := range []string{fileSubject, packetSubject + "*."} {
		subjects, err := b.subjects(t.Context(), prefix)
		if err == nil {
			err = b.getAll(t.Context(), subjects, func(i int, octets []byte, err error) error {
				s.stored[subjects[i]] = octets
				return err
			})
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return &Bus{store: s, room: b.room, permitted: b.permitted}
}

// FuzzTasks replaces values in tasks, and in what agents say of files. Each is judged or refused, at once.
func FuzzTasks(f *testing.F) {
	b, folder := bus(f), f.TempDir()
	write(f, folder, "a.pcap", conversation.Capture(refused()))
	a := &Agent{Name: "a", Folders: []string{folder}, Fetch: MaxFetch}
	if err := a.Run(f.Context(), b); err != nil {
		f.Fatal(err)
	}
	given, ordered, err := b.Files(f.Context())
	if err != nil || len(given) != 1 {
		f.Fatal(given, err)
	}
	b = unserved(f, b)
	task := tasks(given, ordered, Question{})[0]
	task.Single = false
	ask := fetch{filepath.Join(folder, "a.pcap"), 1, 2}
	f.Add([]byte{0, 0, 1})
	f.Add([]byte{0, 9, 1, 0, 5, 6})
	f.Fuzz(func(t *testing.T, script []byte) {
		ctx, stop := context.WithTimeout(t.Context(), 10*time.Second)
		defer stop()
		var wrong Task
		if json.Unmarshal(change(t, task, script), &wrong) == nil {
			if r, err := b.judge(ctx, &wrong); err == nil && r.Aside == "" && r.check(1<<20) != nil {
				t.Errorf("%+v: %v", wrong, r.check(1<<20))
			}
		}
		var file File
		if json.Unmarshal(change(t, given[0], script), &file) == nil && file.check() == nil {
			files := []File{file, given[0]}
			_ = tasks(files, inOrder(files), Question{})
			_, _, _ = b.correct(ctx, files) // wrong times are times
		}
		_, _ = a.answer(ctx, change(t, ask, script)) // it is refused, or within limits
		if ctx.Err() != nil {
			t.Error("it does not end")
		}
	})
}

// FuzzSamples compares the clocks of two hosts by whatever samples they have sent, and adds up whatever they say of themselves.
func FuzzSamples(f *testing.F) {
	var s sampler
	s.reset()
	var segment tcpip.Segment
	for _, rec := range refused() {
		if segment.Decode(rec.LinkType, rec.Data, rec.OrigLen) == nil {
			s.take(&rec, &segment)
		}
	}
	part, err := s2.Decode(nil, s.part(new(coder)))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(part, part, encode(agentState{Found: 3, Sent: 1, Octets: 30, Done: 10, Left: time.Second}))
	f.Add(part[:len(part)-1], []byte{}, []byte("null"))
	f.Fuzz(func(t *testing.T, first, second, state []byte) {
		var all []*host
		for i, octets := range [][]byte{first, second} {
			packets, err := appendPackets(nil, s2.Encode(nil, octets))
			if err != nil {
				return
			}
			h := &host{agent: fmt.Sprint(i)}
			h.add(packets)
			if len(h.samples) > len(packets) {
				t.Errorf("%d samples of %d packets", len(h.samples), len(packets))
			}
			all = append(all, h)
		}
		if err := compareClocks(all); err != nil {
			t.Error(err)
		}
		if all[0].clocks != nil {
			t.Errorf("the clock that counts is corrected: %+v", all[0].clocks)
		}
		for _, s := range all[1].samples {
			_ = shown(all[1].clocks, s.rec.Time) // any time is one
		}
		var p Progress
		var a agentState
		if decode(state, nil, &a) == nil && p.add(&a) == nil && (p.Sent > p.Found || p.Done > p.Octets || strings.ContainsAny(p.String(), "\n\x1b")) {
			t.Errorf("%+v: %v", a, p)
		}
	})
}
