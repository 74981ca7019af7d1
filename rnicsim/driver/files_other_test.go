//go:build !unix

package driver

// openFiles is how many files may be open.
func openFiles() int { return 1 << 16 }
