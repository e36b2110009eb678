package models

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
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
// all.
func (f Folder) Has(m *Model) bool {
	for _, file := range m.Files {
		if _, err := os.Stat(filepath.Join(f.Path(m.Name), file.Name)); err != nil {
			return false
		}
	}
	return true
}

// FirstInstalled returns the first built-in model that is installed; false for none.
func (f Folder) FirstInstalled() (*Model, bool) {
	for i := range known {
		if f.Has(&known[i]) {
			return &known[i], true
		}
	}
	return nil, false
}

// Open opens an installed model. Errors: see local.Open; not_found for an unknown name.
func (f Folder) Open(name string) (*local.Model, error) {
	m, err := Lookup(name)
	if err != nil {
		return nil, err
	}
	return local.Open(f.Path(name), m.Spec)
}

// Verify reads every file of a model again and compares its checksum. The error names the first file that differs.
func (f Folder) Verify(ctx context.Context, m *Model) error {
	for _, file := range m.Files {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := verifyFile(filepath.Join(f.Path(m.Name), file.Name), file); err != nil {
			return err
		}
	}
	return nil
}

func verifyFile(path string, want File) error {
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
		return checksumMismatch(want.Name)
	}
	return nil
}

const pullAgain = "run lens model pull or lens model import again"

func checksumMismatch(name string) error {
	return &errs.Error{
		Code: errs.Invalid, Op: "models: verify", Hint: pullAgain,
		Message: fmt.Sprintf("the checksum of %s differs from the published one", name),
	}
}

func unknownModel(name string) error {
	return &errs.Error{
		Code: errs.NotFound, Op: "models: find", Message: fmt.Sprintf("unknown built-in model %q", name),
		Hint: "run lens model list",
	}
}
