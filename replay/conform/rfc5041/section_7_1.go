package rfc5041

import "slices"

var section71 = about("7.1", "errors that the sink detects", slices.Concat(untaggedErrors, taggedErrors, afterErrors))
