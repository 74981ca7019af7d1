package oncrpc

// The procedures of the programs that travel with NFS. Their names lack the prefix that the specification gives all
// of one version, NFSPROC3_ for example; those of callbacks keep theirs.

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
