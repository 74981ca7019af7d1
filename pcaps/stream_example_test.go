package pcaps_test

import (
	"bytes"
	"fmt"
	"net/netip"
	"time"

	"github.com/iwarpkit/iwarp/dissect/tcpip"
	"github.com/iwarpkit/iwarp/pcaps"
)

// Octets of a connection that nobody captured become packets.
func ExampleStreamWriter() {
	var file bytes.Buffer
	w := pcaps.NewStreamWriter(&file, pcaps.StreamOptions{MSS: 8})
	at := time.Date(2026, 1, 2, 3, 4, 5, 6, time.UTC).UnixNano()
	c, err := w.Open(netip.MustParseAddrPort("10.0.0.1:40000"), netip.MustParseAddrPort("10.0.0.2:7174"), at)
	if err != nil {
		fmt.Println(err)
		return
	}
	c.Send(pcaps.Client, []byte("how are you?"), at+1)
	c.Send(pcaps.Server, []byte("fine"), at+2)
	c.Finish(pcaps.Client, at+3)
	c.Finish(pcaps.Server, at+3)
	if err := w.Close(); err != nil { // has the errors of all calls
		fmt.Println(err)
		return
	}

	r, err := pcaps.NewReader(&file)
	if err != nil {
		fmt.Println(err)
		return
	}
	var rec pcaps.Record
	for r.Next(&rec) == nil {
		var s tcpip.Segment
		if s.Decode(rec.LinkType, rec.Data, rec.OrigLen) == nil {
			fmt.Printf("%v > %v %-7v %q\n", s.Src, s.Dst, s.Flags, s.Payload)
		}
	}
	// Output:
	// 10.0.0.1:40000 > 10.0.0.2:7174 SYN     ""
	// 10.0.0.2:7174 > 10.0.0.1:40000 SYN,ACK ""
	// 10.0.0.1:40000 > 10.0.0.2:7174 ACK     ""
	// 10.0.0.1:40000 > 10.0.0.2:7174 ACK     "how are "
	// 10.0.0.1:40000 > 10.0.0.2:7174 PSH,ACK "you?"
	// 10.0.0.2:7174 > 10.0.0.1:40000 PSH,ACK "fine"
	// 10.0.0.1:40000 > 10.0.0.2:7174 FIN,ACK ""
	// 10.0.0.2:7174 > 10.0.0.1:40000 FIN,ACK ""
	// 10.0.0.1:40000 > 10.0.0.2:7174 ACK     ""
}
