package peers

import "github.com/iwarpkit/iwarp/codec/rules"

func init() { addRNIC(&IRDMA, nil) }

// IRDMA is irdma, the Linux driver for Intel's RNICs, and i40iw and nes before it. They are known from their source,
// not from captures.
var IRDMA = rules.Peer{
	Name:  "irdma",
	Title: "irdma, the Linux driver for Intel's RNICs",
	Answers: otherwiseAsRFC(rules.Answers{
		rules.FPDUMarker:            {Act: rules.Ignores, Note: "is not checked"},
		rules.DDPShort:              {Act: rules.AsRFC, Note: "with the segment length"},
		rules.OpcodeUnknown:         {Act: rules.Terminates, Codes: codes{0x02FF}, Note: "i40iw and nes as the RFCs"},
		rules.OpcodeT:               {Act: rules.Terminates, Codes: codes{0x02FF}, Note: "not certain"},
		rules.QNOpcode:              {Act: rules.Terminates, Codes: codes{0x1201}},
		rules.SendMSN:               {Act: rules.Terminates, Codes: codes{0x1203, 0x02FF}, Note: "the latter for other than gaps"},
		rules.LMissing:              {Act: rules.Terminates, Codes: codes{0x1000}},
		rules.ReceiveSGE:            {Act: rules.Otherwise, Note: "by event, some code of 0/1, 0/2 or 1/1"},
		rules.ReadIRD:               {Act: rules.Terminates, Codes: codes{0x02FF}},
		rules.ReadDisabled:          {Act: rules.Terminates, Codes: codes{0x02FF}},
		rules.ReadLong:              {Act: rules.Terminates, Codes: codes{0x02FF, 0x1205}, Note: "not certain"},
		rules.ReadShort:             {Act: rules.Terminates, Codes: codes{0x02FF, 0x1000}, Note: "not certain"},
		rules.ReadSTag:              {Act: rules.Terminates, Codes: codes{0x0100, 0x0200}, Note: "the latter for a wrong key or index"},
		rules.ReadBounds:            {Act: rules.Terminates, Codes: codes{0x1101, 0x0101}, Note: "the former if the frame was captured"},
		rules.ReadAssociation:       {Act: rules.Terminates, Codes: codes{0x0103, 0x1201}, Note: "the latter for another QP's Memory Window"},
		rules.WriteSTag:             {Act: rules.Terminates, Codes: codes{0x1100, 0x0100, 0x0200}},
		rules.WriteBounds:           {Act: rules.Terminates, Codes: codes{0x1101, 0x0101}, Note: "the latter if the frame was not captured"},
		rules.WriteAssociation:      {Act: rules.Terminates, Codes: codes{0x1102, 0x1201}, Note: "the latter for another QP's Memory Window"},
		rules.WriteAccess:           {Act: rules.Terminates, Codes: codes{0x0102}},
		rules.WriteWrap:             {Act: rules.Terminates, Codes: codes{0x0104}},
		rules.WriteContinuation:     {Act: rules.Ignores, Note: "is not checked"},
		rules.ResponseUnexpected:    {Act: rules.Terminates, Codes: codes{0x02FF}, Note: "not certain"},
		rules.InvalidateSTag:        {Act: rules.Terminates, Codes: codes{0x0209, 0x0100}},
		rules.InvalidateAssociation: {Act: rules.Terminates, Codes: codes{0x0109, 0x1201}, Note: "the latter for another QP's Memory Window"},
		rules.InvalidateAccess:      {Act: rules.Terminates, Codes: codes{0x0102}},
		rules.InvalidateShared:      {Act: rules.Terminates, Codes: codes{0x02FF}},
		rules.InvalidateWindows:     {Act: rules.Terminates, Codes: codes{0x02FF}},
		rules.TerminateBad:          {Act: rules.Terminates, Codes: codes{0x1000, 0x1206, 0x1201, 0x1203, 0x1204, 0x0205}, Note: "answers it"},
		rules.AtomicLong:            {Act: rules.Terminates, Codes: codes{0x02FF, 0x1205}, Note: "not certain"},
		rules.AtomicAlignment:       {Act: rules.Terminates, Codes: codes{0x02FF}},
		rules.AtomicAOpCode:         {Act: rules.Terminates, Codes: codes{0x02FF}},
		rules.AtomicTarget:          {Act: rules.Terminates, Codes: codes{0x02FF}},
		rules.AtomicResponse:        {Act: rules.Terminates, Codes: codes{0x02FF}},
		rules.LocalError:            {Act: rules.Terminates, Codes: codes{0x1000, 0x02FF}, Note: "the former for a catastrophe of the QP"},
	},
		rules.FPDUCRC, rules.DDPVersionTagged, rules.DDPVersionUntagged, rules.RDMAPVersion, rules.QNUndefined,
		rules.SendNoBuffer, rules.SendMO, rules.SendTooLong, rules.ReadMSN, rules.ReadMO, rules.ReadAccess, rules.ReadWrap,
		rules.AtomicShort, rules.ImmediateLength,
	),
	Deviations: []rules.Deviation{
		{Why: "irdma encloses what it captured of the segment, whatever the error",
			Rules: breaks{rules.RuleTerminateHdrCt, rules.RuleTerminateRDMAHeader}},
		{Why: "irdma uses codes of RDMAP for the STag of a Write",
			Rules: breaks{rules.RuleTerminateProtection, rules.RuleTerminateCode}},
		{Why: "irdma answers a malformed Terminate with one of its own", Rules: breaks{rules.RuleTerminateAgain}},
	},
}
