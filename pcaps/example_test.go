package pcaps_test

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/iwarpkit/iwarp/pcaps"
)

func ExampleOpen() {
	capture, err := pcaps.Open("samples/refused.pcap", "samples/ipv6.pcap.gz")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer capture.Close()

	var rec pcaps.Record
	for capture.Next(&rec) == nil {
		if rec.Frame <= 3 {
			fmt.Printf("frame %d: %v, %d octets, %d captured\n", rec.Frame, rec.LinkType, rec.OrigLen, len(rec.Data))
		}
	}
	fmt.Println(capture.Packets(), "packets, damage:", capture.Damage())
	// Output:
	// frame 1: Ethernet, 74 octets, 74 captured
	// frame 2: Ethernet, 54 octets, 54 captured
	// frame 3: Ethernet, 94 octets, 94 captured
	// 78 packets, damage: []
}

func ExampleReader() {
	var file bytes.Buffer
	w := pcaps.NewPcapWriter(&file, pcaps.LinkTypeRaw)
	w.WriteRecord(&pcaps.Record{LinkType: pcaps.LinkTypeRaw, Data: []byte("whole")})
	w.WriteRecord(&pcaps.Record{LinkType: pcaps.LinkTypeRaw, Data: []byte("to be cut")})
	w.Close()
	file.Truncate(file.Len() - 4)

	r, err := pcaps.NewReader(&file)
	if err != nil {
		fmt.Println(err)
		return
	}
	var rec pcaps.Record
	for {
		err := r.Next(&rec)
		if err == io.EOF {
			break
		}
		if err != nil {
			fmt.Println(err)
			break
		}
		fmt.Printf("frame %d: %s\n", rec.Frame, rec.Data)
	}
	// Output:
	// frame 1: whole
	// capture: frame 2 at offset 45: the file ends after 21 of the 25 octets of a record: it was cut, or is still being written; the one before it is fine
}

func ExampleWriter() {
	var file bytes.Buffer
	w := pcaps.NewPcapngWriter(&file, pcaps.Section{Application: "example"})
	err := w.WriteRecord(&pcaps.Record{
		Time:     time.Date(2026, 1, 2, 3, 4, 5, 6, time.UTC).UnixNano(),
		LinkType: pcaps.LinkTypeEthernet,
		Data:     make([]byte, 60),
		Comments: []string{"padded to the least length of Ethernet"},
	})
	if err == nil {
		err = w.Close()
	}
	fmt.Println(file.Len(), "octets, error:", err)

	r, err := pcaps.NewReader(&file)
	if err != nil {
		fmt.Println(err)
		return
	}
	var rec pcaps.Record
	for r.Next(&rec) == nil {
		fmt.Println(time.Unix(0, rec.Time).UTC(), rec.LinkType, rec.Comments)
	}
	// Output:
	// 216 octets, error: <nil>
	// 2026-01-02 03:04:05.000000006 +0000 UTC Ethernet [padded to the least length of Ethernet]
}

func ExampleOpenCopy() {
	var file bytes.Buffer
	c, err := pcaps.OpenCopy(&file, "samples/refused.pcap")
	if err != nil {
		fmt.Println(err)
		return
	}
	var rec pcaps.Record
	for c.Next(&rec) == nil {
		if rec.Frame == 2 {
			c.Comment("this reset is the answer")
		}
	}
	if err := c.Close(); err != nil {
		fmt.Println(err)
		return
	}

	r, err := pcaps.NewReader(&file)
	if err != nil {
		fmt.Println(err)
		return
	}
	for r.Next(&rec) == nil {
		fmt.Println(rec.Frame, rec.OrigLen, rec.Comments)
	}
	// Output:
	// 1 74 []
	// 2 54 [this reset is the answer]
}

func ExampleNewCopy() {
	octets, err := os.ReadFile("samples/refused.pcap")
	if err != nil {
		fmt.Println(err)
		return
	}
	var file bytes.Buffer
	c, err := pcaps.NewCopy(&file, "a stream", bytes.NewReader(octets))
	if err != nil {
		fmt.Println(err)
		return
	}
	var rec pcaps.Record
	for c.Next(&rec) == nil {
		fmt.Println(rec.Frame, c.LinkType())
	}
	fmt.Println(c.Close())
	// Output:
	// 1 Ethernet
	// 2 Ethernet
	// <nil>
}
