package kv_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/show/tree"
	"github.com/iwarpkit/iwarp/dissect/ulp/internal/kv"
	"github.com/iwarpkit/iwarp/internal/ulptest"
)

// TestGuide checks that the guide shows this package, in at most 100 lines.
func TestGuide(t *testing.T) {
	guide, err := os.ReadFile("../../../../docs/upper-layer.md")
	if err != nil {
		t.Fatal(err)
	}
	source, err := os.ReadFile("kv.go")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(guide), "```go\n"+string(source)+"```\n") {
		t.Error("docs/upper-layer.md does not show kv.go as it is")
	}
	if n := strings.Count(string(guide), "\n"); n > 100 {
		t.Errorf("the guide has %d lines", n)
	}
}

// Example shows an exchange, and its messages as decode -V does.
func Example() {
	w := ulptest.NewWire(kv.Layer, 7200)
	p := tree.New(os.Stdout, tree.Options{})
	w.OnUpper = func(u *record.Upper) { p.Record(&record.Record{Kind: record.KindLate, Upper: u}) }
	w.Send(flow.C2S, ulptest.Hex("00000007 00000000 0000002a"))
	w.Send(flow.S2C, ulptest.Hex("00000007 00000000"))
	p.Flush()
	fmt.Println(w.TransactionLines())
	// Output:
	// Upper layer: KV request, 12 octets, frame 1, connection 0 c2s
	//   KV request  (KV, section 2)
	//        0:4              ID: 0x00000007
	//        4:8              Key: 0x000000000000002a
	//
	// Upper layer: KV response, 8 octets, frame 2, connection 0 s2c
	//   KV response  (KV, section 3)
	//        0:4              ID: 0x00000007
	//        4:4              Status: 0
	//
	// [c2s KV id=0x7 answered frames 1-2 octets=0]
}
