package proxy

import (
	"io"
	"syscall"
	"testing"
	"time"
)

// Urgent data stays urgent, in its place.
func TestUrgent(t *testing.T) {
	client, server := through(t, loopback, loopback, Config{})
	raw, _ := server.SyscallConn()
	raw.Control(func(fd uintptr) { syscall.SetsockoptInt(int(fd), syscall.SOL_SOCKET, syscall.SO_OOBINLINE, 1) })
	client.Write([]byte("before"))
	raw, _ = client.SyscallConn()
	raw.Control(func(fd uintptr) { syscall.SendmsgN(int(fd), []byte("!"), nil, nil, syscall.MSG_OOB) })
	client.Write([]byte("after"))
	client.CloseWrite()
	time.Sleep(100 * time.Millisecond)
	b := make([]byte, 100)
	n, _ := server.Read(b) // a read stops before urgent data
	rest, err := io.ReadAll(server)
	if string(b[:n]) != "before" || string(rest) != "!after" || err != nil {
		t.Errorf("%q, %q, %v", b[:n], rest, err)
	}
}
