package peers

import (
	"github.com/iwarpkit/iwarp/codec/rpcrules"
	"github.com/iwarpkit/iwarp/codec/rules"
)

func init() { addUpper(&LinuxNFSServer) }

// LinuxNFSServer is the NFS server of Linux, as seen in captures of Linux 6.1.
var LinuxNFSServer = rules.Peer{
	Name:  "linux-nfs-server",
	Title: "the NFS server of Linux",
	Habits: []rules.Habit{
		{Why: "the NFS server of Linux on siw uses Send with Invalidate although it leaves R clear",
			Rules: breaks{rpcrules.Unannounced}},
	},
	Private: rules.Signature{Reply: true, Len: 8, Octets: []byte{0xf6, 0xab, 0x0e, 0x18, 1, 0}}, // R is clear
}
