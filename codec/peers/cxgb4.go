package peers

import "github.com/iwarpkit/iwarp/codec/rules"

func init() { addRNIC(&CXGB4, nil) }

// CXGB4 is cxgb4, the Linux driver for Chelsio's RNICs. It is known from its source, not from captures.
var CXGB4 = rules.Peer{
	Name:  "cxgb4",
	Title: "cxgb4, the Linux driver for Chelsio's RNICs",
	Answers: otherwiseAsRFC(rules.Answers{
		rules.DDPShort:              {Act: rules.Terminates, Codes: codes{0x1205}, Note: "not certain"},
		rules.OpcodeT:               {Act: rules.Terminates, Codes: codes{0x1000}},
		rules.QNOpcode:              {Act: rules.Terminates, Codes: codes{0x1201}},
		rules.LMissing:              {Act: rules.Ignores, Note: "is not checked"},
		rules.ReceiveSGE:            {Act: rules.Terminates, Codes: codes{0x0000, 0x1101}},
		rules.ReadIRD:               {Act: rules.Terminates, Codes: codes{0x1203}},
		rules.ReadDisabled:          {Act: rules.Terminates, Codes: codes{0x1203}},
		rules.ReadLong:              {Act: rules.AsRFC, Note: "not certain"},
		rules.ReadShort:             {Act: rules.Terminates, Codes: codes{0x1205}, Note: "not certain"},
		rules.WriteSTag:             {Act: rules.Terminates, Codes: codes{0x0100}},
		rules.WriteAssociation:      {Act: rules.Terminates, Codes: codes{0x0103}},
		rules.WriteAccess:           {Act: rules.Terminates, Codes: codes{0x0102}},
		rules.WriteWrap:             {Act: rules.Terminates, Codes: codes{0x0104}},
		rules.WriteContinuation:     {Act: rules.Ignores, Note: "is not checked"},
		rules.InvalidateAssociation: {Act: rules.Terminates, Codes: codes{0x0109, 0x0103}},
		rules.InvalidateAccess:      {Act: rules.Terminates, Codes: codes{0x0102}},
		rules.TerminateBad:          {Act: rules.Closes, Note: "closes"},
		rules.QueueError:            {Act: rules.Terminates, Codes: codes{0x0000}, Note: "not certain"},
		rules.RNICError:             {Act: rules.Terminates, Codes: codes{0x0000}},
	},
		rules.FPDUCRC, rules.FPDUMarker, rules.DDPVersionTagged, rules.DDPVersionUntagged, rules.RDMAPVersion,
		rules.OpcodeUnknown, rules.QNUndefined, rules.SendNoBuffer, rules.SendMSN, rules.SendMO, rules.SendTooLong,
		rules.ReadMSN, rules.ReadMO, rules.ReadSTag, rules.ReadBounds, rules.ReadAccess, rules.ReadAssociation,
		rules.ReadWrap, rules.WriteBounds, rules.InvalidateSTag, rules.InvalidateShared, rules.InvalidateWindows,
		rules.LocalError,
	),
	Deviations: []rules.Deviation{
		{Why: "cxgb4 sends Terminates without headers", Rules: breaks{rules.RuleTerminateHdrCt}},
		{Why: "cxgb4 uses codes of RDMAP for the STag of a Write", Rules: breaks{rules.RuleTerminateProtection}},
	},
	Remarks: []rules.Remark{
		{About: about{"Private Data"}, Notes: []string{"drivers of the cxgb family take 256 octets at most"}},
		{About: about{"cxgb4"}, Notes: []string{"sends Terminates of 4 octets, without headers",
			"sends 0/1/00 for a Write with an invalid STag, 0/1/03 for one of another Protection Domain",
			"sends 1/2/03 for Read Requests beyond IRD"}},
		{About: about{"HdrCt"}, Notes: []string{"sets none"}},
		{About: about{"access rights"}, Notes: []string{"answers a Write without right with 0/1/02"}},
		{About: about{"Terminate"}, Notes: []string{"never encloses headers"}},
	},
}
