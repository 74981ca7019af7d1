package nvme

// Dwords 10 to 15 of a command: how they are laid out, by what command it is, and which of them a message's name shows.

import "github.com/iwarpkit/iwarp/codec/field"

// parametersLen is the length of Dwords 10 to 15 in octets. Offsets of their fields count from Dword 10.
const parametersLen = commandLen - parametersOff

// parameterTable describes Dwords 10 to 15 of some commands. What fields leave over is other parameters.
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

// Parameters of Fabrics commands.
var (
	connectRECFMT = word("nvme.fabrics.cmd.connect.recfmt", "RECFMT", 0, field.Dec)
	connectQID    = word("nvme.fabrics.cmd.connect.qid", "QID", 2, field.Dec)
	connectSQSize = word("nvme.fabrics.cmd.connect.sqsize", "SQSIZE", 4, field.Dec)

	propertyOffset = number("nvme.fabrics.cmd.prop_get_set.offset", "OFST", 4, 4, field.Hex).Of(&properties)
	propertyValue  = number("nvme.fabrics.cmd.prop_set.value", "VALUE", 8, 8, field.Hex)
)

// ConnectFields describes the parameters of a Connect command.
var ConnectFields = parameterTable("NVMe Connect parameters", fabricsSource, connectRECFMT, connectQID, connectSQSize,
	number("nvme.fabrics.cmd.connect.cattr", "CATTR", 6, 1, field.Hex),
	opaque("nvme.fabrics.cmd.connect.rsvd2", "Reserved", 7, 1),
	number("nvme.fabrics.cmd.connect.kato", "KATO", 8, 4, field.Dec),
)

// PropertyFields describes the parameters of Property Get and Property Set commands. A Get has no VALUE.
var PropertyFields = parameterTable("NVMe Property parameters", fabricsSource,
	number("nvme.fabrics.cmd.prop_get_set.attrib", "ATTRIB", 0, 1, field.Hex),
	opaque("nvme.fabrics.cmd.prop_get_set.rsvd1", "Reserved", 1, 3),
	propertyOffset, propertyValue,
)

// properties are those that controllers have over Fabrics, by offset.
var properties = field.Enum{Values: []field.Value{{0x00, "CAP"}, {0x08, "VS"}, {0x14, "CC"}, {0x1c, "CSTS"}, {0x20, "NSSR"}}}

// Parameters of Admin commands.
var (
	logPageLID   = number("nvme.cmd.get_logpage.dword10.id", "LID", 0, 1, field.Hex)
	identifyCNS  = number("nvme.cmd.identify.dword10.cns", "CNS", 0, 1, field.Hex)
	setFID       = number("nvme.cmd.set_features.dword10.fid", "FID", 0, 1, field.Hex)
	getFID       = number("nvme.cmd.get_features.dword10.fid", "FID", 0, 1, field.Hex)
	featuresCDW  = number("nvme.cmd.dword11", "CDW11", 4, 4, field.Hex)
	abortSQID    = word("nvme.cmd.abort.sqid", "SQID", 0, field.Dec)
	abortCommand = word("nvme.cmd.abort.cid", "CID", 2, field.Hex)
)

// LogPageFields describes the parameters of a Get Log Page command.
var LogPageFields = parameterTable("NVMe Get Log Page parameters", baseSource+", Get Log Page command", logPageLID,
	field.Bits("nvme.cmd.get_logpage.dword10.rae", "RAE", 1, 0, 1, field.Dec),
	field.Bits("nvme.cmd.get_logpage.dword10.lsp", "LSP", 1, 1, 7, field.Hex),
	word("nvme.cmd.get_logpage.dword10.numdl", "NUMDL", 2, field.Dec),
	word("nvme.cmd.get_logpage.dword11.numdu", "NUMDU", 4, field.Dec),
	word("nvme.cmd.get_logpage.dword11.lsi", "Log Specific Identifier", 6, field.Dec),
	number("nvme.cmd.get_logpage.lpo", "LPO", 8, 8, field.Dec),
)

// IdentifyFields describes the parameters of an Identify command.
var IdentifyFields = parameterTable("NVMe Identify parameters", baseSource+", Identify command", identifyCNS,
	opaque("nvme.cmd.identify.dword10.rsvd", "Reserved", 1, 1),
	word("nvme.cmd.identify.dword10.cntid", "CNTID", 2, field.Hex),
)

// SetFeaturesFields and GetFeaturesFields describe the parameters of Set Features and Get Features commands.
var (
	SetFeaturesFields = parameterTable("NVMe Set Features parameters", baseSource+", Set Features command",
		setFID, opaque("nvme.cmd.features.rsvd", "Save, Select and Reserved", 1, 3), featuresCDW,
	)
	GetFeaturesFields = parameterTable("NVMe Get Features parameters", baseSource+", Get Features command",
		getFID, opaque("nvme.cmd.features.rsvd", "Save, Select and Reserved", 1, 3), featuresCDW,
	)
)

// AbortFields describes the parameters of an Abort command.
var AbortFields = parameterTable("NVMe Abort parameters", baseSource+", Abort command", abortSQID, abortCommand)

// Parameters of I/O commands.
var (
	blocksSLBA   = number("nvme.cmd.slba", "SLBA", 0, 8, field.Dec)
	blocksNLB    = word("nvme.cmd.nlb0", "NLB", 8, field.Dec) // Wireshark's nvme.cmd.nlb is one more
	datasetCount = number("nvme.cmd.dsm.nr", "NR", 0, 1, field.Dec)
)

// BlocksFields describes the parameters of commands on a range of logical blocks: Read, Write and their like.
var BlocksFields = parameterTable("NVMe logical block parameters", commandSetSource, blocksSLBA, blocksNLB,
	word("nvme.cmd.control", "Control", 10, field.Hex),
)

// DatasetFields describes the parameters of a Dataset Management command.
var DatasetFields = parameterTable("NVMe Dataset Management parameters", commandSetSource, datasetCount,
	opaque("nvme.cmd.dsm.rsvd", "Reserved", 1, 3),
	number("nvme.cmd.dsm.attributes", "IDR, IDW and AD", 4, 4, field.Hex),
)

// ParameterFields describes the parameters of all other commands.
var ParameterFields = parameterTable("NVMe parameters", baseSource+", Common Command Format")

// Tables is every field table of capsules.
var Tables = []*field.Table{
	AdminCommandFields, IOCommandFields, FabricsFields,
	KeyedSGLFields, SGLFields, ConnectFields, PropertyFields, LogPageFields, IdentifyFields, SetFeaturesFields,
	GetFeaturesFields, AbortFields, BlocksFields, DatasetFields, ParameterFields, ResponseFields,
}

// A form is how the parameters of a command are laid out, and what the name of its message shows.
type form struct {
	fields    *field.Table
	namespace bool // the Namespace Identifier is shown
	shown     []parameter
}

// A parameter is shown behind its label.
type parameter struct {
	label string
	field *field.Field
	less  uint64 // by how much the number on the wire is too small
}

var (
	property = parameter{" ofst=", &propertyOffset, 0}

	connectForm     = form{ConnectFields, false, []parameter{{" qid=", &connectQID, 0}, {" sqsize=", &connectSQSize, 1}}}
	propertyGetForm = form{PropertyFields, false, []parameter{property}}
	propertySetForm = form{PropertyFields, false, []parameter{property, {" value=", &propertyValue, 0}}}
	logPageForm     = form{LogPageFields, false, []parameter{{" lid=", &logPageLID, 0}}}
	identifyForm    = form{IdentifyFields, true, []parameter{{" cns=", &identifyCNS, 0}}}
	setFeaturesForm = form{SetFeaturesFields, false, []parameter{{" fid=", &setFID, 0}, {" cdw11=", &featuresCDW, 0}}}
	getFeaturesForm = form{GetFeaturesFields, false, []parameter{{" fid=", &getFID, 0}, {" cdw11=", &featuresCDW, 0}}}
	abortForm       = form{AbortFields, false, []parameter{{" sqid=", &abortSQID, 0}, {" aborted=", &abortCommand, 0}}}
	blocksForm      = form{BlocksFields, true, []parameter{{" slba=", &blocksSLBA, 0}, {" nlb=", &blocksNLB, 1}}}
	datasetForm     = form{DatasetFields, true, []parameter{{" ranges=", &datasetCount, 1}}}
	otherForm       = form{ParameterFields, false, nil}
	otherIOForm     = form{ParameterFields, true, nil}
)

// form finds the form of a command.
func (c *Command) form() *form {
	switch {
	case c.Opcode == opFabrics:
		return fabricsForm(c.FabricsType)
	case c.QueueID == 0:
		return adminForm(c.Opcode)
	}
	return ioForm(c.Opcode)
}

func fabricsForm(fctype uint8) *form {
	switch fctype {
	case fcConnect:
		return &connectForm
	case fcPropertyGet:
		return &propertyGetForm
	case fcPropertySet:
		return &propertySetForm
	}
	return &otherForm
}

func adminForm(opcode uint8) *form {
	switch opcode {
	case 0x02:
		return &logPageForm
	case 0x06:
		return &identifyForm
	case 0x08:
		return &abortForm
	case 0x09:
		return &setFeaturesForm
	case 0x0a:
		return &getFeaturesForm
	}
	return &otherForm
}

func ioForm(opcode uint8) *form {
	switch opcode {
	case 0x01, 0x02, 0x04, 0x05, 0x08, 0x0c, 0x7d:
		return &blocksForm
	case 0x09:
		return &datasetForm
	}
	return &otherIOForm
}
