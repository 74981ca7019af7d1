package explain

// Symptoms: what people see who have no code, and which checks tell the causes apart.

import (
	"strings"
	"unicode"

	"github.com/iwarpkit/iwarp/internal/spelling"
)

// A symptom is something that goes wrong in the words of whoever sees it.
type symptom struct {
	name   string
	aka    []string
	title  string
	checks []string // what to do, in this order
	see    []string
}

var symptoms = []symptom{
	{
		name: "mount hangs", aka: []string{"hang", "hangs", "mount hang", "hung", "stuck", "not responding", "no response", "times out", "timed out", "timeout"},
		title: "a mount or a program waits and nothing happens",
		checks: []string{
			"1. iwarp check FILE says who owes what to whom: a call without an answer, SYNs or octets that nobody acknowledges, a closed window.",
			"2. If there is no MPA Request, the port does not carry iWARP, or nothing listens: the NFS port over RDMA is 20049.",
			"3. With a Request and no Reply, the server has not accepted: look at its log, and whether its service takes RDMA.",
			"4. With Calls and no Replies, iwarp decode --rpc FILE shows which calls wait. Look at credits, and at chunks that were never read.",
			"5. If only long messages wait, the path MTU may be too small: iwarp check names full-size segments that are sent again.",
		},
		see: []string{"credits", "port 20049", "MPA Reply", "ETIMEDOUT"},
	}, {
		name: "connection refused", aka: []string{"cannot connect", "connect fails", "mount fails", "connection rejected", "mount system call failed"},
		title: "a connection cannot be established",
		checks: []string{
			"1. A reset in answer to the SYN: nothing listens on the port, or a firewall rejects it.",
			"2. A reset or FIN in answer to the MPA Request: the revision, Markers or CRC were not accepted.",
			"3. An MPA Reply with R set: the program at the other side rejected; its Private Data may say why.",
			"4. A Terminate as the first FPDU: IRD, ORD or the RTR did not fit (2/0/05 to 2/0/07).",
		},
		see: []string{"MPA Reply", "Rev", "2/0", "ECONNREFUSED", "EIO"},
	}, {
		name: "access denied", aka: []string{"access denied by server"},
		title: "the server refuses a mount, over a connection that works",
		checks: []string{
			"1. Look at the exports of the server (exportfs -v): the path, the client's address, and sec=.",
			"2. iwarp decode --rpc FILE shows the status with which NFS version 4 refuses. Version 3 asks the MOUNT program first, over UDP or TCP.",
			"3. An older Linux server needs the export option insecure: a client over RDMA does not use a reserved port.",
		},
		see: []string{"EACCES", "NFS4ERR_ACCESS"},
	}, {
		name: "connection lost", aka: []string{"disconnects", "connection drops", "reconnects", "connection reset", "connection resets"},
		title: "connections end that should stay",
		checks: []string{
			"1. A Terminate names the error, and encloses the header of the message in error, which came from the other side.",
			"2. A reset without a Terminate: the RNIC, its driver or the program ended it; look at the log of the side that sent it.",
			"3. Octets sent again without an acknowledgement before the end: the network, or a host that is gone.",
			"4. Several connections that end together: the RNIC or the host failed.",
		},
		see: []string{"Terminate", "ECONNRESET", "WR_FLUSH_ERR"},
	}, {
		name: "slow", aka: []string{"low throughput", "high latency", "poor performance", "performance"},
		title: "everything works, but takes long",
		checks: []string{
			"1. iwarp stats FILE has the latency of reads and calls, and what TCP sent again.",
			"2. Closed windows and duplicate acknowledgements point at the receiver or the network; long times between a request and its answer at the server.",
			"3. Few Read Requests at a time mean a small ORD; calls that wait for credits, a small grant.",
			"4. Small FPDUs for large messages mean a small MSS, or Markers.",
		},
		see: []string{"ORD", "credits", "Marker"},
	}, {
		name: "large transfers stall", aka: []string{"transfer stalls", "transfers stall", "stalls", "small files work", "only small files", "works with small files"},
		title: "what is short arrives, what is long does not",
		checks: []string{
			"1. Full-size segments that are sent again while short ones are acknowledged: a link on the way has a smaller MTU, and ICMP does not come back. " +
				"iwarp check names the sizes; compare ping -M do -s.",
			"2. A TCP window that stays closed: the receiver stopped reading.",
			"3. RDMA Reads that are never answered: iwarp stats shows how many were outstanding, and the ORD and IRD that were negotiated.",
		},
		see: []string{"OBS-BLACK-HOLE", "ORD", "IRD"},
	}, {
		name: "crc errors", aka: []string{"bad crc", "corruption", "data corruption"},
		title: "the CRC is wrong",
		checks: []string{
			"1. If the CRCs are bad in the capture, the octets changed before the point of capture; if they are good there, after it.",
			"2. CRC errors that begin in one frame and go on are lost FPDU boundaries: look for the first, and for octets after an MPA frame.",
			"3. Single ones: memory, or a middlebox or offload that changes octets. Check whether both sides agree on Markers and CRC.",
		},
		see: []string{"2/0/02", "CRC32c", "Marker"},
	},
}

// symptom finds a symptom within what somebody says: "why does the mount hang?".
func (q query) symptom() []Entry {
	said := " " + strings.Join(strings.FieldsFunc(strings.ToLower(q.text[:min(len(q.text), maxQuery)]), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}), " ") + " "
	for i := range symptoms {
		for _, name := range append([]string{symptoms[i].name}, symptoms[i].aka...) {
			if strings.Contains(said, " "+name+" ") {
				return theIndex().lookup(spelling.Fold(symptoms[i].name))
			}
		}
	}
	return nil
}

func symptomTopics() (topics []topic) {
	for i := range symptoms {
		s := &symptoms[i]
		topics = append(topics, Entry{
			Kind: KindSymptom, Name: s.name, Title: s.title, Text: s.checks, See: s.see, Sources: []string{"iwarp check"},
		}.topic(s.aka))
	}
	return topics
}
