package cli

import (
	"net/netip"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/iwarpkit/iwarp/pcaps"
)

// What is recorded at once is in the file before the recorder is closed. Traffic that comes after that is left out, and no error.
func TestRecordAtOnce(t *testing.T) {
	a := &app{Streams: &Streams{Disk: disk{}}, outlets: new(outlets)}
	a.stop = func() {}
	name := filepath.Join(t.TempDir(), "a.pcapng")
	r, err := a.record("-w", name)
	if err != nil {
		t.Fatal(err)
	}
	r.atOnce = true
	take := func(octets string) {
		r.take(&piece{
			conn: t, client: netip.MustParseAddrPort("10.0.0.1:1"), server: netip.MustParseAddrPort("10.0.0.2:2"), from: pcaps.Client,
			time: time.Now(), octets: []byte(octets),
		})
	}
	size := func() int64 {
		info, err := os.Stat(name)
		if err != nil {
			t.Fatal(err)
		}
		return info.Size()
	}
	take("one")
	first := size()
	take("two")
	second := size()
	if err := r.close(); err != nil {
		t.Fatal(err)
	}
	whole := size()
	take("late")
	if _, err := a.lostBy(); err != nil || first == 0 || second <= first || size() != whole {
		t.Errorf("%d octets, then %d, %d and %d: %v", first, second, whole, size(), err)
	}
}
