package conform

// Commands to the peer's service, as octets of a Scenario. docs/conform-service.md has them octet by octet.

import (
	"fmt"
	"strconv"
	"strings"
)

// A command can be used in scripts, in braces: {write! 256 0 0x1000 0x20000}.
type command struct {
	code    uint8
	args    []argument // in the order of the script
	answers bool       // an answer can be requested
}

// An argument is a number in a command: its offset and length, in octets.
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
	"report":    {0x02, nil, false},
	"write":     {0x10, []argument{length, offset, stag, to}, true},
	"writes":    {0x10, []argument{count, length, offset, stag, to}, true},
	"read":      {0x11, []argument{length, offset, stag, to}, true},
	"reads":     {0x11, []argument{count, length, offset, stag, to}, true},
	"fetchadd":  {0x12, []argument{offset, stag, to, {24, 8}, {32, 8}}, true},
	"cmpswap":   {0x13, []argument{offset, stag, to, {24, 8}, {32, 8}, {40, 8}, {48, 8}}, true},
	"send":      {0x14, []argument{flags, count, length, offset, stag}, true},
	"immediate": {0x15, []argument{flags, {4, 8}}, true},
	"close":     {0x20, nil, true},
	"abort":     {0x21, nil, true},
	"terminate": {0x22, nil, true},
	"revoke":    {0x23, []argument{count}, true},
	"hold":      {0x24, nil, true},
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
	b[0] = c.code
	for i, a := range c.args {
		v, err := strconv.ParseUint(words[i], 0, 8*a.octets)
		if err != nil {
			return "", fmt.Errorf("%q is not a number of %d octets", words[i], a.octets)
		}
		for k := range a.octets {
			b[a.at+k] = byte(v >> (8 * (a.octets - 1 - k)))
		}
	}
	if answered {
		b[1] |= answerFlag
	}
	return fmt.Sprintf("%x", b), nil
}

func answerText(nameAndStatus, value string) (string, error) {
	words := strings.Fields(nameAndStatus)
	c, ok := commands[words[0]]
	status, err := strconv.ParseUint(words[1], 0, 32)
	if !ok || err != nil {
		return "", fmt.Errorf("%q is not a command and status", nameAndStatus)
	}
	return fmt.Sprintf("%02x000000 %08x %s", c.code, status, value), nil
}
