// Package app wires Lens together: it opens the archive, the embedding model and the engine that a configuration asks
// for. Only this package names concrete backends, and only its HTTP client sends anything off the machine.
//
// The rules are:
//
//   - Nothing is opened before it is needed: a verb that only prints its help touches no file.
//   - A reader creates no archive, and needs no permission to write.
//   - Offline, Lens dials nothing but loopback, whatever a configuration or a name server says.
package app

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"path/filepath"
	"runtime"
	"sync"

	"lens/cmd/internal/config"
	"lens/cmd/internal/doctor"
	"lens/cmd/internal/network"
	"lens/retrieval"
	"lens/store"
)

// App holds an archive and what searches it, each part opened on first use. It is safe for concurrent use.
type App struct {
	Doctor doctor.Doctor

	cfg     config.Config
	network network.Policy
	verb    string
	notice  func(sentence string)
	demo    bool

	ask    func() (string, error)
	box    *lockbox
	homing sync.Mutex
	gate   gate // homing is held

	mu       sync.Mutex
	store    store.Store
	writes   bool  // the store was opened for writing
	limit    error // why the store could not be opened for writing; nil if it could
	engine   *retrieval.Engine
	model    *model
	modelErr error
	stand    *model // replaces a configured model that cannot be used; nil: none
	chat     *http.Client
}

// New returns an App that has opened nothing yet. verb names what this process does, for processes that must wait for
// it.
func New(cfg config.Config, verb string) *App {
	cfg.ModelsDir = cmp.Or(cfg.ModelsDir, filepath.Join(cfg.DataDir, "models"))
	l := &App{cfg: cfg, verb: verb}
	l.network = network.Policy{Offline: cfg.Offline}
	l.box = &lockbox{owner: l}
	l.Doctor = l.diagnosis()
	return l
}

// OnNotice sets the function that receives a sentence about each slow step of opening an archive, such as a migration.
func (l *App) OnNotice(tell func(sentence string)) { l.notice = tell }

// Config returns the configuration.
func (l *App) Config() config.Config { return l.cfg }

// Close releases everything that is open.
func (l *App) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	defer l.leave()
	var failures []error
	if l.store != nil {
		failures = append(failures, l.store.Close())
	}
	for _, m := range []*model{l.model, l.stand} {
		if m != nil {
			failures = append(failures, m.closeAll())
		}
	}
	if l.chat != nil {
		l.chat.CloseIdleConnections()
	}
	l.store, l.engine, l.model, l.stand, l.chat = nil, nil, nil, nil, nil
	return errors.Join(failures...)
}

// leave releases the key and the directory lock.
func (l *App) leave() {
	l.box.leave(l)
	l.homing.Lock()
	defer l.homing.Unlock()
	l.gate.leave()
}

// closeStore closes the archive alone.
func (l *App) closeStore() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.store == nil {
		return nil
	}
	err := l.store.Close()
	l.store, l.engine = nil, nil
	return err
}

// Engine opens the archive for reading and returns the engine over it. Without a working embedding model it searches by
// keywords. Errors: not_found if there is no archive, invalid, unavailable.
func (l *App) Engine(ctx context.Context) (*retrieval.Engine, error) {
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
		embedder = m // the engine caches query vectors
	} else if err != nil {
		embedder = l.standIn(ctx, st)
	}
	l.engine = retrieval.New(st, embedder)
	if l.cfg.DatabaseURL == "" { // Postgres searches on its own processors
		l.engine.Limit(runtime.NumCPU())
	}
	return l.engine, nil
}

// standIn returns the built-in model that made the archive's vectors, in place of a configured model that cannot be
// used; nil if there is none. l.mu is held.
func (l *App) standIn(ctx context.Context, st store.Store) retrieval.Embedder {
	g, err := searched(ctx, st)
	if err != nil {
		return nil
	}
	m, ok := l.installed(g.Provider, g.Model)
	if !ok {
		return nil // not a typed nil in an interface
	}
	l.stand = m
	return m
}

// StandsIn reports whether the engine uses a built-in model because the configured one cannot be used.
func (l *App) StandsIn() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.stand != nil
}

// reading opens the archive for reading.
func (l *App) reading(ctx context.Context) (store.Store, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.open(ctx, false)
}

// writing opens the archive for writing, and creates it if there is none.
func (l *App) writing(ctx context.Context) (store.Store, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.open(ctx, true)
}
