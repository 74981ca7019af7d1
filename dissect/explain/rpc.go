package explain

// Names of ONC RPC and NFS: procedures, operations, and what a Reply or an operation says went wrong. They come from
// package oncrpc.

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/iwarpkit/iwarp/codec/nfs"
	"github.com/iwarpkit/iwarp/codec/oncrpc"
)

// sourceRPC is where RPC messages are defined.
const sourceRPC = "RFC 5531, section 9"

var rpcEnumerations = []enumeration{
	{
		what: "NFSv4 status", prefix: "nfsstat", source: "RFC 7530, section 13, RFC 8881, section 15, or RFC 7862, section 11",
		numbers: slices.Concat(numbersIf(255, nfsStatus), numbersFrom(10000, 10255, nfsStatus)),
		name:    func(v uint32) string { return nfs.Stat4(v).String() },
		aka:     func(v uint32) string { return bareIfLarge(v) },
		texts: map[uint32]string{
			10008: "The server asks the client to try again later, for example while it recalls a delegation.",
			10013: "The server has just begun and is in its grace period: only locks that were held before may be reclaimed.",
			10022: "The server does not know the client id: it was restarted, or the lease ran out.",
			10052: "The server does not know the session: it was restarted, or the session was destroyed. The client creates a new one.",
			6:     "No such device or address: the file is a device that the server does not have.",
			10063: "The sequence id of a SEQUENCE is neither the next one of its slot nor a repetition.",
			10065: "The Call is longer than the session allows.", 10066: "The Reply would be longer than the session allows.",
		},
	}, {
		what: "NFSv3 status", prefix: "nfsstat3", source: "RFC 1813, section 2.6",
		numbers: slices.Concat(numbersFrom(1, 255, nfs3Status), numbersFrom(10001, 10255, nfs3Status)),
		name:    func(v uint32) string { return nfs.Stat3(v).String() },
		texts: map[uint32]string{
			2: "The server has no file of that name.", 13: "The server denies access: look at the export and the user.",
			70:    "The file handle is not valid any more: the file was removed, or is not exported.",
			10008: "The server asks the client to try again later.",
		},
	}, {
		what: "NFSv4 operation", prefix: "op", source: "RFC 7530, section 16, RFC 8881, section 18, RFC 7862, section 15, or RFC 8276, section 8",
		numbers: append(numbersIf(255, func(v uint32) bool { return nfs.Op(v).Known() }), uint32(nfs.OpIllegal)),
		name:    func(v uint32) string { return nfs.Op(v).String() },
		aka:     func(v uint32) string { return "OP_" + nfs.Op(v).String() },
		title: func(v uint32) string {
			return fmt.Sprintf("NFSv4 operation %d%s", v, since(nfs.Op(v).In))
		},
	}, {
		what: "NFSv4 callback operation", prefix: "cb_op", source: "RFC 7530, section 16, RFC 8881, section 20, or RFC 7862, section 16",
		numbers: append(numbersIf(255, func(v uint32) bool { return nfs.CBOp(v).Known() }), uint32(nfs.OpCBIllegal)),
		name:    func(v uint32) string { return nfs.CBOp(v).String() },
		aka:     func(v uint32) string { return "OP_" + nfs.CBOp(v).String() },
		title: func(v uint32) string {
			return fmt.Sprintf("NFSv4 callback operation %d%s", v, since(nfs.CBOp(v).In))
		},
	}, {
		what: "status of an accepted RPC", prefix: "accept_stat", source: sourceRPC,
		numbers: numbersIf(uint32(oncrpc.SystemErr), nil),
		name:    func(v uint32) string { return oncrpc.AcceptStat(v).String() },
		texts: map[uint32]string{
			0: "The Call was carried out, and results follow; the results may still say that it failed.", 1: "The server does not have the program.",
			2: "The server does not have the program in this version: low and high are those that it has.", 3: "The " +
				"program does not have the procedure.",
			4: "The server could not decode the arguments. Over RDMA: look whether the data of a Read chunk was " +
				"put where it belongs.", 5: "Something else went wrong, such as memory.",
		},
	}, {
		what: "reason to deny an RPC", prefix: "reject_stat", source: sourceRPC,
		numbers: numbersIf(uint32(oncrpc.AuthError), nil),
		name:    func(v uint32) string { return oncrpc.RejectStat(v).String() },
		texts:   map[uint32]string{0: "The version of RPC is not 2.", 1: "Authentication failed: auth_stat says why."},
	}, {
		what: "RPC authentication error", prefix: "auth_stat", source: sourceRPC,
		numbers: numbersIf(uint32(oncrpc.RPCSECGSSCtxProblem), nil),
		name:    func(v uint32) string { return oncrpc.AuthStat(v).String() },
	}, {
		what: "RPC authentication flavour", prefix: "flavor", source: "RFC 5531, section 8.2",
		numbers: append(numbersIf(16, func(v uint32) bool { return oncrpc.Flavor(v).Known() }), uint32(oncrpc.AuthGSSAPI)),
		name:    func(v uint32) string { return oncrpc.Flavor(v).String() },
	}, {
		what: "RPC program", prefix: "prog", source: "RFC 5531, section 8.3",
		numbers: numbers(oncrpc.ProgramRPCBind, oncrpc.ProgramNFS, oncrpc.ProgramMOUNT, oncrpc.ProgramNLM, oncrpc.ProgramNSM,
			oncrpc.ProgramNFSACL, oncrpc.ProgramNFSCB),
		name: func(v uint32) string { return oncrpc.Program(v).String() },
		aka:  func(v uint32) string { return bareIfLarge(v) },
		texts: map[uint32]string{
			uint32(oncrpc.ProgramRPCBind): "It tells on which port another program of the host listens.",
			uint32(oncrpc.ProgramNFS):     "The Network File System. Over RPC-over-RDMA its port is 20049.",
			uint32(oncrpc.ProgramMOUNT):   "It gives clients of NFSv3 the handle of an exported folder. NFSv4 does not need it.",
			uint32(oncrpc.ProgramNLM):     "It locks files for NFSv3.",
			uint32(oncrpc.ProgramNSM):     "It tells users of NLM that a host has restarted.",
			uint32(oncrpc.ProgramNFSACL):  "It has access control lists for NFSv3.",
			uint32(oncrpc.ProgramNFSCB):   "A server of NFSv4 calls its client with it.",
		},
	}, {
		what: "RPCSEC_GSS procedure", prefix: "gss_proc", source: "RFC 2203, section 5",
		numbers: numbersIf(uint32(oncrpc.GSSList), nil),
		name:    func(v uint32) string { return oncrpc.GSSProc(v).String() },
	}, {
		what: "RPCSEC_GSS service", prefix: "gss_service", source: "RFC 2203, section 5",
		numbers: numbersFrom(uint32(oncrpc.GSSNone), uint32(oncrpc.GSSChannelProt), nil),
		name:    func(v uint32) string { return oncrpc.GSSService(v).String() },
	},
}

func nfsStatus(v uint32) bool { return nfs.Stat4(v).Known() }

func nfs3Status(v uint32) bool { return nfs.Stat3(v).Known() }

// bareIfLarge is a number that says by itself what it is; small ones do not.
func bareIfLarge(v uint32) string {
	if v < 10000 {
		return ""
	}
	return strconv.FormatUint(uint64(v), 10)
}

// since says from which minor version on an operation exists.
func since(in func(minor uint32) bool) string {
	for minor := uint32(0); minor <= 2; minor++ {
		if in(minor) {
			if minor == 0 {
				return ""
			}
			return fmt.Sprintf(", since minor version %d", minor)
		}
	}
	return ""
}

func rpcTopics() (topics []topic) {
	for i := range rpcEnumerations {
		rpcEnumerations[i].kind = KindRPC
		topics = append(topics, rpcEnumerations[i].topics()...)
	}
	return append(topics, procedureTopics()...)
}

// procedureTopics has one topic for each name of a procedure: NFSv2 and NFSv3 READ are one.
func procedureTopics() (topics []topic) {
	byName := map[string][]oncrpc.Procedure{}
	var names []string
	for p := range oncrpc.Procedures() {
		if byName[p.Name()] == nil {
			names = append(names, p.Name())
		}
		byName[p.Name()] = append(byName[p.Name()], p)
	}
	for _, name := range names {
		all := byName[name]
		if len(all) == 1 {
			topics = append(topics, procedureTopic(all[0], name, all[0].String()))
			continue
		}
		e := Entry{Kind: KindRPC, Name: name, Title: "a procedure of " + programsOf(all), Sources: []string{sourceRPC}}
		for _, p := range all {
			e.Facts = append(e.Facts, Fact{p.String(), numberOf(p)})
		}
		topics = append(topics, e.topic(nil))
		for _, p := range all {
			topics = append(topics, procedureTopic(p, p.String()))
		}
	}
	return topics
}

func procedureTopic(p oncrpc.Procedure, keys ...string) topic {
	keys = append(keys, fmt.Sprintf("%s%d%s", p.Program, p.Version, p.Name())) // nfs3read
	return Entry{
		Kind: KindRPC, Name: p.String(), Title: "an RPC procedure", Facts: []Fact{{"Number", numberOf(p)}}, Sources: []string{sourceRPC},
	}.topic(keys)
}

func numberOf(p oncrpc.Procedure) string {
	return fmt.Sprintf("program %d, version %d, procedure %d", uint32(p.Program), p.Version, p.Number)
}

func programsOf(procedures []oncrpc.Procedure) string {
	var programs []string
	for _, p := range procedures {
		if name := p.Program.String(); !slices.Contains(programs, name) {
			programs = append(programs, name)
		}
	}
	return strings.Join(programs, ", ")
}
