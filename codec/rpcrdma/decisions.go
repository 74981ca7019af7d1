package rpcrdma

// The documents contradict themselves in places. What holds here, by the numbers that comments use:
//
//   - D-01: RDMA2_RVRSDIR_CONT is 2 in section 5.2.5 of the draft, 1 in its XDR. It is 2.
//   - D-03: TPMORE is defined, although section 6.2.2 of the draft knows two flags only. Reserved are the others.
//   - D-04: RDMA2_NOMSG without chunks is a credit grant (section 6.3.2) and an XDR error (section 7.2). With XID 0
//     it is a grant, else an error.
//   - D-13: the flags word of Version2 shifts the body of RDMA2_ERR_VERS, which RFC 8166, section 7, fixes for all
//     versions. Both forms are read, see Dialect.Of; to a message whose version is not 2 the answer is a Version1.
//   - D-18: a property that is longer than its message is an error of rdma_data, RDMA2_ERR_BAD_PROPVAL; only if one of
//     its words is cut is it RDMA2_ERR_BAD_XDR.
//   - D-19: property data that is longer than its type does not conform to it either.
//   - D-20: a property may come twice; the last value wins.
//   - D-33: RDMA2_MSG is declared with the first word of its payload. Fewer than 4 octets of payload are accepted in
//     a part of a message, none is not.
//   - D-34: a Position Zero Read chunk beside an inline payload is an error in all forms; only Draft2022 says so.
//   - D-37: the XDR of the draft does not compile. Its field names and order are taken, with rdma_inv_handle first.
//   - D-40: RFC 8166, section 4.5, drops messages under 28 octets, and defines an RDMA_ERROR of 20. 28 octets are
//     demanded of all but RDMA_ERROR.
//
// Of Draft2022: its prefix is 16 octets, not the 20 that its section on errors demands; rdma_xid is that of the
// message's own RPC Call or Reply in all header types.
