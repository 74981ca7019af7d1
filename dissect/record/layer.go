package record

// Whatever was sent as a view shows it: layers, which consist of parts.

import "github.com/iwarpkit/iwarp/codec/field"

// A Body is what can be laid out: a Startup, a Segment, the headers of a Message, the request of a Transaction, or a message of
// an upper layer. It is valid as long as the Record that it comes with.
type Body interface {
	// Lay adds its layers, with their parts, to v.
	Lay(v *View)
}

// A Layer is octets with offsets of their own, and the parts that describe them.
type Layer struct {
	Name  string       // of octets that did not come in the message itself: "Reply chunk: RPC message"; else empty
	Len   uint64       // octets, as sent
	Parts []field.Part // in the order of the wire; their offsets count from the beginning of the layer
	Data  Data         // of a Startup or Segment: what belongs to the upper layer

	octets []byte // what was captured of it, for Add
	first  int    // place of its first part in View.Parts
}

// Data is octets of a Layer that no part describes.
type Data struct {
	Name   string // "Payload"
	Stated bool   // a field says how many there are
	Octets []byte // what was captured of them
	Off    int    // octets of the layer before them
	Len    int    // octets, as sent
}

// A View lays out messages and keeps the memory that this takes. One goroutine at a time may use it.
type View struct {
	// Parts are those of all layers so far. A Body appends to them, with the AppendLayout of a codec or with Add.
	Parts   []field.Part
	layers  []Layer
	scratch [64]byte // octets of parts that were not captured in one piece
	remarks []Remark
	words   []byte // of remarks
}

// Lay returns the layers of a Body; none if it is nil. They are valid until the next call, and as long as the Body is.
func (v *View) Lay(b Body) []Layer {
	v.Parts, v.layers = v.Parts[:0], v.layers[:0]
	if b == nil {
		return nil
	}
	b.Lay(v)
	end := len(v.Parts)
	for i := len(v.layers) - 1; i >= 0; i-- {
		l := &v.layers[i]
		l.Parts, end = v.Parts[l.first:end:end], l.first
	}
	return v.layers
}

// Begin begins a layer of n octets, of which octets is what was captured. The parts that follow are its parts.
func (v *View) Begin(name string, octets []byte, n uint64) {
	v.layers = append(v.layers, Layer{Name: name, Len: n, octets: octets, first: len(v.Parts)})
}

// Add adds a part of n octets to the layer, or what was captured of it. It adds nothing if that is nothing.
func (v *View) Add(t *field.Table, off, n int) {
	octets := v.layers[len(v.layers)-1].octets
	if off >= len(octets) || n <= 0 {
		return
	}
	v.Parts = append(v.Parts, field.Part{Table: t, Octets: octets[off:min(off+n, len(octets))], Off: off})
}

func (v *View) data(d Data) { v.layers[len(v.layers)-1].Data = d }

// Shift adds off to the offsets of all parts from the one at i on: to those of a message that begins there in its layer.
func (v *View) Shift(i, off int) {
	for ; i < len(v.Parts); i++ {
		v.Parts[i].Off += off
	}
}
