package cli

// Connections of iwarp serve that were not established.

import (
	"encoding/hex"
	"errors"
	"fmt"
	"net"

	"github.com/iwarpkit/iwarp/rnicsim/driver"
)

// rejected reports a Request that was rejected. err is the reason; nil with --reject.
func (t *teller) rejected(r *driver.Request, err error) {
	t.refused(r, "rejected", &t.sum.rejected, err)
}

// failed reports a Request that could not be accepted.
func (t *teller) failed(r *driver.Request, err error) {
	t.refused(r, "did not accept", &t.sum.failed, err)
}

func (t *teller) refused(r *driver.Request, words string, count *uint64, err error) {
	frame := r.Frame()
	t.turnedDown(&refusal{r.Serial(), r.RemoteAddr(), r.LocalAddr(), frame.ULPPrivateData(), words}, count, err)
}

// notBegun reports a peer that sent no valid MPA Request.
func (t *teller) notBegun(f driver.Failure) {
	t.turnedDown(&refusal{f.Serial, f.Remote, f.Local, nil, "did not accept"}, &t.sum.failed, f.Err)
}

// notMade reports a connection that this side could not establish.
func (t *teller) notMade(conn uint64, nc net.Conn, err error) {
	r := &refusal{conn, nc.LocalAddr(), nc.RemoteAddr(), nil, "did not connect to"}
	count := &t.sum.failed
	var rejected *driver.Rejected
	if errors.As(err, &rejected) {
		r.private, r.words, count = rejected.Reply.ULPPrivateData(), "was rejected by", &t.sum.rejected
	}
	t.turnedDown(r, count, err)
}

// A refusal is a connection that was not accepted.
type refusal struct {
	conn           uint64
	client, server net.Addr
	private        []byte
	words          string // what happened
}

func (t *teller) turnedDown(r *refusal, count *uint64, err error) {
	t.mu.Lock()
	*count++
	t.mu.Unlock()
	why := reason(err)
	words := fmt.Sprintf("connection %d: %s ", r.conn, r.words)
	if t.initiates {
		words += r.server.String() // err has the Private Data
	} else {
		words += r.client.String() + withPrivate(r.private)
	}
	if why != nil {
		words += ": " + *why
	}
	t.log.note("connections not accepted", "%s", words)
	t.log.event("reject", struct {
		liveLine
		addresses
		PrivateData string  `json:"private_data"`
		Error       *string `json:"error"`
	}{t.log.newConnLine("reject", r.conn), endsOf(r.client, r.server), hex.EncodeToString(r.private), why})
}
