//go:build !linux

package driver

import "net"

// newTCPLink has nothing better than a plainLink.
func newTCPLink(*net.TCPConn) link { return nil }
