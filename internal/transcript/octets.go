package transcript

import (
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/iwarpkit/iwarp/internal/conversation"
)

// send handles a line with what one side sends.
func (p *parser) send(from conversation.Side, what string) error {
	p.begin()
	kind, rest, _ := strings.Cut(what, " ")
	rest = strings.TrimSpace(rest)
	if record, err := p.control(kind, rest); err != nil {
		return err
	} else if record != nil {
		p.flush()
		record(from)
		p.attribute(p.line)
		return nil
	}
	octets, err := p.stream(from, kind, rest, what)
	if err != nil {
		return err
	}
	if !p.join {
		p.flush()
		p.waiting = packet{from: from, split: mostOctets}
	} else if p.waiting.from != from {
		return errors.New(`"join" wants both lines from one side`)
	}
	p.waiting.octets = append(p.waiting.octets, octets...)
	p.waiting.line = p.line
	if p.split > 0 {
		p.waiting.split = p.split
	}
	p.split, p.join, p.events = 0, false, true
	return nil
}

// control returns a function that records a packet without octets; nil if kind is not such a packet.
func (p *parser) control(kind, rest string) (record func(conversation.Side) *conversation.Conversation, err error) {
	switch kind {
	case "icmp":
		var code uint8
		var mtu uint16
		_, err := fmt.Sscan(rest, &code, &mtu)
		return func(from conversation.Side) *conversation.Conversation { return p.talk.Unreachable(from, code, mtu) }, err
	case "window":
		n, err := strconv.ParseUint(rest, 10, 16)
		return func(from conversation.Side) *conversation.Conversation {
			p.talk.Window[from] = uint16(n)
			return p.talk.Ack(from)
		}, err
	}
	record = map[string]func(conversation.Side) *conversation.Conversation{
		"fin": p.talk.Finish, "rst": p.talk.Reset, "disown": p.talk.Disown,
		"ack": p.talk.Ack, "anew": p.talk.Anew, "alive": p.talk.KeepAlive,
	}[kind]
	if record != nil && rest != "" {
		return nil, fmt.Errorf("%q behind %q", rest, kind)
	}
	return record, nil
}

// stream makes the octets of the stream for a line. whole is kind and rest.
func (p *parser) stream(from conversation.Side, kind, rest, whole string) ([]byte, error) {
	if p.sctp != nil {
		return p.sctp.chunks(p.talk, from, p.split, whole)
	}
	switch kind {
	case "hex":
		octets, err := parseOctets(rest)
		return p.framer.Raw(from, octets), err
	case "crc":
		octets, err := parseOctets(rest)
		return p.framer.Summed(from, octets), err
	case "pad":
		pad, rest, _ := strings.Cut(strings.TrimSpace(rest), " ")
		octets, err := parseOctets(pad)
		ulpdu, err2 := p.ulpdu(rest)
		return p.framer.Padded(from, ulpdu, octets), errors.Join(err, err2)
	case "badcrc":
		ulpdu, err := p.ulpdu(rest)
		octets := p.framer.FPDU(from, ulpdu)
		for i := len(octets) - 4; i < len(octets); i++ {
			octets[i] ^= 0xff
		}
		return octets, err
	}
	ulpdu, err := p.ulpdu(whole)
	return p.framer.FPDU(from, ulpdu), err
}

// ulpdu reads octets that must fit in an FPDU.
func (p *parser) ulpdu(s string) ([]byte, error) {
	octets, err := parseOctets(s)
	if err == nil && len(octets) > 0xffff {
		return nil, fmt.Errorf("a ULPDU of %d octets", len(octets))
	}
	return octets, err
}

// parseOctets reads octets: words of hexadecimal digits and texts in quotation marks, either repeated by *N.
func parseOctets(s string) (octets []byte, err error) {
	if s == "" {
		return nil, errors.New("octets are missing")
	}
	for s != "" {
		var one []byte
		if one, s, err = cutOctets(s); err != nil {
			return nil, err
		}
		times, rest, err := cutTimes(s)
		if err != nil {
			return nil, err
		}
		if len(octets)+times*len(one) > mostInAll {
			return nil, fmt.Errorf("more than %d octets", mostInAll)
		}
		for range times {
			octets = append(octets, one...)
		}
		s = strings.TrimLeft(rest, " \t")
	}
	return octets, nil
}

// cutOctets cuts a word of digits or a text off the start of s.
func cutOctets(s string) (octets []byte, rest string, err error) {
	if text, ok := strings.CutPrefix(s, `"`); ok {
		text, rest, ok = strings.Cut(text, `"`)
		if !ok {
			return nil, "", errors.New("a quotation mark is missing")
		}
		return []byte(text), rest, nil
	}
	end := strings.IndexAny(s, " \t*\"")
	if end < 0 {
		end = len(s)
	}
	if octets, err = hex.DecodeString(s[:end]); err != nil {
		return nil, "", fmt.Errorf("%q is not hexadecimal octets: %w", s[:end], err)
	}
	return octets, s[end:], nil
}

// cutTimes cuts *N off the start of s.
func cutTimes(s string) (times int, rest string, err error) {
	s, ok := strings.CutPrefix(s, "*")
	if !ok {
		return 1, s, nil
	}
	end := strings.IndexAny(s, " \t")
	if end < 0 {
		end = len(s)
	}
	if times, err = strconv.Atoi(s[:end]); err != nil || times < 0 || times > mostInAll {
		return 0, "", fmt.Errorf("%q is not a number of times", s[:end])
	}
	return times, s[end:], nil
}
