//go:build linux || darwin || freebsd || netbsd || openbsd

package pages

import "syscall"

// Make returns n octets, all zero, and a function that frees them. Nobody may use them after that.
func Make(n int) (b []byte, free func()) {
	if n == 0 {
		return nil, func() {}
	}
	b, err := syscall.Mmap(-1, 0, n, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		return make([]byte, n), func() {}
	}
	return b, func() { syscall.Munmap(b) }
}
