package main

// Who may do what: TLS, nkeys, permissions, and the units of systemd.

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/iwarpkit/iwarp/cmd/internal/exit"
)

// TestSecured has a server that asks for TLS and an nkey.
func TestSecured(t *testing.T) {
	if testing.Short() {
		t.Skip("it waits for leases and time-outs")
	}
	t.Parallel()
	const seed, user = "SUAN35FWYKHBB7ZESESY6D6MKFMNRTTXAGZZ6AAJJ6MAE4SC56FBRAA6UA", "UDAQSRRG5ZORBBNE3CSXAMSLQL4X6JSS4QQN5FT7M4QSO7WCDNI2ONMC"
	folder := t.TempDir()
	file := func(name string, octets []byte) string {
		name = filepath.Join(folder, name)
		if err := os.WriteFile(name, octets, 0o600); err != nil {
			t.Fatal(err)
		}
		return name
	}
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "fleet"}, NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true,
	}
	cert, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	private, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	ca := file("cert.pem", pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: cert}))
	private = pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: private})

	f := &hosts{scene: newScene(t), t: t, flags: []string{"--tls-ca", ca, "--nkey", file("seed", []byte(seed))}}
	_, f.url = f.start("--config", config(t, "listen: %q\njetstream { store_dir: %q }\ntls { cert_file: %q, key_file: %q }\nauthorization { users: [{nkey: %s}] }\n",
		ports(t, 1)[0], t.TempDir(), ca, file("key.pem", private), user))
	f.judge()
	f.ends(f.agent(0))
	f.ends(f.agent(1))
	f.answers("json", func() {})
	for _, flags := range [][]string{{"--tls-ca", ca}, {"--nkey", f.flags[3]}} {
		begin := time.Now()
		if got := ask(t, process(t, append([]string{"status", "--nats", f.url}, flags...)...)); got.code != exit.Unreadable {
			t.Errorf("%v: exit code %d", flags, got.code)
		}
		if took := time.Since(begin); took > 8*time.Second {
			t.Errorf("%v: it has taken %v", flags, took)
		}
	}
}

// TestForbidden has users that lack a permission: a command ends, and names the subject.
func TestForbidden(t *testing.T) {
	s := newScene(t)
	for _, tt := range []struct{ denied, command, named string }{
		{`publish: {deny: "iwarp.file.>"}`, "agent", "publish to iwarp.file."},
		{`publish: {deny: "iwarp.packet.>"}`, "agent", "publish to iwarp.packet."},
		{`publish: {deny: "$JS.API.STREAM.>"}`, "agent", "publish to $JS.API.STREAM."},
		{`subscribe: {deny: "iwarp-fetch.>"}`, "agent", "subscribe to iwarp-fetch."},
		{`subscribe: {deny: "_INBOX.>"}`, "agent", "subscribe to _INBOX."},
		{`publish: {deny: "$JS.API.CONSUMER.>"}`, "judge", "publish to $JS.API.CONSUMER."},
		{`publish: {deny: "$JS.API.DIRECT.>"}`, "check", "publish to $JS.API.DIRECT."},
	} {
		t.Run(tt.command+" "+tt.denied, func(t *testing.T) {
			t.Parallel()
			f := &hosts{scene: s, t: t}
			_, f.url = f.start("--config", config(t, "listen: %q\njetstream { store_dir: %q }\nauthorization { users: [{user: a, password: a}, {user: b, password: b, permissions: {%s}}] }\n",
				ports(t, 1)[0], t.TempDir(), tt.denied))
			args := []string{tt.command, "--nats", strings.Replace(f.url, "//", "//b:b@", 1)}
			f.url = strings.Replace(f.url, "//", "//a:a@", 1)
			if tt.command == "agent" {
				args = append(args, "--dir", f.folders[0])
			} else {
				f.ends(f.agent(0))
			}
			begin := time.Now()
			if v := said(t, args...); v.code != exit.Unreadable || !strings.Contains(v.text, "does not permit this user to "+tt.named) || strings.Count(v.text, "\n") != 1 {
				t.Errorf("%+v", v)
			}
			if took := time.Since(begin); took > 20*time.Second {
				t.Errorf("it has taken %v", took)
			}
		})
	}
}

// TestUnits checks the units in docs/fleet.md: commands that are right, which systemd may end, and which can be enabled.
func TestUnits(t *testing.T) {
	guide, err := os.ReadFile("../../docs/fleet.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(guide), "\nUnits for systemd")
	rest, _, _ = strings.Cut(rest, "\n```\n\n")
	units := strings.Split(rest, "[Service]\n")[1:]
	if len(units) != 3 {
		t.Fatalf("%d units", len(units))
	}
	for _, unit := range units {
		_, start, _ := strings.Cut(unit, "ExecStart=/usr/local/bin/iwarp-fleet ")
		start, rest, _ := strings.Cut(start, "\n")
		cmd, flags, err := newRoot(nil).Find(strings.Fields(start))
		if err == nil {
			err = cmd.ParseFlags(flags)
		}
		if err != nil || !cmd.Runnable() || !cmd.HasParent() {
			t.Errorf("%q: %v", start, err)
		}
		for _, line := range []string{"Restart=on-failure", "SuccessExitStatus=143", "[Install]"} {
			if !strings.Contains(rest, line+"\n") {
				t.Errorf("%q without %s", start, line)
			}
		}
	}
}

// TestPermitted gives an agent, a judge and a check the permissions in docs/fleet.md: they suffice.
func TestPermitted(t *testing.T) {
	guide, err := os.ReadFile("../../docs/fleet.md")
	if err != nil {
		t.Fatal(err)
	}
	permissions := regexp.MustCompile(`(?s)\{nkey: U\.\.\., (permissions: .*?\}\}\})`).FindAllStringSubmatch(string(guide), -1)
	if len(permissions) != 3 {
		t.Fatalf("docs/fleet.md has %d permissions", len(permissions))
	}
	f := &hosts{scene: newScene(t), t: t}
	_, f.url = f.start("--config", config(t, "listen: %q\njetstream { store_dir: %q }\nauthorization { users: [{user: agent, password: x, %s, {user: judge, password: x, %s, {user: check, password: x, %s] }\n",
		ports(t, 1)[0], t.TempDir(), permissions[0][1], permissions[1][1], permissions[2][1]))
	url := f.url
	as := func(user string) { f.url = strings.Replace(url, "//", "//"+user+":x@", 1) }
	as("agent")
	f.ends(f.agent(0))
	f.ends(f.agent(1))
	as("judge")
	f.judge()
	as("check")
	f.answers("json", func() {})
	as("agent")
	conn, err := nats.Connect(f.url)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	js, err := jetstream.New(conn)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithTimeout(t.Context(), 2*time.Second)
	defer stop()
	if _, err := js.CreateStream(ctx, jetstream.StreamConfig{Name: "COPY", Mirror: &jetstream.StreamSource{Name: "IWARP"}}); err == nil {
		t.Error("an agent may copy what others have sent")
	}
	for _, command := range []string{"check", "judge"} {
		if v := said(t, f.with(command)...); v.code != exit.Unreadable || !strings.Contains(v.text, "does not permit") {
			t.Errorf("%s as an agent: %+v", command, v)
		}
	}
}
