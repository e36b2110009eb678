// Package app wires the parts of Lens together, for one configuration. It opens none of them: see their packages.
package app

import (
	"cmp"
	"context"
	"errors"
	"path/filepath"
	"time"

	"lens/cmd/internal/archive"
	"lens/cmd/internal/chat"
	"lens/cmd/internal/config"
	"lens/cmd/internal/datadir"
	"lens/cmd/internal/doctor"
	"lens/cmd/internal/keys"
	"lens/cmd/internal/logs"
	"lens/cmd/internal/models"
	"lens/cmd/internal/network"
	"lens/cmd/internal/offline"
	"lens/cmd/internal/published"
	"lens/cmd/internal/servers"
	"lens/internal/vault"
)

// App is the parts of Lens, each opened on first use. It is safe for concurrent use.
type App struct {
	Keys         *keys.Holder
	Folder       *datadir.Folder
	Mover        *datadir.Mover
	Archive      *archive.Archive
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
	Servers      func(context.Context) []string // describes the model servers of this machine that could be used

	cfg    config.Config
	effort Effort
	beside bool // shares Keys and Folder with another App
}

// New returns an App that has opened nothing yet. verb names what this process does, for processes that must wait for
// it.
func New(cfg config.Config, verb string) *App { return NewWithEffort(cfg, verb, Effort{}) }

// Effort is how much time is spent on purpose, and where servers are looked for. The zero value is right outside tests.
// The configuration cannot set it, or it could weaken a vault.
type Effort struct {
	Stretch vault.Params  // stretches a new PIN; zero: the vault's default
	Measure time.Duration // measures the speed of a model; 0: a second
	Drain   time.Duration // waits for running answers when a server stops; 0: httpapi's default

	Servers []servers.Place // where the diagnosis looks for model servers; nil: the usual places
}

// NewWithEffort is New for tests.
func NewWithEffort(cfg config.Config, verb string, effort Effort) *App {
	cfg.ModelsDir = cmp.Or(cfg.ModelsDir, filepath.Join(cfg.DataDir, "models"))
	holder := keys.New(keys.Options{
		Dir: cfg.DataDir, Remote: cfg.DatabaseURL != "", Vault: vault.Options{Params: effort.Stretch},
	})
	return wire(cfg, verb, effort, holder, datadir.New(holder))
}

func wire(cfg config.Config, verb string, effort Effort, holder *keys.Holder, folder *datadir.Folder) *App {
	policy := network.Policy{Offline: cfg.Offline}
	a := &App{
		cfg: cfg, effort: effort, Keys: holder, Folder: folder, Logs: logs.New(cfg), Chat: chat.NewModel(cfg.Chat, policy),
		Models: models.New(models.Options{
			Embedding: cfg.Embedding, Chosen: cfg.Origin("embedding") != "default",
			Dir: cfg.ModelsDir, Hub: cfg.ModelHub, Network: policy, Measure: effort.Measure,
		}),
	}
	if !cfg.Offline && cfg.Security != config.Paranoid {
		a.Chat.AskLimits = servers.Limits
	}
	opts := archive.Options{
		DataDir: cfg.DataDir, DatabaseURL: cfg.DatabaseURL, Verb: verb,
		Network: policy, Embedder: a.Models.ForQueries, RevisionOf: a.Models.Revision, WholeText: models.WholeText,
	}
	a.Sessions = chat.NewSessions(folder, opts.StateName())
	opts.Answers = a.Sessions
	a.Archive = archive.New(opts, holder, folder)
	a.Sessions.Gone = a.Archive.Gone
	a.Mover = datadir.NewMover(folder, a.Archive)
	a.Embedding = models.NewEmbedding(a.Models, a.Archive)
	a.Indexes = published.New(published.Options{
		Network: policy, CacheDir: filepath.Join(cfg.DataDir, "shards"), CacheBytes: cfg.ShardsCache,
	}, a.Models, a.Archive)
	a.Summaries = chat.NewSummaries(a.Chat, a.Archive)
	a.Investigator = chat.Investigator{Model: a.Chat, Engine: a.Archive.Engine, Log: a.Logs.Investigations()}
	a.Offline = &offline.Service{
		Folders: offline.Folders{DataDir: cfg.DataDir, DatabaseURL: cfg.DatabaseURL, ModelsDir: cfg.ModelsDir},
		Cut:     func() error { _, err := network.CutOff(cfg); return err },
		Archive: a.Archive, Keys: holder,
		Audit:       offline.NewAudit(cfg.DataDir, a.Archive),
		Keywords:    offline.NewKeywords(config.KeywordsPath(config.Options{}), cfg.DataDir, folder.Home, holder),
		Conclusions: a.Sessions, Chat: a.Chat, Level: cfg.Security,
	}
	places := effort.Servers
	if places == nil {
		places = servers.Usual
	}
	a.Servers = servers.Offers(cfg, places)
	a.Doctor = doctor.Doctor{ // these dial nothing but the database, and loopback
		doctor.Folder(cfg.DataDir, cfg.Origin("data_dir")),
		folder.Check,
		a.Archive.Probe(a.Offline.Keywords.Checks, a.Models.CheckVectors),
		a.Models.Checks,
		a.Chat.Checks,
		servers.Check(cfg, places),
		network.Check(cfg),
	}
	if cfg.Offline {
		a.Doctor = append(a.Doctor, a.Offline.Checks)
	}
	return a
}

// Beside returns another App over the same archive, for verb. It is locked and unlocked together with a.
func (a *App) Beside(verb string) *App {
	beside := wire(a.cfg, verb, a.effort, a.Keys, a.Folder)
	beside.Archive.Notice, beside.Models.Demo, beside.beside = a.Archive.Notice, a.Models.Demo, true
	beside.Archive.StateWithout = a.Archive.StateWithout
	return beside
}

// Config returns the configuration.
func (a *App) Config() config.Config { return a.cfg }

// Close releases everything that is open.
func (a *App) Close() error {
	err := errors.Join(a.Archive.Close(), a.Models.Close())
	a.Chat.Close()
	if !a.beside {
		a.Keys.Close()
		a.Folder.Close()
	}
	return err
}
