package cli

// Where output goes, and input comes from. The first error of an output ends the command, and the other end of a pipe
// cannot keep it from ending.

import (
	"context"
	"errors"
	"io"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/iwarpkit/iwarp/cmd/internal/usage"
)

// A wait tells whether a command waits for somebody else: while turns is odd. Each wait has its own number. It knows no time, so that there can
// be one for each packet.
type wait struct{ turns atomic.Uint64 }

func (w *wait) begin() { w.turns.Store((w.turns.Load() + 1) | 1) }
func (w *wait) end()   { w.turns.Store((w.turns.Load() + 1) &^ 1) }

// A seen wait is the number of one that goes on, and since when it has been seen.
type seen struct {
	turn  uint64
	since time.Time
}

// An outlet is a writer of a command.
type outlet struct {
	io.Writer
	wait
	name string            // for people, of one whose errors do not name it
	mu   sync.Mutex        // held while it writes
	lose func(error) error // nil if errors do not matter
}

// outlets are all that a command writes to, and what it waits for besides.
type outlets struct {
	mu    sync.Mutex
	waits []*wait
	lost  error // the first error
	stop  func()

	running context.Context // of the command
	read    []os.FileInfo   // the files that it reads

	creating sync.Mutex // held for good when the command is abandoned
	begun    []string   // names of files that may not be complete
}

// begin creates a file that has another name when it is complete.
func (o *outlets) begin(on Disk, name string) (File, error) {
	o.creating.Lock()
	defer o.creating.Unlock()
	o.begun = append(o.begun, name)
	return on.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
}

// abandon removes the files that are not complete, because nobody waits for the command any more. It creates no further ones. A disk that
// takes too long to create one keeps its files.
func (o *outlets) abandon(from Disk) {
	for end := time.Now().Add(patient); !o.creating.TryLock(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			return
		}
	}
	for _, name := range o.begun {
		from.Remove(name) // most are gone
	}
}

// outlet returns w as a writer whose first error ends the command.
func (a *app) outlet(w io.Writer) io.Writer { return a.outlets.add(&outlet{Writer: w, lose: a.lose}) }

func (o *outlets) add(out *outlet) *outlet {
	o.watch(&out.wait)
	return out
}

func (o *outlets) watch(w *wait) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.waits = append(o.waits, w)
}

func (o *outlets) newWait() *wait {
	w := new(wait)
	w.begin()
	o.watch(w)
	return w
}

// An inlet is a file that is read until its command has to end. It may be a pipe, which waits for its writer.
type inlet struct {
	*os.File
	*wait
	over  <-chan struct{} // closed when the command has to end
	begun bool
}

// open opens a file to read it.
func (o *outlets) open(name string) (*inlet, error) {
	w := o.newWait()
	defer w.end()
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	o.reads(file.Stat())
	return &inlet{File: file, wait: w, over: o.running.Done()}, nil
}

// reads notes a file that is read, so that it is not an output too.
func (o *outlets) reads(info os.FileInfo, err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if err == nil && info.Mode().IsRegular() {
		o.read = append(o.read, info)
	}
}

// isRead reports whether a file is one that is read.
func (o *outlets) isRead(info os.FileInfo) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return slices.ContainsFunc(o.read, func(in os.FileInfo) bool { return os.SameFile(in, info) })
}

func (i *inlet) Read(b []byte) (int, error) {
	select {
	case <-i.over:
		if i.begun { // its first octets say what it is
			return 0, io.EOF
		}
	default:
	}
	i.begun = true
	i.begin()
	defer i.end()
	return i.File.Read(b)
}

// lose ends the command because something could not be written. It returns the failure.
func (o *outlets) lose(err error) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.lost == nil {
		o.lost = err
		o.stop()
	}
	return unreadable(err)
}

// lostBy returns the first error of an output. If a reader has closed it, that is not an error, and reported as closed.
func (o *outlets) lostBy() (closed bool, err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if errors.Is(o.lost, syscall.EPIPE) {
		return true, nil
	}
	return false, o.lost
}

func (o *outlet) Write(b []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.begin()
	defer o.end()
	n, err := o.Writer.Write(b)
	if err != nil && o.name != "" {
		err = usage.Unwritten(o.name, err)
	}
	if err != nil && o.lose != nil {
		o.lose(err)
	}
	return n, err
}

// patient is how long a read or write may take when the user wants the command to end.
const patient = 500 * time.Millisecond

// stuck waits until done is closed. It reports true earlier if ctx is done and the command has waited for somebody else for too long, or has
// to end at once.
func (o *outlets) stuck(ctx context.Context, atOnce, done <-chan struct{}) bool {
	select {
	case <-ctx.Done():
	case <-done:
		return false
	}
	tick := time.NewTicker(patient / 5)
	defer tick.Stop()
	waits := make(map[*wait]seen)
	for {
		select {
		case <-tick.C:
		case <-atOnce:
			return true
		case <-done:
			return false
		}
		if o.waiting(waits) > patient {
			return true
		}
	}
}

// waiting returns for how long the slowest read or write has been seen that is not over. It notes what it sees in all.
func (o *outlets) waiting(all map[*wait]seen) (longest time.Duration) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, w := range o.waits {
		switch turn := w.turns.Load(); {
		case turn%2 == 0:
			delete(all, w)
		case all[w].turn != turn:
			all[w] = seen{turn, time.Now()}
		default:
			longest = max(longest, time.Since(all[w].since))
		}
	}
	return longest
}
