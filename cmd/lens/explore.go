package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"lens/cmd/internal/app"
	"lens/cmd/internal/archive"
	"lens/cmd/internal/config"
	"lens/cmd/internal/datadir"
	"lens/internal/errs"
	"lens/internal/vault"
	tui "lens/tui/app"
)

const defaultFPS = 120

// explorerFlags holds the flags of the explorer.
type explorerFlags struct {
	fresh        bool
	query, theme string
	fps          int
}

func (f *explorerFlags) addTo(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.BoolVar(&f.fresh, "fresh", false, "start with the whole archive instead of where you left off")
	flags.StringVar(&f.query, "query", "", "start with this query")
	flags.StringVar(&f.theme, "theme", "", "color theme: dark, light, mono or ascii (default: detected from the terminal)")
	flags.IntVar(&f.fps, "fps", defaultFPS, "frames per second, at most 120")
}

// runExplorer opens the explorer.
func runExplorer(cmd *cobra.Command, env *Env, flags explorerFlags) error {
	switch {
	case env.JSON:
		return usage("use lens peek QUERY --json or lens activity --json", "the explorer has no JSON output")
	case env.Plain:
		return runPlainExplorer(cmd, env, flags.query)
	case !env.Interactive():
		return failure("use lens peek QUERY instead, or run lens --help for all commands",
			"the explorer needs a terminal")
	}
	a, err := env.Open(cmd)
	if err != nil {
		return err
	}
	return (&explorer{env, a, flags}).run(cmd.Context(), explorerJobs{a, embedJob(a)})
}

// explorer connects the explorer with the archive.
type explorer struct {
	env   *Env
	app   *app.App
	flags explorerFlags
}

// run shows the explorer until the user quits. The explorer opens the archive itself, after drawing its first frame.
func (e *explorer) run(ctx context.Context, jobs tui.Jobs) error {
	if err := e.unlock(ctx); err != nil { // now: the explorer takes over the terminal
		return err
	}
	e.app.Keys.OnSecret(nil)
	keys, err := config.LoadKeys(config.Options{})
	if err != nil {
		return err
	}
	archive := e.archive()
	lock, stop := e.lock()
	defer stop()
	return tui.Run(ctx, tui.Options{
		Archive:     archive,
		Storage:     archive,
		Export:      archive,
		Jobs:        jobs,
		Look:        e.look(),
		Servers:     e.app.Servers,
		Topics:      e.app.Archive.MakeTopics,
		Sessions:    &sessions{app: e.app, fresh: e.flags.fresh},
		Chat:        e.env.Redact.hiding(e.chat()),
		Search:      offlineSearch{e},
		Explain:     e.env.Report.explain,
		MeaningHint: e.app.Models.Hint,
		Lock:        lock,
		Offline:     e.app.Config().Offline,
		Paranoid:    e.app.Config().Security == config.Paranoid,
		Paths:       tui.Paths{Archive: archive.Place(), Log: e.app.Logs.Path()},
		Settings:    tui.Settings{Query: e.flags.query, Home: true, Theme: e.flags.theme, FPS: e.flags.fps, Keys: keys},
	})
}

// attempts is how often the PIN may be typed wrong at the start. Each one counts for the vault, which allows ten.
const attempts = 3

// longestWait is how long a PIN that was typed too soon is kept, until the vault tries it.
const longestWait = 4 * time.Second

// unlock asks for the PIN of an encrypted archive, and again if it was typed wrong. One that is typed too soon after
// that is kept and tried as soon as it may be; where that is long, the error says how long to wait.
func (e *explorer) unlock(ctx context.Context) error {
	pin, typed := "", false
	for i := 1; ; i++ {
		e.app.Keys.OnSecret(func() (_ string, err error) {
			if pin == "" {
				pin, err = e.env.PIN.read(ctx)
				typed = pin != "" && e.env.PIN.file() == ""
			}
			return pin, err
		})
		_, err := e.app.Folder.Home()
		if !typed || errs.CodeOf(err) != errs.Locked || i == attempts {
			return err
		}
		message, hint := e.env.Report.explain(err)
		var early vault.TooEarlyError
		switch {
		case !errors.As(err, &early):
			pin, typed = "", false
		case early.Wait > longestWait:
			return err
		default: // it was not tried
			i--
		}
		e.env.Err.println(message + "; " + hint)
		select {
		case <-time.After(early.Wait):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// savedState is the content of the file of the explorer's state.
type savedState struct {
	tui.Session
	Epoch string `json:"epoch,omitempty"` // another one whenever lens forget has changed the file
}

// stateWithout is archive.Archive.StateWithout.
func stateWithout(state func(into any) bool, gone archive.Gone) (kept any, bookmarks int) {
	var saved savedState
	if !state(&saved) {
		return nil, 0
	}
	before := len(saved.Bookmarks)
	if gone.Everything {
		return nil, before
	}
	rest := savedState{saved.Without(gone.Turn, gone.Titles), uuid.NewString()}
	return rest, before - len(rest.Bookmarks)
}

// sessions saves what the explorer shows beside the archive. A fresh start ignores what an earlier run saved.
type sessions struct {
	app   *app.App
	fresh bool
	epoch atomic.Pointer[string] // of the file that this run read or wrote, if only an empty one; nil: of none
}

func (s *sessions) Load() (session tui.Session, ok bool) {
	file := s.app.Archive.StateFile()
	var saved savedState
	if s.epoch.Store(nil); !file.Load(&saved) {
		saved = savedState{Epoch: uuid.NewString()}
		if file.Save(saved) != nil {
			return session, false
		}
	}
	s.remember(file, saved)
	if s.fresh {
		s.fresh = false // what this run saves counts
		return session, false
	}
	return saved.Session, !saved.IsEmpty()
}

// remember notes the epoch of the file that was read or written. Where there is no archive yet, there is none.
func (s *sessions) remember(file datadir.File, saved savedState) {
	if file.Load(new(savedState)) {
		s.epoch.Store(&saved.Epoch)
	}
}

// Save saves a session. While the archive is locked, the one that was saved before stays. What lens forget has deleted
// is not brought back: queries, bookmarks and titles may reveal removed content. Errors: not_found, tui.ErrReadOnly.
func (s *sessions) Save(session tui.Session) error {
	file := s.app.Archive.StateFile()
	var saved savedState // that of an older Lens has no epoch
	isThere := file.Load(&saved)
	if !isThere {
		saved.Epoch = uuid.NewString()
	}
	known := s.epoch.Load()
	if known != nil && !s.app.Keys.Locked() && (!isThere || saved.Epoch != *known) {
		return failureWith(errs.NotFound, "start the explorer again, so that it keeps new ones",
			"history and bookmarks were forgotten meanwhile")
	}
	saved.Session = session
	err := file.Save(saved)
	switch {
	case err == nil:
		s.remember(file, saved)
		return nil
	case s.app.Keys.Locked():
		return nil
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		return fmt.Errorf("cannot write the explorer's state: %w", tui.ErrReadOnly)
	case errs.First(err).Message != "":
		return err
	}
	hint := "check the free space of the data folder"
	return failureWith(errs.Unavailable, hint, "cannot write the explorer's state: %s", cause(err))
}
