package rfc5040

// Correct messages and octets that cases share.

import (
	"fmt"
	"slices"
	"strings"

	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/replay/conform"
)

// hello is a correct exchange. It precedes wrong headers, because some peers crash at one in the first FPDU of a
// connection.
const hello = `
	> echoes "hello"`

type message struct {
	opcode rdmap.Opcode
	before string // what must happen before it
	words  string // its fields and payload, as in a Segment
}

// messages holds one of each type that we can send, except the Terminate.
var messages = []message{
	{rdmap.OpWrite, "", `STag=$data TO=$data_to "abcd"`},
	{rdmap.OpReadRequest, "", `SinkSTag=0x1000 SinkTO=0x2000 RDMARDSZ=4 SrcSTag=$data SrcTO=$data_to`},
	{rdmap.OpReadResponse, `
		> Send {read 4 0 0x1000 0x2000}
		< ReadRequest RDMARDSZ=4 SrcSTag=0x1000 SrcTO=0x2000`, `STag=$data TO=$data_to "abcd"`},
	{rdmap.OpSend, "", `{echo "abcd"}`},
	{rdmap.OpSendSE, "", `{echo "abcd"}`},
	{rdmap.OpSendInvalidate, "", `InvalidateSTag=$volatile {echo "abcd"}`},
	{rdmap.OpSendSEInvalidate, "", `InvalidateSTag=$volatile {echo "abcd"}`},
}

var sendTypes = []rdmap.Opcode{rdmap.OpSend, rdmap.OpSendSE, rdmap.OpSendInvalidate, rdmap.OpSendSEInvalidate}

// violating returns a connection for each of the messages, or for those with one of the opcodes. The fields make the
// message wrong, and the peer refuses it because of a Situation.
func violating(situation, fields string, opcodes ...rdmap.Opcode) func(*conform.Setup) []string {
	return altered(fields, opcodes, "< refuses "+situation)
}

// odd returns the Ask of a case with messages that a peer may refuse, or not deliver.
func odd(situation, fields string, opcodes ...rdmap.Opcode) func(*conform.Setup) []string {
	return altered(fields, opcodes, "< OneOf\nor Refusal "+situation+" to [odd]\nor Silence\n< ends")
}

// altered returns messages with other fields, named odd, each with the expected reaction.
func altered(fields string, opcodes []rdmap.Opcode, due string) func(*conform.Setup) []string {
	return func(s *conform.Setup) (scripts []string) {
		for _, m := range messages {
			asked := len(opcodes) == 0 || slices.Contains(opcodes, m.opcode)
			if !asked || m.opcode.HasInvalidateSTag() && !has(s, conform.Volatile) {
				continue
			}
			scripts = append(scripts, fmt.Sprintf("%s\n> [odd] Segment %v %s %s\n%s", hello+m.before, m.opcode, fields, m.words, due))
		}
		return scripts
	}
}

// refusedRead returns the reaction to a Read Request named bad that is refused because of a Situation. Some peers are
// known not to check it.
func refusedRead(situation string) string {
	return fmt.Sprintf(`
		< OneOf
		or Refusal %[1]s to [bad]
		may known unchecked %[1]s "does not look at that in Read Requests" ReadResponse ?*
		< ends`, situation)
}

// refusedInvalidation returns the reaction to a Send with Invalidate of an echo, named bad, that is refused because of
// a Situation.
func refusedInvalidation(situation string) string {
	return fmt.Sprintf(`
		< OneOf
		or Refusal %s to [bad]
		may known unchecked invalidate-stag "does not look at what it is to invalidate" Send ?*
		< ends`, situation)
}

func has(s *conform.Setup, n conform.Need) bool { return s.Peer.Has()&n == n }

// oneByOne returns one connection that plays a script for each of some words, which replaces %[1]s. %[2]d is a
// different number each time.
func oneByOne(script string, words ...string) func(*conform.Setup) []string {
	var b strings.Builder
	for i, w := range words {
		fmt.Fprintf(&b, script+"\n", w, i)
	}
	return conform.Text(b.String())
}

// bySize returns one connection that plays a script for each of some lengths, which replaces %[1]d; %[2]s is that many
// zero octets, and %[3]d a different number each time.
func bySize(script string, sizes ...int) func(*conform.Setup) []string {
	var b strings.Builder
	for i, n := range sizes {
		fmt.Fprintf(&b, script+"\n", n, zeros(n), i)
	}
	return conform.Text(b.String())
}

func zeros(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("00*%d", n)
}

// pattern returns octets of a region in which octet i is i mod 251.
func pattern(from, n int) string {
	const period = 251
	b := make([]byte, n)
	for i := range b {
		b[i] = byte((from + i) % period)
	}
	return fmt.Sprintf("%x", b)
}
