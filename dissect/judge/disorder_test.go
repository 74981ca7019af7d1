package judge_test

// Messages whose segments come in another order than that of their MOs or TOs, which a sender should not choose (RFC 5041,
// section 5.3).

import (
	"bytes"
	"fmt"
	"slices"
	"testing"

	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/dissect"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/judge"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/internal/conversation"
	"github.com/iwarpkit/iwarp/internal/recordtest"
	"github.com/iwarpkit/iwarp/pcaps"
)

// orders yields all orders of n things.
func orders(n int, yield func([]int)) {
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	var permute func(int)
	permute = func(k int) {
		if k == n {
			yield(order)
			return
		}
		for i := k; i < n; i++ {
			order[k], order[i] = order[i], order[k]
			permute(k + 1)
			order[k], order[i] = order[i], order[k]
		}
	}
	permute(0)
}

// disordered is a Send in segments in an order, with one before it and one behind it. L is in the segment with the highest MO,
// or in the one that comes last.
func disordered(body []byte, order []int, lastSent bool) []pcaps.Record {
	const size = 100
	k := startTalk("10.0.0.1:40000", "10.0.0.2:7174")
	k.untagged(conversation.Client, rdmap.OpSend, 0, []byte("before"), size)
	k.untagged(conversation.Server, rdmap.OpSend, 0, []byte("answer"), size)
	k.msn[conversation.Client][rdmap.QNSend]++
	for i, part := range order {
		at := part * size
		h := rdmap.Header{Control: rdmap.Control{RV: 1, Opcode: rdmap.OpSend}}
		h.Untagged.DV, h.Untagged.MSN, h.Untagged.MO = 1, 2, uint32(at)
		h.Untagged.L = lastSent && i == len(order)-1 || !lastSent && part == len(order)-1
		k.ulpdu(conversation.Client, h, body[at:min(at+size, len(body))])
	}
	k.untagged(conversation.Client, rdmap.OpSend, 0, []byte("behind"), size)
	return k.Close(conversation.Client).Records
}

// A payloads keeps the payload of Sends of the client that are complete, and what was found.
type payloads struct {
	sends [][]byte
	names []string
}

func (p *payloads) Record(rec *record.Record) { recordtest.Pieces(rec, p) }

func (p *payloads) Message(m *record.Message) {
	if m.Complete && m.Dir == flow.C2S {
		p.sends = append(p.sends, bytes.Clone(m.Payload))
	}
}

func (p *payloads) Finding(f *record.Finding) { p.names = append(p.names, f.Name) }

func TestDisorderedSends(t *testing.T) {
	body := make([]byte, 350)
	for i := range body {
		body[i] = byte(i)
	}
	orders(4, func(order []int) {
		for _, lastSent := range []bool{false, true} {
			got := &payloads{}
			e := dissect.NewEngine(judge.New(got, judge.Options{Payload: true}), dissect.Options{})
			for _, rec := range disordered(body, order, lastSent) {
				e.Packet(&rec)
			}
			e.Close()
			name := fmt.Sprintf("%v, L in the last sent %v", order, lastSent)
			if len(got.sends) != 3 || !bytes.Equal(got.sends[1], body) || string(got.sends[2]) != "behind" {
				t.Errorf("%s: %d Sends: %q", name, len(got.sends), got.sends)
			}
			want := "[mo-order]"
			if order[0] == 0 && order[1] == 1 && order[2] == 2 {
				want = "[]"
			}
			if fmt.Sprint(got.names) != want {
				t.Errorf("%s: %v, want %s", name, got.names, want)
			}
		}
	})
}

// A lengths keeps the lengths of messages of the server, "!" if they are not complete, and what was found.
type lengths struct {
	messages, names []string
	answered        int
}

func (l *lengths) Record(rec *record.Record) { recordtest.Pieces(rec, l) }

func (l *lengths) Message(m *record.Message) {
	if m.Dir == flow.S2C && m.First.T {
		l.messages = append(l.messages, fmt.Sprintf("%v%d%s", m.Opcode, m.Len, map[bool]string{false: "!"}[m.Complete]))
	}
}

func (l *lengths) Finding(f *record.Finding) { l.names = append(l.names, f.Name) }

func (l *lengths) Transaction(x *record.Transaction) {
	if x.Outcome == record.Answered && x.Octets == 350 {
		l.answered++
	}
}

// emptyRead reads no octets, as a Ready to Receive does, and answers with an STag that was not asked for: nothing is placed there.
func (k *talker) emptyRead() {
	body, _ := (&rdmap.ReadRequest{SinkSTag: 1, SrcSTag: 2}).AppendBinary(nil)
	k.untagged(conversation.Client, rdmap.OpReadRequest, 0, body, 100)
	h := rdmap.Header{T: true, Control: rdmap.Control{RV: 1, Opcode: rdmap.OpReadResponse}}
	h.Tagged.DV, h.Tagged.STag, h.Tagged.L = 1, 3, true
	k.ulpdu(conversation.Server, h, nil)
}

// writes lists the Writes that four segments look like, where the highest has L: lower octets that come after a whole Write are
// another one, whose end is the whole one.
func writes(order []int, size, whole int) (all []string) {
	end := len(order)
	first, n := end, 0
	for _, part := range order {
		first, n = min(first, part), n+1
		if first+n == end {
			all = append(all, fmt.Sprintf("%v%d", rdmap.OpWrite, min(end*size, whole)-first*size))
			end, n = first, 0
		}
	}
	return all
}

// TestDisorderedTagged sends Read Responses and Writes of four segments in all orders, each twice, and a Send behind.
func TestDisorderedTagged(t *testing.T) {
	const size, whole = 100, 350
	for _, op := range []rdmap.Opcode{rdmap.OpReadResponse, rdmap.OpWrite} {
		orders(4, func(order []int) {
			for _, lastSent := range []bool{false, true} {
				k := startTalk("10.0.0.1:40000", "10.0.0.2:7174")
				k.untagged(conversation.Client, rdmap.OpSend, 0, []byte("before"), size)
				one := []string{fmt.Sprintf("%v%d", op, whole)}
				if op == rdmap.OpWrite && !lastSent {
					one = writes(order, size, whole)
				}
				all := slices.Concat(one, one)
				if op == rdmap.OpReadResponse {
					k.emptyRead()
					all = slices.Concat([]string{"ReadResponse0"}, all)
				}
				for n := range uint32(2) {
					if op == rdmap.OpReadResponse {
						body, _ := (&rdmap.ReadRequest{SinkSTag: 7, SinkTO: 4096, RDMARDSZ: whole, SrcSTag: 9}).AppendBinary(nil)
						k.untagged(conversation.Client, rdmap.OpReadRequest, 0, body, size)
					}
					for i, part := range order {
						h := rdmap.Header{T: true, Control: rdmap.Control{RV: 1, Opcode: op}}
						h.Tagged.DV, h.Tagged.STag, h.Tagged.TO = 1, 7, 4096+uint64(part*size)
						if op == rdmap.OpWrite {
							h.Tagged.TO += uint64(n) * 4096
						}
						h.Tagged.L = lastSent && i == len(order)-1 || !lastSent && part == len(order)-1
						k.ulpdu(conversation.Server, h, make([]byte, min(size, whole-part*size)))
					}
				}
				k.untagged(conversation.Server, rdmap.OpSend, 0, []byte("behind"), size)
				got := &lengths{}
				e := dissect.NewEngine(judge.New(got, judge.Options{}), dissect.Options{})
				for _, rec := range k.Close(conversation.Client).Records {
					e.Packet(&rec)
				}
				e.Close()
				var want []string
				if op == rdmap.OpReadResponse {
					want = []string{"response-empty"}
				}
				if order[0] != 0 || order[1] != 1 || order[2] != 2 {
					want = append(want, "to-order", "to-order")
				}
				if !slices.Equal(got.names, want) || !slices.Equal(got.messages, all) || op == rdmap.OpReadResponse && got.answered != 2 {
					t.Errorf("%v %v, L in the last sent %v: %v %v, want %v %v; %d answered", op, order, lastSent, got.names, got.messages, want, all, got.answered)
				}
			}
		})
	}
}
