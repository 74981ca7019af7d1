package rules_test

import (
	"encoding/hex"
	"fmt"

	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/peers"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/codec/rpcrules"
	"github.com/iwarpkit/iwarp/codec/rules"
)

// decode returns the segment in a ULPDU, given in hex.
func decode(ulpdu string) (s rdmap.Segment, n int) {
	b, err := hex.DecodeString(ulpdu)
	if err != nil {
		panic(err)
	}
	s.Decode(b)
	return s, len(b)
}

// An observer has a Receiver for each end, and gives it what that end receives and sends.
func ExampleReceiver() {
	var ends [2]rules.Receiver
	for i := range ends {
		ends[i].Reset(rules.Conditions{Version: 1, IRD: 16})
	}
	var v []rules.Violation
	for _, sent := range []struct {
		from  int
		ulpdu string
	}{
		{0, "4141000000000000000100000001000000000000000a0000000000002000000000080000000b0000000000000000"}, // Read Request
		{1, "41430000000000000000000000030000000061626364"},                                                 // Send with MSN 3
	} {
		s, n := decode(sent.ulpdu)
		v = ends[1-sent.from].Segment(&s, n, v[:0])
		ends[sent.from].Sent(&s, n)
		for _, broken := range v {
			fmt.Printf("%s: %s, expected %s (%s)\n", broken.Name, broken.Seen, broken.Expected, broken.ID())
		}
	}
	fmt.Println(ends[1].Outstanding(), "outstanding")
	// Output:
	// send-msn: MSN 3, expected MSN 1 (DDP-4.3-7)
	// 1 outstanding
}

func ExampleReceiver_Match() {
	var r rules.Receiver
	r.Reset(rules.Conditions{Version: 1, IRD: -1})
	request, n := decode("4141000000000000000100000001000000000000000a0000000000002000000000080000000b0000000000000000")
	r.Sent(&request, n)
	for _, ulpdu := range []string{"81420000000a000000000000200061626364", "c1420000000a000000000000200461626364"} {
		s, n := decode(ulpdu)
		r.Segment(&s, n, nil)
		m := r.Match()
		fmt.Println(m.Request, m.Last, m.Known)
	}
	// Output:
	// 0 false true
	// 0 true true
}

func ExampleStartup() {
	var s rules.Startup
	request := mpa.Frame{Rev: 2, C: true, S: true, PDLength: 4}
	request.PrivateData = enhanced(mpa.Enhanced{A: true, C: true, IRD: 8, ORD: 8})
	reply := mpa.Frame{Reply: true, Rev: 2, C: true, S: true, PDLength: 4}
	reply.PrivateData = enhanced(mpa.Enhanced{A: true, C: true, IRD: 8, ORD: 9})
	v := s.Frame(&reply, s.Frame(&request, nil))
	send, n := decode("414300000000000000000000000100000000")
	for _, broken := range s.Segment(true, &send, n, v) {
		fmt.Printf("%s: %s, expected %s\n", broken.Name, broken.Seen, broken.Expected)
	}
	// Output:
	// ord-over-ird: ORD 9, expected at most IRD 8
	// rtr-kind: a Send, expected an empty Write
}

func ExampleProfile() {
	s := rules.LookupSituation("send-too-long")
	sent := rdmap.Code{Layer: rdmap.LayerDDP, EType: rdmap.DDPUntaggedBuffer, ErrorCode: 2}
	for _, name := range []string{"rfc", "verbs", "siw"} {
		p := peers.LookupProfile(name)
		exact, _ := p.Exact(s)
		fmt.Println(name, "demands", exact, "and finds 1/2/02", p.Grade(s, sent))
	}
	// Output:
	// rfc demands 1/2/05 and finds 1/2/02 wrong
	// verbs demands 0/0/00 and finds 1/2/02 wrong
	// siw demands 1/2/05 and finds 1/2/02 accepted
}

func ExampleProfile_Severity() {
	pad := rpcrules.Lookup("fpdu-pad")
	for _, name := range []string{"rfc", "siw"} {
		p := peers.LookupProfile(name)
		why, ok := p.Excuses(pad)
		fmt.Printf("%s: %v %v %q\n", name, p.Severity(pad), ok, why)
	}
	// Output:
	// rfc: error false ""
	// siw: note true "siw does not clear the PAD octets of an FPDU"
}

func ExampleProfile_CheckTerminate() {
	p := peers.LookupProfile("rfc")
	var t rdmap.Terminate
	header, _ := hex.DecodeString("1206c0000016" + "414300000000000000000000000300000000")
	p.DecodeTerminate(&t, header)
	send, _ := hex.DecodeString("41430000000000000000000000030000000061626364")
	found := []rules.Violation{rpcrules.Lookup("send-msn").Breach("MSN 7", "MSN 5")}
	culprit := rules.Culprit{Header: send, ULPDU: len(send), Violations: found}
	for _, broken := range p.CheckTerminate(&t, &culprit, nil) {
		fmt.Printf("%s: %s, expected %s\n", broken.Name, broken.Seen, broken.Expected)
	}
	// Output: terminate-cause: 1/2/06 (DDP Untagged Buffer Error: Invalid DDP version), expected 1/2/03, for the MSN of a Send is not the expected one
}
