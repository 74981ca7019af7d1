package iser

// The tables of the iSCSI PDUs: RFC 7143, sections 11.3 to 11.19.

import "github.com/iwarpkit/iwarp/codec/field"

// SCSICommandFields describes a SCSI Command.
var SCSICommandFields = bhs("SCSI Command", "3", []field.Field{
	flag("iscsi.F", "F", 8), flag("iscsi.scsicommand.R", "R", 9), flag("iscsi.scsicommand.W", "W", 10),
	bits("iscsi.rsvd0", "Reserved", 1, 3, 2, field.Hex), bits("iscsi.scsicommand.attr", "ATTR", 1, 5, 3, field.Dec),
	opaque("iscsi.rsvd1", "Reserved", 2, 2),
}, lunOctets(), requestRest(expectedLength, cdb))

var (
	expectedLength = number("iscsi.scsicommand.expecteddatatransferlength", "Expected Data Transfer Length",
		20, 4, field.Dec)
	cdb = opaque("iscsi.scsicommand.cdb", "SCSI CDB", 32, 16)
	lun = number("iscsi.lun", "LUN", 8, 8, field.Hex)
)

// SCSIResponseFields describes a SCSI Response.
var SCSIResponseFields = bhs("SCSI Response", "4", finalFlags(scsiResponse, scsiStatus), reservedLUN(), responseRest(
	number("iscsi.snacktag", "SNACK Tag", 20, 4, field.Hex),
	number("iscsi.expdatasn", "ExpDataSN", 36, 4, field.Dec),
	number("iscsi.scsiresponse.bidireadresidualcount", "Bidirectional Read Residual Count", 40, 4, field.Dec),
	number("iscsi.scsiresponse.residualcount", "Residual Count", 44, 4, field.Dec),
))

var (
	scsiResponse = number("iscsi.scsiresponse.response", "Response", 2, 1, field.Hex)
	scsiStatus   = code("iscsi.scsiresponse.status", "Status", 3, 0, 8, statusNames)
)

// TaskRequestFields describes a Task Management Function Request.
var TaskRequestFields = bhs("Task Management Function Request", "5", []field.Field{
	flag("iscsi.F", "F", 8), taskFunction, opaque("iscsi.rsvd1", "Reserved", 2, 2),
}, lunOctets(), requestRest(
	number("iscsi.taskmanfun.referencedtasktag", "Referenced Task Tag", 20, 4, field.Hex),
	number("iscsi.refcmdsn", "RefCmdSN", 32, 4, field.Dec),
	number("iscsi.expdatasn", "ExpDataSN", 36, 4, field.Dec),
	reservedFrom(40),
))

var taskFunction = code("iscsi.taskmanfun.function", "Function", 1, 1, 7, taskFunctions)

// TaskResponseFields describes a Task Management Function Response.
var TaskResponseFields = bhs("Task Management Function Response", "6",
	finalFlags(taskResponse, opaque("iscsi.rsvd1", "Reserved", 3, 1)),
	reservedLUN(), responseRest(reservedWord(), reservedFrom(36)),
)

var taskResponse = code("iscsi.taskmanfun.response", "Response", 2, 0, 8, taskResponses)

// DataOutFields describes a SCSI Data-Out.
var DataOutFields = bhs("SCSI Data-Out", "7", finalFlags(), lunOctets(), []field.Field{
	targetTag(), opaque("iscsi.rsvd3", "Reserved", 24, 4), number("iscsi.expstatsn", "ExpStatSN", 28, 4, field.Dec),
	opaque("iscsi.rsvd5", "Reserved", 32, 4), number("iscsi.datasn", "DataSN", 36, 4, field.Dec),
	number("iscsi.bufferOffset", "Buffer Offset", 40, 4, field.Dec), reservedFrom(44),
})

// DataInFields describes a SCSI Data-In. iSER sends none.
var DataInFields = bhs("SCSI Data-In", "7", finalFlags(opaque("iscsi.rsvd1", "Reserved", 2, 1), scsiStatus),
	lunOctets(), responseRest(targetTag(),
		number("iscsi.datasn", "DataSN", 36, 4, field.Dec),
		number("iscsi.bufferOffset", "Buffer Offset", 40, 4, field.Dec),
		number("iscsi.scsidata.readresidualcount", "Residual Count", 44, 4, field.Dec),
	),
)

// R2TFields describes a Ready To Transfer. iSER sends none.
var R2TFields = bhs("R2T", "8", finalFlags(), lunOctets(), responseRest(targetTag(),
	number("iscsi.r2tsn", "R2TSN", 36, 4, field.Dec),
	number("iscsi.bufferOffset", "Buffer Offset", 40, 4, field.Dec),
	number("iscsi.desireddatalength", "Desired Data Transfer Length", 44, 4, field.Dec),
))

// AsyncFields describes an Asynchronous Message.
var AsyncFields = bhs("Asynchronous Message", "9", finalFlags(), lunOctets(), responseRest(reservedWord(),
	asyncEvent,
	number("iscsi.eventvendorcode", "AsyncVCode", 37, 1, field.Hex),
	number("iscsi.parameter1", "Parameter1", 38, 2, field.Dec), number("iscsi.parameter2", "Parameter2", 40, 2, field.Dec),
	number("iscsi.parameter3", "Parameter3", 42, 2, field.Dec), reservedFrom(44),
))

var asyncEvent = code("iscsi.asyncevent", "AsyncEvent", 36, 0, 8, asyncEvents)

// TextRequestFields describes a Text Request.
var TextRequestFields = bhs("Text Request", "10", finalFlags(),
	lunOctets(), requestRest(targetTag(), reservedFrom(32)),
)

// TextResponseFields describes a Text Response.
var TextResponseFields = bhs("Text Response", "11", finalFlags(),
	lunOctets(), responseRest(targetTag(), reservedFrom(36)),
)

// sessionFields are octets 8 to 15 of the PDUs of the login phase.
func sessionFields() []field.Field {
	return []field.Field{opaque("iscsi.isid", "ISID", 8, 6), number("iscsi.tsih", "TSIH", 14, 2, field.Hex)}
}

// loginFlags are octet 1 of the PDUs of the login phase.
func loginFlags(rest ...field.Field) []field.Field {
	return append([]field.Field{
		flag("iscsi.login.T", "T", 8), flag("iscsi.login.C", "C", 9), bits("iscsi.rsvd0", "Reserved", 1, 2, 2, field.Hex),
		currentStage, nextStage,
	}, rest...)
}

var (
	currentStage = code("iscsi.login.csg", "CSG", 1, 4, 2, stages)
	nextStage    = code("iscsi.login.nsg", "NSG", 1, 6, 2, stages)
)

// connectionRest are the fields of a request to log in or out from octet 20 on: CID, CmdSN, ExpStatSN, and the rest.
func connectionRest() []field.Field {
	return []field.Field{
		number("iscsi.cid", "CID", 20, 2, field.Hex), opaque("iscsi.rsvd3", "Reserved", 22, 2),
		number("iscsi.cmdsn", "CmdSN", 24, 4, field.Dec), number("iscsi.expstatsn", "ExpStatSN", 28, 4, field.Dec),
		reservedFrom(32),
	}
}

// LoginRequestFields describes a Login Request.
var LoginRequestFields = bhs("Login Request", "12", loginFlags(
	number("iscsi.versionmax", "Version-max", 2, 1, field.Hex),
	number("iscsi.versionmin", "Version-min", 3, 1, field.Hex),
), sessionFields(), connectionRest())

// LoginResponseFields describes a Login Response.
var LoginResponseFields = bhs("Login Response", "13", loginFlags(
	number("iscsi.versionmax", "Version-max", 2, 1, field.Hex),
	number("iscsi.versionactive", "Version-active", 3, 1, field.Hex),
), sessionFields(), responseRest(reservedWord(), loginStatus, reservedFrom(38)))

var loginStatus = code("iscsi.login.status", "Status-Class and Status-Detail", 36, 0, 16, loginStatuses)

// LogoutRequestFields describes a Logout Request.
var LogoutRequestFields = bhs("Logout Request", "14", []field.Field{
	flag("iscsi.F", "F", 8), logoutReason, opaque("iscsi.rsvd1", "Reserved", 2, 2),
}, reservedLUN(), connectionRest())

var logoutReason = code("iscsi.logout.reason", "Reason Code", 1, 1, 7, logoutReasons)

// LogoutResponseFields describes a Logout Response.
var LogoutResponseFields = bhs("Logout Response", "15",
	finalFlags(logoutResponse, opaque("iscsi.rsvd1", "Reserved", 3, 1)),
	reservedLUN(), responseRest(reservedWord(), opaque("iscsi.rsvd5", "Reserved", 36, 4),
		number("iscsi.time2wait", "Time2Wait", 40, 2, field.Dec),
		number("iscsi.time2retain", "Time2Retain", 42, 2, field.Dec),
		reservedFrom(44),
	),
)

var logoutResponse = code("iscsi.logout.response", "Response", 2, 0, 8, logoutResponses)

// SNACKFields describes a SNACK Request. iSER sends none.
var SNACKFields = bhs("SNACK Request", "16", finalFlags(), lunOctets(), []field.Field{
	targetTag(), opaque("iscsi.rsvd5", "Reserved", 24, 4), number("iscsi.expstatsn", "ExpStatSN", 28, 4, field.Dec),
	opaque("iscsi.rsvd6", "Reserved", 32, 8), number("iscsi.snack.begrun", "BegRun", 40, 4, field.Dec),
	number("iscsi.snack.runlength", "RunLength", 44, 4, field.Dec),
})

// RejectFields describes a Reject. The header of the PDU that was rejected is its data.
var RejectFields = bhs("Reject", "17",
	finalFlags(rejectReason, opaque("iscsi.rsvd1", "Reserved", 3, 1)),
	reservedLUN(), responseRest(reservedWord(),
		number("iscsi.datasn", "DataSN/R2TSN", 36, 4, field.Dec), reservedFrom(40),
	),
)

var rejectReason = code("iscsi.reject.reason", "Reason", 2, 0, 8, rejectReasons)

// NOPOutFields describes a NOP-Out.
var NOPOutFields = bhs("NOP-Out", "18", finalFlags(), lunOctets(), requestRest(targetTag(), reservedFrom(32)))

// NOPInFields describes a NOP-In.
var NOPInFields = bhs("NOP-In", "19", finalFlags(), lunOctets(), responseRest(targetTag(), reservedFrom(36)))

// ttt is the Target Transfer Tag of the PDUs that have one.
var ttt = targetTag()

// Tables is every field table of this package.
var Tables = []*field.Table{
	HeaderFields, FormerHeaderFields, HelloFields, HelloReplyFields,
	SCSICommandFields, SCSIResponseFields, TaskRequestFields, TaskResponseFields, DataOutFields, DataInFields, R2TFields,
	AsyncFields, TextRequestFields, TextResponseFields, LoginRequestFields, LoginResponseFields, LogoutRequestFields,
	LogoutResponseFields, SNACKFields, RejectFields, NOPOutFields, NOPInFields,
}
