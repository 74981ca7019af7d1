package recorded

import (
	"bytes"
	"io"

	"github.com/iwarpkit/iwarp/pcaps"
)

// Packets returns the packets of a capture, each with memory of its own, and closes it. It takes what opens one, and panics if that failed:
//
//	packets := recorded.Packets(samples.Open("rping"))
func Packets(capture interface{ Next(*pcaps.Record) error }, err error) (all []pcaps.Record) {
	if err != nil {
		panic(err)
	}
	if file, ok := capture.(io.Closer); ok {
		defer file.Close()
	}
	for {
		var packet pcaps.Record
		if capture.Next(&packet) != nil {
			return all
		}
		packet.Data = bytes.Clone(packet.Data)
		all = append(all, packet)
	}
}
