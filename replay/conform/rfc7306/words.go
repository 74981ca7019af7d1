package rfc7306

// Script lines that many cases share.

import (
	"fmt"
	"strings"

	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/replay/conform"
	"github.com/iwarpkit/iwarp/replay/conform/internal/parts"
)

// greeting precedes a segment with an opcode or control field that the peer may not know.
const greeting = parts.Greeting

const ones = 1<<64 - 1

// takesTwo reports whether two requests can be outstanding.
func takesTwo(s *conform.Setup) bool { return s.Peer.IRD >= 2 }

// dataLen is the length in octets of the peer's region data (docs/conform-service.md).
const dataLen = 64 << 10

func script(lines ...string) string { return strings.Join(lines, "\n") }

func request(h rdmap.AtomicRequest, stag, to string) string {
	kind := "Add"
	if h.AOpCode == rdmap.CmpSwap {
		kind = "Swap"
	}
	return fmt.Sprintf("AOpCode=%v RequestIdentifier=%d RemoteSTag=%s RemoteTaggedOffset=%s %sData=0x%x %sMask=0x%x", h.AOpCode,
		h.RequestIdentifier, stag, to, kind, h.AddOrSwapData, kind, h.AddOrSwapMask) +
		fmt.Sprintf(" CompareData=0x%x CompareMask=0x%x", h.CompareData, h.CompareMask)
}

// fetchAdd returns the header of a FetchAdd without its target.
func fetchAdd(add, mask uint64) rdmap.AtomicRequest {
	return rdmap.AtomicRequest{RequestIdentifier: 1, AddOrSwapData: add, AddOrSwapMask: mask, CompareMask: ones}
}

// cmpSwap returns the header of a CmpSwap without its target.
func cmpSwap(swap, mask, compare, compareMask uint64) rdmap.AtomicRequest {
	return rdmap.AtomicRequest{AOpCode: rdmap.CmpSwap, RequestIdentifier: 1, AddOrSwapData: swap, AddOrSwapMask: mask,
		CompareData: compare, CompareMask: compareMask}
}

// dataAt returns the TO of an octet of the peer's region data.
func dataAt(at int) string { return fmt.Sprintf("$data_to+%d", at) }

// asks sends an Atomic Request, named after its identifier, for the word at an offset of the peer's data.
func asks(h rdmap.AtomicRequest, at int) string {
	return fmt.Sprintf("> [atomic%d] AtomicRequest %s", h.RequestIdentifier, request(h, "$data", dataAt(at)))
}

// answers expects the Response to the Atomic Request with an identifier.
func answers(identifier uint32, old uint64) string {
	return fmt.Sprintf("< AtomicResponse to [atomic%d] OriginalRemoteDataValue=0x%x", identifier, old)
}

// theirs expects an Atomic Request of the peer, as a named step, for an STag and TO of ours.
func theirs(name string, h rdmap.AtomicRequest, stag uint32, to uint64) string {
	return fmt.Sprintf("< [%s] AtomicRequest %s", name, request(h, fmt.Sprintf("0x%x", stag), fmt.Sprintf("0x%x", to)))
}

// itsFetchAdd makes the peer send a FetchAdd, the step r.
func itsFetchAdd() string {
	return script("> Send {fetchadd! 16 0x1000 0x20000 1 0}", theirs("r", fetchAdd(1, 0), 0x1000, 0x20000))
}

func exchange(h rdmap.AtomicRequest, at int, old uint64) string {
	return script(asks(h, at), answers(h.RequestIdentifier, old))
}

// put sets the word at an offset of the peer's data, which is zero, to a value.
func put(at int, value uint64) string { return exchange(fetchAdd(value, 0), at, 0) }

// holds expects a value of the word at an offset of the peer's data, which a FetchAdd of zero returns.
func holds(at int, value uint64) string { return exchange(fetchAdd(0, 0), at, value) }

// report returns the report of the peer's service on the messages before: how many, and of the latest one its flags and
// octets.
func report(messages int, flags uint8, octets string) string {
	return "< Send " + conform.Reported(messages, flags, "", []byte(octets))
}

// reports returns the command for that report, and the report.
func reports(messages int, flags uint8, octets string) string {
	return script("> Send {report}", report(messages, flags, octets))
}

// read8 returns a Read of 8 octets at an offset of the peer's data, and the Response: a value whose octets are a
// palindrome.
func read8(at int, value uint64) string {
	return script(
		fmt.Sprintf("> [read] ReadRequest SinkSTag=0x1000 RDMARDSZ=8 SrcSTag=$data SrcTO=%s", dataAt(at)),
		fmt.Sprintf("< ReadResponse to [read] %016x", value))
}

// octetsAfter returns scripts with a segment of an opcode that has a number of zero octets after the DDP header, and
// is refused.
func octetsAfter(o rdmap.Opcode, situation string, counts ...int) (scripts []string) {
	for _, n := range counts {
		line := fmt.Sprintf("> Segment %v", o)
		if n > 0 {
			line += fmt.Sprintf(" 00*%d", n)
		}
		scripts = append(scripts, script(line, "< refuses "+situation))
	}
	return scripts
}

type extension struct {
	opcode rdmap.Opcode
	need   conform.Need // of a peer
	fields string       // its header
}

func extensions() []extension {
	return []extension{
		{rdmap.OpImmediate, conform.Immediate, "ImmediateData=0x0102030405060708"},
		{rdmap.OpImmediateSE, conform.Immediate, "ImmediateData=0x0102030405060708"},
		{rdmap.OpAtomicRequest, conform.Atomics, request(fetchAdd(1, 0), "$data", "$data_to")},
		{rdmap.OpAtomicResponse, conform.Atomics, "OriginalRequestIdentifier=1"},
	}
}
