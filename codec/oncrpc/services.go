package oncrpc

// The procedures of the programs that travel with NFS. Their names lack the prefix that the specification gives all
// of one version, NFSPROC3_ for example; those of callbacks keep theirs.

// services are the programs that are known, by number.
var services = []service{
	{ProgramRPCBind, "RPCBIND", []version{
		{2, 2, []string{"NULL", "SET", "UNSET", "GETPORT", "DUMP", "CALLIT"}}, // RFC 1833, section 3.2
		{3, 3, []string{"NULL", "SET", "UNSET", "GETADDR", "DUMP", "CALLIT", // RFC 1833, section 2.2.1
			"GETTIME", "UADDR2TADDR", "TADDR2UADDR"}},
		{4, 4, []string{"NULL", "SET", "UNSET", "GETADDR", "DUMP", "BCAST", // RFC 1833, section 2.2.1
			"GETTIME", "UADDR2TADDR", "TADDR2UADDR", "GETVERSADDR", "INDIRECT", "GETADDRLIST", "GETSTAT"}},
	}},
	{ProgramNFS, "NFS", []version{
		{2, 2, []string{"NULL", "GETATTR", "SETATTR", "ROOT", "LOOKUP", "READLINK", "READ", "WRITECACHE", "WRITE", // RFC 1094, section 2.2
			"CREATE", "REMOVE", "RENAME", "LINK", "SYMLINK", "MKDIR", "RMDIR", "READDIR", "STATFS"}},
		{3, 3, []string{"NULL", "GETATTR", "SETATTR", "LOOKUP", "ACCESS", "READLINK", "READ", "WRITE", "CREATE", "MKDIR", // RFC 1813, section 3
			"SYMLINK", "MKNOD", "REMOVE", "RMDIR", "RENAME", "LINK", "READDIR", "READDIRPLUS", "FSSTAT", "FSINFO",
			"PATHCONF", "COMMIT"}},
		{4, 4, []string{"NULL", "COMPOUND"}}, // RFC 7530, section 16; RFC 8881, section 17
	}},
	{ProgramMOUNT, "MOUNT", []version{
		{1, 1, []string{"NULL", "MNT", "DUMP", "UMNT", "UMNTALL", "EXPORT", "EXPORTALL"}}, // RFC 1094, appendix A.5
		{2, 2, []string{"NULL", "MNT", "DUMP", "UMNT", "UMNTALL", "EXPORT", "EXPORTALL", "PATHCONF"}},
		{3, 3, []string{"NULL", "MNT", "DUMP", "UMNT", "UMNTALL", "EXPORT"}}, // RFC 1813, section 5.2
	}},
	{ProgramNLM, "NLM", []version{
		{1, 2, []string{"NULL", "TEST", "LOCK", "CANCEL", "UNLOCK", "GRANTED", "TEST_MSG", "LOCK_MSG", "CANCEL_MSG",
			"UNLOCK_MSG", "GRANTED_MSG", "TEST_RES", "LOCK_RES", "CANCEL_RES", "UNLOCK_RES", "GRANTED_RES"}},
		{3, 4, []string{"NULL", "TEST", "LOCK", "CANCEL", "UNLOCK", "GRANTED", "TEST_MSG", "LOCK_MSG", "CANCEL_MSG", // RFC 1813, section 6.1
			"UNLOCK_MSG", "GRANTED_MSG", "TEST_RES", "LOCK_RES", "CANCEL_RES", "UNLOCK_RES", "GRANTED_RES",
			"", "", "", "", "SHARE", "UNSHARE", "NM_LOCK", "FREE_ALL"}},
	}},
	{ProgramNSM, "NSM", []version{
		{1, 1, []string{"NULL", "STAT", "MON", "UNMON", "UNMON_ALL", "SIMU_CRASH", "NOTIFY"}}, // X/Open XNFS, chapter 11
	}},
	{ProgramNFSACL, "NFSACL", []version{
		{2, 2, []string{"NULL", "GETACL", "SETACL", "GETATTR", "ACCESS", "GETXATTRDIR"}},
		{3, 3, []string{"NULL", "GETACL", "SETACL", "GETXATTRDIR"}},
	}},
	{ProgramNFSCB, "NFSCB", []version{
		{1, 1, []string{"CB_NULL", "CB_COMPOUND"}}, // RFC 7530, section 16; RFC 8881, section 20
		{4, 4, []string{"CB_NULL", "CB_COMPOUND"}}, // taken by Linux
	}},
}
