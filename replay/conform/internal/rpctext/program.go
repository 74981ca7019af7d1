package rpctext

// The program conform, and its arguments and results in XDR. See docs/conform-rpc.md.

import "slices"

// The program and its procedures.
const (
	Program        Word = 0x20697763
	ProgramVersion Word = 1

	ProcNull     Word = 0
	ProcEcho     Word = 1
	ProcPlain    Word = 2
	ProcReport   Word = 3
	ProcCallback Word = 4
)

// An Item is an argument and a result of ECHO and PLAIN.
type Item struct {
	Data    []byte
	Absent  bool // without data: the union has FALSE
	Reduced bool // the data is in a chunk of its own, and only its length remains
}

// Filled returns an Item of n equal octets.
func Filled(octet byte, n int) Item { return Item{Data: slices.Repeat([]byte{octet}, n)} }

// Numbered returns an Item of n octets that differ from their neighbours, beginning at some value.
func Numbered(from byte, n int) Item {
	i := Item{Data: make([]byte, n)}
	for k := range i.Data {
		i.Data[k] = from + byte(k)
	}
	return i
}

// InChunk returns the Item with its data in a chunk.
func (i Item) InChunk() Item {
	i.Reduced = true
	return i
}

// String returns the Item as octets of a Scenario.
func (i Item) String() string {
	switch {
	case i.Absent:
		return Words(0)
	case i.Reduced:
		return Words(1, Word(len(i.Data)))
	}
	return Join(Words(1), Opaque(i.Data))
}

// Items returns arguments or results of ECHO and PLAIN.
func Items(items ...Item) string {
	parts := []string{Words(Word(len(items)))}
	for _, i := range items {
		parts = append(parts, i.String())
	}
	return Join(parts...)
}

// ItemsLen returns the length of Items in octets, with nothing in chunks.
func ItemsLen(items ...Item) int {
	n := 4
	for _, i := range items {
		n += 4
		if !i.Absent {
			n += 4 + len(i.Data) + Padding(len(i.Data))
		}
	}
	return n
}

// Position returns where the data of items[at] begins in a Call with nothing in chunks: the Position of a Read chunk for it
// (RFC 8166, section 3.4.5).
func Position(at int, items ...Item) uint32 { return uint32(CallLen + ItemsLen(items[:at]...) + 8) }

// Report returns the results of REPORT: the number of Calls executed before, and the numbers of reverse Calls sent,
// answered by a Reply and answered by an RDMA_ERROR.
func Report(executed, sent, answered, refused Word) string {
	return Words(executed, sent, answered, refused)
}

// Callback returns the arguments of CALLBACK: the number of reverse Calls, and the number of octets of the item in
// each; none for NULL.
func Callback(calls, octets Word) string { return Words(calls, octets) }
