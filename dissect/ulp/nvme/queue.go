package nvme

// Which queue a connection is for, if the capture begins after its Connect.

// someQueue is the QueueID of an I/O queue whose number is not known. No queue has it.
const someQueue = 0xffff

// guessQueue finds out from a command whether the queue is an I/O queue.
func (f *follower) guessQueue(capsule []byte) {
	if !f.guess || !isCommand(capsule) {
		return
	}
	switch opcode.Number(capsule) {
	case opIdentify, opKeepAlive, opFabrics: // I/O queues have others of these numbers, or none
		f.guess = false
		return
	}
	if ofIO(capsule) {
		f.queue, f.guess = someQueue, false
	}
}

// ofIO reports whether a command is one of an I/O queue: over Fabrics, no Admin command creates or deletes queues, and others whose numbers are
// those of I/O commands describe data of another length.
func ofIO(capsule []byte) bool {
	const compare, writeUncorrectable, writeZeroes, dataset = 0x05, 0x04, 0x08, 0x09 // Create and Delete I/O Completion Queue, Abort, Set Features
	length := uint64(0)
	for e := range extents(capsule) {
		length += e.length
	}
	parameters := capsule[parametersOff:]
	switch opcode.Number(capsule) {
	case opFlush, opWrite, compare, writeUncorrectable:
		return true
	case opRead: // or Get Log Page
		dwords := logPageNUMDL.Number(parameters) | logPageNUMDU.Number(parameters)<<16
		return length > 0 && length != 4*(dwords+1)
	case writeZeroes:
		return nsid.Number(capsule) != 0
	case dataset:
		return length == 16*(datasetCount.Number(parameters)+1)
	}
	return false
}
