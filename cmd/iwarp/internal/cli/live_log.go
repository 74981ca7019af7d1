package cli

// The log of commands that make connections: notes on standard error, with times.

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
)

// A liveLog prints lines of a log. Its methods may be called concurrently. It is also a slog.Handler, for the packages that
// make the connections.
type liveLog struct {
	*lineQueue
	w, out io.Writer
	json   bool // with -o json
}

// newLiveLog returns a log for a format of the output. schema is that of its lines of JSON, if there are any.
func newLiveLog(a *app, schema, format string) *liveLog {
	l := &liveLog{newLineQueue(schema), a.Err, a.Out, format == "json"}
	if a.quiet {
		l.w = io.Discard
	}
	return l
}

// of returns the logger for packages, with -v only: it repeats much of what commands print.
func (l *liveLog) of(verbose bool) *slog.Logger {
	if verbose {
		return slog.New(l)
	}
	return nil
}

// event prints a line of JSON, with -o json.
func (l *liveLog) event(name string, line any) {
	if l.json {
		l.printJSON(l.out, name, line)
	}
}

// address prints an address that is listened on, without -o json.
func (l *liveLog) address(at net.Addr) {
	if !l.json {
		l.print(l.out, "address", fmt.Appendln(nil, at), nil)
	}
}

// note prints a line of a kind.
func (l *liveLog) note(kind, format string, args ...any) {
	l.printNote(l.w, kind, fmt.Sprintf(format, args...))
}

// warn says what others than this host can reach.
func (l *liveLog) warn(at net.Addr, what string) {
	if isPublic(at) {
		l.note("first", "whoever reaches %v reaches %s: there is no authentication", at, what)
	}
}

// isPublic reports whether others than this host can reach an address.
func isPublic(a net.Addr) bool {
	tcp, ok := a.(*net.TCPAddr)
	return ok && !tcp.IP.IsLoopback()
}

// last prints the last line, which has no time.
func (l *liveLog) last(format string, args ...any) {
	l.close(line{l.w, fmt.Appendf(nil, format+"\n", args...)})
}

// Enabled implements slog.Handler.
func (l *liveLog) Enabled(context.Context, slog.Level) bool { return true }

// Handle implements slog.Handler. Lines begin with the number of the connection.
func (l *liveLog) Handle(_ context.Context, r slog.Record) error {
	conn, words := "", r.Message
	r.Attrs(func(a slog.Attr) bool {
		switch a.Key {
		case "conn":
			conn = fmt.Sprintf("connection %v: ", a.Value)
		case "error":
			words += fmt.Sprintf(": %v", worded(errors.New(a.Value.String())))
		default:
			words += fmt.Sprintf(", %s %v", a.Key, a.Value)
		}
		return true
	})
	l.note(r.Message, "%s%s", conn, words)
	return nil
}

// WithAttrs implements slog.Handler; nothing uses it.
func (l *liveLog) WithAttrs([]slog.Attr) slog.Handler { return l }

// WithGroup implements slog.Handler; nothing uses it.
func (l *liveLog) WithGroup(string) slog.Handler { return l }
