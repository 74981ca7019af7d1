package adversary_test

// The oracles: what dissect says of Conversations, compared with what they are.

import (
	"fmt"
	"hash/crc32"
	"maps"
	"slices"

	"github.com/google/go-cmp/cmp"

	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/dissect"
	"github.com/iwarpkit/iwarp/dissect/judge"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/ulp/all"
	"github.com/iwarpkit/iwarp/internal/adversary"
	"github.com/iwarpkit/iwarp/pcaps"
)

// A view is what was found in the packets of a Conversation.
type view struct {
	errors   map[string]*record.Finding // by id
	found    map[string]bool            // ids of all findings, those of notes too
	messages [2][]string                // complete ones of a side, as describe has them
	uppers   [2][]string                // messages of upper layers
	ports    [2]uint16                  // by side
}

// look dissects packets.
func look(c *adversary.Conversation, packets []pcaps.Record) *view {
	v := &view{ports: c.TCP.Ports, errors: map[string]*record.Finding{}, found: map[string]bool{}}
	e := dissect.NewEngine(v, dissect.Options{Ports: all.Ports(), Analysis: &judge.Options{ULPs: all.Layers(), Payload: true}})
	for i := range packets {
		p := packets[i]
		p.Frame = uint64(i + 1)
		e.Packet(&p)
	}
	e.Close()
	return v
}

// Record implements record.Sink.
func (v *view) Record(r *record.Record) {
	for _, f := range r.Findings {
		for _, id := range append([]string{f.ID}, f.Also...) {
			v.found[id] = true
		}
		if f.Severity == rules.Error && v.errors[f.ID] == nil {
			g := *f
			g.Also = slices.Clone(f.Also)
			v.errors[f.ID] = &g
		}
	}
	if u := r.Upper; u != nil {
		side := v.side(&u.Origin)
		v.uppers[side] = append(v.uppers[side], fmt.Sprintf("%s %x", u.Name, u.ID))
	}
	if m := r.Message; r.Kind == record.KindMessage && m.Complete {
		side := v.side(&m.Origin)
		v.messages[side] = append(v.messages[side], decoded(m))
	}
}

// side is who sent something, by the ports: which side is the client is a guess where the handshake is missing.
func (v *view) side(o *record.Origin) adversary.Side {
	if o.Conn.Peer(o.Dir).Port() == v.ports[adversary.Initiator] {
		return adversary.Initiator
	}
	return adversary.Responder
}

// decoded has all that was decoded of a message, but the payload of tagged ones, and what is not captured.
func decoded(m *record.Message) string {
	h := &m.First
	if h.Control.Opcode.Tagged() {
		return describe(byte(m.Opcode), m.Len, h.Tagged.STag, h.Tagged.TO)
	}
	fields := describe(byte(m.Opcode), m.Len, h.InvalidateSTag, h.Untagged.QN, h.Untagged.MSN)
	switch {
	case m.Missing > 0:
		return fields
	case m.Opcode.IsSend():
		return fields + checksum(m.Payload)
	}
	return fields + checksum(h.Body)
}

// generated is what decoded has to be, or to begin.
func generated(m *adversary.Message) string {
	length := uint64(0)
	if m.HasPayload() {
		length = uint64(len(m.Body))
	}
	if m.Tagged() {
		return describe(m.Opcode, length, m.STag, m.TO)
	}
	return describe(m.Opcode, length, m.STag, m.QN, m.MSN) + checksum(m.Body)
}

func describe(opcode byte, length uint64, fields ...any) string {
	return fmt.Sprintf("opcode %d, %d octets, %x", opcode, length, fields)
}

func checksum(body []byte) string { return fmt.Sprintf(", checksum %08x", crc32.ChecksumIEEE(body)) }

// messages are the Messages of a side, as decoded has them.
func messages(c *adversary.Conversation, side adversary.Side) (all []string) {
	for _, m := range c.Messages {
		if m.From == side {
			all = append(all, generated(m))
		}
	}
	return all
}

// ids are the ids of the errors.
func (v *view) ids() []string { return slices.Sorted(maps.Keys(v.errors)) }

// differs compares the messages that were decoded with those that were generated.
func (v *view) differs(c *adversary.Conversation) (wrong []string) {
	for side := range v.messages {
		if d := cmp.Diff(messages(c, adversary.Side(side)), v.messages[side]); d != "" {
			wrong = append(wrong, fmt.Sprintf("%v: messages of side %d (-sent +decoded):\n%s", c, side, d))
		}
	}
	for _, m := range c.Messages {
		if m.Upper != "" && !slices.Contains(v.uppers[m.From], fmt.Sprintf("%s %x", m.Upper, m.XID)) {
			return append(wrong, fmt.Sprintf("%v: there is no message %s %x of side %d, but %q", c, m.Upper, m.XID, m.From, v.uppers[m.From]))
		}
	}
	return wrong
}
