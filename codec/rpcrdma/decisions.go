package rpcrdma

// Where the documents contradict themselves, this package decides as follows. Comments use the numbers:
//
//   - D-01: RDMA2_RVRSDIR_CONT is 2 in section 5.2.5 of the draft, 1 in its XDR. It is 2.
//   - D-03: TPMORE is defined, although section 6.2.2 of the draft has two flags only. The others are reserved.
//   - D-04: RDMA2_NOMSG without chunks is a credit grant (section 6.3.2) and an XDR error (section 7.2). With XID 0
//     it is a grant, else an error.
//   - D-13: the flags word of Version2 shifts the body of RDMA2_ERR_VERS, which RFC 8166, section 7, fixes for all
//     versions. Both forms are read, see Dialect.Of; a message whose version is not 2 is answered with a Version1.
//   - D-18: a property that is longer than its message is an error of rdma_data, RDMA2_ERR_BAD_PROPVAL. It is
//     RDMA2_ERR_BAD_XDR only if one of its words is truncated.
//   - D-19: property data that is longer than its type does not conform either.
//   - D-20: a property may come twice; the last value wins.
//   - D-33: RDMA2_MSG is declared with the first word of its payload. A part of a message may have fewer than 4
//     octets of payload, but not none.
//   - D-34: a Position Zero Read chunk beside an inline payload is an error in all forms; only Draft2022 says so.
//   - D-37: the XDR of the draft does not compile. Its field names and order hold, with rdma_inv_handle first.
//   - D-40: RFC 8166, section 4.5, drops messages under 28 octets, and defines an RDMA_ERROR of 20. All but RDMA_ERROR need
//     28 octets.
//
// Of Draft2022: its prefix is 16 octets, not the 20 that its section on errors demands; rdma_xid is that of the
// message's own RPC Call or Reply in all header types.
