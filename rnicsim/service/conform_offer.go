package service

// The Private Data of the service conform.

import (
	"encoding/binary"
	"errors"
	"strings"

	"github.com/iwarpkit/iwarp/codec/field"
)

// ErrNoConformOffer is the error for Private Data that is not of the service conform.
var ErrNoConformOffer = errors.New("service: no Private Data of the service conform, version 1")

// conformOfferLen is the length in octets of a ConformOffer.
const conformOfferLen = 16 + ConformRegions*AdvertisementLen

const (
	conformMark    = "iwcf"
	conformVersion = 1
)

// A ConformOffer describes the service conform. It is the Private Data of its Reply, or of its Request if it is the
// Initiator.
type ConformOffer struct {
	Features    ConformFeatures
	Receives    uint32 // messages that may be outstanding
	ReceiveSize uint32 // longest message in octets
	Regions     [ConformRegions]Advertisement
}

// Decode decodes a ConformOffer from the first octets of b and returns how many it took. Regions that are not
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

// AppendBinary appends the 160 octets to b. It does not fail.
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

// ConformFeatures is a set of features that not every RNIC has.
type ConformFeatures uint8

// The features.
const (
	ConformAtomics     ConformFeatures = 1 << iota // Atomics, of either side
	ConformImmediate                               // Immediate Data, of either side
	ConformInvalidates                             // a report has the STag that a Send with Invalidate has invalidated
	ConformSolicited                               // a report says whether a Solicited Event was received
	ConformTerminates                              // the command terminate works
	ConformLocals                                  // the command invalidate works, and read with FlagInvalidate
	ConformFences                                  // FlagFence works
	ConformShares                                  // Receives come from a Shared Receive Queue in a Protection Domain of its own
)

var featureNames = [...]string{"Atomics", "Immediate Data", "invalidated STags", "Solicited Events", "terminate", "invalidate",
	"fences", "Shared Receive Queue"}

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
	ConformData      ConformRegion = iota // for Writes, Reads and Atomics, of the peer and by commands
	ConformReadonly                       // without remote write access
	ConformWriteonly                      // without remote write access
	ConformLocal                          // without remote access
	ConformForeign                        // in another Protection Domain
	ConformRevoked                        // no longer registered
	ConformVolatile                       // that a Send with Invalidate can invalidate
	ConformWindow                         // a Memory Window, which bind makes Valid
	ConformElsewhere                      // a Memory Window that is bound to another stream of the same Protection Domain

	ConformRegions = iota // number of regions
)

var regionNames = [...]string{"data", "readonly", "writeonly", "local", "foreign", "revoked", "volatile", "window", "elsewhere"}

// String returns "data", "readonly" and so on, and "Region" with a number for others.
func (r ConformRegion) String() string { return field.NameIn(regionNames[:], r, "Region") }
