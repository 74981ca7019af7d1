package rdmap

// What a Terminate says went wrong: Layer, EType and Error Code. The registry is RFC 6580, section 3; the names are
// those of RFC 5040, section 4.8 (figure 9), RFC 5041, section 7.2, RFC 5044, section 8 and RFC 6581, section 8.

import (
	"fmt"
	"iter"
	"strconv"

	"github.com/iwarpkit/iwarp/codec/field"
)

// Layer is the layer that detected the error. It has 4 bits on the wire.
type Layer uint8

// The layers of RFC 5040, section 4.8.
const (
	LayerRDMAP Layer = 0
	LayerDDP   Layer = 1
	LayerLLP   Layer = 2 // the lower layer protocol: MPA
)

var layers = field.Enum{Kind: "Layer", Values: []field.Value{{0, "RDMAP"}, {1, "DDP"}, {2, "LLP"}}}

// String returns "RDMAP", "DDP", "LLP", or the number of an unknown layer, "Layer3".
func (l Layer) String() string { return layers.Name(uint64(l)) }

// The error types (EType) of each layer.
const (
	RDMAPLocalCatastrophic = 0 // RFC 5040, section 4.8
	RDMAPRemoteProtection  = 1
	RDMAPRemoteOperation   = 2
	DDPLocalCatastrophic   = 0 // RFC 5041, section 7.2
	DDPTaggedBuffer        = 1
	DDPUntaggedBuffer      = 2
	DDPReservedForLLP      = 3
	LLPMPA                 = 0 // RFC 5044, section 8
)

// Code is the error that a Terminate reports.
type Code struct {
	Layer     Layer // 4 bits
	EType     uint8 // 4 bits
	ErrorCode uint8
}

// An etype is one registered error type with the error codes that are registered for it.
type etype struct {
	layer  Layer
	etype  uint8
	name   string
	source string
	all    bool             // every error code is registered, and none has a name
	codes  map[uint8]string // else these; an empty name adds nothing to that of the type
}

const (
	sourceRDMAP = "RFC 5040, section 4.8"
	sourceDDP   = "RFC 5041, section 7.2"
	sourceMPA   = "RFC 5044, section 8"
	sourceMPA2  = "RFC 6581, section 8"
)

// etypes is the registry.
var etypes = []etype{
	{layer: LayerRDMAP, etype: RDMAPLocalCatastrophic, name: "Local Catastrophic Error", source: sourceRDMAP, all: true},
	{layer: LayerRDMAP, etype: RDMAPRemoteProtection, name: "Remote Protection Error", source: sourceRDMAP, codes: map[uint8]string{
		0x00: "Invalid STag",
		0x01: "Base or bounds violation",
		0x02: "Access rights violation",
		0x03: "STag not associated with RDMAP Stream",
		0x04: "TO wrap",
		0x09: "STag cannot be Invalidated",
		0xff: "Unspecified Error",
	}},
	{layer: LayerRDMAP, etype: RDMAPRemoteOperation, name: "Remote Operation Error", source: sourceRDMAP, codes: map[uint8]string{
		0x05: "Invalid RDMAP version",
		0x06: "Unexpected OpCode",
		0x07: "Catastrophic error, localized to RDMAP Stream",
		0x08: "Catastrophic error, global",
		0x09: "STag cannot be Invalidated",
		0xff: "Unspecified Error",
	}},
	{layer: LayerDDP, etype: DDPLocalCatastrophic, name: "Local Catastrophic Error", source: sourceDDP, codes: map[uint8]string{
		0x00: "",
	}},
	{layer: LayerDDP, etype: DDPTaggedBuffer, name: "Tagged Buffer Error", source: sourceDDP, codes: map[uint8]string{
		0x00: "Invalid STag",
		0x01: "Base or bounds violation",
		0x02: "STag not associated with DDP Stream",
		0x03: "TO wrap",
		0x04: "Invalid DDP version",
	}},
	{layer: LayerDDP, etype: DDPUntaggedBuffer, name: "Untagged Buffer Error", source: sourceDDP, codes: map[uint8]string{
		0x01: "Invalid QN",
		0x02: "Invalid MSN - no buffer available",
		0x03: "Invalid MSN - MSN range is not valid",
		0x04: "Invalid MO",
		0x05: "DDP Message too long for available buffer",
		0x06: "Invalid DDP version",
	}},
	{layer: LayerDDP, etype: DDPReservedForLLP, name: "Reserved for use by the LLP", source: sourceDDP, all: true},
	{layer: LayerLLP, etype: LLPMPA, name: "MPA Error", source: sourceMPA, codes: map[uint8]string{
		0x01: "TCP connection closed, terminated, or lost",
		0x02: "MPA CRC Error",
		0x03: "MPA Marker and ULPDU Length field mismatch",
		0x04: "Invalid MPA Request Frame or MPA Response Frame",
		0x05: "Local catastrophic error",
		0x06: "Insufficient IRD resources",
		0x07: "No matching RTR option",
	}},
}

// verbsNames holds the two codes that the RDMA Protocol Verbs 1.0 (RDMA Consortium, figure 24) define beside the
// registry.
var verbsNames = map[Code]string{
	{LayerRDMAP, RDMAPRemoteOperation, 0x02}: "MPA CRC Error",
	{LayerRDMAP, RDMAPRemoteOperation, 0x03}: "MPA Marker and ULPDU Length field mismatch",
}

// etypeIndex finds the place in etypes, plus one, by Layer and EType.
var etypeIndex = func() (index [16][16]uint8) {
	for i := range etypes {
		index[etypes[i].layer][etypes[i].etype] = uint8(i + 1)
	}
	return index
}()

// lookup returns the error type of a code; nil if it is not registered.
func (c Code) lookup() *etype {
	if c.Layer > 15 || c.EType > 15 {
		return nil
	}
	if i := etypeIndex[c.Layer][c.EType]; i != 0 {
		return &etypes[i-1]
	}
	return nil
}

// Registered reports whether the registry has the code. For the error types that it lists with all error codes (0/0 and
// 1/3) every error code is registered.
func (c Code) Registered() bool {
	t := c.lookup()
	if t == nil {
		return false
	}
	_, ok := t.codes[c.ErrorCode]
	return ok || t.all
}

// Name returns the name of the error code: "Access rights violation". It is empty if the code has no name of its own,
// and "unregistered" if the registry does not have it.
func (c Code) Name() string {
	t := c.lookup()
	if t == nil {
		return unregistered
	}
	name, ok := t.codes[c.ErrorCode]
	if !ok && !t.all {
		return unregistered
	}
	return name
}

const unregistered = "unregistered"

// ETypeName returns the name of the error type in its layer: "Remote Protection Error", or the number of an unknown one,
// "EType5".
func (c Code) ETypeName() string {
	if t := c.lookup(); t != nil {
		return t.name
	}
	return "EType" + strconv.Itoa(int(c.EType))
}

// Source returns where the error is defined: "RFC 5040, section 4.8". It is empty for an unknown Layer or EType.
func (c Code) Source() string {
	t := c.lookup()
	switch {
	case t == nil:
		return ""
	case c.Layer == LayerLLP && c.ErrorCode >= 0x05:
		return sourceMPA2
	}
	return t.source
}

// Describe returns the error in words: "RDMAP Remote Protection Error: Access rights violation". It says so if the code is
// not registered.
func (c Code) Describe() string {
	s := c.Layer.String() + " " + c.ETypeName()
	name := c.Name()
	if name == unregistered {
		name = fmt.Sprintf("unregistered code %02X", c.ErrorCode)
		if verbs, ok := verbsNames[c]; ok {
			name += " (RDMAC Verbs: " + verbs + ")"
		}
	}
	if name != "" {
		s += ": " + name
	}
	return s
}

// String returns Layer, EType and Error Code in hexadecimal: "0/1/02".
func (c Code) String() string { return fmt.Sprintf("%X/%X/%02X", uint8(c.Layer), c.EType, c.ErrorCode) }

// AppendDigits appends what String returns, without allocating.
func (c Code) AppendDigits(dst []byte) []byte {
	const digits = "0123456789ABCDEF"
	return append(dst, digits[c.Layer&15], '/', digits[c.EType&15], '/', digits[c.ErrorCode>>4], digits[c.ErrorCode&15])
}

// AppendNamed appends the code and its names: "0/1/00 RDMAP Remote Protection Error: Invalid STag".
func (c Code) AppendNamed(dst []byte) []byte {
	dst = append(append(append(c.AppendDigits(dst), ' '), c.Layer.String()...), ' ')
	dst = append(dst, c.ETypeName()...)
	if name := c.Name(); name != "" {
		dst = append(append(dst, ": "...), name...)
	}
	return dst
}

// ParseCode reads what [Code.String] returns: one, one, and two hexadecimal digits, separated by slashes.
func ParseCode(s string) (Code, error) {
	var v [4]uint8
	digits := 0
	if len(s) == 6 && s[1] == '/' && s[3] == '/' {
		for i, at := range [4]int{0, 2, 4, 5} {
			var ok bool
			if v[i], ok = hexDigit(s[at]); ok {
				digits++
			}
		}
	}
	if digits != 4 {
		return Code{}, fmt.Errorf("rdmap: %q is not a Terminate code: want Layer/EType/Error Code in hexadecimal, as 0/1/02", s)
	}
	return Code{Layer: Layer(v[0]), EType: v[1], ErrorCode: v[2]<<4 | v[3]}, nil
}

func hexDigit(c byte) (v uint8, ok bool) {
	switch {
	case c >= '0' && c <= '9':
		return c - '0', true
	case c >= 'a' && c <= 'f':
		return c - 'a' + 10, true
	case c >= 'A' && c <= 'F':
		return c - 'A' + 10, true
	}
	return 0, false
}

// Codes yields every registered code, in the order of the registry; for an error type with all error codes, only code 0.
func Codes() iter.Seq[Code] {
	return func(yield func(Code) bool) {
		for i := range etypes {
			t := &etypes[i]
			for code := range 256 {
				if _, ok := t.codes[uint8(code)]; !ok && !(t.all && code == 0) {
					continue
				}
				if !yield(Code{t.layer, t.etype, uint8(code)}) {
					return
				}
			}
		}
	}
}

// Fields is [TerminateFields] with the names that EType and Error Code have for this Layer and EType.
func (c Code) Fields() *field.Table { return codeFields.of(c, TerminateFields) }

// MeantFields is [MeantFields] with the names that EType and Error Code have for this Layer and EType.
func (c Code) MeantFields() *field.Table { return codeMeantFields.of(c, MeantFields) }

var (
	codeFields      = tablesByCode(newTerminateFields)
	codeMeantFields = tablesByCode(newMeantFields)
)

// codeTables holds one table for every registered error type, by Layer and EType.
type codeTables [16][16]*field.Table

// A naming is what the values of a field are called, and which of them have a name of their own.
type naming struct {
	names func(uint64) string
	known iter.Seq[uint64]
}

func tablesByCode(table func(etype, code naming) *field.Table) *codeTables {
	var tables codeTables
	for i := range etypes {
		layer, etype := etypes[i].layer, etypes[i].etype
		tables[layer][etype] = table(
			naming{func(v uint64) string { return Code{Layer: layer, EType: uint8(v)}.ETypeName() }, layer.etypes},
			naming{func(v uint64) string { return Code{layer, etype, uint8(v)}.Name() }, etypes[i].named})
	}
	return &tables
}

// etypes calls yield for the error types of the layer that are registered.
func (l Layer) etypes(yield func(uint64) bool) {
	for i := range etypes {
		if etypes[i].layer == l && !yield(uint64(etypes[i].etype)) {
			return
		}
	}
}

// named calls yield for the error codes of the type that have a name of their own.
func (t *etype) named(yield func(uint64) bool) {
	for code := range 256 {
		if t.codes[uint8(code)] != "" && !yield(uint64(code)) {
			return
		}
	}
}

func (tables *codeTables) of(c Code, general *field.Table) *field.Table {
	if c.Layer < 16 && c.EType < 16 && tables[c.Layer][c.EType] != nil {
		return tables[c.Layer][c.EType]
	}
	return general
}
