package cli

// Errors about connections that were not established, or ended early.

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net"
	"os"
	"strconv"
	"strings"
	"syscall"

	"github.com/iwarpkit/iwarp/cmd/internal/exit"
	"github.com/iwarpkit/iwarp/cmd/internal/usage"
	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/internal/printable"
	"github.com/iwarpkit/iwarp/rnicsim"
	"github.com/iwarpkit/iwarp/rnicsim/driver"
)

// defaultPort is that of rping.
const defaultPort = "7174"

// peerAddress reads HOST:PORT. The port may be left out.
func peerAddress(s string) (string, error) { return peerAddressAt(s, defaultPort) }

// peerAddressAt reads HOST:PORT, with another default port.
func peerAddressAt(s, usual string) (string, error) {
	if host := strings.Trim(s, "[]"); net.ParseIP(host) != nil || !strings.Contains(s, ":") {
		s = net.JoinHostPort(host, usual)
	}
	host, port, err := net.SplitHostPort(s)
	if err != nil || host == "" {
		return "", fmt.Errorf("%q: want HOST, HOST:PORT or [IPV6]:PORT", s)
	}
	if err := checkPort(s, port); err != nil {
		return "", err
	}
	return s, nil
}

// checkListen returns what is wrong with an address to listen on.
func checkListen(s string) error {
	_, port, err := net.SplitHostPort(s)
	if err != nil {
		return fmt.Errorf("%q: want ADDRESS:PORT to listen on", s)
	}
	return checkPort(s, port)
}

// checkPort returns what is wrong with the number or name of a TCP port in an address.
func checkPort(s, port string) error {
	if n, err := strconv.ParseUint(port, 10, 64); err == nil && n > math.MaxUint16 {
		return fmt.Errorf("%q: port %s is above %d", s, port, math.MaxUint16)
	}
	if _, err := net.LookupPort("tcp", port); err != nil || port == "" {
		return fmt.Errorf("%q: want a port from 1 to %d after the last colon", s, math.MaxUint16)
	}
	return nil
}

// unreachable is the failure of a connection that was not established.
func unreachable(address string, err error) error {
	if errors.Is(err, driver.ErrIdle) { // one of several equal time-outs, which came first
		err = context.DeadlineExceeded
	}
	return &exit.Failure{Code: exit.Unreadable, Err: fmt.Errorf("%s: %w%s", address, worded(err), hint(address, err))}
}

// hint says what to do about an error of a connection to an address, after its words; empty if nothing is known.
func hint(address string, err error) string {
	switch {
	case errors.Is(err, syscall.ECONNREFUSED):
		return ": nothing listens there; start iwarp serve --listen " + address + ", or check the port"
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, rnicsim.ErrTimeout):
		return " (--timeout)"
	case errors.Is(err, rnicsim.ErrRev):
		return " (--rev)"
	}
	return ""
}

// endedEarly is the failure of a connection that ended early, or of a peer that misbehaves.
func endedEarly(address string, err error) error {
	return &exit.Failure{Code: exit.Findings, Err: fmt.Errorf("%s: %w%s", address, worded(err), hint(address, err))}
}

// worded words an error for users, without the names of packages.
func worded(err error) error {
	var (
		rejected *driver.Rejected
		end      *driver.Terminated
		call     *net.OpError
		system   *os.SyscallError
		lookup   *net.DNSError
	)
	switch {
	case errors.As(err, &rejected):
		words := "the peer rejects the connection" + lacking(rejected)
		if private := rejected.Reply.ULPPrivateData(); len(private) > 0 {
			words += ", with the Private Data " + string(appendPrivate(nil, private))
		}
		return errors.New(words)
	case errors.As(err, &end):
		return errors.New(usage.Plain(end))
	case errors.Is(err, rnicsim.ErrKey):
		return errors.New("the peer does not speak iWARP: what it sends is not an MPA frame")
	case errors.Is(err, net.ErrClosed):
		return errors.New("the connection is closed")
	case errors.Is(err, context.Canceled):
		return errors.New("interrupted")
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, rnicsim.ErrTimeout):
		return errors.New("no answer in time")
	case errors.Is(err, syscall.EADDRINUSE):
		return errors.New("another program, perhaps an earlier iwarp serve, listens there: stop it or choose another port")
	case errors.Is(err, syscall.EADDRNOTAVAIL) && errors.As(err, &call) && call.Op == "listen":
		return errors.New("this host does not have that address")
	case errors.Is(err, syscall.ECONNRESET):
		return errors.New("reset by the peer")
	case errors.As(err, &system):
		return system.Err
	case errors.As(err, &lookup):
		return errors.New(lookup.Err)
	case errors.As(err, &call):
		return call.Err
	}
	return errors.New(usage.Plain(err))
}

// lacking says which IRD or ORD may be the reason of a rejection.
func lacking(r *driver.Rejected) string {
	var asked, has mpa.Enhanced
	switch {
	case !r.Request.Enhanced(&asked) || !r.Reply.Enhanced(&has):
	case asked.ORD != mpa.NotNegotiated && asked.ORD > has.IRD:
		return fmt.Sprintf(": it accepts %s at a time, but --ord asks for %d", counted(uint64(has.IRD), "RDMA Read"), asked.ORD)
	case asked.IRD == 0 && has.ORD > 0:
		return ": it needs RDMA Reads from here, but --ird is 0"
	}
	return ""
}

// appendPrivate appends Private Data as hexadecimal digits and, if it is text, in quotation marks.
func appendPrivate(b, private []byte) []byte {
	b = fmt.Appendf(b, "%x", private)
	if s := strings.TrimRight(string(private), "\x00"); s != "" && isText(s) {
		b = append(b, ` "`...)
		b = append(printable.Append(b, s), '"')
	}
	return b
}

// isText reports whether s has printable characters and white space only.
func isText(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r < ' ' && r != '\t' && r != '\n' || r == '\uFFFD' || r == 0x7f })
}
