package parquet_test

import (
	"io"
	"testing"

	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/show"
	"github.com/iwarpkit/iwarp/dissect/show/parquet"
	"github.com/iwarpkit/iwarp/internal/recorded"
)

// nowhere is a file that keeps nothing.
type nowhere struct{ io.Writer }

func (nowhere) Close() error { return nil }

func BenchmarkConnections(b *testing.B) {
	var last *record.Record
	recorded.Analyse(b, "nfs-small-v4.1-inl4096-crc1", 0, record.SinkFunc(func(r *record.Record) {
		if r.Kind == record.KindEnd {
			last = r.Clone()
		}
	}))
	tables := parquet.New(func(string) (io.WriteCloser, error) { return nowhere{io.Discard}, nil }, new(show.Clock), "a.pcap")
	b.ReportAllocs()
	for range b.N {
		tables.Record(last)
	}
	if err := tables.Close(); err != nil {
		b.Fatal(err)
	}
}

func BenchmarkTables(b *testing.B) {
	var all []*record.Record
	recorded.Analyse(b, "nfs-small-v4.1-inl4096-crc1", 0, record.SinkFunc(func(r *record.Record) { all = append(all, r.Clone()) }))
	tables := parquet.New(func(string) (io.WriteCloser, error) { return nowhere{io.Discard}, nil }, new(show.Clock), "a.pcap")
	b.ReportAllocs()
	for i := range b.N {
		tables.Record(all[i%len(all)])
	}
	if err := tables.Close(); err != nil {
		b.Fatal(err)
	}
}
