package rnicsim_test

// The RNIC as the Responder of Conversations of package adversary, which shares no code with it: it does what it is asked, and
// answers violations with a Terminate that fits.

import (
	"bytes"
	"encoding/binary"
	"flag"
	"fmt"
	"slices"
	"testing"

	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/codec/rpcrules"
	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/internal/adversary"
	"github.com/iwarpkit/iwarp/rnicsim"
)

var (
	conversations = flag.Uint64("adversary.n", 2000, "how many Conversations to try")
	firstSeed     = flag.Uint64("adversary.seed", 1, "the seed of the first of them")
)

// each tries an RNIC with the Conversation of each seed that can be had with it, in several goroutines.
func each(t *testing.T, try func(g *target, seed uint64) (wrong string)) {
	t.Helper()
	n := *conversations
	if testing.Short() {
		n /= 8
	}
	const parts = 4
	for part := range uint64(parts) {
		t.Run(fmt.Sprint(part), func(t *testing.T) {
			t.Parallel()
			for i := part; i < n && !t.Failed(); i += parts {
				if g := newTarget(t, *firstSeed+i); g != nil {
					if wrong := try(g, *firstSeed+i); wrong != "" {
						t.Errorf("%v: %s", g.c, wrong)
					}
				}
			}
		})
	}
}

// A target is an RNIC that takes the Responder's part in a Conversation.
type target struct {
	c       *adversary.Conversation
	stream  *rnicsim.Stream
	cq      *rnicsim.CQ
	memory  []byte   // that all STags are for
	buffers [][]byte // one for each message that consumes a receive
}

// newTarget makes one, and draws the Conversation; nil if the RNIC's MPA Reply cannot be that of the Conversation.
func newTarget(t *testing.T, seed uint64) *target {
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
	qp, err := r.CreateQP(rnicsim.QPConfig{PD: pd, SendCQ: cq, RecvCQ: cq, SQ: 1, RQ: 100, SendSGEs: 1, WriteSGEs: 1, RecvSGEs: 1, ORD: 1, IRD: 64,
		RemoteRead: true, RemoteWrite: true})
	must(err)
	g := &target{cq: cq, memory: make([]byte, adversary.Granted)}
	stags := make([]uint32, 40)
	for i := range stags {
		stag, err := r.RegisterOctets(pd, g.memory, 0, rnicsim.LocalRead|rnicsim.LocalWrite|rnicsim.RemoteRead|rnicsim.RemoteWrite, 1)
		must(err)
		stags[i] = uint32(stag)
	}
	g.c = adversary.Toward(stags, "Requests", seed)
	if g.c.Terms.Ready != 0 || g.c.Terms.Markers[adversary.Responder] {
		return nil
	}
	const flags, asksCRC = 16, 0x40
	g.stream = r.NewStream(rnicsim.StreamConfig{
		Rev: g.c.Terms.Rev, Markers: g.c.Terms.Markers[adversary.Initiator], CRC: g.c.Units[1].Octets[flags]&asksCRC != 0,
	})
	g.stream.Listen()
	g.stream.Input(g.c.Units[0].Octets)
	must(g.stream.Accept(nil))
	g.stream.AppendTransmit(nil, 1<<16)
	must(qp.Modify(rnicsim.Modification{State: rnicsim.RTS, Stream: g.stream}))
	for _, m := range g.received() {
		b := make([]byte, len(m.Body)+64)
		g.buffers = append(g.buffers, b)
		stag, err := r.RegisterOctets(pd, b, 0, rnicsim.LocalWrite, 1)
		must(err)
		_, err = qp.PostRQ(rnicsim.WorkRequest{SGL: []rnicsim.SGE{{STag: stag, Len: uint32(len(b))}}})
		must(err)
	}
	return g
}

// received are the messages that consume a receive.
func (g *target) received() (all []*adversary.Message) {
	for _, m := range g.c.Messages {
		if rdmap.Opcode(m.Opcode).ConsumesReceive() {
			all = append(all, m)
		}
	}
	return all
}

// An answer is a message of the RNIC.
type answer struct {
	opcode rdmap.Opcode
	stag   uint32 // of the sink of a Read, like to
	to     uint64
	body   string
}

// drive gives what the Initiator sends to the RNIC, little by little. It returns what comes back.
func (g *target) drive() (answers []answer) {
	var out []byte
	for b := g.c.Sent(adversary.Initiator); len(b) > 0; {
		n := g.stream.Input(b[:min(len(b), 20)]) // less than an FPDU, so that each is answered before the next
		for before := -1; before < len(out); {
			before = len(out)
			out = g.stream.AppendTransmit(out, 1<<16)
		}
		if b = b[n:]; n == 0 {
			break
		}
	}
	var d mpa.Deframer
	var f mpa.Deframed
	d.Reset(mpa.Options{CRC: g.c.Terms.CRC})
	var a answer
	for d.Push(out); d.Next(&f); {
		var s rdmap.Segment
		if _, err := s.Decode(f.ULPDU); err != nil {
			continue
		}
		if a.body == "" {
			a = answer{opcode: s.Control.Opcode, stag: s.Tagged.STag, to: s.Tagged.TO}
		}
		a.body += string(s.Body)
		if s.L() {
			answers, a = append(answers, a), answer{}
		}
	}
	return answers
}

// refusal returns the code of the Terminate in answers.
func refusal(answers []answer) (code rdmap.Code, terminated bool) {
	var t rdmap.Terminate
	for _, a := range answers {
		if a.opcode == rdmap.OpTerminate {
			_, err := t.Decode([]byte(a.body))
			return t.Code, err == nil
		}
	}
	return code, false
}

// due returns what the RNIC has to answer, and does to the memory what it has to.
func (g *target) due(memory []byte) (answers []answer) {
	u32, u64 := binary.BigEndian.Uint32, binary.BigEndian.Uint64
	for _, m := range g.c.Messages {
		switch b := m.Body; rdmap.Opcode(m.Opcode) {
		case rdmap.OpWrite:
			copy(memory[m.TO:], b)
		case rdmap.OpReadRequest: // sink STag, sink TO, size, source STag, source TO
			answers = append(answers, answer{rdmap.OpReadResponse, u32(b), u64(b[4:]), string(memory[u64(b[20:]):][:u32(b[12:])])})
		case rdmap.OpAtomicRequest: // operation, identifier, STag, TO, data, mask, compared data, mask of that
			at := memory[u64(b[12:]):]
			old := binary.LittleEndian.Uint64(at)
			data, mask := u64(b[20:]), u64(b[28:])
			var value uint64
			switch {
			case u32(b) == 0: // FetchAdd: the mask has the highest bit of each field
				for i, carry := 0, uint64(0); i < 64; i++ {
					sum := old>>i&1 + data>>i&1 + carry
					value |= sum & 1 << i
					carry = sum >> 1 &^ (mask >> i)
				}
			case (old^u64(b[36:]))&u64(b[44:]) == 0:
				value = old&^mask | data&mask
			default:
				value = old
			}
			binary.LittleEndian.PutUint64(at, value)
			answers = append(answers, answer{opcode: rdmap.OpAtomicResponse, body: string(b[4:8]) + string(binary.BigEndian.AppendUint64(nil, old))})
		}
	}
	return answers
}

// TestAdversaryIsServed sends legal Conversations to the RNIC: all messages arrive as they are, and all answers are right.
func TestAdversaryIsServed(t *testing.T) {
	each(t, func(g *target, _ uint64) (wrong string) {
		memory := make([]byte, len(g.memory))
		got, want := g.drive(), g.due(memory)
		if code, ok := refusal(got); ok {
			return fmt.Sprintf("Terminate %v", code)
		}
		if !slices.Equal(got, want) || !bytes.Equal(g.memory, memory) {
			return fmt.Sprintf("answers %.200q, want %.200q", fmt.Sprint(got), fmt.Sprint(want))
		}
		var done [100]rnicsim.Completion
		n, _ := g.cq.Poll(done[:])
		for i, m := range g.received() {
			if i >= n || done[i].Status != rnicsim.Success || !done[i].Immediate && !bytes.Equal(g.buffers[i][:done[i].Length], m.Body) {
				return fmt.Sprintf("message %d of %d: %+v", i, n, done[i])
			}
		}
		return ""
	})
}

// TestAdversaryIsRefused sends violations to the RNIC. It answers each that a receiver must not pass over.
func TestAdversaryIsRefused(t *testing.T) {
	situations := map[string]rules.Situation{}
	for r := range rpcrules.All() {
		for _, id := range r.IDs {
			if situations[id] == rules.NoSituation {
				situations[id] = r.Situation
			}
		}
	}
	injectors := adversary.Injectors("Requests")
	each(t, func(g *target, seed uint64) (wrong string) {
		in, legal := injectors[seed%uint64(len(injectors))], g.c.Sent(adversary.Initiator)
		if !in.Inject(g.c) || bytes.Equal(g.c.Sent(adversary.Initiator), legal) {
			return "" // no place for it, or one where the Responder sends
		}
		code, ok := refusal(g.drive())
		fits := func(id string) bool {
			s := situations[id]
			return accepts(s, code) || s == rules.DDPVersionTagged && accepts(rules.DDPVersionUntagged, code)
		}
		due := situations[in.Targets()[0]] != rules.NoSituation
		if due != ok || ok && !slices.ContainsFunc(in.Follows(), fits) {
			return fmt.Sprintf("%s: Terminate %v %v, due %v", in.Name, ok, code, due)
		}
		return ""
	})
}

// accepts reports whether a Terminate with a code may answer a Situation.
func accepts(s rules.Situation, code rdmap.Code) bool {
	return rules.Situations[s].RFC.Codes.Accepts(code) || rules.Situations[s].Also.Accepts(code)
}

// abuses are what only the owner of the memory can refuse: each changes an octet of a message of one segment.
var abuses = []struct {
	opcode rdmap.Opcode
	octet  int
	due    rules.Situation
}{
	{rdmap.OpWrite, 3, rules.WriteSTag},
	{rdmap.OpWrite, 8, rules.WriteBounds},
	{rdmap.OpReadRequest, 18 + 17, rules.ReadSTag},
	{rdmap.OpReadRequest, 18 + 22, rules.ReadBounds},
	{rdmap.OpAtomicRequest, 18 + 9, rules.AtomicTarget},
	{rdmap.OpAtomicRequest, 18 + 14, rules.AtomicTarget},
	{rdmap.OpSendInvalidate, 3, rules.InvalidateSTag},
}

// TestAdversaryCannotReachMemory changes where the Initiator writes, reads, or invalidates. The RNIC refuses that, and its memory has only
// what came before.
func TestAdversaryCannotReachMemory(t *testing.T) {
	each(t, func(g *target, seed uint64) (wrong string) {
		abuse := abuses[seed%uint64(len(abuses))]
		i := slices.IndexFunc(g.c.Units, func(u *adversary.Unit) bool {
			return u.Message != nil && rdmap.Opcode(u.Message.Opcode) == abuse.opcode && bytes.HasSuffix(u.Octets, u.Message.Body) &&
				len(u.Message.Body) > 0 && (abuse.opcode != rdmap.OpReadRequest || !bytes.Equal(u.Message.Body[12:16], make([]byte, 4)))
		})
		if i < 0 {
			return ""
		}
		g.c.Units[i].Octets[abuse.octet] ^= 0x10
		code, ok := refusal(g.drive())
		g.c.Messages = g.c.Messages[:slices.Index(g.c.Messages, g.c.Units[i].Message)]
		memory := make([]byte, len(g.memory))
		g.due(memory)
		if !ok || !accepts(abuse.due, code) || !bytes.Equal(g.memory, memory) {
			return fmt.Sprintf("%v of %v: Terminate %v %v", rules.Situations[abuse.due].Name, abuse.opcode, ok, code)
		}
		return ""
	})
}
