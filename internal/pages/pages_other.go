//go:build !(linux || darwin || freebsd || netbsd || openbsd)

package pages

// Make returns n octets, all zero, and a function that frees them. Nobody may use them after that.
func Make(n int) (b []byte, free func()) { return make([]byte, n), func() {} }
