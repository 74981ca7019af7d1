package pcaps

import (
	"encoding/binary"
	"fmt"
	"unicode/utf8"
)

// writePcapngPacket writes an Enhanced Packet Block, preceded by an Interface Description Block if the link type is new.
func (w *Writer) writePcapngPacket(rec *Record) error {
	total := blockOverhead + 20 + padded(len(rec.Data)) + commentsLen(rec.Comments)
	if total > MaxBlock {
		return fmt.Errorf("pcaps: the comments of frame %d make a block of %d octets, the limit is %d: %w", rec.Frame, total, MaxBlock, ErrTooLong)
	}
	index, ok := w.interfaces[rec.LinkType]
	if !ok {
		index = uint32(len(w.interfaces))
		w.interfaces[rec.LinkType] = index
		w.out.Write(appendInterface(nil, rec.LinkType, MaxPacket, nanoResolution))
	}
	time := uint64(max(rec.Time, 0))
	b := binary.LittleEndian.AppendUint32(w.header[:0], blockEnhancedPacket)
	b = binary.LittleEndian.AppendUint32(b, uint32(total))
	b = binary.LittleEndian.AppendUint32(b, index)
	b = binary.LittleEndian.AppendUint32(b, uint32(time>>32))
	b = binary.LittleEndian.AppendUint32(b, uint32(time))
	b = binary.LittleEndian.AppendUint32(b, uint32(len(rec.Data)))
	b = binary.LittleEndian.AppendUint32(b, rec.wireLen())
	w.out.Write(b)
	w.out.Write(rec.Data)

	b = appendPadding(b[:0], len(rec.Data))
	for _, comment := range rec.Comments {
		b = appendOption(b, optComment, comment)
	}
	if len(rec.Comments) > 0 {
		b = appendOption(b, optEnd, "")
	}
	b = binary.LittleEndian.AppendUint32(b, uint32(total))
	w.header = b
	_, err := w.out.Write(b)
	return err
}

func appendSectionHeader(b []byte, section Section) []byte {
	var options []byte
	for _, option := range []struct {
		code uint16
		text string
	}{
		{optComment, section.Comment},
		{optSectionApplication, section.Application},
	} {
		if option.text != "" {
			options = appendOption(options, option.code, option.text)
		}
	}
	if options != nil {
		options = appendOption(options, optEnd, "")
	}
	body := binary.LittleEndian.AppendUint32(nil, byteOrderMagic)
	body = binary.LittleEndian.AppendUint16(body, 1) // version 1.0
	body = binary.LittleEndian.AppendUint16(body, 0)
	body = binary.LittleEndian.AppendUint64(body, 1<<64-1) // section of unknown length
	return appendBlock(b, blockSectionHeader, append(body, options...))
}

func appendInterface(b []byte, link LinkType, snapLen uint32, resolution byte) []byte {
	body := binary.LittleEndian.AppendUint16(nil, uint16(link))
	body = binary.LittleEndian.AppendUint16(body, 0)
	body = binary.LittleEndian.AppendUint32(body, snapLen)
	body = appendOption(body, optInterfaceTimeResolution, string(rune(resolution)))
	body = appendOption(body, optEnd, "")
	return appendBlock(b, blockInterface, body)
}

// appendBlock appends a block: both lengths around a body whose length is a multiple of 4.
func appendBlock(b []byte, blockType uint32, body []byte) []byte {
	total := uint32(blockOverhead + len(body))
	b = binary.LittleEndian.AppendUint32(b, blockType)
	b = binary.LittleEndian.AppendUint32(b, total)
	b = append(b, body...)
	return binary.LittleEndian.AppendUint32(b, total)
}

// appendOption appends an option, its value cut to what a length of 16 bits allows.
func appendOption(b []byte, code uint16, value string) []byte {
	value = value[:optionLen(value)]
	b = binary.LittleEndian.AppendUint16(b, code)
	b = binary.LittleEndian.AppendUint16(b, uint16(len(value)))
	b = append(b, value...)
	return appendPadding(b, len(value))
}

// optionLen returns how many octets of value fit in an option without splitting a character.
func optionLen(value string) int {
	n := len(value)
	if n <= maxOptionLen {
		return n
	}
	n = maxOptionLen
	for n > maxOptionLen-utf8.UTFMax && !utf8.RuneStart(value[n]) {
		n--
	}
	return n
}

// commentsLen returns the length in octets of the options that hold the comments, including the end of options.
func commentsLen(comments []string) int {
	if len(comments) == 0 {
		return 0
	}
	n := optionHeaderLen
	for _, comment := range comments {
		n += optionHeaderLen + padded(optionLen(comment))
	}
	return n
}

func padded(n int) int { return (n + 3) &^ 3 }

func appendPadding(b []byte, n int) []byte {
	const zeros = "\x00\x00\x00"
	return append(b, zeros[:padded(n)-n]...)
}
