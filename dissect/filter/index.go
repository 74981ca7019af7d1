package filter

// The field tables of all protocols, and finding what a name stands for.

import (
	"iter"
	"slices"
	"strings"
	"sync"

	"github.com/iwarpkit/iwarp/codec/field"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/ulp/all"
)

// An index finds entries by their names.
type index struct {
	entries []*entry
	byName  map[string]*entry
}

// theIndex is built on first use.
var theIndex = sync.OnceValue(func() *index {
	ix := &index{byName: make(map[string]*entry)}
	for _, entries := range [][]*entry{ownFields(), headerFields(), headersAndProtocols()} {
		for _, e := range entries {
			if ix.byName[e.Name] != nil {
				panic("filter: two fields are called " + e.Name)
			}
			ix.byName[e.Name] = e
			ix.entries = append(ix.entries, e)
		}
	}
	return ix
})

// RequestPrefix before a header field of an upper layer means that of the request.
const RequestPrefix = "request."

// find returns the entry that a token names.
func (ix *index) find(t token) (*entry, *Error) {
	name, ofRequest := strings.CutPrefix(t.text, RequestPrefix)
	switch e := ix.byName[name]; {
	case e == nil:
		return nil, unknown(t, ofRequest)
	case !ofRequest:
		return e, nil
	case !e.inRequest():
		return nil, t.errorf("%v: %q stands before fields of upper layers' headers, and %s is none",
			t, RequestPrefix, name)
	default:
		return e.ofRequest(), nil
	}
}

// unknown reports a token that names nothing.
func unknown(t token, ofRequest bool) *Error {
	if t.text[0] >= '0' && t.text[0] <= '9' {
		return t.errorf("%v is not a field; the field stands on the left side, values on the right", t)
	}
	fields := Fields()
	if ofRequest {
		fields = RequestFields()
	}
	names := make([]string, len(fields))
	for i, f := range fields {
		names[i] = f.Name
	}
	if strings.HasPrefix(strings.ToLower(t.text), "tcp.analysis.") {
		return t.errorf("%v: no such field; iwarp stats and iwarp report count retransmissions", t)
	}
	if ours := wiresharkNames[strings.ToLower(t.text)]; ours != "" {
		return t.errorf("%v: no such field; did you mean %s?", t, ours)
	}
	return t.errorf("%v: no such field%s", t, suggest(t.text, names))
}

// wiresharkNames are the names here of fields that have another name in Wireshark.
var wiresharkNames = map[string]string{
	"tcp.stream":         "conn",
	"nfs.procedure_v2":   "rpc.procedure",
	"nfs.procedure_v3":   "rpc.procedure",
	"nfs.procedure_v4":   "rpc.procedure",
	"nfs.main_opcode":    "nfs.opcode",
	"rpc.time":           "latency",
	"_ws.expert":         "finding",
	"_ws.expert.message": "finding",
}

// A home is the group of headers that a table belongs to, and what its fields need.
type home struct {
	group
	needs Needs
}

// tables yields every table once.
func tables(yield func(home, *field.Table) bool) {
	seen := map[*field.Table]bool{}
	some := func(h home, tables iter.Seq[*field.Table]) bool {
		for t := range tables {
			if !seen[t] && !yield(h, t) {
				return false
			}
			seen[t] = true
		}
		return true
	}
	if !some(home{}, record.WireTables) {
		return
	}
	for _, l := range all.Layers() {
		in := home{upper, Needs{Analysis: true, Payload: l.Read != nil}}
		if !some(home{}, slices.Values(l.PrivateTables)) || !some(in, slices.Values(l.Tables)) {
			return
		}
	}
}

// isShared reports whether a field identifies an exchange of an upper layer or its subject. All parts of an exchange have
// such fields.
func isShared(name string) bool {
	for _, l := range all.Layers() {
		for _, s := range l.Shared {
			if name == s || strings.HasSuffix(s, ".") && strings.HasPrefix(name, s) {
				return true
			}
		}
	}
	return false
}
