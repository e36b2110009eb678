package models

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"lens/internal/errs"
	"lens/retrieval/embed/local"
)

// Folder is where models are installed: one subfolder per model, with the model's name.
type Folder string

// Path returns the folder of one model.
func (f Folder) Path(name string) string { return filepath.Join(string(f), name) }

// Has reports whether a model is installed. It checks the names of its files only: models appear whole or not at
// all. An unverified model that has lost a file is installed, and refused.
func (f Folder) Has(m *Model) bool {
	if m.Unverified {
		_, ok := f.readRecord(m.Name)
		return ok
	}
	for _, file := range m.Files {
		if _, err := os.Stat(filepath.Join(f.Path(m.Name), file.Name)); err != nil {
			return false
		}
	}
	return true
}

// Find returns the model with a name: a built-in one, installed or not, or an unverified one.
func (f Folder) Find(name string) (*Model, bool) {
	if m, ok := Find(name); ok {
		return m, true
	}
	if r, ok := f.readRecord(name); ok {
		return r.model(name), true
	}
	return nil, false
}

// Lookup is Find with the default for "". Errors: not_found.
func (f Folder) Lookup(name string) (*Model, error) {
	if m, ok := f.Find(name); ok {
		return m, nil
	}
	return Lookup(name)
}

// All returns the built-in models, the default first, and then the unverified ones.
func (f Folder) All() []*Model { return append(All(), f.unverified()...) }

// FirstInstalled returns the first model that is installed, in the order of All; false for none.
func (f Folder) FirstInstalled() (*Model, bool) {
	for _, m := range f.All() {
		if f.Has(m) {
			return m, true
		}
	}
	return nil, false
}

// Open opens an installed model. Errors: see local.Open; not_found for an unknown name; invalid if a file of an
// unverified model has changed.
func (f Folder) Open(name string) (*local.Model, error) {
	m, err := f.Lookup(name)
	if err != nil {
		return nil, err
	}
	if m.Unverified {
		if err := f.checkUnchanged(name); err != nil {
			return nil, err
		}
	}
	return local.Open(f.Path(name), m.Spec)
}

// Remove deletes an installed model, and what an interrupted pull of it has left. Errors: not_found if there is
// neither.
func (f Folder) Remove(name string) error {
	m, ok := f.Find(name)
	if !ok {
		return unknownModel(name)
	}
	partial := filepath.Join(string(f), "."+m.Name+".partial")
	old := partial + ".old" // as in publish
	if err := os.RemoveAll(old); err != nil {
		return cannotWrite(err)
	}
	err := os.Rename(f.Path(m.Name), old) // a model is there whole or not at all, also for other processes
	switch {
	case errors.Is(err, os.ErrNotExist) && f.PartialBytes(m) == 0:
		return &errs.Error{
			Code: errs.NotFound, Op: "models: remove", Message: name + " is not installed", Hint: "run lens model list",
		}
	case err != nil && !errors.Is(err, os.ErrNotExist):
		return cannotWrite(err)
	}
	if err := errors.Join(os.RemoveAll(old), os.RemoveAll(partial)); err != nil {
		return cannotWrite(err)
	}
	return nil
}

// Verify reads every file of a model again and compares its checksum. The error names the first file that differs.
func (f Folder) Verify(ctx context.Context, m *Model) error {
	for _, file := range m.Files {
		if err := ctx.Err(); err != nil {
			return err
		}
		path, than := filepath.Join(f.Path(m.Name), file.Name), asPublished
		if m.Unverified {
			than = asImported
		}
		if err := verifyFile(path, file, than); err != nil {
			return err
		}
	}
	return nil
}

// What a checksum is compared with.
const (
	asPublished = "the published one"
	asImported  = "that of the import"
)

// verifyFile compares the checksum of a file with one that than names.
func verifyFile(path string, want File, than string) error {
	file, err := os.Open(path)
	if err != nil {
		return &errs.Error{
			Code: errs.Unavailable, Op: "models: verify", Message: want.Name + " is missing", Hint: pullAgain, Err: err,
		}
	}
	defer file.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, file); err != nil {
		return &errs.Error{
			Code: errs.Unavailable, Op: "models: verify", Message: want.Name + " is unreadable", Hint: pullAgain, Err: err,
		}
	}
	if hex.EncodeToString(sum.Sum(nil)) != want.SHA256 {
		return checksumMismatch(want.Name, than)
	}
	return nil
}

const pullAgain = "run lens model pull or lens model import again"

func checksumMismatch(name, than string) error {
	return &errs.Error{
		Code: errs.Invalid, Op: "models: verify", Hint: pullAgain,
		Message: fmt.Sprintf("the checksum of %s differs from %s", name, than),
	}
}

func unknownModel(name string) error {
	return &errs.Error{
		Code: errs.NotFound, Op: "models: find", Message: fmt.Sprintf("unknown built-in model %q", name),
		Hint: "run lens model list",
	}
}
