package cli

// Flags for times.

import (
	"errors"
	"slices"
	"time"

	"github.com/iwarpkit/iwarp/dissect/show"
)

// newClock returns a clock of the form that was chosen.
func newClock(form *choice) *show.Clock {
	return &show.Clock{Form: show.Form(max(slices.Index(show.Forms, form.value), 0))}
}

// A span is a flag whose value is a duration, not negative: "500ms", "2s", "1m30s".
type span struct {
	value    time.Duration
	positive bool // it cannot be 0 either
}

func (s *span) String() string { return s.value.String() }
func (s *span) Type() string   { return "TIME" }

func (s *span) Set(text string) error {
	v, err := time.ParseDuration(text)
	switch {
	case s.positive && (err != nil || v <= 0):
		return errors.New("want a time above 0, such as 500ms, 2s or 1m30s")
	case err != nil || v < 0:
		return errors.New("want a time such as 500ms, 2s or 1m30s, or 0")
	}
	s.value = v
	return nil
}

// orNever is the duration for the driver, to which -1 means never and 0 its default.
func (s *span) orNever() time.Duration {
	if s.value == 0 {
		return -1
	}
	return s.value
}
