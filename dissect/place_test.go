package dissect_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/iwarpkit/iwarp/dissect"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/internal/recordtest"
	"github.com/iwarpkit/iwarp/internal/transcript"
)

// A placeSink notes the places of all that it is given, and the octets that come before MPA.
type placeSink struct {
	seen []string
}

func (s *placeSink) Record(rec *record.Record) { recordtest.Pieces(rec, s) }

func (s *placeSink) note(what string, d flow.Direction, p record.Place) {
	s.seen = append(s.seen, fmt.Sprint(d, " ", what, " ends ", p.End, ", heard ", p.Acked))
}

func (s *placeSink) StartupFrame(f *record.Startup) { s.note(f.Name(), f.Dir, f.Place) }

func (s *placeSink) Segment(g *record.Segment) {
	s.note(g.RDMAP.Control.Opcode.String(), g.Dir, g.Place)
}

func (s *placeSink) Streaming(o *record.Streaming) { s.note(string(o.Octets), o.Dir, o.Place) }

func (s *placeSink) End(c *flow.Conn) { s.seen = append(s.seen, fmt.Sprint("last ack ", c.LastAck)) }

// TestPlaces looks where everything stands in the TCP streams, and what its sender had acknowledged: what came before MPA
// is told of too.
func TestPlaces(t *testing.T) {
	tr, err := transcript.Parse("test", `
c2s hex "hello"
s2c hex "welcome"
c2s hex "MPA ID Req Frame" 4001 0000
s2c hex "MPA ID Rep Frame" 6001 0002 "no"
c2s hex "again"
c2s hex "MPA ID Req Frame" 4001 0000
s2c hex "MPA ID Rep Frame" 4001 0000
c2s 4143 00000000 00000000 00000001 00000000
split 10
s2c 4143 00000000 00000000 00000001 00000000 00*40
c2s fin
s2c rst
end`)
	if err != nil {
		t.Fatal(err)
	}
	sink := new(placeSink)
	engine := dissect.NewEngine(sink, dissect.Options{Streaming: true})
	for i := range tr.Records {
		engine.Packet(&tr.Records[i])
	}
	engine.Close()
	want := `c2s hello ends 5, heard 0
s2c welcome ends 7, heard 5
c2s MPARequest ends 25, heard 7
s2c MPAReply ends 29, heard 25
c2s again ends 30, heard 29
c2s MPARequest ends 50, heard 29
s2c MPAReply ends 49, heard 50
c2s Send ends 74, heard 49
s2c Send ends 113, heard 74
last ack [113 75]`
	if got := strings.Join(sink.seen, "\n"); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}
