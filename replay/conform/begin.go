package conform

// How a connection begins: the MPA frames of both sides.

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/iwarpkit/iwarp/replay/scenario"
	"github.com/iwarpkit/iwarp/rnicsim/service"
)

// defaultReads is the IRD and ORD of a Begin that does not set them.
const defaultReads = 16

// frame writes an MPA frame, with the fields after the verb: any legal one of the peer, or ours as the Begin says.
func (w *writer) frame(ours bool, verb, rest string) error {
	if rest != "" && !ours {
		return fmt.Errorf("unexpected %[2]q after %[1]s", verb, rest)
	}
	side := w.Side
	if !ours {
		side = side.Other()
	}
	if (verb == "request") != (side == scenario.Client) {
		return fmt.Errorf("a %s is not sent by the side of this line", verb)
	}
	if !ours {
		w.declare(side)
	}
	if ours {
		w.we(w.ownFrame(rest))
	} else {
		w.they(w.theirFrame(verb))
	}
	return nil
}

// theirFrame returns any legal request or reply of the peer.
func (w *writer) theirFrame(verb string) string {
	name := map[string]string{"request": "MPARequest ", "reply": "MPAReply "}[verb]
	return name + w.theirFlags() + w.offer()
}

// enhanced reports whether the frames have an Enhanced word. The Responder has no choice.
func (w *writer) enhanced() bool {
	return w.Peer.Enhanced && (w.begin.Rev != 1 || w.Side == scenario.Server)
}

// revision returns the revision of frames without an Enhanced word.
func (w *writer) revision() string {
	if w.Peer.Consortium() {
		return "Rev=0"
	}
	return "Rev=1"
}

func (w *writer) ownFrame(more string) string {
	b, words := w.begin, []string{"MPARequest"}
	if w.Side == scenario.Server {
		words[0] = "MPAReply"
	}
	words = append(words, more)
	has := strings.Fields(more)
	if (b.Markers || w.Peer.Consortium()) && !slices.Contains(has, "M") {
		words = append(words, "M")
	}
	if !b.NoCRC && !slices.Contains(has, "C") {
		words = append(words, "C")
	}
	if !w.enhanced() {
		return strings.Join(append(words, w.revision(), b.Private), " ")
	}
	words = append(words, "S", "Rev=2", "enhanced")
	if kind, _ := w.ready(); kind != "" { // our Reply chooses one of the kinds that the Request offers
		words = append(words, "A", kind)
	}
	ird, ord := w.reads()
	return strings.Join(append(words, fmt.Sprintf("IRD=%d ORD=%d", ird, ord), b.Private), " ")
}

func (w *writer) reads() (ird, ord int) {
	ird = max(0, cmp.Or(w.begin.IRD, defaultReads))
	ord = max(0, cmp.Or(w.begin.ORD, defaultReads))
	return ird, min(ord, w.Peer.IRD)
}

// ready returns the flag of the Ready to Receive that the peer's Request offers first, and the message that the peer
// sends for it. Both are empty if it offers none (RFC 6581, section 9.2).
func (w *writer) ready() (flag, sends string) {
	if kinds := w.Offered(); kinds != "" && w.Side == scenario.Server {
		flag = kinds[:1]
	}
	return flag, readyMessages[flag]
}

var readyMessages = map[string]string{"B": "Send", "C": "Write", "D": "ReadRequest RDMARDSZ=0"}

// theirFlags returns the fields of a frame of the peer. Any value matches but where the peer has no choice.
func (w *writer) theirFlags() string {
	if !w.enhanced() {
		return "M=? C=? " + w.revision()
	}
	return "M=? C=? S Rev=2 enhanced A=? B=? IRD=? C=? D=? ORD=?"
}

// declare declares the variables for regions in the peer's Private Data that the script uses, which have the names of the regions.
func (w *writer) declare(owner scenario.Side) {
	for i := range service.ConformRegions {
		name := service.ConformRegion(i).String()
		if stag, to := w.has(name), w.has(name+"_to"); stag || to {
			fmt.Fprintf(&w.out, "  var $%s stag %s 0x%08x\n", name, owner, (i+1)<<8)
			fmt.Fprintf(&w.out, "  var $%s_to to %s 0x%x length %d in $%s\n", name, owner, (i+1)<<20, w.Peer.Offer.Regions[i].Length, name)
		}
	}
}

func (w *writer) has(name string) bool {
	for script := w.script; ; {
		_, rest, found := strings.Cut(script, "$"+name)
		if !found {
			return false
		}
		if rest == "" || !strings.ContainsAny(rest[:1], "_abcdefghijklmnopqrstuvwxyz") {
			return true
		}
		script = rest
	}
}

func (w *writer) offer() string {
	if w.service == RPCService {
		return " ?*"
	}
	text, passed := ` "iwcf" 01`, 11 // features, and numbers of what there is
	for i := range service.ConformRegions {
		name := service.ConformRegion(i).String()
		if !w.has(name) && !w.has(name+"_to") {
			passed += service.AdvertisementLen
			continue
		}
		if passed > 0 {
			text += fmt.Sprintf(" ?*%d", passed)
		}
		text += fmt.Sprintf(" $%s_to:be64 $%s:be32 ?*4", name, name)
		passed = 0
	}
	return text + " ?*"
}

// start begins a connection: MPA, and the first messages of the upper layers of both sides.
func (w *writer) start() error {
	if w.Side == scenario.Client {
		err := cmp.Or(w.frame(true, "request", ""), w.frame(false, "reply", ""))
		if w.service == RPCService {
			w.startRPC()
		}
		return err
	}
	return cmp.Or(w.frame(false, "request", ""), w.frame(true, "reply", ""), w.hello(""))
}

// hello writes what the peer first sends as the Initiator: the Ready to Receive, if one is agreed on, and a message.
// flag is that of the Ready to Receive, if our Reply does not choose the first one that the peer offers.
func (w *writer) hello(flag string) error {
	_, sends := w.ready()
	if flag != "" {
		if sends = readyMessages[flag]; sends == "" {
			return fmt.Errorf("only a flag may follow hello, not %q", flag)
		}
	}
	const message = "Send 00000000"
	switch sends {
	case "":
	case readyMessages["B"]:
		w.they(sends)
	default: // whatever its STags and TOs are
		w.they("OneOf")
		w.more("or " + sends)
	}
	if sends != readyMessages["D"] {
		w.they(message)
		return nil
	}
	w.we(fmt.Sprintf("ReadResponse to %d", w.number))
	w.number++
	w.write(w.Side.Other(), 0, message) // before or after our response
	return nil
}
