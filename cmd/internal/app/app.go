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
	"path/filepath"
	"runtime"
	"sync"

	"lens/cmd/internal/chat"
	"lens/cmd/internal/config"
	"lens/cmd/internal/doctor"
	"lens/cmd/internal/keys"
	"lens/cmd/internal/logs"
	"lens/cmd/internal/models"
	"lens/cmd/internal/network"
	"lens/cmd/internal/offline"
	"lens/cmd/internal/published"
	"lens/retrieval"
	"lens/store"
)

// App holds an archive and what searches it, each part opened on first use. It is safe for concurrent use.
type App struct {
	Models       *models.Models
	Embedding    *models.Embedding
	Chat         *chat.Model
	Sessions     *chat.Sessions
	Summaries    *chat.Summaries
	Investigator chat.Investigator
	Offline      *offline.Service
	Indexes      *published.Indexes
	Logs         *logs.Logs
	Doctor       doctor.Doctor

	cfg     config.Config
	network network.Policy
	verb    string
	notice  func(sentence string)

	Keys   *keys.Holder
	Folder *keys.Folder
	Mover  *keys.Mover
	beside bool // shares Keys and Folder with another App

	mu     sync.Mutex
	store  store.Store
	writes bool  // the store was opened for writing
	limit  error // why the store could not be opened for writing; nil if it could
	engine *retrieval.Engine
}

// New returns an App that has opened nothing yet. verb names what this process does, for processes that must wait for
// it.
func New(cfg config.Config, verb string) *App {
	cfg.ModelsDir = cmp.Or(cfg.ModelsDir, filepath.Join(cfg.DataDir, "models"))
	holder := keys.New(keys.Options{Dir: cfg.DataDir, Remote: cfg.DatabaseURL != ""})
	return wire(cfg, verb, holder, keys.NewFolder(holder))
}

func wire(cfg config.Config, verb string, holder *keys.Holder, folder *keys.Folder) *App {
	l := &App{cfg: cfg, verb: verb, Keys: holder, Folder: folder}
	l.Mover = keys.NewMover(folder, opened{l})
	l.network = network.Policy{Offline: cfg.Offline}
	l.Models = models.New(cfg)
	l.Embedding = models.NewEmbedding(l.Models, l)
	l.Indexes = published.New(cfg, l.Models, l)
	l.Logs = logs.New(cfg)
	l.Chat = chat.NewModel(cfg)
	l.Sessions = chat.NewSessions(folder.Home, l.StateFile().Name)
	l.Summaries = chat.NewSummaries(l.Chat, l)
	l.Investigator = chat.Investigator{Model: l.Chat, Engine: l.Engine, Log: l.Logs.Investigations()}
	l.Offline = &offline.Service{
		Config: cfg, Archive: opened{l}, Keys: holder,
		Audit:       offline.NewAudit(cfg.DataDir, opened{l}),
		Keywords:    offline.NewKeywords(cfg.DataDir, folder.Home, holder),
		Conclusions: l.Sessions, Chat: l.Chat,
	}
	l.Doctor = l.diagnosis()
	return l
}

// Beside returns another Lens over the same archive, for verb. It is locked and unlocked together with l.
func (l *App) Beside(verb string) *App {
	beside := wire(l.cfg, verb, l.Keys, l.Folder)
	beside.notice, beside.Models.Demo, beside.beside = l.notice, l.Models.Demo, true
	return beside
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
	failures = append(failures, l.Models.Close())
	l.Chat.Close()
	l.store, l.engine = nil, nil
	return errors.Join(failures...)
}

// leave releases the key and the directory lock.
func (l *App) leave() {
	l.Keys.Release(opened{l})
	if !l.beside {
		l.Keys.Close()
		l.Folder.Close()
	}
}

// opened is the store of an App, if it is open.
type opened struct{ *App }

// Opened returns the store, nil if it is not open.
func (l opened) Opened() store.Store {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.store
}

// Close closes the store alone.
func (l opened) Close() error { return l.closeStore() }

// Lock closes the store of a locked archive.
func (l opened) Lock() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	locking, ok := l.store.(interface{ Lock() error })
	l.store, l.engine = nil, nil
	if !ok {
		return nil
	}
	return locking.Lock()
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
	l.engine = retrieval.New(st, l.Models.ForQueries(ctx, st)) // the engine caches query vectors
	if l.cfg.DatabaseURL == "" {                               // Postgres searches on its own processors
		l.engine.Limit(runtime.NumCPU())
	}
	return l.engine, nil
}

// Reading opens the archive for reading.
func (l *App) Reading(ctx context.Context) (store.Store, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.open(ctx, false)
}

// Writing opens the archive for writing, and creates it if there is none.
func (l *App) Writing(ctx context.Context) (store.Store, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.open(ctx, true)
}
