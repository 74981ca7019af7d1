//go:build amd64 || arm64

package proxy

import (
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"syscall"
	"testing"
	"unsafe"

	"github.com/iwarpkit/iwarp/codec/mpa"
)

// window returns how many octets TCP may send ahead, as its peer says.
func window(t *testing.T, nc *net.TCPConn) (octets int) {
	t.Helper()
	const at = 228 // tcpi_snd_wnd of the kernel's struct tcp_info
	raw, _ := nc.SyscallConn()
	raw.Control(func(fd uintptr) {
		var info [at + 4]byte
		n := uint32(len(info))
		_, _, e := syscall.Syscall6(syscall.SYS_GETSOCKOPT, fd, syscall.IPPROTO_TCP, syscall.TCP_INFO, uintptr(unsafe.Pointer(&info)), uintptr(unsafe.Pointer(&n)), 0)
		if e == 0 && n == uint32(len(info)) {
			octets = int(binary.NativeEndian.Uint32(info[at:]))
		}
	})
	if octets == 0 {
		t.Skip("the kernel does not say")
	}
	return octets
}

// With a rule, a side is soon offered a small window. The first one has 64 KiB or so.
func TestWindow(t *testing.T) {
	const small = 20_000 // TCP rounds it
	client, server := through(t, loopback, loopback, Config{Rules: []*Rule{mustParse(t, "type == Send", fmt.Sprintf("window=%d:once", small))}})
	exchange(t, client, server, mpa.Frame{Rev: mpa.Rev1})
	exchange(t, server, client, mpa.Frame{Reply: true, Rev: mpa.Rev1})
	var framer mpa.Framer
	octets, _ := framer.Append(nil, speech()[0])
	const times = 10_000 // far more than the first window
	go func() {
		for range times {
			client.Write(octets)
		}
	}()
	if _, err := io.CopyN(io.Discard, server, int64(times*len(octets))); err != nil {
		t.Error(err)
	}
	if n := window(t, client); n > 2*small {
		t.Errorf("a window of %d octets", n)
	}
}
