package peers

import "github.com/iwarpkit/iwarp/codec/rules"

func init() { addRNIC(&SIW, &LinuxNFSServer) }

// SIW is siw, the software RNIC of Linux. Its deviations were seen in captures. Its answers are given as it means them: on
// little-endian machines it writes the Terminate control word in swapped bit order.
var SIW = rules.Peer{
	Name:  "siw",
	Title: "siw, the software RNIC of Linux",
	Answers: otherwiseAsRFC(rules.Answers{
		rules.FPDUMarker:            {Act: rules.Otherwise, Note: "has no Markers"},
		rules.MPAFrame:              {Act: rules.Terminates, Codes: codes{0x2004}, Note: "for a wrong Key of a Reply", Rejects: true},
		rules.DDPShort:              {Act: rules.Terminates, Codes: codes{0x2003}, Note: "or reads the rest of the header from the next FPDU"},
		rules.DDPVersionTagged:      {Act: rules.AsRFC, Note: "without headers"},
		rules.DDPVersionUntagged:    {Act: rules.AsRFC, Note: "without headers"},
		rules.RDMAPVersion:          {Act: rules.AsRFC, Note: "without headers"},
		rules.OpcodeUnknown:         {Act: rules.AsRFC, Note: "without headers; for all of RFC 7306 too"},
		rules.OpcodeT:               {Act: rules.Otherwise, Note: "reads the header of the opcode, and fails in one way or another"},
		rules.QNUndefined:           {Act: rules.AsRFC, Note: "not checked for Read Requests", ReadsUnchecked: true},
		rules.QNOpcode:              {Act: rules.Terminates, Codes: codes{0x1201}, Note: "not checked for Read Requests", ReadsUnchecked: true},
		rules.SendMSN:               {Act: rules.AsRFC, Note: "1/2/02 before it if no buffer is posted"},
		rules.SendTooLong:           {Act: rules.Terminates, Codes: codes{0x1202}},
		rules.LMissing:              {Act: rules.Ignores, Note: "is not checked"},
		rules.ReceiveSGE:            {Act: rules.Terminates, Codes: codes{0x1000}, Note: "with the DDP header"},
		rules.AtomicResponseMSN:     {Act: rules.Terminates, Codes: codes{0x0206}, Note: "has no Atomics"},
		rules.ReadIRD:               {Act: rules.Terminates, Codes: codes{0x0207}},
		rules.ReadDisabled:          {Act: rules.Terminates, Codes: codes{0x0207}},
		rules.ReadLong:              {Act: rules.Resets, Note: "closes the connection without a Terminate"},
		rules.ReadShort:             {Act: rules.Resets, Note: "closes the connection without a Terminate"},
		rules.ReadMO:                {Act: rules.Ignores, Note: "is not checked"},
		rules.ReadAccess:            {Act: rules.Ignores, Note: "serves the Read: the right is not checked"},
		rules.ReadWrap:              {Act: rules.Terminates, Codes: codes{0x0101}},
		rules.WriteWrap:             {Act: rules.Terminates, Codes: codes{0x1101, 0x1000}, Note: "the latter if its own sum exceeds them"},
		rules.ResponseUnexpected:    {Act: rules.Terminates, Codes: codes{0x1000}},
		rules.ResponseSTag:          {Act: rules.AsRFC, Note: "checks the first segment only"},
		rules.ResponseBounds:        {Act: rules.AsRFC, Note: "checks the first segment only"},
		rules.InvalidateSTag:        {Act: rules.Ignores, Note: "is not checked"},
		rules.InvalidateAssociation: {Act: rules.AsRFC, Note: "with the R bit, but no RDMAP header"},
		rules.InvalidateAccess:      {Act: rules.Ignores, Note: "is not checked"},
		rules.InvalidateShared:      {Act: rules.Ignores, Note: "is not checked"},
		rules.InvalidateWindows:     {Act: rules.Ignores, Note: "is not checked"},
		rules.TerminateBad:          {Act: rules.Closes, Note: "drops it and closes"},
		rules.AtomicShort:           {Act: rules.Terminates, Codes: codes{0x0206}, Note: "has no Atomics"},
		rules.AtomicLong:            {Act: rules.Terminates, Codes: codes{0x0206}, Note: "has no Atomics"},
		rules.AtomicAlignment:       {Act: rules.Terminates, Codes: codes{0x0206}, Note: "has no Atomics"},
		rules.AtomicAOpCode:         {Act: rules.AsRFC, Note: "has no Atomics"},
		rules.AtomicTarget:          {Act: rules.Terminates, Codes: codes{0x0206}, Note: "has no Atomics"},
		rules.AtomicResponse:        {Act: rules.AsRFC, Note: "has no Atomics"},
		rules.ImmediateLength:       {Act: rules.Terminates, Codes: codes{0x0206}, Note: "has no Immediate Data"},
		rules.LocalError:            {Act: rules.Terminates, Codes: codes{0x00FF}},
		rules.QueueError:            {Act: rules.Resets, Note: "closes the connection without a Terminate"},
		rules.ReadSourceLost:        {Act: rules.Terminates, Codes: codes{0x0100, 0x0101, 0x0102, 0x0103}, Note: "offsets are not advanced"},
	},
		rules.FPDUCRC, rules.MPAIRD, rules.MPARTR, rules.MPALocal, rules.SendNoBuffer, rules.SendMO, rules.ReadMSN,
		rules.ReadSTag, rules.ReadBounds, rules.ReadAssociation, rules.WriteSTag, rules.WriteBounds,
		rules.WriteAssociation, rules.WriteAccess, rules.WriteContinuation,
	),
	Deviations: []rules.Deviation{
		{Why: "siw swaps bits in the first octets of a Terminate on little-endian machines",
			Rules: breaks{rules.RuleTerminateSwapped}},
		{Why: "siw encloses no headers for some errors, and announces an RDMA header that it does not enclose for others",
			Rules: breaks{rules.RuleTerminateHdrCt, rules.RuleTerminateNoRead, rules.RuleTerminateRDMAHeader}},
		{Why: "siw rebuilds the headers of a failed Read Request, with other values in MSN and MO",
			Rules: breaks{rules.RuleTerminateHeader, rules.RuleTerminateReadHeader}},
		{Why: "siw asks for large segments with a reserved bit of its MPA frames", Rules: breaks{rules.RuleMPAReserved}},
		{Why: "siw does not clear the PAD octets of an FPDU", Rules: breaks{rules.RuleFPDUPad}},
		{Why: "siw lets the Responder's upper layer send at once", Rules: breaks{rules.RuleResponderFirst}},
		{Why: "siw reads 0x3fff as a number of Read Requests", Rules: breaks{rules.RuleIRDEcho, rules.RuleORDEcho}},
		{Why: "siw writes the length of Private Data modulo 256, Enhanced word included, so 252 octets or more do not arrive",
			Remedy: "Keep Private Data below 252 octets.", Rules: breaks{rules.RuleEnhancedShort}},
	},
	Terminate: rules.Style{
		Swapped: true, PayloadLength: true, RebuildsRead: true, BlamesReceiver: true,
		Bare: codes{0x0205, 0x0206, 0x1104, 0x1206}, // what it finds in a header alone
	},
	MPAReserved: 8, // it requests large segments
}
