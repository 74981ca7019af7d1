package fleet

import (
	"context"
	"fmt"
	"net/url"
	"strconv"
	"testing"
)

// TestOutbox has a server that ends, and starts again, while messages are on their way: all of them are stored.
func TestOutbox(t *testing.T) {
	folder := t.TempDir()
	server, err := Start("127.0.0.1", 0, folder)
	if err != nil {
		t.Fatal(err)
	}
	b, err := Connect(t.Context(), server.URL(), 1, -1)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	at, err := url.Parse(server.URL())
	if err != nil {
		t.Fatal(err)
	}
	port, err := strconv.Atoi(at.Port())
	if err != nil {
		t.Fatal(err)
	}
	o, restarted := outbox{bus: b}, make(chan error, 1)
	subject := func(i int) string { return fmt.Sprint(packetSubject, "file.", i) }
	const n = 5 * maxOutbox
	for i := range n {
		if err := o.put(t.Context(), subject(i), fmt.Append(nil, i)); err != nil {
			t.Fatal(err)
		}
		if i == n/2 {
			server.Stop()
			go func() {
				var err error
				server, err = Start("127.0.0.1", port, folder)
				restarted <- err
			}()
		}
	}
	if err := o.flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := <-restarted; err != nil {
		t.Fatal(err)
	}
	defer server.Stop()
	for i := range n {
		if octets, err := b.get(t.Context(), subject(i)); err != nil || string(octets) != fmt.Sprint(i) {
			t.Errorf("%d: %q, %v", i, octets, err)
		}
	}
}

// TestForming has a cluster that does not yet know of a stream.
func TestForming(t *testing.T) {
	b, tries := bus(t), 0
	err := b.persist(t.Context(), func(ctx context.Context) (err error) {
		if tries++; tries < 3 {
			_, err = b.js.Stream(ctx, "none")
		}
		return err
	})
	if err != nil || tries != 3 {
		t.Errorf("%d tries: %v", tries, err)
	}
}
