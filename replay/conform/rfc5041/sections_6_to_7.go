package rfc5041

// Sections 6.2 and 7.1: the end of a stream, and the checks of a sink.

import (
	"fmt"
	"slices"
	"strings"

	"github.com/iwarpkit/iwarp/replay/conform"
	"github.com/iwarpkit/iwarp/replay/conform/internal/parts"
)

var section621 = about("6.2.1", "graceful teardown", func() []conform.Case {
	return []conform.Case{
		{Name: "all-sent-before", Requirements: []string{"DDP-6.2.1-1", "V-102"},
			Says: "When the upper layer closes a connection, all earlier messages arrive before its end.",
			Ask: conform.Text(`
				> Write STag=$data TO=$data_to "a"*65536
				> Send {write 65536 0 0x1000 0x20000}
				> Send {send 0 1 65536 0 0}
				> Send {close}
				< Write STag=0x1000 TO=0x20000 "a"*65536
				< Send "a"*65536
				< FIN
				> FIN`)},
		{Name: "closed-idle", Requirements: []string{"DDP-6.2.1-5", "V-071", "V-105"},
			Says: "An idle connection that is closed ends gracefully, without a Terminate.",
			Ask: conform.Text(`
				> echoes "all is done"
				> FIN
				< FIN`)},
		{Name: "closed-behind-write", Requirements: []string{"DDP-6.2.1-5", "V-071"},
			Says: "A connection that is closed after a Write ends gracefully.",
			Ask: conform.Text(greeting + `
				> Write STag=$data TO=$data_to "a"*65536
				> FIN
				< FIN`)},
		{Name: "closed-within-message", Requirements: []string{"DDP-6.2.1-1"},
			Says: "A connection that is closed within a message ends.",
			Ask: conform.Text(greeting + `
				> Segment Send L=0 {echo "so far"}
				> FIN
				< OneOf
				or FIN
				or Reset
				or Terminate`)},
	}
})

var section622 = about("6.2.2", "abortive teardown", func() []conform.Case {
	return []conform.Case{
		{Name: "terminate-comes",
			Requirements: []string{"DDP-6.2.2-1", "DDP-6.2.2-2", "DDP-7.1-15", "V-076", "V-083", "V-084"},
			Says:         "After a fatal error the upper layer may still send one message: the Terminate.",
			Ask: conform.Text(parts.Refused(greeting, "write-stag",
				`Segment Write STag=$data+1 TO=$data_to "to an STag that there is not"`))},
		{Name: "work-outstanding", Requirements: []string{"DDP-6.2.2-2", "V-082"},
			Says: "A fatal error ends a stream with outstanding work, too.",
			Ask: conform.Text(`
				> Send {reads! 2 100 0 0x2000 0x30000}
				< ReadRequest RDMARDSZ=100 SrcSTag=0x2000 SrcTO=0x30000
				< ReadRequest RDMARDSZ=100 SrcSTag=0x2000 SrcTO=0x30064
				> [bad] Segment Send MSN=0x80000009 {echo "too early"}
				< refuses send-msn to [bad]`)},
		{Name: "message-in-progress", Requirements: []string{"DDP-6.2.2-2"},
			Says: "A fatal error ends a stream within a message, too.",
			Ask: greeted(`
				> Segment Send L=0 {echo "so far "}
				> [bad] Segment Write STag=$data+1 TO=$data_to "to an STag that there is not"
				< refuses write-stag to [bad]`)},
		{Name: "lost", Requirements: []string{"DDP-6.2.2-1", "V-080"},
			Says: "A reset does not affect other connections.",
			Ask: conform.Texts(greeting+"> Reset", `
				> Segment Send L=0 {echo "so far "}
				> Reset`, `
				> Send {read 100 0 0x2000 0x30000}
				< ReadRequest RDMARDSZ=100 SrcSTag=0x2000 SrcTO=0x30000
				> Reset`)},
		{Name: "aborted", Requirements: []string{"V-079"},
			Says: "A connection that the upper layer aborts is reset, without a Terminate.",
			Ask: conform.Text(greeting + `
				> Send {abort}
				< OneOf
				or Reset
				may "an abort that closes the connection ends it as well" FIN
				> FIN`)},
	}
})

var section71 = about("7.1", "errors that the sink detects", func() []conform.Case {
	return slices.Concat(untaggedErrors(), taggedErrors(), afterErrors())
})

// The highest TOs.
const (
	lastTO   = "0xffffffffffffffff"
	secondTO = "0xfffffffffffffffe" // second from the end
)

var taggedErrors = func() []conform.Case {
	return []conform.Case{
		{Name: "stag-of-another-pd",
			Requirements: []string{"DDP-7.1-7", "DDP-7.1-13", "DDP-7.2-1", "DDP-4.2-5", "V-019", "V-286"},
			Says:         "A Write to a buffer that is not associated with the stream is refused.",
			Ask: conform.Text(parts.Refused(greeting, "write-association",
				`Segment Write STag=$foreign TO=$foreign_to "to another Protection Domain"`))},
		{Name: "stag-unknown", Requirements: []string{"DDP-7.1-8", "DDP-7.1-13", "DDP-7.2-1", "DDP-4.2-5", "V-161", "V-286"},
			Says: "A Write to an STag that does not exist is refused.",
			Ask: conform.Each(parts.Refused(greeting, "write-stag", `Segment Write STag=%s TO=$data_to "to nowhere"`),
				"0x00000001", "0xffffffff", "0x7fffff00")},
		{Name: "stag-zero", Requirements: []string{"DDP-7.1-8", "V-155"},
			Says: "A Write to STag 0 is refused.",
			Ask: conform.Each(parts.Refused(greeting, "write-stag", "%s"),
				`Segment Write STag=0 TO=0 "to STag 0"`, `Segment Write STag=0 TO=$data_to "to STag 0"`)},
		{Name: "stag-bits", Requirements: []string{"DDP-7.1-8", "DDP-4.2-5", "V-150", "V-183"},
			Says: "All 32 bits of an STag count: a Write with another key or index is refused.",
			Ask:  otherBits},
		{Name: "stag-revoked", Requirements: []string{"DDP-7.1-8", "DDP-4.2-5", "V-205", "V-209", "V-286"},
			Says: "A Write to a deregistered buffer is refused.",
			Ask:  conform.Text(parts.Refused(greeting, "write-stag", `Segment Write STag=$revoked TO=$revoked_to "too late"`))},
		{Name: "stag-without-right", Requirements: []string{"DDP-7.1-8", "V-188", "V-199"},
			Says: "A Write to a buffer without remote write access is refused.",
			Ask: conform.Each(parts.Refused(greeting, "write-access", "%s"),
				`Segment Write STag=$readonly TO=$readonly_to "a"`, `Segment Write STag=$local TO=$local_to "a"`)},
		{Name: "to-outside", Requirements: []string{"DDP-7.1-9", "DDP-7.1-13", "DDP-7.2-1", "V-286", "V-294"},
			Says: "A Write whose TO is not within the buffer is refused.",
			Ask: conform.Each(parts.Refused(greeting, "write-bounds", `Segment Write STag=$data TO=%s "a"`),
				"$data_to+65536", "$data_to+65537", "$data_to+131072", "$data_to+0x8000000000000000", parts.Before("data", 1),
				parts.Before("data", 65536))},
		{Name: "to-end-outside", Requirements: []string{"DDP-7.1-10", "DDP-7.1-13", "DDP-7.2-1", "V-286", "V-294"},
			Says: "A Write that ends beyond its buffer is refused.",
			Ask: greeted(`
				> Segment Write STag=$data TO=$data_to+65535 "ab"
				< refuses write-bounds`, `
				> Segment Write STag=$data TO=$data_to+1 00*50000
				> [bad] Segment Write STag=$data TO=$data_to+50001 00*15536
				< refuses write-bounds to [bad]`, `
				> Segment Write STag=$writeonly TO=$writeonly_to 00*4097
				< refuses write-bounds`)},
		{Name: "to-begin-outside", Requirements: []string{"DDP-7.1-9", "V-294"},
			Says: "A Write that begins before its buffer is refused, even if it ends within.",
			Ask: conform.Each(parts.Refused(greeting, "write-bounds", `Segment Write STag=$data TO=%s "abcd"`),
				parts.Before("data", 1), parts.Before("data", 3), parts.Before("data", 4))},
		{Name: "later-segment-outside", Requirements: []string{"DDP-7.1-10", "DDP-7.1-13"},
			Says: "Each segment of a Write is verified, not only the first one.",
			Ask: greeted(`
				> Segment Write L=0 STag=$data TO=$data_to+65532 "abcd"
				> [bad] Segment Write "e"
				< refuses write-bounds to [bad]`, `
				> Segment Write L=0 STag=$data TO=$data_to+65530 "abcd"
				> [bad] Segment Write L=0 "efg"
				< refuses write-bounds to [bad]`)},
		{Name: "to-wraps", Requirements: []string{"DDP-7.1-11", "DDP-7.1-13", "DDP-7.2-1", "V-213", "V-286"},
			Says: "A Write whose TO and length exceed 64 bits is refused.",
			Ask: conform.Each(parts.Refused(greeting, "write-wrap", `Segment Write STag=$data %s`),
				"TO="+lastTO+` "ab"`, "TO="+secondTO+` "abcdef"`, "TO=0xfffffffffffff000 00*4097")},
		{Name: "to-ends-at-2-64", Requirements: []string{"DDP-7.1-11"},
			Says: "A Write up to the very last TO is refused: the sum of its TO and length wraps to 0.",
			Ask: conform.Each(parts.Refused(greeting, "write-wrap", `Segment Write STag=$data TO=%s`),
				lastTO+` "a"`, secondTO+` "ab"`)},
		{Name: "stag-before-bounds", Requirements: []string{"DDP-7.1-7", "DDP-7.1-8"},
			Says: "A Write outside of a buffer without write access is refused because of its STag.",
			Ask: greeted(`
				> Segment Write STag=$revoked TO=$revoked_to+4096 "a"
				< refuses write-stag`, `
				> [odd] Segment Write STag=$foreign TO=$foreign_to+4096 "a"`+
				either("write-association", "Refusal write-bounds to [odd]"))},
	}
}

// otherBits returns Writes to STags in which one of the 32 bits is flipped: those of the key, then those of the index.
func otherBits(s *conform.Setup) (scripts []string) {
	v := s.Peer.Version()
	for bit := range 32 {
		scripts = append(scripts, greeting+fmt.Sprintf(`
			> Segment %02x%02x $data+%d:be32 $data_to:be64 "a"
			< refuses write-stag`, 0xc0|v, v<<6, uint64(1)<<bit))
	}
	return scripts
}

var untaggedErrors = func() []conform.Case {
	return []conform.Case{
		{Name: "qn-undefined", Requirements: []string{"DDP-7.1-1", "DDP-7.1-13", "DDP-7.2-1", "V-284"},
			Says: "A segment for a queue that does not exist is refused.",
			Ask: conform.Each(parts.Refused(greeting, "qn-undefined", `Segment Send QN=%s MSN=1 {echo "to nobody"}`),
				"4", "5", "256", "65536", "0x01000000", "0x80000000", "0xffffffff")},
		{Name: "qn-of-others", Requirements: []string{"DDP-7.1-1", "DDP-7.1-13", "V-284"},
			Says: "A message in a queue for other messages is refused.",
			Ask: conform.Each(parts.Refused(greeting, "qn-opcode",
				`Segment Send QN=%d MSN=1 {echo "0123456789abcdef01234567"}`), 1, 2)},
		{Name: "qn-of-read-request", Requirements: []string{"DDP-7.1-1", "DDP-7.1-13"},
			Says: "A Read Request in another queue than its own is refused.",
			Ask: greeted(`
				> Segment ReadRequest QN=0 MSN=2 SinkSTag=0x1000 SinkTO=0 RDMARDSZ=4 SrcSTag=$readonly SrcTO=$readonly_to
				< refuses qn-opcode`, `
				> Segment ReadRequest QN=2 MSN=1 SinkSTag=0x1000 SinkTO=0 RDMARDSZ=4 SrcSTag=$readonly SrcTO=$readonly_to
				< refuses qn-opcode`, `
				> Segment ReadRequest QN=9 MSN=1 SinkSTag=0x1000 SinkTO=0 RDMARDSZ=4 SrcSTag=$readonly SrcTO=$readonly_to
				< refuses qn-undefined`)},
		{Name: "qn-first", Requirements: []string{"DDP-7.1-1"},
			Says: "The first segment of a connection is refused if its QN is wrong, like any other.",
			Ask:  conform.Text(parts.Refused("", "qn-undefined", `Segment Send QN=9 {echo "to nobody"}`))},
		{Name: "no-buffer", Requirements: []string{"DDP-7.1-2", "DDP-7.1-6", "DDP-7.1-13", "DDP-7.2-1", "V-234"},
			Says: "All receive buffers can be used; a message without one is refused.",
			Ask: noBuffer(`
				> Segment Send {echo "one too many"}
				< refuses send-no-buffer`)},
		{Name: "no-buffer-for-segments", Requirements: []string{"DDP-7.1-2", "DDP-7.1-13"},
			Says: "A message without a receive buffer is refused at its first segment.",
			Ask: noBuffer(`
				> Segment Send L=0 {echo "one too many"}
				< refuses send-no-buffer`)},
		{Name: "no-buffer-for-se", Requirements: []string{"DDP-7.1-2", "DDP-7.1-13"},
			Says: "A Send with Solicited Event without a receive buffer is refused, too.",
			Ask: noBuffer(`
				> Segment SendSE {echo "one too many"}
				< refuses send-no-buffer`)},
		{Name: "no-buffer-for-writes", Requirements: []string{"DDP-7.1-2", "V-237"},
			Says: "RDMA Writes and Reads need no receive buffer.",
			Ask: noBuffer(`
				> Write STag=$data TO=$data_to "written"
				> Write STag=$data TO=$data_to+7 " again"
				> reads 13 $data "written again"
				> FIN
				< OneOf
				or FIN
				may "it resets an idle connection" Reset`)},
		{Name: "msn-stale", Requirements: []string{"DDP-7.1-5", "DDP-7.1-13", "DDP-7.2-1", "V-288"},
			Says: "An MSN before that of the first available buffer is refused.",
			Ask: conform.Each(greeting+`
				> echoes "2"
				> [bad] Segment Send MSN=%s {echo "3"}
				< refuses send-msn to [bad]`, "0", "1", "2", "0x80000003", "0x80000004", "0xffffffff")},
		{Name: "msn-ahead", Requirements: []string{"DDP-7.1-5", "DDP-7.1-13", "DDP-7.2-1", "V-288"},
			Says: "An MSN beyond that of the last available buffer is refused.",
			Ask:  msnAhead},
		{Name: "read-msn-ahead", Requirements: []string{"DDP-7.1-5", "V-287"},
			Says: "The MSN of a Read Request that is out of range is refused.",
			Ask: conform.Each(parts.Refused(greeting, "read-msn",
				`Segment ReadRequest MSN=%s SinkSTag=0x1000 SinkTO=0 RDMARDSZ=4 SrcSTag=$readonly SrcTO=$readonly_to`),
				"0x7fffffff", "0x80000000", "0x80000001")},
		{Name: "mo-outside", Requirements: []string{"DDP-7.1-3", "DDP-7.1-13", "DDP-7.2-1"},
			Says: "A segment whose MO is not within the receive buffer is refused.",
			Ask:  moOutside},
		{Name: "mo-outside-later", Requirements: []string{"DDP-7.1-3"},
			Says: "A later segment of a message whose MO is not within the receive buffer is refused too.",
			Ask: conform.Each(greeting+`
				> Segment Send L=0 {echo "so far "}
				> [bad] Segment Send MO=%s "so good"
				< refuses mo to [bad]`, "0x80000000", "0xfffffff0", "0xffffffff")},
		{Name: "other-sends", Requirements: []string{"DDP-7.1-1", "DDP-7.1-3", "DDP-7.1-5"},
			Says: "Sends with Solicited Event and with Invalidate are verified like any other.",
			Ask:  otherSends},
		{Name: "too-long", Requirements: []string{"DDP-7.1-4", "DDP-7.1-13", "DDP-7.2-1", "V-235"},
			Says: "A message that is longer than its receive buffer is refused.",
			Ask:  tooLong},
	}
}

// otherSends returns Sends of the other kinds, each with a wrong QN, MSN or MO.
func otherSends(*conform.Setup) (scripts []string) {
	for _, send := range []string{
		"SendSE", "SendInvalidate InvalidateSTag=$volatile", "SendSEInvalidate InvalidateSTag=$volatile",
	} {
		for _, wrong := range []struct{ field, situation string }{
			{"QN=1", "qn-opcode"}, {"QN=256", "qn-undefined"}, {"MSN=1", "send-msn"}, {"MSN=0x80000003", "send-msn"},
			{"MO=0xffffff00", "mo"},
		} {
			scripts = append(scripts, greeting+fmt.Sprintf(`
				> Segment %s %s {echo "0123456789abcdef01234567"}
				< refuses %s`, send, wrong.field, wrong.situation))
		}
	}
	return scripts
}

// usedUp returns the lines before a message for which no Receive is left: the last message that has one is answered,
// which proves that all have arrived. It is empty for a peer with too many Receives to use up.
func usedUp(setup *conform.Setup) string {
	n := int(setup.Peer.Offer.Receives)
	if n < 2 || n > 1<<12 {
		return ""
	}
	return "> Send {hold!}\n< Send {done hold}\n" + strings.Repeat("> Send {quiet}\n", n-1) + `
		> echoes "the last"
	`
}

// noBuffer returns the Ask of a case with lines after all Receives are used up.
func noBuffer(script string) func(*conform.Setup) []string {
	return func(setup *conform.Setup) []string {
		before := usedUp(setup)
		if before == "" {
			return nil
		}
		return []string{before + script}
	}
}

// msnAhead returns MSNs beyond that of the last available buffer.
func msnAhead(setup *conform.Setup) []string {
	next := uint64(setup.Peer.Offer.Receives) + 2 // after a greeting
	return conform.Each(greeting+`
			> Segment Send MSN=%d {echo "too early"}
			< refuses send-msn`, next, next+1, 1<<16, 1<<31-1, 1<<31, 1<<31+1)(setup)
}

// moOutside returns MOs of first segments at the end of the receive buffer and beyond.
func moOutside(setup *conform.Setup) []string {
	size := uint64(setup.Peer.Offer.ReceiveSize)
	return conform.Each(greeting+`
			> Segment Send MO=%d "a"
			< refuses mo`, size, size+1, 1<<31, 1<<32-2)(setup)
}

// tooLong returns messages longer than a Receive: by one octet or many, in one segment or several.
func tooLong(setup *conform.Setup) []string {
	n := int(setup.Peer.Offer.ReceiveSize)
	if n < 8 || n > 30000 {
		return nil
	}
	return conform.Each(greeting+"%s\n< refuses send-too-long to [bad]",
		fmt.Sprintf("> [bad] Segment Send 00*%d", n+1),
		fmt.Sprintf("> [bad] Segment Send 00*%d", 2*n),
		fmt.Sprintf("> [bad] Segment Send L=0 00*%d", n+1),
		fmt.Sprintf("> Segment Send L=0 00*%d\n> [bad] Segment Send 00", n),
		fmt.Sprintf("> Segment Send L=0 00*%d\n> [bad] Segment Send 00*8", n-4),
		fmt.Sprintf("> Segment Send L=0 00*%d\n> [bad] Segment Send L=0 00*8", n-4))(setup)
}

var afterErrors = func() []conform.Case {
	return []conform.Case{
		{Name: "silent-behind-error", Requirements: []string{"DDP-7.1-14", "DDP-7.1-12", "V-082", "V-129"},
			Says: "Segments after a refused one are dropped, right or wrong, without a report.",
			Ask: greeted(`
				> [bad] Segment Send MSN=0x80000009 {echo "too early"}
				> Segment Send MSN=2 {echo "right"}
				< refuses send-msn to [bad]`, `
				> [bad] Segment Write STag=$data+1 TO=$data_to "to nowhere"
				> Send {echo "right"}
				< refuses write-stag to [bad]`, `
				> [bad] Segment Write STag=$data TO=$data_to+65536 "beyond the end"
				> Segment Write STag=$data+1 TO=$data_to "to nowhere"
				> Segment Send MSN=0x80000009 "too early"
				< refuses write-bounds to [bad]`)},
		{Name: "no-read-behind-error", Requirements: []string{"DDP-7.1-14", "V-082"},
			Says: "A Read Request after a refused segment is not answered.",
			Ask: greeted(`
				> [bad] Segment Write STag=$data TO=$data_to+65536 "beyond the end"
				> ReadRequest SinkSTag=0x1000 RDMARDSZ=4 SrcSTag=$readonly SrcTO=$readonly_to
				< refuses write-bounds to [bad]`)},
		{Name: "answers-before-error", Requirements: []string{"DDP-7.1-12", "V-127", "V-134"},
			Says: "Messages before a refused segment are delivered.",
			Ask: greeted(`
				> Send {echo "1"}
				> Send {echo "2"}
				< Send {echo "1"}
				< Send {echo "2"}
				> [bad] Segment Send MSN=0x80000009 {echo "too early"}
				< refuses send-msn to [bad]`)},
		{Name: "first-error", Requirements: []string{"DDP-7.1-12", "DDP-7.1-13", "V-134", "V-135"},
			Says: "The Terminate is about the first wrong segment, and has its header and length.",
			Ask: greeted(`
				> [bad] Segment Write STag=$data+1 TO=$data_to "to nowhere"
				> Segment Write STag=$data+2 TO=$data_to "to nowhere else"
				< refuses write-stag to [bad]`, `
				> [bad] Segment Send MSN=0x80000007 "early"
				> Segment Send MSN=0x80000008 "even earlier"
				< refuses send-msn to [bad]`)},
	}
}
