package filter

// Names: texts that are compared without regard to case.

import (
	"regexp"
	"strings"
)

func (c comparison) nameCheck(b basic, t token) (func(string) bool, *Error) {
	if b == matches {
		pattern, err := c.pattern(t)
		if err != nil {
			return nil, err
		}
		return pattern.MatchString, nil
	}
	s, err := t.value()
	switch {
	case err != nil:
		return nil, err
	case b == equal:
		return func(v string) bool { return strings.EqualFold(v, s) }, nil
	case b == contains:
		return regexp.MustCompile("(?i)" + regexp.QuoteMeta(s)).MatchString, nil
	}
	return nil, c.unsuitable(", and names have no order")
}
