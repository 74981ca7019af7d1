// Package fleet checks captures on many hosts as if they were one. Agents read the files where they are and send the
// packets, divided into shares by connection, to a NATS JetStream server. Judges take shares and judge the connections
// in them. [Bus.Answer] joins their results to what one process would have found in all of the files.
//
// Everything is stored under a name that its content determines, so that work done twice has one result.
package fleet

import (
	"context"
	"crypto/sha256"
	"crypto/tls"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/klauspost/compress/zstd"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Shares is how many shares the connections of all files are sorted into. Each is judged as a whole.
const Shares = 32

// The streams and their subjects. A subject has one message, the latest.
const (
	storeStream   = "IWARP"
	taskStream    = "IWARP-TASKS"
	stateStream   = "IWARP-STATES"  // apart, for what is replaced again and again: to delete a message, a server reads all that was stored about then
	fileSubject   = "iwarp.file."   // FILE: a File
	packetSubject = "iwarp.packet." // FILE.BALE, or AGENT.BALE if it is of several files: packets of a share
	resultSubject = "iwarp.result." // TASK: a resultHead; TASK.PART: a part of the result
	taskSubject   = "iwarp-task."   // TASK: a Task, compressed
	stateSubject  = "iwarp-state."
	agentSubject  = stateSubject + "agent." // NAME: an agentState
	judgeSubject  = stateSubject + "judge." // SHARE: a judgeState
)

// maxPart is how many octets a message has at most: less than the limit of a server that nobody has configured, 1 MiB.
const maxPart = 960 << 10

// A Bus is a connection to the server, with what the fleet stores there.
type Bus struct {
	conn   *nats.Conn
	js     jetstream.JetStream
	store  jetstream.Stream
	tasks  jetstream.Stream
	states jetstream.Stream
	room   room

	permitted context.Context // until the server refuses something; its cause says what
}

// Connect opens the streams on a server, and creates them if there are none: with as many replicas as given, and at most maxBytes octets,
// -1 for no limit.
func Connect(ctx context.Context, url string, replicas int, maxBytes int64, options ...nats.Option) (*Bus, error) {
	permitted, forbid := context.WithCancelCause(context.Background())
	options = append(options, nats.MaxReconnects(-1), nats.ReconnectWait(200*time.Millisecond), nats.Name("iwarp-fleet"),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) {
			if lacks := forbidden(err); lacks != nil {
				forbid(lacks)
			}
		}))
	conn, err := nats.Connect(url, options...)
	for starting := time.Now().Add(2 * patience); err != nil && !isFinal(err) && ctx.Err() == nil && time.Now().Before(starting); {
		time.Sleep(200 * time.Millisecond)
		conn, err = nats.Connect(url, options...)
	}
	if err != nil {
		return nil, err
	}
	b := &Bus{conn: conn, room: room{maxPackets, maxEvents}, permitted: permitted}
	if b.js, err = jetstream.New(conn, jetstream.WithPublishAsyncTimeout(patience)); err == nil {
		err = b.open(ctx, replicas, maxBytes)
	}
	if err != nil {
		conn.Close()
		return nil, err
	}
	return b, nil
}

// isFinal reports whether trying again cannot help: the server refuses the login, or its certificate is not trusted.
func isFinal(err error) bool {
	return strings.Contains(err.Error(), "Authorization Violation") || errors.As(err, new(*tls.CertificateVerificationError))
}

// refusedRE finds what a server says that it does not permit.
var refusedRE = regexp.MustCompile(`(?i)violation for (publish|subscription) to "([^"]*)"`)

// forbidden says what the server does not permit; nil if that is not what err says. An answer that may not be given to an inbox harms its
// owner alone.
func forbidden(err error) error {
	refused := refusedRE.FindStringSubmatch(err.Error())
	if !errors.Is(err, nats.ErrPermissionViolation) || refused == nil {
		return nil
	}
	switch way, subject := strings.ToLower(refused[1]), refused[2]; {
	case way == "subscription":
		return fmt.Errorf("the server does not permit this user to subscribe to %s", subject)
	case !strings.HasPrefix(subject, nats.InboxPrefix):
		return fmt.Errorf("the server does not permit this user to publish to %s", subject)
	}
	return nil
}

// open opens the streams. One that exists keeps its settings.
func (b *Bus) open(ctx context.Context, replicas int, maxBytes int64) error {
	stream := func(c jetstream.StreamConfig) (s jetstream.Stream, err error) {
		c.Storage, c.Replicas, c.MaxMsgsPerSubject, c.MaxBytes = jetstream.FileStorage, replicas, 1, maxBytes
		err = b.persist(ctx, func(ctx context.Context) error {
			if s, err = b.js.CreateStream(ctx, c); errors.Is(err, jetstream.ErrStreamNameAlreadyInUse) {
				s, err = b.js.Stream(ctx, c.Name)
			}
			return err
		})
		return s, err
	}
	var err error
	b.store, err = stream(jetstream.StreamConfig{Name: storeStream, Subjects: []string{"iwarp.>"}, AllowDirect: true, Discard: jetstream.DiscardNew})
	if err == nil {
		b.states, err = stream(jetstream.StreamConfig{Name: stateStream, Subjects: []string{stateSubject + ">"}, AllowDirect: true, Discard: jetstream.DiscardNew})
	}
	if err == nil {
		b.tasks, err = stream(jetstream.StreamConfig{
			Name: taskStream, Subjects: []string{taskSubject + "*"}, Retention: jetstream.WorkQueuePolicy,
			Discard: jetstream.DiscardNew, DiscardNewPerSubject: true, // a task that waits already is not given twice
		})
	}
	return err
}

// Close ends the connection.
func (b *Bus) Close() { b.conn.Close() }

// errAbsent says that nothing is stored under a subject.
var errAbsent = errors.New("not stored")

// patience is the time that the server has to do something, until it is asked again.
const patience = 5 * time.Second

// persist repeats what failed because the server is away or starting. It does not repeat what the server refuses.
func (b *Bus) persist(ctx context.Context, do func(context.Context) error) error {
	for begin := time.Now(); ; {
		if b.permitted.Err() != nil {
			return context.Cause(b.permitted)
		}
		once, stop := context.WithTimeout(ctx, patience)
		forget := context.AfterFunc(b.permitted, stop)
		err := do(once)
		forget()
		stop()
		var refusal *jetstream.APIError
		const unavailable = 503
		refused := errors.As(err, &refusal) && (refusal.Code != unavailable || isBusy(err))
		if refused && (refusal.ErrorCode == codePeers || refusal.ErrorCode == codeNoStream) {
			refused = time.Since(begin) > 2*patience // a cluster that is forming may say so, of streams that it has
		}
		switch {
		case isFull(err):
			return fmt.Errorf("the server has no room left: %s; see its disk, max_file_store and --max-bytes", refusal.Description)
		case err == nil, refused, errors.Is(err, nats.ErrMaxPayload), errors.Is(err, nats.ErrConnectionClosed):
			return err
		case ctx.Err() != nil:
			return ctx.Err()
		}
		_ = pause(ctx, 200*time.Millisecond) // the next try has the error
	}
}

// Codes of refusals, as nats-server numbers them.
const (
	codePeers     = 10005 // fewer servers than replicas
	codeNoStream  = 10059
	codeResources = 10023 // more than the account, or the server, may store
	codeStorage   = 10047 // likewise
	codeNotStored = 10077 // the description says why
)

// isFull reports whether the server has no room. It says that it is unavailable then.
func isFull(err error) bool {
	refusal := new(jetstream.APIError)
	if !errors.As(err, &refusal) {
		return false
	}
	why := refusal.Description
	return refusal.ErrorCode == codeResources || refusal.ErrorCode == codeStorage ||
		refusal.ErrorCode == codeNotStored && (strings.Contains(why, "maximum bytes exceeded") || strings.Contains(why, syscall.ENOSPC.Error()))
}

// isBusy reports whether the subject has a message, and takes no other.
func isBusy(err error) bool {
	refusal := new(jetstream.APIError)
	return errors.As(err, &refusal) && refusal.ErrorCode == codeNotStored && strings.Contains(refusal.Description, "per subject exceeded")
}

func (b *Bus) put(ctx context.Context, subject string, octets []byte) error {
	return b.persist(ctx, func(ctx context.Context) error {
		_, err := b.js.Publish(ctx, subject, octets)
		return err
	})
}

// holder is the stream of a subject that is not one of tasks.
func (b *Bus) holder(subject string) jetstream.Stream {
	if strings.HasPrefix(subject, stateSubject) {
		return b.states
	}
	return b.store
}

// get returns what is stored; the error is errAbsent if there is nothing.
func (b *Bus) get(ctx context.Context, subject string) (octets []byte, err error) {
	err = b.persist(ctx, func(ctx context.Context) error {
		m, err := b.holder(subject).GetLastMsgForSubject(ctx, subject)
		if err == nil {
			octets = m.Data
		}
		return err
	})
	if errors.Is(err, jetstream.ErrMsgNotFound) {
		err = errAbsent
	}
	return octets, err
}

// ask gets what is stored, while something else is done. What it returns waits for that, and returns what get does.
func (b *Bus) ask(ctx context.Context, subject string) (wait func() ([]byte, error)) {
	wait = sync.OnceValues(func() ([]byte, error) { return b.get(ctx, subject) })
	go func() { _, _ = wait() }()
	return wait
}

// getAll gives take what is stored under each subject, as get returns it. It asks for several at a time, which costs much less.
func (b *Bus) getAll(ctx context.Context, subjects []string, take func(i int, octets []byte, err error) error) error {
	const atATime = 64
	for from := 0; from < len(subjects); from += atATime {
		var coming []func() ([]byte, error)
		for _, subject := range subjects[from:min(from+atATime, len(subjects))] {
			coming = append(coming, b.ask(ctx, subject))
		}
		for i, wait := range coming {
			octets, err := wait()
			if err := take(from+i, octets, err); err != nil {
				return err
			}
		}
	}
	return nil
}

// putValue stores a value in JSON.
func (b *Bus) putValue(ctx context.Context, subject string, v any) error {
	return b.put(ctx, subject, encode(v))
}

// getValue reads a value that putValue has stored.
func (b *Bus) getValue(ctx context.Context, subject string, v any) error {
	octets, err := b.get(ctx, subject)
	return decode(octets, err, v)
}

// eachValue gives take every value that is stored below a prefix of subjects, and how many there are.
func eachValue[T any](ctx context.Context, b *Bus, prefix string, take func(v *T, of int) error) error {
	all, err := b.subjects(ctx, prefix)
	if err != nil {
		return err
	}
	return b.getAll(ctx, all, func(_ int, octets []byte, err error) error {
		v := new(T)
		if err = decode(octets, err, v); err != nil {
			return err
		}
		return take(v, len(all))
	})
}

// decode is the value that putValue has stored, from what get returns.
func decode(octets []byte, err error, v any) error {
	if err != nil {
		return err
	}
	return json.Unmarshal(octets, v)
}

// drop deletes what is stored under a subject.
func (b *Bus) drop(ctx context.Context, subject string) error {
	return b.persist(ctx, func(ctx context.Context) error { return b.store.Purge(ctx, jetstream.WithPurgeSubject(subject)) })
}

// subjects returns the subjects that begin with a prefix and have messages.
func (b *Bus) subjects(ctx context.Context, prefix string) (all []string, err error) {
	err = b.persist(ctx, func(ctx context.Context) error {
		info, err := b.holder(prefix).Info(ctx, jetstream.WithSubjectFilter(prefix+"*"))
		if err == nil {
			all = slices.Collect(maps.Keys(info.State.Subjects))
		}
		return err
	})
	return all, err
}

// encode is a value in JSON. It panics on one that JSON does not have.
func encode(v any) []byte {
	octets, err := json.Marshal(v)
	if err != nil {
		panic(fmt.Sprintf("%T in JSON: %v", v, err))
	}
	return octets
}

// isName reports whether a text that others have written can be a name in a subject. With spaces or wildcards, the server would not answer.
func isName(s string) bool {
	return s != "" && strings.Trim(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_") == ""
}

// nameOf is the name of octets: 128 bits of their SHA-256.
func nameOf(octets []byte) string {
	sum := sha256.Sum256(octets)
	return base64.RawURLEncoding.EncodeToString(sum[:16])
}

// The coders of parts and results. Both can be used by several goroutines at a time.
var (
	compressor, _   = zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1))
	decompressor, _ = zstd.NewReader(nil, zstd.WithDecoderConcurrency(0), zstd.WithDecoderMaxMemory(maxResult))
)
