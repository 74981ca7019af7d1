//go:build !linux

package link

import (
	"net"
	"syscall"
)

// newTCP has nothing better than a plain net.Conn.
func newTCP(*net.TCPConn) Link { return nil }

// Unpaced is the Control of a net.Dialer or net.ListenConfig. It does nothing: other systems pace nothing on loopback.
func Unpaced(_, _ string, _ syscall.RawConn) error { return nil }

// Peek cannot look at octets without taking them.
func Peek(*net.TCPConn, []byte, func([]byte) bool) (n int, can bool) { return 0, false }
