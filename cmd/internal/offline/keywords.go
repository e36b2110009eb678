package app

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"lens/cmd/internal/config"
	"lens/cmd/internal/doctor"
	"lens/cmd/internal/keys"
	"lens/internal/errs"
	"lens/retrieval/offline"
)

// The synonyms of the offline retriever reveal whom and what a user searches for. They are one file, either in the
// configuration folder, where any editor can change it, or next to the archive, encrypted with it. The file in the
// configuration folder takes precedence, so that an edit counts at once.

func plainKeywords() string { return config.KeywordsPath(config.Options{}) }

// Keywords returns the current text of keywords.yaml, nil if there is none. Errors: locked, invalid,
// unavailable for a damaged file.
func (l *App) Keywords() ([]byte, error) {
	text, err := offline.ReadKeywords(plainKeywords())
	if text != nil || err != nil {
		return text, err
	}
	h, err := l.Folder.Home()
	if err != nil {
		return nil, err
	}
	return keywordsIn(h)
}

// keywordsIn returns the synonyms next to the archive, nil if there are none.
func keywordsIn(h keys.Home) ([]byte, error) {
	text, err := h.Read(keys.KeywordsFile)
	return text, onlyIfThere(err)
}

// KeepKeywords saves text as keywords.yaml next to the archive, encrypted if the archive is; nil removes the file.
// Errors: locked, invalid for a malformed text or if a file in the configuration folder takes precedence.
func (l *App) KeepKeywords(text []byte) error {
	if err := validKeywords(text); err != nil {
		return err
	}
	if !missing(plainKeywords()) {
		return &errs.Error{
			Code: errs.Invalid, Op: "keep keywords", Message: "keywords.yaml in the configuration folder takes precedence",
			Hint: "edit " + plainKeywords() + ", or move it away",
		}
	}
	h, err := l.Folder.Home()
	switch {
	case err != nil:
		return err
	case len(text) == 0:
		return h.Remove(keys.KeywordsFile)
	}
	return errors.Join(os.MkdirAll(h.Dir, 0o700), h.Write(keys.KeywordsFile, text))
}

// TakenIn says what TakeInKeywords did with keywords.yaml of the configuration folder.
type TakenIn struct {
	Taken bool     // encrypted with the archive; the file is removed
	Left  []string // files in which its text can still be read: the target of a link, and copies that editors made
}

// TakeInKeywords moves keywords.yaml from the configuration folder into the encrypted archive. An invalid file stays
// where it can be corrected; so does one that would replace other synonyms, unless replace is set. Errors: locked,
// invalid, unavailable, those of the file system.
func (l *App) TakeInKeywords(replace bool) (TakenIn, error) {
	text, err := offline.ReadKeywords(plainKeywords())
	if text == nil || err != nil {
		return TakenIn{}, err
	}
	if err := validKeywords(text); err != nil {
		return TakenIn{}, err
	}
	h, err := l.Folder.Home()
	if err != nil {
		return TakenIn{}, err
	}
	if !replace {
		if err := mayTakeIn(h, text); err != nil {
			return TakenIn{}, err
		}
	}
	if err := h.Write(keys.KeywordsFile, text); err != nil {
		return TakenIn{}, err
	}
	linked := leadsTo(plainKeywords())
	if err := os.Remove(plainKeywords()); err != nil {
		return TakenIn{}, err
	}
	return TakenIn{Taken: true, Left: append(linked, copiesOf(plainKeywords(), linked)...)}, nil
}

// mayTakeIn returns an error if the archive has other synonyms than text: invalid, or unavailable if they are
// damaged.
func mayTakeIn(h keys.Home, text []byte) error {
	kept, err := keywordsIn(h)
	if err != nil || len(kept) == 0 || bytes.Equal(kept, text) {
		return err
	}
	return &errs.Error{
		Code: errs.Invalid, Op: "keep keywords",
		Message: "the archive has other synonyms, in " + h.Path(keys.KeywordsFile) + "; nothing was replaced",
		Hint:    "run lens keywords take --replace, or move " + plainKeywords() + " away to keep the archive's",
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
			if e.Type().IsRegular() && strings.Contains(e.Name(), keys.KeywordsFile) && other != path && other != original {
				copies = append(copies, other)
			}
		}
	}
	return copies
}

func validKeywords(text []byte) error {
	if err := offline.CheckKeywords(text); err != nil {
		return &errs.Error{
			Code: errs.Invalid, Op: "keep keywords", Message: "keywords.yaml is not valid",
			Hint: "write lines like car: [automobile, vehicle]", Err: err,
		}
	}
	return nil
}

// checkSynonyms reports an invalid keywords.yaml, and unencrypted copies of it.
func (l *App) checkSynonyms() (checks []doctor.Check) {
	if c, wrong := l.checkKeywordsText(); wrong {
		checks = append(checks, c)
	}
	if !l.Keys.Encrypted() {
		return checks
	}
	path := plainKeywords()
	linked := leadsTo(path)
	if !missing(path) {
		message := "in the configuration folder, not encrypted"
		if len(linked) > 0 {
			message += ": " + path + " links to " + linked[0]
		}
		checks = append(checks, doctor.Check{
			Name: keys.KeywordsFile, Status: doctor.Warn, Message: message,
			Hint: "run lens keywords take to encrypt it with the archive",
		})
	}
	copies := append(copiesOf(path, linked), copiesOf(filepath.Join(l.cfg.DataDir, keys.KeywordsFile), nil)...)
	if len(copies) > 0 {
		checks = append(checks, doctor.Check{
			Name: keys.KeywordsFile, Status: doctor.Warn, Message: "possible copies, not encrypted: " + strings.Join(copies, ", "),
			Hint: "remove those you do not need, or move them to a safe place",
		})
	}
	return checks
}

// checkKeywordsText reports whether keywords.yaml can be read but not used.
func (l *App) checkKeywordsText() (doctor.Check, bool) {
	if l.Keys.Locked() && missing(plainKeywords()) {
		return doctor.Check{}, false
	}
	text, err := l.Keywords()
	if err == nil {
		err = validKeywords(text)
	}
	if err == nil {
		return doctor.Check{}, false
	}
	c := doctor.Failed(keys.KeywordsFile, err)
	if !missing(plainKeywords()) {
		c.Message += " (" + plainKeywords() + ")"
	}
	return c, true
}
