package rnicsim

// An ImmediateError is the result of a verb that was refused and had no effect (Verbs, section 8.3.1). Values can be
// compared with == and errors.Is.
type ImmediateError uint8

// The immediate errors (Verbs, figures 28 to 35).
const (
	ErrInsufficientResources ImmediateError = iota + 1
	ErrInvalidRNIC
	ErrInvalidModifier
	ErrNoBlockLists
	ErrRNICInUse
	ErrInvalidPD
	ErrPDInUse
	ErrTooManyCQEs
	ErrShrink
	ErrInvalidCQ
	ErrCQInUse
	ErrCQEmpty
	ErrInvalidHandler
	ErrWRLimit
	ErrSGELimit
	ErrSRQLimit
	ErrInvalidSRQ
	ErrSRQInUse
	ErrORDLimit
	ErrIRDLimit
	ErrInvalidQP
	ErrCannotChange
	ErrInvalidState
	ErrInvalidStream
	ErrFlushing
	ErrRQLimit
	ErrQPHasWindows
	ErrInvalidVA
	ErrInvalidLength
	ErrInvalidAccess
	ErrInvalidPBLEntry
	ErrInvalidEntrySize
	ErrInvalidSTag
	ErrInvalidFBO
	ErrMRHasWindows
	ErrTooManyWRs
	ErrInvalidOperation
	ErrInvalidSGL
	ErrSGLTooLong
	ErrHasSRQ
)

var immediateTexts = [...]string{
	ErrInsufficientResources: "insufficient resources",
	ErrInvalidRNIC:           "invalid RNIC handle",
	ErrInvalidModifier:       "invalid modifier",
	ErrNoBlockLists:          "Block List mode is not supported",
	ErrRNICInUse:             "RNIC is in use",
	ErrInvalidPD:             "invalid PD ID",
	ErrPDInUse:               "PD is in use",
	ErrTooManyCQEs:           "more CQ entries than the RNIC supports",
	ErrShrink:                "too many entries in use to shrink",
	ErrInvalidCQ:             "invalid CQ handle",
	ErrCQInUse:               "Work Queues are associated with the CQ",
	ErrCQEmpty:               "CQ is empty",
	ErrInvalidHandler:        "invalid Completion Event Handler ID",
	ErrWRLimit:               "more Work Requests than the RNIC allows",
	ErrSGELimit:              "more Scatter/Gather Elements than the RNIC allows",
	ErrSRQLimit:              "S-RQ Limit is out of range",
	ErrInvalidSRQ:            "invalid S-RQ handle",
	ErrSRQInUse:              "QPs are associated with the S-RQ",
	ErrORDLimit:              "ORD exceeds the limit of the RNIC",
	ErrIRDLimit:              "IRD exceeds the limit of the RNIC",
	ErrInvalidQP:             "invalid QP handle",
	ErrCannotChange:          "QP attribute cannot be changed",
	ErrInvalidState:          "invalid QP state",
	ErrInvalidStream:         "invalid LLP Stream handle",
	ErrFlushing:              "Work Queue Elements are still being flushed",
	ErrRQLimit:               "QP RQ Limit is out of range",
	ErrQPHasWindows:          "Memory Windows are bound to the QP",
	ErrInvalidVA:             "invalid Virtual Address",
	ErrInvalidLength:         "invalid length",
	ErrInvalidAccess:         "invalid Access Rights",
	ErrInvalidPBLEntry:       "invalid Physical Buffer List entry",
	ErrInvalidEntrySize:      "invalid Physical Buffer size",
	ErrInvalidSTag:           "invalid STag Index",
	ErrInvalidFBO:            "invalid First Byte Offset",
	ErrMRHasWindows:          "Memory Windows are bound to the Memory Region",
	ErrTooManyWRs:            "Work Queue is full",
	ErrInvalidOperation:      "invalid operation type",
	ErrInvalidSGL:            "invalid Scatter/Gather List",
	ErrSGLTooLong:            "too many Scatter/Gather Elements",
	ErrHasSRQ:                "the RQ is a Shared Receive Queue",
}

// Error returns a few words in the terms of the Verbs.
func (e ImmediateError) Error() string { return "rnicsim: " + immediateTexts[e] }
