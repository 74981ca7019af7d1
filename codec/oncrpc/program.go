package oncrpc

// Programs and procedures by number, as they stand in a Call.

import (
	"iter"
	"strconv"

	"github.com/iwarpkit/iwarp/codec/field"
)

// Program is the number of an RPC program (RFC 5531, section 8.3).
type Program uint32

// The programs whose procedures have names here.
const (
	ProgramRPCBind Program = 100000 // rpcbind, and portmap before it (RFC 1833)
	ProgramNFS     Program = 100003 // versions 2 to 4 (RFC 1094, RFC 1813, RFC 8881)
	ProgramMOUNT   Program = 100005 // versions 1 to 3 (RFC 1094, RFC 1813)
	ProgramNLM     Program = 100021 // the lock manager of NFS before version 4 (RFC 1813, appendix II)
	ProgramNSM     Program = 100024 // the status monitor that goes with it
	ProgramNFSACL  Program = 100227 // access control lists beside NFS 2 and 3

	// ProgramNFSCB is the program of NFSv4 callbacks in RFC 7863 and the one that Linux names. A client may name any
	// other transient number to its server.
	ProgramNFSCB Program = 0x40000000
)

var programs = &field.Enum{Kind: "Program", Values: []field.Value{
	{100000, "RPCBIND"}, {100003, "NFS"}, {100005, "MOUNT"}, {100021, "NLM"}, {100024, "NSM"}, {100227, "NFSACL"},
	{1073741824, "NFSCB"},
}}

// Known reports whether the program has a name here.
func (p Program) Known() bool { return programs.Has(uint64(p)) }

// String returns "NFS", or the number of an unknown program, "Program100099".
func (p Program) String() string { return programs.Name(uint64(p)) }

// Transient reports whether the number is one of those that programs choose at run time (RFC 5531, section 8.3).
// NFSv4 clients choose their callback program from these.
func (p Program) Transient() bool { return p >= 0x40000000 && p < 0x60000000 }

// Procedure is one procedure of one version of a program.
type Procedure struct {
	Program Program
	Version uint32
	Number  uint32
}

// A version is a program in its versions from first to last, which have the same procedures.
type version struct {
	program     Program
	first, last uint32
	names       []string     // of the procedures by number; those of unassigned ones are empty
	fields      *field.Table // CallFields with these names
}

func procedures(p Program, first, last uint32, names ...string) *version {
	v := &version{program: p, first: first, last: last, names: names}
	v.fields = newCallFields(func(number uint64) string { return v.name(uint32(number)) }, v.assigned)
	return v
}

// unknown stands for the versions that are not known.
var unknown = &version{fields: CallFields}

// find is the version of a program, or unknown.
func (p Procedure) find() *version {
	for _, v := range versions {
		if v.program == p.Program && p.Version >= v.first && p.Version <= v.last {
			return v
		}
	}
	return unknown
}

// has reports whether a procedure is assigned.
func (v *version) has(number uint32) bool {
	return number < uint32(len(v.names)) && v.names[number] != ""
}

// name is the name of a procedure, or its number if it is not assigned.
func (v *version) name(number uint32) string {
	if v.has(number) {
		return v.names[number]
	}
	return "Procedure" + strconv.FormatUint(uint64(number), 10)
}

// assigned yields the numbers that have a name.
func (v *version) assigned(yield func(uint64) bool) {
	for number := range v.names {
		if v.has(uint32(number)) && !yield(uint64(number)) {
			return
		}
	}
}

// Known reports whether the procedure has a name here.
func (p Procedure) Known() bool { return p.find().has(p.Number) }

// Name is "READ", or the number of an unknown procedure, "Procedure99".
func (p Procedure) Name() string { return p.find().name(p.Number) }

// String is the program with its version, and the procedure: "NFSv3 READ".
func (p Procedure) String() string {
	return p.Program.String() + "v" + strconv.FormatUint(uint64(p.Version), 10) + " " + p.Name()
}

// AsCallback returns the procedure of [ProgramNFSCB] that p is if a client named p's program to its server for callbacks.
// ok is false if p cannot be a callback: the program is not transient, or its version is neither 1 (RFC 7863) nor 4, which
// Linux uses too.
func (p Procedure) AsCallback() (callback Procedure, ok bool) {
	if !p.Program.Transient() || p.Version != 1 && p.Version != 4 {
		return p, false
	}
	p.Program = ProgramNFSCB
	return p, true
}

// IsCompound reports whether the procedure is COMPOUND of NFSv4.
func (p Procedure) IsCompound() bool { return p == Procedure{ProgramNFS, 4, 1} }

// IsCBCompound reports whether the procedure is CB_COMPOUND of NFSv4.
func (p Procedure) IsCBCompound() bool {
	return p.Program == ProgramNFSCB && (p.Version == 1 || p.Version == 4) && p.Number == 1
}

// Fields is [CallFields] with the names that proc has in this version of the program.
func (p Procedure) Fields() *field.Table { return p.find().fields }

// Procedures yields every procedure that has a name here, by program, version and number.
func Procedures() iter.Seq[Procedure] {
	return func(yield func(Procedure) bool) {
		for _, v := range versions {
			for version := v.first; version <= v.last; version++ {
				for number := range v.assigned {
					if !yield(Procedure{v.program, version, uint32(number)}) {
						return
					}
				}
			}
		}
	}
}

// versions are those of the programs that are known.
var versions = []*version{
	procedures(ProgramRPCBind, 2, 2, "NULL", "SET", "UNSET", "GETPORT", "DUMP", "CALLIT"), // RFC 1833, section 3.2
	procedures(ProgramRPCBind, 3, 3, "NULL", "SET", "UNSET", "GETADDR", "DUMP", "CALLIT", // RFC 1833, section 2.2.1
		"GETTIME", "UADDR2TADDR", "TADDR2UADDR"),
	procedures(ProgramRPCBind, 4, 4, "NULL", "SET", "UNSET", "GETADDR", "DUMP", "BCAST", // RFC 1833, section 2.2.1
		"GETTIME", "UADDR2TADDR", "TADDR2UADDR", "GETVERSADDR", "INDIRECT", "GETADDRLIST", "GETSTAT"),
	procedures(ProgramNFS, 2, 2, "NULL", "GETATTR", "SETATTR", "ROOT", "LOOKUP", "READLINK", "READ", "WRITECACHE", "WRITE", // RFC 1094, section 2.2
		"CREATE", "REMOVE", "RENAME", "LINK", "SYMLINK", "MKDIR", "RMDIR", "READDIR", "STATFS"),
	procedures(ProgramNFS, 3, 3, "NULL", "GETATTR", "SETATTR", "LOOKUP", "ACCESS", "READLINK", "READ", "WRITE", "CREATE", "MKDIR", // RFC 1813, section 3
		"SYMLINK", "MKNOD", "REMOVE", "RMDIR", "RENAME", "LINK", "READDIR", "READDIRPLUS", "FSSTAT", "FSINFO",
		"PATHCONF", "COMMIT"),
	procedures(ProgramNFS, 4, 4, "NULL", "COMPOUND"),                                                // RFC 7530, section 16; RFC 8881, section 17
	procedures(ProgramMOUNT, 1, 1, "NULL", "MNT", "DUMP", "UMNT", "UMNTALL", "EXPORT", "EXPORTALL"), // RFC 1094, appendix A.5
	procedures(ProgramMOUNT, 2, 2, "NULL", "MNT", "DUMP", "UMNT", "UMNTALL", "EXPORT", "EXPORTALL", "PATHCONF"),
	procedures(ProgramMOUNT, 3, 3, "NULL", "MNT", "DUMP", "UMNT", "UMNTALL", "EXPORT"), // RFC 1813, section 5.2
	procedures(ProgramNLM, 1, 2, "NULL", "TEST", "LOCK", "CANCEL", "UNLOCK", "GRANTED", "TEST_MSG", "LOCK_MSG", "CANCEL_MSG",
		"UNLOCK_MSG", "GRANTED_MSG", "TEST_RES", "LOCK_RES", "CANCEL_RES", "UNLOCK_RES", "GRANTED_RES"),
	procedures(ProgramNLM, 3, 4, "NULL", "TEST", "LOCK", "CANCEL", "UNLOCK", "GRANTED", "TEST_MSG", "LOCK_MSG", "CANCEL_MSG", // RFC 1813, section 6.1
		"UNLOCK_MSG", "GRANTED_MSG", "TEST_RES", "LOCK_RES", "CANCEL_RES", "UNLOCK_RES", "GRANTED_RES",
		"", "", "", "", "SHARE", "UNSHARE", "NM_LOCK", "FREE_ALL"),
	procedures(ProgramNSM, 1, 1, "NULL", "STAT", "MON", "UNMON", "UNMON_ALL", "SIMU_CRASH", "NOTIFY"), // X/Open XNFS, chapter 11
	procedures(ProgramNFSACL, 2, 2, "NULL", "GETACL", "SETACL", "GETATTR", "ACCESS", "GETXATTRDIR"),
	procedures(ProgramNFSACL, 3, 3, "NULL", "GETACL", "SETACL", "GETXATTRDIR"),
	procedures(ProgramNFSCB, 1, 1, "CB_NULL", "CB_COMPOUND"), // RFC 7530, section 16; RFC 8881, section 20
	procedures(ProgramNFSCB, 4, 4, "CB_NULL", "CB_COMPOUND"), // taken by Linux
}
