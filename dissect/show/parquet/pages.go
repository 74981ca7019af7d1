package parquet

// The pages of one column in a file, before those of others can follow.

import (
	"bytes"
	"cmp"
	"sync"

	"github.com/klauspost/compress/zstd"
	pq "github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress"
	"github.com/parquet-go/parquet-go/format"
)

// A zstdCodec compresses with little memory. The library's own codec takes 8 MB after each garbage collection.
type zstdCodec struct {
	compress.Codec // decompresses
	encoder        *zstd.Encoder
}

// codec returns the codec of the pages of all tables.
var codec = sync.OnceValue(func() *zstdCodec {
	encoder, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1), zstd.WithEncoderCRC(false),
		zstd.WithZeroFrames(true), zstd.WithWindowSize(128<<10), zstd.WithLowerEncoderMem(true))
	if err != nil {
		panic(err) // the options exclude each other
	}
	return &zstdCodec{&pq.Zstd, encoder}
})

// Encode implements compress.Codec.
func (c *zstdCodec) Encode(dst, src []byte) ([]byte, error) {
	return c.encoder.EncodeAll(src, dst[:0]), nil
}

// dictionaryOctets limits the dictionary of a column. A column of texts that seldom repeat has none.
const dictionaryOctets = 64 << 10

// A kind is what columns have in common whose pages are the same if they have no values.
type kind struct {
	name     string
	plain    bool
	rep, def int // highest levels
}

// A pages has those of one column in a file of its own, from which the library copies them. It takes the library most of the time to
// write a null, and most columns of a file have nothing else: those of one kind share a pages.
type pages struct {
	leaf     pq.Node
	name     string     // of its type
	rep, def int        // highest levels
	out      *pq.Writer //nolint:staticcheck // see files.out
	octets   bytes.Buffer
	rows     int
	made     *pq.FileRowGroup // of all rows; nil while there may be more
}

func newPages(leaf pq.Node, rep, def int) *pages {
	return &pages{leaf: leaf, name: leaf.Type().String(), rep: rep, def: def}
}

func (p *pages) kind() kind {
	t, ok := p.leaf.(*text)
	return kind{p.name, ok && t.outgrown, p.rep, p.def}
}

// alone is the schema of a file with only this column.
func (p *pages) alone() *pq.Schema {
	node := p.leaf
	for level := p.def; level > 0; level-- {
		if level < p.def {
			node = pq.Group{"member": node}
		}
		if level <= p.rep {
			node = pq.Repeated(node)
		} else {
			node = pq.Optional(node)
		}
	}
	return pq.NewSchema("alone", pq.Group{"column": node})
}

// reset forgets the pages.
func (p *pages) reset() { p.rows, p.made = 0, nil }

// begin begins the file.
func (p *pages) begin() {
	p.octets.Reset()
	if p.out == nil {
		p.out = pq.NewWriter(&p.octets, p.alone(), pq.Compression(codec()), pq.DictionaryMaxBytes(dictionaryOctets),
			pq.DataPageStatistics(false), pq.WriteBufferSize(1<<10)) // the index has the statistics of pages
	} else {
		p.out.Reset(&p.octets)
	}
}

// add adds a page.
func (p *pages) add(values []pq.Value) error {
	if p.rows == 0 {
		p.begin()
	}
	column := p.out.ColumnWriters()[0]
	n, err := column.WriteRowValues(values)
	p.rows += n
	return cmp.Or(err, column.Flush())
}

// end makes the pages a row group.
func (p *pages) end() error {
	if p.made != nil {
		return nil
	}
	if err := p.out.Close(); err != nil {
		return err
	}
	f, err := pq.OpenFile(bytes.NewReader(p.octets.Bytes()), int64(p.octets.Len()))
	if err != nil {
		return err
	}
	p.made = f.RowGroups()[0].(*pq.FileRowGroup)
	return nil
}

// outgrows reports whether a text has outgrown its dictionary in these pages, from then on.
func (p *pages) outgrows() bool {
	t, ok := p.leaf.(*text)
	if !ok || t.outgrown {
		return false
	}
	for _, s := range p.made.File().Metadata().RowGroups[0].Columns[0].MetaData.EncodingStats {
		t.outgrown = t.outgrown || s.PageType != format.DictionaryPage && s.Encoding == format.Plain
	}
	return t.outgrown
}

// again writes the pages as the leaf is encoded now: the library copies no pages of several encodings.
func (p *pages) again() error {
	was := p.made
	p.out, p.octets, p.made = nil, bytes.Buffer{}, nil
	p.begin()
	if _, err := p.out.WriteRowGroup(was); err != nil {
		return err
	}
	return p.end()
}

// A rowGroup has the pages of several files. That it is a FileRowGroup, too, makes the library copy them as they are.
type rowGroup struct {
	*pq.FileRowGroup
	schema *pq.Schema
	rows   int
	chunks []pq.ColumnChunk
}

// Schema implements pq.RowGroup.
func (g *rowGroup) Schema() *pq.Schema { return g.schema }

// NumRows implements pq.RowGroup.
func (g *rowGroup) NumRows() int64 { return int64(g.rows) }

// ColumnChunks implements pq.RowGroup.
func (g *rowGroup) ColumnChunks() []pq.ColumnChunk { return g.chunks }

// Rows implements pq.RowGroup.
func (g *rowGroup) Rows() pq.Rows { return pq.NewRowGroupRowReader(g) }
