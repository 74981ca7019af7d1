package cli

// What two ends have negotiated, and the Terminate that ended the connection, for programs and people.

import (
	"cmp"
	"errors"
	"fmt"
	"net"
	"strings"

	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/rnicsim/driver"
)

// addresses are those of a connection.
type addresses struct {
	Client string `json:"client"`
	Server string `json:"server"`
}

func endsOf(client, server net.Addr) addresses { return addresses{client.String(), server.String()} }

// An agreement is what the MPA frames negotiated.
type agreement struct {
	Rev        uint8 `json:"mpa_revision"`
	CRC        bool  `json:"crc"`
	MarkersC2S bool  `json:"markers_c2s"`
	MarkersS2C bool  `json:"markers_s2c"`
	ORDC2S     *int  `json:"ord_c2s"`
	ORDS2C     *int  `json:"ord_s2c"`
}

func agreed(c *driver.Conn) agreement {
	a := c.Agreement()
	known := func(n int) *int {
		if n < 0 {
			return nil
		}
		return &n
	}
	return agreement{
		Rev: a.Rev, CRC: a.CRC, MarkersC2S: a.MarkersFromInit, MarkersS2C: a.MarkersFromResp,
		ORDC2S: known(a.InitORD), ORDS2C: known(a.RespORD),
	}
}

// String is a few words: revision, CRCs, Markers and ORDs.
func (a *agreement) String() string {
	s := []string{fmt.Sprintf("MPA revision %d", a.Rev), "CRCs", "no Markers"}
	if !a.CRC {
		s[1] = "no CRCs"
	}
	switch {
	case a.MarkersC2S && a.MarkersS2C:
		s[2] = "Markers"
	case a.MarkersC2S:
		s[2] = "Markers from the client"
	case a.MarkersS2C:
		s[2] = "Markers from the server"
	}
	if a.ORDC2S != nil && a.ORDS2C != nil {
		s = append(s, fmt.Sprintf("ORD %d (client), %d (server)", *a.ORDC2S, *a.ORDS2C))
	}
	return strings.Join(s, ", ")
}

// A terminate is a Terminate that ended a connection.
type terminate struct {
	From  string `json:"from"`
	Code  string `json:"code"`
	Name  string `json:"name"`
	About string `json:"about,omitempty"` // type of the message
}

// terminateOf is the Terminate in an error, if there is one. local and remote name the two ends.
func terminateOf(err error, local, remote string) *terminate {
	var end *driver.Terminated
	if !errors.As(err, &end) {
		return nil
	}
	t := &terminate{From: remote, Code: end.Terminate.Code.String(), Name: end.Terminate.Code.Name()}
	t.Name = cmp.Or(t.Name, end.Terminate.Code.Describe())
	if end.Local {
		t.From = local
	}
	if end.Terminate.HasHeader {
		t.About = rdmap.Opcode(end.Terminate.Header.Control.Opcode).String()
	}
	return t
}
