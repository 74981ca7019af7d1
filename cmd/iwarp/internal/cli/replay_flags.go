package cli

// Flags of replay with types of their own.

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/iwarpkit/iwarp/replay/player"
	"github.com/iwarpkit/iwarp/replay/scenario"
)

// A speedFlag is a multiple of the recorded speed; 0 for as fast as possible.
type speedFlag struct{ value float64 }

func (s *speedFlag) String() string {
	if s.value == 0 {
		return "max"
	}
	return strconv.FormatFloat(s.value, 'g', -1, 64)
}

func (s *speedFlag) Type() string { return "N" }

// The bounds of a speed.
const (
	leastSpeed = 1e-3
	mostSpeed  = 1e6
)

func (s *speedFlag) Set(text string) error {
	if text == "max" {
		s.value = 0
		return nil
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(v) || v < leastSpeed || v > mostSpeed {
		return errors.New("want max, or a number such as 1, 0.5 or 10")
	}
	s.value = v
	return nil
}

// A mapFlag maps recorded values of the peer to current ones.
type mapFlag struct{ all []player.Mapping }

func (m *mapFlag) String() string { return "" }
func (m *mapFlag) Type() string   { return "MAP" }

func (m *mapFlag) Set(text string) error {
	wrong := errors.New("want stag=0xRECORDED:0xLIVE, or to=0xRECORDED:0xLIVE[:LENGTH]")
	kind, values, _ := strings.Cut(text, "=")
	words := strings.Split(values, ":")
	one := player.Mapping{Kind: scenario.STag}
	most := 2
	if kind == "to" {
		one.Kind, most = scenario.TO, 3
	} else if kind != "stag" {
		return wrong
	}
	if len(words) < 2 || len(words) > most {
		return wrong
	}
	for i, place := range []*uint64{&one.Recorded, &one.Live, &one.Length}[:len(words)] {
		v, err := strconv.ParseUint(words[i], 0, one.Kind.Bits())
		if err != nil {
			return wrong
		}
		*place = v
	}
	m.all = append(m.all, one)
	return nil
}

// A connsFlag is names of connections.
type connsFlag struct{ names []string }

func (c *connsFlag) String() string { return strings.Join(c.names, ",") }
func (c *connsFlag) Type() string   { return "LIST" }

func (c *connsFlag) Set(text string) error {
	for name := range strings.SplitSeq(text, ",") {
		if name == "" {
			return errors.New("want names or numbers of connections with commas between")
		}
		c.names = append(c.names, name)
	}
	return nil
}

// matches reports whether a connection was chosen: by its name or, for c3, by the number 3.
func (c *connsFlag) matches(name string) bool {
	number, isNumber := strings.CutPrefix(name, "c")
	return len(c.names) == 0 || slices.Contains(c.names, name) || isNumber && slices.Contains(c.names, number)
}

// missing is the error about chosen connections that do not exist.
func (c *connsFlag) missing(names []string) error {
	for _, want := range c.names {
		one := connsFlag{names: []string{want}}
		if !slices.ContainsFunc(names, one.matches) {
			return fmt.Errorf("there is no connection %s; there are %s", shown(want), listed(names))
		}
	}
	return nil
}

// listed joins the first names.
func listed(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	few := names[:min(len(names), maxListed)]
	words := shown(strings.Join(few, ", "))
	if more := len(names) - len(few); more > 0 {
		words += fmt.Sprintf(" and %d more", more)
	}
	return words
}
