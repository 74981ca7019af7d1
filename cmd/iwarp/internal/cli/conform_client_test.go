package cli

import (
	"context"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/iwarpkit/iwarp/cmd/internal/exit"
)

// A client is asked while somebody uses it, and what it gets is recorded.
func TestConformClient(t *testing.T) {
	folder := t.TempDir()
	s := start(t, "", "serve", "--service", "rpc")
	log := &pipedLog{lines: make(chan string, 10)}
	asked := make(chan outcome)
	go func() {
		var out strings.Builder
		code := Main(context.Background(), &Streams{In: strings.NewReader(""), Out: &out, Err: log, Env: func(string) string { return "" }}, []string{
			"conform", "--service", "rpc-client", "--listen", "127.0.0.1:0", strings.TrimSpace(s.first), "RFC8797/4/reserved-bits",
			"--save-runs", folder, "-o", "ktap",
		})
		asked <- outcome{code: code, out: out.String()}
	}()
	address := regexp.MustCompile(`listening on (\S+)`).FindStringSubmatch(<-log.lines)[1]
	var got, client outcome
	for over := false; !over; {
		select {
		case got = <-asked:
			over = true
		default:
			client = run(t.Context(), nil, false, nil, "ping", "--rpc", "--program", "0x20697763,1", "-c", "20", "-i", "0", address)
		}
	}
	if got.code != exit.OK || !strings.Contains(got.out, "\n  ok 1 reserved-bits\n") {
		t.Errorf("%+v; the client: %+v", got, client)
	}
	got = run(t.Context(), nil, false, nil, "check", filepath.Join(folder, "RFC8797-4-reserved-bits.pcapng"))
	if !strings.Contains(got.out, "RPCPD-4-3") {
		t.Errorf("check: %+v", got)
	}
	got = run(t.Context(), nil, false, nil, "conform", "--service", "rpc-client", "--listen", "127.0.0.1:0", "127.0.0.1:1")
	if got.code != exit.Unreadable || !strings.Contains(got.err, "127.0.0.1:1: connection refused") {
		t.Errorf("no server: %+v", got)
	}
	for _, wrong := range []string{"conform --service rpc-client 127.0.0.1", "conform --service rpc-client --export RFC8797/4/reserved-bits"} {
		if got := run(t.Context(), nil, false, nil, strings.Fields(wrong)...); got.code != exit.Usage {
			t.Errorf("%s: %+v", wrong, got)
		}
	}
}
