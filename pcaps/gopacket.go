package pcaps

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

// ReadPacketData is Next in the shape of [gopacket.PacketDataSource]. The octets are
// a copy and may be kept. The link type is that of [Reader.LinkType].
func (r *Reader) ReadPacketData() ([]byte, gopacket.CaptureInfo, error) {
	return copyData(r.ZeroCopyReadPacketData())
}

// ZeroCopyReadPacketData is Next in the shape of [gopacket.ZeroCopyPacketDataSource].
// The octets are valid until the next call.
func (r *Reader) ZeroCopyReadPacketData() ([]byte, gopacket.CaptureInfo, error) {
	if err := r.Next(&r.scratch); err != nil {
		return nil, gopacket.CaptureInfo{}, err
	}
	return r.scratch.Data, r.scratch.captureInfo(), nil
}

// ReadPacketData is Next in the shape of [gopacket.PacketDataSource]. The octets are
// a copy and may be kept. The link type is that of [Capture.LinkType].
func (c *Capture) ReadPacketData() ([]byte, gopacket.CaptureInfo, error) {
	return copyData(c.ZeroCopyReadPacketData())
}

// ZeroCopyReadPacketData is Next in the shape of [gopacket.ZeroCopyPacketDataSource].
// The octets are valid until the next call.
func (c *Capture) ZeroCopyReadPacketData() ([]byte, gopacket.CaptureInfo, error) {
	if err := c.Next(&c.scratch); err != nil {
		return nil, gopacket.CaptureInfo{}, err
	}
	return c.scratch.Data, c.scratch.captureInfo(), nil
}

// FromGopacket returns the Record of a packet that gopacket has read: data, which it aliases, what info says of it, and the
// link type of the source. The caller numbers frames, from 1.
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
