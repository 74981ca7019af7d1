package cli

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/iwarpkit/iwarp/cmd/internal/exit"
)

// A background is a command that runs until it is stopped.
type background struct {
	stop  context.CancelFunc
	ended chan outcome
	first string // of these lines
}

// start starts a command and waits for the first line of its output that holds some words.
func start(t testing.TB, words string, args ...string) *background {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	b := &background{stop: stop, ended: make(chan outcome, 1)}
	r, w := io.Pipe()
	lines := make(chan string, 1)
	var out, errs bytes.Buffer
	var reading sync.WaitGroup
	reading.Go(func() {
		in := bufio.NewReader(r)
		for {
			line, err := in.ReadString('\n')
			out.WriteString(line)
			if strings.Contains(line, words) || err != nil {
				lines <- line
				break
			}
		}
		io.Copy(&out, in)
	})
	go func() {
		code := Main(ctx, &Streams{In: strings.NewReader(""), Out: w, Err: &errs, Env: func(string) string { return "" }}, args)
		w.Close()
		reading.Wait()
		b.ended <- outcome{code, out.String(), errs.String()}
	}()
	t.Cleanup(stop)
	b.first = <-lines
	return b
}

// finish stops the command and returns what came of it.
func (b *background) finish() outcome {
	b.stop()
	return <-b.ended
}

func TestServeIsInterrupted(t *testing.T) {
	s := start(t, "", "serve")
	address := strings.TrimSpace(s.first)
	p := start(t, "seq=0", "ping", "--interval", "1h", address)
	got := p.finish()
	if got.code != exitInterrupted || !strings.Contains(got.out, "\n1 ping, 1 answered, 0 wrong\nmin/mean/p50/p99/max ") {
		t.Errorf("ping: %+v", got)
	}
	p = start(t, "seq=0", "ping", "--interval", "1h", address)
	if got := s.finish(); got.code != exitInterrupted || !strings.Contains(got.err, "2 connections served") {
		t.Errorf("serve: %+v", got)
	}
	if got := <-p.ended; got.code != exit.Findings || !strings.Contains(got.err, "the peer closed the connection") {
		t.Errorf("ping of a server that ends: %+v", got)
	}
}

// A server whose lines nobody reads any more ends.
func TestServeIntoAClosedPipe(t *testing.T) {
	r, w := io.Pipe()
	lines := make(chan string, 1)
	go func() {
		line, _ := bufio.NewReader(r).ReadString('\n')
		r.CloseWithError(syscall.EPIPE)
		lines <- line
	}()
	codes := make(chan int)
	go func() {
		codes <- Main(t.Context(), &Streams{Out: w, Err: io.Discard, Env: func(string) string { return "" }}, []string{"serve", "-o", "json"})
	}()
	var listening struct{ Address string }
	if err := json.Unmarshal([]byte(<-lines), &listening); err != nil {
		t.Fatal(err)
	}
	run(t.Context(), nil, false, nil, "ping", "-c", "1", listening.Address)
	if code := <-codes; code != exit.OK {
		t.Errorf("exit code %d", code)
	}
}

func TestBenchIsInterrupted(t *testing.T) {
	s := start(t, "", "serve", "--service", "memory")
	b := start(t, "", "bench", "--op", "read", "--measure", "lat", "--iters", "10000000", "-o", "csv", strings.TrimSpace(s.first))
	if got := b.finish(); got.code != exitInterrupted || !strings.HasPrefix(got.out, "op,measure,") || strings.Count(got.out, "\n") != 1 {
		t.Errorf("bench: %+v", got)
	}
}

// TestLiveObjectsAreDocumented checks whether docs/json.md has every key of what serve, ping and bench tell.
func TestLiveObjectsAreDocumented(t *testing.T) {
	words := documented(t)
	missing := map[string]bool{}
	look := func(lines string) {
		d := json.NewDecoder(strings.NewReader(lines))
		for {
			var object any
			if err := d.Decode(&object); err == io.EOF {
				return
			} else if err != nil {
				t.Fatalf("%v in %s", err, lines)
			}
			for key := range keys(object) {
				if !words[key] {
					missing[key] = true
				}
			}
		}
	}
	for _, service := range []string{"sink", "rping"} {
		s := start(t, "", "serve", "--service", service, "-o", "json")
		var listening struct{ Address string }
		if err := json.Unmarshal([]byte(s.first), &listening); err != nil {
			t.Fatal(err)
		}
		look(run(t.Context(), nil, false, nil, "bench", "--op", "send,immediate,write", "--iters", "5", "-o", "json", listening.Address).out)
		look(run(t.Context(), nil, false, nil, "ping", "-c", "1", "--timeout", "100ms", "-o", "json", listening.Address).out)
		look(s.finish().out)
	}
	for _, form := range []any{terminate{}, pingReport{}, pingLatency{}, benchReport{}, benchResult{}, benchOffer{}} {
		for _, f := range reflect.VisibleFields(reflect.TypeOf(form)) {
			key, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			if key != "" && !words[key] {
				missing[key] = true
			}
		}
	}
	if len(missing) > 0 {
		t.Errorf("docs/json.md does not have %v", slices.Sorted(maps.Keys(missing)))
	}
	for _, column := range benchColumns {
		if !words[column] {
			t.Errorf("docs/json.md does not have the column %s", column)
		}
	}
}

func TestSizes(t *testing.T) {
	for _, test := range []struct {
		text  string
		value uint64
		ok    bool
	}{
		{"0", 0, true}, {"1", 1, true}, {"4096", 4096, true}, {"4k", 4096, true}, {"4K", 4096, true}, {"1M", 1 << 20, true},
		{"3g", 3 << 30, true}, {"1T", 1 << 40, true}, {"", 0, false}, {"k", 0, false}, {"-1", 0, false}, {"1.5M", 0, false},
		{"1kk", 0, false}, {"99999999T", 0, false}, {"9223372036854775808", 0, false}, {"1`", 0, false},
	} {
		got, err := parseSize(test.text)
		if got != test.value || (err == nil) != test.ok {
			t.Errorf("%q: %d, %v", test.text, got, err)
		}
		if again, err := parseSize(sizeText(got)); again != got || err != nil {
			t.Errorf("%d is written as %q", got, sizeText(got))
		}
	}
}

func TestPeerAddress(t *testing.T) {
	for text, want := range map[string]string{
		"10.0.0.2": "10.0.0.2:7174", "10.0.0.2:80": "10.0.0.2:80", "host": "host:7174", "host:1": "host:1", "::1": "[::1]:7174",
		"[::1]": "[::1]:7174", "[::1]:5": "[::1]:5", "": "", ":7": "", "host:": "", "host:x": "", "a:b:c": "", "host:65536": "",
	} {
		got, err := peerAddress(text)
		if got != want || (err == nil) != (want != "") {
			t.Errorf("%q: %q, %v, want %q", text, got, err, want)
		}
	}
}
