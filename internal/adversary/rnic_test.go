package adversary_test

// The reference RNIC as the Responder of Conversations: it takes legal Sends as they are, and answers violations with a
// Terminate that fits.

import (
	"bytes"
	"fmt"
	"slices"
	"testing"

	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/codec/rpcrules"
	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/internal/adversary"
	"github.com/iwarpkit/iwarp/pcaps"
	"github.com/iwarpkit/iwarp/rnicsim"
)

// driven is a Conversation of Sends, if the RNIC's MPA Reply can be that of the Conversation.
func driven(seed uint64) *adversary.Conversation {
	c := adversary.New("Sends", seed)
	if c.Terms.Ready != 0 || c.Terms.Markers[adversary.Responder] {
		return nil
	}
	return c
}

// A target is an RNIC that takes the Responder's part.
type target struct {
	stream  *rnicsim.Stream
	cq      *rnicsim.CQ
	buffers [][]byte
}

// newTarget makes one with a buffer for each Send of the Initiator.
func newTarget(t *testing.T, c *adversary.Conversation) *target {
	t.Helper()
	must := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	r := rnicsim.New(rnicsim.Config{})
	pd, err := r.AllocatePD()
	must(err)
	cq, err := r.CreateCQ(1000, 0)
	must(err)
	qp, err := r.CreateQP(rnicsim.QPConfig{PD: pd, SendCQ: cq, RecvCQ: cq, SQ: 1, RQ: 100, SendSGEs: 1, WriteSGEs: 1, RecvSGEs: 1, ORD: 1, IRD: 1})
	must(err)
	const flags, asksCRC = 16, 0x40
	g := &target{cq: cq}
	g.stream = r.NewStream(rnicsim.StreamConfig{
		Rev: c.Terms.Rev, Markers: c.Terms.Markers[adversary.Initiator], CRC: c.Units[1].Octets[flags]&asksCRC != 0,
	})
	g.stream.Listen()
	g.stream.Input(c.Units[0].Octets)
	must(g.stream.Accept(nil))
	g.stream.AppendTransmit(nil, 1<<16)
	must(qp.Modify(rnicsim.Modification{State: rnicsim.RTS, Stream: g.stream}))
	for i, m := range c.Messages {
		g.buffers = append(g.buffers, make([]byte, len(m.Body)+64))
		stag, err := r.RegisterOctets(pd, g.buffers[i], 0, rnicsim.LocalWrite, 1)
		must(err)
		_, err = qp.PostRQ(rnicsim.WorkRequest{ID: uint64(i), SGL: []rnicsim.SGE{{STag: stag, Len: uint32(len(g.buffers[i]))}}})
		must(err)
	}
	return g
}

// drive gives what the Initiator sends to the RNIC. It returns the code of the Terminate that comes back, if one does.
func (g *target) drive(c *adversary.Conversation) (code rdmap.Code, terminated bool) {
	var out []byte
	for b := c.Sent(adversary.Initiator); len(b) > 0; {
		n := g.stream.Input(b)
		out = g.stream.AppendTransmit(out, 1<<16)
		if b = b[n:]; n == 0 {
			break
		}
	}
	var d mpa.Deframer
	var f mpa.Deframed
	d.Reset(mpa.Options{CRC: c.Terms.CRC})
	for d.Push(out); d.Next(&f); {
		var s rdmap.Segment
		var term rdmap.Terminate
		if _, err := s.Decode(f.ULPDU); err == nil && s.Control.Opcode == rdmap.OpTerminate {
			_, err := term.Decode(s.Body)
			return term.Code, err == nil
		}
	}
	return code, false
}

// TestRNICTakes sends legal Conversations to the RNIC: all messages arrive as they are.
func TestRNICTakes(t *testing.T) {
	each(t, func(seed uint64) (wrong []string, packets []pcaps.Record) {
		c := driven(seed)
		if c == nil {
			return nil, nil
		}
		g := newTarget(t, c)
		if code, ok := g.drive(c); ok {
			return []string{fmt.Sprintf("%v: Terminate %v", c, code)}, c.Packets()
		}
		var done [100]rnicsim.Completion
		n, _ := g.cq.Poll(done[:])
		for i, m := range c.Messages {
			if i >= n || done[i].Status != rnicsim.Success || !done[i].Immediate && !bytes.Equal(g.buffers[i][:done[i].Length], m.Body) {
				return []string{fmt.Sprintf("%v: message %d of %d: %+v", c, i, len(c.Messages), done[i])}, c.Packets()
			}
		}
		return nil, nil
	})
}

// TestRNICRefuses sends violations to the RNIC. It answers each that a receiver must not pass over.
func TestRNICRefuses(t *testing.T) {
	situations := map[string]*rules.Rule{}
	for r := range rpcrules.All() {
		for _, id := range r.IDs {
			if situations[id] == nil || situations[id].Situation == rules.NoSituation {
				situations[id] = r
			}
		}
	}
	injectors := adversary.Injectors("Sends")
	each(t, func(seed uint64) (wrong []string, packets []pcaps.Record) {
		in, c := injectors[seed%uint64(len(injectors))], driven(seed)
		if c == nil || !in.Inject(c) {
			return nil, nil
		}
		code, ok := newTarget(t, c).drive(c)
		fits := func(id string) bool {
			s := situations[id].Situation
			if s == rules.DDPVersionTagged {
				s = rules.DDPVersionUntagged // Sends are
			}
			return s != rules.NoSituation && (rules.Situations[s].RFC.Codes.Accepts(code) || rules.Situations[s].Also.Accepts(code))
		}
		due := situations[in.Targets()[0]].Situation != rules.NoSituation
		if due != ok || ok && !slices.ContainsFunc(in.Follows(), fits) {
			return []string{fmt.Sprintf("%v, %s: Terminate %v %v, due %v", c, in.Name, ok, code, due)}, c.Packets()
		}
		return nil, nil
	})
}
