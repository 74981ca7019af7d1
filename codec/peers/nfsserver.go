package peers

import (
	"github.com/iwarpkit/iwarp/codec/rpcrules"
	"github.com/iwarpkit/iwarp/codec/rules"
)

// LinuxNFSServer is the NFS server of Linux. Its habit was seen in captures.
var LinuxNFSServer = rules.Peer{
	Name:  "linux-nfs-server",
	Title: "the NFS server of Linux",
	Habits: []rules.Habit{
		{Why: "the NFS server beside siw in Linux uses Send with Invalidate although it leaves R clear",
			Rules: breaks{rpcrules.Unannounced}},
	},
}
