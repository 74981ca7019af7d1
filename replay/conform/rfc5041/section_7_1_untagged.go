package rfc5041

// What a sink verifies of untagged segments: QN, MSN and buffer, MO, length.

import (
	"fmt"
	"strings"

	"github.com/iwarpkit/iwarp/replay/conform"
)

var untaggedErrors = func() []conform.Case {
	return []conform.Case{
		{Name: "qn-undefined", Requirements: []string{"DDP-7.1-1", "DDP-7.1-13", "DDP-7.2-1", "V-284"},
			Says: "A segment for a queue that there is not is refused.",
			Ask: conform.Each(greeting+`
				> Segment Send QN=%s MSN=1 {echo "to nobody"}
				< refuses qn-undefined`, "4", "5", "256", "65536", "0x01000000", "0x80000000", "0xffffffff")},
		{Name: "qn-of-others", Requirements: []string{"DDP-7.1-1", "DDP-7.1-13", "V-284"},
			Says: "A message for a queue that is for other messages is refused.",
			Ask: conform.Each(greeting+`
				> Segment Send QN=%d MSN=1 {echo "0123456789abcdef01234567"}
				< refuses qn-opcode`, 1, 2)},
		{Name: "qn-of-read-request", Requirements: []string{"DDP-7.1-1", "DDP-7.1-13"},
			Says: "A Read Request for another queue than its own is refused.",
			Ask: greeted(`
				> Segment ReadRequest QN=0 MSN=2 SinkSTag=0x1000 SinkTO=0 RDMARDSZ=4 SrcSTag=$readonly SrcTO=$readonly_to
				< refuses qn-opcode`, `
				> Segment ReadRequest QN=2 MSN=1 SinkSTag=0x1000 SinkTO=0 RDMARDSZ=4 SrcSTag=$readonly SrcTO=$readonly_to
				< refuses qn-opcode`, `
				> Segment ReadRequest QN=9 MSN=1 SinkSTag=0x1000 SinkTO=0 RDMARDSZ=4 SrcSTag=$readonly SrcTO=$readonly_to
				< refuses qn-undefined`)},
		{Name: "qn-first", Requirements: []string{"DDP-7.1-1"},
			Says: "The first segment of a connection is refused if its QN is wrong, like any other.",
			Ask: conform.Text(`
				> Segment Send QN=9 {echo "to nobody"}
				< refuses qn-undefined`)},
		{Name: "no-buffer", Requirements: []string{"DDP-7.1-2", "DDP-7.1-6", "DDP-7.1-13", "DDP-7.2-1", "V-234"},
			Says: "All receive buffers can be used, and a message for which none is left is refused.",
			Ask: noBuffer(`
				> Segment Send {echo "one too many"}
				< refuses send-no-buffer`)},
		{Name: "no-buffer-for-segments", Requirements: []string{"DDP-7.1-2", "DDP-7.1-13"},
			Says: "A message for which no receive buffer is left is refused with its first segment.",
			Ask: noBuffer(`
				> Segment Send L=0 {echo "one too many"}
				< refuses send-no-buffer`)},
		{Name: "no-buffer-for-se", Requirements: []string{"DDP-7.1-2", "DDP-7.1-13"},
			Says: "A Send with Solicited Event for which no receive buffer is left is refused too.",
			Ask: noBuffer(`
				> Segment SendSE {echo "one too many"}
				< refuses send-no-buffer`)},
		{Name: "no-buffer-for-writes", Requirements: []string{"DDP-7.1-2", "V-237"},
			Says: "RDMA Writes and Reads need no receive buffer.",
			Ask: noBuffer(`
				> Write STag=$data TO=$data_to "written"
				> Write STag=$data TO=$data_to+7 " again"
				> [read] ReadRequest SinkSTag=0x1000 RDMARDSZ=13 SrcSTag=$data SrcTO=$data_to
				< ReadResponse to [read] "written again"
				> FIN
				< OneOf
				or FIN
				may "it resets a connection on which all is done" Reset`)},
		{Name: "msn-stale", Requirements: []string{"DDP-7.1-5", "DDP-7.1-13", "DDP-7.2-1", "V-288"},
			Says: "An MSN before that of the first available buffer is refused.",
			Ask: conform.Each(greeting+`
				> Send {echo "2"}
				< Send {echo "2"}
				> [bad] Segment Send MSN=%s {echo "3"}
				< refuses send-msn to [bad]`, "0", "1", "2", "0x80000003", "0x80000004", "0xffffffff")},
		{Name: "msn-ahead", Requirements: []string{"DDP-7.1-5", "DDP-7.1-13", "DDP-7.2-1", "V-288"},
			Says: "An MSN beyond that of the last available buffer is refused.",
			Ask:  msnAhead},
		{Name: "read-msn-ahead", Requirements: []string{"DDP-7.1-5", "V-287"},
			Says: "The MSN of a Read Request that is out of range is refused.",
			Ask: conform.Each(greeting+`
				> Segment ReadRequest MSN=%s SinkSTag=0x1000 SinkTO=0 RDMARDSZ=4 SrcSTag=$readonly SrcTO=$readonly_to
				< refuses read-msn`, "0x7fffffff", "0x80000000", "0x80000001")},
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

// otherSends returns Sends of the other kinds, each with a QN, an MSN and an MO that is wrong.
func otherSends(*conform.Setup) (scripts []string) {
	for _, send := range []string{
		"SendSE", "SendInvalidate InvalidateSTag=$volatile", "SendSEInvalidate InvalidateSTag=$volatile",
	} {
		for _, wrong := range []struct{ field, situation string }{
			{"QN=1", "qn-opcode"}, {"QN=256", "qn-undefined"}, {"MSN=1", "send-msn"}, {"MSN=3", "send-msn"},
			{"MO=0xffffff00", "mo"},
		} {
			scripts = append(scripts, greeting+fmt.Sprintf(`
				> Segment %s %s {echo "0123456789abcdef01234567"}
				< refuses %s`, send, wrong.field, wrong.situation))
		}
	}
	return scripts
}

// usedUp returns what stands before a message for which no Receive is left: the last one that has one is answered, so that
// it is known that all were there. It is empty for a peer with more Receives than can be tried.
func usedUp(setup *conform.Setup) string {
	n := int(setup.Peer.Offer.Receives)
	if n < 2 || n > 1<<12 {
		return ""
	}
	return "> Send {hold!}\n< Send {done hold}\n" + strings.Repeat("> Send {quiet}\n", n-1) + `
		> Send {echo "the last"}
		< Send {echo "the last"}
	`
}

// noBuffer returns the Ask of a case with something after all Receives.
func noBuffer(script string) func(*conform.Setup) []string {
	return func(setup *conform.Setup) []string {
		before := usedUp(setup)
		if before == "" {
			return nil
		}
		return []string{before + script}
	}
}

// msnAhead returns MSNs beyond that of the last available buffer, which is as many messages ahead as there are Receives.
func msnAhead(setup *conform.Setup) []string {
	next := uint64(setup.Peer.Offer.Receives) + 2 // behind a greeting
	var scripts []string
	for _, msn := range []uint64{next, next + 1, 1 << 16, 1<<31 - 1, 1 << 31, 1<<31 + 1} {
		scripts = append(scripts, greeting+fmt.Sprintf(`
			> Segment Send MSN=%d {echo "too early"}
			< refuses send-msn`, msn))
	}
	return scripts
}

// moOutside returns MOs of first segments at the end of the receive buffer and beyond.
func moOutside(setup *conform.Setup) []string {
	size := uint64(setup.Peer.Offer.ReceiveSize)
	var scripts []string
	for _, mo := range []uint64{size, size + 1, 1 << 31, 1<<32 - 2} {
		scripts = append(scripts, greeting+fmt.Sprintf(`
			> Segment Send MO=%d "a"
			< refuses mo`, mo))
	}
	return scripts
}

// tooLong returns messages longer than a Receive: by one octet or many, in one segment or several.
func tooLong(setup *conform.Setup) []string {
	n := int(setup.Peer.Offer.ReceiveSize)
	if n < 8 || n > 30000 {
		return nil
	}
	var scripts []string
	for _, script := range []string{
		fmt.Sprintf("> [bad] Segment Send 00*%d", n+1),
		fmt.Sprintf("> [bad] Segment Send 00*%d", 2*n),
		fmt.Sprintf("> [bad] Segment Send L=0 00*%d", n+1),
		fmt.Sprintf("> Segment Send L=0 00*%d\n> [bad] Segment Send 00", n),
		fmt.Sprintf("> Segment Send L=0 00*%d\n> [bad] Segment Send 00*8", n-4),
		fmt.Sprintf("> Segment Send L=0 00*%d\n> [bad] Segment Send L=0 00*8", n-4),
	} {
		scripts = append(scripts, greeting+script+"\n< refuses send-too-long to [bad]")
	}
	return scripts
}
