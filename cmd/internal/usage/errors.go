package usage

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"syscall"
)

// packages are those whose errors begin with their names.
var packages = []string{
	"client", "conform", "driver", "ends", "fault", "field", "filter", "fleet", "flow", "kernlog", "nats", "pcaps", "proxy", "rdmap", "record", "rfc",
	"rnicsim", "rpc", "rpcclient", "samples", "service", "tcpip",
}

// Plain is the text of an error for users: without the names of packages and system calls, which it and the errors that it wraps may begin
// with.
func Plain(err error) string {
	switch system := err.(type) { //nolint:errorlint // one that is wrapped is a part of the text
	case *fs.PathError:
		return cmp.Or(system.Path, `""`) + ": " + Plain(system.Err)
	case *os.SyscallError:
		return Plain(system.Err)
	}
	text := err.Error()
	for _, inner := range wrapped(err) {
		if was := inner.Error(); was != "" {
			if at := strings.LastIndex(text, was); at >= 0 {
				text = text[:at] + Plain(inner) + text[at+len(was):]
			}
		}
	}
	for {
		name, rest, ok := strings.Cut(text, ": ")
		if !ok || !slices.Contains(packages, name) {
			return text
		}
		text = rest
	}
}

// wrapped are the errors that an error wraps.
func wrapped(err error) []error {
	switch e := err.(type) { //nolint:errorlint // each is asked in turn
	case interface{ Unwrap() error }:
		if inner := e.Unwrap(); inner != nil {
			return []error{inner}
		}
	case interface{ Unwrap() []error }:
		return e.Unwrap()
	}
	return nil
}

// Unwritten says that a file or a folder cannot be written.
func Unwritten(name string, err error) error {
	if path := (*fs.PathError)(nil); errors.As(err, &path) {
		err = path.Err
	}
	if link := (*os.LinkError)(nil); errors.As(err, &link) {
		err = link.Err
	}
	switch {
	case errors.Is(err, fs.ErrNotExist): // it would be created
		err = errors.New("there is no such folder")
	case errors.Is(err, fs.ErrExist):
		err = errors.New("it exists; choose a new name")
	case errors.Is(err, syscall.EISDIR):
		err = errors.New("it is a folder")
	}
	return fmt.Errorf("cannot write %s: %w", name, err)
}
