package offline

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"lens/cmd/internal/datadir"
	"lens/cmd/internal/doctor"
	"lens/internal/errs"
	"lens/retrieval/offline"
)

// The synonyms of the offline retriever reveal whom and what a user searches for. They are one file, either in the
// configuration folder, where any editor can change it, or next to the archive, encrypted with it. The file in the
// configuration folder takes precedence, so that an edit counts at once.

// Keywords is keywords.yaml, the synonyms of the offline retriever.
type Keywords struct {
	plain string // the file in the configuration folder
	dir   string // the data folder
	home  func() (datadir.Home, error)
	keys  Keys
}

// NewKeywords returns the synonyms of the archive in a data folder. plain is the file in the configuration folder.
func NewKeywords(plain, dir string, home func() (datadir.Home, error), k Keys) *Keywords {
	return &Keywords{plain, dir, home, k}
}

// Read returns the current text of keywords.yaml, nil if there is none. Errors: locked, invalid, unavailable for a
// damaged file.
func (k *Keywords) Read() ([]byte, error) {
	text, err := offline.ReadKeywords(k.plain)
	if text != nil || err != nil {
		return text, err
	}
	h, err := k.home()
	if err != nil {
		return nil, err
	}
	return keywordsIn(h)
}

// keywordsIn returns the synonyms next to the archive, nil if there are none.
func keywordsIn(h datadir.Home) ([]byte, error) {
	text, err := h.Read(datadir.KeywordsFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return text, err
}

// Save saves text as keywords.yaml next to the archive, encrypted if the archive is; nil removes the file. Errors:
// locked, invalid for a malformed text or if a file in the configuration folder takes precedence.
func (k *Keywords) Save(text []byte) error {
	if err := offline.CheckKeywords(text); err != nil {
		return invalidKeywords("the synonyms are not valid", err)
	}
	if !missing(k.plain) {
		return &errs.Error{
			Code: errs.Invalid, Op: "keep keywords", Message: "keywords.yaml in the configuration folder takes precedence",
			Hint: "edit " + k.plain + ", or move it away",
		}
	}
	h, err := k.home()
	switch {
	case err != nil:
		return err
	case len(text) == 0:
		return h.Remove(datadir.KeywordsFile)
	}
	return errors.Join(os.MkdirAll(h.Dir, 0o700), h.Write(datadir.KeywordsFile, text))
}

// TakenIn says what TakeIn did with keywords.yaml of the configuration folder.
type TakenIn struct {
	Taken bool     // encrypted with the archive; the file is removed
	Left  []string // files in which its text can still be read: the target of a link, and copies that editors made
}

// TakeIn moves keywords.yaml from the configuration folder into the encrypted archive. An invalid file stays where it
// can be corrected; so does one that would replace other synonyms, unless replace is set. Errors: locked, invalid,
// unavailable, those of the file system.
func (k *Keywords) TakeIn(replace bool) (TakenIn, error) {
	text, err := offline.ReadKeywords(k.plain)
	if text == nil || err != nil {
		return TakenIn{}, err
	}
	if err := validKeywords(text); err != nil {
		return TakenIn{}, err
	}
	h, err := k.home()
	if err != nil {
		return TakenIn{}, err
	}
	if !replace {
		if err := k.mayReplace(h, text); err != nil {
			return TakenIn{}, err
		}
	}
	if err := h.Write(datadir.KeywordsFile, text); err != nil {
		return TakenIn{}, err
	}
	linked := leadsTo(k.plain)
	if err := os.Remove(k.plain); err != nil {
		return TakenIn{}, err
	}
	return TakenIn{Taken: true, Left: append(linked, copiesOf(k.plain, linked)...)}, nil
}

// mayReplace returns an error if the archive has other synonyms than text: invalid, or unavailable if they are damaged.
func (k *Keywords) mayReplace(h datadir.Home, text []byte) error {
	kept, err := keywordsIn(h)
	if err != nil || len(kept) == 0 || bytes.Equal(kept, text) {
		return err
	}
	return &errs.Error{
		Code: errs.Invalid, Op: "keep keywords",
		Message: "the archive has other synonyms, in " + h.Path(datadir.KeywordsFile) + "; nothing was replaced",
		Hint:    "run lens keywords take --replace, or move " + k.plain + " away to keep the archive's",
	}
}

// leadsTo returns the target of a symbolic link, nil for another file.
func leadsTo(path string) []string {
	info, err := os.Lstat(path)
	if err != nil || info.Mode()&os.ModeSymlink == 0 {
		return nil
	}
	target, err := filepath.EvalSymlinks(path)
	if err != nil {
		return nil
	}
	return []string{target}
}

// copiesOf returns the files next to path and its link targets whose names contain its name: copies that editors make.
func copiesOf(path string, linked []string) (copies []string) {
	for _, original := range append([]string{path}, linked...) {
		entries, _ := os.ReadDir(filepath.Dir(original)) // an unreadable folder has no copies to report
		for _, e := range entries {
			other := filepath.Join(filepath.Dir(original), e.Name())
			if e.Type().IsRegular() && strings.Contains(e.Name(), datadir.KeywordsFile) && other != path && other != original {
				copies = append(copies, other)
			}
		}
	}
	return copies
}

func validKeywords(text []byte) error {
	if err := offline.CheckKeywords(text); err != nil {
		return invalidKeywords("keywords.yaml is not valid", err)
	}
	return nil
}

func invalidKeywords(message string, err error) error {
	hint := "write lines like car: [automobile, vehicle]"
	return &errs.Error{Code: errs.Invalid, Op: "keep keywords", Message: message, Hint: hint, Err: err}
}

// Checks is a probe for an invalid keywords.yaml, and unencrypted copies of it.
func (k *Keywords) Checks(context.Context) (checks []doctor.Check) {
	if c, wrong := k.checkText(); wrong {
		checks = append(checks, c)
	}
	if !k.keys.Encrypted() {
		return checks
	}
	linked := leadsTo(k.plain)
	if !missing(k.plain) {
		message := "in the configuration folder, not encrypted"
		if len(linked) > 0 {
			message += ": " + k.plain + " links to " + linked[0]
		}
		checks = append(checks, doctor.Check{
			Name: datadir.KeywordsFile, Status: doctor.Warn, Message: message,
			Hint: "run lens keywords take to encrypt it with the archive",
		})
	}
	copies := append(copiesOf(k.plain, linked), copiesOf(filepath.Join(k.dir, datadir.KeywordsFile), nil)...)
	if len(copies) > 0 {
		checks = append(checks, doctor.Check{
			Name: datadir.KeywordsFile, Status: doctor.Warn,
			Message: "possible copies, not encrypted: " + strings.Join(copies, ", "),
			Hint:    "remove those you do not need, or move them to a safe place",
		})
	}
	return checks
}

// checkText reports whether keywords.yaml can be read but not used.
func (k *Keywords) checkText() (doctor.Check, bool) {
	if k.keys.Locked() && missing(k.plain) {
		return doctor.Check{}, false
	}
	text, err := k.Read()
	if err == nil {
		err = validKeywords(text)
	}
	if err == nil {
		return doctor.Check{}, false
	}
	c := doctor.Failed(datadir.KeywordsFile, err)
	if !missing(k.plain) {
		c.Message += " (" + k.plain + ")"
	}
	return c, true
}

func missing(path string) bool {
	_, err := os.Stat(path)
	return errors.Is(err, fs.ErrNotExist)
}
