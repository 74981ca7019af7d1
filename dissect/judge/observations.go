package judge

// What is worth saying and breaks no rule.

import (
	"iter"

	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/dissect/record"
)

// An Observation is something that findings tell beside breaches of rules: what is allowed, and yet explains why
// something failed or was slow.
type Observation struct {
	ID       string // "OBS-NO-REPLY"
	Name     string // "no-reply"
	Text     string // what it is, in a sentence
	Advice   string // what usually causes it, and what to look at next
	Severity rules.Severity
	role     role
}

// observations is every Observation, in the order of a connection's life.
var observations = make([]*Observation, 0, 80) // room for all of them

func newObservation(id, name string, as role, s rules.Severity, text, advice string) *Observation {
	o := &Observation{id, name, text, advice, s, as}
	observations = append(observations, o)
	return o
}

// The observations.
var (
	ObsRefused = newObservation("OBS-REFUSED", "refused", decision, rules.Warning,
		"The SYN was answered with a reset: nobody listens on the port, or somebody in between refuses.",
		"Most often the service is not running, or listens on another port or address. See what listens on the "+
			"server, and in the RNIC's own table of ports too, then whether a firewall answers for it.")
	ObsNoAnswer = newObservation("OBS-NO-ANSWER", "no-answer", blockage, rules.Warning,
		"Nothing answered the SYNs of the client, or the client did not answer the SYN with ACK of the server, or only with resets.",
		"The host is down or its address is wrong, a firewall drops the packets, or the answers take another way. See "+
			"whether the SYN arrives at the server, and whether the server's answer leaves it.")
	ObsPortsInUse = newObservation("OBS-PORTS-IN-USE", "ports-in-use", decision, rules.Warning,
		"A side sent SYNs for a new connection, and the other side still has one with the same addresses and ports, and answers for that.",
		"The host that sends the SYNs was restarted, or dropped the old connection, and uses its port again. Its resets make the other side "+
			"drop it, too, unless a firewall or a NAT keeps them back; else it lasts until keep-alives or a time-out end it (RFC 5961, section 4). See which "+
			"connections the other host lists (ss -tn, and the RNIC's own table), and use another port.")
	ObsUnreachable = newObservation("OBS-UNREACHABLE", "unreachable", decision, rules.Warning,
		"An ICMP error says that packets of a side are not delivered, and nothing was acknowledged since.",
		"The sender of the ICMP error says why: no route, a port that nobody listens on, a firewall that forbids it, or a "+
			"packet larger than a link on its way. In the last case compare the MTUs of both hosts with that of the path.")
	ObsUnacknowledged = newObservation("OBS-UNACKNOWLEDGED", "unacknowledged", blockage, rules.Warning,
		"Octets of a side were never acknowledged, although it sent them again and again, or the other side acknowledged only what is before them.",
		"The other host is down, or the network does not deliver: a route or link failed, a firewall forgot the "+
			"connection. See whether the host answers at all, and where on the way its packets end.")
	ObsBadChecksum = newObservation("OBS-BAD-CHECKSUM", "bad-checksum", blockage, rules.Warning,
		"A side sent octets again and again, each time with a wrong TCP checksum, and they were never acknowledged.",
		"Whatever computes or changes the checksum is at fault: an RNIC with checksum offload, a tunnel such as VXLAN, or a device that rewrites "+
			"packets. Turn offload off at the sender (ethtool -K DEVICE tx off), see whether its packets arrive then, and capture further along the way.")
	ObsBlackHole = newObservation("OBS-BLACK-HOLE", "black-hole", blockage, rules.Warning,
		"Full-size packets of a side are never acknowledged, while smaller ones are: a path-MTU black hole.",
		"A link on the way has a smaller MTU, and the ICMP errors that say so do not arrive, or are ignored. Compare the MTUs of both hosts and of "+
			"the links between them; ping -M do -s SIZE shows what gets through. Set that MTU on both hosts, let the ICMP errors "+
			"pass, or clamp the MSS on the router.")
	ObsLostOnPath = newObservation("OBS-LOST-ON-PATH", "lost-on-path", blockage, rules.Warning,
		"Two captures show that a packet left one end and that no copy of it ever reached the other.",
		"The network between the two captures does not deliver: capture at the switches and firewalls on the way, and see the "+
			"counters of dropped packets at each port. If only large packets are lost, compare the MTUs: ping -M do -s.")
	ObsChangedOnPath = newObservation("OBS-CHANGED-ON-PATH", "changed-on-path", breach, rules.Error,
		"Two captures show that octets changed on the way.",
		"Something between the two captures changed them: an RNIC or a driver with offload, a switch with bad memory, or a "+
			"device that rewrites packets. Where the CRC of MPA is right at both ends, whatever changed them speaks MPA, or "+
			"did it before the sender computed the CRC. Use CRCs, and capture further along the way.")
	ObsForgedReset = newObservation("OBS-FORGED-RESET", "forged-reset", decision, rules.Warning,
		"A reset arrived that the side it names never sent: two captures show it, or that side goes on.",
		"A firewall, a load balancer or the like ended the connection in the name of the other end: see its log and its timeouts. If the reset has "+
			"another MAC address, see whether two hosts have one IP address (arping -D), and where switches have learnt both MAC addresses.")
	ObsUnheardReset = newObservation("OBS-UNHEARD-RESET", "unheard-reset", blockage, rules.Warning,
		"Two captures show that a reset left one end and never reached the other, which goes on as if nothing had happened.",
		"Something on the way drops it, as a firewall that has forgotten the connection does.")
	ObsPathLoss = newObservation("OBS-PATH-LOSS", "path-loss", bystander, rules.Note,
		"Two captures show packets that were lost on the way, and octets that were sent again and arrived.",
		"A few are normal. See the counters of dropped packets on the way, and whether a link is overloaded.")
	ObsPathDamage = newObservation("OBS-PATH-DAMAGE", "path-damage", bystander, rules.Note,
		"Packets were damaged on the way and sent again, because TCP's checksums revealed it.",
		"A link, a cable or the memory of a switch is bad: TCP's checksum misses one damaged packet in 65,536.")
	ObsAltered = newObservation("OBS-ALTERED", "altered", breach, rules.Error,
		"Octets were sent again with other values: something changes the stream, and computes new TCP checksums.",
		"TCP never changes what it sends again. A proxy, a firewall or a driver between the sender and the place of the capture "+
			"rewrites packets, or the sender reuses a buffer before it is acknowledged. Capture at the sender too (iwarp check CLIENT SERVER compares both), and compare the packets of both frames.")
	ObsSpoiled = newObservation("OBS-SPOILED", "spoiled", bystander, rules.Warning,
		"Octets in the capture are not those that the receiver got: their TCP checksum is wrong, and yet they were acknowledged and not sent again.",
		"The file was damaged after it was written, or edited, or the host that captured changed octets: capture again, or copy the file again. Whatever "+
			"these octets say, iwarp blames neither side for it. If the receiver sends a Terminate because of them, its RNIC does not look at TCP checksums.")
	ObsCaptureMissing = newObservation("OBS-CAPTURE-MISSING", "capture-missing", bystander, rules.Note,
		"One of two captures lacks packets which have passed there.",
		"The capture lost them, not the network: see what tcpdump says was dropped by the kernel, and use a larger buffer (-B).")
	ObsHalfOpen = newObservation("OBS-HALF-OPEN", "half-open", blockage, rules.Warning,
		"A side sent keep-alives, and nothing of the other side came any more, or only a reset.",
		"The other host is down or was restarted, or something between the two has forgotten the connection. See "+
			"whether the host answers at all, and the timeouts of firewalls and balancers.")
	ObsWindowClosed = newObservation("OBS-WINDOW-CLOSED", "window-closed", blockage, rules.Warning,
		"A side closed its TCP window and did not open it again.",
		"The receiver does not empty its buffer: its host or RNIC is stuck, or waits for memory or for receive buffers. "+
			"Look at its log for that time.")
	ObsForeign = newObservation("OBS-FOREIGN", "foreign", decision, rules.Warning,
		"The client spoke another protocol than MPA, or nothing at all until the server ended the connection without an answer.",
		"Look at which program on the client uses this port. If it is the right one, tell it to use RDMA.")
	ObsRequestCut = newObservation("OBS-REQUEST-CUT", "request-cut", decision, rules.Warning,
		"The client sent only a part of an MPA Request, and the server gave up waiting for the rest.",
		"The program on the client stopped or died while it connected, or sends its Request in pieces and lost one. See its log for "+
			"that time.")
	ObsNoReply = newObservation("OBS-NO-REPLY", "no-reply", silence, rules.Warning,
		"The MPA Request was never answered, or only after the client had given up, or with octets that are not an MPA Reply.",
		"The application did not accept the connection, or what listens on that port does not speak MPA, or not that revision. See "+
			"who ended the connection, and look at the server's log for the time of the Request.")
	ObsPrivateData = newObservation("OBS-PRIVATE-DATA", "private-data-length", breach, rules.Error,
		"An MPA frame is followed, in the same packet, by octets that are neither its Private Data nor an FPDU: its PD_Length is wrong.",
		"The RNIC of the sender states another length than it sends, as can happen with much of it. Use less Private Data.")
	ObsShortFPDU = newObservation("OBS-SHORT-FPDU", "short-fpdu", breach, rules.Error,
		"An FPDU is shorter than its ULPDU_Length says: another FPDU, with a good CRC, begins within it.",
		"The sender wrote a wrong ULPDU_Length, or never sent the rest of the FPDU. The receiver finds no FPDU from there on. "+
			"Look at how the sender cuts its messages into FPDUs, and at segmentation offload on the host of an RNIC in software.")
	ObsMisframed = newObservation("OBS-MISFRAMED", "misframed", breach, rules.Error,
		"Octets are not an FPDU where one must begin, although none before them is missing.",
		"The sender wrote a wrong ULPDU_Length or no PAD, or left octets out or sent some twice, and without CRCs nothing else shows it. The "+
			"receiver cannot read on. Look at how the sender cuts its messages into FPDUs, and use CRCs.")
	ObsNoRequest = newObservation("OBS-NO-REQUEST", "no-request", decision, rules.Warning,
		"An MPA Reply came, but what the other side had sent before it is not an MPA Request: its Key is wrong.",
		"The client speaks another protocol on this port, or a form of MPA that is not known. Look at the first "+
			"octets that it sent, and whether the capture has the beginning of the connection.")
	ObsRejected = newObservation("OBS-REJECTED", "rejected", decision, rules.Warning,
		"The Responder rejected the connection: its MPA Reply has the R bit set.",
		"The application on the server refused, or its RNIC did because the client's ORD exceeds its IRD. The Private Data of the MPA Reply may "+
			"say why; the log of the server says more.")
	ObsRevision = newObservation("OBS-REVISION", "revision", decision, rules.Warning,
		"The connection was closed without an FPDU, after an MPA Request and Reply whose revisions do not go together.",
		"One side is an RNIC of the RDMA Consortium, which uses revision 0, or knows only a lower revision than the other, and "+
			"neither can adapt. See which revision each side is set to, and whether the side that closed can use a lower one.")
	ObsMarkers = newObservation("OBS-MARKERS", "markers-refused", decision, rules.Warning,
		"The client closed the connection as soon as the MPA Reply asked for Markers, which its RNIC cannot send.",
		"RFC 5044 demands that every RNIC can send Markers, but not all can. Tell the server not to ask for them.")
	ObsCRCsRefused = newObservation("OBS-CRCS-REFUSED", "crcs-refused", decision, rules.Warning,
		"The client ended the connection as soon as the MPA Reply came, whose C bit is not that of the Request.",
		"RFC 5044 has both sides use CRCs if one asks for them, but some insist on their own choice. Set both sides alike.")
	ObsTooFewReads = newObservation("OBS-TOO-FEW-READS", "too-few-reads", decision, rules.Warning,
		"The client ended the connection as soon as the MPA Reply came, whose IRD is below the ORD in the Request.",
		"The client wants to have more RDMA Reads outstanding than the server takes. Raise the IRD that the program on the server accepts with "+
			"(responder_resources of rdma_accept), up to what its RNIC has (max_qp_rd_atom of ibv_devinfo -v), or lower the ORD of the client "+
			"(initiator_depth of rdma_connect).")
	ObsNoReady = newObservation("OBS-NO-RTR", "no-rtr", silence, rules.Warning,
		"The client never sent the Ready to Receive (RTR) indication that both MPA frames agree on, so the server may not send.",
		"The RNIC or driver of the client did not do what its MPA Request says, or the program on the client stopped in the middle of "+
			"connecting. See its log for that time, and its settings for peer-to-peer connections.")
	ObsUnused = newObservation("OBS-NO-FPDU", "no-fpdu", bystander, rules.Note,
		"The connection was established and never used: no FPDU was sent.",
		"A client that only tests whether the server can be reached does this, and so does one that gives up after the MPA Reply. See who "+
			"closed, and whether what was negotiated suits both: IRD, ORD, CRC, and who may send first.")
	ObsSTagInvalidated = newObservation("OBS-STAG-INVALIDATED", "stag-invalidated", bystander, rules.Warning,
		"An STag is used after a Send with Invalidate has invalidated it, and no new advertisement of it was seen.",
		"A side uses memory after it has lost the right to it: an operation was still under way when its request was "+
			"answered, or the STag was advertised again in a part that the capture lacks. Look at the Send with Invalidate, "+
			"and at which request advertised the STag last.")
	ObsWrongKey = newObservation("OBS-WRONG-KEY", "wrong-key", breach, rules.Error,
		"A side ended the connection after a message whose STag differs in its key alone from one that it had advertised.",
		"Look at where the program that sent the message takes the STag from. "+newSTagEachTime)
	ObsInvalidatedAgain = newObservation("OBS-INVALIDATED-AGAIN", "invalidated-again", bystander, rules.Note,
		"A Send with Invalidate names an STag that an earlier one has already invalidated.",
		"Receivers may refuse it, and some do not. Look at whether the sender answers one request twice, or confuses "+
			"two STags.")
	ObsStall = newObservation("OBS-STALL", "stall", bystander, rules.Warning,
		"Nothing came for a second or more while a request was not answered, or a message not complete; then it went on.",
		"Compare with the TCP layer: retransmissions, a closed window, or a side that acknowledges and says "+
			"nothing. In the last case the delay is in the program, or in the storage that it uses; look at what the "+
			"request asked for.")
	ObsSilent = newObservation("OBS-SILENT", "silent", silence, rules.Warning,
		"A side sent nothing more in a dialogue in which it had answered each Send, or each Write, of its peer.",
		"The program on the silent side was stopped, waits for something, or is deadlocked; TCP still answers. Look at what "+
			"it does at that time: its log, its stack (gdb -p, /proc/PID/stack), and whether it polls its completion queue.")
	ObsKeepAlive = newObservation("OBS-KEEP-ALIVE", "keep-alive", silence, rules.Warning,
		"A side sent nothing for longer than its keep-alive timeout allows, and the other side ended the connection.",
		"The silent side has stopped or hangs, or something in between drops what it sends. Look at its log for that time. If it only was busy, "+
			"a longer timeout helps (nvme connect --keep-alive-tmo).")
	ObsPending = newObservation("OBS-PENDING", "pending", bystander, rules.Note,
		"A request had no answer yet when the capture ended; it had not waited long.",
		"The capture stops too early to say more. Capture on until the answer comes, or set --max-wait to a shorter time.")
	ObsTerminate = newObservation("OBS-TERMINATE", "terminate", decision, rules.Warning,
		"A side ended the connection with a Terminate: it has met an error.",
		"The cause is what the other side sent before: the finding names the segment if it is in the capture. "+
			"iwarp explain tells what usually causes a code, such as 1/1/00.")
	ObsLinger = newObservation("OBS-LINGER", "linger", bystander, rules.Warning,
		"The TCP connection was still open ten seconds after a Terminate, which has to end it.",
		"The receiver of the Terminate did not close, or the program above has not noticed. Look at its log, and "+
			"whether its TCP acknowledged the Terminate.")
	ObsResetAfterTerminate = newObservation("OBS-RESET-AFTER-TERMINATE", "reset-after-terminate", bystander, rules.Warning,
		"A reset followed a Terminate, without a FIN: the other side may never have got the Terminate.",
		"Some stacks reset to be done with the connection at once, and then the Terminate can be lost on its way "+
			"up. Look at whether it was acknowledged before the reset, and what the other side logged as the reason.")
	ObsReset = newObservation("OBS-RESET", "reset", bystander, rules.Note,
		"The TCP connection was reset.",
		"A program that exits without closing, or closes with data unread, makes its TCP reset the connection; so "+
			"do firewalls with a timeout. See who sent it, and what was outstanding.")
	ObsClosedEarly = newObservation("OBS-CLOSED-EARLY", "closed-early", breakdown, rules.Warning,
		"A side closed or reset the connection while there was work: requests without an answer, or octets that were not "+
			"acknowledged; or it ended the connection as soon as TCP was connected, or reset it as soon as it was established or a message came.",
		"The system closes the connections of a program that exits, and resets those that it no longer knows. See what the "+
			"side that ended the connection logged at that time, and look at firewalls and load balancers if neither side knows of it.")
	ObsMessageCut = newObservation("OBS-MESSAGE-CUT", record.MessageCut, remnant, rules.Warning,
		"The connection ended within a message, or its sender did not go on with it.",
		"A program died or gave up in the middle of a transfer, or the network was cut. See who ended the "+
			"connection, and whether that side had found an error before.")
	ObsUnansweredRead = newObservation("OBS-UNANSWERED-READ", "unanswered-read", silence, rules.Warning,
		"RDMA Reads were never answered.",
		"The responder has lost the request or its memory, or ended the connection over it. Look at the STag and "+
			"the range of the oldest one, and at what followed it: a Terminate, a reset, or nothing.")
	ObsUnansweredAtomic = newObservation("OBS-UNANSWERED-ATOMIC", "unanswered-atomic", silence, rules.Warning,
		"Atomic Requests were never answered.",
		"The responder may not implement Atomics, or ended the connection over it. Look at whether the address is a "+
			"multiple of eight, and at what followed the oldest one.")
	ObsUnansweredUpper = newObservation("OBS-UNANSWERED-UPPER", "unanswered-upper", silence, rules.Warning,
		"Requests of the upper layer were never answered.",
		"The server is still working on the request, or has dropped it, or its answer was lost with the connection. Follow the "+
			"request by its ID: were there RDMA Reads and Writes for it? What does the server wait for, such as a daemon, a disk or a lock?")
	ObsStrayAnswer = newObservation("OBS-STRAY-ANSWER", "stray-answer", breach, rules.Warning,
		"A response of the upper layer has an ID that no open request has.",
		"The responder has answered a request with a wrong ID, or twice. Look at what it did with the request that was not answered, if there is one.")
	ObsRefusedUpper = newObservation("OBS-REFUSED-UPPER", "refused-upper", decision, rules.Warning,
		"A request of the upper layer was refused: its response says that it failed, or a Terminate is about it.",
		"The status says why, and it is most often about the request: rights, a name, a range, an authentication. "+
			"Look at the request in the frame that the finding names, and at the server's log.")
	ObsDeferred = newObservation("OBS-DEFERRED", "deferred", decision, rules.Warning,
		"A request of the upper layer was refused with an error that is temporary on a healthy server, or that tells what it does not serve, "+
			"and no such request succeeded afterwards.",
		"The server asks the client to come back, or to start again, or does not have what was asked for. Look at what it waits for: the end of "+
			"a grace period, a daemon, a slow disk; or at what it serves.")
	ObsUnsupported = newObservation("OBS-UNSUPPORTED", "unsupported", decision, rules.Warning,
		"The server refused a request of the upper layer as one that it does not support, and the client asked for nothing more.",
		"The server does not support what the client needs. Compare the request with what the server says of itself, such as the answer to "+
			"Identify Controller of NVMe, and the versions of both.")
	_ = newObservation("OBS-UNADVERTISED", record.Unadvertised, breach, rules.Error,
		"An RDMA Read or Write uses memory that no open request of the upper layer advertises.",
		"Compare the STag, the TO and the length with those in the request: the sender of the Read or Write has kept an old STag, or computes a "+
			"wrong TO or length.")
	_ = newObservation("OBS-BEYOND-ADVERTISED", record.BeyondAdvertised, breach, rules.Error,
		"An RDMA Read or Write begins in memory that an open request of the upper layer advertises, and reaches beyond its end.",
		"STag and TO are those that were advertised; the length is not. Look at where the sender of the Read or Write takes it from: a field "+
			"of the request, the size of a block, or what it has to answer.")
	_ = newObservation("OBS-UNMOVED", record.Unmoved, breach, rules.Warning,
		"A response reports success although RDMA has not moved all data that its request is about.",
		"Data are lost, or the requester takes old octets of its memory for them. Look at the RDMA Reads or Writes between the request and its "+
			"response, and at what the responder did with the rest.")
	_ = newObservation("OBS-MALFORMED", record.Malformed, breach, rules.Error,
		"A message of the upper layer is one that its receiver must not accept: a field, or its length, is wrong.",
		"Compare the field with the specification, and with what the other side said that it takes. The upper layer of the sender made "+
			"this, not its RNIC: see its version and its settings.")
	_ = newObservation("OBS-UNCREDITED", record.Uncredited, breach, rules.Warning,
		"A message of the upper layer was sent although the other side had granted no more.",
		"The receiver may have no buffer for it. Look at how the sender counts the credits that it uses and gets.")
	_ = newObservation("OBS-STARVED", record.Starved, blockage, rules.Warning,
		"A side of the upper layer had no credit left to send anything, and the other side granted none.",
		"The side that grants credits has no receive buffers left, has stopped, or counts them wrong: a packet that uses the last credit has to be followed "+
			"by one that grants more. Look at its log for that time, and at how many credits each side asks for when the connection begins.")
	_ = newObservation("OBS-SET-UP-ABANDONED", record.SetUpAbandoned, breakdown, rules.Warning,
		"The connection ended in the middle of the set-up of the upper layer, such as a login, although nothing was refused.",
		"A side did not like what the other one offered or asked for, and left without a word. Compare the keys and values of the last steps with its "+
			"settings, such as those of its authentication, and see its log for that time.")
	_ = newObservation("OBS-SESSION-DROPPED", record.SessionDropped, breakdown, rules.Warning,
		"A server of the upper layer ended the connection of a session, although only clients end sessions, and said nothing.",
		"Its program was stopped or reconfigured, its host was restarted, or it has met an error: see its log for that time. The client has to "+
			"connect again, and what it has begun by then may be lost.")
	_ = newObservation("OBS-UNRETURNED", record.Unreturned, silence, rules.Warning,
		"A client did not return what its server recalled, such as a delegation, in time.",
		"Other clients wait for it until the server revokes it. See what the client does with the file: programs that keep it open, data that it cannot "+
			"write back, or a client that hangs. Its log and that of the server say more.")
	_ = newObservation("OBS-END-ANNOUNCED", record.EndAnnounced, decision, rules.Warning,
		"A side of the upper layer said that it would end the connection, and then that ended.",
		"That side was told to stop, is about to restart, or has met an error that it cannot handle: its log says which. See whether "+
			"somebody reconfigured it at that time.")
	_ = newObservation("OBS-WITHDRAWN", record.Withdrawn, decision, rules.Warning,
		"A server took away what it had offered to a client that was still connected, such as a namespace of NVMe.",
		"Programs that use it get errors. See who took it away on the server, and whether the storage behind it failed.")
	_ = newObservation("OBS-WARNED", record.Warned, ailment, rules.Warning,
		"Responses of the upper layer said again and again, to the end, that something is wrong with the session or its state.",
		"What is wrong stays so until the requester does something about it. Look at what the responses say, at why the requester does not react, and at "+
			"the logs of both sides.")
	ObsFailedUpper = newObservation("OBS-FAILED-UPPER", "failed-upper", bystander, rules.Note,
		"A request of the upper layer was refused with a routine error: a file does not exist, a list has "+
			"ended, a unit was reset, the server does not offer what was asked for.",
		"Programs ask for what may not be there, so this is seldom a fault. Look at it if the same answer comes "+
			"again and again, or if a program failed at that time.")
	ObsRetransmissions = newObservation("OBS-RETRANSMISSIONS", "retransmissions", bystander, rules.Warning,
		"More than a twentieth of the octets was sent again: the network loses packets, or a receiver is overrun.",
		"Loss hurts RDMA more than other traffic, since nothing after a gap can be delivered until the gap is filled. Look at drops on the "+
			"ports of switches and hosts, at flow control (PFC, ECN) and the MTU of the path; or the capture was "+
			"taken on both sides of a device.")
	ObsInterrupted = newObservation("OBS-INTERRUPTED", "interrupted", hindrance, rules.Warning,
		"No packet passed for seconds, although octets were not acknowledged, and then they were sent again.",
		"TCP retransmits after about a second, and doubles that time with each attempt. So the sender could not send: the link of its host was down, or the host "+
			"stood still. Or all of it was lost before the place of the capture, which may have a gap, too. See the host's log for that time (dmesg: link is down), and whether other connections have the same gap.")
	ObsLostBefore = newObservation("OBS-LOST-BEFORE", "lost-before", bystander, rules.Note,
		"TCP sent octets again that never reached the capture point: later ones came first.",
		"The network lost packets between the sender and the place of the capture. Loss behind that place shows as octets that are sent again. "+
			"Look at drops on the ports of switches and hosts.")
	ObsZeroWindow = newObservation("OBS-ZERO-WINDOW", "zero-window", bystander, rules.Note,
		"A side could receive nothing for a time: its TCP window was closed.",
		"The receiver does not empty its buffer: its host is busy, or its RNIC waits for memory or for receive "+
			"buffers. See how long it lasted, and which messages it held up.")
	ObsCaptureLoss = newObservation("OBS-CAPTURE-LOSS", "capture-loss", bystander, rules.Note,
		"Octets are missing in the capture: it lost packets, cut them, or began late.",
		"What is missing may be why other findings are here, or why some are not. Capture again with a larger "+
			"buffer and without a limit of octets per packet, from before the connection begins.")
	ObsGivenUp = newObservation("OBS-GIVEN-UP", "given-up", bystander, rules.Note,
		"The connection was not followed to its end, because too many were followed at a time.",
		"Give iwarp a part of the capture: the packets of some hosts, or of a shorter time.")
)

// Observations yields every Observation.
func Observations() iter.Seq[*Observation] {
	return func(yield func(*Observation) bool) {
		for _, o := range observations {
			if !yield(o) {
				return
			}
		}
	}
}

// LookupObservation finds an Observation by its name or its id; nil if there is none.
func LookupObservation(s string) *Observation {
	for _, o := range observations {
		if o.Name == s || o.ID == s {
			return o
		}
	}
	return nil
}
