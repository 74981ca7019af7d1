//go:build unix

package driver

import "syscall"

// openFiles is how many files may be open; more than before, if the system lets that be changed.
func openFiles() int {
	files := syscall.Rlimit{Cur: 1 << 16, Max: 1 << 16}
	if syscall.Setrlimit(syscall.RLIMIT_NOFILE, &files) != nil {
		syscall.Getrlimit(syscall.RLIMIT_NOFILE, &files)
	}
	return int(files.Cur)
}
