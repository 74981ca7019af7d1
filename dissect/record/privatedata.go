package record

import "github.com/iwarpkit/iwarp/codec/field"

// Private is Private Data of an upper layer, in an MPA frame, in a form that is known.
type Private struct {
	ULP          string     // whose it is: "RPC-over-RDMA", "SMB Direct"
	Part         field.Part // its fields; Off counts from the beginning of the Private Data of the MPA frame
	LittleEndian bool       // its octets are in the order of the sender's host; those of Part are in the right one
}
