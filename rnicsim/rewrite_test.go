package rnicsim

import (
	"bytes"
	"encoding/binary"
	"slices"
	"strings"
	"testing"

	"github.com/iwarpkit/iwarp/codec/field"
	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/rnicsim/quirk"
)

// Every field that rewritable lists can be set, added to and flipped. Nothing else of the frame changes except the
// CRC, which fits unless it was set.
func TestRewriteEveryField(t *testing.T) {
	tried, missing := 0, map[string]bool{
		"AtomicRequest iwarp_rdma.atomic.add_data": true, "AtomicRequest iwarp_rdma.atomic.swap_mask": true,
		"Terminate iwarp_rdma.term_errcode": true, "Terminate iwarp_rdma.term_ddp_seg_len": true,
		"ReadRequest iwarp_rdma.rdmardsz": true, "SendInvalidate iwarp_rdma.inval_stag": true, "FPDU iwarp_mpa.pad": true,
		"MPARequest iwarp_mpa.enhanced.ird": true,
	}
	for message, f := range rewritable {
		delete(missing, message+" "+f.Name)
		of := message
		if message == "FPDU" {
			of = "Send"
		}
		before := sentBy(t, of, nil)
		for _, sign := range []string{"=", "+", "^"} {
			w := rewriteOf(t, message, f, sign)
			if w == nil {
				continue
			}
			tried++
			after := sentBy(t, of, &quirk.Quirk{Rewrite: []quirk.Rewrite{*w}})
			if want := changed(t, of, w, before); !bytes.Equal(after, want) {
				t.Errorf("%v\n%x\nbecame\n%x, want\n%x", w, before, after, want)
			}
		}
	}
	if tried < 300 || len(missing) > 0 {
		t.Errorf("%d rewrites, without %v", tried, missing)
	}
}

// rewriteOf returns a Rewrite of a field; nil if the field cannot be changed so.
func rewriteOf(t *testing.T, message string, f *field.Field, sign string) *quirk.Rewrite {
	if f.Base == field.Octets && sign != "=" {
		return nil
	}
	return &must(quirk.Parse("rewrite " + message + " " + f.Name + sign + "01")).Rewrite[0]
}

// changed returns a frame as it is due with a field changed.
func changed(t *testing.T, message string, w *quirk.Rewrite, frame []byte) []byte {
	b := slices.Clone(frame)
	set := func(table *field.Table, at int) {
		switch f := table.Lookup(w.Field); {
		case f == nil:
		case f.Base == field.Octets:
			if f.Octet()+at < len(b) {
				b[f.Octet()+at] = 1
			}
		default:
			v, _ := f.Get(b[at:])
			if err := f.Set(b[at:], map[quirk.Change]uint64{quirk.SetTo: 1, quirk.AddTo: v + 1, quirk.Flip: v ^ 1}[w.Change]&(^uint64(0)>>(64-f.Width))); err != nil {
				t.Fatal(w, err)
			}
		}
	}
	if strings.HasPrefix(message, "MPA") {
		var f mpa.Frame
		f.Decode(b)
		set(f.Fields(), 0)
		set(mpa.EnhancedFields, mpa.FrameLen)
		return b
	}
	// The FPDU is the first of its direction: after a Marker, and shorter than the way to the next.
	ulpdu, crc := int(binary.BigEndian.Uint16(b[4:])), len(b)-4
	set(mpa.MarkerFields, 0)
	for _, p := range rdmap.AppendLayout(nil, b[6:6+ulpdu], ulpdu) {
		if !p.Carried {
			set(p.Table, 6+p.Off)
		}
	}
	set(mpa.FPDUFields, 4)
	if w.Field != "iwarp_mpa.crc" {
		set(mpa.TrailerFields(ulpdu), 6+ulpdu)
	}
	binary.LittleEndian.PutUint32(b[crc:], mpa.CRC(b[:crc]))
	set(mpa.TrailerFields(2), crc)
	return b
}

// sentBy returns the first frame of its kind that an RNIC with a quirk sends.
func sentBy(t *testing.T, message string, k *quirk.Quirk) []byte {
	o := defaults()
	o.stream = StreamConfig{Rev: mpa.Rev2, CRC: true, Markers: true, Enhanced: &mpa.Enhanced{IRD: 4, ORD: 4}}
	quirky := o
	if k != nil {
		quirky.config.Quirks = []quirk.Quirk{*k}
	}
	switch message {
	case "MPARequest":
		s := newSide(t, quirky, nil)
		s.stream.Connect([]byte("private"))
		return s.stream.AppendTransmit(nil, 1<<10)
	case "MPAReply":
		a, b := newSide(t, o, nil), newSide(t, quirky, nil)
		b.stream.Listen()
		a.stream.Connect(nil)
		b.stream.Input(a.stream.AppendTransmit(nil, 1<<10))
		b.stream.Accept(nil)
		return b.stream.AppendTransmit(nil, 1<<10)
	}
	return fpduBy(t, must(rdmap.ParseOpcode(message)), quirky, o)
}

// answers are the Work Requests of the peer that cause a message.
var answers = map[rdmap.Opcode]Op{rdmap.OpReadResponse: OpRead, rdmap.OpAtomicResponse: OpFetchAdd, rdmap.OpTerminate: OpSend}

// operation returns the operation that sends a message; 0 if the RNIC does not send it on its own.
func operation(op rdmap.Opcode) Op {
	for o := OpSend; o < OpReceive; o++ {
		if o.opcode() == op {
			return o
		}
	}
	return 0
}

// fpduBy returns the first FPDU of an RNIC: its answer as the Responder, or a message of its own.
func fpduBy(t *testing.T, op rdmap.Opcode, quirky, o options) []byte {
	cause, answer := answers[op]
	oa, ob := quirky, o
	if answer {
		oa, ob = o, quirky
	}
	a, b := newPair(t, oa, ob)
	wr := WorkRequest{Op: cause, Remote: b.region(make([]byte, 8), 0, allRights)}
	wr.SGL = []SGE{{a.region(make([]byte, 5), 0, allRights), 0, 5}}
	if wr.STag = wr.Remote; !answer {
		wr.Op = operation(op)
	}
	if wr.Op.isRead() {
		wr.Local = wr.SGL[0]
	}
	must(a.qp.PostSQ(wr))
	sent := a.stream.AppendTransmit(nil, 1)
	if answer {
		b.stream.Input(sent)
		sent = b.stream.AppendTransmit(nil, 1)
	}
	return sent
}

// Markers in the middle of an FPDU, and one between PAD and CRC, are found too.
func TestRewriteMarkers(t *testing.T) {
	for n := 480; n < 560; n++ {
		f := mpa.Framer{Options: mpa.Options{CRC: true, Markers: true}}
		fpdu := must(f.Append(nil, bytes.Repeat([]byte{1}, n)))
		w := quirk.Rewrite{Message: quirk.AnyMessage, Field: "iwarp_mpa.marker_res", Value: 0xabcd}
		pad := quirk.Rewrite{Message: quirk.AnyMessage, Field: "iwarp_mpa.pad", Octets: []byte{7, 8, 9}}
		q := &QP{object: object{rnic: &RNIC{quirks: quirk.NewSet([]quirk.Quirk{{Rewrite: []quirk.Rewrite{w, pad}}})}}}
		q.reframe(fpdu, f.Options, 0)
		var d mpa.Deframer
		d.Reset(f.Options)
		d.Push(fpdu)
		var got mpa.Deframed
		if !d.Next(&got) || got.Verdict != mpa.Good || got.ReservedMarkers != got.Markers || got.BadMarkers != 0 ||
			!bytes.Equal(got.PAD, pad.Octets[:mpa.Pad(n)]) || !bytes.Equal(got.ULPDU, bytes.Repeat([]byte{1}, n)) {
			t.Errorf("%d octets: %+v", n, got)
		}
	}
}

// One message after the other is rewritten, independently.
func TestRewriteAgain(t *testing.T) {
	o := defaults()
	o.config.Quirks = []quirk.Quirk{must(quirk.Parse("rewrite Send iwarp_ddp.msn+1"))}
	a, _ := newPair(t, o, defaults())
	src := a.region([]byte("12345678"), 0, allRights)
	for i := range uint32(3) {
		must(a.qp.PostSQ(WorkRequest{Op: OpSend, SGL: []SGE{{src, 0, 8 - i}}}))
		sent := a.stream.AppendTransmit(nil, 1)
		var d mpa.Deframer
		d.Reset(mpa.Options{CRC: true})
		d.Push(sent)
		var f mpa.Deframed
		var s rdmap.Segment
		if !d.Next(&f) || f.Verdict != mpa.Good {
			t.Fatalf("% x", sent)
		}
		if s.Decode(f.ULPDU); s.Untagged.MSN != i+2 || string(s.Body) != "12345678"[:8-i] {
			t.Errorf("MSN %d, %q", s.Untagged.MSN, s.Body)
		}
	}
}

// rewritable calls yield for every field that a Rewrite can set in what the RNIC sends, with the frame or message in the words of quirk.Parse.
// "FPDU" stands for any message, and has the fields around a ULPDU.
func rewritable(yield func(message string, f *field.Field) bool) {
	tables := map[string][]*field.Table{
		"MPARequest": {mpa.RequestFields, mpa.EnhancedFields}, "MPAReply": {mpa.ReplyFields, mpa.EnhancedFields},
		"FPDU": {mpa.FPDUFields, mpa.MarkerFields, mpa.TrailerFields(3)},
	}
	for op := range rdmap.Opcodes() {
		if operation(op) != 0 || answers[op] != 0 {
			tables[op.String()] = op.Tables()
		}
	}
	for message, all := range tables {
		for _, t := range all {
			for i := range t.Fields {
				if !yield(message, &t.Fields[i]) {
					return
				}
			}
		}
	}
}
