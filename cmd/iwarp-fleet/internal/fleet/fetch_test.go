package fleet

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/iwarpkit/iwarp/internal/conversation"
	"github.com/iwarpkit/iwarp/internal/recorded"
	"github.com/iwarpkit/iwarp/pcaps"
)

const nfs = "../../../../pcaps/samples/nfs-small-v4.1-inl4096-crc1.pcap.gz"

// shelve has an agent send a folder with one capture, and answer fetches.
func shelve(t *testing.T, octets int, packets []pcaps.Record) (b *Bus, name string) {
	t.Helper()
	b, folder := bus(t), t.TempDir()
	write(t, folder, "a.pcap", conversation.Capture(packets))
	a := &Agent{Name: "a", Folders: []string{folder}, Fetch: octets}
	if err := a.Run(t.Context(), b); err != nil { // it ends when all is sent
		t.Fatal(err)
	}
	stop, err := a.serve(t.Context(), b)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(stop)
	return b, filepath.Join(folder, "a.pcap")
}

// TestFetch gets all packets of a capture, most of which have travelled without payload, by the names that the file has.
func TestFetch(t *testing.T) {
	want := recorded.Packets(pcaps.Open(nfs))
	b, name := shelve(t, MaxFetch, want)
	for _, name := range []string{name, "a.pcap"} {
		for from := 0; from < len(want); from += 200 {
			to := min(from+200, len(want))
			got, err := b.Fetch(t.Context(), name, uint64(from+1), uint64(to))
			if err != nil || len(got) != to-from {
				t.Fatalf("%d packets of %d: %v", len(got), to-from, err)
			}
			for i := range got {
				if w := &want[from+i]; got[i].Frame != uint64(from+i+1) || got[i].Time != w.Time || got[i].LinkType != w.LinkType || !bytes.Equal(got[i].Data, w.Data) {
					t.Fatalf("frame %d is another one", from+i+1)
				}
			}
		}
	}
}

// refuses checks whether a fetch is answered with an error that has some words.
func refuses(t *testing.T, b *Bus, name string, first, last uint64, words string) {
	t.Helper()
	if got, err := b.Fetch(t.Context(), name, first, last); err == nil || !strings.Contains(err.Error(), words) {
		t.Errorf("%s:%d-%d: %d packets, %v; want %q", name, first, last, len(got), err, words)
	}
}

// TestFetchLimit asks for more octets than an agent gives, for frames that are not there, and an agent that gives nothing.
func TestFetchLimit(t *testing.T) {
	packets := recorded.Packets(pcaps.Open(nfs))
	most := len(packets[0].Data) + len(packets[1].Data)
	b, name := shelve(t, most, packets)
	if got, err := b.Fetch(t.Context(), name, 1, 2); len(got) != 2 || err != nil {
		t.Errorf("%d packets, %v", len(got), err)
	}
	refuses(t, b, name, 1, 3, "ask for fewer")
	refuses(t, b, name, uint64(len(packets)+1), uint64(len(packets)+1), "has no frame")
	b, name = shelve(t, 0, packets)
	refuses(t, b, name, 1, 2, "does not answer fetch")
}

// TestFetchOutside asks for files that are not the agent's, and for one that has become a link to such a file.
func TestFetchOutside(t *testing.T) {
	packets := refused()
	b, name := shelve(t, MaxFetch, packets)
	outside := t.TempDir()
	write(t, outside, "b.pcap", conversation.Capture(packets))
	away := filepath.Join(outside, "b.pcap")
	refuses(t, b, away, 1, 1, "no agent has sent")
	a := &Agent{Name: "a", Folders: []string{filepath.Dir(name)}, Fetch: MaxFetch}
	if err := a.Run(t.Context(), b); err != nil {
		t.Fatal(err)
	}
	for _, asked := range []string{away, filepath.Join(filepath.Dir(name), "..", filepath.Base(outside), "b.pcap"), "a.pcap", ""} {
		if part, err := a.answer(t.Context(), encode(fetch{asked, 1, 1})); err == nil {
			t.Errorf("%q: %d octets", asked, len(part))
		}
	}
	if _, err := a.answer(t.Context(), encode(fetch{away, 1, 1})[1:]); err == nil {
		t.Error("a question that is damaged is answered")
	}
	if err := os.Remove(name); err != nil {
		t.Fatal(err)
	}
	refuses(t, b, name, 1, 1, name+": no such file")
	if err := os.Symlink(away, name); err != nil {
		t.Skip("no symbolic links: ", err)
	}
	refuses(t, b, name, 1, 1, "escapes")
}
