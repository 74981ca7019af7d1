package dissect_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/iwarpkit/iwarp/dissect"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/pcaps"
	"github.com/iwarpkit/iwarp/pcaps/samples"
)

// A breaking source breaks off with an error after so many packets.
type breaking struct {
	dissect.Source
	packets int
	err     error
}

func (b *breaking) Next(packet *pcaps.Record) error {
	if b.packets--; b.packets < 0 {
		return b.err
	}
	return b.Source.Next(packet)
}

func sample(t *testing.T, name string) dissect.Source {
	t.Helper()
	r, err := samples.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestRecords compares a loop with a Sink.
func TestRecords(t *testing.T) {
	var want, got []string
	sink := record.SinkFunc(func(r *record.Record) { want = append(want, r.Kind.String()) })
	if err := dissect.NewEngine(sink, dissect.Options{}).Run(context.Background(), sample(t, "rping")); err != nil {
		t.Fatal(err)
	}
	for r, err := range dissect.Records(context.Background(), sample(t, "rping"), dissect.Options{}) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, r.Kind.String())
	}
	if strings.Join(got, " ") != strings.Join(want, " ") || len(got) < 10 {
		t.Errorf("a loop has %q, a Sink %q", got, want)
	}
}

// TestRecordsBreak leaves a loop after each of the Records: nothing comes after that.
func TestRecordsBreak(t *testing.T) {
	for most := 1; ; most++ {
		n := 0
		for range dissect.Records(context.Background(), sample(t, "rping"), dissect.Options{}) {
			if n++; n == most {
				break
			}
		}
		if n < most {
			return
		}
	}
}

// TestRecordsFail has a source that fails, and a context that is done: the end of the connection comes, then the error.
func TestRecordsFail(t *testing.T) {
	broke := errors.New("broke")
	for _, test := range []struct {
		packets int
		want    error
	}{{20, broke}, {1 << 20, context.Canceled}} {
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		var last *record.Record
		var failed error
		for r, err := range dissect.Records(ctx, &breaking{sample(t, "rping"), test.packets, broke}, dissect.Options{}) {
			if failed != nil {
				t.Fatalf("%v came after %v", r, failed)
			}
			if failed = err; err == nil {
				last = r.Clone()
				if test.want != broke {
					cancel()
				}
			}
		}
		if failed != test.want || last == nil || last.Kind != record.KindEnd {
			t.Errorf("error %v, last Record %+v", failed, last)
		}
	}
}

// TestMessagesOfAFile counts the messages of a file, and reads one that is none.
func TestMessagesOfAFile(t *testing.T) {
	file, err := samples.Files.Open("rping.pcap")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	n := 0
	for m, err := range dissect.Messages(context.Background(), file) {
		if err != nil || !m.Complete {
			t.Fatalf("%+v: %v", m, err)
		}
		n++
	}
	if n < 10 {
		t.Errorf("%d messages", n)
	}
	for m, err := range dissect.Messages(context.Background(), strings.NewReader("no capture")) {
		if m != nil || !errors.Is(err, pcaps.ErrFormat) {
			t.Errorf("%v, %v", m, err)
		}
	}
}
