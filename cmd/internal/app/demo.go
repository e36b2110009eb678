package app

import (
	"cmp"
	"path/filepath"

	"lens/cmd/internal/config"
)

// Demo returns an App over the demo archive: SQLite in demo/ of the data folder, with a built-in model if one is
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
	a := New(cfg, verb)
	a.Models.Demo = true
	return a
}
