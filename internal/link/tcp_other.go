//go:build !linux

package link

import "net"

// newTCP has nothing better than what any net.Conn is.
func newTCP(*net.TCPConn) Link { return nil }
