package app

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/google/uuid"
	"golang.org/x/sync/singleflight"

	"lens/agent"
	"lens/internal/errs"
	"lens/retrieval"
)

// Service is a Lens for a server with concurrent requests. If the archive cannot be opened, the next request tries
// again. Only the first request asks for the PIN of a locked archive: a wrong PIN, given at every request, would use up
// all tries. After that lens unlock unlocks the archive, also after lens lock.
type Service struct {
	*App
	opening singleflight.Group
}

// Service returns l for a server. Call OnSecret before.
func (l *App) Service() *Service {
	l.box.mu.Lock()
	defer l.box.mu.Unlock()
	l.box.heeds = true
	if ask := l.ask; ask != nil {
		var once sync.Once
		l.ask = func() (secret string, err error) {
			once.Do(func() { secret, err = ask() })
			return secret, err
		}
	}
	return &Service{App: l}
}

// Engine calls App.Engine. Concurrent calls share one opening; each waits no longer than its ctx.
func (s *Service) Engine(ctx context.Context) (*retrieval.Engine, error) {
	opened := s.opening.DoChan("", func() (any, error) { return s.App.Engine(context.WithoutCancel(ctx)) })
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case r := <-opened:
		if r.Err != nil {
			return nil, r.Err
		}
		return r.Val.(*retrieval.Engine), nil
	}
}

// Investigation calls App.Investigation.
func (s *Service) Investigation(ctx context.Context, conversation uuid.UUID) (agent.Request, error) {
	if _, err := s.Engine(ctx); err != nil {
		return agent.Request{}, err
	}
	return s.App.Investigation(ctx, conversation)
}

// ExplainAfar describes an error to a client on another machine, without the location of the archive and the number of
// tries left to unlock it. "" means that the client may see only the code.
func ExplainAfar(err error) string {
	var known *errs.Error
	if errs.CodeOf(err) == errs.Locked || errors.As(err, &known) && isOfPlace(known.Op) {
		return ""
	}
	f := Explain(err)[0]
	if f.Message == "" {
		return ""
	}
	return strings.TrimSpace(sentence(f.Message) + " " + sentence(f.Hint))
}

// isOfPlace reports whether the errors of an operation may contain the location of an archive or an index.
func isOfPlace(op string) bool {
	place, _, _ := strings.Cut(op, ":")
	return slices.Contains([]string{"postgres", "sqlite", "open archive", "folder", "s3", "cache"}, place)
}

// sentence capitalizes text and ends it with a full stop; "" stays "".
func sentence(text string) string {
	text = strings.TrimRight(text, ".")
	if text == "" {
		return ""
	}
	first, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(first)) + text[size:] + "."
}

// LogTo returns a logger that writes JSON lines, at level info or the configured level if that is lower. The secrets of
// the configuration are redacted.
func (l *App) LogTo(w io.Writer) *slog.Logger {
	redacted := &blotted{w, strings.NewReplacer(l.blots()...)}
	return slog.New(slog.NewJSONHandler(redacted, &slog.HandlerOptions{Level: min(l.cfg.LogLevel, slog.LevelInfo)}))
}

type blotted struct {
	to    io.Writer
	blots *strings.Replacer
}

func (b *blotted) Write(line []byte) (int, error) {
	_, err := b.blots.WriteString(b.to, string(line))
	return len(line), err
}
