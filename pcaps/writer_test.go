package pcaps_test

import (
	"bytes"
	"errors"
	"io"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/iwarpkit/iwarp/pcaps"
)

// written returns the file that a writer makes of the records.
func written(t *testing.T, newWriter func(io.Writer) *pcaps.Writer, records ...pcaps.Record) []byte {
	t.Helper()
	var b bytes.Buffer
	w := newWriter(&b)
	for i := range records {
		if err := w.WriteRecord(&records[i]); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func pcapOf(link pcaps.LinkType) func(io.Writer) *pcaps.Writer {
	return func(w io.Writer) *pcaps.Writer { return pcaps.NewPcapWriter(w, link) }
}

func pcapngOf(section pcaps.Section) func(io.Writer) *pcaps.Writer {
	return func(w io.Writer) *pcaps.Writer { return pcaps.NewPcapngWriter(w, section) }
}

func TestPcapWriterOctets(t *testing.T) {
	got := written(t, pcapOf(pcaps.LinkTypeLinuxSLL2),
		pcaps.Record{Time: 1_700_000_000_123_456_789, LinkType: pcaps.LinkTypeLinuxSLL2, Data: []byte("abc"), OrigLen: 60, Comments: []string{"not written"}})
	want := slices.Concat(
		words(little, 0xa1b23c4d, 2|4<<16, 0, 0, 262144, 276),
		words(little, 1_700_000_000, 123_456_789, 3, 60), []byte("abc"),
	)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("file (-want +got):\n%s", diff)
	}
}

func TestPcapngWriterOctets(t *testing.T) {
	got := written(t, pcapngOf(pcaps.Section{Application: "iwarp", Comment: "synthesised"}),
		pcaps.Record{Time: 1<<32 + 7, LinkType: pcaps.LinkTypeRaw, Data: []byte("abc"), OrigLen: 60, Comments: []string{"CRC is wrong", ""}},
		pcaps.Record{Time: 2, LinkType: pcaps.LinkTypeEthernet, Data: []byte("even")},
		pcaps.Record{Time: 3, LinkType: pcaps.LinkTypeRaw},
	)
	nano := slices.Concat(option(little, optTsresol, "\x09"), option(little, 0, ""))
	want := slices.Concat(
		sectionHeader(little, option(little, optComment, "synthesised"), option(little, 4, "iwarp"), option(little, 0, "")),
		interfaceBlock(little, 101, 262144, nano),
		block(little, 6, words(little, 0, 1, 7, 3, 60), pad("abc"),
			option(little, optComment, "CRC is wrong"), option(little, optComment, ""), option(little, 0, "")),
		interfaceBlock(little, 1, 262144, nano),
		block(little, 6, words(little, 1, 0, 2, 4, 4), []byte("even")),
		block(little, 6, words(little, 0, 0, 3, 0, 0)),
	)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("file (-want +got):\n%s", diff)
	}
}

func TestFilesWithoutRecords(t *testing.T) {
	if got, want := written(t, pcapngOf(pcaps.Section{})), sectionHeader(little); !bytes.Equal(got, want) {
		t.Errorf("pcapng % x, want % x", got, want)
	}
	if got := written(t, pcapOf(1)); len(got) != 24 || len(mustRead(t, got)) != 0 {
		t.Errorf("pcap % x, want a header only", got)
	}
}

func TestWrittenIsReadBack(t *testing.T) {
	longest := strings.Repeat("m", pcaps.MaxPacket)
	var records []pcaps.Record
	var want []packet
	for i, data := range []string{"", "a", "ab", "abc", "abcd", longest, "end"} {
		for _, comments := range [][]string{nil, {"one"}, {"", "zwei", "trois…", strings.Repeat("x", 65535)}} {
			rec := pcaps.Record{Time: int64(i) * 1_234_567_890_123, LinkType: 1, Data: []byte(data), OrigLen: len(data) + i, Comments: comments}
			records = append(records, rec)
			want = append(want, keep(&rec))
		}
	}
	for name, newWriter := range map[string]func(io.Writer) *pcaps.Writer{"pcap": pcapOf(1), "pcapng": pcapngOf(pcaps.Section{})} {
		t.Run(name, func(t *testing.T) {
			got := mustRead(t, written(t, newWriter, records...))
			want := slices.Clone(want)
			for i := range got {
				got[i].Offset = 0
				if name == "pcap" {
					want[i].Comments = nil
				}
			}
			expect(t, got, want)
		})
	}
}

func TestWriterFitsWhatItCannotExpress(t *testing.T) {
	records := []pcaps.Record{
		{Time: -1, LinkType: 1, Data: []byte("before 1970")},
		{Time: math.MaxInt64, LinkType: 1, Data: []byte("after 2106"), OrigLen: 3},
	}
	const last = 1<<32*second - 1
	tests := map[string]struct {
		newWriter func(io.Writer) *pcaps.Writer
		times     [2]int64
	}{
		"pcap":   {pcapOf(1), [2]int64{0, last}},
		"pcapng": {pcapngOf(pcaps.Section{}), [2]int64{0, math.MaxInt64}},
	}
	for name, test := range tests {
		got := mustRead(t, written(t, test.newWriter, records...))
		if got[0].Time != test.times[0] || got[1].Time != test.times[1] {
			t.Errorf("%s: times %d and %d, want %d", name, got[0].Time, got[1].Time, test.times)
		}
		if got[1].OrigLen != 10 {
			t.Errorf("%s: original length %d, want that of the data, 10", name, got[1].OrigLen)
		}
	}
}

// A comment is cut to 65535 octets, but not within a character.
func TestWriterCutsComments(t *testing.T) {
	for _, test := range []struct {
		comment string
		want    int
	}{
		{strings.Repeat("x", 70_000), 65535},
		{strings.Repeat("é", 40_000), 65534},
		{"x" + strings.Repeat("é", 40_000), 65535},
		{strings.Repeat("\x80", 70_000), 65531}, // not UTF-8: at most four octets less
	} {
		got := mustRead(t, written(t, pcapngOf(pcaps.Section{}), pcaps.Record{LinkType: 1, Comments: []string{test.comment, "next"}}))
		comments := got[0].Comments
		if len(comments) != 2 || len(comments[0]) != test.want || !strings.HasPrefix(test.comment, comments[0]) || comments[1] != "next" {
			t.Errorf("%d comments, the first of %d octets; want 2 and %d", len(comments), len(comments[0]), test.want)
		}
	}
}

// A record that is refused leaves no trace in the file.
func TestWriterRefuses(t *testing.T) {
	tooLong := pcaps.Record{LinkType: 1, Data: make([]byte, pcaps.MaxPacket+1)}
	chatty := pcaps.Record{LinkType: 229, Comments: slices.Repeat([]string{strings.Repeat("x", 65535)}, 16)}
	good := pcaps.Record{LinkType: 1, Data: []byte("good")}
	tests := []struct {
		name      string
		newWriter func(io.Writer) *pcaps.Writer
		rec       pcaps.Record
		err       error
	}{
		{"long packet in pcap", pcapOf(1), tooLong, pcaps.ErrTooLong},
		{"long packet in pcapng", pcapngOf(pcaps.Section{}), tooLong, pcaps.ErrTooLong},
		{"another link type in pcap", pcapOf(1), pcaps.Record{LinkType: 276}, pcaps.ErrLinkType},
		{"1 MiB of comments in pcapng", pcapngOf(pcaps.Section{}), chatty, pcaps.ErrTooLong},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var b bytes.Buffer
			w := test.newWriter(&b)
			if err := w.WriteRecord(&test.rec); !errors.Is(err, test.err) {
				t.Errorf("error %v, want %v", err, test.err)
			}
			if err := w.WriteRecord(&good); err != nil {
				t.Error(err)
			}
			if err := w.Flush(); err != nil {
				t.Error(err)
			}
			if want := written(t, test.newWriter, good); !bytes.Equal(b.Bytes(), want) {
				t.Errorf("file % x, want % x", b.Bytes(), want)
			}
		})
	}
}

type failingWriter struct{ err error }

func (w failingWriter) Write([]byte) (int, error) { return 0, w.err }

func TestWriterReportsFailure(t *testing.T) {
	full := errors.New("disk full")
	for _, newWriter := range []func(io.Writer) *pcaps.Writer{pcapOf(1), pcapngOf(pcaps.Section{})} {
		w := newWriter(failingWriter{full})
		rec := pcaps.Record{LinkType: 1, Data: make([]byte, 100_000)}
		if err := w.WriteRecord(&rec); !errors.Is(err, full) {
			t.Errorf("WriteRecord: %v, want %v", err, full)
		}
		if err := w.Close(); !errors.Is(err, full) {
			t.Errorf("Close: %v, want %v", err, full)
		}
	}
}

func TestWriteRecordDoesNotAllocate(t *testing.T) {
	rec := pcaps.Record{Time: 1, LinkType: 1, Data: make([]byte, 1500), Comments: []string{"a comment"}}
	for name, newWriter := range map[string]func(io.Writer) *pcaps.Writer{"pcap": pcapOf(1), "pcapng": pcapngOf(pcaps.Section{})} {
		w := newWriter(io.Discard)
		allocs := testing.AllocsPerRun(1000, func() {
			if err := w.WriteRecord(&rec); err != nil {
				t.Fatal(err)
			}
		})
		if allocs != 0 {
			t.Errorf("%s: %v allocations per record, want none", name, allocs)
		}
	}
}
