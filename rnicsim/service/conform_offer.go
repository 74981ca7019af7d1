package service

// What the service conform says of itself in the Private Data of its MPA frame.
//
//	 0                   1                   2                   3
//	 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//	+---------------------------------------------------------------+
//	|                     "iwcf" (69 77 63 66)                      |
//	+---------------+---------------+-------------------------------+
//	|   Version 1   |   Features    |   Number of Advertisements    |
//	+---------------+---------------+-------------------------------+
//	|                           Receives                            |
//	+---------------------------------------------------------------+
//	|                         Receive Size                          |
//	+---------------------------------------------------------------+
//	|              8 Advertisements of 16 octets each               |
//	+---------------------------------------------------------------+

import (
	"encoding/binary"
	"errors"
	"strconv"
	"strings"
)

// ErrNoConformOffer is that Private Data are not those of the service conform.
var ErrNoConformOffer = errors.New("service: no Private Data of the service conform, version 1")

// ConformOfferLen is the length in octets of a ConformOffer.
const ConformOfferLen = 16 + ConformRegions*AdvertisementLen

const (
	conformMark    = "iwcf"
	conformVersion = 1
)

// A ConformOffer is what the service conform says of itself, in the Private Data of the Reply, or of the Request where
// it is the Initiator.
type ConformOffer struct {
	Features    ConformFeatures
	Receives    uint32 // messages that may be under way
	ReceiveSize uint32 // octets of the longest message
	Regions     [ConformRegions]Advertisement
}

// Decode reads a ConformOffer from the first octets of b and returns how many it took. Regions beyond those that are
// advertised are zero. It fails with ErrNoConformOffer.
func (o *ConformOffer) Decode(b []byte) (n int, err error) {
	*o = ConformOffer{}
	if len(b) < 16 || string(b[:4]) != conformMark || b[4] != conformVersion {
		return 0, ErrNoConformOffer
	}
	count := int(binary.BigEndian.Uint16(b[6:]))
	if len(b) < 16+count*AdvertisementLen {
		return 0, ErrNoConformOffer
	}
	o.Features = ConformFeatures(b[5])
	o.Receives = binary.BigEndian.Uint32(b[8:])
	o.ReceiveSize = binary.BigEndian.Uint32(b[12:])
	for i := range min(count, ConformRegions) {
		o.Regions[i].Decode(b[16+i*AdvertisementLen:])
	}
	return 16 + count*AdvertisementLen, nil
}

// AppendBinary appends the 144 octets to b. It does not fail.
func (o *ConformOffer) AppendBinary(b []byte) ([]byte, error) {
	b = append(b, conformMark...)
	b = append(b, conformVersion, byte(o.Features))
	b = binary.BigEndian.AppendUint16(b, ConformRegions)
	b = binary.BigEndian.AppendUint32(b, o.Receives)
	b = binary.BigEndian.AppendUint32(b, o.ReceiveSize)
	for i := range o.Regions {
		b, _ = o.Regions[i].AppendBinary(b)
	}
	return b, nil
}

// ConformFeatures is a set of things that not every RNIC can do.
type ConformFeatures uint8

// The features.
const (
	ConformAtomics     ConformFeatures = 1 << iota // Atomics, of either side
	ConformImmediate                               // Immediate Data, of either side
	ConformInvalidates                             // a report has the STag that a Send with Invalidate has invalidated
	ConformSolicited                               // a report tells of Solicited Events
	ConformTerminates                              // the command terminate works
)

var featureNames = [...]string{"Atomics", "Immediate Data", "invalidated STags", "Solicited Events", "terminate"}

// String lists the features: "Atomics, terminate".
func (f ConformFeatures) String() string {
	var names []string
	for i, name := range featureNames {
		if f&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	return strings.Join(names, ", ")
}

// A ConformRegion is the index of one of the regions in a ConformOffer.
type ConformRegion uint16

// The regions.
const (
	ConformData      ConformRegion = iota // to write, to read, for Atomics, and to work on for the commands
	ConformReadonly                       // without the right of remote write
	ConformWriteonly                      // without the right of remote read
	ConformLocal                          // without any remote right
	ConformForeign                        // of another Protection Domain
	ConformRevoked                        // not registered any more
	ConformVolatile                       // which a Send with Invalidate can invalidate
	ConformReserved                       // all zero

	ConformRegions = iota // how many there are
)

var regionNames = [...]string{"data", "readonly", "writeonly", "local", "foreign", "revoked", "volatile", "reserved"}

// String is "data", "readonly" and so on, and of others their number.
func (r ConformRegion) String() string {
	if int(r) < len(regionNames) {
		return regionNames[r]
	}
	return "Region" + strconv.Itoa(int(r))
}
