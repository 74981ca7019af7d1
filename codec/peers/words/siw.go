package words

import "github.com/iwarpkit/iwarp/codec/peers"

// siwSeen is the evidence for siw's bit order in Terminates.
const siwSeen = "captures of siw, Linux 6.1 on x86-64"

func init() { add(&siw) }

var siw = Peer{
	Peer:  &peers.SIW,
	Aka:   []string{"softiwarp", "soft iwarp", "Soft-iWARP", "rdma_siw"},
	Title: "the software RNIC of Linux",
	Text: "A driver of the Linux kernel that speaks iWARP over the TCP of the kernel, on any interface. It has no Markers and nothing of RFC 7306. " +
		"Unpatched versions crash if the first FPDU of a connection has a bad DDP header (CVE-2026-23242).",
	LookFor: "reserved bits 0x0700 in its Terminates: then Layer and EType are swapped.",
	See:     []string{"Terminate", "Marker", "RTR"},
	Sources: []string{"its source in Linux, drivers/infiniband/sw/siw", siwSeen},
	Seen:    siwSeen,
	Remarks: []Remark{
		{About: "QN", Notes: []string{"does not check the QN of Read Requests"}},
		{About: "Marker", Notes: []string{"never sends Markers, and rejects a Request or Reply with M set, although RFC 5044 " +
			"demands that senders can"}},
		{About: "CRC32c", Notes: []string{"uses CRCs if either side asks; its module parameters mpa_crc_required " +
			"and mpa_crc_strict make it insist on them, or on the absence of them"}},
		{About: "MPA Request", Notes: []string{"closes without a Reply if the revision is above 2",
			"treats octets right after a Request or Reply as a protocol error"}},
		{About: "Private Data", Notes: []string{"sends a wrong PD_Length for Private Data of 252 to 255 octets, and truncates longer ones"}},
		{About: "Enhanced", Notes: []string{"rejects a Request with S set and less than 4 octets of Private Data; RFC 5044 closes the connection"}},
		{About: "IRD", Notes: []string{"lowers the values to what the device can do",
			"reads 0x3fff as a number, where RFC 6581 means no negotiation"}},
		{About: "0x3fff", Notes: []string{"reads it as the number 16383"}},
		{About: "RTR", Notes: []string{"prefers a Write, then a Read; has no Send as RTR",
			"proposes a Write if none is offered"}},
		{About: "siw", Notes: []string{
			"on little-endian machines writes the Terminate Control word in another bit order: 10 00 07 00 is 0/1/00 with M, D, R",
			"answers all opcodes above 7 with 0/2/06, a Send that is too long with 1/2/02, Read Requests beyond IRD with 0/2/07",
			"does not check access rights of Reads, nor QN and MO of Read Requests",
			"never sends Markers; rejects peers that want them",
			"has no Send as RTR, and reads an IRD or ORD of 0x3fff as a number",
		}},
		{About: "Rev 0", Notes: []string{"accepts it"}},
		{About: "HdrCt", Notes: []string{"writes the bits in the mask 07 of octet 2, which the RFC reserves",
			"sets R for a Send with Invalidate and encloses nothing"}},
		{About: "RFC 7306", Notes: []string{"does not know it: answers with the Terminate 0/2/06, without headers"}},
		{About: "access rights", Notes: []string{"does not check access rights of Reads; answers a Write without right with 1/1/00"}},
		{About: "Write", Notes: []string{"accepts a Write of length 0 whatever its STag, as RFC 5041 demands"}},
		{About: "ReadRequest", Notes: []string{"does not check whether the memory allows remote reads",
			"does not check QN and MO", "closes the connection without a Terminate if it is not 28 octets long",
			"answers one beyond IRD with the Terminate 0/2/07"}},
		{About: "ReadResponse", Notes: []string{"answers an unexpected one with the Terminate 1/0/00",
			"compares STag and TO even if the length is 0"}},
		{About: "SendInvalidate", Notes: []string{"accepts an STag with a wrong key, or one that is already invalid",
			"sets R in its Terminate 0/1/09 although no Read Request header is there"}},
		{About: "Terminate", Notes: []string{"on little-endian machines swaps Layer and EType, and writes M, D, R " +
			"in the low bits of octet 2 (mask 07): 10 00 07 00 is 0/1/00 with M, D, R",
			"counts payload only in DDP Segment Length, 0 for a Read Request",
			"puts the read length where the enclosed header of a Read Request has its MSN",
			"sends it only if no other transmission is under way"}},
		{About: "Immediate", Notes: []string{"does not know it: answers with the Terminate 0/2/06, without headers"}},
		{About: "ImmediateSE", Notes: []string{"does not know it: answers with the Terminate 0/2/06, without headers"}},
		{About: "AtomicRequest", Notes: []string{"does not know it: answers with the Terminate 0/2/06, without headers"}},
		{About: "AtomicResponse", Notes: []string{"does not know it: answers with the Terminate 0/2/06, without headers"}},
	},
}
