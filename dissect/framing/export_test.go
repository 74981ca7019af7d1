package framing

// Front returns the offset in the TCP stream of the first octet that waits, if there is one.
func (d *Direction) Front() (offset uint64, ok bool) {
	if d.backlog.empty() {
		return 0, false
	}
	return d.backlog.offset(), true
}
