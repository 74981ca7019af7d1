package sctp

// The function codes of session control messages, RFC 5043, section 5.2.3, and RFC 6581, section 7.

import (
	"iter"
	"strconv"
)

// FunctionCode says what a session control message does.
type FunctionCode uint16

// The function codes of RFC 5043, section 5.2.3, and, the enhanced ones, of RFC 6581, section 7.
const (
	SessionInitiate  FunctionCode = 1
	SessionAccept    FunctionCode = 2
	SessionReject    FunctionCode = 3
	SessionTerminate FunctionCode = 4 // not the Terminate of RDMAP
	EnhancedInitiate FunctionCode = 5
	EnhancedAccept   FunctionCode = 6
	EnhancedReject   FunctionCode = 7

	Experimental FunctionCode = 0xffff // RFC 6580, section 3.5
)

var functionNames = [...]string{
	SessionInitiate: "SessionInitiate", SessionAccept: "SessionAccept", SessionReject: "SessionReject",
	SessionTerminate: "SessionTerminate", EnhancedInitiate: "EnhancedInitiate",
	EnhancedAccept: "EnhancedAccept", EnhancedReject: "EnhancedReject",
}

const experimentalName = "Experimental"

// unknownFunction begins the name of a function code that is not assigned.
const unknownFunction = "FunctionCode"

// Known reports whether the function code is registered.
func (c FunctionCode) Known() bool {
	return c >= SessionInitiate && int(c) < len(functionNames) || c == Experimental
}

// String returns the name of the message, "SessionInitiate", or the number of an unknown function code, "FunctionCode8".
func (c FunctionCode) String() string {
	switch {
	case c == Experimental:
		return experimentalName
	case c.Known():
		return functionNames[c]
	}
	return unknownFunction + strconv.Itoa(int(c))
}

// FunctionCodes yields the registered function codes in ascending order.
func FunctionCodes() iter.Seq[uint64] {
	return func(yield func(uint64) bool) {
		for v := int(SessionInitiate); v < len(functionNames); v++ {
			if !yield(uint64(v)) {
				return
			}
		}
		yield(uint64(Experimental))
	}
}

// Enhanced reports whether messages of this kind belong to an enhanced session (RFC 6581, section 7): their Private Data
// begins with an Enhanced word.
func (c FunctionCode) Enhanced() bool {
	return c >= EnhancedInitiate && c <= EnhancedReject
}

// IsInitiate reports whether messages of this kind ask for a session.
func (c FunctionCode) IsInitiate() bool { return c == SessionInitiate || c == EnhancedInitiate }

// IsAccept reports whether messages of this kind grant a session.
func (c FunctionCode) IsAccept() bool { return c == SessionAccept || c == EnhancedAccept }

// IsReject reports whether messages of this kind refuse a session on behalf of the upper layer.
func (c FunctionCode) IsReject() bool { return c == SessionReject || c == EnhancedReject }
