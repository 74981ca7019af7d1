package suite

// Mutants of an RPC server: they change what it sends, accept what it should refuse, or misread what it receives.

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strings"

	"github.com/iwarpkit/iwarp/codec/rpcrdma"
	"github.com/iwarpkit/iwarp/rnicsim/rpc"
)

const rpcPrefix = "rpc "

// rpcMutants maps the names of mutants, without the prefix, to Options of an RPC server.
var rpcMutants = func() map[string]rpc.Options {
	all := misreading()
	for f := range rpc.NumFaults {
		all["careless "+f.String()] = rpc.Options{Careless: []rpc.Fault{f}}
	}
	for name, is := range rpcMessages {
		for what, change := range rpcChanges() {
			all["tamper "+name+" "+what] = rpc.Options{Tamper: func(o *rpc.Outgoing) {
				if is(o) {
					change(o)
				}
			}}
		}
	}
	return all
}()

func rpcNames() (names []string) {
	for name := range rpcMutants {
		names = append(names, rpcPrefix+name)
	}
	return names
}

func form(o *rpc.Outgoing) (f rpcrdma.Form, version2 bool) {
	d := rpcrdma.DetectDialect(o.Message, len(o.Message))
	if len(o.Message) > 8 && o.Message[7] == rpcrdma.Vers2 {
		d = rpcrdma.DialectVersion2.Of(o.Message, len(o.Message))
	}
	var m rpcrdma.Message
	m.Decode(o.Message, len(o.Message), d)
	return m.Form, d == rpcrdma.DialectVersion2
}

// rpcMessages are the kinds of messages that a mutant sends wrong.
var rpcMessages = map[string]func(*rpc.Outgoing) bool{
	"error1":     inForm(false, true, rpcrdma.FormError),
	"error2":     inForm(true, true, rpcrdma.FormError),
	"reply1":     inForm(false, true, rpcrdma.FormInline),
	"reply2":     inForm(true, true, rpcrdma.FormInline),
	"external1":  inForm(false, true, rpcrdma.FormBody),
	"external2":  inForm(true, true, rpcrdma.FormBody),
	"call1":      inForm(false, false, rpcrdma.FormInline),
	"call2":      inForm(true, false, rpcrdma.FormInline),
	"properties": func(o *rpc.Outgoing) bool { f, _ := form(o); return f == rpcrdma.FormProperties },
	"grant":      func(o *rpc.Outgoing) bool { f, _ := form(o); return f == rpcrdma.FormGrant },
}

// inForm reports whether a message has a version and a form, and whether it answers another one.
func inForm(version2, answers bool, want rpcrdma.Form) func(*rpc.Outgoing) bool {
	return func(o *rpc.Outgoing) bool {
		f, v2 := form(o)
		return f == want && v2 == version2 && (o.Request != nil) == answers
	}
}

// The words whose lowest bit is flipped: from the beginning of a message, and from its end.
const (
	firstWords = 24
	lastWords  = 8
)

func rpcChanges() map[string]func(*rpc.Outgoing) {
	all := map[string]func(*rpc.Outgoing){
		"twice":        func(o *rpc.Outgoing) { o.Before = [][]byte{o.Message} },
		"drop":         func(o *rpc.Outgoing) { o.Drop = true },
		"close":        func(o *rpc.Outgoing) { o.Drop, o.Close = true, true },
		"longer":       func(o *rpc.Outgoing) { o.Message = append(slices.Clip(o.Message), 0, 0, 0, 0) },
		"shorter":      func(o *rpc.Outgoing) { o.Message = o.Message[:max(0, len(o.Message)-4)] },
		"no-credit":    func(o *rpc.Outgoing) { put(o, 2, 0) },
		"more-credits": func(o *rpc.Outgoing) { put(o, 2, word(o.Message, 2)*2) },
		"invalidate":   func(o *rpc.Outgoing) { o.Invalidate ^= foreignSTag },
		"unwritten":    func(o *rpc.Outgoing) { o.Writes = nil },
		"reversed":     func(o *rpc.Outgoing) { slices.Reverse(o.Writes) },
		"misplaced":    writes(func(w *rpc.Push) { w.TO += 4 }),
		"elsewhere":    writes(func(w *rpc.Push) { w.STag++ }),
		"spoiled":      writes(func(w *rpc.Push) { w.Octets = append([]byte{^w.Octets[0]}, w.Octets[1:]...) }),
		"cut":          writes(func(w *rpc.Push) { w.Octets = w.Octets[:len(w.Octets)-1] }),
		"invalidate-first-write": func(o *rpc.Outgoing) {
			if len(o.Writes) > 0 {
				o.Invalidate = o.Writes[0].STag
			}
		},
		"other-error": func(o *rpc.Outgoing) {
			put(o, wordLists, uint32(rpcrdma.ErrCodeChunk))
			o.Message = o.Message[:min(20, len(o.Message))]
		},
		"all-versions": func(o *rpc.Outgoing) { put(o, wordLists+2, ^uint32(0)) },
		"rounded-up":   writes(func(w *rpc.Push) { w.Octets = append(slices.Clip(w.Octets), 0, 0, 0, 0)[:(len(w.Octets)+4)&^3] }),
	}
	for i := range firstWords {
		all[fmt.Sprintf("word-%d", i)] = func(o *rpc.Outgoing) { put(o, i, word(o.Message, i)^1) }
	}
	for i := 1; i <= lastWords; i++ {
		all[fmt.Sprintf("last-%d", i)] = func(o *rpc.Outgoing) {
			if at := len(o.Message)/4 - i; at >= 0 {
				put(o, at, word(o.Message, at)^1)
			}
		}
	}
	return all
}

// foreignSTag is an STag that no peer has advertised.
const foreignSTag = 0x7e57ab1e

// writes returns a change of each non-empty Write.
func writes(change func(*rpc.Push)) func(*rpc.Outgoing) {
	return func(o *rpc.Outgoing) {
		for i := range o.Writes {
			if len(o.Writes[i].Octets) > 0 {
				change(&o.Writes[i])
			}
		}
	}
}

func word(message []byte, i int) uint32 {
	if len(message) < 4*i+4 {
		return 0
	}
	return binary.BigEndian.Uint32(message[4*i:])
}

// put changes a word of a message, if the message is long enough.
func put(o *rpc.Outgoing, i int, v uint32) { o.Message = with(o.Message, i, v) }

func parseRPC(name string) (mutant, error) {
	o, ok := rpcMutants[strings.TrimPrefix(name, rpcPrefix)]
	if !ok {
		return mutant{}, fmt.Errorf("unknown mutant %q", name)
	}
	return mutant{Name: name, RPC: &o}, nil
}
