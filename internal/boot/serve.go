package boot

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
	"lens/retrieval"
	"lens/store"
)

// Service is a Lens that many ask at the same time. An archive that cannot be opened now may be later: it is tried again by whoever asks. For
// the PIN of a locked one the person is asked once, by the first of them: a wrong one, given at every request, would use up all tries. From
// then on lens unlock opens it, also after lens lock.
type Service struct {
	*Lens
	opening singleflight.Group
}

// Service returns l for a server. OnSecret comes before it.
func (l *Lens) Service() *Service {
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
	return &Service{Lens: l}
}

// Engine is that of the Lens. Who asks while it is being opened waits, but no longer than ctx.
func (s *Service) Engine(ctx context.Context) (*retrieval.Engine, error) {
	opened := s.opening.DoChan("", func() (any, error) { return s.Lens.Engine(context.WithoutCancel(ctx)) })
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

// Investigation is that of the Lens.
func (s *Service) Investigation(ctx context.Context, conversation uuid.UUID) (agent.Request, error) {
	if _, err := s.Engine(ctx); err != nil {
		return agent.Request{}, err
	}
	return s.Lens.Investigation(ctx, conversation)
}

// ExplainAfar returns what somebody on another machine may be told of an error: without where the archive lies and how
// many tries are left to open it; "" for nothing but its code.
func ExplainAfar(err error) string {
	var known *store.Error
	if store.CodeOf(err) == store.CodeLocked || errors.As(err, &known) && isOfPlace(known.Op) {
		return ""
	}
	f := Explain(err)[0]
	if f.Message == "" {
		return ""
	}
	return strings.TrimSpace(sentence(f.Message) + " " + sentence(f.Hint))
}

// isOfPlace reports whether an operation's errors may say where an archive or an index is.
func isOfPlace(op string) bool {
	place, _, _ := strings.Cut(op, ":")
	return slices.Contains([]string{"postgres", "sqlite", "open archive", "folder", "s3", "cache"}, place)
}

// sentence begins with a capital and ends with a full stop; "" stays.
func sentence(text string) string {
	text = strings.TrimRight(text, ".")
	if text == "" {
		return ""
	}
	first, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(first)) + text[size:] + "."
}

// LogTo returns a logger that writes JSON lines, at level info or what was said. The secrets of the configuration are blotted out.
func (l *Lens) LogTo(w io.Writer) *slog.Logger {
	return slog.New(slog.NewJSONHandler(&blotted{w, strings.NewReplacer(l.blots()...)}, &slog.HandlerOptions{Level: min(l.cfg.LogLevel, slog.LevelInfo)}))
}

type blotted struct {
	to    io.Writer
	blots *strings.Replacer
}

func (b *blotted) Write(line []byte) (int, error) {
	_, err := b.blots.WriteString(b.to, string(line))
	return len(line), err
}
