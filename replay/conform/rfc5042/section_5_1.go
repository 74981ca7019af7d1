package rfc5042

// Spoofing: STags that are guessed.

import (
	"github.com/iwarpkit/iwarp/replay/conform"
	"github.com/iwarpkit/iwarp/replay/conform/internal/parts"
)

// greeting is what stands before a segment that is wrong.
const greeting = parts.Greeting

// none are STags that most likely nobody has.
var none = []string{"0x00000001", "0x00000100", "0x7fffffff", "0x80000000", "0xffffff00", "0xffffffff"}

var section511 = about("5.1.1", "STags that are guessed", func() []conform.Case {
	return []conform.Case{
		{Name: "write", Requirements: []string{"SEC-5.1.1-1", "V-161"},
			Says: "A Write to an STag that is not valid ends the stream, and an error tells why.",
			Ask: conform.Each(greeting+`
				> Write STag=%s TO=$data_to "guessed"
				< refuses write-stag`, none...)},
		{Name: "read", Requirements: []string{"SEC-5.1.1-1", "V-161", "V-287"},
			Says: "A Read from an STag that is not valid ends the stream, and an error tells why.",
			Ask: conform.Each(greeting+`
				> ReadRequest SinkSTag=0x1000 RDMARDSZ=16 SrcSTag=%s SrcTO=$data_to
				< refuses read-stag`, none...)},
		{Name: "invalidate", Requirements: []string{"SEC-5.1.1-1", "V-208", "V-279"},
			Says: "An attempt to invalidate an STag that is not valid ends the stream, and an error tells why.",
			Ask: conform.Each(greeting+`
				> SendInvalidate InvalidateSTag=%s {echo "guessed"}
				< refuses invalidate-stag`, none...)},
		{Name: "atomic", Requirements: []string{"SEC-5.1.1-1"}, Need: conform.Atomics,
			Says: "An Atomic Operation on an STag that is not valid ends the stream, and an error tells why.",
			Ask: conform.Each(greeting+`
				> AtomicRequest AOpCode=FetchAdd RequestIdentifier=1 RemoteSTag=%s RemoteTaggedOffset=$data_to AddData=1
				< refuses atomic-target`, none...)},
		{Name: "key", Requirements: []string{"SEC-5.1.1-1", "V-150", "V-183"},
			Says: "The STag of a buffer with another key is not valid.",
			Ask: conform.Texts(greeting+`
				> Write STag=$data+1 TO=$data_to "guessed"
				< refuses write-stag`, greeting+`
				> ReadRequest SinkSTag=0x1000 RDMARDSZ=16 SrcSTag=$data+1 SrcTO=$data_to
				< refuses read-stag`)},
	}
})
