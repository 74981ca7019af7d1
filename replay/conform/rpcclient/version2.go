package rpcclient

import (
	"math"
	"slices"
	"sync"

	"github.com/iwarpkit/iwarp/codec/rpcrdma"
)

// version2 are made when they are needed, and not by each command.
var version2 = sync.OnceValue(func() []section {
	return []section{
		{"draft-ietf-nfsv4-rpcrdma-version-two-01", "4.3.6", "Write chunks", ofVersion2([]Case{
			{Name: "longer", Requirements: []string{"RPCRDMA2-4.3.6-2"}, Due: Survives,
				Alter: segment(func(s *rpcrdma.Segment) { s.Length = math.MaxUint32 }),
				Says:  "The client does not use a Write chunk that comes back longer than it was offered."},
			{Name: "other-handle", Requirements: []string{"RPCRDMA2-4.3.6-2"}, Due: Survives,
				Alter: segment(func(s *rpcrdma.Segment) { s.Handle ^= 1 }),
				Says:  "The client does not trust a Write chunk that comes back with another handle."},
			{Name: "more-segments", Requirements: []string{"RPCRDMA2-4.3.6-2"}, Due: Survives,
				Alter: written(func(s []rpcrdma.Segment) []rpcrdma.Segment {
					return append(s, slices.Repeat([]rpcrdma.Segment{foreign}, 20)...)
				}), Says: "The client does not trust a Write chunk that comes back with more segments."},
		})},
		error2("7.1.1", "RDMA2_ERR_VERS", "RPCRDMA2-7.1.1-4", rpcrdma.Error2{Err: rpcrdma.ErrCode2Vers, VersLow: rpcrdma.Vers1, VersHigh: rpcrdma.Vers1}),
		error2("7.3.1", "RDMA2_ERR_READ_CHUNKS", "RPCRDMA2-7.3.1-4", rpcrdma.Error2{Err: rpcrdma.ErrCode2ReadChunks}),
		error2("7.3.2", "RDMA2_ERR_WRITE_CHUNKS", "RPCRDMA2-7.3.2-2", rpcrdma.Error2{Err: rpcrdma.ErrCode2WriteChunks}),
		error2("7.3.3", "RDMA2_ERR_SEGMENTS", "RPCRDMA2-7.3.3-2", rpcrdma.Error2{Err: rpcrdma.ErrCode2Segments, MaxSegments: 1}),
		error2("7.3.4", "RDMA2_ERR_WRITE_RESOURCE", "RPCRDMA2-7.3.4-4", rpcrdma.Error2{Err: rpcrdma.ErrCode2WriteResource, ChunkIndex: 1, LengthNeeded: 1 << 20}),
		error2("7.3.5", "RDMA2_ERR_REPLY_RESOURCE", "RPCRDMA2-7.3.5-3", rpcrdma.Error2{Err: rpcrdma.ErrCode2ReplyResource, LengthNeeded: 1 << 20}),
		error2("7.4.1", "RDMA2_ERR_SYSTEM", "RPCRDMA2-7.4.1-3", rpcrdma.Error2{Err: rpcrdma.ErrCode2System}),
		{"draft-ietf-nfsv4-rpcrdma-version-two-01", "A.1", "eligible results", ofVersion2([]Case{
			{Name: "not-reduced", Requirements: []string{"RPCRDMA2-A.1-2"}, Due: Ends, Alter: unreduced,
				Says: "A Reply with an eligible result inline, though there is a Write chunk for it, ends the Call for good."},
		})},
	}
})

func ofVersion2(cases []Case) []Case {
	for i := range cases {
		cases[i].Vers = rpcrdma.Vers2
	}
	return cases
}

// error2 returns the section of an error, which ends the Call.
func error2(number, name, requirement string, err rpcrdma.Error2) section {
	return section{"draft-ietf-nfsv4-rpcrdma-version-two-01", number, name, ofVersion2([]Case{
		{Name: "ends-the-call", Requirements: []string{requirement}, Due: Ends, Alter: failure2(err), Says: name + " ends the Call for good."},
	})}
}
