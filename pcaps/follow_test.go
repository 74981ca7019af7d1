package pcaps_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/iwarpkit/iwarp/pcaps"
)

// grow appends the octets of file one at a time, with pauses of virtual time.
func grow(t *testing.T, name string, file []byte) {
	f, err := os.OpenFile(name, os.O_APPEND|os.O_WRONLY|os.O_CREATE, 0o600)
	if err != nil {
		t.Error(err)
		return
	}
	defer f.Close()
	for i := range file {
		time.Sleep(time.Duration(i%7) * 50 * time.Millisecond)
		if _, err := f.Write(file[i : i+1]); err != nil {
			t.Error(err)
		}
	}
}

// followed opens the file called name, to be followed until ctx is done.
func followed(t *testing.T, ctx context.Context, name string) io.Reader {
	t.Helper()
	f, err := os.OpenFile(name, os.O_RDONLY|os.O_CREATE, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return pcaps.Follow(ctx, f)
}

func TestFollowGrowingFile(t *testing.T) {
	for format, file := range smallFiles() {
		for packing, octets := range map[string][]byte{"plain": file, "gzip": zip(t, file[:50], file[50:])} {
			t.Run(format+"/"+packing, func(t *testing.T) {
				name := filepath.Join(t.TempDir(), "growing")
				synctest.Test(t, func(t *testing.T) {
					ctx, cancel := context.WithCancel(t.Context())
					f := followed(t, ctx, name)
					go func() {
						grow(t, name, octets)
						time.Sleep(time.Hour)
						cancel()
					}()
					r, err := pcaps.NewReader(f)
					if err != nil {
						t.Fatal(err)
					}
					packets, err := readAll(r)
					if err != nil {
						t.Error(err)
					}
					expect(t, packets, mustRead(t, file))
				})
			})
		}
	}
}

// A packet is handed out when its last octet has arrived, not when more follows.
func TestFollowDoesNotDelay(t *testing.T) {
	name := filepath.Join(t.TempDir(), "growing")
	synctest.Test(t, func(t *testing.T) {
		f := followed(t, t.Context(), name)
		go grow(t, name, onePacket("now"))
		r, err := pcaps.NewReader(f)
		if err != nil {
			t.Fatal(err)
		}
		start := time.Now()
		var rec pcaps.Record
		if err := r.Next(&rec); err != nil || string(rec.Data) != "now" {
			t.Errorf("packet %q, error %v", rec.Data, err)
		}
		if waited := time.Since(start); waited > 10*time.Second {
			t.Errorf("the packet came after %v", waited)
		}
	})
}

// After a long silence, too, a file that grows again is soon asked often.
func TestFollowIsPromptAgain(t *testing.T) {
	name := filepath.Join(t.TempDir(), "growing")
	synctest.Test(t, func(t *testing.T) {
		f := followed(t, t.Context(), name)
		const pieces, between = 95, 7 * time.Millisecond
		go func() {
			time.Sleep(time.Hour)
			for range pieces {
				time.Sleep(between)
				grow(t, name, []byte("p"))
			}
		}()
		start := time.Now()
		if _, err := io.ReadFull(f, make([]byte, pieces)); err != nil {
			t.Fatal(err)
		}
		// The first piece may come late, the last may not.
		const latest = time.Hour + pieces*between + 2*between
		if waited := time.Since(start); waited > latest {
			t.Errorf("all came after %v, want %v at most", waited, latest)
		}
	})
}

// When the context is done, what was written before is still read.
func TestFollowEndsWithContext(t *testing.T) {
	name := filepath.Join(t.TempDir(), "growing")
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		f := followed(t, ctx, name)
		if err := os.WriteFile(name, slices.Concat(onePacket("written"), []byte("part")), 0o600); err != nil {
			t.Fatal(err)
		}
		cancel()
		start := time.Now()
		r, err := pcaps.NewReader(f)
		if err != nil {
			t.Fatal(err)
		}
		packets, err := readAll(r)
		if len(packets) != 1 || !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("packets %v, error %v; want one and io.ErrUnexpectedEOF", packets, err)
		}
		if waited := time.Since(start); waited != 0 {
			t.Errorf("waited %v for a context that is done", waited)
		}
	})
}

func TestFollowShrunkFile(t *testing.T) {
	name := filepath.Join(t.TempDir(), "growing")
	if err := os.WriteFile(name, onePacket("rotated"), 0o600); err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) {
		r, err := pcaps.NewReader(followed(t, t.Context(), name))
		if err != nil {
			t.Fatal(err)
		}
		go func() {
			time.Sleep(time.Second)
			if err := os.Truncate(name, 10); err != nil {
				t.Error(err)
			}
		}()
		packets, err := readAll(r)
		var e *pcaps.Error
		if len(packets) != 1 || !errors.Is(err, pcaps.ErrShrunk) || !errors.As(err, &e) || e.File != name {
			t.Errorf("packets %v, error %v; want one and ErrShrunk that names the file", packets, err)
		}
	})
}

func TestFollowPipeEndsWithIt(t *testing.T) {
	out, in, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	in.Write(onePacket("piped"))
	in.Close()
	r, err := pcaps.NewReader(pcaps.Follow(t.Context(), out))
	if err != nil {
		t.Fatal(err)
	}
	if packets, err := readAll(r); len(packets) != 1 || err != nil {
		t.Errorf("packets %v, error %v; want one", packets, err)
	}
}

// Any reader can be followed, such as one that reports io.EOF with the last octets.
func TestFollowReader(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	got, err := io.ReadAll(pcaps.Follow(ctx, eager{bytes.NewReader([]byte("octets"))}))
	if string(got) != "octets" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
}

// eager reports io.EOF together with the last octets.
type eager struct{ r *bytes.Reader }

func (e eager) Read(b []byte) (int, error) {
	n, err := e.r.Read(b)
	if e.r.Len() == 0 {
		err = io.EOF
	}
	return n, err
}
