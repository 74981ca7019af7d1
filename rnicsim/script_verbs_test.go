package rnicsim

// The verbs that a transcript can use, and what the network does in it.

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"

	"github.com/iwarpkit/iwarp/codec/mpa"
)

// rights are read as the words that the Verbs' figures abbreviate.
func parseRights(s string) (r Rights) {
	for _, word := range strings.Split(s, ",") {
		r |= map[string]Rights{"lr": LocalRead, "lw": LocalWrite, "rr": RemoteRead, "rw": RemoteWrite, "bind": BindWindows}[word]
	}
	return r
}

// A call is the arguments of a verb: words by themselves, and values that are named.
type call struct {
	s     *script
	words []string
	named map[string]string
}

func (s *script) call(args []string) *call {
	c := &call{s: s, named: map[string]string{}}
	for _, a := range args {
		if key, value, ok := strings.Cut(a, "="); ok {
			c.named[key] = value
		} else if a == "fence" || a == "unsignaled" || a == "se" || a == "inv" || a == "zero" || a == "local" {
			c.named[a] = a
		} else {
			c.words = append(c.words, a)
		}
	}
	return c
}

func (c *call) is(name string) bool { return c.named[name] != "" }

func (c *call) number(name string) uint64 { return number(c.named[name]) }

func number(s string) uint64 {
	if s == "" {
		return 0
	}
	return must(strconv.ParseUint(strings.ReplaceAll(s, "_", ""), 0, 64))
}

// mem reads NAME:OFFSET+LENGTH. The TO of an offset counts from the start of the memory; NAME may be 0 for STag 0,
// whose offset is the TO, and NAME! for a wrong key.
func (c *call) mem(s string) SGE {
	name, rest, _ := strings.Cut(s, ":")
	offset, length, _ := strings.Cut(rest, "+")
	n := uint32(number(length))
	if name == "0" {
		return SGE{0, number(offset), n}
	}
	m := c.memory(name)
	if at, ok := strings.CutPrefix(offset, "-"); ok {
		return SGE{m.stag, m.base - number(at), n}
	}
	return SGE{m.stag, m.base + number(offset), n}
}

// memory finds named memory.
func (c *call) memory(name string) named {
	key := strings.TrimSuffix(name, "!")
	m := c.s.memory[key]
	if m == nil {
		panic("no memory " + name)
	}
	copied := *m
	if key != name {
		copied.stag++
	}
	return copied
}

func (c *call) list(words []string) (all []SGE) {
	for _, w := range words {
		all = append(all, c.mem(w))
	}
	return all
}

// verb executes a verb.
func (s *script) verb(e *end, verb string, args []string, line string) error {
	c := s.call(args)
	var err error
	switch verb {
	case "region", "allocate", "window", "pd", "deallocate", "share", "bound":
		err = s.memoryVerb(e, verb, c)
	case "text", "number", "show":
		s.contents(e, verb, c, line)
	case "receive", "srq":
		wr := WorkRequest{ID: number(c.words[0]), SGL: c.list(c.words[1:])}
		if verb == "srq" {
			_, err = e.srq.PostRQ(wr)
		} else {
			_, err = e.qp.PostRQ(wr)
		}
	case "then":
		e.then = func() { s.verb(e, args[0], args[1:], line) }
	case "fails":
		err = e.fails(args[0])
	case "modify", "query", "destroy", "poll", "srqlimit":
		err = s.qpVerb(e, verb, c)
	default:
		wr, ok := c.work(verb)
		if !ok {
			return fmt.Errorf("what is %s?", verb)
		}
		_, err = e.qp.PostSQ(wr)
	}
	if err != nil {
		s.printf("refused: %s", strings.TrimPrefix(err.Error(), "rnicsim: "))
	}
	return nil
}

// work reads a Work Request of the SQ.
func (c *call) work(verb string) (wr WorkRequest, ok bool) {
	wr = WorkRequest{Unsignaled: c.is("unsignaled"), ReadFence: c.is("fence"), LocalFence: c.is("fence")}
	if len(c.words) > 0 {
		wr.ID = number(c.words[0])
	}
	remote := func(name string) {
		r := c.mem(c.named[name])
		wr.Remote, wr.RemoteTO = r.STag, r.TO
	}
	switch verb {
	case "send":
		wr.Op, wr.SGL = OpSend, c.list(c.words[1:])
		if c.is("se") {
			wr.Op = OpSendSE
		}
		if c.is("inv") {
			wr.Op += OpSendInvalidate - OpSend
			wr.STag = c.mem(c.named["inv"]).STag
		}
	case "write":
		wr.Op, wr.SGL = OpWrite, c.list(c.words[1:])
		remote("to")
	case "read":
		wr.Op, wr.Local = OpRead, c.mem(c.words[1])
		if c.is("inv") {
			wr.Op = OpReadInvalidate
		}
		remote("from")
	case "add", "swap":
		wr.Op = map[string]Op{"add": OpFetchAdd, "swap": OpCmpSwap}[verb]
		wr.Data, wr.Mask, wr.CompareData, wr.CompareMask = c.number("data"), c.number("mask"), c.number("compare"), c.number("cmask")
		if len(c.words) > 1 {
			wr.Local = c.mem(c.words[1])
		}
		remote("at")
	case "imm":
		wr.Op, wr.Data = OpImmediate, number(c.words[1])
		if c.is("se") {
			wr.Op = OpImmediateSE
		}
	case "bind":
		m := c.mem(c.words[2])
		wr.Op = OpBind
		w := c.s.memory[c.words[1]]
		if c.is("key") {
			w.stag = w.stag.WithKey(uint8(c.number("key")))
		}
		wr.Bind = &Bind{Window: w.stag, Region: m.STag, VA: m.TO, Length: uint64(m.Len), ZeroBased: c.is("zero"), Rights: parseRights(c.words[3])}
		w.base = m.TO
		if c.is("zero") {
			w.base = 0
		}
	case "fastregister":
		c.fastRegister(&wr)
	case "invalidate":
		wr.Op, wr.STag = OpInvalidate, c.mem(c.words[1]).STag
	default:
		return wr, false
	}
	return wr, true
}

// fastRegister registers a page of new memory.
func (c *call) fastRegister(wr *WorkRequest) {
	m := c.s.memory[c.words[1]]
	if m.octets == nil {
		m.octets = make([]byte, memoryPage)
	}
	memory := m.end.rnic.memory
	address := must(memory.Add(m.octets, 0))
	m.base = c.number("va")
	m.stag = m.stag.WithKey(uint8(c.number("key")))
	wr.Op, wr.STag = OpFastRegister, m.stag
	wr.Registration = &Registration{VA: m.base, Rights: parseRights(c.words[2]),
		PBL: PBL{EntrySize: memoryPage, Entries: []uint64{address}, Length: memoryPage}}
}

// memoryVerb executes a verb about regions and windows.
func (s *script) memoryVerb(e *end, verb string, c *call) (err error) {
	name := c.words[0]
	switch verb {
	case "pd":
		s.pd(e.name, name)
	case "region":
		m := &named{end: e, base: 0x1000, octets: make([]byte, number(c.words[1]))}
		if c.is("va") {
			m.base = c.number("va")
		}
		pd := e.pd
		if c.is("pd") {
			pd = s.pd(e.name, c.named["pd"])
		}
		must(e.rnic.memory.Add(m.octets, m.base)) // for STag 0
		m.stag, err = e.rnic.RegisterOctets(pd, m.octets, m.base, parseRights(c.words[2]), 0x11)
		s.memory[name] = m
	case "share":
		old := s.memory[c.words[1]]
		m := &named{end: e, base: old.base, octets: old.octets}
		r := parseRights(c.words[2])
		m.stag, err = e.rnic.RegisterSharedMR(old.stag, e.pd, Registration{VA: old.base, Key: 0x22, RemoteAccess: r.remote() != 0, Rights: r})
		s.memory[name] = m
	case "allocate":
		m := &named{end: e}
		m.stag, err = e.rnic.AllocateMR(e.pd, int(number(c.words[1])), true)
		s.memory[name] = m
	case "window":
		m := &named{end: e}
		m.stag, err = e.rnic.AllocateMW(e.pd)
		s.memory[name] = m
	case "deallocate":
		err = e.rnic.Deallocate(s.memory[name].stag)
	}
	return err
}

// contents writes or shows octets.
func (s *script) contents(e *end, verb string, c *call, line string) {
	name, rest, _ := strings.Cut(c.words[0], ":")
	offset, length, _ := strings.Cut(rest, "+")
	b := s.memory[name].octets[number(offset):]
	switch verb {
	case "text":
		text := line[strings.Index(line, `"`)+1:]
		copy(b, strings.TrimSuffix(text, `"`))
	case "number":
		binary.LittleEndian.PutUint64(b, number(c.words[1]))
	case "show":
		if length == "" {
			s.printf("0x%016x", binary.LittleEndian.Uint64(b))
		} else {
			s.printf("%s", payloadText(b[:number(length)]))
		}
	}
}

// fails makes something of an end fail.
func (e *end) fails(what string) error {
	switch what {
	case "qp":
		return e.qp.Fail()
	case "cq":
		return e.cq.Fail()
	case "s-rq":
		return e.srq.Fail()
	case "rnic":
		return e.rnic.Fail()
	}
	return fmt.Errorf("what is %s?", what)
}

// qpVerb executes a verb about the QP or its queues.
func (s *script) qpVerb(e *end, verb string, c *call) error {
	switch verb {
	case "destroy":
		return e.qp.Destroy()
	case "poll":
		e.silent = c.words[0] == "off"
		return nil
	case "srqlimit":
		return e.srq.Modify(SRQModification{Limit: new(int(number(c.words[0]))), Arm: true})
	case "query":
		a, err := e.qp.Query()
		if err == nil {
			s.printf("%s is in %v%s", e.name, a.State, lastText(a.Terminate, e.rnic.config.Profile))
		}
		return err
	}
	m := Modification{}
	for i, name := range stateNames {
		if strings.EqualFold(name, c.words[0]) {
			m.State = State(i)
		}
	}
	if m.State == RTS && e.qp.life.state == Idle {
		m.Stream = e.stream
	}
	for key, to := range map[string]**int{"ord": &m.ORD, "ird": &m.IRD, "sq": &m.SQ, "rq": &m.RQ} {
		if c.is(key) {
			*to = new(int(c.number(key)))
		}
	}
	return e.qp.Modify(m)
}

// network does what does not come from the RNIC of an end. ok is false if there is no such command.
func (s *script) network(e *end, verb, line string) (ok bool, err error) {
	switch verb {
	case "puts", "puts-badcrc", "puts-badmarker":
		_, text, _ := strings.Cut(line, verb+" ")
		ulpdu, err := s.octets(text)
		if err != nil {
			return true, err
		}
		s.inject(e, verb, ulpdu)
	case "fin":
		s.printf("%s > FIN", e.name)
		e.ended = mpa.EndsFIN
		e.peer.stream.InputFIN()
	case "resets":
		s.printf("%s > RST", e.name)
		e.ended = mpa.EndsReset
		e.peer.stream.InputReset()
	case "dies":
		e.held = true
		e.peer.stream.Lost()
	default:
		return false, nil
	}
	return true, nil
}

// inject puts an FPDU into what an end sends.
func (s *script) inject(e *end, verb string, ulpdu []byte) {
	b := must(e.stream.framer.Append(nil, ulpdu))
	switch verb {
	case "puts-badcrc":
		b[len(b)-1] ^= 0xff
	case "puts-badmarker":
		b[3] ^= 4 // the FPDUPTR of the Marker in front
		b = append(b[:len(b)-4], crcOf(b[:len(b)-4])...)
	}
	s.sent(e, b)
	e.peer.stream.Input(b)
}

// octets reads OCTETS.
func (s *script) octets(text string) (b []byte, err error) {
	for _, word := range strings.Fields(text) {
		name, isSTag := strings.CutPrefix(word, "$")
		switch {
		case isSTag:
			name, plus, _ := strings.Cut(name, "+")
			b = binary.BigEndian.AppendUint32(b, uint32(s.memory[name].stag)+uint32(number(plus)))
		case word[0] == '"':
			b = append(b, strings.Trim(word, `"`)...)
		default:
			h, err := hex.DecodeString(word)
			if err != nil {
				return nil, err
			}
			b = append(b, h...)
		}
	}
	return b, nil
}
