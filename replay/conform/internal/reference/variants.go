package reference

import (
	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/peers"
	"github.com/iwarpkit/iwarp/codec/rpcrdma"
	"github.com/iwarpkit/iwarp/replay/conform"
	"github.com/iwarpkit/iwarp/rnicsim"
	"github.com/iwarpkit/iwarp/rnicsim/rpc"
)

// A Variant is a Peer that breaks no rule, and has its own kind of connection set-up.
type Variant struct {
	Name string
	Config
}

// Variants returns Peers that together cover all cases. The first one has the most features.
func Variants() []Variant {
	stream := func(s rnicsim.StreamConfig) Config {
		s.CRC = true
		return Config{Stream: s}
	}
	draft := stream(rnicsim.StreamConfig{Rev: mpa.Rev1})
	draft.Device.RNIC.Profile = peers.LookupProfile("draft-00")
	return []Variant{
		{"plain", Config{}},
		{"markers", stream(rnicsim.StreamConfig{Rev: mpa.Rev2, Markers: true, Enhanced: &mpa.Enhanced{IRD: 16, ORD: 16}})},
		{"ready", stream(rnicsim.StreamConfig{Rev: mpa.Rev2, Enhanced: &mpa.Enhanced{A: true, B: true, C: true, D: true, IRD: 4, ORD: 4}})},
		{"ready-write", stream(rnicsim.StreamConfig{Rev: mpa.Rev2, Enhanced: &mpa.Enhanced{A: true, C: true, IRD: 16, ORD: 16}})},
		{"ready-read", stream(rnicsim.StreamConfig{Rev: mpa.Rev2, Enhanced: &mpa.Enhanced{A: true, B: true, D: true, IRD: 1, ORD: 1}})},
		{"no-crc", Config{Stream: rnicsim.StreamConfig{Rev: mpa.Rev2, Enhanced: &mpa.Enhanced{IRD: 16, ORD: 16}}}},
		{"revision-1", stream(rnicsim.StreamConfig{Rev: mpa.Rev1})},
		{"permissive", stream(rnicsim.StreamConfig{Rev: mpa.Rev1, Permissive: true})},
		{"srq", Config{SRQ: true}},
		{"draft-00", draft},
		{"rpc", served(rpc.Options{})},
		{"rpc-version-1", served(rpc.Options{Versions: []uint32{rpcrdma.Vers1}})},
		{"rpc-version-2", served(rpc.Options{Versions: []uint32{rpcrdma.Vers2}})},
	}
}

// served returns the Config of an RNIC that breaks no rule with an RPC server.
func served(o rpc.Options) Config { return Config{Service: conform.RPCService, RPC: o} }

// Lookup returns the Config of a Variant; false if there is none with that name.
func Lookup(name string) (Config, bool) {
	for _, v := range Variants() {
		if v.Name == name {
			return v.Config, true
		}
	}
	return Config{}, false
}
