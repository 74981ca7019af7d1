package proxy

// From what a capture shows to have gone wrong to rules that do it again.

import (
	"encoding/hex"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/iwarpkit/iwarp/codec/ddp"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/replay/scenario"
)

// Reproduce returns Rules that do again what went wrong on the connections of a Scenario that was made of a capture: wrong FPDUs and
// segments, octets that are not FPDUs, rejections, Reads without a response, Terminates and resets. A Terminate or reset that follows
// something wrong is left to the end that it came from. The Rules of all connections apply to every connection, so those of
// different connections that are equal are one. Of more than MaxRules, left says how many are left out.
func Reproduce(s *scenario.Scenario) (rules []*Rule, left int, err error) {
	have := make(map[[2]string]int) // how often a rule is among those of the connections before
	for _, c := range s.Conns {
		h := history{conn: c}
		for _, step := range c.Steps {
			h.add(step)
		}
		h.finish()
		own := make(map[[2]string]int)
		for i, on := range h.on {
			rule := [2]string{on, h.do[i]}
			if own[rule]++; own[rule] <= have[rule] {
				continue
			}
			have[rule] = own[rule]
			if len(rules) == MaxRules {
				left++
				continue
			}
			r, err := ParseRule(on, h.do[i])
			if err != nil {
				return nil, 0, fmt.Errorf("%s: %w", c.Name, err)
			}
			rules = append(rules, r)
		}
	}
	return rules, left, nil
}

// A history is what has happened on a connection so far.
type history struct {
	conn   *scenario.Conn
	counts [2]map[string]int // by side and type: messages and frames
	latest [2]occasion       // by side
	last   scenario.Side     // who has sent the latest of all
	open   []scenario.Side   // who has sent the Read Requests that were not answered
	over   bool              // a side has sent a FIN or a Terminate
	on, do []string
}

// An occasion is a message of a side, such as its third Send.
type occasion struct {
	side scenario.Side
	kind string
	n    int
}

// filter selects the messages among which it is.
func (o occasion) filter() string {
	return fmt.Sprintf("dir == %s and type == %s", [...]string{"c2s", "s2c"}[o.side], o.kind)
}

// repeat adds a Rule with an action on an occasion. argument is what follows the word of the action.
func (h *history) repeat(o occasion, action, argument string) {
	if o.n == 0 {
		return
	}
	h.on = append(h.on, o.filter())
	h.do = append(h.do, strings.TrimSpace(fmt.Sprintf("%s:%d %s", action, o.n, argument)))
}

// count counts a message or frame of a side.
func (h *history) count(side scenario.Side, kind string) occasion {
	if h.counts[side] == nil {
		h.counts[side] = make(map[string]int)
	}
	h.counts[side][kind]++
	h.latest[side], h.last = occasion{side, kind, h.counts[side][kind]}, side
	return h.latest[side]
}

// add takes the next step.
func (h *history) add(s *scenario.Step) {
	before := h.latest[s.Side]
	switch do := s.Do.(type) {
	case *scenario.Frame:
		if o := h.count(s.Side, do.Verb()); do.R {
			h.repeat(o, "set=iwarp_mpa.rej_flag=1", "")
		}
	case *scenario.Message:
		h.message(s, do)
	case *scenario.Segment:
		h.segment(do, before, func() occasion { return h.count(s.Side, do.Opcode.String()) })
	case *scenario.FPDU:
		o := h.count(s.Side, do.Opcode.String())
		h.segment(&do.Segment, before, func() occasion { return o })
		if do.BadCRC || do.CRC != nil {
			h.repeat(o, "crc", "")
		}
		if do.Markers != scenario.RightMarkers {
			h.repeat(o, "set=iwarp_mpa.marker_fpduptr+4", "")
		}
	case *scenario.Octets:
		const most = 1 << 10
		if n := do.Payload.Len(); n > most {
			h.repeat(before, fmt.Sprintf("garbage=%d", n), "")
		} else {
			h.repeat(before, "inject", "Octets "+h.octetsText(do.Payload))
		}
	case scenario.Reset:
		if len(h.on) == 0 && !h.over {
			h.repeat(h.latest[h.last], "reset", "")
		}
	case scenario.FIN:
		h.over = true
	}
}

// message takes a message that breaks no rule by itself.
func (h *history) message(s *scenario.Step, m *scenario.Message) {
	switch m.Opcode {
	case rdmap.OpTerminate:
		if len(h.on) == 0 {
			h.refused(s.Side.Other(), m)
		}
		h.over = true
	case rdmap.OpReadRequest:
		h.open = append(h.open, s.Side)
	case rdmap.OpReadResponse:
		if i := slices.Index(h.open, s.Side.Other()); i >= 0 {
			h.open = slices.Delete(h.open, i, i+1)
		}
	}
	h.count(s.Side, m.Verb())
}

// refused takes a Terminate about what a side has sent. If it names memory, in the Write or Read Request that it encloses, that is done
// wrong again; else only the Terminate comes again.
func (h *history) refused(side scenario.Side, m *scenario.Message) {
	var t rdmap.Terminate
	out, err := scenario.NewSender(1).Message(m, nil, h.conn.Recorded())
	if err != nil {
		return
	}
	ulpdu, _ := out.Next(nil, math.MaxUint16)
	b := ulpdu[min(ddp.UntaggedLen, len(ulpdu)):]
	if _, err := t.Decode(b); err != nil {
		return
	}
	code := t.Code.String() // as it was sent
	if rdmap.ReadingOf(b, len(b)) == rdmap.ReadingSwapped {
		t.DecodeSwapped(b)
	}
	kind := t.Header.Control.Opcode.String()
	o := occasion{side, kind, h.counts[side][kind]}
	if change := wrongMemory(&t); change != "" && o.n > 0 {
		h.repeat(o, "set="+change, "")
		return
	}
	h.repeat(h.latest[side], "inject", side.Other().String()+" Terminate "+code)
}

// wrongMemory returns the change of a message that leads to a Terminate about its STag or its bounds; empty for other Terminates.
func wrongMemory(t *rdmap.Terminate) string {
	const invalidSTag, outOfBounds = 0, 1 // error codes of both layers
	c, op := t.Code, t.Header.Control.Opcode
	tagged := c.Layer == rdmap.LayerDDP && c.EType == rdmap.DDPTaggedBuffer || c.Layer == rdmap.LayerRDMAP && c.EType == rdmap.RDMAPRemoteProtection
	switch {
	case !t.HasHeader || !tagged:
	case op == rdmap.OpWrite && c.ErrorCode == invalidSTag:
		return "iwarp_ddp.stag^0xff"
	case op == rdmap.OpWrite && c.ErrorCode == outOfBounds:
		return "iwarp_ddp.tagged_offset^0x8000000000000000"
	case op == rdmap.OpReadRequest && c.ErrorCode == invalidSTag:
		return "iwarp_rdma.srcstag^0xff"
	case op == rdmap.OpReadRequest && c.ErrorCode == outOfBounds:
		return "iwarp_rdma.srcto^0x8000000000000000"
	}
	return ""
}

// segment takes a segment with wrong headers. counted counts it.
func (h *history) segment(s *scenario.Segment, before occasion, counted func() occasion) {
	if s.Raw {
		h.repeat(before, "inject", "Segment "+h.octetsText(s.Payload))
		return
	}
	o := counted()
	free := scenario.MessageFields(s.Opcode)
	for _, f := range s.Fields {
		if slices.Contains(free, f.Name) || f.Name == "L" && f.Value.Number == 0 || f.Value.Var != "" {
			continue // the sender chooses it, or the message was cut off
		}
		if name := fieldName(s.Opcode, f.Name); name != "" {
			h.repeat(o, fmt.Sprintf("set=%s=%d", name, f.Value.Number), "")
		}
	}
}

// fieldName returns the name that filters have for a field of a scenario; empty if there is none.
func fieldName(o rdmap.Opcode, label string) string {
	for _, t := range o.Tables() {
		for i := range t.Fields {
			if strings.ReplaceAll(t.Fields[i].Label, " ", "") == label {
				return t.Fields[i].Name
			}
		}
	}
	return ""
}

// octetsText returns octets as a scenario has them, with the recorded values of variables.
func (h *history) octetsText(p scenario.Payload) string {
	b, _ := p.AppendOctets(nil, h.conn.Recorded())
	return hex.EncodeToString(b)
}

// finish takes the end of the connection: Reads without a response are what went wrong if nothing else did.
func (h *history) finish() {
	if len(h.on) > 0 || !h.over {
		return
	}
	for _, side := range h.open {
		responses := h.counts[side.Other()]["ReadResponse"]
		h.repeat(occasion{side.Other(), "ReadResponse", responses + 1}, "drop", "")
		return
	}
}
