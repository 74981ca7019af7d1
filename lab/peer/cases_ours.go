package main

// Mistakes of the kernel's side. siwtest makes them as a client and as a server; we answer each with a Terminate, which
// the kernel logs.

import (
	"fmt"

	"github.com/iwarpkit/iwarp/codec/peers"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/rnicsim"
)

// A mistake is an error that siwtest makes.
type mistake struct {
	name, text string
	ops        string // of siwtest
	ours       endConfig
	code       string // of our Terminate
}

var mistakes = []mistake{
	{"write-index", "a Write to an unknown STag", "write:64:0:k", endConfig{}, "1/1/00"},
	{"write-key", "a Write to an STag with a wrong key", "write:64:0:K", endConfig{}, "1/1/00"},
	{"write-behind", "a Write that reaches past the end of our memory", "write:64:4090",
		endConfig{Memory: 4096}, "1/1/01"},
	{"write-longer", "a Write of several FPDUs, longer than our memory", "write:8192:0", endConfig{Memory: 4096}, "1/1/01"},
	{"write-before", "a Write that begins before our memory", "write:64:-8", endConfig{}, "1/1/01"},
	{"write-far", "a Write far from our memory", "write:64:9000000000000000000", endConfig{Memory: 4096}, "1/1/01"},
	{"write-readable", "a Write to memory that may only be read", "write:64:0",
		endConfig{Rights: new(rnicsim.RemoteRead)}, "1/1/00"},
	{"read-index", "a Read of an unknown STag", "read:64:0:k", endConfig{}, "0/1/00"},
	{"read-key", "a Read of an STag with a wrong key", "read:64:0:K", endConfig{}, "0/1/00"},
	{"read-longer", "a Read of more than our memory", "read:8192:0", endConfig{Memory: 4096}, "0/1/01"},
	{"read-writable", "a Read of memory that may only be written", "read:64:0",
		endConfig{Rights: new(rnicsim.RemoteWrite)}, "0/1/02"},
	{"send-nobody", "a Send for which there is no Receive", "send:64", endConfig{Receives: new(0)}, "1/2/02"},
	{"send-long", "a Send that is longer than its Receive", "send:101", endConfig{ReceiveSize: 100}, "1/2/05"},
	{"send-longer", "a Send of several FPDUs that is longer than its Receive", "send:9000",
		endConfig{ReceiveSize: 4000}, "1/2/05"},
	{"invalidate", "a Send with Invalidate, in which siw's user library puts STag 0", "sendinv:64", endConfig{}, "0/2/09"},
}

func ourTerminates() (all []testCase) {
	for i := range mistakes {
		m := &mistakes[i]
		for _, who := range roles {
			for _, profile := range []string{"rfc", "siw"} {
				all = append(all, testCase{
					Name: fmt.Sprintf("ours/%s/%s/%s", m.name, profile, who),
					Text: fmt.Sprintf("%s; our Terminate is %s, %s", m.text, m.code, wordings[profile]),
					Siw:  settings{CRC: true},
					Run:  func(t *T) { m.run(t, who, profile) },
				})
			}
		}
	}
	return all
}

// wordings are how a Terminate is written by profile.
var wordings = map[string]string{
	"rfc": "as in the RFC: siw, which swaps the bits, sees layer and type exchanged",
	"siw": "written as siw writes its own: siw reads it as it is meant",
}

// run lets siwtest make the mistake.
func (m *mistake) run(t *T, who role, profile string) {
	c := m.ours
	c.Profile = peers.LookupProfile(profile)
	since := t.kernelLog()
	first := map[role]string{weConnect: "recvwait:1,"} // a Responder must not begin
	e, p := t.connect(who, c, "-o", first[who]+m.ops+",sleep:20000")
	if who == weConnect {
		t.must(e.conn.Post(e.sendWR(1)), "post")
	}
	e.terminated(true, m.code)
	code, err := rdmap.ParseCode(m.code)
	t.must(err, "parse")
	layer, etype := int(code.Layer), int(code.EType)
	if profile == "rfc" {
		layer, etype = etype, layer
	}
	t.logged(since, fmt.Sprintf("siw: got TERMINATE. layer %d, type %d, code %d", layer, etype, code.ErrorCode))
	p.prints("event DISCONNECTED")
}
