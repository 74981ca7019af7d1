//go:build unix

package driver

import "syscall"

// openFiles returns how many files may be open, after raising the limit if the system permits.
func openFiles() int {
	files := syscall.Rlimit{Cur: 1 << 16, Max: 1 << 16}
	if syscall.Setrlimit(syscall.RLIMIT_NOFILE, &files) != nil {
		syscall.Getrlimit(syscall.RLIMIT_NOFILE, &files)
	}
	return int(files.Cur)
}
