package record

// Messages of upper layers as a view shows them: layers, which consist of parts.

import "github.com/iwarpkit/iwarp/codec/field"

// A Body is what an upper layer says of one of its messages. It is valid as long as the Record that it comes with.
type Body interface {
	// Lay adds the layers of the message, with their parts, to v.
	Lay(v *View)
}

// A Layer is octets with offsets of their own, and the parts that describe them. What no part describes is data.
type Layer struct {
	Name  string       // of octets that did not come in the message itself: "Reply chunk: RPC message"; else empty
	Len   uint64       // octets, as sent
	Parts []field.Part // in the order of the wire; their offsets count from the beginning of the layer

	Octets []byte // what was captured of it
	first  int    // place of its first part in View.Parts
}

// A View lays out messages and keeps the memory that this takes. One goroutine at a time may use it.
type View struct {
	// Parts are those of all layers so far. A Body appends to them, with the AppendLayout of a codec or with Add.
	Parts  []field.Part
	layers []Layer
}

// Upper returns the layers of a message of an upper layer; none if its Body is nil. They are valid until the next call,
// and as long as the message is.
func (v *View) Upper(u *Upper) []Layer {
	if u.Body == nil {
		return nil
	}
	return v.Lay(u.Body)
}

// Lay returns the layers of a Body. They are valid until the next call, and as long as the Body is.
func (v *View) Lay(b Body) []Layer {
	v.Parts, v.layers = v.Parts[:0], v.layers[:0]
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
	v.layers = append(v.layers, Layer{Name: name, Len: n, Octets: octets, first: len(v.Parts)})
}

// Add adds a part of n octets to the layer, or what was captured of it. It adds nothing if that is nothing.
func (v *View) Add(t *field.Table, off, n int) {
	octets := v.layers[len(v.layers)-1].Octets
	if off >= len(octets) || n <= 0 {
		return
	}
	v.Parts = append(v.Parts, field.Part{Table: t, Octets: octets[off:min(off+n, len(octets))], Off: off})
}

// Shift adds off to the offsets of all parts from the one at i on: to those of a message that begins there in its layer.
func (v *View) Shift(i, off int) {
	for ; i < len(v.Parts); i++ {
		v.Parts[i].Off += off
	}
}
