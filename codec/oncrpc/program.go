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
	// other transient number to its server: see [Operations.CallbackProgram].
	ProgramNFSCB Program = 0x40000000
)

var programs = &field.Enum{Kind: "Program", Values: []field.Value{
	{100000, "RPCBIND"}, {100003, "NFS"}, {100005, "MOUNT"}, {100021, "NLM"}, {100024, "NSM"}, {100227, "NFSACL"},
	{1073741824, "NFSCB"},
}}

// Known reports whether the program has a name here.
func (p Program) Known() bool { return programs.Has(uint64(p)) }

// String is "NFS", or for an unknown program its number, "Program100099".
func (p Program) String() string { return programs.Name(uint64(p)) }

// Transient reports whether the number is one of those that programs take as they run (RFC 5531, section 8.3).
// NFSv4 clients take their callback program from these.
func (p Program) Transient() bool { return p >= 0x40000000 && p < 0x60000000 }

// Procedure is one procedure of one version of a program.
type Procedure struct {
	Program Program
	Version uint32
	Number  uint32
}

// A service is one program with the procedures of its versions.
type service struct {
	program  Program
	name     string
	versions []version
}

// A version lists the procedures of the versions of a program from first to last, by number; unassigned ones are empty.
type version struct {
	first, last uint32
	procedures  []string
}

// find is the version of a program; nil if it is not known.
func (p Procedure) find() *version {
	for i := range services {
		if services[i].program != p.Program {
			continue
		}
		for j := range services[i].versions {
			if v := &services[i].versions[j]; p.Version >= v.first && p.Version <= v.last {
				return v
			}
		}
	}
	return nil
}

// name is the name of the procedure, empty if it is not assigned.
func (v *version) name(number uint32) string {
	if v == nil || number >= uint32(len(v.procedures)) {
		return ""
	}
	return v.procedures[number]
}

// assigned calls yield for the numbers that have a name.
func (v *version) assigned(yield func(uint64) bool) {
	for number, name := range v.procedures {
		if name != "" && !yield(uint64(number)) {
			return
		}
	}
}

// Known reports whether the procedure has a name here.
func (p Procedure) Known() bool { return p.find().name(p.Number) != "" }

// unknownProcedure is what a procedure without a name is called, before its number.
const unknownProcedure = "Procedure"

// Name is "READ", or for an unknown procedure its number, "Procedure99".
func (p Procedure) Name() string {
	if name := p.find().name(p.Number); name != "" {
		return name
	}
	return unknownProcedure + strconv.FormatUint(uint64(p.Number), 10)
}

// String is the program with its version, and the procedure: "NFSv3 READ".
func (p Procedure) String() string {
	return p.Program.String() + "v" + strconv.FormatUint(uint64(p.Version), 10) + " " + p.Name()
}

// AsCallback is the procedure of [ProgramNFSCB] that p is if a client named p's program to its server for callbacks.
// It is false if the program is not transient, or its version is neither 1 (RFC 7863) nor 4, which Linux takes too:
// p is no callback then.
func (p Procedure) AsCallback() (callback Procedure, ok bool) {
	if !p.Program.Transient() || p.Version != 1 && p.Version != 4 {
		return p, false
	}
	p.Program = ProgramNFSCB
	return p, true
}

// IsCompound reports whether the procedure is COMPOUND of NFSv4: its arguments begin with [CompoundArgs], its results
// with [CompoundRes].
func (p Procedure) IsCompound() bool { return p == Procedure{ProgramNFS, 4, 1} }

// IsCBCompound reports whether the procedure is CB_COMPOUND of NFSv4: its arguments begin with [CBCompoundArgs], its
// results with [CompoundRes].
func (p Procedure) IsCBCompound() bool {
	return p.Program == ProgramNFSCB && (p.Version == 1 || p.Version == 4) && p.Number == 1
}

// Fields is [CallFields] with the names that proc has in this version of the program.
func (p Procedure) Fields() *field.Table {
	if t := callTables[p.find()]; t != nil {
		return t
	}
	return CallFields
}

// callTables holds one table for each version that is known.
var callTables = func() map[*version]*field.Table {
	m := make(map[*version]*field.Table)
	for _, s := range services {
		for i := range s.versions {
			v := &s.versions[i]
			m[v] = newCallFields(func(number uint64) string {
				return Procedure{s.program, v.first, uint32(number)}.Name()
			}, v.assigned)
		}
	}
	return m
}()

// Procedures yields every procedure that has a name here, by program, version and number.
func Procedures() iter.Seq[Procedure] {
	return func(yield func(Procedure) bool) {
		for _, s := range services {
			for _, v := range s.versions {
				for version := v.first; version <= v.last; version++ {
					for number, name := range v.procedures {
						if name != "" && !yield(Procedure{s.program, version, uint32(number)}) {
							return
						}
					}
				}
			}
		}
	}
}
