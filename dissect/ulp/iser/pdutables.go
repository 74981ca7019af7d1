package iser

// The tables of the iSCSI PDUs: RFC 7143, sections 11.3 to 11.19.

import "github.com/iwarpkit/iwarp/codec/field"

// The fields that are read here, not only shown.
var (
	lun            = number("iscsi.lun", "LUN", 8, 8, field.Hex)
	ttt            = targetTag()
	expectedLength = number("iscsi.scsicommand.expecteddatatransferlength", "Expected Data Transfer Length", 20, 4, field.Dec)
	cdb            = opaque("iscsi.scsicommand.cdb", "SCSI CDB", 32, 16)
	scsiResponse   = number("iscsi.scsiresponse.response", "Response", 2, 1, field.Hex)
	scsiStatus     = code("iscsi.scsiresponse.status", "Status", 3, 0, 8, statusNames)
	residualCount  = number("iscsi.scsiresponse.residualcount", "Residual Count", 44, 4, field.Dec)
	taskFunction   = code("iscsi.taskmanfun.function", "Function", 1, 1, 7, taskFunctions)
	taskResponse   = code("iscsi.taskmanfun.response", "Response", 2, 0, 8, taskResponses)
	asyncEvent     = code("iscsi.asyncevent", "AsyncEvent", 36, 0, 8, asyncEvents)
	currentStage   = code("iscsi.login.csg", "CSG", 1, 4, 2, stages)
	nextStage      = code("iscsi.login.nsg", "NSG", 1, 6, 2, stages)
	loginStatus    = code("iscsi.login.status", "Status-Class and Status-Detail", 36, 0, 16, loginStatuses)
	logoutReason   = code("iscsi.logout.reason", "Reason Code", 1, 1, 7, logoutReasons)
	logoutResponse = code("iscsi.logout.response", "Response", 2, 0, 8, logoutResponses)
	rejectReason   = code("iscsi.reject.reason", "Reason", 2, 0, 8, rejectReasons)
)

// sessionFields are octets 8 to 15 of the PDUs of the login phase.
func sessionFields() []field.Field {
	return []field.Field{opaque("iscsi.isid", "ISID", 8, 6), number("iscsi.tsih", "TSIH", 14, 2, field.Hex).To(field.ToRun)}
}

// loginFlags are octet 1 of the PDUs of the login phase.
func loginFlags(rest ...field.Field) []field.Field {
	return append([]field.Field{
		flag("iscsi.login.T", "T", 8), flag("iscsi.login.C", "C", 9), bits("iscsi.rsvd0", "Reserved", 1, 2, 2, field.Hex),
		currentStage, nextStage,
	}, rest...)
}

// connectionRest are the fields of a request to log in or out from octet 20 on: CID, CmdSN, ExpStatSN, and the rest.
func connectionRest() []field.Field {
	return []field.Field{
		number("iscsi.cid", "CID", 20, 2, field.Hex), opaque("iscsi.rsvd3", "Reserved", 22, 2),
		number("iscsi.cmdsn", "CmdSN", 24, 4, field.Dec).To(field.ToRun), number("iscsi.expstatsn", "ExpStatSN", 28, 4, field.Dec).To(field.ToRun),
		reservedFrom(32),
	}
}

// pdus are the tables of the PDUs, in the order of their sections. iSER sends no SCSI Data-In, R2T and SNACK Request.
var pdus = []pdu{
	bhs(OpSCSICommand, "3", []field.Field{
		flag("iscsi.F", "F", 8), flag("iscsi.scsicommand.R", "R", 9), flag("iscsi.scsicommand.W", "W", 10),
		bits("iscsi.rsvd0", "Reserved", 1, 3, 2, field.Hex), bits("iscsi.scsicommand.attr", "ATTR", 1, 5, 3, field.Dec),
		opaque("iscsi.rsvd1", "Reserved", 2, 2),
	}, lunOctets(), requestRest(expectedLength, cdb)),
	bhs(OpSCSIResponse, "4", finalFlags(scsiResponse, scsiStatus), reservedLUN(), responseRest(
		number("iscsi.snacktag", "SNACK Tag", 20, 4, field.Hex),
		number("iscsi.expdatasn", "ExpDataSN", 36, 4, field.Dec),
		number("iscsi.scsiresponse.bidireadresidualcount", "Bidirectional Read Residual Count", 40, 4, field.Dec),
		residualCount,
	)),
	bhs(OpTaskRequest, "5", []field.Field{
		flag("iscsi.F", "F", 8), taskFunction, opaque("iscsi.rsvd1", "Reserved", 2, 2),
	}, lunOctets(), requestRest(
		number("iscsi.taskmanfun.referencedtasktag", "Referenced Task Tag", 20, 4, field.Hex).To(field.ToRun),
		number("iscsi.refcmdsn", "RefCmdSN", 32, 4, field.Dec).To(field.ToRun),
		number("iscsi.expdatasn", "ExpDataSN", 36, 4, field.Dec),
		reservedFrom(40),
	)),
	bhs(OpTaskResponse, "6", finalFlags(taskResponse, opaque("iscsi.rsvd1", "Reserved", 3, 1)),
		reservedLUN(), responseRest(reservedWord(), reservedFrom(36))),
	bhs(OpDataOut, "7", finalFlags(), lunOctets(), []field.Field{
		targetTag(), opaque("iscsi.rsvd3", "Reserved", 24, 4), number("iscsi.expstatsn", "ExpStatSN", 28, 4, field.Dec).To(field.ToRun),
		opaque("iscsi.rsvd5", "Reserved", 32, 4), number("iscsi.datasn", "DataSN", 36, 4, field.Dec),
		number("iscsi.bufferOffset", "Buffer Offset", 40, 4, field.Dec), reservedFrom(44),
	}),
	bhs(OpDataIn, "7", finalFlags(opaque("iscsi.rsvd1", "Reserved", 2, 1), scsiStatus),
		lunOctets(), responseRest(targetTag(),
			number("iscsi.datasn", "DataSN", 36, 4, field.Dec),
			number("iscsi.bufferOffset", "Buffer Offset", 40, 4, field.Dec),
			number("iscsi.scsidata.readresidualcount", "Residual Count", 44, 4, field.Dec),
		),
	),
	bhs(OpR2T, "8", finalFlags(), lunOctets(), responseRest(targetTag(),
		number("iscsi.r2tsn", "R2TSN", 36, 4, field.Dec),
		number("iscsi.bufferOffset", "Buffer Offset", 40, 4, field.Dec),
		number("iscsi.desireddatalength", "Desired Data Transfer Length", 44, 4, field.Dec),
	)),
	bhs(OpAsync, "9", finalFlags(), lunOctets(), responseRest(reservedWord(), asyncEvent,
		number("iscsi.eventvendorcode", "AsyncVCode", 37, 1, field.Hex),
		number("iscsi.parameter1", "Parameter1", 38, 2, field.Dec), number("iscsi.parameter2", "Parameter2", 40, 2, field.Dec),
		number("iscsi.parameter3", "Parameter3", 42, 2, field.Dec), reservedFrom(44),
	)),
	bhs(OpTextRequest, "10", finalFlags(), lunOctets(), requestRest(targetTag(), reservedFrom(32))),
	bhs(OpTextResponse, "11", finalFlags(), lunOctets(), responseRest(targetTag(), reservedFrom(36))),
	bhs(OpLoginRequest, "12", loginFlags(
		number("iscsi.versionmax", "Version-max", 2, 1, field.Hex),
		number("iscsi.versionmin", "Version-min", 3, 1, field.Hex),
	), sessionFields(), connectionRest()),
	bhs(OpLoginResponse, "13", loginFlags(
		number("iscsi.versionmax", "Version-max", 2, 1, field.Hex),
		number("iscsi.versionactive", "Version-active", 3, 1, field.Hex),
	), sessionFields(), responseRest(reservedWord(), loginStatus, reservedFrom(38))),
	bhs(OpLogoutReq, "14", []field.Field{
		flag("iscsi.F", "F", 8), logoutReason, opaque("iscsi.rsvd1", "Reserved", 2, 2),
	}, reservedLUN(), connectionRest()),
	bhs(OpLogoutResp, "15", finalFlags(logoutResponse, opaque("iscsi.rsvd1", "Reserved", 3, 1)),
		reservedLUN(), responseRest(reservedWord(), opaque("iscsi.rsvd5", "Reserved", 36, 4),
			number("iscsi.time2wait", "Time2Wait", 40, 2, field.Dec),
			number("iscsi.time2retain", "Time2Retain", 42, 2, field.Dec),
			reservedFrom(44),
		),
	),
	bhs(OpSNACKRequest, "16", finalFlags(), lunOctets(), []field.Field{
		targetTag(), opaque("iscsi.rsvd5", "Reserved", 24, 4), number("iscsi.expstatsn", "ExpStatSN", 28, 4, field.Dec).To(field.ToRun),
		opaque("iscsi.rsvd6", "Reserved", 32, 8), number("iscsi.snack.begrun", "BegRun", 40, 4, field.Dec),
		number("iscsi.snack.runlength", "RunLength", 44, 4, field.Dec),
	}),
	// The header of the PDU that was rejected is its data.
	bhs(OpReject, "17", finalFlags(rejectReason, opaque("iscsi.rsvd1", "Reserved", 3, 1)),
		reservedLUN(), responseRest(reservedWord(), number("iscsi.datasn", "DataSN/R2TSN", 36, 4, field.Dec), reservedFrom(40))),
	bhs(OpNOPOut, "18", finalFlags(), lunOctets(), requestRest(targetTag(), reservedFrom(32))),
	bhs(OpNOPIn, "19", finalFlags(), lunOctets(), responseRest(targetTag(), reservedFrom(36))),
}

// tableOf are the tables of the PDUs by their opcode.
var tableOf = func() (of [64]*field.Table) {
	for _, p := range pdus {
		of[p.op] = p.table
	}
	return of
}()

// Tables is every field table of this package.
var Tables = func() []*field.Table {
	all := []*field.Table{expandedHeader, formerHeader, hello, helloReply}
	for _, p := range pdus {
		all = append(all, p.table)
	}
	return all
}()
