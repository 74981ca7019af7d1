package service

// Private Data: the 16 octets by which rping and many others advertise a region, followed by a server's announcement
// about messages.

import (
	"encoding/binary"
	"errors"

	"github.com/iwarpkit/iwarp/codec/field"
	"github.com/iwarpkit/iwarp/codec/rpcprivate"
	"github.com/iwarpkit/iwarp/rnicsim"
)

// The errors of Decode.
var (
	ErrNoAdvertisement = errors.New("service: too short for an advertisement of 16 octets")
	ErrNoOffer         = errors.New("service: nothing about messages after the advertisement")
)

// AdvertisementLen is the length in octets of an Advertisement.
const AdvertisementLen = 16

// An Advertisement names a region to the peer. On the wire it has 16 octets, in network byte order: TO, STag, Length.
type Advertisement struct {
	TO     uint64 // of the first octet
	STag   rnicsim.STag
	Length uint32 // octets
}

// Decode decodes an Advertisement from the first octets of b and returns how many it took. It fails with
// ErrNoAdvertisement.
func (a *Advertisement) Decode(b []byte) (n int, err error) {
	if len(b) < AdvertisementLen {
		return 0, ErrNoAdvertisement
	}
	a.TO = binary.BigEndian.Uint64(b)
	a.STag = rnicsim.STag(binary.BigEndian.Uint32(b[8:]))
	a.Length = binary.BigEndian.Uint32(b[12:])
	return AdvertisementLen, nil
}

// AppendBinary appends the 16 octets to b. It does not fail.
func (a *Advertisement) AppendBinary(b []byte) ([]byte, error) {
	b = binary.BigEndian.AppendUint64(b, a.TO)
	b = binary.BigEndian.AppendUint32(b, uint32(a.STag))
	return binary.BigEndian.AppendUint32(b, a.Length), nil
}

// An Answer is what a server does with messages.
type Answer uint8

// The Answers.
const (
	TakesNone Answer = iota // no Receive is posted: a Terminate answers a message
	Counts                  // it counts messages: the service sink
	Echoes                  // it sends each message back
)

var answerNames = [...]string{"takes none", "counts", "echoes"}

// String returns "takes none", "counts" or "echoes", and "Answer" with a number for others.
func (a Answer) String() string { return field.NameIn(answerNames[:], a, "Answer") }

// OfferLen is the length in octets of an Offer.
const OfferLen = AdvertisementLen + 16

const (
	offerMark    = "iwsv"
	offerVersion = 1
)

// An Offer describes a server. It is the Private Data of its Reply.
type Offer struct {
	Advertisement
	Answer      Answer
	Receives    uint32 // messages that may be outstanding: sent, and not answered or counted
	ReceiveSize uint32 // longest message in octets
}

// Decode decodes an Offer from the first octets of b and returns how many it took. It fails with ErrNoAdvertisement,
// or with ErrNoOffer if there is only an Advertisement.
func (o *Offer) Decode(b []byte) (n int, err error) {
	*o = Offer{}
	if n, err = o.Advertisement.Decode(b); err != nil {
		return n, err
	}
	if len(b) < OfferLen || string(b[16:20]) != offerMark || b[20] != offerVersion {
		return n, ErrNoOffer
	}
	o.Answer = Answer(b[21])
	o.Receives = binary.BigEndian.Uint32(b[24:])
	o.ReceiveSize = binary.BigEndian.Uint32(b[28:])
	return OfferLen, nil
}

// Announced returns the name of the Service that the Private Data of a Reply announces, as New takes it. "rpc" stands for any server
// with the Private Data of RFC 8797. It returns "" if none is announced: rping sends no Private Data.
func Announced(private []byte) (name string) {
	var o Offer
	if _, err := o.Decode(private); err == nil && int(o.Answer) < len(announcedBy) {
		return announcedBy[o.Answer]
	}
	if _, err := new(ConformOffer).Decode(private); err == nil {
		return "conform"
	}
	if _, ok := rpcprivate.Find(private); ok {
		return "rpc"
	}
	return ""
}

// announcedBy has the Service with each Answer.
var announcedBy = [...]string{TakesNone: "memory", Counts: "sink", Echoes: "echo"}

// AppendBinary appends the 32 octets to b. It does not fail.
func (o *Offer) AppendBinary(b []byte) ([]byte, error) {
	b, _ = o.Advertisement.AppendBinary(b)
	b = append(b, offerMark...)
	b = append(b, offerVersion, byte(o.Answer), 0, 0)
	b = binary.BigEndian.AppendUint32(b, o.Receives)
	return binary.BigEndian.AppendUint32(b, o.ReceiveSize), nil
}
