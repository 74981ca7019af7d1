package tcpip

import "strings"

// Flags are the control bits of a TCP header (RFC 9293, section 3.1).
type Flags uint8

// The control bits, from the least significant one.
const (
	FIN Flags = 1 << iota
	SYN
	RST
	PSH
	ACK
	URG
	ECE
	CWR
)

var flagNames = [8]string{"FIN", "SYN", "RST", "PSH", "ACK", "URG", "ECE", "CWR"}

// Has reports whether all bits of want are set.
func (f Flags) Has(want Flags) bool { return f&want == want }

// String returns the names of the set bits from the least significant one, such as "SYN,ACK", or "none".
func (f Flags) String() string {
	if f == 0 {
		return "none"
	}
	var b strings.Builder
	for i, name := range flagNames {
		if f&(1<<i) == 0 {
			continue
		}
		if b.Len() > 0 {
			b.WriteByte(',')
		}
		b.WriteString(name)
	}
	return b.String()
}
