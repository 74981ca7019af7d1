package page_test

import (
	"bytes"
	"fmt"
	"net/netip"
	"strings"
	"testing"

	"github.com/iwarpkit/iwarp/dissect"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/show/page"
)

// ended has a page of a connection between each of so many clients and one server; every tenth fails by the client's doing.
func ended(t *testing.T, clients int) string {
	t.Helper()
	p := page.New(page.Options{})
	p.Start(1e9)
	for i := range clients {
		at := int64(1e9 + i*1e9)
		c := &flow.Conn{
			ID: i, Earliest: at, Latest: at + 1e6, Span: flow.At(uint64(i+1), at), Server: netip.MustParseAddrPort("192.0.2.1:20049"),
			Client: netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, 0, byte(i >> 8), byte(i)}), 1000),
		}
		c.Traffic[0].Payload = 7
		v := &record.Verdict{Conn: c, Summary: fmt.Sprintf("<b>connection %d", i)}
		if i%10 == 0 {
			v.Cause, v.Culprit = &record.Finding{Origin: record.Origin{Conn: c, Span: c.Span}, Name: "x"}, flow.Client
		}
		p.Record(&record.Record{Kind: record.KindEnd, Origin: record.Origin{Conn: c, Span: c.Span}, Verdict: v})
	}
	var b bytes.Buffer
	if err := p.Write(&b, &dissect.Totals{Packets: uint64(clients)}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestHosts looks at the table of hosts: the worst first, a failure with the host that has caused it, and not too many.
func TestHosts(t *testing.T) {
	if strings.Contains(ended(t, 1), `class="hosts"`) {
		t.Error("two hosts have a table")
	}
	html := ended(t, 31)
	_, table, _ := strings.Cut(html, `<table class="hosts">`)
	table, _, _ = strings.Cut(table, "</table>")
	rows := strings.Split(table, "<tr")[2:]
	if len(rows) != 32 {
		t.Fatalf("%d rows, want 32", len(rows))
	}
	for i, row := range rows {
		fails := i < 4
		if strings.HasPrefix(row, ` class="failed"`) != fails || strings.Contains(row, `<rect class="failed"`) != fails {
			t.Errorf("row %d: %s", i, row)
		}
	}
	if !strings.Contains(html, "31 connections, 4 failed") || !strings.Contains(html, "217 octets of ULP payload") {
		t.Error("the totals are not those of the connections")
	}
	if html = ended(t, 6000); !strings.Contains(html, "5,901 more hosts") || strings.Contains(html, "<b>connection") {
		t.Error("of very many hosts, more are shown")
	}
}
