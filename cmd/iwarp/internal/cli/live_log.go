package cli

// The log of commands that make connections: notes on standard error, with the time in front.

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"sync"
	"time"
)

// A liveLog prints lines of a log. Its functions may be called at once. It is a slog.Handler too, for the packages that
// make the connections.
type liveLog struct {
	mu     sync.Mutex
	w      io.Writer
	second time.Time // when those that are printed sparsely were counted anew
	lines  int       // of these since then
	more   uint64    // that were not printed
}

func newLiveLog(a *app) *liveLog {
	if a.quiet {
		return &liveLog{w: io.Discard}
	}
	return &liveLog{w: a.Err}
}

// of is what a package logs to that makes connections, if that is wanted: it repeats much of what commands tell.
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

// print prints a line, and before it how many were not. mu is held.
func (l *liveLog) print(words string) {
	at := time.Now().Format("15:04:05.000")
	if l.more > 0 && time.Since(l.second) >= time.Second {
		fmt.Fprintf(l.w, "note: %s %s not accepted\n", at, counted(l.more, "more connection"))
		l.more = 0
	}
	fmt.Fprintf(l.w, "note: %s %s\n", at, shown(words))
}

// perSecond is how many lines are printed of what peers can bring about at will.
const perSecond = 10

// sparsely prints a line about a connection that was not accepted, unless there are too many.
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

// Enabled is of slog.Handler: all is printed.
func (l *liveLog) Enabled(context.Context, slog.Level) bool { return true }

// Handle is of slog.Handler. The number of a connection stands in front, as in all lines.
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

// WithAttrs is of slog.Handler; nobody has any here.
func (l *liveLog) WithAttrs([]slog.Attr) slog.Handler { return l }

// WithGroup is of slog.Handler; nobody has any here.
func (l *liveLog) WithGroup(string) slog.Handler { return l }

// rounded is a time with about three digits that count.
func rounded(t time.Duration) time.Duration {
	unit := time.Microsecond
	for t/unit >= 1000 {
		unit *= 10
	}
	return t.Round(unit)
}
