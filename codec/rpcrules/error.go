package rpcrules

// RDMA_ERROR, RFC 8166, section 4.5, and RDMA2_ERROR, draft 01, sections 6.3.3 and 7: the error alone, and as the
// answer to a faulty Call.

import (
	"fmt"

	"github.com/iwarpkit/iwarp/codec/rpcrdma"
	"github.com/iwarpkit/iwarp/codec/rules"
)

var (
	ruleErrorCode = newPair("error-code", rules.Error,
		"rdma_err must be an error that the version defines.", "RPCRDMA1-4.1.2-1", "RPCRDMA2-8.4-1", in("rpcordma.errcode"))
	ruleErrorRange = newPair("error-range", rules.Error,
		"A version error must report the lowest and highest supported version, which must exclude the refused one.",
		"RPCRDMA1-4.5.1-1", "RPCRDMA2-7.1.1-1")
	ruleErrorVersion = newPair("error-version", rules.Error,
		"rdma_vers of an error must be that of the faulty message.", "RPCRDMA1-4.5-5", "RPCRDMA2-7-3", in("rpcordma.version"))
	ruleErrorLimit = newRule("rpc2-error-limit", rules.Error,
		"An error about chunks must report a limit that the Call exceeds, or a length that it does not offer.",
		"RPCRDMA2-7.3.1-1 RPCRDMA2-7.3.2-1 RPCRDMA2-7.3.3-1 RPCRDMA2-7.3.4-1 RPCRDMA2-7.3.5-1 "+
			"RPCRDMA2-6.4-3 RPCRDMA2-7.3.4-2 RPCRDMA2-7.3.4-3 RPCRDMA2-7.3.5-2", in("rpcordma.errcode"))
	ruleRefusal = newPair("refusal", rules.Error,
		"A Call with a faulty header must be answered with the matching error.",
		"RPCRDMA1-4.5-2 RPCRDMA1-4.5.2-1 RPCRDMA1-4.5.1-1",
		"RPCRDMA2-7.2.1-1 RPCRDMA2-6.1-2 RPCRDMA2-7.1.1-1 RPCRDMA2-7.1.2-1 RPCRDMA2-7.1.3-1 RPCRDMA2-7.2.2-1 "+
			"RPCRDMA2-5.1-1 RPCRDMA2-6.2.2.2-4 RPCRDMA2-6.2.2.2-6 RPCRDMA2-6.2.2.2-8 RPCRDMA2-6.2.2.3-2 "+
			"RPCRDMA2-6.2.2.3-3 RPCRDMA2-4.5.4-2", in("rpcordma.errcode"))
)

func checkError(m *rpcrdma.Message, v []rules.Violation) []rules.Violation {
	if m.Err != nil {
		return append(v, ruleXDR.Breach(m.Dialect, m.Err.Error(), "a complete error"))
	}
	two := m.Dialect == rpcrdma.DialectVersion2
	e := &m.Error
	known := e.Err.Known() && !(two && e.Err == rpcrdma.ErrCode2VersMismatch)
	if m.Dialect == rpcrdma.DialectVersion1 {
		known = rpcrdma.ErrCode(e.Err).Known()
	}
	switch {
	case !known:
		v = append(v, ruleErrorCode.Breach(m.Dialect, m.ErrorName(), "a defined error"))
	case e.Err != rpcrdma.ErrCode2Vers:
	case e.VersLow > e.VersHigh:
		v = append(v, ruleErrorRange.Breach(m.Dialect, fmt.Sprintf("%d to %d", e.VersLow, e.VersHigh), "a range"))
	}
	if two && m.Flags&rpcrdma.FlagResponse == 0 {
		v = append(v, ruleErrorFlag.Breach("RESPONSE clear", "RESPONSE set"))
	}
	_, v = checkFlags(m, v)
	return checkTrailing(m, v)
}

// checkError checks an error as the answer to the Call. segmentSize is the maximum segment length that its sender
// accepts.
func (c *Call) checkError(m *rpcrdma.Message, segmentSize uint32, v []rules.Violation) []rules.Violation {
	if c.Cut && c.Vers == 0 {
		return v // only its XID was captured
	}
	if m.Vers != c.Vers {
		d := c.Dialect
		if d == rpcrdma.DialectUnknown {
			d = m.Dialect
		}
		v = append(v, ruleErrorVersion.Breach(d,
			fmt.Sprintf("rdma_vers %d", m.Vers), fmt.Sprintf("rdma_vers %d", c.Vers)))
	}
	v = c.checkRange(m, v)
	if c.Fault == nil {
		return c.checkLimit(m, segmentSize, v)
	}
	codes := c.Fault.Codes(c.Dialect)
	for _, code := range codes {
		if code == m.Error.Err {
			return v
		}
	}
	if len(codes) > 0 {
		v = append(v, ruleRefusal.Breach(c.Dialect, m.ErrorName(), c.Fault.expected(c.Dialect)))
	}
	return v
}

// checkRange checks the versions that a version error offers instead of the Call's.
func (c *Call) checkRange(m *rpcrdma.Message, v []rules.Violation) []rules.Violation {
	e := &m.Error
	if e.Err != rpcrdma.ErrCode2Vers || c.Vers < e.VersLow || c.Vers > e.VersHigh {
		return v
	}
	if m.Dialect != rpcrdma.DialectVersion1 && c.Vers == rpcrdma.Vers2 {
		return v // a running connection of version 2 refuses another version with its own as the range
	}
	return append(v, ruleErrorRange.Breach(m.Dialect,
		versionRange(e.VersLow, e.VersHigh), fmt.Sprintf("a range without %d", c.Vers)))
}

// expected names the errors that may answer a fault.
func (f *Fault) expected(d rpcrdma.Dialect) (names string) {
	for i, code := range f.Codes(d) {
		m := rpcrdma.Message{Dialect: d, Error: rpcrdma.Error2{Err: code}}
		if d == rpcrdma.DialectUnknown {
			m.Dialect = rpcrdma.DialectVersion1
		}
		if i > 0 {
			names += " or "
		}
		names += m.ErrorName()
	}
	return names
}

// Unrefused reports a faulty Call that was not answered, although its Responder has answered later ones.
func (c *Call) Unrefused(v []rules.Violation) []rules.Violation {
	if c.Fault == nil || len(c.Fault.Codes(c.Dialect)) == 0 {
		return v
	}
	return append(v, ruleRefusal.Breach(c.Dialect, "no answer", c.Fault.expected(c.Dialect)))
}

// checkLimit checks the limit that an error of version 2 reports. The error for too many segments also serves for a
// segment that is too long.
func (c *Call) checkLimit(m *rpcrdma.Message, segmentSize uint32, v []rules.Violation) []rules.Violation {
	if m.Vers != rpcrdma.Vers2 || m.Dialect == rpcrdma.DialectVersion1 || c.Cut {
		return v
	}
	switch e := &m.Error; e.Err {
	case rpcrdma.ErrCode2ReadChunks:
		if n := c.readChunks(); n <= MaxChunks {
			v = checkMost("rdma_max_chunks", e.MaxChunks, n, "Read chunks", v)
		}
	case rpcrdma.ErrCode2WriteChunks:
		v = checkMost("rdma_max_chunks", e.MaxChunks, c.Writes.Count(), "Write chunks", v)
	case rpcrdma.ErrCode2Segments:
		if longestSegment(c.header()) > segmentSize {
			return v
		}
		v = checkMost("rdma_max_segments", e.MaxSegments, c.header().Segments(), "segments", v)
	case rpcrdma.ErrCode2WriteResource:
		v = c.checkWriteResource(e, v)
	case rpcrdma.ErrCode2ReplyResource:
		v = checkNeeded(e, c.Reply.Length(), replyChunk, v)
	}
	return v
}

// checkMost checks a reported maximum: a Call with n of something exceeded it.
func checkMost(field string, most uint32, n int, what string, v []rules.Violation) []rules.Violation {
	if int64(most) < int64(n) {
		return v
	}
	return append(v, ruleErrorLimit.Breach(
		fmt.Sprintf("%s %d", field, most), fmt.Sprintf("fewer than the %d %s of the Call", n, what)))
}

// checkNeeded checks the length that a chunk needs, n octets in the Call being too short; 0 is unknown.
func checkNeeded(e *rpcrdma.Error2, n uint64, chunk int, v []rules.Violation) []rules.Violation {
	if e.LengthNeeded == 0 || uint64(e.LengthNeeded) > n {
		return v
	}
	return append(v, ruleErrorLimit.Breach(
		fmt.Sprintf("rdma_length_needed %d", e.LengthNeeded),
		fmt.Sprintf("more than the %d octets of %s", n, chunkName(chunk))))
}

// readChunks returns the number of Read chunks, as far as they are counted.
func (c *Call) readChunks() (n int) {
	for range c.Reads.Positions() {
		if n++; n > MaxChunks {
			break
		}
	}
	return n
}

// checkWriteResource checks which Write chunk, counted from 1, is reported as too short; 0 is unknown.
func (c *Call) checkWriteResource(e *rpcrdma.Error2, v []rules.Violation) []rules.Violation {
	n := 0
	for chunk := range c.Writes.Chunks() {
		if n++; n == int(e.ChunkIndex) {
			return checkNeeded(e, chunk.Length(), n, v)
		}
	}
	if e.ChunkIndex == 0 {
		return v
	}
	return append(v, ruleErrorLimit.Breach(
		fmt.Sprintf("rdma_chunk_index %d", e.ChunkIndex), fmt.Sprintf("at most %d", n)))
}
