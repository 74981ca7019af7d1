package conform

// Commands to the peer's service, as octets of a Scenario. docs/conform-service.md has them octet by octet.

import (
	"encoding/binary"
	"fmt"
	"strconv"
	"strings"
)

// A command can be used in scripts, in braces: {write! 256 0 0x1000 0x20000}.
type command struct {
	code    uint16     // and flags, as in the first two octets
	args    []argument // in the order of the script
	answers bool       // an answer can be requested
}

// An argument is a number in a command: its offset and length, in octets. In a script, a region may stand for its STag:
// {invalidate 0 $volatile}.
type argument struct {
	at, octets int
}

var (
	flags  = argument{1, 1}
	count  = argument{2, 2}
	length = argument{4, 4}
	offset = argument{8, 4}
	stag   = argument{12, 4}
	to     = argument{16, 8}
)

// commands are those with numbers as arguments. quiet and echo have text.
var commands = map[string]command{
	"report":          {0x0200, nil, false},
	"fenced-write":    {0x1008, []argument{length, offset, stag, to}, true},
	"write":           {0x1000, []argument{length, offset, stag, to}, true},
	"writes":          {0x1000, []argument{count, length, offset, stag, to}, true},
	"read-invalidate": {0x1104, []argument{length, offset, stag, to}, true},
	"read":            {0x1100, []argument{length, offset, stag, to}, true},
	"reads":           {0x1100, []argument{count, length, offset, stag, to}, true},
	"fetchadd":        {0x1200, []argument{offset, stag, to, {24, 8}, {32, 8}}, true},
	"cmpswap":         {0x1300, []argument{offset, stag, to, {24, 8}, {32, 8}, {40, 8}, {48, 8}}, true},
	"send":            {0x1400, []argument{flags, count, length, offset, stag}, true},
	"immediate":       {0x1500, []argument{flags, {4, 8}}, true},
	"bind":            {0x1600, []argument{flags, count, length, offset, stag}, true},
	"invalidate":      {0x1700, []argument{flags, stag}, true},
	"close":           {0x2000, nil, true},
	"abort":           {0x2100, nil, true},
	"terminate":       {0x2200, nil, true},
	"revoke":          {0x2300, []argument{count}, true},
	"hold":            {0x2400, nil, true},
}

const answerFlag = 0x01

// expand replaces the commands in a line by their octets.
func expand(line string) (string, error) {
	var out strings.Builder
	for {
		before, rest, found := strings.Cut(line, "{")
		out.WriteString(before)
		if !found {
			return out.String(), nil
		}
		inner, after, closed := strings.Cut(rest, "}")
		if !closed {
			return "", fmt.Errorf("the braces in %q are not closed", line)
		}
		octets, err := commandText(inner)
		if err != nil {
			return "", err
		}
		out.WriteString(octets)
		line = after
	}
}

// commandText returns the octets of a command as octets of a Scenario.
func commandText(inner string) (string, error) {
	name, rest, _ := strings.Cut(strings.TrimSpace(inner), " ")
	switch name {
	case "quiet", "echo":
		begin := "00000000"
		if name == "echo" {
			begin = "01000000"
		}
		return strings.TrimSpace(begin + " " + rest), nil
	case "done":
		return answerText(strings.TrimSpace(rest)+" 0", "?*8")
	case "answer":
		words := strings.Fields(rest)
		if len(words) != 3 {
			return "", fmt.Errorf("{answer COMMAND STATUS VALUE} takes 3 arguments, not %q", rest)
		}
		value, err := strconv.ParseUint(words[2], 0, 64)
		if err != nil {
			return "", fmt.Errorf("{%s}: %q is not a number", inner, words[2])
		}
		return answerText(words[0]+" "+words[1], fmt.Sprintf("%016x", value))
	}
	name, answered := strings.CutSuffix(name, "!")
	c, ok := commands[name]
	words := strings.Fields(rest)
	switch {
	case !ok:
		return "", fmt.Errorf("{%s}: unknown command %q", inner, name)
	case len(words) != len(c.args):
		return "", fmt.Errorf("{%s} has %d arguments, want %d", inner, len(words), len(c.args))
	case answered && !c.answers:
		return "", fmt.Errorf("{%s}: it is always answered", inner)
	}
	return c.text(words, answered)
}

func (c command) text(words []string, answered bool) (string, error) {
	size := 4
	for _, a := range c.args {
		size = max(size, a.at+a.octets)
	}
	b := make([]byte, size)
	binary.BigEndian.PutUint16(b, c.code)
	before, variable := size, ""
	for i, a := range c.args {
		if a == stag && strings.HasPrefix(words[i], "$") {
			before, variable = a.at, words[i]+":be32"
			continue
		}
		v, err := strconv.ParseUint(words[i], 0, 8*a.octets)
		if err != nil {
			return "", fmt.Errorf("%q is not a number of %d octets", words[i], a.octets)
		}
		for k := range a.octets {
			b[a.at+k] |= byte(v >> (8 * (a.octets - 1 - k)))
		}
	}
	if answered {
		b[1] |= answerFlag
	}
	if variable == "" {
		return fmt.Sprintf("%x", b), nil
	}
	return strings.TrimSpace(fmt.Sprintf("%x %s %x", b[:before], variable, b[before+stag.octets:])), nil
}

func answerText(nameAndStatus, value string) (string, error) {
	words := strings.Fields(nameAndStatus)
	c, ok := commands[words[0]]
	status, err := strconv.ParseUint(words[1], 0, 32)
	if !ok || err != nil {
		return "", fmt.Errorf("%q is not a command and status", nameAndStatus)
	}
	return fmt.Sprintf("%02x000000 %08x %s", c.code>>8, status, value), nil
}
