//go:build !linux

package link

// A Splicer passes octets on within the kernel. Other systems than Linux have none.
type Splicer struct{}

// NewSplicer returns nil: the system cannot pass octets on without copying them.
func NewSplicer(Link, Link, int) *Splicer { return nil }

// Take is Receive.
func (*Splicer) Take() (int, error) { return 0, nil }

// Pass is Send, or with wait SendSome.
func (*Splicer) Pass(bool) (int, error) { return 0, nil }

// Release does nothing.
func (*Splicer) Release() {}
