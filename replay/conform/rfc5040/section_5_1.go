package rfc5040

// RDMA Writes, ours and the peer's.

import (
	"github.com/iwarpkit/iwarp/replay/conform"
	"github.com/iwarpkit/iwarp/replay/conform/internal/parts"
)

var section51 = about("5.1", "RDMA Write", func() []conform.Case {
	return []conform.Case{
		{Name: "part-of-a-buffer", Requirements: []string{"RDMAP-5.1-4", "RDMAP-3.2-3", "RDMAP-8.1.1-3", "V-294"},
			Says: "A Write may cover any part of a buffer: the first octet, the last one, or octets in between.",
			Ask: oneByOne(`
				> Write STag=$data TO=$data_to+%[1]s "ab"
				> [r%[2]d] ReadRequest SinkSTag=0x1000 RDMARDSZ=4 SrcSTag=$data SrcTO=$data_to+%[1]s
				< ReadResponse to [r%[2]d] "ab" 00*2`, "0", "5", "1023", "32767", "65532")},
		{Name: "whole-buffer", Requirements: []string{"RDMAP-5.1-4", "RDMAP-5.2.1-10", "V-294"},
			Says: "A Write may cover a whole buffer.",
			Ask: conform.Text(`
				> Write STag=$data TO=$data_to 5a*65536
				> reads 65536 $data 5a*65536`)},
		{Name: "last-octet", Requirements: []string{"RDMAP-5.1-4", "RDMAP-8.1.1-3", "V-294"},
			Says: "A Write may end with the last octet of a buffer.",
			Ask: conform.Text(`
				> Write STag=$data TO=$data_to+65535 "z"
				> Write STag=$writeonly TO=$writeonly_to+4095 "z"
				> Write STag=$writeonly TO=$writeonly_to+4000 5a*96
				> reads 2 $data+65534 00 "z"`)},
		{Name: "in-segments", Requirements: []string{"RDMAP-3.1-3", "RDMAP-5.1-7", "RDMAP-7.2-1"},
			Says: "A Write may have segments of any length, and is one message.",
			Ask: conform.Text(`
				> Segment Write L=0 STag=$data TO=$data_to+3 "a"
				> Segment Write L=0 "bc"
				> Segment Write L=0 "defghijklm"
				> Segment Write "n"
				> reads 18 $data+2 00 "abcdefghijklmn" 00*3`)},
		{Name: "not-delivered", Requirements: []string{"RDMAP-5.1-2", "RDMAP-3.2-3", "V-237"},
			Says: "A Write consumes no receive buffer, and is not reported to the ULP.",
			Ask: conform.Text(`
				> Write STag=$data TO=$data_to "a"
				> Write STag=$data TO=$data_to+1 "b"
				> Write STag=$data TO=$data_to
				> Send {report}
				< Send 00000000 ?*16`)},
		{Name: "signalled-by-a-send", Requirements: []string{"RDMAP-5.1-6", "RDMAP-5.5-10"},
			Says: "A Send after Writes shows that they are placed.",
			Ask: conform.Text(`
				> Write STag=$data TO=$data_to "first, "
				> Write STag=$data TO=$data_to+7 "then"
				> Send {send 0 1 11 0 0}
				< Send "first, then"`)},
		{Name: "no-octets", Requirements: []string{"RDMAP-5.1-8", "V-200"},
			Says: "A Write of zero octets is legal, and changes nothing.",
			Ask: conform.Text(`
				> Write STag=$data TO=$data_to "kept"
				> Write STag=$data TO=$data_to
				> reads 4 $data "kept"`)},
		{Name: "no-octets-to-nowhere", Requirements: []string{"RDMAP-5.1-8", "V-200"},
			Says: "STag and TO of a Write of zero octets are not checked.",
			Ask: oneByOne(`
				> Write STag=%[1]s
				> echoes "%[2]d"`, "0 TO=0", "0xdeadbeef TO=0xdeadbeef", "0xffffffff TO=0xffffffffffffffff",
				"$revoked TO=$revoked_to", "$foreign TO=$foreign_to", "$local TO=$local_to", "$readonly TO=$readonly_to",
				"$data TO=$data_to+65536", "$data TO=$data_to-1", "$data TO=0xffffffffffffffff")},

		{Name: "stag-not-valid", Requirements: []string{"RDMAP-5.1-3", "RDMAP-3.2-3", "RDMAP-7.1-3", "V-161", "V-286"},
			Says: "A Write to an STag that is not valid is refused.",
			Ask: conform.Each(parts.Refused("", "write-stag", `Write STag=%s "abcd"`),
				"$revoked TO=$revoked_to", "$revoked TO=0", "0xdeadbeef TO=0x1000", "0xffffffff TO=0xffff")},
		{Name: "stag-0", Requirements: []string{"RDMAP-5.1-3", "V-155", "V-286"},
			Says: "A Write to STag 0, which advertises no buffer, is refused.",
			Ask:  conform.Each(parts.Refused("", "write-stag", `Write STag=0 TO=%s "abcd"`), "0", "$data_to", "0xfffffff0")},
		{Name: "key-not-valid", Requirements: []string{"RDMAP-5.1-3", "RDMAP-7.2-1", "V-183", "V-286"},
			Says: "A Write to an STag with one flipped bit in its key is refused.",
			Ask: conform.Each(parts.Refused("", "write-stag", `Write STag=$data+%s TO=$data_to "abcd"`),
				"1", "2", "4", "8", "16", "32", "64", "128")},
		{Name: "no-right-to-write", Requirements: []string{"RDMAP-5.1-3", "RDMAP-3.2-3", "V-188", "V-191", "V-241"},
			Says: "A Write to a buffer that was not enabled for remote writes is refused.",
			Ask: conform.Each(parts.Refused("", "write-access", `Write STag=%s "abcd"`),
				"$readonly TO=$readonly_to", "$local TO=$local_to")},
		{Name: "no-right-in-a-later-segment", Requirements: []string{"RDMAP-5.1-3", "RDMAP-7.1-3"},
			Says: "A Write is refused at its second segment if that is beyond the buffer, even if the first one was not.",
			Ask: conform.Text(`
				> Segment Write L=0 STag=$data TO=$data_to+65532 "abcd"
				> Segment Write "e"
				< refuses write-bounds`)},

		{Name: "writes-of-the-peer", Requirements: []string{"RDMAP-5.1-1", "RDMAP-5.1-4", "RDMAP-1.2-1", "V-249"},
			Says: "The peer's Write has the STag, TO and octets that its ULP gives.",
			Ask: conform.Text(`
				> Write STag=$data TO=$data_to+100 "written"
				> Send {write! 7 100 0x1000 0x2000}
				< Write STag=0x1000 TO=0x2000 "written"
				< Send {done write}`)},
		{Name: "sizes-of-the-peers-writes", Requirements: []string{"RDMAP-5.1-1", "RDMAP-5.1-7", "RDMAP-3.1-3", "V-127"},
			Says: "The peer's Write is one message of the length that its ULP gives, whatever number of segments it takes.",
			Ask: bySize(`
				> Send {write! %[1]d 0 0x1000 0x2000}
				< Write STag=0x1000 TO=0x2000 %[2]s
				< Send {done write}`, 0, 1, 2, 3, 4, 5, 1433, 1434, 1446, 1447, 1448, 1449, 4096, 8192, 65535, 65536)},
		{Name: "places-of-the-peers-writes", Requirements: []string{"RDMAP-5.1-4", "RDMAP-4.1-6"},
			Says: "STag and TO of the peer's Write may have any value.",
			Ask: conform.Text(`
				> Send {write! 4 0 0xffffffff 0}
				< Write STag=0xffffffff TO=0 00*4
				< Send {done write}
				> Send {write! 4 0 1 0x7fffffffffffffff}
				< Write STag=1 TO=0x7fffffffffffffff 00*4
				< Send {done write}
				> Send {write! 4096 0 0x80000000 0xfffff801}
				< Write STag=0x80000000 TO=0xfffff801 00*4096
				< Send {done write}`)},
		{Name: "order-of-the-peers-writes", Requirements: []string{"RDMAP-5.1-5", "RDMAP-5.5-13", "V-249"},
			Says: "The peer sends Writes in the order in which its ULP posts them.",
			Ask: conform.Text(`
				> Send {writes! 5 1000 0 0x1000 0x2000}
				< Write STag=0x1000 TO=0x2000 00*1000
				< Write STag=0x1000 TO=0x23e8 00*1000
				< Write STag=0x1000 TO=0x27d0 00*1000
				< Write STag=0x1000 TO=0x2bb8 00*1000
				< Write STag=0x1000 TO=0x2fa0 00*1000
				< Send {done write}`)},
	}
})
