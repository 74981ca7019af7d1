package explain

// What octets can be: an MPA frame, FPDUs, a DDP segment, a Terminate header, a message of an upper layer. Package record lays out
// their fields, as iwarp decode -V prints them.

import (
	"errors"
	"fmt"
	"math/bits"
	"slices"

	"github.com/iwarpkit/iwarp/codec/ddp"
	"github.com/iwarpkit/iwarp/codec/field"
	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/ulp/all"
)

// Octets is a header field in octets that were asked for.
type Octets struct {
	Name    string `json:"name"`              // in display filters: "iwarp_ddp.stag"
	Label   string `json:"label"`             // in the specification: "STag"
	Header  string `json:"header"`            // "DDP tagged header"
	Offset  int    `json:"offset"`            // octets before it
	Value   string `json:"value"`             // a number, or octets in hexadecimal
	Meaning string `json:"meaning,omitempty"` // the name of the value
}

// octets explains a query that is octets in hexadecimal, by each reading that is possible.
func (q query) octets() (found []Entry) {
	b, readings := parseHex(q.text), []func([]byte) (entries []Entry, certain bool){readFrame, readFPDUs, readUpper, readULPDU, readTerminate}
	switch {
	case len(b) < rdmap.TerminateLen:
		return nil
	case len(b) == rdmap.TerminateLen:
		readings = []func([]byte) ([]Entry, bool){readTerminate}
	}
	for _, read := range readings {
		entries, certain := read(b)
		if certain {
			found = nil
		}
		found = append(found, entries...)
		if certain {
			break
		}
	}
	for i := range found {
		found[i].fields()
		if len(found) > 1 && i == 0 && found[0].Title != found[1].Title {
			found[0].Text = append(found[0].Text, "The octets have other readings too: each is shown.")
		}
	}
	return found
}

// fields lists the fields of a Body.
func (e *Entry) fields() {
	var v record.View
	for _, l := range v.Lay(e.Body) {
		for i := range l.Parts {
			p := &l.Parts[i]
			for f := range p.Fields() {
				e.Fields = append(e.Fields, octetsOf(p, f))
			}
		}
	}
}

func octetsOf(p *field.Part, f *field.Field) Octets {
	o := Octets{Name: f.Name, Label: f.Label, Header: p.Table.Name, Offset: p.Off + f.Octet()}
	if f.End(len(p.Octets)) > len(p.Octets) {
		o.Meaning = "cut short"
		return o
	}
	o.Value = string(p.AppendValue(nil, f))
	if v, ok := p.Value(f); ok && f.Names != nil {
		o.Meaning = f.Names(v)
	}
	return o
}

// octetsEntry is an entry for n octets that are what title says.
func octetsEntry(n int, title string, body record.Body, see, sources []string, text ...string) Entry {
	return Entry{Kind: KindOctets, Name: fmt.Sprintf("%d octets", n), Title: title, Text: text, See: see,
		Sources: sources, Body: body}
}

// readFrame reads an MPA Request or Reply, which its Key identifies.
func readFrame(b []byte) (found []Entry, certain bool) {
	f := &record.Startup{Octets: b}
	n, err := f.MPA.Decode(b)
	if n < mpa.FrameLen || len(b) < mpa.FrameLen || f.MPA.Fields() == nil || !hasKey(b) {
		return nil, false
	}
	f.Octets = b[:n]
	for _, l := range all.Layers() {
		if l.Private == nil {
			continue
		}
		if p, ok := l.Private(new(flow.Conn), &f.MPA); ok {
			f.Private = &p
			break
		}
	}
	name, text := "MPA Request", []string{"It has the Key of this frame."}
	if f.MPA.Reply {
		name = "MPA Reply"
	}
	if err != nil {
		text = append(text, "It is faulty or cut short: "+err.Error()+".")
	}
	found = append(found, octetsEntry(n, name+" frame", f, []string{name, "Rev", "Private Data"}, []string{"RFC 5044, section 7.1.1"}, text...))
	if len(b) > n {
		more, _ := readFPDUs(b[n:])
		found = append(found, more...)
	}
	return found, true
}

// hasKey reports whether octets begin with the Key of a Request or Reply.
func hasKey(b []byte) bool {
	return slices.ContainsFunc([]string{"MPA ID Req Frame", "MPA ID Rep Frame"}, func(key string) bool {
		return len(b) >= len(key) && string(b[:len(key)]) == key
	})
}

// readFPDUs reads FPDUs without Markers, of which the last may be cut short. They are certain if the CRC of the first holds.
func readFPDUs(b []byte) (found []Entry, certain bool) {
	const most = 64 // FPDUs
	for len(b) > 0 && len(found) < most {
		s := new(record.Segment)
		n, err := s.FPDU.Decode(b)
		whole := err == nil && s.FPDU.Check() == nil
		if !whole && !errors.Is(err, field.ErrShort) {
			break
		}
		if _, s.Err = s.RDMAP.Decode(s.FPDU.ULPDU); s.Err != nil || !plausible(&s.RDMAP) {
			break
		}
		s.FPDU.Missing = mpa.FPDULen(int(s.FPDU.ULPDULength)) - n
		text := fpduText(s, b[:n])
		certain = certain || len(found) == 0 && s.FPDU.Verdict == mpa.Good
		o := s.RDMAP.Control.Opcode
		found = append(found, octetsEntry(n, "FPDU, "+o.String(), s, segmentSee(&s.RDMAP), []string{"RFC 5044, section 4.1", "RFC 5040, section 4.1"}, text))
		if o.HasPayload() && !s.RDMAP.T && s.RDMAP.Untagged.MO == 0 {
			upper, _ := readUpper(s.RDMAP.Body)
			found = append(found, upper...)
		}
		b = b[n:]
	}
	return found, certain
}

// fpduText says on what grounds octets are an FPDU. It sets the Verdict about the CRC.
func fpduText(s *record.Segment, b []byte) string {
	f := &s.FPDU
	if f.Missing > 0 {
		return fmt.Sprintf("ULPDU_Length and opcode fit an FPDU. The CRC cannot be checked; octets missing at the end: %d.", f.Missing)
	}
	f.Verdict, f.WantCRC = mpa.Good, mpa.CRC(b[:len(b)-4])
	if f.WantCRC == f.CRC {
		return "The CRC is right, so this is an FPDU."
	}
	f.Verdict = mpa.Bad
	return fmt.Sprintf("ULPDU_Length and opcode fit an FPDU, but the CRC is wrong: these octets have 0x%08x. Either octets "+
		"were changed, or CRCs are off on the connection.", bits.ReverseBytes32(f.WantCRC))
}

// plausible reports whether the headers of a DDP segment agree with each other.
func plausible(s *rdmap.Segment) bool {
	o := s.Control.Opcode
	qn, untagged := o.QN()
	version := s.Untagged.DV
	if s.T {
		version = s.Tagged.DV
	}
	return o.Known() && version == ddp.Version && s.Control.RV == rdmap.Version && s.T == !untagged && (s.T || s.Untagged.QN == qn)
}

// segmentSee is what to ask for next about a segment: its opcode, and the code of a Terminate.
func segmentSee(s *rdmap.Segment) []string {
	see := []string{s.Control.Opcode.String()}
	var t rdmap.Terminate
	if s.Control.Opcode == rdmap.OpTerminate && len(s.Body) >= rdmap.TerminateLen {
		_, _ = t.Decode(s.Body) // the error code is there, which is all that is asked
		see = append(see, t.Code.String())
	}
	return see
}

// readUpper reads a Send's payload that an upper layer recognises.
func readUpper(b []byte) (found []Entry, certain bool) {
	for _, l := range all.Layers() {
		if l.Read == nil {
			continue
		}
		body := l.Read(b, uint64(len(b)))
		if body == nil {
			body = l.Read(b, uint64(len(b))+1) // a header without its RPC message, or cut
		}
		if body != nil {
			found = append(found, octetsEntry(len(b), "payload of a Send: a message of RPC-over-RDMA", body, []string{"RPC-over-RDMA", "XID"},
				[]string{"RFC 8166, section 4"}, "A version and a procedure of RPC-over-RDMA stand where its header has them."))
		}
	}
	return found, false
}

// readULPDU reads a DDP segment without MPA.
func readULPDU(b []byte) (found []Entry, certain bool) {
	var s rdmap.Segment
	if _, err := s.Decode(b); err != nil || !plausible(&s) {
		return nil, false
	}
	return []Entry{octetsEntry(len(b), "ULPDU without its FPDU: "+s.Control.Opcode.String(), &ulpdu{octets: b}, segmentSee(&s),
		[]string{"RFC 5041, section 4", "RFC 5040, section 4.1"}, "Versions, opcode and queue of a DDP segment agree.")}, false
}

// readTerminate reads a Terminate header, whose error must be known.
func readTerminate(b []byte) (found []Entry, certain bool) {
	if len(b) < rdmap.TerminateLen {
		return nil, false
	}
	var rfc, swapped rdmap.Terminate
	_, _ = rfc.Decode(b) // the code is there; what is enclosed may be cut
	_, _ = swapped.DecodeSwapped(b)
	meant, reserved, why := &rfc, b[2]&0x1f|b[3], "The error is registered, and M, D and R fit the length."
	alone := len(b) == rdmap.TerminateLen // what M, D and R announce is left out
	if rdmap.ReadingOf(b, len(b)) == rdmap.ReadingSwapped || alone && b[2]&^0x07|b[3] == 0 && b[2] != 0 {
		meant, reserved = &swapped, 0
	}
	see := meant.Code
	if reserved != 0 || !see.Registered() || meant.Form() != rdmap.WellFormed && !alone {
		return nil, false
	}
	if alone {
		why = "The error is registered. Of a Terminate only its first four octets are here."
	}
	control := rdmap.Control{RV: rdmap.Version, Opcode: rdmap.OpTerminate}
	octet, _ := control.Octet()
	header := ddp.Untagged{L: true, DV: ddp.Version, RsvdULP: uint64(octet) << 32, QN: rdmap.QNTerminate, MSN: 1}
	whole, _ := header.AppendBinary(nil)
	return []Entry{octetsEntry(len(b), "Terminate header, "+see.Describe(), &ulpdu{octets: append(whole, b...), assumed: len(whole)},
		[]string{see.String(), "HdrCt"}, []string{"RFC 5040, section 4.8"}, why)}, false
}

// A ulpdu is a DDP segment without MPA, of which the first octets may be assumed.
type ulpdu struct {
	octets  []byte
	assumed int
}

// Lay implements record.Body.
func (u *ulpdu) Lay(v *record.View) {
	v.Begin("", u.octets[u.assumed:], uint64(len(u.octets)-u.assumed))
	v.Parts = rdmap.AppendLayout(v.Parts, u.octets, len(u.octets))
	v.Parts = slices.DeleteFunc(v.Parts, func(p field.Part) bool { return p.Off < u.assumed })
	v.Shift(0, -u.assumed)
}
