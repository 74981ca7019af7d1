package peers

import "github.com/iwarpkit/iwarp/codec/rules"

func init() { addRNIC(&CXGB4, nil) }

// CXGB4 is cxgb4, the Linux driver for Chelsio's RNICs. It is known from its source, not from captures.
var CXGB4 = rules.Peer{
	Name:  "cxgb4",
	Title: "cxgb4, the Linux driver for Chelsio's RNICs",
	Answers: rules.Answers{
		rules.FPDUCRC:               {Act: rules.AsRFC},
		rules.FPDUMarker:            {Act: rules.AsRFC},
		rules.DDPShort:              {Act: rules.Terminates, Codes: codes{0x1205}, Note: "not certain"},
		rules.DDPVersionTagged:      {Act: rules.AsRFC},
		rules.DDPVersionUntagged:    {Act: rules.AsRFC},
		rules.RDMAPVersion:          {Act: rules.AsRFC},
		rules.OpcodeUnknown:         {Act: rules.AsRFC},
		rules.OpcodeT:               {Act: rules.Terminates, Codes: codes{0x1000}},
		rules.QNUndefined:           {Act: rules.AsRFC},
		rules.QNOpcode:              {Act: rules.Terminates, Codes: codes{0x1201}},
		rules.SendNoBuffer:          {Act: rules.AsRFC},
		rules.SendMSN:               {Act: rules.AsRFC},
		rules.SendMO:                {Act: rules.AsRFC},
		rules.SendTooLong:           {Act: rules.AsRFC},
		rules.LMissing:              {Act: rules.Ignores, Note: "is not checked"},
		rules.ReceiveSGE:            {Act: rules.Terminates, Codes: codes{0x0000, 0x1101}},
		rules.ReadMSN:               {Act: rules.AsRFC},
		rules.ReadIRD:               {Act: rules.Terminates, Codes: codes{0x1203}},
		rules.ReadDisabled:          {Act: rules.Terminates, Codes: codes{0x1203}},
		rules.ReadLong:              {Act: rules.AsRFC, Note: "not certain"},
		rules.ReadShort:             {Act: rules.Terminates, Codes: codes{0x1205}, Note: "not certain"},
		rules.ReadMO:                {Act: rules.AsRFC},
		rules.ReadSTag:              {Act: rules.AsRFC},
		rules.ReadBounds:            {Act: rules.AsRFC},
		rules.ReadAccess:            {Act: rules.AsRFC},
		rules.ReadAssociation:       {Act: rules.AsRFC},
		rules.ReadWrap:              {Act: rules.AsRFC},
		rules.WriteSTag:             {Act: rules.Terminates, Codes: codes{0x0100}},
		rules.WriteBounds:           {Act: rules.AsRFC},
		rules.WriteAssociation:      {Act: rules.Terminates, Codes: codes{0x0103}},
		rules.WriteAccess:           {Act: rules.Terminates, Codes: codes{0x0102}},
		rules.WriteWrap:             {Act: rules.Terminates, Codes: codes{0x0104}},
		rules.WriteContinuation:     {Act: rules.Ignores, Note: "is not checked"},
		rules.InvalidateSTag:        {Act: rules.AsRFC},
		rules.InvalidateAssociation: {Act: rules.Terminates, Codes: codes{0x0109, 0x0103}},
		rules.InvalidateAccess:      {Act: rules.Terminates, Codes: codes{0x0102}},
		rules.InvalidateShared:      {Act: rules.AsRFC},
		rules.InvalidateWindows:     {Act: rules.AsRFC},
		rules.TerminateBad:          {Act: rules.Closes, Note: "closes"},
		rules.LocalError:            {Act: rules.AsRFC},
		rules.QueueError:            {Act: rules.Terminates, Codes: codes{0x0000}, Note: "not certain"},
		rules.RNICError:             {Act: rules.Terminates, Codes: codes{0x0000}},
	},
	Habits: []rules.Habit{
		{Why: "cxgb4 sends Terminates without headers", Rules: breaks{rules.RuleTerminateHdrCt}},
		{Why: "cxgb4 uses codes of RDMAP for the STag of a Write", Rules: breaks{rules.RuleTerminateProtection}},
	},
}
