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
}
