package rfc7306

// Section 8.1: the Terminate for an error.

import "github.com/iwarpkit/iwarp/replay/conform"

var section81 = about("8.1", "the Terminate for an error", func() []conform.Case {
	return []conform.Case{
		{Name: "own-reasons", Requirements: []string{"RDMAPX-8.1-1"}, Need: conform.Atomics | conform.Terminates,
			Says: "A Terminate for a reason of its own comes in place of what the peer would send, and has no headers.",
			Ask:  conform.Text(script(itsFetchAdd(), "> Send {terminate}", "< refuses local"))},
		{Name: "headers-for-a-request", Requirements: []string{"RDMAPX-8.1-2"}, Need: conform.Atomics,
			Says: "The Terminate for an Atomic Request has the DDP header, and not the 52 octets behind it.",
			Ask:  conform.Text(asks(fetchAdd(1, 0), 4) + "\n< refuses atomic-alignment")},
		{Name: "headers-for-a-later-request", Requirements: []string{"RDMAPX-8.1-2"}, Need: conform.Atomics,
			Says: "The Terminate has the header of the message that was wrong, not of one before it.",
			Ask: conform.Text(script(exchange(fetchAdd(1, 0), 0, 0), exchange(fetchAdd(1, 0), 0, 1), asks(fetchAdd(1, 0), 4),
				"< refuses atomic-alignment"))},
		{Name: "headers-for-a-response", Requirements: []string{"RDMAPX-8.1-2"}, Need: conform.Atomics,
			Says: "The Terminate for an Atomic Response has the DDP header, and not the 12 octets behind it.",
			Ask: conform.Text(script(itsFetchAdd(),
				"> Segment AtomicResponse MSN=5 OriginalRequestIdentifier=1", "< refuses atomic-response-msn"))},
	}
})
