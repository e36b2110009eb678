// Package boot puts Lens together: it opens the archive, the embedding model and the engine that a configuration asks for. It is the
// only place that names concrete backends, and makes the HTTP client through which anything leaves the machine.
//
// The rules are:
//
//   - Nothing is opened before it is asked for: a verb that only prints its help touches no file.
//   - Who only reads makes no archive, and needs no right to write.
//   - Offline, nothing but loopback is dialled, whatever a configuration or a name server says.
package boot

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"path/filepath"
	"runtime"
	"sync"

	"lens/internal/config"
	"lens/retrieval"
	"lens/store"
)

// Lens is an archive and what is needed to ask it, opened piece by piece. It is safe for concurrent use.
type Lens struct {
	cfg    config.Config
	verb   string
	notice func(sentence string)
	demo   bool

	ask    func() (string, error)
	box    *lockbox
	homing sync.Mutex
	gate   gate // homing is held

	mu       sync.Mutex
	store    store.Store
	writes   bool  // the store was opened for writing
	limit    error // why it was opened for reading only, where it was tried for writing
	engine   *retrieval.Engine
	model    *model
	modelErr error
	stand    *model // in for a model that cannot be used
	chat     *http.Client
}

// New returns a Lens that has opened nothing yet. verb is what this process does: it is told to whoever must wait for it.
func New(cfg config.Config, verb string) *Lens {
	cfg.ModelsDir = cmp.Or(cfg.ModelsDir, filepath.Join(cfg.DataDir, "models"))
	l := &Lens{cfg: cfg, verb: verb}
	l.box = &lockbox{owner: l}
	return l
}

// OnNotice lets tell hear in a sentence what opening an archive does besides that takes a while.
func (l *Lens) OnNotice(tell func(sentence string)) { l.notice = tell }

// Config returns what the Lens was told.
func (l *Lens) Config() config.Config { return l.cfg }

// Close releases what was opened.
func (l *Lens) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	defer l.leave()
	var errs []error
	if l.store != nil {
		errs = append(errs, l.store.Close())
	}
	for _, m := range []*model{l.model, l.stand} {
		if m != nil {
			errs = append(errs, m.closeAll())
		}
	}
	if l.chat != nil {
		l.chat.CloseIdleConnections()
	}
	l.store, l.engine, l.model, l.stand, l.chat = nil, nil, nil, nil, nil
	return errors.Join(errs...)
}

// leave gives back what was opened besides: the key, and the place inside the gate.
func (l *Lens) leave() {
	l.box.leave(l)
	l.homing.Lock()
	defer l.homing.Unlock()
	l.gate.leave()
}

// closeStore closes the archive alone.
func (l *Lens) closeStore() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.store == nil {
		return nil
	}
	err := l.store.Close()
	l.store, l.engine = nil, nil
	return err
}

// Engine opens the archive for reading and returns the engine over it. Without an embedding model that works it answers by
// keywords. Errors: not_found when there is no archive, invalid and unavailable.
func (l *Lens) Engine(ctx context.Context) (*retrieval.Engine, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.engine != nil {
		return l.engine, nil
	}
	st, err := l.open(ctx, false)
	if err != nil {
		return nil, err
	}
	var embedder retrieval.Embedder
	if m, err := l.openModel(); err == nil && m != nil {
		embedder = m // the engine remembers what was asked
	} else if err != nil {
		embedder = l.standIn(ctx, st)
	}
	l.engine = retrieval.New(st, embedder)
	if l.cfg.DatabaseURL == "" { // else it is searched by the processors of a server
		l.engine.Limit(runtime.NumCPU())
	}
	return l.engine, nil
}

// standIn returns the model of an archive's vectors, where that is a built-in one, for a configured model that cannot be used. l.mu is held.
func (l *Lens) standIn(ctx context.Context, st store.Store) retrieval.Embedder {
	g, err := searched(ctx, st)
	if err != nil {
		return nil
	}
	m, ok := l.installed(g.Provider, g.Model)
	if !ok {
		return nil // and no nil of a model's type in an interface
	}
	l.stand = m
	return m
}

// StandsIn reports whether the engine asks a built-in model because the configured one cannot be used.
func (l *Lens) StandsIn() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.stand != nil
}

// reading returns the archive for reading.
func (l *Lens) reading(ctx context.Context) (store.Store, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.open(ctx, false)
}

// writing returns the archive for writing, and makes it when there is none.
func (l *Lens) writing(ctx context.Context) (store.Store, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.open(ctx, true)
}
