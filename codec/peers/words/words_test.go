package words_test

import (
	"fmt"
	"testing"

	"github.com/iwarpkit/iwarp/codec/peers"
	"github.com/iwarpkit/iwarp/codec/peers/words"
)

// Every RNIC is described, with a source.
func TestPeers(t *testing.T) {
	if len(words.Peers) != len(peers.RNICs) {
		t.Fatalf("words about %d of %d RNICs", len(words.Peers), len(peers.RNICs))
	}
	for i, p := range words.Peers {
		if p.Peer != peers.RNICs[i] || p.Title == "" || p.Text == "" || p.Sources == nil || p.On(p.Name) == nil {
			t.Errorf("something is missing about %s", p.Name)
		}
		if p.Terminate.Swapped != (p.Seen != "") {
			t.Errorf("%s writes Terminates in its own bit order: %v, seen in %q", p.Name, p.Terminate.Swapped, p.Seen)
		}
	}
}

func Example() {
	for _, p := range words.Peers {
		fmt.Println(p.Name, p.On("HdrCt"))
	}
	// Output:
	// siw [writes the bits in the mask 07 of octet 2, which the RFC reserves sets R for a Send with Invalidate and encloses nothing]
	// irdma [encloses whatever part of the frame it has, MPA errors included]
	// cxgb4 [sets none]
}
