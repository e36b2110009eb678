package boot

import (
	"cmp"
	"context"
	"errors"
	"os"
	"path/filepath"

	"lens/internal/config"
	"lens/internal/demo"
	"lens/store"
)

// Demo returns a Lens over the demo's own archive: a folder inside the data folder, in SQLite, with a built-in model where one is there. The
// chats are made up, so nothing is paid for them and nothing sent.
func Demo(cfg config.Config, verb string) *Lens {
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
	l.demo = true
	return l
}

// DemoQuery is what the demo is shown on: a topic that rises, fades and returns.
const DemoQuery = "sourdough starter"

// MakeDemo writes the made-up export and imports it. A second time it finds everything there.
func (l *Lens) MakeDemo(ctx context.Context, tell func(Progress)) (*Receipt, error) {
	export := filepath.Join(l.cfg.DataDir, "conversations.json")
	if err := writeDemo(export); err != nil {
		return new(Receipt), &store.Error{
			Code: store.CodeUnavailable, Op: "demo: write", Message: "cannot write the demo to " + l.cfg.DataDir,
			Hint: "choose a writable folder with --data", Err: err,
		}
	}
	return l.Import(ctx, []string{export}, ImportOptions{Progress: tell})
}

// writeDemo writes the export beside its place first, so that a demo that was broken off leaves no half of one.
func writeDemo(path string) (err error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	file, err := os.CreateTemp(filepath.Dir(path), "demo-*.tmp")
	if err != nil {
		return err
	}
	defer os.Remove(file.Name()) // gone already when all went well
	if err := errors.Join(demo.Write(file, demo.Options{}), file.Close()); err != nil {
		return err
	}
	return os.Rename(file.Name(), path)
}
