//go:build !linux

package link

import "net"

// newTCP has nothing better than a plain net.Conn.
func newTCP(*net.TCPConn) Link { return nil }

// Peek cannot look at octets without taking them.
func Peek(*net.TCPConn, []byte, func([]byte) bool) (n int, can bool) { return 0, false }
