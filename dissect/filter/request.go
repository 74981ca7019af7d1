package filter

// The request of an exchange of an upper layer, for its later parts.

import "github.com/iwarpkit/iwarp/codec/field"

// maxRequest is how many octets of headers are kept of one request.
const maxRequest = 16 << 10

// A Request holds the headers of an upper layer in a request, for filters of its response and of the RDMA Reads and Writes
// that move its data. The zero value has none.
type Request struct {
	ID uint64 // what it shares with its answer: an XID

	headers []field.Part
	octets  []byte
}

// Reset empties r, and keeps memory.
func (r *Request) Reset() {
	*r = Request{headers: r.headers[:0], octets: r.octets[:0]}
}

// Add adds copies of the headers of an upper layer in e.
func (r *Request) Add(e *Event) {
	e.begin()
	for _, h := range e.layout(upper) {
		r.add(h)
	}
}

func (r *Request) add(h field.Part) {
	from := len(r.octets)
	r.octets = append(r.octets, h.Octets[:min(len(h.Octets), maxRequest-from)]...)
	h.Octets = r.octets[from:]
	r.headers = append(r.headers, h)
}

// memory returns roughly how many octets of memory r takes.
func (r *Request) memory() int {
	const part = 80
	return cap(r.octets) + part*cap(r.headers)
}
