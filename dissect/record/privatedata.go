package record

import (
	"github.com/iwarpkit/iwarp/codec/field"
	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/rpcrdma"
)

// PrivateData is Private Data of an upper layer in a form that is known.
type PrivateData struct {
	ULP          string       // whose it is: "RPC-over-RDMA", "SMB Direct"
	Table        *field.Table // its fields
	Off          int          // where it begins in the Private Data of the MPA frame, in octets
	LittleEndian bool         // its octets are in the order of the sender's host; Octets has them in the right one

	octets [8]byte
}

// Octets is what Table describes.
func (p *PrivateData) Octets() []byte { return p.octets[:] }

// Recognise looks whether the Private Data of the upper layer in f has a form that is known: that of RPC-over-RDMA
// (RFC 8797), wherever it stands in the Private Data, or the read queue depths of SMB Direct ([MS-SMBD], section 6.1).
// Other upper layers may use the latter too.
func (p *PrivateData) Recognise(f *mpa.Frame) bool {
	private := f.ULPPrivateData()
	begin := len(f.PrivateData) - len(private)
	if off, ok := rpcrdma.FindPrivateData(private); ok {
		*p = PrivateData{ULP: "RPC-over-RDMA", Table: rpcrdma.PrivateDataFields, Off: begin + off}
		copy(p.octets[:], private[off:])
		return true
	}
	var l mpa.Legacy
	littleEndian, ok := f.Legacy(&l)
	if !ok {
		return false
	}
	*p = PrivateData{ULP: "SMB Direct", Table: mpa.LegacyFields, Off: begin, LittleEndian: littleEndian}
	l.AppendBinary(p.octets[:0])
	return true
}
