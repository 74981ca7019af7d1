package rnicsim

// The commands of a transcript.
//
// An end of a connection is a letter: a and b are those of the first connection, a the Initiator; c and d are those of
// a second one between the same RNICs. Before it is used an end is given options, one a line:
//
//	a ord 1                ord, ird, sq, rq, rev, emss, cqes, markers, enhanced and the RTRs: send write read
//	b profile siw          and quirk NAME, or as quirk.Parse reads it; noread, nowrite, unprivileged, s-rq WRS LIMIT, limit N, pd NAME, shared and
//	                       cq: the S-RQ and the CQ of the other end on the same RNIC
//	connect                a and b; "connect c d" the others
//	attach                 both QPs to RTS; connect does it too unless "connect idle"
//	new                    all that there was is forgotten
//
// Then verbs, of an end each. Memory is NAME:OFFSET+LENGTH, of a region or window that was made by name:
//
//	a region NAME LENGTH RIGHTS [va=N] [pd=NAME] [zero] [local]
//	a allocate NAME ENTRIES, a window NAME, a pd NAME, a deallocate NAME, a share NAME OLD RIGHTS
//	a text NAME:OFF "TEXT", a number NAME:OFF 0xN, a show NAME:OFF+LEN
//	a receive ID MEM..., a srq ID MEM...
//	a send ID MEM... [se] [inv=NAME], a write ID MEM... to=NAME:OFF, a read ID MEM from=NAME:OFF [inv]
//	a add ID at=NAME:OFF data=N [mask=N] [MEM], a swap ID at=NAME:OFF data=N mask=N compare=N cmask=N [MEM]
//	a imm ID N [se], a bind ID NAME MEM RIGHTS [key=N] [zero], a fastregister ID NAME RIGHTS, a invalidate ID NAME
//	      each with [fence] [unsignaled]
//	a then VERB...         the same as soon as a has sent its next FPDU
//	a modify STATE [ord=N] [ird=N], a query, a destroy, a poll on|off|all
//	a fails qp|cq|s-rq|rnic
//
// What the network does:
//
//	go                     all that is to be sent is, one FPDU of an end after the other
//	hold a, free a         what an end sends stays with it, and continues
//	a puts OCTETS          a ULPDU comes from a that its RNIC did not send; also puts-badcrc and
//	                       puts-badmarker
//	a fin, a resets, a dies
//	wait 10s
//
// OCTETS are hexadecimal digits, text in quotation marks, and $NAME for an STag, $NAME+1 with another key.

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/peers"
	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/rnicsim/quirk"
)

// A script is a transcript in progress.
type script struct {
	t       *testing.T
	quirks  []quirk.Quirk // of all RNICs
	out     strings.Builder
	options map[string]*options
	ends    map[string]*end
	pds     map[string]*PD
	memory  map[string]*named
	now     time.Duration
	profile *rules.Profile // of the end that is sending
	late    []Event        // that were raised while it was: what it sent comes first
}

// An end is a side with what a script has to know about it.
type end struct {
	*side
	name   string
	pairs  options
	state  State
	silent bool // completions are not polled
	srq    *SRQ
	wire   mpa.Deframer
	framed bool   // its MPA frame was shown
	then   func() // is called when its next FPDU was sent
}

// A named is memory that has a name.
type named struct {
	end    *end
	stag   STag
	base   uint64
	octets []byte
}

func newScript(t *testing.T) *script {
	return &script{t: t, options: map[string]*options{}, ends: map[string]*end{}, pds: map[string]*PD{}, memory: map[string]*named{}}
}

// printf writes a line of a command's result.
func (s *script) printf(format string, args ...any) { fmt.Fprintf(&s.out, "\t"+format+"\n", args...) }

// take returns what was written.
func (s *script) take() string {
	text := s.out.String()
	s.out.Reset()
	return text
}

// run executes a command.
func (s *script) run(words []string, line string) error {
	err := s.command(words, line)
	for _, name := range s.names() {
		s.report(s.ends[name])
	}
	return err
}

// names returns those of the ends, in order.
func (s *script) names() (all []string) {
	for name := range s.ends {
		all = append(all, name)
	}
	slices.Sort(all)
	return all
}

func (s *script) command(words []string, line string) error {
	switch words[0] {
	case "connect":
		return s.connect(words[1:])
	case "attach":
		return s.attach("a", "b")
	case "new":
		quirks := s.quirks
		*s = *newScript(s.t)
		s.quirks = quirks
		return nil
	case "go":
		s.pump()
		return nil
	case "hold", "free":
		s.end(words[1]).held = words[0] == "hold"
		return nil
	case "wait":
		d, err := time.ParseDuration(words[1])
		s.now += d
		for _, name := range s.names() {
			s.ends[name].stream.Advance(s.now)
		}
		return err
	}
	if len(words) < 2 {
		return fmt.Errorf("what is that?")
	}
	if ok, err := s.option(words[0], words[1], words[2:]); ok {
		return err
	}
	e := s.end(words[0])
	if ok, err := s.network(e, words[1], line); ok {
		return err
	}
	return s.verb(e, words[1], words[2:], line)
}

// opts returns the options of an end.
func (s *script) opts(name string) *options {
	if s.options[name] == nil {
		o := defaults()
		o.config.Name, o.config.Seed, o.config.Quirks = name, [32]byte{name[0]}, slices.Clone(s.quirks)
		s.options[name] = &o
	}
	return s.options[name]
}

// option sets an option. ok is false if there is no such option.
func (s *script) option(name, key string, args []string) (ok bool, err error) {
	o := s.opts(name)
	number := func() (n int) {
		n, err = strconv.Atoi(args[0])
		return n
	}
	switch key {
	case "ord":
		o.qp.ORD = number()
	case "ird":
		o.qp.IRD = number()
	case "sq":
		o.qp.SQ = number()
	case "rq":
		o.qp.RQ = number()
	case "cqes":
		o.cqes = number()
	case "rev":
		o.stream.Rev = uint8(number())
	case "emss":
		o.emss = number()
	case "markers":
		o.stream.Markers = true
	case "enhanced":
		o.stream.Rev = mpa.Rev2
		e := &mpa.Enhanced{IRD: uint16(o.qp.IRD), ORD: uint16(o.qp.ORD), A: len(args) > 0}
		e.B, e.C, e.D = slices.Contains(args, "send"), slices.Contains(args, "write"), slices.Contains(args, "read")
		o.stream.Enhanced = e
	case "profile":
		o.config.Profile = peers.LookupProfile(args[0])
	case "quirk":
		k, err := quirk.Parse(strings.Join(args, " "), peers.RNICs...)
		o.config.Quirks = append(o.config.Quirks, k)
		return true, err
	case "noread":
		o.qp.RemoteRead = false
	case "nowrite":
		o.qp.RemoteWrite = false
	case "unprivileged":
		o.qp.Privileged = false
	case "limit":
		o.qp.RQLimit = number()
	default:
		return s.share(o, name, key, args)
	}
	return true, err
}

// share sets the options that are about S-RQs and CQs.
func (s *script) share(o *options, name, key string, args []string) (ok bool, err error) {
	switch key {
	case "s-rq":
		wrs, _ := strconv.Atoi(args[0])
		limit, _ := strconv.Atoi(args[1])
		rnic := s.rnic(name)
		pd := s.pd(name, "pd")
		o.qp.SRQ, err = rnic.CreateSRQ(SRQConfig{PD: pd, WRs: wrs, SGEs: 4, Limit: limit})
	case "shared": // with the S-RQ of the other connection's end
		o.qp.SRQ = s.opts(other(name)).qp.SRQ
	case "cq": // that of the other connection's end
		o.qp.SendCQ = s.end(other(name)).cq
	case "pd":
		o.qp.PD = s.pd(name, args[0])
	default:
		return false, nil
	}
	return true, err
}

// other returns the end on the same RNIC.
func other(name string) string {
	return map[string]string{"a": "c", "b": "d", "c": "a", "d": "b"}[name]
}

// rnic returns the one of an end.
func (s *script) rnic(name string) *RNIC {
	if e := s.ends[other(name)]; e != nil {
		return e.rnic
	}
	first := min(name, other(name))
	o := s.opts(first)
	if o.config.Memory == nil {
		o.config.Memory = new(Memory)
		r := New(o.config)
		s.pds[first+".rnic"] = must(r.AllocatePD()) // keeps the RNIC at hand
	}
	return s.pds[first+".rnic"].rnic
}

// pd returns a Protection Domain of an end's RNIC, made when it is first named.
func (s *script) pd(end, name string) *PD {
	key := min(end, other(end)) + "." + name
	if s.pds[key] == nil {
		s.pds[key] = must(s.rnic(end).AllocatePD())
	}
	return s.pds[key]
}

// end returns the end of a name, made when it is first used.
func (s *script) end(name string) *end {
	if e := s.ends[name]; e != nil {
		return e
	}
	o := *s.opts(name)
	if o.qp.PD == nil {
		o.qp.PD = s.pd(name, "pd")
	}
	e := &end{name: name, pairs: o, srq: o.qp.SRQ}
	e.side = newSide(s.t, o, s.rnic(name))
	e.rnic.SetAsyncEventHandler(s.event)
	e.pulled = func(octets []byte) {
		s.sent(e, octets)
		for _, event := range s.late {
			s.event(event)
		}
		s.late = s.late[:0]
		if then := e.then; then != nil {
			e.then = nil
			then()
		}
	}
	e.leaves = func(how mpa.Ending) {
		s.printf("%s > %s", e.name, map[mpa.Ending]string{mpa.EndsFIN: "FIN", mpa.EndsReset: "RST"}[how])
	}
	s.ends[name] = e
	return e
}

// connect joins two ends.
func (s *script) connect(args []string) error {
	names := []string{"a", "b"}
	idle := slices.Contains(args, "idle")
	if len(args) > 1 {
		names = args[:2]
	}
	a, b := s.end(names[0]), s.end(names[1])
	if err := join(a.side, b.side); err != nil {
		s.printf("%v", err)
		return nil
	}
	if idle {
		return nil
	}
	return s.attach(names...)
}

// attach brings QPs to RTS.
func (s *script) attach(names ...string) error {
	for _, name := range slices.Backward(names) {
		e := s.end(name)
		if err := e.qp.Modify(Modification{State: RTS, Stream: e.stream}); err != nil {
			s.printf("%s: %v", name, err)
		}
	}
	return nil
}

// pump moves all that is to be moved.
func (s *script) pump() {
	for moved := true; moved; {
		moved = false
		for _, name := range s.names() {
			e := s.ends[name]
			if !e.move() {
				continue
			}
			moved = true
			for _, other := range s.names() {
				s.report(s.ends[other])
			}
		}
	}
}

// report returns of completions and of a change of state.
func (s *script) report(e *end) {
	if !e.silent {
		for _, c := range e.poll() {
			s.printf("%s: %s", s.owner(e, &c), completionText(&c))
		}
	}
	if e.qp.life.state != e.state && e.qp.exists() {
		s.printf("%s: %v -> %v", e.name, e.state, e.qp.life.state)
		e.state = e.qp.life.state
	}
}

// owner returns the end that a completion is of: CQs can be shared.
func (s *script) owner(e *end, c *Completion) string {
	for _, name := range s.names() {
		if x := s.ends[name]; x.rnic == e.rnic && x.qp.id == c.QP {
			return name
		}
	}
	return e.name
}

// event returns of an asynchronous event.
func (s *script) event(e Event) {
	for _, x := range s.ends {
		if x.busy {
			s.late = append(s.late, e)
			return
		}
	}
	for _, name := range s.names() {
		switch x := s.ends[name]; {
		case e.QP != nil && x.qp == e.QP:
			s.printf("%s: event %v (%v)", name, e.Type, e.QP.life.state)
			return
		case e.CQ != nil && x.cq == e.CQ, e.SRQ != nil && x.srq == e.SRQ:
			s.printf("%s: event %v", name, e.Type)
			return
		case e == Event{Type: e.Type, RNIC: x.rnic}:
			s.printf("%s: event %v, of the RNIC", name, e.Type)
			return
		}
	}
	s.printf("event %v", e.Type)
}
