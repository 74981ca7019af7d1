// Package pcaps reads and writes capture files: pcap, pcapng and gzip of either.
//
// [Open] takes the names of one or several files, "-" being standard input, and
// yields their packets as one [Capture]. [NewReader] reads one file from any
// [io.Reader]. [Follow] keeps up with a file that is still being written.
// [NewPcapWriter] and [NewPcapngWriter] write. [NewStreamWriter] writes octets of connections that were not captured, in
// packets that it makes up. [OpenCopy] writes a capture again, with
// comments on its packets.
//
// The formats are described in draft-ietf-opsawg-pcap (pcap) and
// draft-ietf-opsawg-pcapng (pcapng). Understood are both byte orders,
// microsecond and nanosecond pcap, pcapng files of several sections and
// interfaces with their own time resolution, Enhanced, Simple and the obsolete
// Packet Blocks, and the comments of packets. The format is recognised by the
// first octets, never by the name of the file.
//
// # Cost
//
// The reader owns one buffer of 1 MiB. [Record.Data] aliases it and is valid
// until the next call of Next. No packet costs an allocation, unless it carries
// comments. No length that a file states makes the reader allocate.
//
// # Damage
//
// A capture that was cut or overwritten yields every packet in front of the
// damage, then an [*Error] that says which file, frame and offset. It wraps
// [io.ErrUnexpectedEOF] where the file ends too early, [ErrDamaged] where it
// contradicts itself or the format.
package pcaps
