package peers

import "github.com/iwarpkit/iwarp/codec/rules"

func init() { addUpper(&LinuxNFSClient) }

// LinuxNFSClient is the Linux NFS client, as seen in captures of Linux 6.1.
var LinuxNFSClient = rules.Peer{
	Name:    "linux-nfs-client",
	Title:   "the Linux NFS client",
	Private: rules.Signature{Len: 8, Octets: []byte{0xf6, 0xab, 0x0e, 0x18, 1, 1}}, // R is set
}
