package oncrpc

// Credentials and verifiers, RFC 5531, section 8.2:
//
//	 4 octets   4 octets    length octets     0 to 3 octets
//	+----------+----------+-----------------+---------------+
//	|  flavor  |  length  |      body       |     fill      |
//	+----------+----------+-----------------+---------------+

import "github.com/iwarpkit/iwarp/codec/field"

// Flavor says how the body of a credential or verifier is to be read (RFC 5531, section 8.2 and appendix C).
type Flavor uint32

// The flavours of authentication.
const (
	AuthNone   Flavor = 0 // no authentication; the body is undefined, best empty
	AuthSys    Flavor = 1 // the credential's body is [AuthSysParms]
	AuthShort  Flavor = 2 // the body is what a Reply's verifier of this flavour gave for an AuthSys credential
	AuthDH     Flavor = 3
	AuthKerb   Flavor = 4
	AuthRSA    Flavor = 5
	RPCSECGSS  Flavor = 6      // the credential's body is [GSSCred]
	AuthTLS    Flavor = 7      // a question whether the server speaks TLS (RFC 9289, section 4.1)
	AuthGSSAPI Flavor = 300001 // an ancestor of RPCSECGSS
)

var flavors = &field.Enum{Kind: "Flavor", Values: []field.Value{
	{0, "AUTH_NONE"}, {1, "AUTH_SYS"}, {2, "AUTH_SHORT"}, {3, "AUTH_DH"}, {4, "AUTH_KERB"}, {5, "AUTH_RSA"},
	{6, "RPCSEC_GSS"}, {7, "AUTH_TLS"}, {300001, "AUTH_GSSAPI"},
}}

// Known reports whether the flavour has a name here.
func (f Flavor) Known() bool { return flavors.Has(uint64(f)) }

// String returns "AUTH_SYS", or the number of an unknown flavour, "Flavor99".
func (f Flavor) String() string { return flavors.Name(uint64(f)) }

func authFields(name string) *field.Table {
	return field.NewTable(name, proto, "RFC 5531, section 8.2",
		field.Big("rpc.auth.flavor", "flavor", 0, 4, field.Dec).Of(flavors),
		field.Big("rpc.auth.length", "body length", 4, 4, field.Dec),
		field.Opaque("rpc.auth.body", "body", 8, 0),
	)
}

// OpaqueAuth is a credential or a verifier (RFC 5531, section 8.2), a part of [Call] and [Reply].
type OpaqueAuth struct {
	Flavor Flavor
	Body   Opaque // at most 400 octets
}

// authErrors are the errors about a credential or a verifier.
type authErrors struct {
	flavor error
	body   *OpaqueErrors
}

func newAuthErrors(table *field.Table) *authErrors {
	return &authErrors{
		flavor: table.Short(0),
		body:   NewOpaqueErrors(table, "rpc.auth.length", "rpc.auth.body", "the body is at most 400 octets (RFC 5531, section 8.2)"),
	}
}

var (
	errsCredential = newAuthErrors(CredentialFields)
	errsVerifier   = newAuthErrors(VerifierFields)
)

func (a *OpaqueAuth) decode(b []byte, errs *authErrors) (n int, err error) {
	if len(b) < 4 {
		*a = OpaqueAuth{}
		return len(b), errs.flavor
	}
	a.Flavor = Flavor(order.Uint32(b))
	n, err = a.Body.Decode(b[4:], errs.body)
	return 4 + n, err
}

func (a *OpaqueAuth) append(b []byte) []byte {
	return a.Body.Append(order.AppendUint32(b, uint32(a.Flavor)))
}

// Len returns the number of octets that the credential or verifier takes.
func (a *OpaqueAuth) Len() int { return 4 + a.Body.Len() }
