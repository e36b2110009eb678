package app

import (
	"cmp"
	"context"
	"errors"
	"os"
	"path/filepath"

	"lens/cmd/internal/config"
	"lens/internal/demo"
	"lens/internal/errs"
)

// Demo returns a Lens over the demo archive: SQLite in demo/ of the data folder, with a built-in model if one is
// installed. It never uses a server, so that the demo costs nothing.
func Demo(cfg config.Config, verb string) *App {
	cfg.ModelsDir = cmp.Or(cfg.ModelsDir, filepath.Join(cfg.DataDir, "models"))
	cfg.DataDir = filepath.Join(cfg.DataDir, "demo")
	cfg.DatabaseURL = ""
	switch cfg.Embedding.Kind {
	case config.None:
	case config.OpenAI:
		cfg.Embedding = config.Embedding{}
	default:
		cfg.Embedding.Kind = config.Auto
	}
	l := New(cfg, verb)
	l.Models.Demo = true
	return l
}

// DemoQuery is the query to show the demo with: a topic that rises, fades and returns.
const DemoQuery = "sourdough starter"

// MakeDemo writes the synthetic export and imports it. A second call changes nothing.
func (l *App) MakeDemo(ctx context.Context, tell func(Progress)) (*Receipt, error) {
	export := filepath.Join(l.cfg.DataDir, "conversations.json")
	if err := writeDemo(export); err != nil {
		return new(Receipt), &errs.Error{
			Code: errs.Unavailable, Op: "demo: write", Message: "cannot write the demo to " + l.cfg.DataDir,
			Hint: "choose a writable folder with --data", Err: err,
		}
	}
	return l.Import(ctx, []string{export}, ImportOptions{Progress: tell})
}

// writeDemo writes the export to a temporary file and renames it, so that an interrupted run leaves no partial export.
func writeDemo(path string) (err error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	file, err := os.CreateTemp(filepath.Dir(path), "demo-*.tmp")
	if err != nil {
		return err
	}
	defer os.Remove(file.Name()) // already renamed on success
	if err := errors.Join(demo.Write(file, demo.Options{}), file.Close()); err != nil {
		return err
	}
	return os.Rename(file.Name(), path)
}
