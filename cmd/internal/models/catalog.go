package app

import (
	"cmp"
	"context"

	"lens/cmd/internal/network"
	"lens/internal/diskspace"
	"lens/internal/errs"
	"lens/retrieval/embed/models"
)

// ModelSpeed is how fast a built-in model was on this machine.
type ModelSpeed = models.Speed

// BuiltinModel describes a built-in model to a user.
type BuiltinModel struct {
	Name      string      `json:"model"`
	Bytes     int64       `json:"bytes"` // size of the download
	Dim       int         `json:"dim"`
	License   string      `json:"license"`
	Quality   string      `json:"quality"`        // as published; "" if nothing is
	Source    string      `json:"quality_source"` // who published it
	From      string      `json:"from"`           // where it is published
	Installed bool        `json:"installed"`
	Chosen    bool        `json:"chosen"` // the one that lens embed would use
	Begun     int64       `json:"-"`      // bytes of an interrupted download
	Speed     *ModelSpeed `json:"speed"`  // null: never measured
}

// BuiltinModels lists the built-in models, the default first. It opens none.
func (l *App) BuiltinModels() []BuiltinModel {
	chosen := ""
	if m, err := l.EmbeddingModel(); err == nil && m != nil && m.Provider == builtinProvider {
		chosen = m.Name
	}
	var all []BuiltinModel
	for _, k := range models.All() {
		all = append(all, l.describe(k, chosen))
	}
	return all
}

// BuiltinModel returns the built-in model with a name, the default for "". Errors: not_found.
func (l *App) BuiltinModel(name string) (BuiltinModel, error) {
	k, err := models.Lookup(name)
	if err != nil {
		return BuiltinModel{}, err
	}
	return l.describe(k, ""), nil
}

func (l *App) describe(k *models.Model, chosen string) BuiltinModel {
	b := BuiltinModel{
		Name: k.Name, Bytes: k.Bytes(), Dim: k.Dim, License: k.License, Quality: k.Quality, Source: k.Source,
		From: "npm, " + k.Origin.Package, Installed: l.models().Has(k), Chosen: k.Name == chosen,
		Begun: l.models().PartialBytes(k),
	}
	if k.Origin.Package == "" {
		b.From = l.hub() + "/" + k.Origin.Repository
	}
	if speed, ok := l.models().Speed(k.Name); ok {
		b.Speed = &speed
	}
	return b
}

// ModelsDir returns the folder of the built-in models, and how many bytes are free there, -1 if unknown.
func (l *App) ModelsDir() (dir string, free int64) {
	dir = string(l.models())
	free, known := diskspace.FreeNear(dir)
	if !known {
		free = -1
	}
	return dir, free
}

func (l *App) hub() string { return cmp.Or(l.cfg.ModelHub, models.Hub) }

// PullModel downloads a built-in model. Errors: not_found for an unknown name, blocked offline, unavailable, invalid.
func (l *App) PullModel(ctx context.Context, name string, tell func(Progress)) error {
	k, err := models.Lookup(name)
	if err != nil {
		return err
	}
	host := network.Hostname(l.hub())
	if k.Origin.Package != "" {
		host = "npm's registry" // Lens cannot restrict what npm dials
	}
	if err := l.network.MayReach(host); err != nil {
		return err
	}
	client := l.network.DownloadClient()
	defer client.CloseIdleConnections()
	return l.models().Pull(ctx, client, l.hub(), k, inBytes(tell))
}

// ImportModel installs a built-in model from a tarball or folder, and returns its name.
func (l *App) ImportModel(ctx context.Context, path string, tell func(Progress)) (string, error) {
	k, err := l.models().Import(ctx, path, inBytes(tell))
	if err != nil {
		return "", &errs.Error{Code: errs.CodeOf(err), Op: "import model", Message: "cannot import " + path, Err: err}
	}
	return k.Name, nil
}

// VerifyModel compares the checksums of a built-in model's files. The error names the first file that differs.
func (l *App) VerifyModel(ctx context.Context, name string) error {
	k, err := models.Lookup(name)
	if err != nil {
		return err
	}
	return l.models().Verify(ctx, k)
}

// MeasureModel embeds for about a second with a built-in model, and stores the speed.
func (l *App) MeasureModel(ctx context.Context, name string) (ModelSpeed, error) {
	return l.models().Measure(ctx, name)
}

func inBytes(tell func(Progress)) models.Progress {
	return func(done, total int64) {
		if tell != nil {
			tell(Progress{Done: done, Total: total})
		}
	}
}
