package rnicsim

// What can be wrong with what comes in, and how the Consumer hears of it: as the Situations of codec/rules name it, and
// the events of the Verbs.

import (
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/codec/rules"
)

// A problem is what ends a stream.
type problem struct {
	situation rules.Situation
	event     EventType // 0 if a completion tells of it
	code      uint8     // the error code of those that the situation leaves the choice of; 0 too for the first
}

// events are how the Consumer hears of the situations that a rules.Receiver finds (Verbs, figure 24). The Verbs know no
// Atomics, no Immediate Data and no check of MO; for these it is the event nearest to it.
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
	rules.ResponseMismatch:   ProtectionBounds,
	rules.AtomicAlignment:    RemoteReadRequest,
	rules.AtomicAOpCode:      RemoteReadRequest,
	rules.AtomicShort:        RemoteReadRequest,
	rules.AtomicLong:         RemoteReadRequest,
	rules.AtomicResponse:     RemoteOpcode,
	rules.AtomicResponseMSN:  IRRQMSNRange,
	rules.ImmediateLength:    LLPSegmentSize,
	rules.TerminateBad:       TerminateReceived,
}

// gaps are the events for an MSN that is too high, in place of those for one out of range.
var gaps = map[EventType]EventType{RQMSNRange: RQMSNGap, IRRQMSNRange: IRRQMSNGap}

// ofMemory are situations that depend on memory too, in which what is wrong with the STag comes first: they are left to
// those who look at that.
var ofMemory = [...]rules.Situation{rules.WriteWrap, rules.ReadWrap, rules.AtomicAlignment}

// What is wrong with memory that the peer names, by fault.
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

// faults are problems by the fault that leads to them.
type faults [faultBounds + 1]problem

// as is the same faults in one situation, of whose Terminates each has the one with the error code that it had.
func (f faults) as(one rules.Situation) faults {
	for i := range f {
		if s := f[i].situation; s != rules.NoSituation {
			code, _ := rules.RFC.Exact(s)
			f[i].situation, f[i].code = one, code.ErrorCode
		}
	}
	return f
}

// terminates is the Terminate that answers a problem; ok is false if none does.
func (p *problem) terminates(profile *rules.Profile) (code rdmap.Code, ok bool) {
	code, ok = profile.Exact(p.situation)
	if p.code != 0 {
		code.ErrorCode = p.code
	}
	return code, ok
}
