package rfc7306

// Sections 1.1 and 4.1: supported operations, and the control fields.

import (
	"fmt"
	"strings"

	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/replay/conform"
)

var section11 = about("1.1", "finding out what the peer supports", func() []conform.Case {
	return []conform.Case{
		{Name: "probe-by-fetchadd", Requirements: []string{"RDMAPX-1.1-2"},
			Says: "A FetchAdd of zero is answered, and changes nothing; a peer without Atomic Operations reports an unexpected opcode.",
			Ask: supported(conform.Atomics, asks(fetchAdd(0, 0), 0),
				answers(1, 0), exchange(fetchAdd(0, 0x8000000080000000), 0, 0), holds(0, 0))},
		{Name: "probe-by-cmpswap", Requirements: []string{"RDMAPX-1.1-2"},
			Says: "A CmpSwap is answered; a peer without Atomic Operations reports an unexpected opcode.",
			Ask:  supported(conform.Atomics, asks(cmpSwap(0, ones, 0, ones), 0), answers(1, 0))},
		{Name: "probe-by-immediate", Requirements: []string{"RDMAPX-1.1-2"},
			Says: "Immediate Data is accepted; a peer without it reports an unexpected opcode.",
			Ask:  supported(conform.Immediate, "> Immediate ImmediateData=0x1")},
		{Name: "probe-by-immediate-se", Requirements: []string{"RDMAPX-1.1-2"},
			Says: "Immediate Data with Solicited Event is accepted; a peer without it reports an unexpected opcode.",
			Ask:  supported(conform.Immediate, "> ImmediateSE ImmediateData=0x1")},
		{Name: "response-to-nobody", Requirements: []string{"RDMAPX-1.1-2"},
			Says: "An Atomic Response without an Atomic Request is refused; a peer without Atomic Operations refuses its opcode or queue.",
			Ask:  conform.Text(greeting, "> [bad] AtomicResponse OriginalRequestIdentifier=1", refusedByEither)},
	}
})

// refusedByEither expects that the step bad is refused for its opcode, as unexpected, or for its QN, which only a peer
// with Atomic Operations has.
const refusedByEither = `
	< OneOf
	or Refusal atomic-response to [bad]
	or Refusal opcode to [bad]
	or Refusal qn-undefined to [bad]
	< ends`

// supported returns the Ask of a case with one line of ours, and what follows it if the peer supports it. A peer that
// does not refuses the opcode.
func supported(need conform.Need, ours string, behind ...string) func(*conform.Setup) []string {
	return func(s *conform.Setup) []string {
		if s.Peer.Has()&need == 0 {
			return []string{script(greeting, ours, "< refuses opcode")}
		}
		return []string{script(append([]string{greeting, ours}, behind...)...)}
	}
}

var section41 = about("4.1", "control fields", func() []conform.Case {
	return append([]conform.Case{
		{Name: "invalidate-stag-ignored", Requirements: []string{"RDMAPX-4.1-4"}, Need: conform.Atomics,
			Says: "The Invalidate STag field of an Atomic Request is ignored.",
			Ask: conform.Text(
				"> Segment AtomicRequest InvalidateSTag=$data "+request(fetchAdd(5, 0), "$data", "$data_to"),
				"< AtomicResponse OriginalRequestIdentifier=1 OriginalRemoteDataValue=0x0", holds(0, 5))},
		{Name: "invalidate-stag-ignored-immediate", Requirements: []string{"RDMAPX-4.1-4"}, Need: conform.Immediate | conform.Volatile,
			Says: "The Invalidate STag field of Immediate Data is ignored: the region that it names stays valid.",
			Ask: conform.Text(`
				> Segment Immediate InvalidateSTag=$volatile ImmediateData=0x1
				> Segment ImmediateSE InvalidateSTag=$volatile ImmediateData=0x2
				> reads 4 $volatile 00010203`)},
		{Name: "reserved-bits-ignored", Requirements: []string{"RDMAPX-4.1-5"}, Need: conform.Atomics,
			Says: "The reserved bits of the DDP and RDMAP control fields of an Atomic Request are ignored.",
			Ask: conform.Text(
				"> Segment AtomicRequest Rsvd=15 Rsv=3 "+request(fetchAdd(5, 0), "$data", "$data_to"),
				"< AtomicResponse OriginalRequestIdentifier=1 OriginalRemoteDataValue=0x0", holds(0, 5))},
		{Name: "reserved-bits-ignored-immediate", Requirements: []string{"RDMAPX-4.1-5"}, Need: conform.Immediate,
			Says: "The reserved bits of the DDP and RDMAP control fields of Immediate Data are ignored.",
			Ask: conform.Text("> Segment Immediate Rsvd=15 Rsv=3 ImmediateData=0x6162636465666768",
				reports(1, 4, "abcdefgh"))},
		{Name: "fields-of-the-peer", Requirements: []string{"RDMAPX-4.1-1", "RDMAPX-4.1-2", "RDMAPX-4.1-3", "RDMAPX-4.1-5"},
			Need: conform.Atomics | conform.Immediate,
			Says: "All control fields of the peer's own messages are right: version, opcode, queue, and zeros in reserved fields.",
			Ask: conform.Text(exchange(fetchAdd(1, 0), 0, 0), `
				> Send {immediate 0 0x0102030405060708}
				< Immediate ImmediateData=0x0102030405060708`, itsFetchAdd(), `
				> AtomicResponse to [r] OriginalRemoteDataValue=0x7
				< Send {answer fetchadd 0 7}`)},
	}, wrongControls()...)
})

func wrongControls() (cases []conform.Case) {
	for _, x := range extensions() {
		name := strings.ToLower(x.opcode.String())
		segment := fmt.Sprintf("> Segment %v %%s %s", x.opcode, x.fields)
		cases = append(cases,
			conform.Case{Name: name + "-tagged", Requirements: tagged(x.opcode), Need: x.need,
				Says: fmt.Sprintf("%v with T set is refused.", x.opcode),
				Ask: conform.Text(greeting, fmt.Sprintf("> Segment %v T=1 STag=$data TO=$data_to", x.opcode)+" 00*52",
					"< refuses opcode-t")},
			conform.Case{Name: name + "-other-queue", Requirements: queues(x.opcode), Need: x.need,
				Says: fmt.Sprintf("%v in the queue of another message is refused.", x.opcode),
				Ask:  conform.Texts(otherQueues(x.opcode, segment)...)},
			conform.Case{Name: name + "-rdmap-version", Requirements: []string{"RDMAPX-8.2-3", "RDMAPX-4.1-1", "V-284"}, Need: x.need,
				Says: fmt.Sprintf("%v of another RDMAP version is refused.", x.opcode),
				Ask:  versions(segment, "RV=%d", "rdmap-version")},
			conform.Case{Name: name + "-ddp-version", Requirements: []string{"RDMAPX-8.2-1", "V-284"}, Need: x.need,
				Says: fmt.Sprintf("%v of another DDP version is refused.", x.opcode),
				Ask:  versions(segment, "DV=%d", "ddp-version-untagged")})
	}
	return cases
}

func tagged(o rdmap.Opcode) []string {
	all := []string{"RDMAPX-4.1-2", "RDMAPX-8.2-1"}
	switch o {
	case rdmap.OpAtomicRequest:
		return append(all, "RDMAPX-5.2.1-1")
	case rdmap.OpAtomicResponse:
		return append(all, "RDMAPX-5.2.2-2")
	}
	return append(all, "RDMAPX-6.3-1")
}

func queues(o rdmap.Opcode) []string {
	all := []string{"RDMAPX-4.1-5", "RDMAPX-8.2-1"}
	switch o {
	case rdmap.OpAtomicRequest:
		return append(all, "RDMAPX-5.2-1", "RDMAPX-5.2.1-5")
	case rdmap.OpAtomicResponse:
		return append(all, "RDMAPX-5.2-2", "RDMAPX-5.2.2-3")
	}
	return append(all, "RDMAPX-6.3-4")
}

// otherQueues returns scripts with the opcode in each queue of other messages, but not in that of the Terminate, whose
// errors are not answered.
func otherQueues(o rdmap.Opcode, segment string) (scripts []string) {
	own, _ := o.QN()
	for _, qn := range []uint32{rdmap.QNSend, rdmap.QNReadRequest, rdmap.QNAtomicResponse} {
		if qn != own {
			scripts = append(scripts, script(greeting, fmt.Sprintf(segment, fmt.Sprintf("QN=%d", qn)), "< refuses qn-opcode"))
		}
	}
	return scripts
}

func versions(segment, field, situation string) func(*conform.Setup) []string {
	return conform.Each(script(greeting, fmt.Sprintf(segment, field), "< refuses "+situation), 0, 2, 3)
}
