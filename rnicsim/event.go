package rnicsim

// An EventType is the kind of an asynchronous event (Verbs, figures 24, 25 and 37).
type EventType uint8

// The asynchronous events. Unless said otherwise they are about a QP.
const (
	LLPCloseComplete EventType = iota + 1
	TerminateReceived
	LLPConnectionReset
	LLPConnectionLost
	LLPSegmentSize
	LLPInvalidCRC
	LLPBadFPDU
	RemoteDDPVersion
	RemoteRDMAPVersion
	RemoteOpcode
	RemoteQueueNumber
	RemoteReadNotEnabled
	RemoteWriteNotEnabled
	RemoteReadRequest // too small, or its offset is not 0
	RemoteNoLastBit
	ProtectionSTag
	ProtectionBounds
	ProtectionRights
	ProtectionPD
	ProtectionWrap
	BadClose
	BadLLPClose
	RQMSNRange
	RQMSNGap
	IRRQTooMany
	IRRQMSNGap
	IRRQMSNRange
	IRRQSTag
	IRRQBounds
	IRRQRights
	IRRQPD
	IRRQWrap
	CQSQError
	CQRQError
	SRQErrorOnQP
	LocalCatastrophic
	CQOverflow       // about a CQ
	CQOperationError // about a CQ
	SRQLimitReached  // about an S-RQ
	RQLimitReached
	SRQCatastrophic  // about an S-RQ
	RNICCatastrophic // about the RNIC
)

var eventTexts = [...]string{
	LLPCloseComplete: "LLP Close Complete", TerminateReceived: "Terminate Message Received",
	LLPConnectionReset: "LLP Connection Reset", LLPConnectionLost: "LLP Connection Lost",
	LLPSegmentSize: "LLP Integrity Error: segment size", LLPInvalidCRC: "LLP Integrity Error: CRC",
	LLPBadFPDU: "LLP Integrity Error: FPDU", RemoteDDPVersion: "Remote Operation Error: DDP version",
	RemoteRDMAPVersion: "Remote Operation Error: RDMAP version", RemoteOpcode: "Remote Operation Error: unexpected opcode",
	RemoteQueueNumber:     "Remote Operation Error: DDP Queue Number",
	RemoteReadNotEnabled:  "Remote Operation Error: RDMA Read is not enabled",
	RemoteWriteNotEnabled: "Remote Operation Error: RDMA Write or Read Response is not enabled",
	RemoteReadRequest:     "Remote Operation Error: RDMA Read Request too small or with an offset",
	RemoteNoLastBit:       "Remote Operation Error: no L bit", ProtectionSTag: "Remote Protection Error: STag",
	ProtectionBounds: "Remote Protection Error: base and bounds", ProtectionRights: "Remote Protection Error: access rights",
	ProtectionPD: "Remote Protection Error: PD", ProtectionWrap: "Remote Protection Error: wrap",
	BadClose: "Bad Close", BadLLPClose: "Bad LLP Close", RQMSNRange: "RQ: MSN out of range", RQMSNGap: "RQ: MSN gap",
	IRRQTooMany: "IRRQ: too many RDMA Read Requests", IRRQMSNGap: "IRRQ: MSN gap", IRRQMSNRange: "IRRQ: MSN out of range",
	IRRQSTag: "IRRQ: STag", IRRQBounds: "IRRQ: base and bounds", IRRQRights: "IRRQ: access rights", IRRQPD: "IRRQ: PD",
	IRRQWrap: "IRRQ: wrap", CQSQError: "CQ/SQ Error", CQRQError: "CQ/RQ Error", SRQErrorOnQP: "S-RQ error on a QP",
	LocalCatastrophic: "Local QP Catastrophic Error", CQOverflow: "CQ Overflow Detected",
	CQOperationError: "CQ Operation Error", SRQLimitReached: "S-RQ Limit reached", RQLimitReached: "QP RQ Limit reached",
	SRQCatastrophic: "Shared Receive Queue Catastrophic Failure", RNICCatastrophic: "RNIC Catastrophic Failure",
}

// String returns the event in the words of the Verbs.
func (t EventType) String() string { return eventTexts[t] }

// An Event is an asynchronous event: something that no completion reports.
type Event struct {
	Type EventType
	RNIC *RNIC // that raised it
	QP   *QP   // that it is about; nil if it is not about a QP
	CQ   *CQ   // likewise
	SRQ  *SRQ  // likewise
}

// SetAsyncEventHandler sets the function that is called with asynchronous events; nil for none, so that they are lost
// (Verbs, section 9.4.2). It fails with ErrInvalidRNIC.
func (r *RNIC) SetAsyncEventHandler(call func(Event)) error {
	if !r.works() {
		return ErrInvalidRNIC
	}
	r.async = call
	return nil
}

// raise calls the handler of asynchronous events.
func (r *RNIC) raise(e Event) {
	if r.async != nil {
		e.RNIC = r
		r.async(e)
	}
}

// AddCompletionEventHandler registers a handler for CQs (Verbs, section 9.4.1). It fails with ErrInvalidRNIC,
// ErrInvalidHandler for nil, or ErrInsufficientResources.
func (r *RNIC) AddCompletionEventHandler(call func(*CQ)) (id uint32, err error) {
	switch {
	case !r.works():
		return 0, ErrInvalidRNIC
	case call == nil:
		return 0, ErrInvalidHandler
	case len(r.handlers) >= r.limits.Handlers:
		return 0, ErrInsufficientResources
	}
	r.lastID++
	r.handlers[r.lastID] = call
	return r.lastID, nil
}

// SetCompletionEventHandler replaces a handler. With nil it removes it: its ID is then invalid, and its CQs have no
// handler (Verbs, section 9.4.1). It fails with ErrInvalidRNIC or ErrInvalidHandler.
func (r *RNIC) SetCompletionEventHandler(id uint32, call func(*CQ)) error {
	switch {
	case !r.works():
		return ErrInvalidRNIC
	case r.handlers[id] == nil:
		return ErrInvalidHandler
	case call == nil:
		delete(r.handlers, id)
	default:
		r.handlers[id] = call
	}
	return nil
}
