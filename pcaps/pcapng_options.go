package pcaps

// Options of pcapng blocks, draft-ietf-opsawg-pcapng section 3.5: a code and a length of 16 bits each, then the value,
// padded to a multiple of 4. If an option is malformed, those before it still count.
const (
	optEnd     = 0
	optComment = 1

	optSectionHardware    = 2
	optSectionOS          = 3
	optSectionApplication = 4

	optInterfaceTimeResolution = 9
	optInterfaceTimeOffset     = 14

	optionHeaderLen = 4
	maxOptionLen    = 65535
)

// nextOption cuts the first option off b. It returns optEnd after the last one.
func (o byteOrder) nextOption(b []byte) (code uint16, value, rest []byte) {
	if len(b) < optionHeaderLen {
		return optEnd, nil, nil
	}
	code, n := o.uint16(b), int(o.uint16(b[2:]))
	b = b[optionHeaderLen:]
	if n > len(b) {
		return optEnd, nil, nil
	}
	return code, b[:n], b[min(padded(n), len(b)):]
}

// comments returns copies of the comments among the options b.
func (o byteOrder) comments(b []byte) []string {
	var comments []string
	for {
		code, value, rest := o.nextOption(b)
		switch code {
		case optEnd:
			return comments
		case optComment:
			comments = append(comments, string(value))
		}
		b = rest
	}
}

// clockOf returns the clock that the options b of an interface describe.
func (o byteOrder) clockOf(b []byte) ngClock {
	clock := ngClock{resolution: defaultResolution}
	for {
		code, value, rest := o.nextOption(b)
		switch {
		case code == optEnd:
			return clock
		case code == optInterfaceTimeResolution && len(value) == 1:
			clock.resolution = value[0]
		case code == optInterfaceTimeOffset && len(value) == 8:
			clock.offset = int64(o.uint64(value))
		}
		b = rest
	}
}
