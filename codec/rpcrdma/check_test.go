package rpcrdma_test

import (
	"errors"
	"testing"

	"github.com/iwarpkit/iwarp/codec/field"
	"github.com/iwarpkit/iwarp/codec/rpcrdma"
	"github.com/iwarpkit/iwarp/internal/codectest"
)

// TestVectorsCheck looks that nothing is wrong with the vectors, but with those that must not be sent.
func TestVectorsCheck(t *testing.T) {
	wrong := map[string]string{"MSGP": "rdma_proc", "DONE": "rdma_proc"}
	for name, v := range vectors {
		message := v.message(t)
		h := fresh(v.dialect)
		n, _ := h.Decode(message)
		complains(t, name, h.Check(), wrong[name])
		if err := h.(interface{ CheckPayload([]byte) error }).CheckPayload(message[n:]); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestCheck(t *testing.T) {
	var (
		zero      = rpcrdma.ReadList(nil).Append(0, a)
		read      = rpcrdma.ReadList(nil).Append(8, a)
		crooked   = rpcrdma.ReadList(nil).Append(7, a)
		down      = rpcrdma.ReadList(nil).Append(8, a).Append(4, b)
		apart     = rpcrdma.ReadList(nil).Append(4, a).Append(4, b).Append(8, b)
		reply     = rpcrdma.WriteChunk(nil).Append(b)
		writes    = rpcrdma.WriteList(nil).Append(b)
		bad       = rpcrdma.WriteChunk{1}
		badWrites = rpcrdma.WriteList{1}
		badProps  = rpcrdma.PropSet(nil).AppendUint32(rpcrdma.PropBRS, 4)
	)
	type (
		one    = rpcrdma.Version1
		two    = rpcrdma.Version2
		latest = rpcrdma.Draft2022
	)
	const (
		noMsg    = rpcrdma.HTypeNoMsg
		response = rpcrdma.FlagResponse
		more     = rpcrdma.FlagMore
		tpMore   = rpcrdma.FlagTPMore
	)
	for name, tc := range map[string]struct {
		header codectest.Header
		field  string // that is wrong; empty if none is
	}{
		"1 vers":              {&one{Vers: 2}, "rdma_vers"},
		"1 proc":              {&one{Vers: 1, Proc: 5}, "rdma_proc"},
		"1 Position":          {&one{Vers: 1, Reads: crooked}, "Position"},
		"1 Write list":        {&one{Vers: 1, Writes: badWrites}, "rdma_writes"},
		"1 Reply chunk":       {&one{Vers: 1, Reply: bad}, "target"},
		"1 body in MSG":       {&one{Vers: 1, Reads: zero}, "Position"},
		"1 descending":        {&one{Vers: 1, Reads: down}, ""},
		"1 NOMSG empty":       {&one{Vers: 1, Proc: rpcrdma.ProcNoMsg}, "rdma_proc"},
		"1 NOMSG no body":     {&one{Vers: 1, Proc: rpcrdma.ProcNoMsg, Reads: read, Writes: writes}, "rdma_proc"},
		"1 NOMSG Call":        {&one{Vers: 1, Proc: rpcrdma.ProcNoMsg, Reads: zero}, ""},
		"1 NOMSG Reply":       {&one{Vers: 1, Proc: rpcrdma.ProcNoMsg, Reply: reply}, ""},
		"1 ERROR grant":       {&one{Vers: 1, Proc: rpcrdma.ProcError, Err: 2}, "rdma_credit"},
		"1 ERROR code":        {&one{Vers: 1, Credit: 1, Proc: rpcrdma.ProcError, Err: 3}, "rdma_err"},
		"1 ERROR range":       {&one{Vers: 9, Credit: 1, Proc: rpcrdma.ProcError, Err: 1, VersLow: 2, VersHigh: 1}, "rdma_vers_high"},
		"2 vers":              {&two{Vers: 1, CreditGrant: 1}, "rdma_vers"},
		"2 grant":             {&two{Vers: 2, CreditMax: 1}, "rdma_credit, granted"},
		"2 htype":             {&two{Vers: 2, CreditGrant: 1, HType: 2}, "rdma_htype"},
		"2 reserved flag":     {&two{Vers: 2, CreditGrant: 1, Flags: 8}, "rdma_flags, reserved"},
		"2 TPMORE":            {&two{Vers: 2, CreditGrant: 1, Flags: tpMore}, "TPMORE"},
		"2 MORE":              {&two{Vers: 2, CreditGrant: 1, Flags: more, HType: noMsg}, "MORE"},
		"2 MORE with chunks":  {&two{Vers: 2, CreditGrant: 1, Flags: more, Writes: writes}, "MORE"},
		"2 MORE of CONNPROP":  {&two{Vers: 2, CreditGrant: 1, Flags: more | tpMore, HType: rpcrdma.HTypeConnProp}, ""},
		"2 ERROR without":     {&two{Vers: 2, CreditGrant: 1, HType: rpcrdma.HTypeError, Error: rpcrdma.Error2{Err: 2}}, "RESPONSE"},
		"2 ERROR of 2022":     {&two{Vers: 2, CreditGrant: 1, Flags: response, HType: rpcrdma.HTypeError, Error: rpcrdma.Error2{Err: 11}}, "rdma_err"},
		"2 ERROR code":        {&two{Vers: 2, CreditGrant: 1, Flags: response, HType: rpcrdma.HTypeError, Error: rpcrdma.Error2{Err: 12}}, "rdma_err"},
		"2 ERROR range":       {&two{Vers: 7, CreditGrant: 1, Flags: response, HType: rpcrdma.HTypeError, Error: rpcrdma.Error2{Err: 1, VersLow: 2}}, "rdma_vers_high"},
		"2 property":          {&two{Vers: 2, CreditGrant: 1, HType: rpcrdma.HTypeConnProp, Props: badProps}, "BRS"},
		"2 Position":          {&two{Vers: 2, CreditGrant: 1, Reads: crooked}, "Position"},
		"2 body in MSG":       {&two{Vers: 2, CreditGrant: 1, Reads: zero}, "Position"},
		"2 empty NOMSG":       {&two{Vers: 2, CreditGrant: 1, HType: noMsg, XID: 1}, "rdma_xid"},
		"2 grant as Reply":    {&two{Vers: 2, CreditGrant: 1, HType: noMsg, Flags: response}, ""},
		"2 NOMSG Call":        {&two{Vers: 2, CreditGrant: 1, HType: noMsg, Reply: reply}, "rdma_htype"},
		"2 NOMSG Reply":       {&two{Vers: 2, CreditGrant: 1, HType: noMsg, Flags: response, Writes: writes}, "rdma_htype"},
		"2 reads in a Reply":  {&two{Vers: 2, CreditGrant: 1, Flags: response, Reads: read}, "rdma_reads"},
		"2 inv_handle":        {&two{Vers: 2, CreditGrant: 1, InvHandle: 1, Reads: read, Writes: writes, Reply: reply}, "rdma_inv_handle"},
		"2 handle of reads":   {&two{Vers: 2, CreditGrant: 1, InvHandle: a.Handle, Reads: read}, ""},
		"2 handle of writes":  {&two{Vers: 2, CreditGrant: 1, InvHandle: b.Handle, Writes: writes}, ""},
		"2 handle of reply":   {&two{Vers: 2, CreditGrant: 1, InvHandle: b.Handle, Reply: reply}, ""},
		"2 ignored handle":    {&two{Vers: 2, CreditGrant: 1, InvHandle: 1, Flags: response}, ""},
		"2022 vers":           {&latest{Vers: 1, HType: 5}, "rdma_vers"},
		"2022 htype":          {&latest{Vers: 2, HType: 3}, "rdma_htype"},
		"2022 GRANT":          {&latest{Vers: 2, HType: 5, XID: 1}, "rdma_xid"},
		"2022 ERROR":          {&latest{Vers: 2, HType: 4, Error: rpcrdma.Error2{Err: 99}}, "rdma_err"},
		"2022 property":       {&latest{Vers: 2, HType: 6, Props: badProps}, "BRS"},
		"2022 no Call chunk":  {&latest{Vers: 2, HType: 8}, "rdma_call"},
		"2022 Call Position":  {&latest{Vers: 2, HType: 8, Call: read}, "Position"},
		"2022 bad Call chunk": {&latest{Vers: 2, HType: 8, Call: rpcrdma.ReadList{1}}, "rdma_reads"},
		"2022 bad Write list": {&latest{Vers: 2, HType: 8, Call: zero, Writes: badWrites}, "rdma_writes"},
		"2022 body in reads":  {&latest{Vers: 2, HType: 10, Reads: zero}, "Position"},
		"2022 descending":     {&latest{Vers: 2, HType: 10, Reads: down}, "Position"},
		"2022 ascending":      {&latest{Vers: 2, HType: 10, Reads: apart}, ""},
		"2022 no Reply chunk": {&latest{Vers: 2, HType: 11, Writes: writes}, "rdma_reply"},
		"2022 inv_handle":     {&latest{Vers: 2, HType: 10, InvHandle: 1}, "rdma_inv_handle"},
		"2022 Call's handle":  {&latest{Vers: 2, HType: 8, Call: zero, InvHandle: a.Handle}, ""},
	} {
		complains(t, name, tc.header.Check(), tc.field)
		if allocs := testing.AllocsPerRun(10, func() { tc.header.Check() }); allocs != 0 {
			t.Errorf("%s: %v allocations", name, allocs)
		}
	}
}

func TestCheckPayload(t *testing.T) {
	reply := rpcrdma.WriteChunk(nil).Append(b)
	zero := rpcrdma.ReadList(nil).Append(0, a)
	read := rpcrdma.ReadList(nil).Append(8, a)
	for name, tc := range map[string]struct {
		header  interface{ CheckPayload([]byte) error }
		payload string
		field   string
		reason  error
	}{
		"1 Call":               {&rpcrdma.Version1{XID: 7, Reads: read}, "00000007 00000000", "", nil},
		"1 Reply":              {&rpcrdma.Version1{XID: 7, Credit: 1}, "00000007 00000001", "", nil},
		"1 short":              {&rpcrdma.Version1{XID: 7}, "00000007 000000", "msg_type", field.ErrShort},
		"1 other XID":          {&rpcrdma.Version1{XID: 7}, "00000008 00000000", "xid", field.ErrValue},
		"1 msg_type":           {&rpcrdma.Version1{XID: 7}, "00000007 00000002", "msg_type", field.ErrValue},
		"1 Reply with reads":   {&rpcrdma.Version1{XID: 7, Credit: 1, Reads: read}, "00000007 00000001", "rdma_reads", field.ErrValue},
		"1 Reply grants none":  {&rpcrdma.Version1{XID: 7}, "00000007 00000001", "rdma_credit", field.ErrValue},
		"1 NOMSG with payload": {&rpcrdma.Version1{Proc: rpcrdma.ProcNoMsg, Reads: zero}, "00", "Trailing octets", field.ErrValue},
		"1 NOMSG Call":         {&rpcrdma.Version1{Proc: rpcrdma.ProcNoMsg, Reads: zero, Reply: reply}, "", "", nil},
		"1 NOMSG grants none":  {&rpcrdma.Version1{Proc: rpcrdma.ProcNoMsg, Reply: reply}, "", "rdma_credit", field.ErrValue},
		"1 NOMSG Reply reads":  {&rpcrdma.Version1{Credit: 1, Proc: rpcrdma.ProcNoMsg, Reads: read, Reply: reply}, "", "rdma_reads", field.ErrValue},
		"2 empty":              {&rpcrdma.Version2{}, "", "rdma_rpc_first_word", field.ErrShort},
		"2 one octet":          {&rpcrdma.Version2{}, "00", "", nil},
		"2 CONNPROP":           {&rpcrdma.Version2{HType: rpcrdma.HTypeConnProp}, "00", "Trailing octets", field.ErrValue},
		"2022 empty":           {&rpcrdma.Draft2022{HType: rpcrdma.HType2022CallMiddle}, "", "rdma_rpc_first_word", field.ErrShort},
		"2022 one octet":       {&rpcrdma.Draft2022{HType: rpcrdma.HType2022ReplyInline}, "00", "", nil},
		"2022 GRANT":           {&rpcrdma.Draft2022{HType: rpcrdma.HType2022Grant}, "00", "Trailing octets", field.ErrValue},
	} {
		err := tc.header.CheckPayload(octets(t, tc.payload))
		var e *field.Error
		if tc.field == "" && err != nil || tc.field != "" && (!errors.As(err, &e) || e.Field != tc.field || e.Reason != tc.reason) {
			t.Errorf("%s: %v, want a complaint about %s", name, err, tc.field)
		}
	}
}

func TestCheckRPC(t *testing.T) {
	for _, tc := range []struct {
		rpc   string
		reply bool
		want  string
	}{
		{"00000007 00000000", false, ""},
		{"00000007 00000001 00", true, ""},
		{"00000007 00000001", false, "RPC message: msg_type: value is not allowed: contradicts the transport header (draft 01, section 6.2.2.1)"},
		{"00000007 00000000", true, "RPC message: msg_type: value is not allowed: contradicts the transport header (draft 01, section 6.2.2.1)"},
		{"00000008 00000000", false, "RPC message: xid: value is not allowed: must be rdma_xid (RFC 8166, section 4.2.1)"},
		{"00000007", false, "RPC message: msg_type: header ends early"},
	} {
		err := rpcrdma.CheckRPC(octets(t, tc.rpc), 7, tc.reply)
		if err == nil && tc.want != "" || err != nil && err.Error() != tc.want {
			t.Errorf("%s: %v, want %q", tc.rpc, err, tc.want)
		}
	}
}

func TestIsReply(t *testing.T) {
	zero := rpcrdma.ReadList(nil).Append(0, a)
	reply := rpcrdma.WriteChunk(nil).Append(b)
	for name, tc := range map[string]struct {
		header    rpcrdma.Version1
		payload   string
		reply, ok bool
	}{
		"MSG Call":    {rpcrdma.Version1{}, "00000001 00000000", false, true},
		"MSG Reply":   {rpcrdma.Version1{}, "00000001 00000001", true, true},
		"MSG neither": {rpcrdma.Version1{}, "00000001 00000002", false, false},
		"MSG cut":     {rpcrdma.Version1{}, "00000001", false, false},
		"MSGP Reply":  {rpcrdma.Version1{Proc: rpcrdma.ProcMsgP}, "00000001 00000001", true, true},
		"NOMSG Call":  {rpcrdma.Version1{Proc: rpcrdma.ProcNoMsg, Reads: zero, Reply: reply}, "", false, true},
		"NOMSG Reply": {rpcrdma.Version1{Proc: rpcrdma.ProcNoMsg, Reply: reply}, "", true, true},
		"NOMSG empty": {rpcrdma.Version1{Proc: rpcrdma.ProcNoMsg}, "", false, false},
		"ERROR":       {rpcrdma.Version1{Proc: rpcrdma.ProcError}, "", true, true},
	} {
		if reply, ok := tc.header.IsReply(octets(t, tc.payload)); ok != tc.ok || ok && reply != tc.reply {
			t.Errorf("%s: %v, %v", name, reply, ok)
		}
	}
	if _, ok := (&rpcrdma.Version1{Proc: rpcrdma.ProcDone}).IsReply(nil); ok {
		t.Error("an RDMA_DONE has a direction")
	}
}

func TestCreditGrant(t *testing.T) {
	for name, v := range vectors {
		if h, ok := v.want.(*rpcrdma.Version2); ok && h.IsCreditGrant() != (name == "credit grant") {
			t.Errorf("%s: %v", name, h.IsCreditGrant())
		}
	}
}
