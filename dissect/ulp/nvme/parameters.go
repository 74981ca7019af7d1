package nvme

// Dwords 10 to 15 of a command: their layout per command, and which of them the name of a message shows.

import (
	"cmp"

	"github.com/iwarpkit/iwarp/codec/field"
)

// parametersLen is the length of Dwords 10 to 15 in octets. Offsets of their fields count from Dword 10.
const parametersLen = commandLen - parametersOff

// parameterTable describes Dwords 10 to 15 of some commands. The rest after fields is other parameters.
func parameterTable(header, source string, fields ...field.Field) *field.Table {
	end := 0
	if len(fields) > 0 {
		end = fields[len(fields)-1].End(0)
	}
	if end < parametersLen {
		fields = append(fields, opaque("nvme.cmd.parameters", "Other parameters", end, parametersLen-end))
	}
	return field.NewTable(header, proto, source, fields...)
}

// A form is the layout of the parameters of a command, with those that the name of its message shows.
type form struct {
	fields    *field.Table
	namespace bool // the Namespace Identifier is shown
	shown     []parameter
}

// A parameter is shown after its label.
type parameter struct {
	label string
	field *field.Field
	less  uint64 // by how much the number on the wire is too small
}

// Parameters that are read here, not only shown.
var (
	connectRECFMT = word("nvme.fabrics.cmd.connect.recfmt", "RECFMT", 0, field.Dec)
	connectQID    = word("nvme.fabrics.cmd.connect.qid", "QID", 2, field.Dec)
	connectSQSize = word("nvme.fabrics.cmd.connect.sqsize", "SQSIZE", 4, field.Dec)
	connectCATTR  = number("nvme.fabrics.cmd.connect.cattr", "CATTR", 6, 1, field.Hex)
	connectKATO   = number("nvme.fabrics.cmd.connect.kato", "KATO", 8, 4, field.Dec)

	propertyOffset = number("nvme.fabrics.cmd.prop_get_set.offset", "OFST", 4, 4, field.Hex).Of(&properties)
	propertyValue  = number("nvme.fabrics.cmd.prop_set.value", "VALUE", 8, 8, field.Hex)

	logPageNUMDL = word("nvme.cmd.get_logpage.dword10.numdl", "NUMDL", 2, field.Dec)
	logPageNUMDU = word("nvme.cmd.get_logpage.dword11.numdu", "NUMDU", 4, field.Dec)
	logPageLID   = number("nvme.cmd.get_logpage.dword10.id", "LID", 0, 1, field.Hex)
	identifyCNS  = number("nvme.cmd.identify.dword10.cns", "CNS", 0, 1, field.Hex)
	setFID       = number("nvme.cmd.set_features.dword10.fid", "FID", 0, 1, field.Hex)
	getFID       = number("nvme.cmd.get_features.dword10.fid", "FID", 0, 1, field.Hex)
	featuresRsvd = opaque("nvme.cmd.features.rsvd", "Save, Select and Reserved", 1, 3)
	featuresCDW  = number("nvme.cmd.dword11", "CDW11", 4, 4, field.Hex)
	abortSQID    = word("nvme.cmd.abort.sqid", "SQID", 0, field.Dec)
	abortCommand = word("nvme.cmd.abort.cid", "CID", 2, field.Hex).To(field.ToRun)

	blocksSLBA   = number("nvme.cmd.slba", "SLBA", 0, 8, field.Dec)
	blocksNLB    = word("nvme.cmd.nlb0", "NLB", 8, field.Dec) // Wireshark's nvme.cmd.nlb is one more
	datasetCount = number("nvme.cmd.dsm.nr", "NR", 0, 1, field.Dec)
)

// properties are those that controllers have over Fabrics, by offset.
var properties = field.Enum{Values: []field.Value{{0x00, "CAP"}, {0x08, "VS"}, {0x14, "CC"}, {0x1c, "CSTS"}, {0x20, "NSSR"}}}

// The tables of parameters.
var (
	connectFields = parameterTable("NVMe Connect parameters", fabricsSource, connectRECFMT, connectQID, connectSQSize,
		connectCATTR,
		opaque("nvme.fabrics.cmd.connect.rsvd2", "Reserved", 7, 1),
		connectKATO,
	)
	propertyFields = parameterTable("NVMe Property parameters", fabricsSource, // a Get has no VALUE
		number("nvme.fabrics.cmd.prop_get_set.attrib", "ATTRIB", 0, 1, field.Hex),
		opaque("nvme.fabrics.cmd.prop_get_set.rsvd1", "Reserved", 1, 3),
		propertyOffset, propertyValue,
	)
	logPageFields = parameterTable("NVMe Get Log Page parameters", baseSource+", Get Log Page command", logPageLID,
		field.Bits("nvme.cmd.get_logpage.dword10.rae", "RAE", 1, 0, 1, field.Dec),
		field.Bits("nvme.cmd.get_logpage.dword10.lsp", "LSP", 1, 1, 7, field.Hex),
		logPageNUMDL, logPageNUMDU,
		word("nvme.cmd.get_logpage.dword11.lsi", "Log Specific Identifier", 6, field.Dec),
		number("nvme.cmd.get_logpage.lpo", "LPO", 8, 8, field.Dec),
	)
	identifyFields = parameterTable("NVMe Identify parameters", baseSource+", Identify command", identifyCNS,
		opaque("nvme.cmd.identify.dword10.rsvd", "Reserved", 1, 1),
		word("nvme.cmd.identify.dword10.cntid", "CNTID", 2, field.Hex),
	)
	setFeaturesFields = parameterTable("NVMe Set Features parameters", baseSource+", Set Features command",
		setFID, featuresRsvd, featuresCDW)
	getFeaturesFields = parameterTable("NVMe Get Features parameters", baseSource+", Get Features command",
		getFID, featuresRsvd, featuresCDW)
	abortFields  = parameterTable("NVMe Abort parameters", baseSource+", Abort command", abortSQID, abortCommand)
	blocksFields = parameterTable("NVMe logical block parameters", commandSetSource, blocksSLBA, blocksNLB,
		word("nvme.cmd.control", "Control", 10, field.Hex),
	)
	datasetFields = parameterTable("NVMe Dataset Management parameters", commandSetSource, datasetCount,
		opaque("nvme.cmd.dsm.rsvd", "Reserved", 1, 3),
		number("nvme.cmd.dsm.attributes", "IDR, IDW and AD", 4, 4, field.Hex),
	)
	otherFields = parameterTable("NVMe parameters", baseSource+", Common Command Format")
)

// Tables is every field table of capsules.
var Tables = []*field.Table{
	adminCommand, ioCommand, fabricsCommand, keyedSGL, otherSGL, connectFields, propertyFields, logPageFields, identifyFields,
	setFeaturesFields, getFeaturesFields, abortFields, blocksFields, datasetFields, otherFields, completion,
}

var (
	other   = form{otherFields, false, nil}
	otherIO = form{otherFields, true, nil}

	// blocks is the form of the commands on a range of logical blocks.
	blocks = form{blocksFields, true, []parameter{{" slba=", &blocksSLBA, 0}, {" nlb=", &blocksNLB, 1}}}

	property = parameter{" ofst=", &propertyOffset, 0}
)

// fabricsForms are the forms of Fabrics commands, by FCTYPE. Those without one have other.
var fabricsForms = [256]*form{
	fcConnect:     {connectFields, false, []parameter{{" qid=", &connectQID, 0}, {" sqsize=", &connectSQSize, 1}}},
	fcPropertyGet: {propertyFields, false, []parameter{property}},
	fcPropertySet: {propertyFields, false, []parameter{property, {" value=", &propertyValue, 0}}},
}

// adminForms are the forms of Admin commands, by Opcode. Those without one have other.
var adminForms = [256]*form{
	0x02: {logPageFields, false, []parameter{{" lid=", &logPageLID, 0}}},
	0x06: {identifyFields, true, []parameter{{" cns=", &identifyCNS, 0}}},
	0x08: {abortFields, false, []parameter{{" sqid=", &abortSQID, 0}, {" aborted=", &abortCommand, 0}}},
	0x09: {setFeaturesFields, false, []parameter{{" fid=", &setFID, 0}, {" cdw11=", &featuresCDW, 0}}},
	0x0a: {getFeaturesFields, false, []parameter{{" fid=", &getFID, 0}, {" cdw11=", &featuresCDW, 0}}},
}

// ioForms are the forms of I/O commands, by Opcode. Those without one have otherIO.
var ioForms = [256]*form{
	0x01: &blocks, 0x02: &blocks, 0x04: &blocks, 0x05: &blocks, 0x08: &blocks, 0x0c: &blocks, 0x7d: &blocks,
	0x09: {datasetFields, true, []parameter{{" ranges=", &datasetCount, 1}}},
}

// form returns the form of a command.
func (c *Command) form() *form {
	switch {
	case c.Opcode == opFabrics:
		return cmp.Or(fabricsForms[c.FabricsType], &other)
	case c.QueueID == 0:
		return cmp.Or(adminForms[c.Opcode], &other)
	}
	return cmp.Or(ioForms[c.Opcode], &otherIO)
}
