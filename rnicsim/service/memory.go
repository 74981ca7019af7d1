package service

import (
	"github.com/iwarpkit/iwarp/rnicsim"
)

// memoryTO is the TO of the first octet of the region. Atomics need a multiple of 8.
const memoryTO = 0x10000

// A memory is one region for all connections, which only the peers use.
type memory struct{ Advertisement }

func openMemory(s *Server) (newHandler, error) {
	m := memory{Advertisement{TO: memoryTO, Length: uint32(s.options.Region)}}
	err := s.device.Do(func(r *rnicsim.RNIC) (err error) {
		m.STag, err = r.RegisterOctets(s.device.PD(), make([]byte, s.options.Region), memoryTO, remoteRights, 0)
		return err
	})
	return func() handler { return m }, err
}

func (m memory) prepare(c *session) ([]byte, error) {
	return c.server.offer(m.Advertisement, TakesNone), nil
}

func (memory) completed(*session, []completion) error { return nil }
