package rnicsim

// What can be wrong with what comes in, and how the Consumer hears of it: as the Situations of codec/rules name it, and
// the events of the Verbs.

import (
	"slices"

	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/codec/rules"
)

// A problem is what ends a stream.
type problem struct {
	situation *rules.Situation
	event     EventType // 0 if a completion tells of it
	code      uint8     // the error code of those that the situation leaves the choice of; 0 too for the first
}

// situation finds one of rules.Situations, which must exist.
func situation(name string) *rules.Situation {
	if s := rules.LookupSituation(name); s != nil {
		return s
	}
	panic("rnicsim: no situation " + name)
}

// The situations that are found here.
var (
	situationLocal     = situation("local")
	situationQueue     = situation("queue")
	situationRNIC      = situation("rnic")
	situationReady     = situation("mpa-local")
	situationFrame     = situation("mpa-frame")
	situationNoBuffer  = situation("send-no-buffer")
	situationTooLong   = situation("send-too-long")
	situationSGE       = situation("receive-sge")
	situationAlignment = situation("atomic-alignment")
)

// events are how the Consumer hears of the situations that a rules.Receiver finds (Verbs, figure 24). The Verbs know no
// Atomics, no Immediate Data and no check of MO; for these it is the event nearest to it.
var events = map[*rules.Situation]EventType{
	situation("fpdu-crc"):             LLPInvalidCRC,
	situation("fpdu-marker"):          LLPBadFPDU,
	situation("ddp-short"):            LLPSegmentSize,
	situation("ddp-version-tagged"):   RemoteDDPVersion,
	situation("ddp-version-untagged"): RemoteDDPVersion,
	situation("rdmap-version"):        RemoteRDMAPVersion,
	situation("opcode"):               RemoteOpcode,
	situation("opcode-t"):             RemoteOpcode,
	situation("qn-undefined"):         RemoteQueueNumber,
	situation("qn-opcode"):            RemoteQueueNumber,
	situationNoBuffer:                 RQMSNRange,
	situation("send-msn"):             RQMSNRange,
	situation("mo"):                   RQMSNGap,
	situationTooLong:                  ProtectionBounds,
	situation("l-missing"):            RemoteNoLastBit,
	situation("read-msn"):             IRRQMSNRange,
	situation("read-ird"):             IRRQTooMany,
	situation("read-disabled"):        RemoteReadNotEnabled,
	situation("read-long"):            RemoteReadRequest,
	situation("read-short"):           RemoteReadRequest,
	situation("read-mo"):              RemoteReadRequest,
	situation("write-continuation"):   ProtectionSTag,
	situation("response-unexpected"):  RemoteOpcode,
	situation("response-mismatch"):    ProtectionBounds,
	situationAlignment:                RemoteReadRequest,
	situation("atomic-aopcode"):       RemoteReadRequest,
	situation("atomic-short"):         RemoteReadRequest,
	situation("atomic-long"):          RemoteReadRequest,
	situation("atomic-response"):      RemoteOpcode,
	situation("atomic-response-msn"):  IRRQMSNRange,
	situation("immediate-length"):     LLPSegmentSize,
	situation("terminate-bad"):        TerminateReceived,
}

// gaps are the events for an MSN that is too high, in place of those for one out of range.
var gaps = map[EventType]EventType{RQMSNRange: RQMSNGap, IRRQMSNRange: IRRQMSNGap}

// ofMemory are situations that depend on memory too, in which what is wrong with the STag comes first: they are left to
// those who look at that.
var ofMemory = []*rules.Situation{situation("write-wrap"), situation("read-wrap"), situationAlignment}

// What is wrong with memory that the peer names, by fault.
var (
	sinkProblems = faults{
		faultSTag:   {situation: situation("write-stag"), event: ProtectionSTag},
		faultPD:     {situation: situation("write-association"), event: ProtectionPD},
		faultRights: {situation: situation("write-access"), event: ProtectionRights},
		faultWrap:   {situation: situation("write-wrap"), event: ProtectionWrap},
		faultBounds: {situation: situation("write-bounds"), event: ProtectionBounds},
	}
	sourceProblems = faults{
		faultSTag:   {situation: situation("read-stag"), event: IRRQSTag},
		faultPD:     {situation: situation("read-association"), event: IRRQPD},
		faultRights: {situation: situation("read-access"), event: IRRQRights},
		faultWrap:   {situation: situation("read-wrap"), event: IRRQWrap},
		faultBounds: {situation: situation("read-bounds"), event: IRRQBounds},
	}
	atomicProblems = sourceProblems.as("atomic-target")
	lostProblems   = sourceProblems.as("read-source-lost")
	writeDisabled  = problem{situation: situation("write-access"), event: RemoteWriteNotEnabled}
)

// faults are problems by the fault that leads to them.
type faults [faultBounds + 1]problem

// as is the same faults in one situation, of whose Terminates each has the one with the error code that it had.
func (f faults) as(name string) faults {
	for i := range f {
		if s := f[i].situation; s != nil {
			code, _ := rules.LookupProfile("rfc").Exact(s)
			f[i].situation, f[i].code = situation(name), code.ErrorCode
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

// before tells that a receiver meets one situation before another.
func before(a, b *rules.Situation) bool {
	place := func(s *rules.Situation) int {
		return slices.IndexFunc(rules.Situations, func(t rules.Situation) bool { return t.Name == s.Name })
	}
	return place(a) < place(b)
}
