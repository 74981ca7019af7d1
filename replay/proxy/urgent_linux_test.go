package proxy

import (
	"io"
	"syscall"
	"testing"
	"time"

	"github.com/iwarpkit/iwarp/codec/mpa"
)

// Urgent data stays urgent, in its place, and rules hold nothing back before it.
func TestUrgent(t *testing.T) {
	t.Run("spliced", func(t *testing.T) { urgent(t, Config{}) })
	t.Run("read", func(t *testing.T) { urgent(t, Config{Tap: func(*Traffic) {}}) })
	t.Run("with rules", func(t *testing.T) { urgent(t, Config{Rules: []*Rule{mustParse(t, "type == Send", "drop")}}) })
}

func urgent(t *testing.T, c Config) {
	begin := mpa.RequestKey[:9]
	client, server := through(t, loopback, loopback, c)
	raw, _ := server.SyscallConn()
	raw.Control(func(fd uintptr) { syscall.SetsockoptInt(int(fd), syscall.SOL_SOCKET, syscall.SO_OOBINLINE, 1) })
	client.Write([]byte(begin))
	raw, _ = client.SyscallConn()
	raw.Control(func(fd uintptr) { syscall.SendmsgN(int(fd), []byte("!"), nil, nil, syscall.MSG_OOB) })
	client.Write([]byte("after"))
	client.CloseWrite()
	time.Sleep(100 * time.Millisecond)
	b := make([]byte, 100)
	n, _ := server.Read(b) // a read stops before urgent data
	rest, err := io.ReadAll(server)
	if string(b[:n]) != begin || string(rest) != "!after" || err != nil {
		t.Errorf("%q, %q, %v", b[:n], rest, err)
	}
}
