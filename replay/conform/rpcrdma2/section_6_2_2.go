package rpcrdma2

// Sections 6.2.2 and 6.2.2.3: flags, but for that of continuation.

import (
	"github.com/iwarpkit/iwarp/replay/conform"
	"github.com/iwarpkit/iwarp/replay/conform/internal/rpctext"
)

// reserved are the flags that mean nothing.
const reserved rpctext.Word = 0xfffffff8

var section622 = adapted("6.2.2", "reserved flags", func() []conform.Case {
	return []conform.Case{
		{Name: "reserved-flag-ignored", Requirements: []string{"RPCRDMA2-6.2.2-2"}, Begin: begun,
			Says: "Each reserved flag is ignored in a Call.",
			Ask: asking(func(n null) (scripts []string) {
				for flag := rpctext.TPMore << 1; flag <= 0x80000000; flag <<= 1 {
					scripts = append(scripts, script(sends(n.message(first).With(flag)), n.answers(first)))
				}
				return scripts
			})},
		{Name: "reserved-flags-ignored", Requirements: []string{"RPCRDMA2-6.2.2-2"}, Begin: begun,
			Says: "All reserved flags together are ignored, in each type of message.",
			Ask: asking(func(n null) []string {
				return []string{
					script(sends(n.message(first).With(reserved)), n.answers(first)),
					script(sends(rpctext.NoMsg2(0, none).With(reserved)), n.answered(first)),
					script(sends(rpctext.Refusing(first, rpctext.System).With(reserved)), n.answered(first)),
					script(sends(part(n, 0, 20).With(reserved)), sends(part(n, 20, 40)), n.answers(first)),
					script(sends(part(n, 0, 20)), sends(part(n, 20, 40).With(reserved)), n.answers(first)),
				}
			})},
		{Name: "reserved-flags-ignored-in-properties", Requirements: []string{"RPCRDMA2-6.2.2-2", "RPCRDMA2-6.1-1"},
			Begin: bare,
			Says:  "All reserved flags together are ignored in properties, and do not make them the last or not the last.",
			Ask: asking(func(n null) []string {
				return []string{
					script(sends(rpctext.Properties().With(reserved)), gets(rpctext.AnyConnProp()), n.answered(first)),
					script(sends(rpctext.Properties().With(reserved|rpctext.TPMore)), gets(rpctext.AnyConnProp()),
						sends(rpctext.Properties().With(reserved)), n.answered(first)),
				}
			})},
		{Name: "reserved-flags-beside-an-error", Requirements: []string{"RPCRDMA2-6.2.2-2", "RPCRDMA2-6.1-2"}, Begin: begun,
			Says: "Reserved flags do not hide what else is wrong with a message.",
			Ask: asking(func(n null) []string {
				m := n.message(first).With(reserved)
				m.HType = 6
				return eachRefused(rpctext.InvalHType, m, n.message(second).With(reserved|rpctext.TPMore))
			})},
	}
})

var section6223 = adapted("6.2.2.3", "RDMA2_F_TPMORE", func() []conform.Case {
	return []conform.Case{
		{Name: "on-a-message", Requirements: []string{"RPCRDMA2-6.2.2.3-2"}, Begin: begun,
			Says: "RDMA2_F_TPMORE on a message that has no properties is answered with RDMA2_ERR_INVAL_HTYPE.",
			Ask: asking(func(n null) []string {
				return eachRefused(rpctext.InvalHType,
					n.message(first).With(rpctext.TPMore), part(n, 0, 20).With(rpctext.TPMore),
					rpctext.NoMsg2(second, special(segment(1, rpctext.CallLen))).With(rpctext.TPMore))
			})},
		{Name: "on-a-message-before-the-last-properties", Requirements: []string{"RPCRDMA2-6.2.2.3-2"}, Begin: bare,
			Says: "So it is while more properties are to come.",
			Ask: asking(func(n null) []string {
				return []string{script(opened(), refused(n.message(first).With(rpctext.TPMore), rpctext.InvalHType), closed())}
			})},
		{Name: "on-a-message-not-executed", Requirements: []string{"RPCRDMA2-6.2.2.3-2"},
			Need: conform.RPCProgram, Begin: begun,
			Says: "A Call with RDMA2_F_TPMORE is not executed.",
			Ask: asking(func(n null) []string {
				return []string{script(refused(n.message(first).With(rpctext.TPMore), rpctext.InvalHType), reports(second, 0))}
			})},
		{Name: "on-an-unknown-type", Requirements: []string{"RPCRDMA2-6.2.2.3-2", "RPCRDMA2-6.1-2"}, Begin: begun,
			Says: "RDMA2_F_TPMORE on a header type that means nothing is answered as each of both errors is.",
			Ask: asking(func(n null) []string {
				m := n.message(first).With(rpctext.TPMore)
				m.HType = 7
				return eachRefused(rpctext.InvalHType, m)
			})},
		{Name: "properties-after-the-last", Requirements: []string{"RPCRDMA2-6.2.2.3-3"}, Begin: begun,
			Says: "Properties after the last ones are answered with RDMA2_ERR_INVAL_HTYPE, whatever they are.",
			Ask: func(*conform.Setup) []string {
				return eachRefused(rpctext.InvalHType, late(rpctext.Properties()),
					late(rpctext.Properties(rpctext.Number(rpctext.RBSIZ, 1024))),
					late(rpctext.Properties()).With(rpctext.TPMore), late(rpctext.Properties(rpctext.Property(99, 1, 2, 3))))
			}},
		{Name: "properties-after-the-last-again", Requirements: []string{"RPCRDMA2-6.2.2.3-3"}, Begin: begun,
			Says: "They are so each time, and Calls between them are answered.",
			Ask: asking(func(n null) []string {
				again := refused(late(rpctext.Properties()), rpctext.InvalHType)
				return []string{script(again, again, n.answered(first), again, n.answered(second))}
			})},
		{Name: "properties-after-the-last-not-applied", Requirements: []string{"RPCRDMA2-6.2.2.3-3"},
			Need: conform.RPCProgram, Begin: begun,
			Says: "Properties after the last ones have no effect: the peer sends messages as long as before.",
			Ask: conform.Text(script(
				refused(late(rpctext.Properties(rpctext.Number(rpctext.RBSIZ, smallReceive))), rpctext.InvalHType), whole()))},
		{Name: "properties-in-several-messages", Requirements: []string{"RPCRDMA2-6.2.2.3-4", "RPCRDMA2-6.1-1"}, Begin: bare,
			Says: "Properties come in as many messages as there are with RDMA2_F_TPMORE, and one more.",
			Ask: asking(func(n null) []string {
				more := sends(rpctext.Properties(rpctext.Number(rpctext.RBSIZ, 4096)).With(rpctext.TPMore))
				return []string{
					script(opened(), closed(), n.answered(first)),
					script(opened(), more, more, more, more, closed(), n.answered(first)),
					script(opened(), more, closed(), refused(late(rpctext.Properties()), rpctext.InvalHType)),
				}
			})},
		{Name: "property-in-parts", Requirements: []string{"RPCRDMA2-6.2.2.2-1", "RPCRDMA2-6.1-1"}, Begin: bare,
			Says: "A property that is too long for one message comes in several with RDMA2_F_MORE.",
			Ask: asking(func(n null) []string {
				begin, end := late(rpctext.Properties()).With(rpctext.More), late(rpctext.Properties())
				begin.Body, end.Body = rpctext.Words(1, 1000, 1500)+" 00*700", "00*800"
				return []string{script(opened(), sends(begin), sends(end), n.answered(first))}
			})},
		{Name: "properties-come-first", Requirements: []string{"RPCRDMA2-6.3.4-1", "RPCRDMA2-6.2.2.3-4", "RPCRDMA2-4.2.3.1-1"},
			Begin: bare,
			Says:  "The first message of the peer has its properties, and no Reply comes before its last ones.",
			Ask: asking(func(n null) []string {
				return []string{script(sends(rpctext.Properties()), gets(rpctext.AnyConnProp()), n.answered(first))}
			})},
	}
})

// opened returns the exchange of properties, of which more of ours are to come. They have effect.
func opened(properties ...string) string {
	return script(sends(rpctext.Properties(properties...).With(rpctext.TPMore)), gets(rpctext.AnyConnProp()))
}

// closed returns the last message with properties of ours.
func closed(properties ...string) string {
	return sends(late(rpctext.Properties(properties...)))
}

// late returns a message with properties that is not the first.
func late(m rpctext.Message2) rpctext.Message2 {
	m.XID++
	m.Credit = rpctext.NextGrant
	return m
}
