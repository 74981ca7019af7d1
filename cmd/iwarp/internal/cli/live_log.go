package cli

// The log of commands that make connections: notes on standard error, with times.

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"sync"
	"time"
)

// A liveLog prints lines of a log. Its methods may be called concurrently. It is also a slog.Handler, for the packages that
// make the connections.
type liveLog struct {
	mu     sync.Mutex
	w      io.Writer
	second time.Time // when lines was reset
	lines  int       // printed by sparsely since then
	more   uint64    // that sparsely left out
}

func newLiveLog(a *app) *liveLog {
	if a.quiet {
		return &liveLog{w: io.Discard}
	}
	return &liveLog{w: a.Err}
}

// of returns the logger for packages, with -v only: it repeats much of what commands print.
func (l *liveLog) of(verbose bool) *slog.Logger {
	if verbose {
		return slog.New(l)
	}
	return nil
}

// note prints a line.
func (l *liveLog) note(format string, args ...any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.print(fmt.Sprintf(format, args...))
}

// print prints a line, after the count of those left out. mu is held.
func (l *liveLog) print(words string) {
	at := time.Now().Format("15:04:05.000")
	if l.more > 0 && time.Since(l.second) >= time.Second {
		fmt.Fprintf(l.w, "note: %s %s not accepted\n", at, counted(l.more, "more connection"))
		l.more = 0
	}
	fmt.Fprintf(l.w, "note: %s %s\n", at, shown(words))
}

// perSecond limits the lines that peers can cause at will.
const perSecond = 10

// sparsely prints a line about a connection that was not accepted, unless there were too many.
func (l *liveLog) sparsely(words string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if now := time.Now(); now.Sub(l.second) >= time.Second {
		l.print(words)
		l.second, l.lines = now, 1
		return
	}
	if l.lines++; l.lines <= perSecond {
		l.print(words)
	} else {
		l.more++
	}
}

// last prints the last line, which has no time.
func (l *liveLog) last(format string, args ...any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.more > 0 {
		fmt.Fprintf(l.w, "note: %s not accepted\n", counted(l.more, "more connection"))
	}
	fmt.Fprintf(l.w, format+"\n", args...)
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
	l.note("%s%s", conn, words)
	return nil
}

// WithAttrs implements slog.Handler; nothing uses it.
func (l *liveLog) WithAttrs([]slog.Attr) slog.Handler { return l }

// WithGroup implements slog.Handler; nothing uses it.
func (l *liveLog) WithGroup(string) slog.Handler { return l }

// rounded rounds a time to about three digits.
func rounded(t time.Duration) time.Duration {
	unit := time.Microsecond
	for t/unit >= 1000 {
		unit *= 10
	}
	return t.Round(unit)
}
