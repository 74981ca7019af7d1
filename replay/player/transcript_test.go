package player_test

// Transcripts: files in testdata in which one side expects something, the other side does something else, and the outcome
// says what became of it. The lines of the comment that begin with "with" are options. "expected" is the Scenario of the
// Player, "done" that of the other side, and "outcome" that of the Player.

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/iwarpkit/iwarp/codec/peers"
	"github.com/iwarpkit/iwarp/internal/golden"
	"github.com/iwarpkit/iwarp/replay/outcome"
	"github.com/iwarpkit/iwarp/replay/player"
	"github.com/iwarpkit/iwarp/replay/scenario"
)

func TestTranscripts(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) < 10 {
		t.Fatal("no transcripts", err)
	}
	for _, name := range files {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			a, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			got := play(t, a)
			last := &a.Files[len(a.Files)-1]
			if last.Name != "outcome" {
				t.Fatalf("the last file is %s", last.Name)
			}
			last.Data = []byte(got)
			golden.File(t, name, string(txtar.Format(a)))
		})
	}
}

// play plays a transcript and returns the outcome.
func play(t *testing.T, a *txtar.Archive) string {
	t.Helper()
	var conns [2]*scenario.Conn
	for i, name := range []string{"expected", "done"} {
		for _, f := range a.Files {
			if f.Name == name {
				conns[i] = parsed(t, string(f.Data)).Conns[0]
			}
		}
	}
	if conns[1] == nil {
		conns[1] = conns[0]
	}
	role, options := playOptions(t, string(a.Comment))
	l := pair(t, conns[role], conns[1-role], player.Options{StepTimeout: time.Minute})
	l.players[role] = player.New(conns[0], role, options)
	got := l.run(t)[role]
	var b strings.Builder
	report := &outcome.Report{Conns: []*outcome.Conn{got}}
	if err := outcome.WriteText(&b, report, outcome.TextOptions{All: true}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// playOptions reads the options of a comment.
func playOptions(t *testing.T, comment string) (role scenario.Side, o player.Options) {
	t.Helper()
	for line := range strings.Lines(comment) {
		words := strings.Fields(line)
		if len(words) == 0 || words[0] != "with" {
			continue
		}
		for _, word := range words[1:] {
			name, value, _ := strings.Cut(word, "=")
			if err := playOption(&role, &o, name, value); err != nil {
				t.Fatalf("%s: %v", word, err)
			}
		}
	}
	return role, o
}

func playOption(role *scenario.Side, o *player.Options, name, value string) (err error) {
	on := value == "on"
	switch name {
	case "role":
		if value == "server" {
			*role = scenario.Server
		}
	case "profile":
		if o.Profile = peers.LookupProfile(value); o.Profile == nil {
			err = fmt.Errorf("there is no such profile")
		}
	case "crc":
		o.MPA.CRC = &on
	case "markers":
		o.MPA.Markers = &on
	case "speed":
		o.Speed, err = strconv.ParseFloat(value, 64)
	case "emss":
		o.EMSS, err = strconv.Atoi(value)
	case "misses":
		o.Misses, err = strconv.Atoi(value)
	case "ird", "ord":
		var n uint16
		_, err = fmt.Sscan(value, &n)
		if o.MPA.IRD == nil {
			o.MPA.IRD = &n
		} else {
			o.MPA.ORD = &n
		}
	case "rev":
		o.MPA.Rev = new(uint8)
		_, err = fmt.Sscan(value, o.MPA.Rev)
	case "map-to":
		m := player.Mapping{Kind: scenario.TO, Length: 4096}
		_, err = fmt.Sscanf(value, "%v:%v", &m.Recorded, &m.Live)
		o.Map = append(o.Map, m)
	case "map":
		m := player.Mapping{Kind: scenario.STag}
		_, err = fmt.Sscanf(value, "%v:%v", &m.Recorded, &m.Live)
		o.Map = append(o.Map, m)
	default:
		err = fmt.Errorf("there is no such option")
	}
	return err
}
