package models

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"time"

	"lens/internal/errs"
	"lens/internal/lazyregexp"
	"lens/retrieval/embed/local"
)

// recordFile is what Lens remembers of an unverified model, in its folder.
const recordFile = "unverified.json"

type record struct {
	Pooling   local.Pooling  `json:"pooling"`
	MaxTokens int            `json:"max_tokens"`
	Dim       int            `json:"dim"`
	Imported  time.Time      `json:"imported"`
	Files     []recordedFile `json:"files"`
}

type recordedFile struct {
	Name     string    `json:"name"`
	SHA256   string    `json:"sha256"`
	Bytes    int64     `json:"bytes"`
	Modified time.Time `json:"modified"`
}

// encoderFiles are the files of a BERT that Lens keeps.
var encoderFiles = []string{"config.json", "tokenizer.json", "model.safetensors"}

// maxUnverified bounds a file of an unverified model.
const maxUnverified = 4 << 30

var usableName = lazyregexp.New(`^[A-Za-z0-9][A-Za-z0-9._+-]{0,99}$`)

// readRecord returns the unverified model of that name, false for none.
func (f Folder) readRecord(name string) (*record, bool) {
	var r record
	if !usableName().MatchString(name) {
		return nil, false
	}
	data, err := os.ReadFile(filepath.Join(f.Path(name), recordFile))
	if err != nil || json.Unmarshal(data, &r) != nil || len(r.Files) != len(encoderFiles) || r.Dim < 1 {
		return nil, false
	}
	for i, file := range r.Files {
		if file.Name != encoderFiles[i] {
			return nil, false
		}
	}
	return &r, true
}

// model describes an unverified model. Its revision is made of its checksums.
func (r *record) model(name string) *Model {
	m := &Model{
		Spec: local.Spec{Name: name, Pooling: r.Pooling, MaxTokens: r.MaxTokens},
		Dim:  r.Dim, Unverified: true, Imported: r.Imported,
	}
	sum := sha256.New()
	for _, file := range r.Files {
		m.Files = append(m.Files, File{file.Name, file.SHA256, file.Bytes})
		sum.Write([]byte(file.SHA256))
	}
	m.Origin.Revision = hex.EncodeToString(sum.Sum(nil))[:12]
	return m
}

// unverified returns the unverified models by name.
func (f Folder) unverified() []*Model {
	entries, _ := os.ReadDir(string(f)) // no folder, no models
	var all []*Model
	for _, e := range entries {
		if _, known := Find(e.Name()); known {
			continue
		}
		if r, ok := f.readRecord(e.Name()); ok {
			all = append(all, r.model(e.Name()))
		}
	}
	return all
}

// checkUnchanged compares a model's files with what is remembered of them. A file of the same size and time is not read
// again: Verify does that.
func (f Folder) checkUnchanged(name string) error {
	r, ok := f.readRecord(name)
	if !ok {
		return unknownModel(name)
	}
	for _, file := range r.Files {
		path := filepath.Join(f.Path(name), file.Name)
		info, err := os.Stat(path)
		if err == nil && info.Size() == file.Bytes && info.ModTime().Equal(file.Modified) {
			continue
		}
		if err := verifyFile(path, File{Name: file.Name, SHA256: file.SHA256}, asImported); err != nil {
			return changed(name, err)
		}
	}
	return nil
}

// changed explains that a file of an unverified model is not the one that was imported.
func changed(name string, err error) error {
	return &errs.Error{
		Code: errs.CodeOf(err), Op: "models: open", Message: name + " has changed since it was imported", Err: err,
		Hint: "run lens model import --unverified again with the same files, or with --name for others",
	}
}

// ImportUnverified installs a model that Lens does not know from a folder as the library sentence-transformers writes
// it, under a name, the folder's if name is "". A folder with the files of a built-in model installs that. Errors:
// invalid with the reason if Lens cannot run the model, or if the name stands for other files.
func (f Folder) ImportUnverified(ctx context.Context, from, name string, progress Progress) (*Model, error) {
	if info, err := os.Stat(from); err != nil || !info.IsDir() {
		return nil, refused("check the path", "no such folder")
	}
	if absolute, err := filepath.Abs(from); err == nil {
		name = cmp.Or(name, filepath.Base(absolute))
	}
	if !usableName().MatchString(name) {
		return nil, refused("give another one with --name", "%q cannot be the name of a model", name)
	}
	total := int64(0)
	for _, file := range encoderFiles {
		info, err := os.Stat(filepath.Join(from, file))
		if err != nil {
			return nil, missing(from, file)
		}
		total += info.Size()
	}
	if err := f.checkSpace(total); err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp(string(f), ".import-")
	if err != nil {
		return nil, cannotWrite(err)
	}
	defer os.RemoveAll(dir)
	r := &record{Imported: time.Now().UTC().Truncate(time.Second)}
	for done := int64(0); len(r.Files) < len(encoderFiles); {
		file, err := copyFile(ctx, from, dir, encoderFiles[len(r.Files)], func(n int64) {
			if progress != nil {
				progress(done+n, total)
			}
		})
		if err != nil {
			return nil, err
		}
		done += file.Bytes
		r.Files = append(r.Files, file)
	}
	if m, ok := r.builtin(); ok {
		return m, f.publish(m, dir)
	}
	if err := f.checkName(name, r); err != nil {
		return nil, err
	}
	if err := r.try(ctx, from, dir, name); err != nil {
		return nil, err
	}
	data, err := json.MarshalIndent(r, "", "\t")
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, recordFile), data, 0o600)
	}
	if err != nil {
		return nil, cannotWrite(err)
	}
	m := r.model(name)
	return m, f.publish(m, dir)
}

// missing says which file is missing, and what is there in its place.
func missing(from, file string) error {
	hint := "download all files of the model"
	if others, _ := filepath.Glob(filepath.Join(from, "*.bin")); file == "model.safetensors" && len(others) > 0 {
		hint = "Lens reads no weights of PyTorch (.bin): convert them to " + file
	}
	return refused(hint, "%s is missing", file)
}

func copyFile(ctx context.Context, from, to, name string, progress func(int64)) (recordedFile, error) {
	source, err := os.Open(filepath.Join(from, name))
	if err != nil {
		return recordedFile{}, unreadable(err)
	}
	defer source.Close()
	path := filepath.Join(to, name)
	s, err := openChecksumFile(path, false)
	if err != nil {
		return recordedFile{}, err
	}
	if err := s.fill(ctx, source, maxUnverified, progress); err != nil {
		s.file.Close()
		return recordedFile{}, explainRead(err, unreadable)
	}
	sum, err := s.close()
	if err != nil {
		return recordedFile{}, err
	}
	info, err := os.Stat(path)
	if err != nil {
		return recordedFile{}, cannotWrite(err)
	}
	return recordedFile{Name: name, SHA256: sum, Bytes: s.size, Modified: info.ModTime().UTC()}, nil
}

// builtin returns the built-in model that has the same files.
func (r *record) builtin() (*Model, bool) {
	i := slices.IndexFunc(known, func(m Model) bool {
		return len(m.Files) == len(r.Files) && !slices.ContainsFunc(r.Files, func(file recordedFile) bool {
			return !slices.ContainsFunc(m.Files, func(f File) bool { return f.Name == file.Name && f.SHA256 == file.SHA256 })
		})
	})
	if i < 0 {
		return nil, false
	}
	return &known[i], true
}

// checkName refuses a name that stands for another model: stored vectors know only the name of theirs.
func (f Folder) checkName(name string, r *record) error {
	const hint = "give another name with --name"
	if _, known := Find(name); known {
		return refused(hint, "%s is a built-in model, whose files differ from these", name)
	}
	old, ok := f.readRecord(name)
	if ok && old.model(name).Revision() != r.model(name).Revision() {
		return refused(hint, "%s stands for other files, which were imported on %s", name, old.Imported.Format(time.DateOnly))
	}
	return nil
}

// try runs the model in dir once, as the folder that it is from says.
func (r *record) try(ctx context.Context, from, dir, name string) error {
	const hint = "Lens runs encoders of the shape of BERT; for others, use a server of your own"
	spec, err := local.ReadSpec(from)
	if err != nil {
		return refused(hint, "%v", err)
	}
	r.Pooling, r.MaxTokens = spec.Pooling, spec.MaxTokens
	spec.Name = name
	m, err := local.Open(dir, spec)
	if err != nil {
		return refused(hint, "%v", errors.Unwrap(err))
	}
	defer m.Close()
	vector, err := m.EmbedQuery(ctx, "a word")
	if err != nil {
		return err
	}
	length := 0.0
	for _, x := range vector {
		length += float64(x) * float64(x)
	}
	if !(math.Abs(length-1) < 1e-3) { // so is NaN
		return refused(hint, "its weights give no vector")
	}
	r.Dim = len(vector)
	return nil
}

func refused(hint, format string, args ...any) error {
	return &errs.Error{Code: errs.Invalid, Op: "models: import", Message: fmt.Sprintf(format, args...), Hint: hint}
}
