package smbdirect

// SMB2 commands. A message has one or several; each except the last has the offset of the next.

import (
	"iter"
	"strconv"

	"github.com/iwarpkit/iwarp/codec/field"
	"github.com/iwarpkit/iwarp/dissect/record"
)

// A Protocol is what an SMB message begins with.
type Protocol uint8

// The protocols.
const (
	NoSMB       Protocol = iota
	SMB2                 // a command
	Transformed          // SMB2 TRANSFORM_HEADER: the message is encrypted ([MS-SMB2], section 2.2.41)
	Compressed           // SMB2 COMPRESSION_TRANSFORM_HEADER ([MS-SMB2], section 2.2.42)
)

const headerLen = 64

// A Command has the header of an SMB2 command, and some of the fields after the header of a READ or WRITE.
type Command struct {
	Protocol  Protocol
	Code      uint16 // which command: 8 is READ
	Flags     uint32
	Status    Status // of a response
	MessageID uint64
	Offset    uint64 // in the file, of a READ or WRITE Request
	Length    uint32 // octets to read or write, in the message or by RDMA; of a READ Response, octets that follow
	Control   uint32 // CtlCode of an IOCTL: what is asked

	next uint32 // octets to the next command, 0 if there is none
	body []byte // from the end of the header to the next command
	all  []byte // from the header to the next command; offsets in the command count from its start
}

// Flags of the SMB2 header ([MS-SMB2], section 2.2.1.1).
const (
	flagResponse = 0x00000001
	flagAsync    = 0x00000002
)

// Response reports whether the command is a response.
func (c *Command) Response() bool { return c.Flags&flagResponse != 0 }

// Interim reports whether the command is a response that announces another one.
func (c *Command) Interim() bool { return c.Flags&flagAsync != 0 && c.Status == statusPending }

// Decode reads the command at the start of an SMB message. Protocol is NoSMB if there is none, or too little was captured.
func (c *Command) Decode(message []byte) {
	*c = Command{Protocol: protocolOf(message)}
	if c.Protocol != SMB2 {
		return
	}
	c.Code, c.Flags = uint16(headerCommand.Number(message)), uint32(headerFlags.Number(message))
	c.MessageID, c.next = headerMessage.Number(message), uint32(headerNext.Number(message))
	if c.Response() {
		c.Status = Status(headerStatus.Number(message))
	}
	c.all = message
	if c.next >= headerLen && uint64(c.next) < uint64(len(message)) {
		c.all = message[:c.next]
	}
	c.body = c.all[headerLen:]
	if f := c.form(); f != nil {
		c.Length, c.Offset, c.Control = uint32(value(f.length, c.body)), value(f.offset, c.body), uint32(value(f.control, c.body))
	}
	if c.Length == 0 && c.Code == cmdWrite && c.byRDMA() { // as it has to be then ([MS-SMB2], section 3.2.4.7)
		c.Length = uint32(writeRemaining.Number(c.body))
	}
}

// protocolOf returns the protocol of an SMB message by its ProtocolId. SMB2 needs a whole header.
func protocolOf(message []byte) Protocol {
	if len(message) < 4 || string(message[1:4]) != "SMB" {
		return NoSMB
	}
	switch message[0] {
	case 0xfe:
		if len(message) >= headerLen && headerLength.Number(message) == headerLen {
			return SMB2
		}
	case 0xfd:
		return Transformed
	case 0xfc:
		return Compressed
	}
	return NoSMB
}

// commandsOf returns the commands of an SMB2 message.
func commandsOf(message []byte) iter.Seq[*Command] {
	return func(yield func(*Command) bool) {
		var c Command
		for {
			if c.Decode(message); c.Protocol != SMB2 || !yield(&c) || len(c.all) == len(message) {
				return
			}
			message = message[len(c.all):]
		}
	}
}

// value returns the value of a field; 0 if there is no such field.
func value(f *field.Field, b []byte) uint64 {
	if f == nil {
		return 0
	}
	return f.Number(b)
}

// A form has the fields of a READ, WRITE or IOCTL that this package reads; nil if a command has no such field.
type form struct {
	fields           *field.Table
	length, offset   *field.Field
	control          *field.Field
	channel          *field.Field
	infoOff, infoLen *field.Field // where the buffer descriptors are
}

func newForm(length string, t *field.Table) *form {
	return &form{
		t, t.Lookup(length), t.Lookup("smb2.file_offset"), t.Lookup("smb2.ioctl.function"), t.Lookup("smb2.channel"),
		t.Lookup("smb2.channel_info_offset"), t.Lookup("smb2.channel_info_length"),
	}
}

// form returns the form of a READ, WRITE or IOCTL; nil if the command is none of them, or a response without data.
func (c *Command) form() *form {
	switch {
	case c.Code == cmdRead && !c.Response():
		return readRequest
	case c.Code == cmdWrite && !c.Response():
		return writeRequest
	case c.Code == cmdIoctl && !c.Response():
		return ioctlRequest
	case c.Status.Failed(), c.Interim():
	case c.Code == cmdRead:
		return readResponse
	case c.Code == cmdIoctl:
		return ioctlResponse
	}
	return nil
}

// A buffer is memory of the client that a command names.
type buffer struct {
	token  uint32
	offset uint64
	length uint32 // octets
}

// The channels of a READ or WRITE that use RDMA ([MS-SMB2], sections 2.2.19 and 2.2.21).
const (
	channelV1         = 1
	channelInvalidate = 2
)

// byRDMA reports whether RDMA moves the data of a READ or WRITE Request.
func (c *Command) byRDMA() bool {
	f := c.form()
	if f == nil || f.channel == nil {
		return false
	}
	channel := f.channel.Number(c.body)
	return channel == channelV1 || channel == channelInvalidate
}

// isHidden reports whether the memory that a READ or WRITE Request names is not known: its channel is another, or its last buffer
// descriptor is cut short.
func (c *Command) isHidden() bool {
	f := c.form()
	if f == nil || f.channel == nil {
		return false
	}
	_, length := c.descriptors()
	return f.channel.Number(c.body) != 0 && !c.byRDMA() || length%bufferDescriptor.Len() != 0
}

// descriptors returns the place of the buffer descriptors in a READ or WRITE Request.
func (c *Command) descriptors() (from, length int) {
	if !c.byRDMA() {
		return 0, 0
	}
	f := c.form()
	from = min(int(f.infoOff.Number(c.body)), len(c.all))
	return from, min(int(f.infoLen.Number(c.body)), len(c.all)-from)
}

// buffers returns the buffers that the descriptors name.
func (c *Command) buffers() iter.Seq[buffer] {
	return func(yield func(buffer) bool) {
		size := bufferDescriptor.Len()
		from, length := c.descriptors()
		for d := c.all[from : from+length]; len(d) >= size; d = d[size:] {
			if !yield(buffer{uint32(bufferToken.Number(d)), bufferOffset.Number(d), uint32(bufferLength.Number(d))}) {
				return
			}
		}
	}
}

// lay adds the parts of the command, which begins at offset off: the header and, of a READ, WRITE or IOCTL, its fields and
// buffer descriptors.
func (c *Command) lay(v *record.View, off int) {
	v.Add(header, off, headerLen)
	f := c.form()
	if f == nil {
		return
	}
	v.Add(f.fields, off+headerLen, min(f.fields.Len(), len(c.body)))
	from, length := c.descriptors()
	size := bufferDescriptor.Len()
	for i := range length / size {
		v.Add(bufferDescriptor, off+from+i*size, size)
	}
}

// AppendText appends the command as a line of text: "SMB2 READ mid=7 offset=0 length=4096" or
// "SMB2 CREATE Response mid=9 STATUS_OBJECT_NAME_NOT_FOUND".
func (c *Command) AppendText(dst []byte) []byte {
	switch c.Protocol {
	case Transformed:
		return append(dst, "SMB2 encrypted"...)
	case Compressed:
		return append(dst, "SMB2 compressed"...)
	}
	dst = append(dst, c.name()...)
	if c.Response() {
		dst = append(dst, " Response"...)
	}
	dst = strconv.AppendUint(append(dst, " mid="...), c.MessageID, 10)
	f := c.form()
	if f != nil && f.offset != nil {
		dst = strconv.AppendUint(append(dst, " offset="...), c.Offset, 10)
		dst = strconv.AppendUint(append(dst, " length="...), uint64(c.Length), 10)
	}
	if c.Status != 0 {
		dst = append(append(dst, ' '), c.Status.String()...)
	}
	if c.next != 0 {
		dst = append(dst, " and more"...)
	}
	return dst
}
