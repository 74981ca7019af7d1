package cli

// Flags for sizes in octets.

import (
	"fmt"
	"math/bits"
	"strconv"
	"strings"
)

// A size is a flag whose value is a number of octets within bounds: "4096", "64k", "8M", "1G", by powers of 1024.
type size struct{ value, least, most uint64 }

func (s *size) String() string { return sizeText(s.value) }
func (s *size) Type() string   { return "SIZE" }

func (s *size) Set(text string) error {
	v, err := parseSize(text)
	if err != nil || v < s.least || v > s.most {
		return fmt.Errorf("want octets from %s to %s, such as 4096, 64k or 8M", sizeText(s.least), sizeText(s.most))
	}
	s.value = v
	return nil
}

// sizeUnits are the letters behind a size, each 1024 times the one before.
const sizeUnits = "kMGT"

func parseSize(s string) (uint64, error) {
	digits, shift := s, 0
	if last := len(s) - 1; last > 0 {
		if at := strings.IndexByte(strings.ToLower(sizeUnits), s[last]|0x20); at >= 0 {
			digits, shift = s[:last], 10*(at+1)
		}
	}
	v, err := strconv.ParseUint(digits, 10, 64)
	if err != nil || bits.Len64(v)+shift > 63 {
		return 0, fmt.Errorf("%q is no number of octets", s)
	}
	return v << shift, nil
}

// sizeText is a size as parseSize reads it.
func sizeText(v uint64) string {
	unit := ""
	for i := range len(sizeUnits) {
		if v == 0 || v%1024 != 0 {
			break
		}
		v, unit = v/1024, sizeUnits[i:i+1]
	}
	return strconv.FormatUint(v, 10) + unit
}
