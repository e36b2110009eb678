package boot

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"lens/internal/config"
	"lens/retrieval/offline"
	"lens/store"
)

// The synonyms of the offline retriever tell whom and what a person looks for. They are one file in the configuration folder, where any editor
// changes it; or beside the archive, encrypted with it. That in the configuration folder goes first: what is edited there counts at once.

const keywordsFile = "keywords.yaml"

func plainKeywords() string { return config.KeywordsPath(config.Options{}) }

// Keywords returns the text of keywords.yaml as it is now, nil where there is none. Errors: locked, *offline.KeywordsError; unavailable for one
// that is damaged.
func (l *Lens) Keywords() ([]byte, error) {
	text, err := offline.ReadKeywords(plainKeywords())
	if text != nil || err != nil {
		return text, err
	}
	h, err := l.home()
	if err != nil {
		return nil, err
	}
	return h.keywords()
}

// keywords returns the synonyms that lie beside the archive; nil where there are none.
func (h home) keywords() ([]byte, error) {
	text, err := h.read(keywordsFile)
	return text, h.explained(keywordsFile, onlyIfThere(err))
}

// KeepKeywords keeps a text beside the archive, encrypted where that is; with nil, none. Errors: locked; invalid for a text that is
// none, and where a file in the configuration folder goes first.
func (l *Lens) KeepKeywords(text []byte) error {
	if err := validKeywords(text); err != nil {
		return err
	}
	if !missing(plainKeywords()) {
		return &store.Error{
			Code: store.CodeInvalid, Op: "keep keywords", Message: "keywords.yaml in the configuration folder takes precedence",
			Hint: "edit " + plainKeywords() + ", or move it away",
		}
	}
	h, err := l.home()
	switch {
	case err != nil:
		return err
	case len(text) == 0:
		return h.remove(keywordsFile)
	}
	return errors.Join(os.MkdirAll(h.dir, 0o700), h.write(keywordsFile, text))
}

// TakenIn is what became of keywords.yaml of the configuration folder.
type TakenIn struct {
	Taken bool     // it is encrypted with the archive, and the file is removed
	Left  []string // where its text, or one of before, can be read all the same: where a link led, and copies that editors made
}

// TakeInKeywords moves keywords.yaml of the configuration folder to the encrypted archive. One that is not valid stays where it can be mended,
// and so does one that would take the place of other synonyms, unless replace says so. Errors: locked, invalid, unavailable, those of the file
// system.
func (l *Lens) TakeInKeywords(replace bool) (TakenIn, error) {
	text, err := offline.ReadKeywords(plainKeywords())
	if text == nil || err != nil {
		return TakenIn{}, err
	}
	if err := validKeywords(text); err != nil {
		return TakenIn{}, err
	}
	h, err := l.home()
	if err != nil {
		return TakenIn{}, err
	}
	if !replace {
		if err := h.takesKeywords(text); err != nil {
			return TakenIn{}, err
		}
	}
	if err := h.write(keywordsFile, text); err != nil {
		return TakenIn{}, err
	}
	linked := leadsTo(plainKeywords())
	if err := os.Remove(plainKeywords()); err != nil {
		return TakenIn{}, err
	}
	return TakenIn{Taken: true, Left: append(linked, copiesOf(plainKeywords(), linked)...)}, nil
}

// takesKeywords returns an error where other synonyms lie beside the archive. Errors: invalid, unavailable for those that are damaged.
func (h home) takesKeywords(text []byte) error {
	kept, err := h.keywords()
	if err != nil || len(kept) == 0 || bytes.Equal(kept, text) {
		return err
	}
	return &store.Error{
		Code: store.CodeInvalid, Op: "keep keywords",
		Message: "the archive has other synonyms, in " + filepath.Join(h.dir, keywordsFile) + "; nothing was replaced",
		Hint:    "run lens keywords take --replace, or move " + plainKeywords() + " away to keep the archive's",
	}
}

// leadsTo returns where a link leads, nothing for a file.
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

// copiesOf returns the files beside path, and beside those where it led, that are called after it: copies that editors make.
func copiesOf(path string, linked []string) (copies []string) {
	for _, original := range append([]string{path}, linked...) {
		entries, _ := os.ReadDir(filepath.Dir(original)) // what cannot be listed cannot be named
		for _, e := range entries {
			other := filepath.Join(filepath.Dir(original), e.Name())
			if e.Type().IsRegular() && strings.Contains(e.Name(), keywordsFile) && other != path && other != original {
				copies = append(copies, other)
			}
		}
	}
	return copies
}

func validKeywords(text []byte) error {
	if err := offline.CheckKeywords(text); err != nil {
		return &store.Error{
			Code: store.CodeInvalid, Op: "keep keywords", Message: "keywords.yaml is not valid",
			Hint: "write lines like car: [automobile, vehicle]", Err: err,
		}
	}
	return nil
}

// checkSynonyms says what is wrong with keywords.yaml, and where its text lies, where somebody might not expect it there.
func (l *Lens) checkSynonyms() (checks []Check) {
	if c, wrong := l.checkKeywordsText(); wrong {
		checks = append(checks, c)
	}
	if !l.Encrypted() {
		return checks
	}
	path := plainKeywords()
	linked := leadsTo(path)
	if !missing(path) {
		message := "in the configuration folder, not encrypted"
		if len(linked) > 0 {
			message += ": " + path + " links to " + linked[0]
		}
		checks = append(checks, Check{
			Name: keywordsFile, Status: Warn, Message: message,
			Hint: "run lens keywords take to encrypt it with the archive",
		})
	}
	copies := append(copiesOf(path, linked), copiesOf(filepath.Join(l.cfg.DataDir, keywordsFile), nil)...)
	if len(copies) > 0 {
		checks = append(checks, Check{
			Name: keywordsFile, Status: Warn, Message: "possible copies, not encrypted: " + strings.Join(copies, ", "),
			Hint: "remove those you do not need, or move them to a safe place",
		})
	}
	return checks
}

// checkKeywordsText reports whether keywords.yaml, where it may be read, cannot be used.
func (l *Lens) checkKeywordsText() (Check, bool) {
	if l.Locked() && missing(plainKeywords()) {
		return Check{}, false
	}
	text, err := l.Keywords()
	if err == nil {
		err = validKeywords(text)
	}
	if err == nil {
		return Check{}, false
	}
	c := Failed(keywordsFile, err)
	if !missing(plainKeywords()) {
		c.Message += " (" + plainKeywords() + ")"
	}
	return c, true
}
