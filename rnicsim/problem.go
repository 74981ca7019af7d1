package rnicsim

// Problems in received segments: the Situations of codec/rules, and the events of the Verbs that report them.

import "github.com/iwarpkit/iwarp/codec/rules"

// A problem is the reason why a stream ends.
type problem struct {
	situation rules.Situation
	event     EventType // that reports it; 0 if a completion does
	code      uint8     // the error code that fits best, if the situation has several
}

// events report the situations that a rules.Receiver finds (Verbs, figure 24). The Verbs have none for Atomics,
// Immediate Data and MO; for these it is the closest event.
var events = [rules.NumSituations]EventType{
	rules.FPDUCRC:            LLPInvalidCRC,
	rules.FPDUMarker:         LLPBadFPDU,
	rules.DDPShort:           LLPSegmentSize,
	rules.DDPVersionTagged:   RemoteDDPVersion,
	rules.DDPVersionUntagged: RemoteDDPVersion,
	rules.RDMAPVersion:       RemoteRDMAPVersion,
	rules.OpcodeUnknown:      RemoteOpcode,
	rules.OpcodeT:            RemoteOpcode,
	rules.QNUndefined:        RemoteQueueNumber,
	rules.QNOpcode:           RemoteQueueNumber,
	rules.SendNoBuffer:       RQMSNRange,
	rules.SendMSN:            RQMSNRange,
	rules.SendMO:             RQMSNGap,
	rules.SendTooLong:        ProtectionBounds,
	rules.LMissing:           RemoteNoLastBit,
	rules.ReadMSN:            IRRQMSNRange,
	rules.ReadIRD:            IRRQTooMany,
	rules.ReadDisabled:       RemoteReadNotEnabled,
	rules.ReadLong:           RemoteReadRequest,
	rules.ReadShort:          RemoteReadRequest,
	rules.ReadMO:             RemoteReadRequest,
	rules.WriteContinuation:  ProtectionSTag,
	rules.ResponseUnexpected: RemoteOpcode,
	rules.ResponseSTag:       ProtectionSTag,
	rules.ResponseBounds:     ProtectionBounds,
	rules.AtomicAlignment:    RemoteReadRequest,
	rules.AtomicAOpCode:      RemoteReadRequest,
	rules.AtomicShort:        RemoteReadRequest,
	rules.AtomicLong:         RemoteReadRequest,
	rules.AtomicResponse:     RemoteOpcode,
	rules.AtomicResponseMSN:  IRRQMSNRange,
	rules.ImmediateLength:    LLPSegmentSize,
	rules.TerminateBad:       TerminateReceived,
}

// ofMemory are situations that depend on memory, too. Access checks decide on them, because an error of the STag takes
// precedence.
var ofMemory = [...]rules.Situation{rules.WriteWrap, rules.ReadWrap, rules.AtomicAlignment}

// The problems of memory that the peer names, by fault.
var (
	sinkProblems = faults{
		faultSTag:   {situation: rules.WriteSTag, event: ProtectionSTag},
		faultPD:     {situation: rules.WriteAssociation, event: ProtectionPD},
		faultRights: {situation: rules.WriteAccess, event: ProtectionRights},
		faultWrap:   {situation: rules.WriteWrap, event: ProtectionWrap},
		faultBounds: {situation: rules.WriteBounds, event: ProtectionBounds},
	}
	sourceProblems = faults{
		faultSTag:   {situation: rules.ReadSTag, event: IRRQSTag},
		faultPD:     {situation: rules.ReadAssociation, event: IRRQPD},
		faultRights: {situation: rules.ReadAccess, event: IRRQRights},
		faultWrap:   {situation: rules.ReadWrap, event: IRRQWrap},
		faultBounds: {situation: rules.ReadBounds, event: IRRQBounds},
	}
	atomicProblems = sourceProblems.as(rules.AtomicTarget)
	lostProblems   = sourceProblems.as(rules.ReadSourceLost)
	writeDisabled  = problem{situation: rules.WriteAccess, event: RemoteWriteNotEnabled}
)

// A faults holds problems by the fault that causes them.
type faults [faultBounds + 1]problem

// as returns the faults as one situation, keeping their error codes.
func (f faults) as(one rules.Situation) faults {
	for i := range f {
		if s := f[i].situation; s != rules.NoSituation {
			code, _ := rules.RFC.Exact(s)
			f[i].situation, f[i].code = one, code.ErrorCode
		}
	}
	return f
}
