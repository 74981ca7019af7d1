package show

import (
	"strconv"
	"time"
)

// A Clock prints times, to the microsecond.
type Clock struct {
	UTC   bool  // date and time in UTC, else seconds since Start
	Start int64 // nanoseconds since 1970-01-01 UTC
}

const (
	utcLayout = "2006-01-02T15:04:05.000000Z"
	relWidth  = 12 // enough for a day
)

// Width is that of the column of times, in characters.
func (c *Clock) Width() int {
	if c.UTC {
		return len(utcLayout)
	}
	return relWidth
}

// Append appends a time that is given in nanoseconds since 1970-01-01 UTC: "2026-03-04T05:06:07.000008Z", or the
// seconds since Start, "    2.104713", at least 12 characters wide.
func (c *Clock) Append(dst []byte, ns int64) []byte {
	if c.UTC {
		return time.Unix(0, ns).UTC().AppendFormat(dst, utcLayout)
	}
	since := ns - c.Start
	negative := since < 0
	us := uint64(since) / 1000
	if negative {
		us = uint64(-since) / 1000
	}
	var buf [32]byte
	b := buf[:0]
	if negative {
		b = append(b, '-')
	}
	b = strconv.AppendUint(b, us/1e6, 10)
	b = append(b, '.')
	for unit := uint64(1e5); unit > 0; unit /= 10 {
		b = append(b, '0'+byte(us/unit%10))
	}
	for range relWidth - len(b) {
		dst = append(dst, ' ')
	}
	return append(dst, b...)
}

// AppendShort is Append without spaces before it, and with the unit behind seconds: "2.104713 s".
func (c *Clock) AppendShort(dst []byte, ns int64) []byte {
	from := len(dst)
	dst = c.Append(dst, ns)
	if c.UTC {
		return dst
	}
	spaces := 0
	for dst[from+spaces] == ' ' {
		spaces++
	}
	dst = append(dst[:from], dst[from+spaces:]...)
	return append(dst, " s"...)
}
