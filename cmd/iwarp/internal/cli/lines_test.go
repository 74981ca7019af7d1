package cli

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/iwarpkit/iwarp/cmd/internal/exit"
)

// Lines that no reader takes are dropped and counted, and nobody waits for them.
func TestLinesOfASlowReader(t *testing.T) {
	taken, release := make(chan struct{}), make(chan struct{})
	var once sync.Once
	slow := writerFunc(func(b []byte) (int, error) {
		once.Do(func() { close(taken) })
		<-release
		return len(b), nil
	})
	q := newLineQueue("iwarp.serve/1")
	q.printNote(slow, "first", "the only line that the reader takes")
	<-taken
	for i := range 10 * maxQueued {
		q.printNote(slow, fmt.Sprint("kind ", i%1000), "something")
	}
	q.close() // the reader goes on only after it
	close(release)
	dropped := uint64(0)
	for _, k := range q.kinds {
		dropped += k.dropped
	}
	if want := uint64(9 * maxQueued); dropped != want {
		t.Errorf("%d dropped, want %d", dropped, want)
	}
}

// Each kind of line has an allowance of its own, and what was left out is said.
func TestLineRate(t *testing.T) { synctest.Test(t, testLineRate) }

func testLineRate(t *testing.T) {
	var b bytes.Buffer
	q := newLineQueue("iwarp.serve/1")
	for range 3000 {
		q.printNote(&b, "much", strings.Repeat("x", 100))
		time.Sleep(time.Microsecond) // for the reader
	}
	q.printNote(&b, "little", "the other kind")
	q.printJSON(&b, "open", q.newLine("open"))
	q.close(line{&b, []byte("the end\n")})
	out := b.String()
	all := strings.Count(out, "xxx\n")
	for _, told := range regexp.MustCompile(`([\d,]+) lines? left out: much\n`).FindAllStringSubmatch(out, -1) {
		n, _ := strconv.Atoi(strings.ReplaceAll(told[1], ",", ""))
		all += n
	}
	if len(out) > lineBurst+1<<10 || all != 3000 || !strings.HasSuffix(out, "\nthe end\n") || !strings.Contains(out, "the other kind\n") || !strings.Contains(out, `"event":"open"`) {
		t.Errorf("%d octets, %d lines, ...%q", len(out), all, out[max(0, len(out)-300):])
	}
}

// However many kinds there are, all lines together have an allowance, too.
func TestLineRateInSum(t *testing.T) { synctest.Test(t, testLineRateInSum) }

func testLineRateInSum(t *testing.T) {
	var b bytes.Buffer
	q := newLineQueue("iwarp.serve/1")
	begin := time.Now()
	for i := range 20_000 {
		q.printNote(&b, fmt.Sprint("kind ", i%20), strings.Repeat("x", 100))
		if i%500 == 0 {
			time.Sleep(time.Millisecond) // for the reader
		}
	}
	took := time.Since(begin)
	q.close()
	told := 20 * 100 // octets of what was left out, at the end
	if most := allBurst + allRate*took.Seconds() + float64(told); float64(b.Len()) > most {
		t.Errorf("%d octets in %v, want at most %.0f", b.Len(), took, most)
	}
}

// A server whose output nobody takes serves on, and ends when it should.
func TestServeWithABlockedReader(t *testing.T) {
	r, w := io.Pipe()
	ctx, interrupt := context.WithCancel(t.Context())
	defer interrupt()
	codes := make(chan int, 1)
	var once sync.Once
	address := make(chan string, 1)
	errs := writerFunc(func(b []byte) (int, error) { // takes one line, which has the address, and then nothing
		once.Do(func() { address <- strings.Fields(strings.SplitN(string(b), "listening on ", 2)[1])[0] })
		return w.Write(b)
	})
	go func() {
		codes <- Main(ctx, &Streams{Out: w, Err: errs, Env: os.Getenv}, []string{"serve", "-v", "-o", "json"})
	}()
	defer r.Close()
	at := strings.TrimSuffix(<-address, ",")
	for range 30 {
		if got := run(t.Context(), nil, false, nil, "ping", "-c", "3", "-i", "0", at); got.code != exit.OK {
			t.Fatalf("%+v", got)
		}
	}
	interrupt()
	if code := <-codes; code != exitInterrupted {
		t.Error(code)
	}
}
