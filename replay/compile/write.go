package compile

// From a Scenario to a capture.

import (
	"errors"
	"fmt"
	"io"
	"math"
	"net/netip"
	"time"

	"github.com/iwarpkit/iwarp/codec/ddp"
	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/pcaps"
	"github.com/iwarpkit/iwarp/replay/scenario"
)

// WriteOptions say how a Scenario is written.
type WriteOptions struct {
	Begin time.Time // of the Scenario; default 1970-01-01 UTC
	EMSS  int       // octets of a TCP segment; default 1460
}

// Write writes the steps of both sides of a Scenario as a capture, without playing it: in their order, with the
// recorded values of all variables. Octets that may be anything are zero. It writes the first alternative of a OneOf,
// lets the time of a Silence pass, and ignores a Probe and all that a side does after its FIN or a reset.
func Write(w io.Writer, s *scenario.Scenario, o WriteOptions) error {
	if o.Begin.IsZero() {
		o.Begin = time.Unix(0, 0)
	}
	if o.EMSS <= 0 {
		o.EMSS = 1460
	}
	out := pcaps.NewStreamWriter(w, pcaps.StreamOptions{MSS: o.EMSS})
	for i, c := range s.Conns {
		wc := &writing{version: ddp.Version, emss: o.EMSS, values: c.Recorded(), begin: o.Begin.Add(c.At).UnixNano()}
		for side := range wc.framers {
			wc.start(scenario.Side(side))
		}
		client, server := c.Client, c.Server
		if !client.IsValid() {
			client, server = madeUp(i)
		}
		var err error
		if wc.stream, err = out.Open(client, server, wc.begin); err != nil {
			return fmt.Errorf("connection %s: %w", c.Name, err)
		}
		for _, step := range c.Steps {
			if err := wc.step(step); err != nil && !errors.Is(err, pcaps.ErrStreamOver) {
				return fmt.Errorf("connection %s, step %d: %w", c.Name, step.Number, err)
			}
		}
	}
	return out.Close()
}

// madeUp returns addresses for a connection that has none (RFC 5737).
func madeUp(i int) (client, server netip.AddrPort) {
	const first, ports = 49152, 1 << 14
	return netip.AddrPortFrom(netip.AddrFrom4([4]byte{192, 0, 2, 1}), uint16(first+i%ports)),
		netip.AddrPortFrom(netip.AddrFrom4([4]byte{192, 0, 2, 2}), 7174)
}

type writing struct {
	stream   *pcaps.StreamConn
	begin    int64
	emss     int
	version  uint8 // of DDP and RDMAP
	values   scenario.Values
	frames   [2]*mpa.Frame // the MPA Request and Reply written so far
	senders  [2]*scenario.Sender
	framers  [2]mpa.Framer
	requests map[int]*scenario.Request
	buf      []byte // for a ULPDU
	fpdu     []byte
}

func (w *writing) step(s *scenario.Step) error {
	from, at := pcaps.Side(s.Side), w.begin+int64(s.At)
	if m, ok := scenario.First(s.Do).(*scenario.Message); ok {
		return w.message(s, m, func(fpdu []byte) error { return w.stream.Send(from, fpdu, at) })
	}
	octets, splits, err := w.octets(s)
	if err != nil {
		return err
	}
	sent := 0
	for _, split := range append(splits, len(octets)) {
		if split = min(split, len(octets)); split > sent {
			if err := w.stream.Send(from, octets[sent:split], at); err != nil {
				return err
			}
			sent = split
		}
	}
	switch scenario.First(s.Do).(type) {
	case scenario.FIN:
		return w.stream.Finish(from, at)
	case scenario.Reset:
		return w.stream.Reset(from, at)
	}
	return nil
}

// octets returns what a step sends, and where TCP segments end.
func (w *writing) octets(s *scenario.Step) (octets []byte, splits []int, err error) {
	switch do := scenario.First(s.Do).(type) {
	case *scenario.Frame:
		octets, err = w.frame(s.Side, do)
	case *scenario.Segment:
		octets, err = w.sender(s.Side).FPDU(nil, &scenario.FPDU{Segment: *do}, &w.framers[s.Side], w.values)
	case *scenario.FPDU:
		octets, err = w.sender(s.Side).FPDU(nil, do, &w.framers[s.Side], w.values)
		splits = do.Splits
	case *scenario.Octets:
		octets, err = do.Payload.AppendOctets(nil, w.values)
		w.framers[s.Side].Skip(uint64(len(octets)))
		splits = do.Splits
	}
	return octets, splits, err
}

// frame returns the octets of an MPA frame. FPDUs follow the second one.
func (w *writing) frame(side scenario.Side, f *scenario.Frame) ([]byte, error) {
	wire, err := f.Wire(w.values)
	if err != nil {
		return nil, err
	}
	i := 0
	if f.Reply {
		i = 1
	}
	w.frames[i] = wire
	w.start(side)
	if w.frames[0] != nil && w.frames[1] != nil {
		w.agree()
	}
	return wire.AppendBinary(nil)
}

// start begins a new stream of a side. Until MPA is negotiated, FPDUs have CRCs, which are harmless.
func (w *writing) start(side scenario.Side) {
	w.senders[side] = nil
	w.framers[side].Reset(mpa.Options{CRC: true})
}

// agree applies the negotiated options to FPDUs.
func (w *writing) agree() {
	a := rules.Negotiate(w.frames[0], w.frames[1])
	w.framers[scenario.Client].Options = mpa.Options{CRC: a.CRC, Markers: a.MarkersFromInit}
	w.framers[scenario.Server].Options = mpa.Options{CRC: a.CRC, Markers: a.MarkersFromResp}
	w.version = a.DDPVersion
	w.frames = [2]*mpa.Frame{}
}

// sender returns the generator of a side's ULPDUs.
func (w *writing) sender(side scenario.Side) *scenario.Sender {
	if w.senders[side] == nil {
		w.senders[side] = scenario.NewSender(w.version)
	}
	return w.senders[side]
}

// message sends the FPDUs of a message. Each ends a TCP segment.
func (w *writing) message(s *scenario.Step, m *scenario.Message, send func(fpdu []byte) error) error {
	out, err := w.sender(s.Side).Message(m, w.requests[m.To], w.values)
	if err != nil {
		return err
	}
	if r := m.Request(w.values); r != nil {
		if w.requests == nil {
			w.requests = make(map[int]*scenario.Request)
		}
		w.requests[s.Number] = r
	}
	framer := &w.framers[s.Side]
	mulpdu := mpa.MULPDU(w.emss, framer.Markers)
	for {
		ulpdu, ok := out.Next(w.buf[:0], mulpdu)
		if !ok {
			return nil
		}
		w.buf = ulpdu
		if len(ulpdu) > math.MaxUint16 {
			return fmt.Errorf("a ULPDU of %d octets", len(ulpdu))
		}
		w.fpdu = framer.AppendAs(w.fpdu[:0], uint16(len(ulpdu)), make([]byte, mpa.Pad(len(ulpdu))), ulpdu)
		if err := send(w.fpdu); err != nil {
			return err
		}
	}
}
