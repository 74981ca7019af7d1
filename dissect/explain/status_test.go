package explain_test

import (
	"slices"
	"testing"

	"github.com/iwarpkit/iwarp/dissect/explain"
)

// TestStatuses explains what programs and the kernel report.
func TestStatuses(t *testing.T) {
	for query, want := range map[string][]string{
		"IBV_WC_REM_ACCESS_ERR":  {"status IBV_WC_REM_ACCESS_ERR"},
		"IB_WC_WR_FLUSH_ERR":     {"status IBV_WC_WR_FLUSH_ERR"},
		"remote access error":    {"status IBV_WC_REM_ACCESS_ERR"},
		"wc status 12":           {"status IBV_WC_RETRY_EXC_ERR"},
		"RDMA_CM_EVENT_REJECTED": {"status RDMA_CM_EVENT_REJECTED"},
		"errno -111":             {"status ECONNREFUSED"},
		"-111":                   {"status ECONNREFUSED"},
		"ksmbd: smb_direct: failed to post send: -22":        {"status EINVAL"},
		"nvmet_rdma: received unrecognized RDMA CM event 10": {"status RDMA_CM_EVENT_DISCONNECTED"},
		"the secret source is at -22 degrees":                {}, // "ret" and "rc" are parts of words there
		"terrible retries, resource -5":                      {},
		"tcma event 8":                                       {},
		"cma events 8":                                       {},
		"siw: call returned -22":                             {"status EINVAL"},
		"retval -22":                                         {"status EINVAL"},
		"ret_val -5 fail":                                    {"status EIO"},
		"post_send_failed -22":                               {"status EINVAL"},
		"ib_err=-5":                                          {"status EIO"},
		"x: errcode -5":                                      {"status EIO"},
		"error_code=-98":                                     {"status EADDRINUSE"},
		"errors: -5":                                         {"status EIO"},
		"errored out -5":                                     {"status EIO"},
		"rc_status=-5":                                       {"status EIO"},
		"status_code: -19":                                   {"status ENODEV"},
		"isert_cm event 10":                                  {"status RDMA_CM_EVENT_DISCONNECTED"},
		"x: failure, rc=-5":                                  {"status EIO"},
		"RDMA CM: ADDR_ERROR: failed to resolve IP. status -110":    {"kernel rdma_cm", "status ETIMEDOUT"},
		"RDMA CM: ADDR_ERROR: failed to acquire device. status -19": {"kernel rdma_cm", "status ENODEV"},
		"max_bc_requests  : 2":                         {"kernel svcrdma"},
		"NFS3ERR_STALE":                                {"rpc NFS3ERR_STALE"},
		"NFS4ERR_DELAY":                                {"rpc NFS4ERR_DELAY"},
		"mount hangs":                                  {"symptom mount hangs"},
		"mount.nfs: Connection timed out":              {"symptom mount hangs"},
		"mount.nfs: mount system call failed for /mnt": {"symptom connection refused"},
		"mount.nfs: access denied by server while mounting a:/b": {"symptom access denied"},
		"rpcrdma: connection to 10.0.0.2:20049 closed (-111)":    {"kernel xprtrdma", "status ECONNREFUSED"},
		"hang":        {"symptom mount hangs"},
		"hello world": nil,

		// Messages of the kernel, with the status in them.
		"iw_cxgb4: AE ... status 0x2": {"kernel cxgb4", "status T4_ERR_PDID"},
		"cxgb4 0000:01:00.4: AE qpid 1034 opcode 3 status 0x13 type 0 len 0x0 wrid.hi 0x0 wrid.lo 0x0": {"kernel cxgb4", "status T4_ERR_OUT_OF_RQE"},
		"infiniband irdma0: abnormal ae_id = 0x306 bool qp=1 qp_id = 5, ae_src=1":                      {"kernel irdma", "status IRDMA_AE_DDP_UBE_INVALID_MSN_NO_BUFFER_AVAILABLE"},
		"[ 12.5] nvme nvme0: RECV for CQE 0x00000000abcd failed with status remote access error (10)":  {"kernel nvmet-rdma", "status IBV_WC_REM_ACCESS_ERR"},
		"isert: isert_print_wc: recv failure: WR flushed (5) vend_err 0":                               {"kernel isert", "status IBV_WC_WR_FLUSH_ERR"},
		"ksmbd: smb_direct: Send error. status='transport retry counter exceeded (12)', opcode=0":      {"kernel ksmbd", "status IBV_WC_RETRY_EXC_ERR"},
		"siw: crc error. in: 12345678, own 00000001, op 3":                                             {"kernel siw"},
		"siw: device registration error -12":                                                           {"kernel siw", "status ENOMEM"},
		"siw0: QP[3] siw_qp_nextstate_from_idle: no socket":                                            {"kernel siw"},
		"RPC/RDMA backchannel overflow":                                                                {"kernel xprtrdma"},
		"svcrdma: Listener dead, address change failed for device siw0":                                {"kernel svcrdma"},
	} {
		if got := names(explain.Lookup(query)); !slices.Equal(got, want) {
			t.Errorf("%q is %q, want %q", query, got, want)
		}
	}
}

// TestSeeOfStatuses asks for everything that statuses and symptoms refer to.
func TestSeeOfStatuses(t *testing.T) {
	for first := range 256 {
		for _, s := range explain.Complete(string(rune(first))) {
			for _, e := range explain.Lookup(s.Query) {
				for _, see := range e.See {
					if (e.Kind == explain.KindStatus || e.Kind == explain.KindSymptom) && explain.Lookup(see) == nil {
						t.Errorf("%s refers to %q", e.Name, see)
					}
				}
			}
		}
	}
}
