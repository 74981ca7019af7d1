package cli

// Flags of replay with types of their own.

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/iwarpkit/iwarp/dissect/show/text"
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

// parseMapping reads a recorded value of the peer, and the current one.
func parseMapping(mapping string) (one player.Mapping, err error) {
	wrong := errors.New("want stag=0xRECORDED:0xLIVE, or to=0xRECORDED:0xLIVE[:LENGTH]")
	kind, values, _ := strings.Cut(mapping, "=")
	words := strings.Split(values, ":")
	most := 2
	one.Kind = scenario.STag
	if kind == "to" {
		one.Kind, most = scenario.TO, 3
	} else if kind != "stag" {
		return one, wrong
	}
	if len(words) < 2 || len(words) > most {
		return one, wrong
	}
	for i, place := range []*uint64{&one.Recorded, &one.Live, &one.Length}[:len(words)] {
		v, err := strconv.ParseUint(words[i], 0, one.Kind.Bits())
		if err != nil {
			return one, wrong
		}
		*place = v
	}
	return one, nil
}

// connNames are names or numbers of connections.
type connNames []string

func parseConnName(text string) (string, error) {
	if text == "" {
		return "", errors.New("want names or numbers of connections with commas between")
	}
	return text, nil
}

// matches reports whether a connection was chosen: by its name or, for c3, by the number 3.
func (c connNames) matches(name string) bool {
	number, isNumber := strings.CutPrefix(name, "c")
	return len(c) == 0 || slices.Contains(c, name) || isNumber && slices.Contains(c, number)
}

// missing is the error about chosen connections that do not exist.
func (c connNames) missing(names []string) error {
	for _, want := range c {
		one := connNames{want}
		if !slices.ContainsFunc(names, one.matches) {
			return fmt.Errorf("there is no connection %s; there are %s", shown(want), text.Listed(names))
		}
	}
	return nil
}
