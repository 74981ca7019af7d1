package transcript

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/iwarpkit/iwarp/internal/conversation"
)

// A chunker makes DATA chunks from what both sides of an association send.
type chunker struct {
	association conversation.Association
	stream      uint16
	next        map[uint16]*[2]uint16 // DDP-SSNs, by stream
	ssn         *uint16               // of the next chunk, if a line sets it
}

// The Payload Protocol Identifiers of DDP.
const (
	ppidSegment = 16
	ppidControl = 17
)

// newChunker reads the options of "sctp".
func newChunker(options string) (*chunker, error) {
	c := &chunker{association: conversation.DDP(), next: map[uint16]*[2]uint16{}}
	for _, word := range strings.Fields(options) {
		if err := c.option(word); err != nil {
			return nil, fmt.Errorf("%q: %w", word, err)
		}
	}
	return c, nil
}

// option reads one option: "client=10,5,1".
func (c *chunker) option(word string) error {
	side, numbers, _ := strings.Cut(word, "=")
	from := conversation.Client
	if side == "server" {
		from = conversation.Server
	} else if side != "client" {
		return errors.New(`want "client=..." or "server=..."`)
	}
	all := strings.Split(numbers, ",")
	if len(all) != 3 {
		return errors.New("want outbound streams, inbound streams and an indication")
	}
	out, err := strconv.ParseUint(all[0], 10, 16)
	in, err2 := strconv.ParseUint(all[1], 10, 16)
	c.association.Streams[from] = [2]uint16{uint16(out), uint16(in)}
	c.association.Indication[from] = nil
	if all[2] == "-" {
		return errors.Join(err, err2)
	}
	indication, err3 := strconv.ParseUint(all[2], 10, 32)
	c.association.Indication[from] = []uint32{uint32(indication)}
	return errors.Join(err, err2, err3)
}

// set handles a line "ssn N" or "stream N".
func (c *chunker) set(word, number string) error {
	n, err := strconv.ParseUint(number, 10, 16)
	if c == nil || err != nil {
		return fmt.Errorf("%q wants a line \"sctp\" before all events, and a number of 16 bits behind it", word)
	}
	v := uint16(n)
	if word == "ssn" {
		c.ssn = &v
	} else {
		c.stream = v
	}
	return nil
}

// chunks makes the DATA chunks for a line, each with so many octets of User Data if split is not 0.
func (c *chunker) chunks(talk *conversation.Conversation, from conversation.Side, split int, line string) ([]byte, error) {
	flags := byte(conversation.FlagUnordered)
	if rest, ok := strings.CutPrefix(line, "ordered "); ok {
		flags, line = 0, rest
	}
	ppid, octets, err := c.userData(from, line)
	split = cmp.Or(split, len(octets))
	var b []byte
	for at := 0; at < len(octets) && err == nil; at += split {
		end := min(at+split, len(octets))
		f := flags
		if at == 0 {
			f |= conversation.FlagBegin
		}
		if end == len(octets) {
			f |= conversation.FlagEnd
		}
		b = append(b, talk.Data(from, c.stream, ppid, f, octets[at:end])...)
	}
	return b, err
}

// userData makes the User Data for a line, and its Payload Protocol Identifier.
func (c *chunker) userData(from conversation.Side, line string) (ppid uint32, octets []byte, err error) {
	switch kind, rest, _ := strings.Cut(line, " "); kind {
	case "ppid":
		number, digits, _ := strings.Cut(rest, " ")
		n, err := strconv.ParseUint(number, 10, 32)
		if err != nil {
			return 0, nil, fmt.Errorf(`"ppid" wants a number, not %q`, number)
		}
		octets, err = parseOctets(digits)
		return uint32(n), octets, err
	case "control":
		ppid, line = ppidControl, rest
	default:
		ppid = ppidSegment
	}
	octets, err = parseOctets(line)
	return ppid, append(binary.BigEndian.AppendUint16(nil, c.count(from)), octets...), err
}

// count returns the DDP-SSN of the next chunk.
func (c *chunker) count(from conversation.Side) uint16 {
	next := c.next[c.stream]
	if next == nil {
		next = new([2]uint16)
		c.next[c.stream] = next
	}
	if c.ssn != nil {
		next[from], c.ssn = *c.ssn, nil
	}
	next[from]++
	return next[from] - 1
}
