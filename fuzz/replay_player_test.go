package fuzz

// One side of a Scenario, played against any octets: package replay/player.

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/iwarpkit/iwarp/replay/outcome"
	"github.com/iwarpkit/iwarp/replay/player"
	"github.com/iwarpkit/iwarp/replay/scenario"
)

// replayed is a Scenario with all that can be expected.
const replayed = `scenario "all"
connection c0
  1 client Octets "hello"
  2 server after 1 Octets "hello" ?*2
  3 client after 2 MPARequest C M S Rev=2 enhanced IRD=1 ORD=1 "pd"
  4 server after 3 OneOf
     or MPAReply C S Res=? Rev=2 enhanced IRD=1 ORD=? ?*
     may "it is old" MPAReply M=? C=? Rev=1
  5 client after 4 Send "ping"
  var $s stag server 0x00000100
  var $t to server 0x1000 in $s
  6 server after 5 Send $t:le64 $s:be32 "pong"*100
  7 client after 6 Write STag=$s TO=$t+8 00*1500
  8 client ReadRequest SinkSTag=0x10 RDMARDSZ=100 SrcSTag=$s SrcTO=$t
  9 server after 8 ReadResponse to 8 01*100
 10 server ReadRequest SinkSTag=0x10 RDMARDSZ=100 SrcSTag=0x200
 11 client after 10 ReadResponse to 10 01*100
 12 server Write STag=0x200 TO=0 02*1500
 13 server Write STag=0x200 TO=1500 03*10
 14 server FPDU CRC=bad Send "x"
 15 server FPDU ULPDU_Length=3 Send MSN=9 "y"
 16 server Segment Opcode14 QN=9 "z"
 17 client Probe
 18 server Silence 1s
 19 server AtomicRequest AOpCode=FetchAdd RequestIdentifier=7 RemoteSTag=0x200 RemoteTaggedOffset=0x10
 20 client after 19 AtomicResponse to 19 OriginalRemoteDataValue=5
 21 server OneOf
     or Terminate 1/1/00 ?*
     or Send "no"
     or Refusal write-bounds to 7
     or FIN
     may "it is kind" Send "yes"
     may "it is brief" Reset
 22 server FIN
 23 client after 22 FIN
`

// FuzzPlayer gives a Player of either side any octets, in pieces, and whatever an end says at some place. It ends with an
// Outcome that adds up, in which nothing hostile is.
func FuzzPlayer(f *testing.F) {
	s, err := scenario.Parse("replayed", replayed)
	if err != nil {
		f.Fatal(err)
	}
	c := s.Conns[0]
	for role := range scenario.Side(2) {
		for form := range byte(3) {
			f.Add(uint8(role)|form<<4, uint16(1), []byte("\x1b[2J"))
			f.Add(uint8(role)|form<<4, uint16(40), said(c, role.Other()))
		}
	}
	f.Fuzz(func(t *testing.T, role uint8, piece uint16, octets []byte) {
		const most = 1 << 13
		octets = octets[:min(len(octets), most)]
		p := player.New(c, scenario.Side(role&1), player.Options{Misses: int(role >> 7)})
		var out []byte
		for rest := octets; len(rest) > 0; {
			n := min(len(rest), 1+int(piece%4096))
			p.Input(rest[:n])
			rest = rest[n:]
			out = p.AppendTransmit(out[:0], 2000)
		}
		switch role >> 1 % 3 {
		case 1:
			p.InputFIN()
		case 2:
			p.InputReset()
		}
		finish(t, p)
		judged(t, p.Outcome(), len(c.Steps), role>>4)
	})
}

// said is what one side of a connection says if the other one is as recorded.
func said(c *scenario.Conn, side scenario.Side) (octets []byte) {
	players := [2]*player.Player{player.New(c, 0, player.Options{}), player.New(c, 1, player.Options{})}
	for range 1000 {
		for i, p := range players {
			b := p.AppendTransmit(nil, 2000)
			if players[1-i].Input(b); i == int(side) {
				octets = append(octets, b...)
			}
		}
	}
	return octets
}

// finish lets the time pass until a Player is done.
func finish(t *testing.T, p *player.Player) {
	var now time.Duration
	for range 1000 {
		for len(p.AppendTransmit(nil, 1<<16)) > 0 {
			continue
		}
		at, ok := p.NextDeadline()
		if p.Done() || !ok {
			break
		}
		now = max(now+1, at)
		p.Advance(now)
	}
	if !p.Done() {
		t.Fatal("it does not end")
	}
}

// judged looks at an Outcome, and at one form of it, which one octet chooses.
func judged(t *testing.T, c *outcome.Conn, steps int, form byte) {
	s := c.Summary()
	own := s.Sent + s.NotSent
	if s.Exact+s.Accepted+s.Mismatched+s.NotReached+s.NotApplicable != s.Steps || len(c.Steps) != s.Steps+own ||
		len(c.Steps) < steps || len(c.Steps) > steps+player.MaxUnexpected {
		t.Fatalf("%+v of %d steps", s, len(c.Steps))
	}
	r := &outcome.Report{Conns: []*outcome.Conn{c}}
	out, err := emptied(), error(nil)
	switch form % 3 {
	case 0:
		err = outcome.WriteText(out, r, outcome.TextOptions{All: true, Diffs: true})
	case 1:
		if err = outcome.WriteJSON(out, r); !json.Valid(out.Bytes()) {
			t.Fatal("the document is not JSON")
		}
	default:
		err = outcome.WriteJUnit(out, r)
	}
	if err != nil {
		t.Fatal(err)
	}
	printable(t, out.Bytes())
}
