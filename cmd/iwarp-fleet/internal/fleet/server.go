package fleet

// The server that is built in. It stores what agents, judges and Answer put there, and decides nothing.

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
)

// A Server is a NATS server with JetStream.
type Server struct{ of *server.Server }

// StartInside starts a server that listens nowhere and stores in a folder, and returns the option with which this process connects to it.
func StartInside(folder string) (*Server, nats.Option, error) {
	s, err := start(&server.Options{DontListen: true, StoreDir: folder})
	if err != nil {
		return nil, nil, err
	}
	return s, nats.InProcessServer(s.of), nil
}

// Start starts a server that listens on an address and stores in a folder. Port 0 stands for any.
func Start(host string, port int, folder string) (*Server, error) {
	return start(&server.Options{Host: host, Port: cmp.Or(port, server.RANDOM_PORT), StoreDir: folder})
}

// StartConfigured starts a server with a configuration file of nats-server, which can say anything: TLS, nkeys, a cluster.
func StartConfigured(file string) (*Server, error) {
	o, err := server.ProcessConfigFile(file)
	if err != nil {
		return nil, err
	}
	return start(o)
}

func start(o *server.Options) (*Server, error) {
	o.JetStream, o.NoSigs, o.NoLog = true, true, true
	s, err := server.NewServer(o)
	if err != nil {
		return nil, err
	}
	s.Start()
	if !s.ReadyForConnections(20 * time.Second) {
		s.Shutdown()
		return nil, errors.New("the server does not start: is its port in use, or its folder not writable?")
	}
	return &Server{s}, nil
}

// leastRoom is how many octets have to be free on the disk of a server. Without room it answers nobody, and says nothing of that.
const leastRoom = 256 << 10

// Wait waits until ctx is done. The error says that the server stores nothing more: its disk is full.
func (s *Server) Wait(ctx context.Context) error {
	for tick := time.NewTicker(time.Second); ; {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
			name := filepath.Join(s.of.StoreDir(), "room")
			err := os.WriteFile(name, make([]byte, leastRoom), 0o600)
			os.Remove(name)
			if errors.Is(err, syscall.ENOSPC) || !s.of.JetStreamEnabled() {
				return fmt.Errorf("the disk of %s is full: the server has no room left; make room, and start it again", s.of.StoreDir())
			}
		}
	}
}

// URL is where the server listens.
func (s *Server) URL() string { return s.of.ClientURL() }

// Stop ends the server.
func (s *Server) Stop() {
	s.of.Shutdown()
	s.of.WaitForShutdown()
}
