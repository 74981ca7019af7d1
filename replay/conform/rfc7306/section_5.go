package rfc7306

// Section 5: which Atomic Operations there are, and the queue of their Responses.

import "github.com/iwarpkit/iwarp/replay/conform"

var section5 = about("5", "Atomic Operations", func() []conform.Case {
	return []conform.Case{
		{Name: "both-operations", Requirements: []string{"RDMAPX-5-3", "RDMAPX-5.2.1-11", "RDMAPX-5.2.1-8"}, Need: conform.Atomics,
			Says: "Who has Atomic Operations has FetchAdd and CmpSwap.",
			Ask: conform.Text(script(
				exchange(fetchAdd(7, 0), 0, 0),
				exchange(cmpSwap(9, ones, 7, ones), 0, 7),
				holds(0, 9)))},
		{Name: "without-negotiation", Requirements: []string{"RDMAPX-5-3", "RDMAPX-5.2.1-8"}, Need: conform.Atomics,
			Role: conform.AsInitiator, Begin: conform.Begin{Rev: 1},
			Says: "Atomic Operations need nothing that MPA agrees on: they are there in revision 1 too.",
			Ask:  conform.Text(script(exchange(fetchAdd(7, 0), 0, 0), exchange(cmpSwap(9, ones, 7, ones), 0, 7), holds(0, 9)))},
		{Name: "other-region", Requirements: []string{"RDMAPX-5-3", "RDMAPX-8.2-5"}, Need: conform.Atomics | conform.Volatile,
			Says: "Atomic Operations go to any memory that may be read and written.",
			Ask: conform.Text(`
				> Write STag=$volatile TO=$volatile_to+8 0200000000000002
				> [r] AtomicRequest RemoteSTag=$volatile RemoteTaggedOffset=$volatile_to+8 AddData=1 CompareMask=0xffffffffffffffff
				< AtomicResponse to [r] OriginalRemoteDataValue=0x0200000000000002
				> [r] AtomicRequest RemoteSTag=$volatile RemoteTaggedOffset=$volatile_to+8 CompareMask=0xffffffffffffffff
				< AtomicResponse to [r] OriginalRemoteDataValue=0x0200000000000003`)},
		{Name: "msn-of-responses", Requirements: []string{"RDMAPX-5-5", "RDMAPX-5.2-2", "RDMAPX-5.2.2-3"}, Need: conform.Atomics,
			Says: "Atomic Responses have a queue and MSNs of their own: Reads between the Requests do not count.",
			Ask: conform.Text(script(
				exchange(fetchAdd(1, 0), 0, 0), read8(8, 0),
				exchange(fetchAdd(1, 0), 0, 1), read8(8, 0), read8(8, 0),
				exchange(fetchAdd(1, 0), 0, 2)))},
		{Name: "msn-of-responses-taken", Requirements: []string{"RDMAPX-5-5", "RDMAPX-5.2-1"}, Need: conform.Atomics,
			Says: "Who has sent Atomic and Read Requests by turns takes Atomic Responses by MSNs that count these alone.",
			Ask: conform.Text(script(itsFetchAdd(), `
				> AtomicResponse to [r] OriginalRemoteDataValue=0x1
				< Send {answer fetchadd 0 1}
				> Send {read 4 0 0x1000 0x20000}
				< [b] ReadRequest RDMARDSZ=4 SrcSTag=0x1000 SrcTO=0x20000
				> ReadResponse to [b] "read"`, itsFetchAdd(), `
				> AtomicResponse to [r] OriginalRemoteDataValue=0x2
				< Send {answer fetchadd 0 2}`))},
	}
})
