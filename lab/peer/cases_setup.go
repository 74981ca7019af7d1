package main

// How connections start: what both ends want, what they agree on, and rejections.

import (
	"encoding/hex"
	"errors"
	"fmt"
	"strings"

	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/rnicsim"
	"github.com/iwarpkit/iwarp/rnicsim/driver"
)

// enhanced makes a StreamConfig offer the usual IRD and ORD.
func enhanced(s rnicsim.StreamConfig) rnicsim.StreamConfig {
	s.Enhanced = &mpa.Enhanced{IRD: 16, ORD: 16}
	return s
}

// revision1 is a plain StreamConfig of revision 1.
var revision1 = rnicsim.StreamConfig{Rev: mpa.Rev1, CRC: true}

func setupCases() (all []testCase) {
	all = append(all, revisionCases()...)
	all = append(all, crcCases()...)
	all = append(all, privateDataCases()...)
	all = append(all, rejectCases()...)
	all = append(all, peerToPeerCases()...)
	return append(all, otherSetupCases()...)
}

// greet proves that a connection works: it sends a message each way, the Initiator's first, and closes.
func greet(t *T, who role, c endConfig) *end {
	ops := map[role]string{weConnect: "recvwait:1,send:100", siwConnect: "send:100,recvwait:1"}
	e, p := t.connect(who, c, "-o", ops[who])
	if who == siwConnect {
		e.received(100)
	}
	e.do(e.sendWR(200))
	if who == weConnect {
		e.received(100)
	}
	e.finish(who, p)
	p.ends(0, "event ESTABLISHED", "receive 200 ok", "failed 0")
	return e
}

// agreed checks the negotiated MPA revision and CRCs.
func (e *end) agreed(rev uint8, crc bool) {
	if a := e.conn.Agreement(); a.Rev != rev || a.CRC != crc || a.MarkersFromInit || a.MarkersFromResp {
		e.t.failf("agreement: %+v", a)
	}
}

func revisionCases() (all []testCase) {
	for _, who := range roles {
		all = append(all, testCase{
			Name: "setup/revision-2/" + string(who),
			Text: "revision 2, IRD and ORD are negotiated; a message each way",
			Siw:  settings{CRC: true},
			Run:  func(t *T) { greet(t, who, endConfig{}).agreed(mpa.Rev2, true) },
		}, testCase{
			Name: "setup/revision-1/" + string(who),
			Text: "revision 1, which the Initiator wants",
			Siw:  settings{CRC: true, Rev1: true},
			Run: func(t *T) {
				c := endConfig{}
				if who == weConnect {
					c.Stream = revision1
				}
				greet(t, who, c).agreed(mpa.Rev1, true)
			},
		})
	}
	return all
}

func crcCases() (all []testCase) {
	without := endConfig{Stream: enhanced(rnicsim.StreamConfig{Rev: mpa.Rev2})}
	for _, who := range roles {
		for _, w := range []struct {
			name string
			ours endConfig
			siw  bool
		}{
			{"neither", without, false}, {"ours", endConfig{}, false}, {"both", endConfig{}, true},
		} {
			all = append(all, testCase{
				Name: fmt.Sprintf("setup/crc-%s/%s", w.name, who),
				Text: fmt.Sprintf("CRCs are wanted by: %s; they are used if anybody wants them", w.name),
				Siw:  settings{CRC: w.siw},
				Run: func(t *T) {
					greet(t, who, w.ours).agreed(mpa.Rev2, w.name != "neither")
				},
			})
		}
	}
	return append(all, testCase{
		Name: "setup/crc-siw/we-connect",
		Text: "CRCs are wanted by siw, but not by our Request; siw forgets to say so in its Reply, and none are used",
		Siw:  settings{CRC: true},
		Run:  func(t *T) { greet(t, weConnect, without).agreed(mpa.Rev2, false) },
	}, testCase{
		Name: "setup/crc-siw/siw-connects",
		Text: "CRCs are wanted by siw's Request, but not by us; our Reply says that they are used, for siw refuses any other",
		Siw:  settings{CRC: true},
		Run:  func(t *T) { greet(t, siwConnect, without).agreed(mpa.Rev2, true) },
	}, testCase{
		Name: "setup/crc-strict/we-connect",
		Text: "siw insists on no CRCs, our Request wants them: it rejects",
		Siw:  settings{Strict: true},
		Run:  func(t *T) { t.siwServer(); t.rejected(endConfig{}) },
	})
}

func privateDataCases() (all []testCase) {
	for _, n := range []int{0, 1, 4, 16, 17, 100, 196, 251} {
		for _, who := range roles {
			all = append(all, testCase{
				Name: fmt.Sprintf("setup/private-%d/%s", n, who),
				Text: fmt.Sprintf("%d octets of Private Data each way, verified by both sides", n),
				Run:  func(t *T) { exchangePrivate(t, who, n) },
			})
		}
	}
	return append(all, testCase{
		Name: "setup/private-252/siw-connects",
		Text: "252 octets of Private Data with the IRD and ORD in front: siw says that there are none; we refuse it",
		Run: func(t *T) {
			t.listen(endConfig{})
			t.siwClient("-P", "252").ends(6)
		},
	})
}

// exchangePrivate sends n octets of Private Data each way.
func exchangePrivate(t *T, who role, n int) {
	ours := filled(n, memoryPattern)
	c := endConfig{NoOffer: true, Private: ours}
	e, p := t.connect(who, c, "-P", fmt.Sprint(n))
	var got mpa.Frame
	if got = e.conn.Request(); who == weConnect {
		got = e.conn.Reply()
	}
	e.finish(who, p)
	e.private(got.ULPPrivateData(), n)
	p.ends(0, strings.TrimRight(fmt.Sprintf("private data %d %s", n, hex.EncodeToString(ours)), " "))
}

// rejected connects to the kernel, which must reject.
func (t *T) rejected(c endConfig) (r *driver.Rejected) {
	if _, err := t.tryDial(c); !errors.As(err, &r) {
		t.failf("instead of a rejection: %v", err)
	}
	return r
}

func rejectCases() (all []testCase) {
	for _, n := range []int{0, 32, 196} {
		all = append(all, testCase{
			Name: fmt.Sprintf("setup/reject-%d/we-connect", n),
			Text: fmt.Sprintf("siw rejects with %d octets of Private Data, which we get", n),
			Run: func(t *T) {
				p := t.siwServer("-R", "-P", fmt.Sprint(n))
				r := t.rejected(endConfig{})
				if got := r.Reply.ULPPrivateData(); string(got) != string(filled(n, sendPattern)) {
					t.failf("Private Data: %d octets % x", len(got), got)
				}
				p.ends(0, "event CONNECT_REQUEST")
			},
		}, testCase{
			Name: fmt.Sprintf("setup/reject-%d/siw-connects", n),
			Text: fmt.Sprintf("we reject with %d octets of Private Data, which siwtest gets", n),
			Run: func(t *T) {
				_, next := t.listen(endConfig{})
				p := t.siwClient()
				private := filled(n, memoryPattern)
				t.must(next().Reject(private), "reject")
				p.ends(6, "event REJECTED", fmt.Sprintf("private data %d %s", n, hex.EncodeToString(private)))
			},
		})
	}
	return all
}

func peerToPeerCases() []testCase {
	p2p := func(e mpa.Enhanced) endConfig {
		e.A, e.IRD, e.ORD = true, 16, 16
		return endConfig{Stream: rnicsim.StreamConfig{Rev: mpa.Rev2, CRC: true, Enhanced: &e}}
	}
	return []testCase{{
		Name: "setup/p2p/siw-connects",
		Text: "siw's Request is for peer-to-peer mode; its RTR comes before our first message",
		Siw:  settings{P2P: true},
		Run: func(t *T) {
			e := greet(t, siwConnect, endConfig{})
			f := e.conn.Request()
			var w mpa.Enhanced
			t.check(f.Enhanced(&w) && w.A, "siw's Request is not for peer-to-peer mode")
		},
	}, {
		Name: "setup/p2p-write/we-connect",
		Text: "our Request is for peer-to-peer mode, with a zero-length Write as RTR",
		Run:  func(t *T) { greet(t, weConnect, p2p(mpa.Enhanced{C: true})) },
	}, {
		Name: "setup/p2p-read/we-connect",
		Text: "our Request is for peer-to-peer mode, with a zero-length Read as RTR",
		Run:  func(t *T) { greet(t, weConnect, p2p(mpa.Enhanced{D: true})) },
	}}
}

func otherSetupCases() []testCase {
	return []testCase{{
		Name: "setup/markers/we-connect",
		Text: "we want Markers, which siw does not have: it rejects",
		Run: func(t *T) {
			t.siwServer()
			s := enhanced(rnicsim.StreamConfig{Rev: mpa.Rev2, CRC: true})
			s.Markers = true
			t.rejected(endConfig{Stream: s})
		},
	}, {
		Name: "setup/nobody/siw-connects",
		Text: "siwtest connects to a port where nobody listens, and gets an error",
		Run:  func(t *T) { t.siwClient().ends(3, "rdma_connect: Connection refused") },
	}, {
		Name: "setup/ird-ord/we-connect",
		Text: "we have IRD 2 and ORD 3, siwtest IRD 5 and ORD 7; four Reads at once each way",
		Run:  func(t *T) { readDepths(t, weConnect, "7") },
	}, {
		Name: "setup/ird-ord/siw-connects",
		Text: "likewise, but siwtest has ORD 2",
		Run:  func(t *T) { readDepths(t, siwConnect, "2") },
	}, {
		Name: "setup/ird-low/siw-connects",
		Text: "we have IRD 2, siwtest ORD 7: we reject",
		Run: func(t *T) {
			c := shallow()
			_, next := t.listen(c)
			p := t.siwClient("-O", "7")
			e := &end{t: t, config: c}
			if _, err := next().Accept(t.ctx, e.connConfig()); !errors.Is(err, rnicsim.ErrIRD) {
				t.failf("accepted: %v", err)
			}
			p.ends(6, "event REJECTED")
		},
	}, {
		Name: "setup/six/siw-connects",
		Text: "six connections of siwtest at once, with data each way",
		Siw:  settings{CRC: true},
		Run: func(t *T) {
			accept, _ := t.listen(endConfig{})
			p := t.siwClient("-n", "6", "-o", "write:30000,read:20000:40000:v,send:100,recvwait:1")
			for range 6 {
				e := accept()
				e.received(100)
				e.verifyWritten(30000)
				e.do(e.sendWR(100))
				e.finish(siwConnect, p)
			}
			p.ends(0)
		},
	}}
}

// shallow is an end with IRD 2 and ORD 3.
func shallow() endConfig {
	return endConfig{QP: rnicsim.QPConfig{IRD: 2, ORD: 3, RemoteRead: true, RemoteWrite: true},
		Stream: rnicsim.StreamConfig{Rev: mpa.Rev2, CRC: true, Enhanced: &mpa.Enhanced{IRD: 2, ORD: 3}}}
}

// readDepths posts more Reads than may be outstanding. ord is siwtest's.
func readDepths(t *T, who role, ord string) {
	const reads = "read:3000:0,read:3000:1,read:3000:2,read:3000:3"
	e, p := t.connect(who, shallow(), "-q", "-I", "5", "-O", ord, "-o", reads+",send:0:0:f,recvwait:1")
	for i := range 4 {
		wr := e.readWR(3000, uint64(i))
		wr.ID, wr.Local.TO = sends, wr.Local.TO+uint64(3000*i)
		t.must(e.conn.Post(wr), "post a Read")
	}
	for done := 0; done < 4; {
		one, err := e.next()
		t.must(err, "await completions")
		t.check(one.Status == rnicsim.Success, "completion: %+v", one)
		if one.WRID == sends {
			done++
		} else {
			e.receives = append(e.receives, one)
		}
	}
	for i := range 4 {
		e.verify("what we have read", e.send[3000*i:][:3000], i, memoryPattern)
	}
	copy(e.send, filled(12000, sendPattern))
	e.received(0) // siwtest's Reads are done
	e.do(e.sendWR(1))
	e.finish(who, p)
	p.ends(0, "end posted 5 completed 5 received 1 failed 0")
}
