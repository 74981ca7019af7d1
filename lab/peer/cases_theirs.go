package main

// Mistakes of ours: Work Requests for what siwtest does not allow, and headers that a quirk of rnicsim rewrites. The kernel
// answers each with a Terminate, which we read as siw means it.

import (
	"errors"
	"fmt"

	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/rnicsim"
	"github.com/iwarpkit/iwarp/rnicsim/quirk"
)

// A provocation is an error that we make.
type provocation struct {
	name, text string
	siwtest    []string // what siwtest allows
	do         func(e *end) rnicsim.WorkRequest
	code       string          // of the kernel's Terminate
	spoil      []quirk.Rewrite // rewritten headers
	breaks     string          // the rule that our traffic breaks
	overtaken  bool            // more follows: TCP may reset the connection before the Terminate is sent
}

// wrongSTag changes the STag of a Work Request.
func wrongSTag(wr rnicsim.WorkRequest, bits rnicsim.STag) rnicsim.WorkRequest {
	wr.Remote ^= bits
	return wr
}

// The bits of an STag that siwtest's flags k and K change.
const (
	otherIndex rnicsim.STag = 0x10000
	otherKey   rnicsim.STag = 1
)

func write64(e *end) rnicsim.WorkRequest { return e.writeWR(64, 0) }
func read64(e *end) rnicsim.WorkRequest  { return e.readWR(64, 0) }
func send64(e *end) rnicsim.WorkRequest  { return e.sendWR(64) }

// small are the arguments of siwtest for 4096 octets of memory.
var small = []string{"-m", "4096"}

// spoiled is a Rewrite of messages of one type.
func spoiled(op rdmap.Opcode, field string, change quirk.Change, value uint64) []quirk.Rewrite {
	return []quirk.Rewrite{{Message: op, Field: field, Change: change, Value: value}}
}

// accessProvocations are about memory and Receives of siwtest.
var accessProvocations = []provocation{
	{"write-index", "a Write to an unknown STag", nil,
		func(e *end) rnicsim.WorkRequest { return wrongSTag(write64(e), otherIndex) }, "1/1/00", nil, "", false},
	{"write-key", "a Write to an STag with a wrong key", nil,
		func(e *end) rnicsim.WorkRequest { return wrongSTag(write64(e), otherKey) }, "1/1/00", nil, "", false},
	{"write-behind", "a Write that reaches past the end of the memory", small,
		func(e *end) rnicsim.WorkRequest { return e.writeWR(64, 4090) }, "1/1/01", nil, "", false},
	{"write-longer", "a Write of several FPDUs, longer than the memory", small,
		func(e *end) rnicsim.WorkRequest { return e.writeWR(8192, 0) }, "1/1/01", nil, "", true},
	{"write-before", "a Write that begins before the memory", small,
		func(e *end) rnicsim.WorkRequest { return e.writeWR(64, ^uint64(7)) }, "1/1/01", nil, "", false},
	{"write-far", "a Write far from the memory", small,
		func(e *end) rnicsim.WorkRequest { return e.writeWR(64, 9e18) }, "1/1/01", nil, "", false},
	{"write-readable", "a Write to memory that may only be read", []string{"-A", "r"}, write64, "1/1/00", nil, "", false},
	{"write-local", "a Write to memory that the peer may not use", []string{"-A", "-"}, write64, "1/1/00", nil, "", false},
	{"read-index", "a Read of an unknown STag", nil,
		func(e *end) rnicsim.WorkRequest { return wrongSTag(read64(e), otherIndex) }, "0/1/00", nil, "", false},
	{"read-key", "a Read of an STag with a wrong key", nil,
		func(e *end) rnicsim.WorkRequest { return wrongSTag(read64(e), otherKey) }, "0/1/00", nil, "", false},
	{"read-longer", "a Read of more than the memory", small,
		func(e *end) rnicsim.WorkRequest { return e.readWR(8192, 0) }, "0/1/01", nil, "", false},
	{"send-nobody", "a Send for which there is no Receive", []string{"-r", "0"}, send64, "1/2/02", nil, "", false},
	{"send-long", "a Send that is longer than its Receive; the RFC has 1/2/05 for that", []string{"-z", "60"}, send64,
		"1/2/02", nil, "", false},
	{"send-longer", "a Send of several FPDUs that is longer than its Receive", []string{"-z", "4000"},
		func(e *end) rnicsim.WorkRequest { return e.sendWR(9000) }, "1/2/02", nil, "", true},
	{"send-local", "a Send whose Receive has a wrong local STag", []string{"-l"}, send64, "1/0/00", nil, "", false},
	{"immediate", "Immediate Data, an opcode of RFC 7306 that siw lacks", nil, func(*end) rnicsim.WorkRequest {
		return rnicsim.WorkRequest{Op: rnicsim.OpImmediate, Data: 1}
	}, "0/2/06", nil, "", false},
	{"atomic", "a FetchAdd, an opcode of RFC 7306 that siw lacks", nil, func(e *end) rnicsim.WorkRequest {
		return rnicsim.WorkRequest{Op: rnicsim.OpFetchAdd, Data: 1, Remote: e.peerSTag, RemoteTO: e.peerTO}
	}, "0/2/06", nil, "", false},
}

// headerProvocations are headers that no RNIC sends.
var headerProvocations = []provocation{
	{"send-qn", "a Send on QN 3", nil, send64, "1/2/01", spoiled(rdmap.OpSend, "iwarp_ddp.qn", quirk.SetTo, 3), "qn-opcode", false},
	{"send-msn", "a Send whose MSN is one too high", nil, send64, "1/2/03",
		spoiled(rdmap.OpSend, "iwarp_ddp.msn", quirk.AddTo, 1), "send-msn", false},
	{"send-mo", "a Send that begins with MO 8", nil, send64, "1/2/04",
		spoiled(rdmap.OpSend, "iwarp_ddp.mo", quirk.AddTo, 8), "mo-order", false},
	{"send-dv", "a Send of DDP version 0", nil, send64, "1/2/06",
		spoiled(rdmap.OpSend, "iwarp_ddp.dv", quirk.SetTo, 0), "ddp-version-untagged", false},
	{"send-rv", "a Send of RDMAP version 0", nil, send64, "0/2/05",
		spoiled(rdmap.OpSend, "iwarp_rdma.version", quirk.SetTo, 0), "rdmap-version", false},
	{"send-opcode", "an untagged message of opcode 12", nil, send64, "0/2/06",
		spoiled(rdmap.OpSend, "iwarp_rdma.opcode", quirk.SetTo, 12), "opcode", false},
	{"write-dv", "a Write of DDP version 0", nil, write64, "1/1/04",
		spoiled(rdmap.OpWrite, "iwarp_ddp.dv", quirk.SetTo, 0), "ddp-version-tagged", false},
	{"write-rv", "a Write of RDMAP version 0", nil, write64, "0/2/05",
		spoiled(rdmap.OpWrite, "iwarp_rdma.version", quirk.SetTo, 0), "rdmap-version", false},
	{"write-opcode", "a tagged message of opcode 13", nil, write64, "0/2/06",
		spoiled(rdmap.OpWrite, "iwarp_rdma.opcode", quirk.SetTo, 13), "opcode", false},
	{"read-msn", "a Read Request whose MSN is one too high", nil, read64, "1/2/03",
		spoiled(rdmap.OpReadRequest, "iwarp_ddp.msn", quirk.AddTo, 1), "read-msn", false},
	{"send-crc", "a Send whose CRC is wrong", nil, send64, "2/0/02",
		spoiled(rdmap.OpSend, "iwarp_mpa.crc", quirk.Flip, 1), "fpdu-crc", false},
	{"write-crc", "a Write whose CRC is wrong", nil, write64, "2/0/02",
		spoiled(rdmap.OpWrite, "iwarp_mpa.crc", quirk.Flip, 1), "fpdu-crc", false},
}

func theirTerminates() (all []testCase) {
	for _, some := range [][]provocation{accessProvocations, headerProvocations} {
		for i := range some {
			v := &some[i]
			for _, who := range roles {
				all = append(all, testCase{
					Name:   fmt.Sprintf("theirs/%s/%s", v.name, who),
					Text:   v.describe(),
					Siw:    settings{CRC: true},
					Run:    func(t *T) { v.run(t, who) },
					Breaks: v.breaks,
				})
			}
		}
	}
	return append(all, leniences()...)
}

// begin returns a connection on which the Initiator has sent something correct. From siw that is a Send; from us a Write of no
// octets, or a Send if Writes are spoiled. (The first FPDU should be correct: older kernels crash otherwise,
// CVE-2026-23242.)
func begin(t *T, who role, c endConfig, siwtest ...string) (*end, *process) {
	ops := map[role]string{weConnect: "sleep:20000", siwConnect: "send:4,sleep:20000"}
	e, p := t.connect(who, c, append([]string{"-o", ops[who]}, siwtest...)...)
	if who == siwConnect {
		e.received(4)
		return e, p
	}
	for _, q := range c.Quirks {
		if q.Rewrite[0].Message == rdmap.OpWrite {
			e.do(e.sendWR(4))
			return e, p
		}
	}
	e.do(e.writeWR(0, 0))
	return e, p
}

// describe is the text of the case.
func (v *provocation) describe() string {
	s := fmt.Sprintf("%s; the kernel's Terminate is %s", v.text, v.code)
	if v.overtaken {
		s += ", or TCP resets first, for more was under way"
	}
	return s
}

// run provokes the kernel.
func (v *provocation) run(t *T, who role) {
	var c endConfig
	if v.spoil != nil {
		c.Quirks = []quirk.Quirk{{Name: v.name, Rewrite: v.spoil}}
	}
	e, p := begin(t, who, c, v.siwtest...)
	t.must(e.conn.Post(v.do(e)), "post")
	if err := e.over(); !v.overtaken || !errors.Is(err, rnicsim.ErrReset) {
		e.terminatedBy(err, false, v.code)
	}
	p.prints("event DISCONNECTED")
}

// leniences are mistakes that siw accepts.
func leniences() []testCase {
	return []testCase{{
		Name: "theirs/read-writable/we-connect",
		Text: "a Read of memory that may only be written; siw answers it all the same",
		Siw:  settings{CRC: true},
		Run: func(t *T) {
			e, p := begin(t, weConnect, endConfig{}, "-A", "w")
			e.do(read64(e))
			e.verifyRead(64, 0)
			e.finish(weConnect, p)
			p.ends(0, "failed 0")
		},
	}, {
		Name: "theirs/empty/we-connect",
		Text: "a Write and a Read of no octets with an unknown STag: nothing is looked up",
		Siw:  settings{CRC: true},
		Run: func(t *T) {
			e, p := begin(t, weConnect, endConfig{})
			e.do(wrongSTag(e.writeWR(0, 0), otherIndex))
			e.do(wrongSTag(e.readWR(0, 0), otherIndex))
			e.finish(weConnect, p)
			p.ends(0, "failed 0")
		},
	}, {
		Name: "theirs/invalidate-index/siw-connects",
		Text: "a Send with Invalidate of an unknown STag: siw keeps its Terminate 0/2/09 until siwtest closes",
		Siw:  settings{CRC: true},
		Run: func(t *T) {
			e, p := t.connect(siwConnect, endConfig{}, "-o", "send:4,sleep:1000")
			e.received(4)
			e.do(rnicsim.WorkRequest{Op: rnicsim.OpSendInvalidate, SGL: e.from(64), STag: e.peerSTag ^ otherIndex})
			p.prints("receive failed: remote invalid request error")
			e.terminated(false, "0/2/09")
		},
	}, {
		Name: "theirs/invalidate/we-connect",
		Text: "a Send with Invalidate of siwtest's memory, which succeeds; then a Write to it: 1/1/00",
		Siw:  settings{CRC: true},
		Run: func(t *T) {
			e, p := begin(t, weConnect, endConfig{})
			e.do(rnicsim.WorkRequest{Op: rnicsim.OpSendInvalidate, SGL: e.from(64), STag: e.peerSTag})
			p.prints("receive 64 ok")
			t.must(e.conn.Post(write64(e)), "post")
			e.terminated(false, "1/1/00")
			p.prints("event DISCONNECTED")
		},
	}}
}
