package rfc5041

import (
	"slices"

	"github.com/iwarpkit/iwarp/replay/conform"
)

var section71 = about("7.1", "errors that the sink detects", func() []conform.Case {
	return slices.Concat(untaggedErrors(), taggedErrors(), afterErrors())
})
