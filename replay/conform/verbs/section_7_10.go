package verbs

// Sections 6.3, 7.10 and 8.2.2: Shared Receive Queues, Memory Windows, and Work Requests that wait for others.

import (
	"fmt"
	"strings"

	"github.com/iwarpkit/iwarp/replay/conform"
)

var section63 = about("6.3", "Shared Receive Queues", func() []conform.Case {
	return conform.Alike(conform.Case{Need: conform.Shares}, []conform.Case{
		{Name: "send-queue", Requirements: []string{"V-111"},
			Says: "A QP with a Shared Receive Queue sends like any other, in each queue.",
			Ask:  conform.Text(strings.Repeat(everyQueue, 3))},
		{Name: "domain", Requirements: []string{"V-119"},
			Says: "Receives of a Shared Receive Queue name memory of its Protection Domain, not of the QP's.",
			Ask: func(s *conform.Setup) []string {
				n := int(s.Peer.Offer.ReceiveSize)
				return []string{fmt.Sprintf("> Send 5a*%d\n> Send {report}\n< Send %s", n, conform.Reported(1, 0, "", []byte(strings.Repeat("Z", n))))}
			}},
		{Name: "all-receives", Requirements: []string{"V-119"},
			Says: "Each Receive of a Shared Receive Queue takes a Send, one after the other, and one more Send is refused.",
			Ask: func(s *conform.Setup) []string {
				return []string{withoutReceives(s, "Send") + "> Send {quiet}\n< refuses send-no-buffer"}
			}},
	})
})

// The peer binds its window to 64 octets of data, from 16 on.
const (
	bound    = "> Send {bind! 6 0 64 16 $window}\n< Send {done bind}\n"
	writable = "> Send {bind! 4 0 64 16 $window}\n< Send {done bind}\n"
	readable = "> Send {bind! 2 0 64 16 $window}\n< Send {done bind}\n"
	unbound  = "> Send {invalidate! 0 $window}\n< Send {done invalidate}\n"
)

// refused returns a script for each of some messages, which the peer refuses as a situation demands.
func refused(before string, messages ...[2]string) func(*conform.Setup) []string {
	return conform.EachOf(func(m [2]string) string { return before + "> " + m[0] + "\n< refuses " + m[1] }, messages...)
}

// badBind makes the peer bind a region that it may not, or with rights that it may not give.
func badBind(flags, region int) string {
	return fmt.Sprintf("> Send {bind %d %d 64 16 $window}\n< refuses local", flags, region)
}

var section7102 = about("7.10.2", "binding Memory Windows", func() []conform.Case {
	return conform.Alike(conform.Case{Need: conform.Windows}, []conform.Case{
		{Name: "valid-when-bound", Requirements: []string{"V-220", "V-225"},
			Says: "A Memory Window is Invalid until it is bound; then the peer may use it.",
			Ask: conform.Texts("> Write STag=$window TO=$data_to+16 \"early\"\n< refuses write-stag", bound+`
				> Write STag=$window TO=$data_to+16 "in time"
				> [r] ReadRequest SinkSTag=0x1000 RDMARDSZ=7 SrcSTag=$window SrcTO=$data_to+16
				< ReadResponse to [r] "in time"
				> reads 7 $data+16 "in time"`)},
		{Name: "old-key", Requirements: []string{"V-220"}, Need: conform.Locals,
			Says: "A Bind gives the Window a new key; the one before it does not work.",
			Ask: refused(bound+unbound+`
				> Send {bind! 6 0 64 16 $window+1}
				< Send {done bind}
				> Write STag=$window+1 TO=$data_to+16 "new key"
				> Send {send 0 1 7 16 0}
				< Send "new key"
				`, [2]string{`Write STag=$window TO=$data_to+16 "old key"`, "write-stag"},
				[2]string{"ReadRequest SinkSTag=0x1000 RDMARDSZ=4 SrcSTag=$window SrcTO=$data_to+16", "read-stag"})},
		{Name: "local-region", Requirements: []string{"V-222", "V-225"},
			Says: "A Window gives rights that the STag of its region does not have.",
			Ask: conform.Text(`
				> Send {bind! 6 3 64 16 $window}
				< Send {done bind}
				> Write STag=$window TO=$local_to+16 "not so local"
				> [r] ReadRequest SinkSTag=0x1000 RDMARDSZ=12 SrcSTag=$window SrcTO=$local_to+16
				< ReadResponse to [r] "not so local"`)},
		{Name: "of-another-domain", Requirements: []string{"V-216", "V-224"},
			Says: "A Bind to a region of another Protection Domain ends the connection with a Terminate about no message.",
			Ask:  conform.Text(badBind(6, 4))},
		{Name: "without-rights", Requirements: []string{"V-224"},
			Says: "A Bind without rights ends the connection with a Terminate about no message.",
			Ask:  conform.Text(badBind(0, 0))},
		{Name: "bound-twice", Requirements: []string{"V-224"},
			Says: "A Bind of a Window that is bound ends the connection with a Terminate about no message.",
			Ask:  conform.Text(bound + badBind(6, 0))},
		{Name: "nothing-is-sent", Requirements: []string{"V-242"}, Need: conform.Locals,
			Says: "Binding and invalidating send no segment.",
			Ask:  conform.Text(strings.Repeat(bound+unbound, 4))},
		{Name: "in-the-order-of-posting", Requirements: []string{"V-258"}, Need: conform.Locals,
			Says: "A Bind and an invalidation have taken effect when a message arrives that was posted after them.",
			Ask: conform.Text(`
				> Send {bind 6 0 64 16 $window}
				> echoes "bound"
				> Write STag=$window TO=$data_to+16 "bound"
				> Send {send 0 1 5 16 0}
				< Send "bound"
				> Send {invalidate 0 $window}
				> echoes "invalid"
				> Write STag=$window TO=$data_to+16 "not bound"
				< refuses write-stag`)},
	})
})

var section7106 = about("7.10.6.2", "access by Memory Windows", func() []conform.Case {
	return conform.Alike(conform.Case{Need: conform.Windows}, []conform.Case{
		{Name: "bounds", Requirements: []string{"V-225"},
			Says: "A Window ends where its Bind says, and its region goes on.",
			Ask: refused(bound+`
				> Write STag=$window TO=$data_to+16 00*64
				> echoes "within"
				`, [2]string{"Write STag=$window TO=$data_to+80 00", "write-bounds"},
				[2]string{"Write STag=$window TO=$data_to+15 00", "write-bounds"},
				[2]string{"ReadRequest SinkSTag=0x1000 RDMARDSZ=65 SrcSTag=$window SrcTO=$data_to+16", "read-bounds"})},
		{Name: "rights", Requirements: []string{"V-225"},
			Says: "A Window has the rights of its Bind; those of its region do not count.",
			Ask: conform.Texts(readable+"> Write STag=$window TO=$data_to+16 00\n< refuses write-access",
				writable+"> ReadRequest SinkSTag=0x1000 RDMARDSZ=1 SrcSTag=$window SrcTO=$data_to+16\n< refuses read-access")},
		{Name: "another-stream", Requirements: []string{"V-020", "V-225", "DDP-8.2-2", "DDP-8.3.1-3", "RDMAP-8.1.1-2", "SEC-6.1.1-3"},
			Says: "A Window that is bound to another stream of the same Protection Domain is of no use here.",
			Ask: conform.Texts("> Write STag=$elsewhere TO=$elsewhere_to \"a\"\n< refuses write-association",
				"> ReadRequest SinkSTag=0x1000 RDMARDSZ=1 SrcSTag=$elsewhere SrcTO=$elsewhere_to\n< refuses read-association")},
	})
})

var section7104 = about("7.10.4", "invalidating Memory Windows", func() []conform.Case {
	return conform.Alike(conform.Case{Need: conform.Windows}, []conform.Case{
		{Name: "by-the-peer", Requirements: []string{"V-227"}, Need: conform.Locals,
			Says: "An invalidated Window cannot be used, and can be bound again.",
			Ask: conform.Text(bound + unbound + bound + unbound + `
				> Write STag=$window TO=$data_to+16 "gone"
				< refuses write-stag`)},
		{Name: "by-us", Requirements: []string{"V-227"},
			Says: "A Send with Invalidate makes a Window Invalid, and its region stays.",
			Ask: conform.Text(bound + `
				> SendInvalidate InvalidateSTag=$window {echo "gone"}
				< Send {echo "gone"}
				> Write STag=$data TO=$data_to+16 "still here"
				> Send {send 0 1 10 16 0}
				< Send "still here"
				> ReadRequest SinkSTag=0x1000 RDMARDSZ=1 SrcSTag=$window SrcTO=$data_to+16
				< refuses read-stag`)},
		{Name: "of-another-stream", Requirements: []string{"V-227"},
			Says: "A Window that is bound to another stream cannot be invalidated.",
			Ask: conform.EachOf(func(kind string) string {
				return "> " + kind + " InvalidateSTag=$elsewhere {quiet}\n< refuses invalidate-association"
			}, "SendInvalidate", "SendSEInvalidate")},
	})
})

var section8222 = about("8.2.2.2", "fences", func() []conform.Case {
	const reads = "> Send {read 4 0 0x1000 0x20000}\n"
	return []conform.Case{
		{Name: "read-fence-of-a-send", Requirements: []string{"V-259"}, Need: conform.Fences,
			Says: "A Send with a Read Fence waits for the Read before it: it has the octets that the Read brings.",
			Ask: conform.Text(reads + `
				> Send {send 8 1 4 0 0}
				< [r] ReadRequest RDMARDSZ=4 SrcSTag=0x1000 SrcTO=0x20000
				> reads 4 $readonly 00010203
				> ReadResponse to [r] "read"
				< Send "read"`)},
		{Name: "read-fence-of-a-write", Requirements: []string{"V-259"}, Need: conform.Fences,
			Says: "A Write with a Read Fence waits for the Read before it, and what is posted after it waits too.",
			Ask: conform.Text(reads + `
				> Send {fenced-write 4 0 0x1000 0x30000}
				> Send {echo "behind"}
				< [r] ReadRequest RDMARDSZ=4 SrcSTag=0x1000 SrcTO=0x20000
				> reads 4 $readonly 00010203
				> ReadResponse to [r] "read"
				< Write STag=0x1000 TO=0x30000 "read"
				< Send {echo "behind"}`)},
		{Name: "local-fence", Requirements: []string{"V-260"}, Need: conform.Fences | conform.Locals | conform.Volatile,
			Says: "An invalidation with a Local Fence waits for all earlier work: until then the STag is Valid.",
			Ask: conform.Text(reads + `
				> Send {invalidate! 8 $volatile}
				< [r] ReadRequest RDMARDSZ=4 SrcSTag=0x1000 SrcTO=0x20000
				> reads 4 $volatile 00010203
				> ReadResponse to [r] "read"
				< Send {done invalidate}
				> Write STag=$volatile TO=$volatile_to "gone"
				< refuses write-stag`)},
		{Name: "read-with-invalidate", Requirements: []string{"V-257"}, Need: conform.Locals | conform.Volatile,
			Says: "A Read that invalidates its sink does so once its Response is placed, and is complete after that.",
			Ask: conform.Text(`
				> Send {read-invalidate! 4 0 0x1000 0x20000}
				< [r] ReadRequest RDMARDSZ=4 SrcSTag=0x1000 SrcTO=0x20000
				> reads 4 $volatile 00010203
				> ReadResponse to [r] "read"
				< Send {done read}
				> ReadRequest SinkSTag=0x1000 RDMARDSZ=4 SrcSTag=$volatile SrcTO=$volatile_to
				< refuses read-stag`)},
	}
})
