package main

import (
	"context"
	"encoding/json"
	"sync/atomic"

	"github.com/spf13/cobra"

	"lens/cmd/internal/app"
	"lens/cmd/internal/config"
	"lens/internal/errs"
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
	return (&explorer{env, a, flags}).run(cmd.Context(), a.Models.Hint)
}

// explorer connects the explorer with the archive.
type explorer struct {
	env   *Env
	app   *app.App
	flags explorerFlags
}

// run shows the explorer until the user quits. The explorer opens the archive itself, after drawing its first frame.
// hint returns what is missing for searching by meaning, given the share of turns that have a vector.
func (e *explorer) run(ctx context.Context, hint func(embeddedShare float64) string) error {
	if _, err := e.app.Folder.Home(); err != nil { // ask for the PIN now: the explorer takes over the terminal
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
		Jobs:        explorerJobs{e.app, embedJob(e.app)},
		Sessions:    &sessions{app: e.app, fresh: e.flags.fresh},
		Chat:        e.env.Redact.hiding(e.chat()),
		Search:      offlineSearch{e},
		Explain:     e.env.Report.explain,
		MeaningHint: hint,
		Lock:        lock,
		Offline:     e.app.Config().Offline,
		Paths:       tui.Paths{Archive: archive.Place(), Log: e.app.Logs.Path()},
		Settings:    tui.Settings{Query: e.flags.query, Theme: e.flags.theme, FPS: e.flags.fps, Keys: keys},
	})
}

// sessions saves what the explorer shows beside the archive. A fresh start ignores what an earlier run saved.
type sessions struct {
	app   *app.App
	fresh bool
	known atomic.Bool // there was a file since this run began, if only an empty one
}

func (s *sessions) Load() (session tui.Session, ok bool) {
	file := s.app.Archive.StateFile()
	ok = file.Load(&session)
	s.known.Store(ok || file.Save(session) == nil)
	if s.fresh {
		s.fresh = false // what this run saves counts
		return tui.Session{}, false
	}
	return session, len(session.Places) > 0
}

// Save saves a session. While the archive is locked, the one that was saved before stays. One that lens forget has
// deleted is not brought back: its queries, bookmarks and titles may reveal removed content. Errors: not_found.
func (s *sessions) Save(session tui.Session) error {
	file := s.app.Archive.StateFile()
	if s.known.Load() && !s.app.Keys.Locked() && !file.Load(new(json.RawMessage)) {
		return failureWith(errs.NotFound, "start the explorer again, so that it keeps new ones",
			"the history and bookmarks were forgotten meanwhile")
	}
	err := file.Save(session)
	switch {
	case err == nil:
		s.known.Store(true)
		return nil
	case s.app.Keys.Locked():
		return nil
	case errs.First(err).Message != "":
		return err
	}
	hint := "check the permissions and the free space of the data folder"
	return failureWith(errs.Unavailable, hint, "cannot write the explorer's state: %s", cause(err))
}
