//go:build !linux

package link

import "net"

// newTCP has nothing better than a plain net.Conn.
func newTCP(*net.TCPConn) Link { return nil }
