package record

// What is on the wire as a view shows it: MPA frames, FPDUs, chunks, and the headers of messages and requests.

import (
	"encoding/binary"
	"slices"

	"github.com/iwarpkit/iwarp/codec/ddp"
	"github.com/iwarpkit/iwarp/codec/field"
	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/codec/sctp"
	"github.com/iwarpkit/iwarp/dissect/flow"
)

// WireTables yields the field tables of MPA, of the adaptation layer of SCTP, of DDP and of RDMAP. A Terminate has tables
// of its own for each error type, with the names that its fields have there.
func WireTables(yield func(*field.Table) bool) {
	all := slices.Concat(mpa.Tables, sctp.Tables, ddp.Tables, rdmap.Tables)
	for c := range rdmap.Codes() {
		all = append(all, c.Fields(), c.MeantFields())
	}
	seen := map[*field.Table]bool{}
	for _, t := range all {
		if !seen[t] && !yield(t) {
			return
		}
		seen[t] = true
	}
}

// The field tables of the parts of events.
var (
	// StartupTables are those of a Startup, but those of Private Data of upper layers.
	StartupTables = []*field.Table{mpa.RequestFields, mpa.ReplyFields, mpa.EnhancedFields, sctp.ControlFields}

	// MessageTables are those of a Message. Those for one error type of a Terminate, which have the same fields as the general
	// ones, are left out.
	MessageTables = slices.Concat([]*field.Table{mpa.FPDUFields}, ddp.Tables, rdmap.Tables)

	// CarriedTables are those of the parts that a Terminate carries back.
	CarriedTables = append(slices.Clone(ddp.Tables),
		rdmap.ControlFields, rdmap.InvalidateSTagFields, rdmap.ReservedFields, rdmap.ReadRequestFields)

	// TransactionTables are those of a Transaction.
	TransactionTables = []*field.Table{
		rdmap.ReadRequestFields, rdmap.FetchAddFields, rdmap.CmpSwapFields, rdmap.AtomicResponseFields,
	}

	// Opcode and FunctionCode say of which type a Message is, and over SCTP a Startup.
	Opcode       = rdmap.ControlFields.Lookup("iwarp_rdma.opcode")
	FunctionCode = sctp.ControlFields.Lookup("iwarp_sctp.function_code")

	// CRCVerdicts are the names of the verdicts about CRCs.
	CRCVerdicts = []string{mpa.Unchecked.String(), mpa.Good.String(), mpa.Bad.String()}
)

// Lay implements Body: the frame or message, its Enhanced word, and Private Data in a known form. The data of the layer
// is the Private Data of the upper layer.
func (f *Startup) Lay(v *View) {
	v.Begin("", f.Octets, uint64(len(f.Octets)))
	table, off := f.Fields(), f.HeaderLen()
	v.Parts = append(v.Parts, field.Part{Table: table, Octets: f.Octets})
	private := f.MPA.PrivateData
	if f.MPA.Enhanced(new(mpa.Enhanced)) {
		v.Parts = append(v.Parts, field.Part{Table: mpa.EnhancedFields, Octets: private[:min(mpa.EnhancedLen, len(private))], Off: off})
	}
	if f.Private != nil {
		p := f.Private.Part
		p.Off += off
		v.Parts = append(v.Parts, p)
	}
	data := f.MPA.ULPPrivateData()
	v.data(Data{"Private Data of the upper layer", true, data, len(f.Octets) - len(data), len(data)})
}

// Lay implements Body: the FPDU without its Markers, or the chunk. The data of the layer is ULP payload.
func (s *Segment) Lay(v *View) {
	f := &s.FPDU
	if s.Conn.Transport() == flow.OverSCTP {
		v.Begin("", nil, uint64(s.Len()))
		v.carrier(sctp.SegmentFields, s.Chunk.DDPSSN)
		v.ulpdu(f.ULPDU, int(f.ULPDULength))
		return
	}
	v.Begin("", nil, uint64(s.Len()))
	v.carrier(mpa.FPDUFields, f.ULPDULength)
	v.ulpdu(f.ULPDU, int(f.ULPDULength))
	if f.Missing == 0 {
		const used = 2 // octets of scratch, by carrier
		trailer := binary.LittleEndian.AppendUint32(append(v.scratch[used:used], f.PAD...), f.CRC)
		v.Parts = append(v.Parts, field.Part{
			Table: mpa.TrailerFields(int(f.ULPDULength)), Octets: trailer, Off: mpa.FPDUFields.Len() + int(f.ULPDULength),
		})
	}
}

// Lay implements Body: the headers of the first segment.
func (m *Message) Lay(v *View) {
	v.Begin("", nil, uint64(m.ULPDU))
	if m.Conn.Transport() == flow.OverTCP {
		v.carrier(mpa.FPDUFields, uint16(m.ULPDU))
	}
	v.ulpdu(m.Header, m.ULPDU)
}

// Lay implements Body: the RDMAP header of the request, and that of the response to an Atomic. The requests of upper layers
// have none.
func (t *Transaction) Lay(v *View) {
	b := v.scratch[:0]
	v.Begin("", nil, 0)
	switch t.Kind {
	case ReadTransaction:
		b, _ = t.Read.AppendBinary(b) // never fails
		v.Parts = append(v.Parts, field.Part{Table: rdmap.ReadRequestFields, Octets: b})
	case AtomicTransaction:
		b, _ = t.Atomic.AppendBinary(b) // what was decoded can be encoded
		v.Parts = append(v.Parts, field.Part{Table: t.Atomic.AOpCode.Fields(), Octets: b})
		if t.Outcome == Answered {
			r := rdmap.AtomicResponse{OriginalRequestIdentifier: t.Atomic.RequestIdentifier, OriginalRemoteDataValue: t.Original}
			b, _ = r.AppendBinary(b[len(b):]) // never fails
			v.Parts = append(v.Parts, field.Part{Table: rdmap.AtomicResponseFields, Octets: b})
		}
	}
}

// Lay implements Body.
func (e *Evidence) Lay(v *View) {
	v.Begin("", nil, uint64(len(e.Octets)))
	v.ulpdu(e.Octets, len(e.Octets))
}

// carrier adds the 2 octets before a ULPDU.
func (v *View) carrier(t *field.Table, number uint16) {
	v.Parts = append(v.Parts, field.Part{Table: t, Octets: binary.BigEndian.AppendUint16(v.scratch[:0], number)})
}

// ulpdu adds the headers of a ULPDU of the given length in octets, of which b was captured, after what the layer has.
func (v *View) ulpdu(b []byte, length int) {
	first, off, end := len(v.Parts), 0, 0
	if first > 0 {
		off = v.Parts[first-1].End()
	}
	v.Parts = rdmap.AppendLayout(v.Parts, b, length)
	for i := first; i < len(v.Parts); i++ {
		end = max(end, v.Parts[i].End())
	}
	v.Shift(first, off)
	v.data(Data{"Payload", false, b[end:], off + end, length - end})
}
