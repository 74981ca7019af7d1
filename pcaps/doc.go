// Package pcaps reads and writes capture files: pcap, pcapng, and either of them compressed with gzip.
//
//	capture, err := pcaps.Open("a.pcap", "b.pcapng.gz") // "-" is standard input
//	var rec pcaps.Record
//	for capture.Next(&rec) == nil {
//		// rec.Data holds the captured octets until the next call of Next
//	}
//
// [NewReader] reads one file from any [io.Reader], and [Follow] keeps up with a file that is still being written.
// [FromGopacket] makes a [Record] of what gopacket has read. [NewPcapWriter] and [NewPcapngWriter] write packets;
// [NewStreamWriter] makes up the packets around the octets of connections that were not captured. [OpenCopy] copies a
// capture and adds comments to its packets.
//
// The formats are those of draft-ietf-opsawg-pcap and draft-ietf-opsawg-pcapng: either byte order; microseconds and
// nanoseconds; several sections and interfaces, each with its own time resolution; Enhanced, Simple and the obsolete
// Packet Blocks; comments of packets. The first octets tell the format, never the name of the file.
//
// A reader owns one buffer of 1 MiB. A packet costs no allocation unless it has comments, and no length that a file
// states makes the reader allocate.
//
// A capture that was cut or overwritten yields every packet before the damage, then an [*Error] with the file, frame
// and offset. It wraps [io.ErrUnexpectedEOF] if the file ends too early, and [ErrDamaged] if it contradicts itself or
// the format.
package pcaps
