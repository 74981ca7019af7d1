package pcaps

// Files as sources of packets for gopacket.

import (
	"bytes"
	"time"

	"github.com/google/gopacket"
)

var (
	_ gopacket.PacketDataSource         = (*Reader)(nil)
	_ gopacket.ZeroCopyPacketDataSource = (*Reader)(nil)
	_ gopacket.PacketDataSource         = (*Capture)(nil)
	_ gopacket.ZeroCopyPacketDataSource = (*Capture)(nil)
)

// ReadPacketData implements [gopacket.PacketDataSource]: it is Next, but returns a copy of the octets, which may be kept.
// [Reader.LinkType] returns the link type.
func (r *Reader) ReadPacketData() ([]byte, gopacket.CaptureInfo, error) {
	return copyData(r.ZeroCopyReadPacketData())
}

// ZeroCopyReadPacketData implements [gopacket.ZeroCopyPacketDataSource]: it is Next. The octets are valid until the next
// call.
func (r *Reader) ZeroCopyReadPacketData() ([]byte, gopacket.CaptureInfo, error) {
	if err := r.Next(&r.scratch); err != nil {
		return nil, gopacket.CaptureInfo{}, err
	}
	return r.scratch.Data, r.scratch.captureInfo(), nil
}

// ReadPacketData implements [gopacket.PacketDataSource]: it is Next, but returns a copy of the octets, which may be kept.
// [Capture.LinkType] returns the link type.
func (c *Capture) ReadPacketData() ([]byte, gopacket.CaptureInfo, error) {
	return copyData(c.ZeroCopyReadPacketData())
}

// ZeroCopyReadPacketData implements [gopacket.ZeroCopyPacketDataSource]: it is Next. The octets are valid until the next
// call.
func (c *Capture) ZeroCopyReadPacketData() ([]byte, gopacket.CaptureInfo, error) {
	if err := c.Next(&c.scratch); err != nil {
		return nil, gopacket.CaptureInfo{}, err
	}
	return c.scratch.Data, c.scratch.captureInfo(), nil
}

// FromGopacket returns the Record of a packet that was read with gopacket: link is the link type of its source. The
// Record aliases data. The caller numbers the frames, from 1.
func FromGopacket(frame uint64, link LinkType, info gopacket.CaptureInfo, data []byte) Record {
	return Record{
		Frame: frame, Time: info.Timestamp.UnixNano(), LinkType: link, Interface: uint32(info.InterfaceIndex),
		Data: data, OrigLen: max(info.Length, len(data)),
	}
}

func (rec *Record) captureInfo() gopacket.CaptureInfo {
	return gopacket.CaptureInfo{
		Timestamp:      time.Unix(0, rec.Time).UTC(),
		CaptureLength:  len(rec.Data),
		Length:         rec.OrigLen,
		InterfaceIndex: int(rec.Interface),
	}
}

func copyData(data []byte, info gopacket.CaptureInfo, err error) ([]byte, gopacket.CaptureInfo, error) {
	return bytes.Clone(data), info, err
}
