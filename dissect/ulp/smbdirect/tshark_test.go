package smbdirect_test

import (
	"slices"
	"testing"

	"github.com/iwarpkit/iwarp/codec/field"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/ulp/smbdirect"
	"github.com/iwarpkit/iwarp/internal/tools"
	"github.com/iwarpkit/iwarp/internal/ulptest"
)

// TestTshark compares every field of every packet of a capture, and those of the SMB2 commands that are in one packet;
// of others tshark speaks where they end.
func TestTshark(t *testing.T) {
	tools.Require(t, "tshark")
	const file = "../../../pcaps/samples/smbdirect.pcap.gz"
	ofSMB2 := slices.DeleteFunc(slices.Clone(smbdirect.Tables), func(t *field.Table) bool {
		return t.Proto != "smb2" || t.Name == "SMB2 READ Response"
	})
	ours := make(ulptest.Reading)
	r := ulptest.Recorder{OnUpper: func(m *record.Upper) {
		ours.TakeBody(m.LastFrame, m.Body)
		if p := m.Body.(*smbdirect.Packet); p.Remaining > 0 || p.Rest {
			for _, table := range ofSMB2 {
				for i := range table.Fields {
					delete(ours[m.LastFrame], table.Fields[i].Name)
				}
			}
		}
	}}
	r.Run(t, file, smbdirect.Layer)
	options := []string{"-o", "tcp.try_heuristic_first:TRUE", "-Y", "smb_direct"}
	compared := ours.Compare(t, ulptest.Tshark(t, file, smbdirect.Tables, options...))
	for _, name := range []string{
		"smb_direct.version.min", "smb_direct.version.negotiated", "smb_direct.max_read_write_size",
		"smb_direct.max_fragmented_size",
		"smb_direct.credits.requested", "smb_direct.credits.granted", "smb_direct.remaining_length", "smb_direct.data_length",
		"smb2.cmd", "smb2.msg_id", "smb2.nt_status", "smb2.flags", "smb2.chain_offset", "smb2.sesid", "smb2.channel",
		"smb2.file_offset", "smb2.read_length", "smb2.read_remaining",
	} {
		if compared[name] == 0 {
			t.Errorf("%s was never compared", name)
		}
	}
}
