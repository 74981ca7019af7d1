package peers

import "github.com/iwarpkit/iwarp/codec/rules"

func init() { addUpper(&NVMeT) }

// NVMeT is nvmet, the Linux NVMe over RDMA target, as seen in captures of Linux 6.1.
var NVMeT = rules.Peer{
	Name:  "nvmet",
	Title: "nvmet, the Linux NVMe target",
	Remarks: []rules.Remark{
		{About: about{"Authentication Required", "AUTH_Failure1"}, Notes: []string{
			"has the secrets, the hash and the DH group of a host in dhchap_key, dhchap_ctrl_key, dhchap_hash and dhchap_dhgroup"}},
		{About: about{"Capacity Exceeded"}, Notes: []string{
			"also says so of blocks beyond the end of a file: compare them with the size of the namespace (nvme id-ns)"}},
		{About: about{"Internal Path Error"}, Notes: []string{"says so of a namespace that is disabled (enable in its configuration)"}},
		{About: about{"Command Size Limit Exceeded"}, Notes: []string{"says so of a command that it does not support"}},
		{About: about{"withdrawn"}, Notes: []string{"disables a namespace with enable in its configuration"}},
	},
	Private: rules.Signature{Reply: true, Len: 32, Octets: []byte{0, 0}}, // RECFMT
}
