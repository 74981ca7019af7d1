package live_test

import (
	"bytes"
	"sync"
	"testing"

	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/replay/live"
)

// A tape keeps what a Tap gets: the octets of each direction of each connection, and how it ended.
type tape struct {
	mu         sync.Mutex
	directions map[direction]*bytes.Buffer
	ends       map[direction]mpa.Ending
}

type direction struct {
	conn       string // addresses of both ends
	fromClient bool
}

func newTape() *tape {
	return &tape{directions: make(map[direction]*bytes.Buffer), ends: make(map[direction]mpa.Ending)}
}

func (p *tape) tap(t live.Traffic) {
	p.mu.Lock()
	defer p.mu.Unlock()
	d := direction{t.Client.String() + " " + t.Server.String(), t.FromClient}
	if p.directions[d] == nil {
		p.directions[d] = new(bytes.Buffer)
	}
	p.directions[d].Write(t.Octets)
	if t.End != mpa.GoesOn {
		p.ends[d] = t.End
	}
}

// Both sides see the same octets, and the same end, in each direction of each connection.
func TestTap(t *testing.T) {
	s := compiled(t, "../../pcaps/samples/multi4.pcap.gz")
	tapes := [2]*tape{newTape(), newTape()}
	var o [2]live.Options
	for i := range o {
		numbers := map[int]string{}
		o[i].Tap = func(v live.Traffic) {
			tapes[i].tap(v)
			tapes[i].mu.Lock()
			defer tapes[i].mu.Unlock()
			if known := numbers[v.Conn]; known != "" && known != v.Client.String() || v.Conn < 1 || v.Conn > len(s.Conns) {
				t.Errorf("connection %d is that of %v, and that of %s", v.Conn, v.Client, known)
			}
			numbers[v.Conn] = v.Client.String()
		}
	}
	results := both(t, listen(t, "127.0.0.1:0"), s, s, o)
	exact(t, results[:]...)
	if n := len(tapes[0].directions); n != 2*len(s.Conns) {
		t.Errorf("%d directions", n)
	}
	for d, want := range tapes[0].directions {
		got := tapes[1].directions[d]
		if got == nil || !bytes.Equal(got.Bytes(), want.Bytes()) || tapes[1].ends[d] != tapes[0].ends[d] || tapes[0].ends[d] == mpa.GoesOn {
			t.Errorf("%+v: %d octets, %d; %d, %d", d, want.Len(), got.Len(), tapes[0].ends[d], tapes[1].ends[d])
		}
	}
}
