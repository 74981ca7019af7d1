package filter

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/iwarpkit/iwarp/codec/ddp"
	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/nfs"
	"github.com/iwarpkit/iwarp/codec/oncrpc"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/codec/rpcrdma"
	"github.com/iwarpkit/iwarp/dissect/ulp/iser"
	"github.com/iwarpkit/iwarp/dissect/ulp/nvme"
	"github.com/iwarpkit/iwarp/dissect/ulp/smbdirect"
)

// TestEveryFieldCanBeNamed checks that no field of any table is missing, and that what Fields lists compiles: alone,
// and compared with each of its names.
func TestEveryFieldCanBeNamed(t *testing.T) {
	listed := map[string]Field{}
	for _, f := range slices.Concat(Fields(), RequestFields()) {
		listed[f.Name] = f
		if f.Text == "" || strings.TrimSpace(f.Text) != f.Text {
			t.Errorf("%s is said to be %q", f.Name, f.Text)
		}
		if _, err := Compile(f.Name); err != nil {
			t.Error(err)
		}
		for _, name := range f.Values {
			if _, err := Compile(f.Name + " == " + strconv.Quote(name)); err != nil {
				t.Error(err)
			}
		}
	}
	for _, table := range slices.Concat(
		mpa.Tables, ddp.Tables, rdmap.Tables, rpcrdma.Tables, oncrpc.Tables, nfs.Tables, nvme.Tables, iser.Tables, smbdirect.Tables,
	) {
		for i := range table.Fields {
			if f := listed[table.Fields[i].Name]; f.Name == "" {
				t.Errorf("%s of the %s cannot be named", table.Fields[i].Name, table.Name)
			}
		}
	}
	for name, some := range map[string]string{
		"iwarp_rdma.opcode": "SendSEInvalidate", "iwarp_rdma.term_errcode": "MPA CRC Error", "rpc.procedure": "READDIRPLUS",
		"nfs.nfsstat4": "NFS4ERR_BADHANDLE", "nfs.opcode": "ILLEGAL", "rpcordma.msg_type": "RDMA2_CALL_MIDDLE",
		"type": "MPAReply", "finding": "OBS-NO-REPLY",
		"nvme.cmd.opc": "Read", "nvme.cqe.status": "LBA Out of Range",
		"nvme.fabrics.cmd.fctype": "Connect", "iscsi.opcode": "SCSI Response", "smb2.cmd": "NEGOTIATE",
		"smb2.nt_status": "STATUS_SUCCESS", "iser.flags.opcode": "iSER Hello",
	} {
		if !slices.Contains(listed[name].Values, some) {
			t.Errorf("%s does not have the value %s, only %s", name, some, listed[name].Values)
		}
	}
}

// TestNamesAreUnambiguous checks that in one table a name stands for one value, that it is read back, and that values
// which have no name of their own are not among them. Only a status of NVMe is many values, for it has flags.
func TestNamesAreUnambiguous(t *testing.T) {
	enumerations := 0
	for _, table := range tables {
		for i := range table.Fields {
			f := &table.Fields[i]
			if f.Known == nil {
				continue
			}
			enumerations++
			last := int64(-1)
			for v := range f.Known {
				if f.Name == "nvme.cqe.status" && v%3 != 0 {
					continue // there are thousands
				}
				name := f.Names(v)
				got := valuesOf(f, name)
				if one := len(got) == 1 || f.Name == "nvme.cqe.status"; !one || !slices.Contains(got, v) {
					t.Errorf("%s: %d is called %q, which is read as %d", f.Name, v, name, got)
				}
				if int64(v) <= last || name == "" {
					t.Errorf("%s: %d behind %d, called %q", f.Name, v, last, name)
				}
				const unknown = 1 << 20
				kind, numbered := strings.CutSuffix(name, fmt.Sprint(v))
				if numbered && f.Names(unknown) == kind+fmt.Sprint(unknown) {
					t.Errorf("%s: %q is not a name of its own", f.Name, name)
				}
				last = int64(v)
			}
		}
	}
	if enumerations < 30 {
		t.Errorf("only %d enumerations", enumerations)
	}
}

// TestNeeds checks that a filter asks for what its fields need.
func TestNeeds(t *testing.T) {
	for text, want := range map[string]Needs{
		"":                               {},
		"iwarp_ddp.stag and conn":        {},
		"rpcordma.private.version":       {},
		"rpc.xid == 1":                   {Payload: true, Analysis: true, Request: true},
		"rpc.msgtyp == REPLY":            {Payload: true, Analysis: true},
		"nvme.cqe.cid == 1":              {Analysis: true},
		"nvme.cmd.opc == Read":           {Analysis: true, Request: true},
		"request.iscsi.lun":              {Analysis: true, Request: true},
		"not conn and (len or nfs)":      {Payload: true, Analysis: true},
		"rpcordma":                       {Payload: true, Analysis: true},
		"xid == 5":                       {Payload: true, Analysis: true, Request: true},
		"finding":                        {Analysis: true},
		"rpc or severity == error":       {Payload: true, Analysis: true},
		"outcome == refused or latency ": {Analysis: true},
	} {
		f, err := Compile(text)
		if err != nil {
			t.Fatal(err)
		}
		if got := f.Needs(); got != want {
			t.Errorf("%q needs %+v, want %+v", text, got, want)
		}
	}
}
