package rfc7306

// Section 5.2.2: the Atomic Response, as the peer sends it and as it takes it.

import (
	"fmt"

	"github.com/iwarpkit/iwarp/replay/conform"
)

var section522 = about("5.2.2", "the Atomic Response", func() []conform.Case {
	return []conform.Case{
		{Name: "taken", Requirements: []string{"RDMAPX-5.2.2-6", "RDMAPX-5.1.1-6"}, Need: conform.Atomics,
			Says: "The value of a Response gets to who has asked for it, out of network byte order.",
			Ask: conform.Text(script(itsFetchAdd(), `
				> AtomicResponse to [r] OriginalRemoteDataValue=0x1122334455667788
				< Send {answer fetchadd 0 0x1122334455667788}
				> [read] ReadRequest SinkSTag=0x1000 RDMARDSZ=8 SrcSTag=$data SrcTO=$data_to+16
				< ReadResponse to [read] 1122334455667788`))},
		{Name: "all-outstanding", Requirements: []string{"RDMAPX-5.2.2-5"}, Need: conform.Atomics,
			Says: "Who has as many Atomic Requests outstanding as was agreed on takes their Responses at once.",
			Ask:  itsOutstanding},
		{Name: "both-directions", Requirements: []string{"RDMAPX-5.2.2-1", "RDMAPX-5.2.2-8"}, Need: conform.Atomics,
			Says: "Each side has requests and responses of its own: the peer answers while its own request is outstanding.",
			Ask: conform.Text(script(itsFetchAdd(), exchange(fetchAdd(5, 0), 0, 0), holds(0, 5), `
				> AtomicResponse to [r] OriginalRemoteDataValue=0x9
				< Send {answer fetchadd 0 9}`))},
		{Name: "unasked", Requirements: []string{"RDMAPX-5.2.2-7", "RDMAPX-8.2-1"}, Need: conform.Atomics,
			Says: "An Atomic Response without any request is refused.",
			Ask:  conform.Text("> AtomicResponse OriginalRequestIdentifier=1\n< refuses atomic-response")},
		{Name: "second", Requirements: []string{"RDMAPX-5.2.2-7"}, Need: conform.Atomics,
			Says: "A second Atomic Response to the same request is refused.",
			Ask: conform.Text(script(itsFetchAdd(), `
				> AtomicResponse to [r] OriginalRemoteDataValue=0x1
				< Send {answer fetchadd 0 1}
				> AtomicResponse to [r] OriginalRemoteDataValue=0x1
				< refuses atomic-response`))},
		{Name: "to-a-read", Requirements: []string{"RDMAPX-5.2.2-7"}, Need: conform.Atomics,
			Says: "An Atomic Response where a Read Response is due is refused.",
			Ask: conform.Text(`
				> Send {read 4 0 0x1000 0x20000}
				< ReadRequest RDMARDSZ=4 SrcSTag=0x1000 SrcTO=0x20000
				> AtomicResponse OriginalRequestIdentifier=1
				< refuses atomic-response`)},
		{Name: "read-response-instead", Requirements: []string{"RDMAPX-5.2.2-7"}, Need: conform.Atomics,
			Says: "A Read Response where an Atomic Response is due is refused.",
			Ask: conform.Text(script(itsFetchAdd(), `
				> ReadResponse STag=$data TO=$data_to+16 00*8
				< refuses response-unexpected`))},
		{Name: "too-short", Requirements: []string{"RDMAPX-5.2.2-7", "RDMAPX-5.2.2-9"}, Need: conform.Atomics,
			Says: "An Atomic Response of fewer than 12 octets is refused.",
			Ask:  responses("> Segment AtomicResponse 00*%d", "atomic-response", 4, 8, 11)},
		{Name: "empty", Requirements: []string{"RDMAPX-5.2.2-7", "RDMAPX-5.2.2-9"}, Need: conform.Atomics,
			Says: "An Atomic Response without its header is refused.",
			Ask:  conform.Text(script(itsFetchAdd(), "> Segment AtomicResponse", "< refuses atomic-response"))},
		{Name: "too-long", Need: conform.Atomics,
			Requirements: []string{"RDMAPX-5.2.2-7", "RDMAPX-5.2.2-9", "RDMAPX-4-1", "RDMAPX-4.2-1"},
			Says:         "An Atomic Response of more than 12 octets is refused, be they 32.",
			Ask:          responses("> Segment AtomicResponse 00*%d", "atomic-response", 13, 16, 32)},
		{Name: "msn-wrong", Requirements: []string{"RDMAPX-5-5", "RDMAPX-8.2-1"}, Need: conform.Atomics,
			Says: "An Atomic Response with another MSN than the next is refused.",
			Ask:  responses("> Segment AtomicResponse MSN=%d 00*12", "atomic-response-msn", 0, 2, 0xffffffff)},
		{Name: "msn-repeated", Requirements: []string{"RDMAPX-5-5", "RDMAPX-8.2-1"}, Need: conform.Atomics,
			Says: "An Atomic Response with the MSN of the one before it is refused.",
			Ask: conform.Text(script(itsFetchAdd(), `
				> AtomicResponse to [r] OriginalRemoteDataValue=0x1
				< Send {answer fetchadd 0 1}`, itsFetchAdd(), `
				> Segment AtomicResponse MSN=1 00*12
				< refuses atomic-response-msn`))},
	}
})

// responses returns the Ask of a case in which the peer's own FetchAdd is answered, with each of some numbers in the line, and
// refuses the answer.
func responses(line, situation string, numbers ...uint32) func(*conform.Setup) []string {
	var scripts []string
	for _, n := range numbers {
		scripts = append(scripts, script(itsFetchAdd(), fmt.Sprintf(line, n), "< refuses "+situation))
	}
	return conform.Texts(scripts...)
}

// itsOutstanding returns one script, in which the peer sends as many FetchAdds as its ORD, at most 16, before it gets an answer.
func itsOutstanding(s *conform.Setup) []string {
	var commands, requests, ours []string
	n := max(1, min(s.Peer.ORD, 16))
	for i := range n {
		commands = append(commands, fmt.Sprintf("> Send {fetchadd 0 0x1000 0x%x 1 0}", 0x20000+8*i))
		requests = append(requests, theirs(fmt.Sprintf("r%d", i), fetchAdd(1, 0), 0x1000, 0x20000+8*uint64(i)))
		ours = append(ours, fmt.Sprintf("> AtomicResponse to [r%d] OriginalRemoteDataValue=0x%x", i, i))
	}
	return []string{script(append(append(commands, requests...), ours...)...)}
}
