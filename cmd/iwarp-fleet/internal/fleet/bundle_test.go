package fleet

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/iwarpkit/iwarp/internal/conversation"
)

// writeThree writes captures of a refused connection, a second apart, and returns their names.
func writeThree(t *testing.T, folder string) []string {
	names := []string{"a.pcap", "b.pcap", "c.pcap"}
	for i, name := range names {
		c := refused()
		for j := range c {
			c[j].Time += int64(i) * 1e9
		}
		write(t, folder, name, conversation.Capture(c))
	}
	return names
}

// TestSharedMessages has files that share messages. One of them changes, and all are sent again: what the others have stays, and nothing is
// stored twice.
func TestSharedMessages(t *testing.T) {
	b, folder := bus(t), t.TempDir()
	names := writeThree(t, folder)
	stored := func() int {
		all, err := b.subjects(t.Context(), packetSubject+"*.")
		if err != nil {
			t.Fatal(err)
		}
		return len(all)
	}
	if got := answer(t, b, folder).Totals.Packets; got != 15 {
		t.Errorf("%d packets, want 15", got)
	}
	before := stored()
	if before != 2 {
		t.Errorf("%d messages, want one with packets and one with samples", before)
	}
	if got := answer(t, b, folder).Totals.Packets; got != 15 || stored() != before {
		t.Errorf("sent again: %d packets, %d messages", got, stored())
	}
	write(t, folder, names[1], conversation.Capture(refused()[:4]))
	for range 2 {
		if got := answer(t, b, folder).Totals.Packets; got != 14 || stored() != before+2 {
			t.Errorf("one has changed: %d packets, want 14; %d messages", got, stored())
		}
	}
	var f File
	if err := b.getValue(t.Context(), fileSubject+(&found{name: filepath.Join(folder, names[2])}).id(), &f); err != nil {
		t.Fatal(err)
	}
	for _, l := range f.Parts[ofSample] {
		if l.Of == "" {
			t.Errorf("%+v is not shared", l)
		}
		for _, wrong := range []lot{{From: -1}, {From: 1 << 30}, {Lens: []int{-1}}, {Lens: []int{1 << 30}}} {
			if _, err := wrong.cut(make([]byte, 100)); err == nil {
				t.Errorf("%+v is in a message of 100 octets", wrong)
			}
		}
	}
}

// TestSharedMessagesEnd has files change that share messages, one after the other: these messages are deleted when no file has them. One that was
// changed before the agent ran, or is gone, may have them.
func TestSharedMessagesEnd(t *testing.T) {
	for _, gone := range []bool{false, true} {
		b, folder := bus(t), t.TempDir()
		names := writeThree(t, folder)
		a := &Agent{Name: "a", Folders: []string{folder}}
		begin := func() {
			a.sent, a.uses, a.outbox = make(map[string]version), make(map[string]uses), outbox{bus: b}
			if err := a.scan(t.Context(), b); err != nil {
				t.Fatal(err)
			}
		}
		begin()
		shared := func() (n int) {
			all, err := b.subjects(t.Context(), packetSubject+nameOf([]byte("a"))+".")
			if err != nil {
				t.Fatal(err)
			}
			return len(all)
		}
		if got := shared(); got != 2 {
			t.Fatalf("%d messages of several files, want one with packets and one with samples", got)
		}
		if gone {
			if err := os.Remove(filepath.Join(folder, names[2])); err != nil {
				t.Fatal(err)
			}
			names = names[:2]
		}
		begin() // another one of this name
		for i, name := range names {
			if got := shared(); got != 2 {
				t.Errorf("gone %v, %d have changed: %d messages, want 2", gone, i, got)
			}
			write(t, folder, name, conversation.Capture(refused()[:4-i]))
			if err := a.scan(t.Context(), b); err != nil {
				t.Fatal(err)
			}
		}
		want := 0
		if gone {
			want = 2
		}
		if got := shared(); got != want {
			t.Errorf("gone %v, all have changed: %d messages, want %d", gone, got, want)
		}
	}
}
