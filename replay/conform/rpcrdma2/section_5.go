package rpcrdma2

// Sections 5.1 and 5.2: transport properties.

import (
	"strconv"

	"github.com/iwarpkit/iwarp/codec/rpcrdma"
	"github.com/iwarpkit/iwarp/replay/conform"
	"github.com/iwarpkit/iwarp/replay/conform/internal/rpctext"
	"github.com/iwarpkit/iwarp/replay/conform/internal/rpctext2"
)

// numbers are the properties whose values are numbers of 32 bits.
var numbers = []rpctext.Word{rpctext2.SBSIZ, rpctext2.RBSIZ, rpctext2.RSSIZ, rpctext2.RCSIZ, rpctext2.BRS}

var section51 = adapted("5.1", "transport properties", func() []conform.Case {
	return conform.Alike(conform.Case{Begin: bare}, []conform.Case{
		{Name: "number-too-short", Requirements: []string{"RPCRDMA2-5.1-1", "RPCRDMA2-5.1-2", "RPCRDMA2-7.2.2-1"},
			Says: "A number of fewer than four octets is answered with RDMA2_ERR_BAD_PROPVAL.",
			Ask:  refusedNumbers(1, 2, 3)},
		{Name: "number-too-long", Requirements: []string{"RPCRDMA2-5.1-1", "RPCRDMA2-7.2.2-1"},
			Says: "A number of more than four octets is answered with RDMA2_ERR_BAD_PROPVAL.",
			Ask:  refusedNumbers(5, 6, 7, 8, 400)},
		{Name: "authentication-malformed", Requirements: []string{"RPCRDMA2-5.1-1", "RPCRDMA2-5.1-2", "RPCRDMA2-7.2.2-1"},
			Says: "A Host Authentication Message whose data is not opaque data is answered with RDMA2_ERR_BAD_PROPVAL.",
			Ask: conform.EachOf(func(data []byte) string {
				return refusedProperties(rpctext2.Property(rpctext2.HostAuth, data...))
			}, [][]byte{
				{0}, {0, 0}, {0, 0, 0}, {0, 0, 0, 1}, {0, 0, 0, 4, 1, 2, 3}, {0, 0, 0, 8, 1, 2, 3, 4}, {0xff, 0xff, 0xff, 0xff, 1,
					2, 3, 4},
				{0, 0, 0, 0, 1, 2, 3, 4}, {0, 0, 0, 1, 2, 0, 0, 0, 0, 0, 0, 0},
			}...)},
		{Name: "longer-than-the-message", Requirements: []string{"RPCRDMA2-5.1-1", "RPCRDMA2-7.2.2-1"},
			Says: "Data that exceeds the message is answered with RDMA2_ERR_BAD_PROPVAL.",
			Ask: func(*conform.Setup) (scripts []string) {
				for _, id := range append([]rpctext.Word{rpctext2.HostAuth}, numbers...) {
					for _, length := range []rpctext.Word{5, 8, 0x1000, 0x7fffffff, 0x80000000, 0xfffffffc, 0xfffffffd, 0xffffffff} {
						scripts = append(scripts, refusedProperties(rpctext.Words(id, length, 0)))
					}
				}
				return scripts
			}},
		{Name: "malformed-behind-others", Requirements: []string{"RPCRDMA2-5.1-1", "RPCRDMA2-5.1-2", "RPCRDMA2-7.2.2-1"},
			Says: "That holds with correct and unknown properties before or after the malformed one.",
			Ask: func(*conform.Setup) []string {
				good, unknown := rpctext2.Number(rpctext2.RBSIZ, 8192), rpctext2.Property(77, 1, 2, 3)
				bad := rpctext2.Property(rpctext2.RCSIZ, 1, 2)
				return []string{refusedProperties(good, bad), refusedProperties(unknown, bad), refusedProperties(bad, good),
					refusedProperties(bad, unknown),
					refusedProperties(good, unknown, good, bad, good)}
			}},
		{Name: "first-malformed", Requirements: []string{"RPCRDMA2-5.1-1", "RPCRDMA2-7.2.2-1", "RPCRDMA2-6.3.4-1"},
			Says: "That holds in the first message; the peer's first message still has its properties, and correct ones of " +
				"ours may follow.",
			Ask: asking(func(n null) []string {
				m := rpctext2.Properties(rpctext2.Property(rpctext2.RBSIZ, 1, 2, 3))
				return []string{script(sends(m), gets(rpctext2.AnyConnProp()), gets(rpctext2.Error(m.XID, rpctext2.BadPropval)),
					closed())}
			})},
		{Name: "default-values", Requirements: []string{"RPCRDMA2-5.1-3"},
			Says: "A property without data is not malformed.",
			Ask: asking(func(n null) (scripts []string) {
				var all []string
				for _, id := range append(numbers, rpctext2.HostAuth, 88) {
					all = append(all, rpctext2.Property(id))
					scripts = append(scripts, script(sends(rpctext2.Properties(rpctext2.Property(id))), gets(rpctext2.AnyConnProp()),
						n.answered(first)))
				}
				return append(scripts, script(sends(rpctext2.Properties(all...)), gets(rpctext2.AnyConnProp()), n.answered(first)))
			})},
		{Name: "default-value-in-effect", Requirements: []string{"RPCRDMA2-5.1-3", "RPCRDMA2-4.2.2-1"},
			Need: conform.RPCProgram,
			Says: "A property without data has its default value, as the only one with its id or the last.",
			Ask: func(*conform.Setup) []string {
				small := rpctext2.Number(rpctext2.RBSIZ, smallReceive)
				return []string{
					script(sends(rpctext2.Properties(rpctext2.Property(rpctext2.RBSIZ))), gets(rpctext2.AnyConnProp()), whole()),
					script(opened(small), closed(rpctext2.Property(rpctext2.RBSIZ)), whole()),
				}
			}},
		{Name: "unknown-skipped", Requirements: []string{"RPCRDMA2-5.1-4", "RPCRDMA2-6.3.4-4"},
			Says: "Properties with unknown ids are skipped without an error, whatever their data.",
			Ask: askingEach(func(n null, id rpctext.Word) string {
				m := rpctext2.Properties(rpctext2.Property(id), rpctext2.Property(id, 1), rpctext2.Property(id, 1, 2, 3),
					rpctext2.Number(id, 4),
					rpctext2.Property(id, make([]byte, 9)...), rpctext2.Property(id, make([]byte, 400)...))
				return script(sends(m), gets(rpctext2.AnyConnProp()), n.answered(first))
			}, unknownIDs...)},
		{Name: "known-among-unknown", Requirements: []string{"RPCRDMA2-5.1-4", "RPCRDMA2-5.1-5", "RPCRDMA2-6.3.4-4"},
			Need: conform.RPCProgram,
			Says: "A known property has its effect among unknown ones and in any order.",
			Ask: func(*conform.Setup) (scripts []string) {
				known, unknown := rpctext2.Number(rpctext2.RBSIZ, smallReceive), rpctext2.Property(unknownIDs[1], 1, 2, 3, 4, 5)
				other := rpctext2.Number(rpctext2.RSSIZ, 4096)
				for _, all := range [][]string{
					{known}, {unknown, known}, {known, unknown}, {unknown, known, unknown}, {other, known}, {known, other}, {unknown,
						other, known},
				} {
					scripts = append(scripts, script(sends(rpctext2.Properties(all...)), gets(rpctext2.AnyConnProp()),
						inReplyChunk(1500, 2048)))
				}
				return scripts
			}},
		{Name: "any-order", Requirements: []string{"RPCRDMA2-5.1-5"},
			Says: "Properties may come in any order, and repeatedly.",
			Ask: askingEach(func(n null, ids []rpctext.Word) string {
				var all []string
				for _, id := range ids {
					value, _ := rpcrdma.PropID(id).Default()
					all = append(all, rpctext2.Number(id, rpctext.Word(value)))
				}
				return script(sends(rpctext2.Properties(all...)), gets(rpctext2.AnyConnProp()), n.answered(first))
			}, [][]rpctext.Word{{1, 2, 3, 4, 5}, {5, 4, 3, 2, 1}, {3, 1, 5, 2, 4}, {2, 2, 2},
				{1, 2, 1, 2, 3, 3}}...)},
		{Name: "authentication", Requirements: []string{"RPCRDMA2-5.2.6-1", "RPCRDMA2-6.3.4-4"},
			Says: "A well-formed Host Authentication Message is not an error, whether the peer can use it or " +
				"not.",
			Ask: askingEach(func(n null, octets int) string {
				data := append([]byte{0, 0, 0, byte(octets)}, make([]byte, octets+rpctext.Padding(octets))...)
				m := rpctext2.Properties(rpctext2.Property(rpctext2.HostAuth, data...))
				return script(sends(m), gets(rpctext2.AnyConnProp()), n.answered(first))
			}, 0, 1, 3, 4, 5, 64)},
	})
})

var unknownIDs = []rpctext.Word{0, 7, 8, 100, 0x10000, 0x7fffffff, 0x80000000, 0x80000002, 0xffffffff}

// refusedNumbers returns the Ask of a case with each number of so many octets, which is refused.
func refusedNumbers(lengths ...int) func(*conform.Setup) []string {
	return func(*conform.Setup) (scripts []string) {
		for _, id := range numbers {
			for _, octets := range lengths {
				scripts = append(scripts, refusedProperties(rpctext2.Property(id, make([]byte, octets)...)))
			}
		}
		return scripts
	}
}

// refusedProperties sends malformed properties between others, and expects RDMA2_ERR_BAD_PROPVAL.
func refusedProperties(properties ...string) string {
	bad := late(rpctext2.Properties(properties...)).With(rpctext2.TPMore)
	return script(opened(), refused(bad, rpctext2.BadPropval), closed())
}

var section522 = adapted("5.2.2", "Receive Buffer Size", func() []conform.Case {
	return []conform.Case{
		{Name: "message-as-long-as-receives", Requirements: []string{"RPCRDMA2-5.2.2-1", "RPCRDMA2-6.2.2.3-4"}, Begin: bare,
			Says: "A message may be as long as the peer's announced Receives.",
			Ask: func(s *conform.Setup) []string {
				const head = 24 + 8 // of the message, and of the property in it
				m := late(rpctext2.Properties(rpctext2.Property(1000, make([]byte, receiveSize(s)&^3-head)...)))
				return []string{script(opened(), sends(m), nullOf(s).answered(first))}
			}},
		{Name: "call-as-long-as-receives", Requirements: []string{"RPCRDMA2-5.2.2-1"}, Need: conform.RPCProgram, Begin: begun,
			Says: "A Call of that length is answered.",
			Ask: func(s *conform.Setup) []string {
				const item = "00000001 00000001 ffffffff" // longer than the message
				rest := receiveSize(s)&^3 - headerLen - rpctext.CallLen - rpctext.Len(item)
				c := rpctext.CallOf(first, rpctext.ProcPlain, item+" 00*"+strconv.Itoa(rest))
				return []string{script(sends(rpctext2.Msg(first, none, c.String())),
					gets(rpctext2.Reply(first, none, rpctext.Reply(first, rpctext.GarbageArgs, ""))))}
			}},
	}
})

// receiveSize returns the length in octets of the Receives that the peer announces, but at most 65536.
func receiveSize(s *conform.Setup) int {
	const most = 1 << 16
	return min(property(s, rpcrdma.PropRBSIZ), most)
}
