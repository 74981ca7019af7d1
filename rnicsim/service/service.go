package service

import (
	"errors"
	"fmt"

	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/rpcprivate"
	"github.com/iwarpkit/iwarp/rnicsim/driver"
	"github.com/iwarpkit/iwarp/rnicsim/internal/rpcwork"
	"github.com/iwarpkit/iwarp/rnicsim/rpc"
)

// The errors of New, and of connections that a Server ends.
var (
	ErrUnknown = errors.New("service: there is no service of that name")
	ErrSize    = errors.New("service: a size is out of bounds")
	ErrWaits   = errors.New("service: it only accepts connections")
	ErrNoSRQ   = errors.New("service: only conform takes Receives from a Shared Receive Queue")
	ErrNoReads = errors.New("service: it must RDMA Read from the client, but ORD is 0")
	ErrBogus   = errors.New("service: a message is not an advertisement of 16 octets")
	ErrTooMuch = errors.New("service: an advertisement offers more octets than the server has room for")
)

// A Service describes one of the services.
type Service struct {
	Name      string // as New takes it
	Text      string // its description, in a sentence
	Initiates bool   // it can also begin connections, by Server.Initiate

	private               int  // octets of its Private Data
	receives, receiveSize int  // defaults of the Options
	fixed                 bool // Options cannot change them
	sends                 int  // Work Requests that the SQ has room for at least
	reads                 bool // it reads from the client, by RDMA Read
	shared                bool // all connections share the Protection Domain of the Device
	open                  func(*Server) (newHandler, error)
}

// A newHandler returns the handler of a new connection.
type newHandler func() handler

// A handler serves a connection. Its functions are never called at the same time.
type handler interface {
	// prepare registers memory and posts Receives, before the first FPDU may arrive. It returns the Private Data to
	// send.
	prepare(s *session) (private []byte, err error)

	// completed handles Work Requests that have succeeded. An error ends the connection.
	completed(s *session, done []completion) error
}

// Services returns all services.
func Services() []Service {
	return []Service{
		{Name: "sink", Text: "receives messages and reports their number; each connection has a region to write and read",
			private: OfferLen, receives: 256, receiveSize: 8 << 20, open: openSink},
		{Name: "echo", Text: "sends each message back; each connection has a region to write and read",
			private: OfferLen, receives: 32, receiveSize: 256 << 10, open: openEcho},
		{Name: "memory", Text: "has one region for all connections, to write, read and do atomics on; accepts no messages",
			private: OfferLen, fixed: true, shared: true, open: openMemory},
		{Name: "rping", Text: "is an rping server: reads from the region that a message advertises, and writes to that of the next",
			receives: 2, receiveSize: AdvertisementLen, fixed: true, reads: true, open: openRping},
		{Name: "conform", Text: "executes commands in messages, to test an RNIC completely",
			private: conformOfferLen, receives: 32, receiveSize: 8192, sends: conformSends, fixed: true, Initiates: true,
			open: openConform},
		{Name: "rpc", Text: "is a server of RPC-over-RDMA with procedures that echo, move data by chunks and call back",
			private: rpcprivate.Len, receives: rpc.DefaultCredits, receiveSize: rpc.DefaultSize, sends: rpcwork.Sends,
			open: openRPC},
	}
}

// The limits of Options.
const (
	DefaultRegion  = 8 << 20 // octets
	MaxRegion      = 1 << 30 // octets
	MaxReceives    = 1 << 13
	MaxReceiveSize = 1 << 30 // octets
	maxBuffers     = 1 << 32 // octets of all buffers of an echo connection, which has two for each Receive
)

// Options configure a Server. Zero values have defaults of the service.
type Options struct {
	Region      int         // octets that are advertised, or that rping can read; ignored by conform and rpc
	Receives    int         // messages that a client may have outstanding; for sink, echo and rpc
	ReceiveSize int         // longest message in octets; for sink, echo and rpc
	IRD, ORD    int         // as in driver.ConnConfig; -1 stands for zero
	Private     []byte      // Private Data after that of the service
	SRQ         bool        // for conform: each connection takes Receives from a Shared Receive Queue
	RPC         rpc.Options // for rpc; what is zero there follows from Receives and ReceiveSize

	// Program returns what executes the Calls of a connection of rpc; nil for rpc.Echo. An error refuses the connection.
	Program func(*Calls) (rpc.Program, error)

	Observe func(Event) // called with events, by several goroutines; nil for none
}

// A Server provides one Service on the connections of a Device.
type Server struct {
	Service
	device  *driver.Device
	options Options
	queue   int // Receives that the RQ has room for; 0 for Options.Receives
	handler newHandler
}

// New returns a Server of the Service called name. It fails with ErrUnknown, ErrSize or ErrNoSRQ, with ErrNoReads if
// the Service needs an ORD, or if memory cannot be registered.
func New(d *driver.Device, name string, o Options) (*Server, error) {
	for _, service := range Services() {
		if service.Name != name {
			continue
		}
		s := &Server{Service: service, device: d, options: o}
		if err := s.settle(); err != nil {
			return nil, err
		}
		var err error
		s.handler, err = service.open(s)
		return s, err
	}
	return nil, fmt.Errorf("%w: %q", ErrUnknown, name)
}

// settle sets the defaults of the Options, and checks them.
func (s *Server) settle() error {
	o := &s.options
	for _, v := range []struct {
		name           string
		value          *int
		usual, highest int
	}{
		{"region", &o.Region, DefaultRegion, MaxRegion},
		{"receives", &o.Receives, s.receives, MaxReceives},
		{"receive size", &o.ReceiveSize, s.receiveSize, MaxReceiveSize},
	} {
		if *v.value == 0 {
			*v.value = v.usual
		}
		if *v.value < 0 || *v.value > v.highest {
			return fmt.Errorf("%w: %s %d, at most %d", ErrSize, v.name, *v.value, v.highest)
		}
	}
	if n, most := s.private+len(o.Private), mpa.MaxPrivateData-mpa.EnhancedLen; n > most {
		return fmt.Errorf("%w: Private Data %d with those of the service, at most %d", ErrSize, n, most)
	}
	if s.reads && o.ORD < 0 {
		return ErrNoReads
	}
	if o.SRQ && s.Name != "conform" {
		return ErrNoSRQ
	}
	if s.fixed {
		o.Receives, o.ReceiveSize = s.receives, s.receiveSize
	}
	return nil
}

// A memory is one region for all connections, which only peers use.
type memory struct{ Advertisement }

func openMemory(s *Server) (newHandler, error) {
	m := memory{Advertisement{Length: uint32(s.options.Region)}}
	var err error
	m.STag, m.TO, err = s.device.Register(make([]byte, s.options.Region), remoteRights)
	return func() handler { return m }, err
}

func (m memory) prepare(c *session) ([]byte, error) {
	return c.server.offer(m.Advertisement, TakesNone), nil
}

func (memory) completed(*session, []completion) error { return nil }
