package spelling_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/iwarpkit/iwarp/internal/spelling"
)

var words = []string{"iwarp_ddp.stag", "iwarp_ddp.tagged_offset", "iwarp_rdma.srcstag", "iwarp_rdma.term_etype", "frame", "Send", "SendSE"}

func TestNearest(t *testing.T) {
	for _, tc := range []struct{ word, want string }{
		{"iwarp_ddp.stagg", "iwarp_ddp.stag"},
		{"iwarp_ddp.satg", "iwarp_ddp.stag"},
		{"IWARP_DDP.STAG", "iwarp_ddp.stag"},
		{"stag", "iwarp_ddp.stag"},
		{"srcstga", "iwarp_rdma.srcstag"},
		{"iwarp_rdma.term_etype_rdma", "iwarp_rdma.term_etype"},
		{"iwarp_rdma", "iwarp_rdma.srcstag iwarp_rdma.term_etype"},
		{"iwarp_rdma.term", "iwarp_rdma.term_etype"},
		{"sendd", "Send"},
		{"fraem", "frame"},
		{"nothing", ""},
		{"", ""},
		{strings.Repeat("frame", 1000), ""},
	} {
		if got := strings.Join(spelling.Nearest(tc.word, words, 2), " "); got != tc.want {
			t.Errorf("%.40q: %q, want %q", tc.word, got, tc.want)
		}
	}
	if got := spelling.Nearest("frame", []string{"frame", "frame"}, 5); !slices.Equal(got, []string{"frame"}) {
		t.Errorf("the same word twice: %q", got)
	}
}

// TestNearestChoice looks for one of few words.
func TestNearestChoice(t *testing.T) {
	choices := []string{"rfc", "verbs", "rdmac", "draft-00", "siw", "irdma", "cxgb4"}
	for word, want := range map[string]string{
		"rcf": "rfc", "SIW": "siw", "siv": "siw", "rdma": "rdmac", "irmda": "irdma", "draft": "draft-00", "draft00": "draft-00", "cxgb": "cxgb4",
		"": "", "-": "", "3": "", "qib": "", strings.Repeat("x", 1000): "",
	} {
		if got := strings.Join(spelling.Nearest(word, choices, 1), " "); got != want {
			t.Errorf("%q: got %q, want %q", word, got, want)
		}
	}
}

func TestDistance(t *testing.T) {
	for _, tc := range []struct {
		a, b string
		want int
	}{
		{"", "", 0}, {"abc", "", 3}, {"", "abc", 3}, {"abc", "abc", 0}, {"abc", "abd", 1}, {"abc", "ab", 1}, {"ab", "abc", 1},
		{"abcd", "abdc", 1}, {"kitten", "sitting", 3},
	} {
		if got := spelling.Distance(tc.a, tc.b); got != tc.want {
			t.Errorf("%q and %q: %d, want %d", tc.a, tc.b, got, tc.want)
		}
	}
}

func TestFold(t *testing.T) {
	for name, want := range map[string]string{
		"Send with Invalidate": "sendwithinvalidate", "RDMA2_ERR_VERS": "rdma2errvers", "iwarp_ddp.stag": "iwarpddpstag",
		"\u00c9tat-1": "tat1", "\xff--": "", "": "",
	} {
		if got := spelling.Fold(name); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
}

func TestClosest(t *testing.T) {
	even := func(n int) int {
		if n%2 != 0 {
			return -1
		}
		return n / 10
	}
	for n, want := range map[int][]int{-1: nil, 0: nil, 2: {8, 2}, 9: {8, 2, 12, 20}} {
		if got := spelling.Closest(slices.Values([]int{20, 8, 7, 2, 12, 8}), n, even); !slices.Equal(got, want) {
			t.Errorf("%d: %d, want %d", n, got, want)
		}
	}
}

func ExampleNearest() {
	fmt.Println(spelling.Nearest("Snedd", []string{"Write", "Send", "ReadRequest"}, 1))
	fmt.Println(spelling.Nearest("Sned", []string{"Write", "Send", "ReadRequest"}, 1))
	// Output:
	// []
	// [Send]
}
