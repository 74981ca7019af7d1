package peers

import (
	"github.com/iwarpkit/iwarp/codec/rpcrules"
	"github.com/iwarpkit/iwarp/codec/rules"
)

func init() { addUpper(&LinuxNFSServer) }

// LinuxNFSServer is the Linux NFS server, as seen in captures of Linux 6.1.
var LinuxNFSServer = rules.Peer{
	Name:  "linux-nfs-server",
	Title: "the Linux NFS server",
	Deviations: []rules.Deviation{
		{Why: "the Linux NFS server on siw uses Send with Invalidate although it leaves R clear",
			Rules: breaks{rpcrules.Unannounced}},
	},
	Remarks: []rules.Remark{
		{About: about{"unanswered-upper"}, Notes: []string{"depends on the daemons nfsd and rpc.mountd"}},
		{About: about{"AUTH_BADCRED"}, Notes: []string{"says so to each host that none of its exports admits"}},
	},
	Private: rules.Signature{Reply: true, Len: 8, Octets: []byte{0xf6, 0xab, 0x0e, 0x18, 1, 0}}, // R is clear
}
