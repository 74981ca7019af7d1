package field

// A Layout divides a message into its parts, one after the other.
type Layout struct {
	Parts   []Part
	Message []byte // what was captured of it
	Off     int    // where the next part begins, in octets from the beginning of the message; beyond it once that is cut
}

// Add adds a part of n octets, or as many of them as are there, and steps over it. It reports whether all of it is there.
func (l *Layout) Add(table *Table, n int) bool { return l.AddElement(table, n, 0, 0) }

// AddElement is Add for what has a [Part.Depth] and an [Part.Index].
func (l *Layout) AddElement(table *Table, n int, depth uint8, index uint32) bool {
	if left := len(l.Message) - l.Off; n > 0 && left > 0 {
		parts, p := AppendPart(l.Parts, table, l.Message[l.Off:l.Off+min(n, left)], l.Off)
		p.Depth, p.Index, l.Parts = depth, index, parts
	}
	l.Off += n
	return l.Off <= len(l.Message)
}
